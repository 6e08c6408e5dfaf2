"""Events: what happened, who may know it, how it is said and stored.

In a running match an event is a plain tuple ``(name, value, …)``. What the values of each kind are,
who may know them and how they are said is declared once, by :func:`event` (see
``Rulebook.event``). Whatever is not declared is not shown: a view of an event lists its allowed
fields, it never strips forbidden ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    Any,
    Final,
    Generic,
    TypeAlias,
    TypedDict,
    TypeVar,
    TypeVarTuple,
    Unpack,
)

from rules.engine.errors import BadData

Event: TypeAlias = tuple[Any, ...]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

NOBODY: Final = "nobody"

PLAIN: Final = "plain"
SEAT: Final = "seat"
SEATS: Final = "seats"
CARD: Final = "card"
CARDS: Final = "cards"
NUMBER: Final = "number"
SLOT: Final = "slot"


# -- fields ----------------------------------------------------------------------------------------


class Field(Generic[T]):
    """One value of an event: its name, and what it is.

    ``knower`` names the field with the only seat that may know the value, or is ``NOBODY``;
    ``stranger`` the field with the only seat that may not. ``words`` are how its values are said,
    ``noun`` what a number counts.
    """

    __slots__ = ("knower", "name", "noun", "shape", "stranger", "words")

    def __init__(
        self,
        name: str,
        shape: str = PLAIN,
        *,
        words: Mapping[Any, str] | None = None,
        noun: str = "",
    ) -> None:
        self.name = name
        self.shape = shape
        self.words = words or {}
        self.noun = noun
        self.knower = ""
        self.stranger = ""

    def known_to(self, seat: Field[int]) -> Field[T]:
        """A copy that is secret to all but the seat in another field of the event."""
        twin = self._twin()
        twin.knower = seat.name
        return twin

    def hidden_from(self, seat: Field[int]) -> Field[T]:
        """A copy that is known to every seat but the one in another field, and to no spectator."""
        twin = self._twin()
        twin.stranger = seat.name
        return twin

    def unseen(self) -> Field[T]:
        """A copy that is secret to everybody: it can be checked afterwards."""
        twin = self._twin()
        twin.knower = NOBODY
        return twin

    def _twin(self) -> Field[T]:
        return Field(self.name, self.shape, words=self.words, noun=self.noun)


def seat(name: str = "seat") -> Field[int]:
    """The number of a seat."""
    return Field(name, SEAT)


def seats(name: str = "seats") -> Field[tuple[int, ...]]:
    """Several seats."""
    return Field(name, SEATS)


def card(name: str = "card") -> Field[int]:
    """The number of a card; below 0: none."""
    return Field(name, CARD)


def cards(name: str = "cards") -> Field[tuple[int, ...]]:
    """The numbers of cards."""
    return Field(name, CARDS)


def number(name: str = "number", noun: str = "") -> Field[int]:
    """A number; with a ``noun`` it is said as “1 card”, “2 cards”."""
    return Field(name, NUMBER, noun=noun)


def numbers(name: str) -> Field[tuple[int, ...]]:
    """Several numbers: dice, scores."""
    return Field(name)


def slot(name: str = "slot") -> Field[str]:
    """A named place: ``left-1``, said as “Left 1”."""
    return Field(name, SLOT)


def word(name: str, words: Mapping[str, str] | None = None) -> Field[str]:
    """A word of the rules, with how each is said where that differs."""
    return Field(name, words=words)


def flag(name: str) -> Field[bool]:
    """Yes or no."""
    return Field(name)


def ranking(name: str = "ranking") -> Field[tuple[tuple[int, ...], ...]]:
    """Groups of seats, best first."""
    return Field(name)


# -- kinds of events -------------------------------------------------------------------------------


Where: TypeAlias = str | Callable[[Mapping[str, Any], Mapping[str, Any] | None], str]


@dataclass(frozen=True, slots=True)
class Motion:
    """Which cards an event moves, and from which place to which.

    ``cards`` is a field with a card, cards or a number of them. A place is a word that the game's
    views and tables use (``draw``, ``hand``), the name of a field in braces that holds one
    (``{slot}``), or a function of the event as it is seen and of a card as it is seen (None: it may
    not be known), where each card has a place of its own. Both are those of the seat in the field
    ``seat``; ``giver`` is another field where they come from somebody else.

    A card that a table shows before or after goes from or to where it is shown. The places count
    where it is not.
    """

    cards: Field[Any]
    source: Where
    goal: Where
    giver: Field[int] | None = None


class Telling(TypedDict, total=False):
    """The properties of an event besides its fields; see :class:`EventKind`."""

    says: str | tuple[str, ...] | Callable[[EventWords], str | None]
    reveals: bool
    plays: bool
    private: Field[int]
    fleeting: bool
    turn: bool
    aims: Field[int]
    motion: Motion
    draws: str
    begins: bool
    ends: bool


class EventKind(Generic[*Ts]):
    """One kind of event: its name, its fields, who may know it and how it is said.

    ``fields`` name the values in order. ``secret`` maps a field to the name of the field that holds
    the seat that may know it, or to ``NOBODY``; ``hidden`` one to the field that holds the only
    seat that may not. ``private`` names the field that holds the only
    seat that may know of the event at all. ``reveals`` marks kinds that give somebody new
    information (after such an event nothing can be undone); ``fleeting`` those whose cards are
    hidden again at once (shown, then shuffled away). ``plays`` marks kinds by which the seat
    ``seat`` plays the card ``card``: what is counted as “played”. ``turn`` marks the kind that
    begins a turn, battle or round: what the length of a match is counted in. ``aims`` names the
    field that holds the seat which is aimed at, if somebody else has brought the event about.

    ``says`` is the line of the log: words with fields in braces, several of which the first is said
    whose fields the reader may all know, or a function of :class:`EventWords`. Without it, or where
    the reader may know none of them, nothing is said.

    ``draws`` are lines, or parts between semicolons, that say which draws of chance the event tells
    of and which cards change places by it, so that ``docs/verify.py`` can follow a match
    (``docs/fairness.md``, section 5.1).
    ``begins`` and ``ends`` mark the kinds that a whole record begins and ends with.
    """

    __slots__ = (
        "aims",
        "begins",
        "draws",
        "ends",
        "fields",
        "fleeting",
        "head",
        "hidden",
        "motion",
        "name",
        "plays",
        "private",
        "reveals",
        "says",
        "secret",
        "shape",
        "turn",
    )

    def __init__(self, name: str, *fields: Field[Any], **telling: Unpack[Telling]) -> None:
        private = telling.get("private")
        says = telling.get("says", ())
        self.name = name
        self.head: tuple[Any, ...] = (name,)
        self.shape = {member.name: member for member in fields}
        self.fields = tuple(self.shape)
        self.secret = {member.name: member.knower for member in fields if member.knower}
        self.hidden = {member.name: member.stranger for member in fields if member.stranger}
        self.private = private.name if private else ""
        self.reveals = telling.get("reveals", False)
        self.plays = telling.get("plays", False)
        self.fleeting = telling.get("fleeting", False)
        self.turn = telling.get("turn", False)
        aims = telling.get("aims")
        self.aims = aims.name if aims else ""
        self.motion = telling.get("motion")
        lines = telling.get("draws", "").replace(";", "\n").splitlines()
        self.draws = tuple(line.strip() for line in lines if line.strip())
        self.begins = telling.get("begins", False)
        self.ends = telling.get("ends", False)
        self.says = (says,) if isinstance(says, str) else says

    def values(self, event: Sequence[Any]) -> dict[str, Any]:
        """The values of an event of this kind by field."""
        if len(event) != len(self.fields) + 1:
            raise BadData(f"“{self.name}” has {', '.join(self.fields)}, not {event[1:]!r}.")
        return dict(zip(self.fields, event[1:], strict=True))

    def line(
        self, event: Mapping[str, Any], names: Sequence[str], title: Callable[[str], str]
    ) -> str | None:
        """The line of the log for an event as its reader may know it."""
        filled = EventWords(self, event, names, title)
        if callable(self.says):
            return self.says(filled)
        for words in self.says:
            try:
                return words.format_map(filled)
            except KeyError:
                continue
        return None


class EventWords(dict[str, str]):
    """An event for one reader, in words: ``event["card"]`` is the card's title.

    It has the fields that the reader may know, and no others; ``value`` has them as they are in the
    event's view.
    """

    def __init__(
        self,
        kind: EventKind[*tuple[Any, ...]],
        event: Mapping[str, Any],
        names: Sequence[str],
        title: Callable[[str], str],
    ) -> None:
        super().__init__()
        self.value = event
        self.names = names
        if "count" in event:  # how many the secret cards were
            self["count"] = str(event["count"])
        for name, member in kind.shape.items():
            if name in event:
                self[name] = _in_words(member, event[name], names, title)


def _in_words(
    member: Field[Any], value: Any, names: Sequence[str], title: Callable[[str], str]
) -> str:
    match member.shape:
        case "seat":
            return names[value] if value >= 0 else ""
        case "seats":
            return all_of(names[n] for n in value)
        case "card":
            return title(value["slug"]) if value else ""
        case "cards":
            return ", ".join(title(card["slug"]) for card in value)
        case "number":
            return count(value, member.noun) if member.noun else str(value)
        case "slot":
            return place(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return member.words.get(value, value) if isinstance(value, str) else str(value)


def all_of(words: Iterable[str]) -> str:
    """“Ada and Bo”."""
    return " and ".join(words)


def count(number: int, noun: str) -> str:
    """“1 card”, “2 cards”."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def place(slot: str) -> str:
    """A slot as people read it: “Left 1”."""
    return slot.replace("-", " ").capitalize()


