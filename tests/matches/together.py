"""A tiny game in which all seats are asked at the same moment, which Kaolan never does.

Three rounds. In each everybody picks a number from 1 to 3, unseen; when all have picked, the
numbers are shown, a die is rolled, and every pick that is unique scores itself plus the die.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.engine import events
from rules.engine.bots import RANDOM
from rules.engine.chance import Chance
from rules.engine.errors import IllegalMove
from rules.engine.game import Game, Mode
from rules.engine.legality import Report
from rules.engine.moves import Move, Number, Prompt, chosen
from rules.engine.rulebook import Rulebook
from rules.engine.state import Outcome, State

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
    order = sorted({-1 if n in s.gone else s.scores[n] for n in range(s.seats)}, reverse=True)
    groups = tuple(
        tuple(n for n in range(s.seats) if (-1 if n in s.gone else s.scores[n]) == score)
        for score in order
    )
    s.outcome = Outcome(ranking=groups, winners=groups[0], reason="scores")
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
        s = Picks(seats, chance)
        s.then(begin_round)
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
        s.tell(RESIGNED, seat)
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
    check=lambda *args, **kwargs: Report(),
    bots={"random": RANDOM},
)
# It has no cards, so no files of its own.
vars(GAME).update(catalog={}, sets=(), products={}, starter_decks={})
