"""The state of a match between two prompts.

What is still to be done lies on the state as plain data: a stack of step names with their
arguments. So a state can be cloned, stored and searched at any prompt, and nested play (a battle
inside a turn) is just a deeper stack. ``rulebook`` says how it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self, TypeAlias, TypeVarTuple

from rules.engine.chance import Chance
from rules.engine.compiled import mypyc_attr, name_slots
from rules.engine.events import NOBODY, Event, EventKind
from rules.engine.fields import LIST, Record, Shape, each_seat, field, layout
from rules.engine.moves import Prompt, move_from_json, move_to_json
from rules.engine.prompts import AnyPrompt, PromptKind, Step

Ts = TypeVarTuple("Ts")
Frame: TypeAlias = tuple[str, tuple[Any, ...]]

OWNER: Final = "owner"
"""Who sees the cards of a hidden zone: its owner alone."""

ALL_BUT_OWNER: Final = "all but owner"
"""Who sees the cards of a hidden zone: every seat but its owner. Spectators do not: whoever plays
could look at the same table without sitting down."""

EVERYONE: Final = -1
"""Knower mask of a card that lies in a hidden zone but is known to all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match: groups of seats, best first; the winners; why it ended (one word)."""

    ranking: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    reason: str
    details: tuple[tuple[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "ranking": [list(group) for group in self.ranking],
            "winners": list(self.winners),
            "reason": self.reason,
            **dict(self.details),
        }


def _dump_prompts(prompts: Mapping[int, Prompt]) -> list[dict[str, Any]]:
    return [
        {
            "id": prompt.id,
            "seat": seat,
            "kind": prompt.kind,
            "options": [move_to_json(move) for move in prompt.options],
            "context": list(prompt.context),
        }
        for seat, prompt in sorted(prompts.items())
    ]


def _load_prompts(data: Sequence[Mapping[str, Any]]) -> dict[int, Prompt]:
    return {
        row["seat"]: Prompt(
            row["id"],
            row["seat"],
            row["kind"],
            tuple(move_from_json(move) for move in row["options"]),
            tuple(row["context"]),
        )
        for row in data
    }


CHANCE: Final = Shape(
    "{}.clone()",
    lambda chance: {"seed": chance.seed.hex(), "position": chance.position},
    lambda data: Chance(bytes.fromhex(data["seed"]), data["position"]),
)
PROMPTS: Final = Shape("{}.copy()", _dump_prompts, _load_prompts, dict)
STACK: Final = Shape(
    "{}[:]",
    lambda stack: [[step, list(args)] for step, args in stack],
    lambda data: [(step, tuple(args)) for step, args in data],
    list,
)
KNOWN: Final = Shape(
    "{}.copy()", lambda known: [list(pair) for pair in sorted(known.items())], dict, dict
)
OUTCOME: Final = Shape(
    "{}",
    lambda outcome: outcome and outcome.to_json(),
    lambda data: outcome_from_json(data),
    lambda: None,
)
EVENTS: Final = Shape("{}", start=list)
"""Never changed once a move is over: each move starts a new list, so copies share it."""


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(init=False, eq=False, slots=True)
class State(Record):
    """The part of the state that all games share.

    A game declares its own fields and its zones (``fields.py``).

    ``asked`` counts each seat's questions by itself: one count for all would tell everybody how far
    a seat has come that answers unseen.

    ``known`` holds, for a card in a hidden zone, a mask of the seats that know it beyond the
    zone's own rule (bit n: seat n; ``EVERYONE``: all, spectators too). A shuffle wipes it.

    ``hidden_zones`` says of each zone whose cards do not lie open who sees them: ``OWNER``,
    ``ALL_BUT_OWNER`` or ``NOBODY``.

    ``consulted`` is a mask of the seats whose hidden cards have had a say since the last answer
    (:meth:`depends_on`).
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {}

    seats: int
    mode: str = field(start="", stored=False)
    chance: Chance = field(CHANCE)
    asked: list[int] = each_seat(0)
    asking: list[tuple[int, AnyPrompt, tuple[Any, ...]]] = field(LIST, stored=False)
    prompts: dict[int, Prompt] = field(PROMPTS)
    stack: list[Frame] = field(STACK)
    events: list[Event] = field(EVENTS, stored=False)
    known: dict[int, int] = field(KNOWN)
    consulted: int = field(start=0, stored=False)
    outcome: Outcome | None = field(OUTCOME)

    @classmethod
    def new(cls, seats: int, chance: Chance, **values: Any) -> Self:
        """A state at its start: ``given`` are the fields that do not begin as they are declared."""
        s = cls()
        values["seats"], values["chance"] = seats, chance
        layout(cls).fill(s, seats, values)
        return s

    @classmethod
    def load(cls, data: Mapping[str, Any], mode: str = "") -> Self:
        """Read what :meth:`to_data` wrote, for a match of this mode."""
        s = cls()
        s.read(data)
        if "mode" not in data:
            s.mode = mode
        return s

    def read(self, data: Mapping[str, Any]) -> None:
        """Take over what :meth:`to_data` wrote; what is not stored begins anew."""
        declared = layout(type(self))
        declared.read(self, data)
        declared.unstored.set(self, len(self.asked))

    # -- what rules say ----------------------------------------------------------------------

    def tell(self, kind: EventKind[*Ts], *values: *Ts) -> None:
        """Something happened."""
        self.events.append(kind.head + values)

    def then(self, step: Step[*Ts], *args: *Ts) -> None:
        """Do this step next, before everything else that is still to be done."""
        self.stack.append((step.name, args))

    def ask(self, seat: int, kind: PromptKind[*Ts], *context: *Ts) -> None:
        """Put a question to a seat. Its options are worked out when its turn comes."""
        self.asking.append((seat, kind, context))

    def reveal(self, card: int) -> None:
        """From now on everybody knows this card, wherever it lies hidden, until a shuffle."""
        self.known[card] = EVERYONE

    def show(self, card: int, seat: int) -> None:
        """From now on this seat knows the card, until a shuffle."""
        self.known[card] = self.known.get(card, 0) | 1 << seat

    def depends_on(self, seat: int) -> None:
        """Note that the next step follows from cards of this seat that others cannot see.

        The rulebook says so itself of each question that is not ``public``; a step says it where it
        looks into a hand to decide whether to ask, or what happens.
        """
        self.consulted |= 1 << seat

    def knows(self, seat: int | None, card: int) -> bool:
        """True if ``seat`` (None: a spectator) knows the card although its zone is hidden."""
        mask = self.known.get(card, 0)
        return mask == EVERYONE or (seat is not None and mask >> seat & 1 == 1)

    def sees(self, seat: int | None, zone: str, owner: int | None) -> bool:
        """True if ``seat`` (None: a spectator) sees the cards of a zone, known ones aside."""
        seen_by = self.hidden_zones.get(zone)
        if seen_by is None:
            return True
        if seat is None or seen_by == NOBODY:
            return False
        return (owner == seat) == (seen_by == OWNER)

    # -- copies and storage ------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        """Every zone with its owner (None: shared) and its cards: each card in exactly one.

        The cards are the list that the state itself keeps, or a :class:`Slot` of it.
        """
        yield from ()

    def is_out(self, seat: int) -> bool:
        """True if the seat plays no more although the match goes on."""
        return False

    def remember(self, later: Self) -> None:
        """The match goes back to this moment: what all have seen until ``later`` is not forgotten.

        Where cards are shown by answers that can be taken back, a game says here which stay known.
        """

    def end(
        self,
        ranking: Sequence[tuple[int, ...]],
        reason: str,
        *,
        winners: tuple[int, ...] | None = None,
        details: tuple[tuple[str, Any], ...] = (),
    ) -> None:
        """The match is over. The winners are the first group, if nothing else is said."""
        won = ranking[0] if winners is None else winners
        self.outcome = Outcome(tuple(ranking), won, reason, details)


class Slot(Sequence[int]):
    """A zone for one card: an entry of a list that holds a card or a number below 0."""

    __slots__ = ("_index", "_list")

    def __init__(self, cards: list[int], index: int) -> None:
        self._list = cards
        self._index = index

    def __len__(self) -> int:
        return int(self._list[self._index] >= 0)

    def __iter__(self) -> Iterator[int]:
        card = self._list[self._index]
        return iter((card,) if card >= 0 else ())

    def __getitem__(self, index: Any) -> Any:
        return [card for card in self._list[self._index : self._index + 1] if card >= 0][index]

    def __setitem__(self, index: int, card: int) -> None:
        self._list[self._index] = card


Zone: TypeAlias = tuple[str, int | None, Sequence[int]]


name_slots(State)


def ranked(seats: Iterable[int], strength: Callable[[int], Any]) -> list[tuple[int, ...]]:
    """The seats by strength, the strongest first; equal ones share a rank, in seat order."""
    groups: dict[Any, list[int]] = {}
    for seat in sorted(seats):
        groups.setdefault(strength(seat), []).append(seat)
    return [tuple(groups[key]) for key in sorted(groups, reverse=True)]


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(init=False, eq=False, slots=True)
class Elimination(State):
    """The state of a match that goes on without the seats that are out.

    ``out`` are they, in the order in which they went, ``moments`` when each did: those of one
    moment share a rank.
    """

    out: list[int] = field(LIST, stored=False)
    moments: list[int] = field(LIST, stored=False)
    moment: int = 0

    def is_out(self, seat: int) -> bool:
        return seat in self.out

    def still_in(self) -> list[int]:
        """The seats that are not out, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]

    def next_moment(self) -> None:
        """Who is out from now on shares no rank with anybody who is out already."""
        self.moment = max(self.moment, *self.moments, 0) + 1

    def drop(self, *seats: int) -> None:
        """These seats are out from this moment on."""
        for seat in seats:
            self.out.append(seat)
            self.moments.append(self.moment)

    def ranking(self, best: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
        """All seats by rank: the groups ``best``, then who is out, the later the better."""
        groups = [tuple(group) for group in best]
        placed = {seat for group in groups for seat in group}
        moments = dict(zip(self.out, self.moments, strict=True))
        return (*groups, *ranked(moments.keys() - placed, moments.__getitem__))

    def to_data(self) -> dict[str, Any]:
        data = State.to_data(self)
        data["out"] = [list(pair) for pair in zip(self.out, self.moments, strict=True)]
        return data

    def read(self, data: Mapping[str, Any]) -> None:
        State.read(self, data)
        for seat, moment in data["out"]:
            self.out.append(seat)
            self.moments.append(moment)


name_slots(Elimination)


def outcome_from_json(data: dict[str, Any] | None) -> Outcome | None:
    """The opposite of :meth:`Outcome.to_json`."""
    if data is None:
        return None
    plain = {"ranking", "winners", "reason"}
    return Outcome(
        ranking=tuple(tuple(group) for group in data["ranking"]),
        winners=tuple(data["winners"]),
        reason=data["reason"],
        details=tuple((name, value) for name, value in data.items() if name not in plain),
    )