# -- who may know what -----------------------------------------------------------------------------


def event_view(
    event: Event,
    kinds: Mapping[str, EventKind[*tuple[Any, ...]]],
    seat: int | None,
    card: Callable[[int], Any],
) -> dict[str, Any] | None:
    """The event as ``seat`` (None: a spectator) may know it, as plain data; None if it may not.

    ``card`` turns a card number into what a view shows of it. Secret fields of others are left
    out; where a secret ``cards`` is left out, ``count`` says how many they were.
    """
    kind = kinds[event[0]]
    values = kind.values(event)
    if kind.private and (seat is None or values[kind.private] != seat):
        return None
    visible: dict[str, Any] = {"kind": event[0]}
    for name, value in values.items():
        if _may_know(kind, name, values, seat):
            visible[name] = _shown(kind.shape[name].shape, value, card)
        elif name == "cards":
            visible["count"] = len(value)
    return visible


def _may_know(
    kind: EventKind[*tuple[Any, ...]], name: str, values: Mapping[str, Any], seat: int | None
) -> bool:
    if stranger := kind.hidden.get(name):
        return seat is not None and values[stranger] != seat
    knower = kind.secret.get(name)
    return knower is None or (knower != NOBODY and seat is not None and values[knower] == seat)


def _shown(shape: str, value: Any, card: Callable[[int], Any]) -> Any:
    if shape == CARD:
        return None if value is None or value < 0 else card(value)
    if shape == CARDS:
        return [card(number) for number in value]
    return _lists(value)


