"""A tiny game in which all seats are asked at the same moment, which Kaolan never does.

Three rounds. In each everybody picks a number from 1 to 3, unseen; when all have picked, the
numbers are shown, a die is rolled, and every pick that is unique scores itself plus the die.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.engine.bots import RANDOM
from rules.engine.chance import Chance
from rules.engine.errors import IllegalMove
from rules.engine.events import EventKind
from rules.engine.game import Game, Mode
from rules.engine.legality import Report
from rules.engine.moves import Move, Number, Prompt
from rules.engine.state import Outcome, Rulebook, State

ROUNDS = 3
BOOK: Rulebook[Picks] = Rulebook()


class Picks(State):
    """Scores, the round, who is still in, and what has been picked unseen."""

    __slots__ = ("gone", "picked", "round", "scores")

    def __init__(self, seats: int, chance: Chance) -> None:
        super().__init__(seats, chance)
        self.scores = [0] * seats
        self.picked: dict[int, int] = {}
        self.gone: list[int] = []
        self.round = 0

    def copy(self) -> Picks:
        twin = Picks.__new__(Picks)
        self.copy_frame(twin)
        twin.scores, twin.picked = self.scores[:], self.picked.copy()
        twin.gone, twin.round = self.gone[:], self.round
        return twin

    def to_data(self) -> dict[str, Any]:
        return {
            **self.frame_to_data(),
            "seats": self.seats,
            "scores": self.scores,
            "picked": sorted(self.picked.items()),
            "gone": self.gone,
            "round": self.round,
        }


@BOOK.step
def begin_round(s: Picks) -> None:
    if s.round == ROUNDS or len(s.gone) >= s.seats - 1:
        return finish(s)
    s.round += 1
    s.then("show_picks")
    for seat in range(s.seats):
        if seat not in s.gone:
            s.ask(seat, "pick")
    return None


@BOOK.step
def show_picks(s: Picks) -> None:
    numbers = [s.picked.get(seat, 0) for seat in range(s.seats)]
    die = s.chance.die()
    for seat, number in s.picked.items():
        if numbers.count(number) == 1:
            s.scores[seat] += number + die
    s.picked.clear()
    s.tell("shown", tuple(numbers), die)
    s.then("begin_round")


def finish(s: Picks) -> None:
    order = sorted({-1 if n in s.gone else s.scores[n] for n in range(s.seats)}, reverse=True)
    groups = tuple(
        tuple(n for n in range(s.seats) if (-1 if n in s.gone else s.scores[n]) == score)
        for score in order
    )
    s.outcome = Outcome(ranking=groups, winners=groups[0], reason="scores")
    s.tell("match_ended", groups[0])


@BOOK.question("pick")
def numbers(s: Picks, seat: int) -> Sequence[Move]:
    return [Move("pick", None, Number(n)) for n in (1, 2, 3)]


@BOOK.answer("pick")
def pick(s: Picks, seat: int, move: Move) -> None:
    assert isinstance(move.target, Number)
    s.picked[seat] = move.target.number
    s.tell("ready", seat, move.target.number)


class Table:
    def start(self, mode: Mode, seats: int, chance: Chance, options: Any, decks: Any) -> Picks:
        s = Picks(seats, chance)
        s.then("begin_round")
        return s

    def load(self, mode: Mode, data: dict[str, Any]) -> Picks:
        s = Picks(data["seats"], Chance(bytes(32)))
        s.frame_from_data(data)
        s.scores, s.gone, s.round = data["scores"], data["gone"], data["round"]
        s.picked = dict(data["picked"])
        return s

    def concede(self, s: Picks, seat: int) -> None:
        if seat in s.gone:
            raise IllegalMove("Out already.")
        s.gone.append(seat)
        s.prompts.pop(seat, None)
        s.picked.pop(seat, None)
        s.tell("resigned", seat)
        if len(s.gone) >= s.seats - 1:
            finish(s)

    def redeal(self, s: Picks, seat: int | None, chance: Chance) -> None:
        s.chance = chance
        for other in s.picked:
            if other != seat:
                s.picked[other] = chance.pick(3) + 1

    def view(self, s: Picks, seat: int | None) -> dict[str, Any]:
        return {
            "round": s.round,
            "scores": s.scores[:],
            "ready": sorted(s.picked),
            "mine": None if seat is None else s.picked.get(seat),
        }

    def card_slug(self, s: Picks, card: int) -> str:
        raise LookupError(card)

    def card_count(self, s: Picks) -> int:
        return 0

    def default_move(self, s: Picks, prompt: Prompt) -> Move:
        return prompt.options[0]

    def question(self, s: Picks, prompt: Prompt, names: Sequence[str]) -> str:
        return "Pick a number."

    def label(self, s: Picks, move: Move, names: Sequence[str]) -> str:
        assert isinstance(move.target, Number)
        return str(move.target.number)

    def narrate(self, event: dict[str, Any], names: Sequence[str]) -> str | None:
        match event:
            case {"kind": "ready", "seat": seat, "number": number}:
                return f"{names[seat]} picked {number}."
            case {"kind": "ready", "seat": seat}:
                return f"{names[seat]} is ready."
            case {"kind": "shown", "numbers": picked, "die": die}:
                return f"Picks {picked}, die {die}."
        return None

    def arrange(self, mode: Mode, chance: Chance, position: dict[str, Any]) -> Picks:
        raise NotImplementedError


GAME = Game(
    slug="together",
    name="Together",
    summary="All pick at once.",
    package="",
    modes={"match": Mode("match", "Match", "", seats=range(2, 9))},
    rulebook=BOOK,
    table=Table(),
    events={
        "ready": EventKind(("seat", "number"), secret={"number": "seat"}),
        "shown": EventKind(("numbers", "die"), reveals=True),
        "resigned": EventKind(("seat",)),
        "match_ended": EventKind(("winners",)),
    },
    check=lambda *args, **kwargs: Report(),
    bots={"random": RANDOM},
)
# It has no cards, so no files of its own.
vars(GAME).update(catalog={}, sets=(), products={}, starter_decks={})
