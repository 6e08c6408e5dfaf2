"""Fields declared once: how each begins, is copied, stored and read back.

A state is a dataclass without a constructor of its own; each field is one line with its type and,
where it is not a plain value, its shape::

    @dataclass(init=False, eq=False, slots=True)
    class Trumps(State):
        cards: Cards = card_table(Cards)
        piles: list[list[int]] = each_seat(LIST)
        pot: list[int] = field(LIST)
        round: int = 0

From that follow ``new``, ``copy``, ``to_data`` and ``from_data``. A field that is set without
having been declared is an ``AttributeError`` (the class has slots); one whose shape cannot be told
from its type is a ``TypeError`` when the game is loaded.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final, Self

from rules.engine.compiled import mypyc_attr


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Shape:
    """How a value is copied, stored as JSON and read back.

    ``copy`` is an expression in which ``{}`` stands for the value and ``self`` for what has it;
    ``start`` makes the value that
    a field begins with where nothing else is said (None: it has to be given).
    """

    copy: str = "{}"
    dump: Callable[[Any], Any] = _same
    load: Callable[[Any], Any] = _same
    start: Callable[[], Any] | None = None


VALUE: Final = Shape()
"""A number, a text, a truth, or something that never changes and is JSON as it is."""

LIST: Final = Shape("{}[:]", list, list, list)
"""A list of values: most zones."""

LISTS: Final = Shape(
    "[one[:] for one in {}]",
    lambda value: [item[:] for item in value],
    lambda data: [list(item) for item in data],
    list,
)
"""A list of lists of values: a zone a seat."""

TUPLE: Final = Shape("{}", list, tuple, tuple)
"""A tuple of values."""

TUPLES: Final = Shape(
    "{}[:]",
    lambda value: [list(item) for item in value],
    lambda data: [tuple(item) for item in data],
    list,
)
"""A list of tuples of values."""

DICT: Final = Shape("{}.copy()", lambda value: [list(pair) for pair in value.items()], dict, dict)
"""A dict of values; JSON has no numbers as keys, so pairs are stored."""


def record(kind: type[Record]) -> Any:
    """A field that holds a record of its own, or None."""
    shape = Shape(
        "{0} and {0}.copy()",
        lambda value: value and value.to_data(),
        lambda data: kind.from_data(data) if data else None,
        lambda: None,
    )
    return field(shape)


def field(shape: Shape = VALUE, start: Any = dataclasses.MISSING, *, stored: bool = True) -> Any:
    """A field of this shape. One that is not ``stored`` is at its start again after loading."""
    metadata = {"shape": shape, "start": start, "stored": stored}
    if shape.start is None:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default_factory=shape.start, metadata=metadata)


def each_seat(of: Shape | int = LIST, *, stored: bool = True) -> Any:
    """A list with one entry a seat: an empty list or dict each, or this number."""
    if isinstance(of, int):
        number = of
        start: Callable[[int], Any] = lambda seats: [number] * seats  # noqa: E731
        shape = LIST
    else:
        make = of.start
        assert of is LIST, "a list a seat, or a number a seat"
        assert make is not None
        start = lambda seats: [make() for _ in range(seats)]  # noqa: E731
        shape = LISTS
    return dataclasses.field(metadata={"shape": shape, "each_seat": start, "stored": stored})


@dataclass(frozen=True, slots=True)
class Field:
    """One field as it was declared."""

    name: str
    shape: Shape
    stored: bool
    start: Any
    each_seat: Callable[[int], Any] | None


PLAIN_TYPES: Final = ("int", "str", "bool", int, str, bool)


@dataclass(frozen=True, slots=True)
class Starts:
    """How fields begin: as the same value, made anew, or made for so many seats."""

    constants: tuple[tuple[str, Any], ...]
    makers: tuple[tuple[str, Callable[[], Any]], ...]
    each_seat: tuple[tuple[str, Callable[[int], Any]], ...]

    @classmethod
    def of(cls, fields: Iterable[Field]) -> Starts:
        """The starts of those fields that have one."""
        seats, constants, makers = [], [], []
        for declared in fields:
            if declared.each_seat is not None:
                seats.append((declared.name, declared.each_seat))
            elif declared.start is not dataclasses.MISSING:
                constants.append((declared.name, declared.start))
            elif declared.shape.start is not None:
                makers.append((declared.name, declared.shape.start))
        return cls(tuple(constants), tuple(makers), tuple(seats))

    def set(self, owner: Any, seats: int) -> None:
        """Set the fields."""
        for name, value in self.constants:
            setattr(owner, name, value)
        for name, make in self.makers:
            setattr(owner, name, make())
        for name, start in self.each_seat:
            setattr(owner, name, start(seats))


@dataclass(frozen=True, slots=True)
class Layout:
    """All fields of a class: how they begin, and how the stored ones are written and read.

    ``write(owner)`` gives the stored fields as JSON-able data, ``read(owner, data)`` sets them.
    """

    fields: tuple[Field, ...]
    names: frozenset[str]
    needed: frozenset[str]
    starts: Starts
    unstored: Starts
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Any, Mapping[str, Any]], None]

    def fill(self, owner: Any, seats: int, values: Mapping[str, Any]) -> None:
        """Set all fields: those given, and the others to their start; raises ``TypeError``."""
        if strange := sorted(values.keys() - self.names):
            raise TypeError(f"{type(owner).__name__} has no field {', '.join(strange)}.")
        if missing := sorted(self.needed.difference(values)):
            raise TypeError(f"{type(owner).__name__} has no start for {', '.join(missing)}.")
        self.starts.set(owner, seats)
        for name, value in values.items():
            setattr(owner, name, value)


_LAYOUTS: Final[dict[type, Layout]] = {}
_COPIERS: Final[dict[type, Callable[[Any], Any]]] = {}


def layout(kind: type) -> Layout:
    """The fields of a class; raises ``TypeError`` where they are not declared as they must be."""
    known = _LAYOUTS.get(kind)
    if known is None:
        known = _LAYOUTS[kind] = _read(kind)
        _COPIERS[kind] = _copier(kind, known.fields)
    return known


def _read(kind: type) -> Layout:
    own = "__slots__" in vars(kind) or "__mypyc_attrs__" in vars(kind)
    if not own or "__dataclass_fields__" not in vars(kind):
        raise TypeError(f"{kind.__name__} needs @dataclass(init=False, eq=False, slots=True).")
    fields = tuple(
        _field(kind, declared)
        for declared in dataclasses.fields(kind)
        if isinstance(
            getattr(kind, declared.name, None), (MemberDescriptorType, GetSetDescriptorType)
        )
    )
    starts = Starts.of(fields)
    names = frozenset(declared.name for declared in fields)
    begun = {name for name, _ in (*starts.constants, *starts.makers, *starts.each_seat)}
    stored = [declared for declared in fields if declared.stored]
    return Layout(
        fields,
        names,
        names - begun,
        starts,
        Starts.of(declared for declared in fields if not declared.stored),
        _writer(stored),
        _reader(stored),
    )


def _field(kind: type, declared: dataclasses.Field[Any]) -> Field:
    metadata: Mapping[str, Any] = declared.metadata
    if "shape" not in metadata and declared.type not in PLAIN_TYPES:
        raise TypeError(
            f"{kind.__name__}.{declared.name} is a {declared.type}: say its shape, "
            f"“{declared.name}: {declared.type} = field(…)” (rules/engine/fields.py)."
        )
    return Field(
        declared.name,
        metadata.get("shape", VALUE),
        metadata.get("stored", True),
        metadata.get("start", declared.default),
        metadata.get("each_seat"),
    )


def _copier(kind: type, fields: tuple[Field, ...]) -> Callable[[Any], Any]:
    lines = ["twin = new(kind)"]  # every field is set below
    for declared in fields:
        lines.append(
            f"twin.{declared.name} = {declared.shape.copy.format(f'self.{declared.name}')}"
        )
    function: Callable[[Any], Any] = _function(
        "self", [*lines, "return twin"], {"kind": kind, "new": kind.__new__}
    )
    return function


def _writer(fields: list[Field]) -> Callable[[Any], dict[str, Any]]:
    rows = []
    for declared in fields:
        value = f"self.{declared.name}"
        if declared.shape.dump is not _same:  # what is JSON as it is costs no call
            value = f"dump_{declared.name}({value})"
        rows.append(f"{declared.name!r}: {value}")
    names = {f"dump_{declared.name}": declared.shape.dump for declared in fields}
    lines = [f"return {{{', '.join(rows)}}}"]
    function: Callable[[Any], dict[str, Any]] = _function("self", lines, names)
    return function


def _reader(fields: list[Field]) -> Callable[[Any, Mapping[str, Any]], None]:
    lines = []
    for declared in fields:
        value = f"data[{declared.name!r}]"
        if declared.shape.load is not _same:
            value = f"load_{declared.name}({value})"
        lines.append(f"self.{declared.name} = {value}")
    names = {f"load_{declared.name}": declared.shape.load for declared in fields}
    function: Callable[[Any, Mapping[str, Any]], None] = _function("self, data", lines, names)
    return function


def _function(arguments: str, lines: list[str], names: dict[str, Any]) -> Any:
    """Straight-line code, made once a class: a loop over the fields costs half as much again.

    Nothing but the names of declared fields and the shapes above is in it (decision 10).
    """
    code = "\n    ".join([f"def function({arguments}):", *lines])
    exec(code, names)  # noqa: S102
    return names["function"]


@mypyc_attr(allow_interpreted_subclasses=True)
class Record:
    """Something with declared fields. Its class can be called without arguments."""

    __slots__ = ()

    def copy(self) -> Self:
        """An independent copy."""
        kind = type(self)
        if kind not in _COPIERS:
            layout(kind)
        twin: Self = _COPIERS[kind](self)
        return twin

    def to_data(self) -> dict[str, Any]:
        """All stored fields as JSON-able data."""
        return layout(type(self)).write(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_data` wrote."""
        record = cls()
        record.read(data)
        return record

    def read(self, data: Mapping[str, Any]) -> None:
        """Take over what :meth:`to_data` wrote."""
        layout(type(self)).read(self, data)