def motions_of(kind: EventKind[*tuple[Any, ...]], seen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cards that a visible event moves, as plain data; nothing that its reader may not know.

    Of each motion, ``cards`` are the cards as in a view, empty where only their ``count`` may be
    known; ``from`` and ``to`` are places with the seat that they belong to.
    """
    motion = kind.motion
    if motion is None:
        return []
    value = seen.get(motion.cards.name, seen.get("count", 0))
    if isinstance(value, int):
        return [_moved(motion, seen, [], value)] if value else []
    ways: dict[tuple[str, str], list[Any]] = {}
    for card in value if isinstance(value, list) else [value] if value else []:
        way = _place(motion.source, seen, card), _place(motion.goal, seen, card)
        ways.setdefault(way, []).append(card)
    return [_moved(motion, seen, cards, len(cards)) for cards in ways.values()]


def _moved(motion: Motion, seen: Mapping[str, Any], cards: list[Any], count: int) -> dict[str, Any]:
    seat = seen.get("seat")
    giver = seat if motion.giver is None else seen[motion.giver.name]
    card = cards[0] if cards else None
    return {
        "cards": cards,
        "count": count,
        "from": {"place": _place(motion.source, seen, card), "seat": giver},
        "to": {"place": _place(motion.goal, seen, card), "seat": seat},
    }


def _place(where: Where, seen: Mapping[str, Any], card: Mapping[str, Any] | None) -> str:
    return where.format_map(seen) if isinstance(where, str) else where(seen, card)


# -- storage ---------------------------------------------------------------------------------------


def event_to_json(event: Event) -> list[Any]:
    """The whole event, secrets included, for storage on the server."""
    return [_lists(value) for value in event]


def event_from_json(data: object) -> Event:
    """The opposite of :func:`event_to_json`; raises ``BadData``."""
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise BadData(f"Not an event: {data!r}.")
    return tuple(_tuples(value) for value in data)


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
