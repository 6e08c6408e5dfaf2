"""The state of a match between two prompts.

What is still to be done lies on the state as plain data: a stack of step names with their
arguments. So a state can be cloned, stored and searched at any prompt, and nested play (a battle
inside a turn) is just a deeper stack. ``rulebook`` says how it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVarTuple

from rules.engine.chance import Chance
from rules.engine.events import Event, EventKind
from rules.engine.moves import Prompt, move_from_json, move_to_json

if TYPE_CHECKING:
    from rules.engine.rulebook import AnyPrompt, PromptKind, Step

Ts = TypeVarTuple("Ts")
Frame: TypeAlias = tuple[str, tuple[Any, ...]]

EVERYONE = -1
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


class State:
    """What every game's state has. A game adds its own slots, ``copy``, ``to_data`` and ``zones``.

    ``asked`` counts each seat's questions by itself: one count for all would tell everybody how far
    a seat has come that answers unseen.

    ``known`` holds, for a card in a hidden zone, a mask of the seats that know it beyond the
    zone's own rule (bit n: seat n; ``EVERYONE``: all, spectators too). A shuffle wipes it.
    """

    __slots__ = (
        "asked",
        "asking",
        "chance",
        "events",
        "known",
        "outcome",
        "prompts",
        "seats",
        "stack",
    )

    def __init__(self, seats: int, chance: Chance) -> None:
        self.seats = seats
        self.chance = chance
        self.asked = [0] * seats
        self.asking: list[tuple[int, AnyPrompt, tuple[Any, ...]]] = []
        self.prompts: dict[int, Prompt] = {}
        self.stack: list[Frame] = []
        self.events: list[Event] = []
        self.known: dict[int, int] = {}
        self.outcome: Outcome | None = None

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

    def knows(self, seat: int | None, card: int) -> bool:
        """True if ``seat`` (None: a spectator) knows the card although its zone is hidden."""
        mask = self.known.get(card, 0)
        return mask == EVERYONE or (seat is not None and mask >> seat & 1 == 1)

    # -- copies and storage ------------------------------------------------------------------

    def zones(self) -> Iterator[tuple[str, int | None, Sequence[int]]]:
        """Every zone with its owner (None: shared) and its cards: each card in exactly one."""
        raise NotImplementedError

    def copy(self) -> Any:
        """An independent copy of the whole state."""
        raise NotImplementedError

    def to_data(self) -> dict[str, Any]:
        """The whole state as JSON-able data."""
        raise NotImplementedError

    def copy_frame(self, twin: State) -> None:
        """Copy the part that every game has into ``twin``."""
        twin.seats = self.seats
        twin.chance = self.chance.clone()
        twin.asked = self.asked[:]
        twin.asking = self.asking[:]
        twin.prompts = self.prompts.copy()
        twin.stack = self.stack[:]
        twin.events = self.events  # never changed once a move is over: each move starts a new list
        twin.known = self.known.copy()
        twin.outcome = self.outcome

    def frame_to_data(self) -> dict[str, Any]:
        """The part that every game has, as JSON-able data."""
        return {
            "asked": self.asked[:],
            "chance": {"seed": self.chance.seed.hex(), "position": self.chance.position},
            "prompts": [
                {
                    "id": prompt.id,
                    "seat": seat,
                    "kind": prompt.kind,
                    "options": [move_to_json(move) for move in prompt.options],
                    "context": list(prompt.context),
                }
                for seat, prompt in sorted(self.prompts.items())
            ],
            "stack": [[step, list(args)] for step, args in self.stack],
            "known": sorted([card, mask] for card, mask in self.known.items()),
            "outcome": self.outcome and self.outcome.to_json(),
        }

    def frame_from_data(self, data: dict[str, Any]) -> None:
        """Take over what :meth:`frame_to_data` wrote (the seats are set by the caller)."""
        chance = data["chance"]
        self.chance = Chance(bytes.fromhex(chance["seed"]), chance["position"])
        self.asked = list(data["asked"])
        self.asking = []
        self.prompts = {
            row["seat"]: Prompt(
                row["id"],
                row["seat"],
                row["kind"],
                tuple(move_from_json(move) for move in row["options"]),
                tuple(row["context"]),
            )
            for row in data["prompts"]
        }
        self.stack = [(step, tuple(args)) for step, args in data["stack"]]
        self.events = []
        self.known = dict(data["known"])
        self.outcome = outcome_from_json(data["outcome"])


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
