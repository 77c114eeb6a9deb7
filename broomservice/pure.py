"""Running the pure form of the core where the compiled one is installed too."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

CORE = "broomservice.core."


class PureFinder(MetaPathFinder):
    """Finds the modules of the core as Python files."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the Python file of a module of the core."""
        if not name.startswith(CORE):
            return None
        file = Path(__file__).parent / "core" / f"{name.removeprefix(CORE)}.py"
        return importlib.util.spec_from_file_location(name, file) if file.is_file() else None


def insist() -> None:
    """Load the pure form of the core from now on, as `BROOMSERVICE_PURE=1` asks for."""
    sys.meta_path.insert(0, PureFinder())


def is_compiled() -> bool:
    """Whether the compiled form of the core runs."""
    from broomservice.core import table

    return not str(table.__file__).endswith(".py")
