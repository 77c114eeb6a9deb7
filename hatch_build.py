"""Builds the compiled form of the core where `BROOMSERVICE_COMPILE=1` asks for it.

The modules of `broomservice/core` are compiled unchanged by mypyc. Without the variable the wheel
is pure Python and needs no compiler.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WANTED = os.environ.get("BROOMSERVICE_COMPILE") == "1"


def core_modules() -> list[str]:
    """Return the modules that are compiled: all of the core but what it says of itself."""
    modules = sorted((ROOT / "broomservice" / "core").glob("*.py"))
    return [str(path.relative_to(ROOT)) for path in modules if path.name != "native.py"]


def compile_core(target: Path) -> list[Path]:
    """Compile the core into a folder; return the files made, relative to it."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    before = os.getcwd()
    os.chdir(ROOT)
    try:
        with tempfile.TemporaryDirectory() as work:
            extensions = mypycify(
                ["--config-file=", "--follow-imports=silent", *core_modules()],
                opt_level="3",
                target_dir=work,
            )
            command = build_ext(Distribution({"name": "broomservice", "ext_modules": extensions}))
            command.ensure_finalized()
            command.build_lib, command.build_temp = str(target), work
            command.run()
    finally:
        os.chdir(before)
    return [path.relative_to(target) for path in target.rglob("*") if path.is_file()]


class CustomBuildHook(BuildHookInterface[Any]):
    """The hook that hatchling calls."""

    def dependencies(self) -> list[str]:
        """Return what is needed to build, beyond hatchling itself."""
        return ["mypy[mypyc]>=1.11", "setuptools>=69", "attrs>=23.1"] if WANTED else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and put what was compiled into the wheel."""
        if not WANTED:
            return
        self.target = Path(tempfile.mkdtemp(prefix="broomservice-"))
        for path in compile_core(self.target):
            build_data["force_include"][str(self.target / path)] = str(path)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clean up."""
        if WANTED and hasattr(self, "target"):
            shutil.rmtree(self.target, ignore_errors=True)


if __name__ == "__main__":
    for made in compile_core(Path(sys.argv[1]).resolve()):
        print(made)
