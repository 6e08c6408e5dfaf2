"""A tiny game in which all seats are asked at the same moment, which most games never do.

Three rounds. In each everybody picks a number from 1 to 3, unseen; when all have picked, the
numbers are shown, a die is rolled, and every pick that is unique scores itself plus the die.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rules.engine import events
from rules.engine.bots import RANDOM
from rules.engine.chance import Chance
from rules.engine.fields import DICT, LIST, each_seat, field
from rules.engine.game import Game, Mode
from rules.engine.legality import Report
from rules.engine.moves import Move, Number, Prompt, chosen
from rules.engine.rulebook import Rulebook
from rules.engine.state import State, ranked

ROUNDS = 3
BOOK: Rulebook[Picks] = Rulebook()
PICK = BOOK.target_move("pick", Number)
READY = BOOK.event(
    "ready",
    events.seat(),
    events.number().known_to(events.seat()),
    says=("{seat} picked {number}.", "{seat} is ready."),
)
SHOWN = BOOK.event(
    "shown",
    events.numbers("numbers"),
    events.number("die"),
    reveals=True,
    says="Picks {numbers}, die {die}.",
)
RESIGNED = BOOK.event("resigned", events.seat())
MATCH_ENDED = BOOK.event("match_ended", events.seats("winners"))


@dataclass(init=False, eq=False, slots=True)
class Picks(State):
    """Scores, the round, who is still in, and what has been picked unseen."""

    scores: list[int] = each_seat(0)
    picked: dict[int, int] = field(DICT)
    gone: list[int] = field(LIST)
    round: int = 0

    def is_out(self, seat: int) -> bool:
        return seat in self.gone


def agree(s: Picks) -> None:
    playing = tuple(seat for seat in range(s.seats) if seat not in s.gone)
    s.end([playing, *((seat,) for seat in s.gone)], "agreed", winners=())
    s.tell(MATCH_ENDED, ())


@BOOK.step
def begin_round(s: Picks) -> None:
    if s.round == ROUNDS or len(s.gone) >= s.seats - 1:
        return finish(s)
    s.round += 1
    s.then(show_picks)
    for seat in range(s.seats):
        if seat not in s.gone:
            s.ask(seat, pick)
    return None


@BOOK.step
def show_picks(s: Picks) -> None:
    numbers = [s.picked.get(seat, 0) for seat in range(s.seats)]
    die = s.chance.die()
    for seat, number in s.picked.items():
        if numbers.count(number) == 1:
            s.scores[seat] += number + die
    s.picked.clear()
    s.tell(SHOWN, tuple(numbers), die)
    s.then(begin_round)


def finish(s: Picks) -> None:
    groups = ranked(range(s.seats), lambda n: -1 if n in s.gone else s.scores[n])
    s.end(groups, "scores")
    s.tell(MATCH_ENDED, groups[0])


@BOOK.prompt("Pick a number.")
def pick(s: Picks, seat: int) -> Sequence[Move]:
    return [PICK[n] for n in (1, 2, 3)]


@pick.answer
def picked(s: Picks, seat: int, move: Move) -> None:
    s.picked[seat] = chosen(move)
    s.tell(READY, seat, chosen(move))


class Table:
    def start(self, mode: Mode, seats: int, chance: Chance, options: Any, decks: Any) -> Picks:
        s = Picks.new(seats, chance)
        s.then(begin_round)
        return s

    def load(self, mode: Mode, data: dict[str, Any]) -> Picks:
        return Picks.load(data, mode.slug)

    def concede(self, s: Picks, seat: int) -> None:
        s.gone.append(seat)
        s.picked.pop(seat, None)
        s.tell(RESIGNED, seat)
        if len(s.gone) >= s.seats - 1:
            finish(s)

    def agreement(self, mode: Mode) -> Callable[[Picks], None]:
        return agree

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
    check=lambda *args, **kwargs: Report(),
    bots={"random": RANDOM},
)
# It has no cards, so no files of its own.
vars(GAME).update(catalog={}, sets=(), products={}, starter_decks={})
