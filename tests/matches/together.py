"""A tiny game in which all seats are asked at the same moment, which Kaolan never does.

Three rounds. In each everybody picks a number from 1 to 3, unseen; when all have picked, the
numbers are shown, a die is rolled, and every pick that is unique scores itself plus the die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.engine.bots import RANDOM
from rules.engine.chance import Chance
from rules.engine.events import EventKind
from rules.engine.fields import DICT, LIST, each_seat, field
from rules.engine.game import Game, Mode
from rules.engine.legality import Report
from rules.engine.moves import Move, Number, Prompt
from rules.engine.state import Rulebook, State, ranked

ROUNDS = 3
BOOK: Rulebook[Picks] = Rulebook()


@dataclass(init=False, eq=False, slots=True)
class Picks(State):
    """Scores, the round, who is still in, and what has been picked unseen."""

    scores: list[int] = each_seat(0)
    picked: dict[int, int] = field(DICT)
    gone: list[int] = field(LIST)
    round: int = 0

    def is_out(self, seat: int) -> bool:
        return seat in self.gone


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
    groups = ranked(range(s.seats), lambda n: -1 if n in s.gone else s.scores[n])
    s.end(groups, "scores")
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
        s = Picks.new(seats, chance)
        s.then("begin_round")
        return s

    def load(self, mode: Mode, data: dict[str, Any]) -> Picks:
        return Picks.load(data, mode.slug)

    def concede(self, s: Picks, seat: int) -> None:
        s.gone.append(seat)
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

    def arrange(self, mode: Mode, chance: Chance, options: Any, layout: dict[str, Any]) -> Picks:
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
