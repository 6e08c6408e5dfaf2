"""The words that mypyc needs in the source; without mypyc they do nothing.

The engine and its games compile (``make fast``, `config.fast`). A class that a game in a package
of its own derives from stays open to interpreted subclasses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**attributes: Any) -> Any:
        """Leave the class as it is; mypyc reads the attributes from the source."""
        return lambda kind: kind
