"""The words that mypyc needs in the source; without mypyc they do nothing.

The engine and its games compile (``make fast``, `config.fast`). A class that a game in a package
of its own derives from stays open to interpreted subclasses.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**attributes: Any) -> Any:
        """Leave the class as it is; mypyc reads the attributes from the source."""
        return lambda kind: kind


class SlotNames(tuple[str, ...]):
    """The ``__slots__`` of a compiled class: false, for mypyc makes no class under a class whose
    ``__slots__`` are true.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


def name_slots(kind: type[Any]) -> None:
    """Say in ``__slots__`` which fields a compiled dataclass has, as it says in pure Python.

    ``@dataclass(slots=True)`` of a game in a package looks there, and makes slots anew for fields
    that it does not find: compiled code would not see what is in those.
    """
    if "__slots__" not in vars(kind):
        kind.__slots__ = SlotNames(declared.name for declared in dataclasses.fields(kind))
