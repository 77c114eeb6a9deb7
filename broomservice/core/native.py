"""What compiled modules need to say about themselves; this module itself is never compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**flags):
        """Say nothing: the flags matter to the compiler only."""
        return lambda kind: kind
