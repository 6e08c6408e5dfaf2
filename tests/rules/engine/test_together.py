"""Several seats asked at once: a toy game in which both choose a number unseen.

What is chosen must not be noticed by the other, in no count, until both have chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from rules.engine import events
from rules.engine.chance import Chance
from rules.engine.errors import BadSetup, IllegalMove
from rules.engine.events import event_view
from rules.engine.fields import LIST, each_seat, field
from rules.engine.game import Game, Mode, Option
from rules.engine.legality import Report
from rules.engine.match import Match
from rules.engine.moves import Move, Number, Prompt, chosen
from rules.engine.rulebook import Rulebook
from rules.engine.state import State
from rules.testing.playouts import check_silence, seen_by

BOOK: Rulebook[Any] = Rulebook()
SAY = BOOK.target_move("say", Number)
SAID = BOOK.event("said", events.seat(), events.number(), private=events.seat())
SUM = BOOK.event("sum", events.seat(), events.number("sum"))
ENDED = BOOK.event("ended")
FIRST, SECOND = 0, 1
NUMBERS = 3


@dataclass(init=False, eq=False, slots=True)
class Toy(State):
    """Both say three numbers at the same time; the first seat then says one more alone."""

    said: list[list[int]] = each_seat(LIST)
    told: list[int] = field(LIST)


@BOOK.prompt("Which number?")
def say(s: Toy, seat: int) -> Sequence[Move]:
    return [SAY[n] for n in range(4)]


@say.answer
def said(s: Toy, seat: int, move: Move) -> None:
    s.said[seat].append(chosen(move))
    s.tell(SAID, seat, chosen(move))
    if len(s.said[seat]) < NUMBERS:
        s.ask(seat, say)


@BOOK.prompt("Which number at last?", public=True)
def say_last(s: Toy, seat: int) -> Sequence[Move]:
    return say.options(s, seat)


@say_last.answer
def last_said(s: Toy, seat: int, move: Move) -> None:
    s.tell(ENDED)
    if seat == FIRST:
        s.ask(SECOND, say_last)
    else:
        s.end([(FIRST, SECOND)], "done")


@BOOK.step
def tell_all(s: Toy) -> None:
    """Comes into force when nobody is asked any more."""
    for seat in (FIRST, SECOND):
        s.told.append(sum(s.said[seat]))
        s.tell(SUM, seat, s.told[-1])
    s.ask(FIRST, say_last)


class ToyTable:
    """As much of a game as these tests need."""

    def start(self, mode: Mode, seats: int, chance: Chance, options: Any, decks: Any) -> Toy:
        s = Toy.new(seats, chance)
        s.then(tell_all)
        s.ask(FIRST, say)
        s.ask(SECOND, say)
        return s

    def view(self, state: Toy, seat: int | None) -> dict[str, Any]:
        return {"told": state.told[:], "mine": state.said[seat] if seat is not None else []}

    def default_move(self, state: Toy, prompt: Prompt) -> Move:
        return prompt.options[0]

    def card_slug(self, state: Toy, card: int) -> str:
        return ""

    def card_count(self, state: Toy) -> int:
        return 0


@pytest.fixture
def match() -> Match:
    game = Game(
        slug="toy",
        name="Toy",
        summary="",
        package="toy",
        modes={"toy": Mode("toy", "Toy", "", range(2, 3))},
        rulebook=BOOK,
        table=ToyTable(),  # type: ignore[arg-type]
        check=lambda *_: Report(),
        bots={},
    )
    return game.new_match("toy", seats=2, seed=bytes(32))


def test_both_are_asked_at_once_and_each_goes_on_at_its_own_pace(match: Match) -> None:
    assert sorted(match.prompts) == [FIRST, SECOND]
    for n in range(NUMBERS):
        match.play(SECOND, SAY[n])
    assert list(match.prompts) == [FIRST]
    assert match.state.told == []
    with pytest.raises(IllegalMove):
        match.play(SECOND, SAY[0])
    match.play(FIRST, SAY[3])
    match.play(FIRST, SAY[3])
    events = match.play(FIRST, SAY[3])
    assert events == [("said", FIRST, 3), ("sum", FIRST, 9), ("sum", SECOND, 3)], "seat order"


def test_prompts_are_counted_seat_by_seat(match: Match) -> None:
    ids = []
    for _ in range(2):
        ids.append((match.prompts[FIRST].id, match.prompts[SECOND].id))
        match.play(SECOND, SAY[0])
    assert ids == [(1, 1), (1, 2)]
    assert match.state.asked == [1, 3]


@pytest.mark.parametrize("observer", [None, FIRST])
def test_a_hidden_answer_changes_nothing_for_others(match: Match, observer: int | None) -> None:
    before = {observer: seen_by(match, observer, [])}
    events = match.play(SECOND, SAY[2])
    assert [match.event_view(event, observer) for event in events] == [None]
    check_silence(match, before, events)
    assert match.event_view(events[0], SECOND) == {"kind": "said", "seat": SECOND, "number": 2}


def test_check_silence_notices_a_count(match: Match) -> None:
    before = {FIRST: seen_by(match, FIRST, [])}
    events = match.play(SECOND, SAY[2])
    prompt = match.state.prompts[FIRST]
    match.state.prompts[FIRST] = prompt._replace(id=prompt.id + 1)
    with pytest.raises(AssertionError, match="its prompt has changed"):
        check_silence(match, before, events)


def test_a_private_event_is_nobody_elses(match: Match) -> None:
    event = ("said", SECOND, 2)
    assert event_view(event, BOOK.events, SECOND, match.card) is not None
    assert event_view(event, BOOK.events, FIRST, match.card) is None
    assert event_view(event, BOOK.events, None, match.card) is None
    assert match.narrate(event, FIRST) is None


def test_nothing_can_be_undone_while_another_answers_unseen(match: Match) -> None:
    match.play(FIRST, SAY[0])
    assert not match.can_undo(FIRST)
    for _ in range(NUMBERS):
        match.play(SECOND, SAY[0])
        assert not match.can_undo(FIRST)
        assert not match.can_undo(SECOND)
    match.play(FIRST, SAY[0])
    assert match.can_undo(FIRST), "only this seat is asked"
    match.play(FIRST, SAY[0])
    assert match.can_undo(FIRST)
    match.play(FIRST, SAY[0])
    assert match.can_undo(FIRST)
    assert not match.can_undo(SECOND)


# -- options: words in place of numbers, and values that ask for decks ----------------------------

TARGET = Option("target", "Target", "integer", (1, 9), 5, word="all")
PACK = Option("pack", "Pack", "choice", ("common", "own"), "common", decks={"own": "own"})
EXTRAS = Option("extras", "Extras", "subset", ("a",), (), word="deck", decks={"deck": "shared"})


def test_a_word_may_stand_for_a_number() -> None:
    assert [TARGET.checked(value) for value in (1, 9, "all")] == [1, 9, "all"]
    for value in (0, "every", True):
        with pytest.raises(BadSetup, match="from 1 to 9 or “all”"):
            TARGET.checked(value)


def test_a_mode_says_whose_decks_are_played_with() -> None:
    def mode(*options: Option, own: bool = False) -> Mode:
        return Mode("m", "M", "", range(2, 3), options=options, own_decks=own)

    assert mode(TARGET).decks({}) == ""
    assert not mode(TARGET).takes_decks
    assert mode(own=True).decks({}) == "own"
    chosen = mode(PACK)
    assert [chosen.decks({"pack": pack}) for pack in ("common", "own")] == ["", "own"]
    assert chosen.takes_decks
    assert mode(EXTRAS).decks({"extras": "deck"}) == "shared"
    assert mode(EXTRAS).decks({"extras": ["a"]}) == ""
