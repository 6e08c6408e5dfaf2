"""A game's rulebook: steps, prompts, events and moves, each once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from rules.engine import events
from rules.engine.chance import Chance
from rules.engine.errors import BadData, EndlessRules
from rules.engine.events import Motion, event_view, motions_of
from rules.engine.fields import LISTS, TUPLES, field
from rules.engine.moves import Card, Cell, Move, Number, Seat, Slot, Word, chosen, stands
from rules.engine.rulebook import Rulebook
from rules.engine.state import Outcome, State
from rules.engine.texts import CardTexts, choose

NAMES = ["Ada", "Bo"]
TITLES = {"red": "Red One", "blue": "Blue Two"}


@pytest.fixture
def book() -> Rulebook[Any]:
    return Rulebook()


@pytest.fixture
def s() -> State:
    return State.new(2, Chance(bytes(32)))


# -- a match that never asks -----------------------------------------------------------------------


def test_rules_that_go_round_for_ever_are_named(book: Rulebook[Any], s: State) -> None:
    @book.step
    def begin_turn(s: State, seat: int) -> None:
        s.then(end_turn, seat)

    @book.step
    def end_turn(s: State, seat: int) -> None:
        s.then(begin_turn, 1 - seat)
        s.ask(seat, only)

    @book.prompt("Only one way.")
    def only(s: State, seat: int) -> list[Move]:
        return [Move("on")]

    @only.answer
    def gone_on(s: State, seat: int, move: Move) -> None:
        pass

    s.then(begin_turn, 0)
    with pytest.raises(EndlessRules, match=r"10,000 steps without a question") as raised:
        book.run(s)
    named = re.search(r"circle: (.*)\.", str(raised.value))
    assert named is not None
    assert set(named[1].split(", ")) == {"begin_turn", "end_turn", "only"}


def test_many_steps_that_come_to_an_end_are_no_circle(book: Rulebook[Any], s: State) -> None:
    @book.step
    def count_down(s: State, left: int) -> None:
        if left:
            s.then(count_down, left - 1)
        else:
            s.outcome = Outcome(((0, 1),), (0, 1), "done")

    s.then(count_down, 9_900)
    book.run(s)
    assert s.outcome is not None


def test_rules_that_know_no_way_on_say_so(book: Rulebook[Any], s: State) -> None:
    with pytest.raises(EndlessRules, match="nothing is left to do"):
        book.run(s)


# -- declared once ---------------------------------------------------------------------------------


def test_nothing_is_declared_twice(book: Rulebook[Any]) -> None:
    book.move("pass", "Pass")
    book.card_move("pass", "Pass {card}")
    with pytest.raises(ValueError, match="twice"):
        book.move("pass", "No")
    book.event("passed")
    with pytest.raises(ValueError, match="twice"):
        book.event("passed")


def test_a_prompt_without_an_answer_says_so(book: Rulebook[Any], s: State) -> None:
    @book.prompt("Which?")
    def which(s: State, seat: int) -> list[Move]:
        return [Move("this")]

    s.ask(0, which)
    with pytest.raises(NotImplementedError):
        book.run(s)


def test_labels(book: Rulebook[Any], s: State) -> None:
    book.move("pass", "Pass")
    book.card_move("play", "Play {card}")
    book.card_move("take")
    for verb, target in (("seat", Seat), ("at", Slot), ("on", Card), ("say", Number)):
        book.target_move(verb, target)
    book.target_move("name", Word, lambda s, move, names: f"{names[1]}: {move.target.word}")

    def label(move: Move) -> str:
        return book.label(s, move, NAMES, lambda card: f"Card {card}")

    assert label(Move("pass")) == "Pass"
    assert label(Move("play", 3)) == "Play Card 3"
    assert label(Move("take", 4)) == "Card 4"
    assert label(Move("seat", None, Seat(1))) == "Bo"
    assert label(Move("at", None, Slot("guard-1"))) == "Guard 1"
    assert label(Move("on", None, Card(5))) == "Card 5"
    assert label(Move("say", None, Number(6))) == "6"
    assert label(Move("name", None, Word("red"))) == "Bo: red"


# -- events ----------------------------------------------------------------------------------------


def card(number: int) -> dict[str, Any]:
    return {"id": number, "slug": "red" if number == 1 else "blue"}


def line(book: Rulebook[Any], event: tuple[Any, ...], seat: int | None) -> str | None:
    seen = event_view(event, book.events, seat, card)
    return None if seen is None else book.narrate(seen, NAMES, TITLES.__getitem__)


def test_the_first_sentence_is_said_whose_fields_the_reader_may_know(
    book: Rulebook[Any], s: State
) -> None:
    seat, cards = events.seat(), events.cards()
    drew = book.event(
        "drew",
        seat,
        cards.known_to(seat),
        says=("{seat} draws {cards}.", "{seat} draws {count}."),
        motion=Motion(cards, "draw", "hand"),
    )
    s.tell(drew, 0, (1, 2))
    (event,) = s.events
    assert event == ("drew", 0, (1, 2)), "a plain tuple, as it is stored"
    assert line(book, event, 0) == "Ada draws Red One, Blue Two."
    assert line(book, event, 1) == line(book, event, None) == "Ada draws 2."
    mine, theirs = (event_view(event, book.events, who, card) for who in (0, 1))
    assert mine is not None
    assert theirs is not None
    motion = {"from": {"place": "draw", "seat": 0}, "to": {"place": "hand", "seat": 0}}
    assert motions_of(drew, mine) == [{"cards": [card(1), card(2)], "count": 2, **motion}]
    assert motions_of(drew, theirs) == [{"cards": [], "count": 2, **motion}]
    assert motions_of(drew, mine | {"cards": []}) == motions_of(drew, theirs | {"count": 0}) == []


def test_what_nobody_may_know_is_not_said(book: Rulebook[Any]) -> None:
    book.event("shuffled", events.cards().unseen(), says="{cards}.")
    assert line(book, ("shuffled", (1, 2)), 0) is None


def test_a_private_event_is_said_to_its_seat_alone(book: Rulebook[Any]) -> None:
    seat = events.seat()
    book.event("picked", seat, events.card(), private=seat, says="{seat} picks {card}.")
    assert line(book, ("picked", 1, 1), 1) == "Bo picks Red One."
    assert line(book, ("picked", 1, 1), 0) is None


def test_an_event_has_all_its_fields_and_no_others(book: Rulebook[Any]) -> None:
    book.event("rolled", events.seat(), events.cards("by_cards"))
    seen = event_view(("rolled", 0, (1,)), book.events, 0, card)
    assert seen == {"kind": "rolled", "seat": 0, "by_cards": [card(1)]}
    for wrong in (("rolled",), ("rolled", 0), ("rolled", 0, (), 1)):
        with pytest.raises(BadData):
            event_view(wrong, book.events, 0, card)


def test_where_cards_go_may_be_in_the_event(book: Rulebook[Any]) -> None:
    field = events.card()
    placed = book.event(
        "placed", events.seat(), field, events.slot(), motion=Motion(field, "hand", "{slot}")
    )
    seen = event_view(("placed", 1, 1, "leader"), book.events, 0, card)
    assert seen is not None
    (motion,) = motions_of(placed, seen)
    assert motion["to"] == {"place": "leader", "seat": 1}


def test_each_card_may_go_to_a_place_of_its_own(book: Rulebook[Any]) -> None:
    cards = events.cards()
    buried = book.event(
        "buried",
        events.seat(),
        cards.known_to(events.seat()),
        motion=Motion(cards, "hand", lambda seen, card: f"pile {card['id'] % 2}" if card else "?"),
    )
    mine, theirs = (
        event_view(("buried", 0, (1, 2, 3)), book.events, who, lambda number: {"id": number})
        for who in (0, 1)
    )
    assert mine is not None
    assert theirs is not None
    moved = [(motion["to"]["place"], motion["count"]) for motion in motions_of(buried, mine)]
    assert moved == [("pile 1", 2), ("pile 0", 1)]
    assert [(motion["to"]["place"], motion["count"]) for motion in motions_of(buried, theirs)] == [
        ("?", 3)
    ]


def test_words_of_fields(book: Rulebook[Any]) -> None:
    book.event(
        "said",
        events.seats(),
        events.number("pot", "card"),
        events.word("why", {"tie": "a tie"}),
        says="{seats}: {pot}, {why}.",
    )
    assert line(book, ("said", (0, 1), 1, "tie"), None) == "Ada and Bo: 1 card, a tie."
    assert line(book, ("said", (1,), 2, "luck"), None) == "Bo: 2 cards, luck."


# -- card texts ------------------------------------------------------------------------------------


@dataclass(init=False, eq=False, slots=True)
class Hands(State):
    """Two hands of cards with numbers for names."""

    hands: list[list[int]] = field(LISTS)
    stolen: list[tuple[int, ...]] = field(TUPLES)


def laid() -> Hands:
    return Hands.new(2, Chance(bytes(32)), hands=[[1, 2], [3, 4, 5]])


def opponents(s: Hands, seat: int) -> list[int]:
    return [1 - seat]


def is_odd(s: Hands, card: int) -> bool:
    return card % 2 == 1


def test_a_text_asks_choice_after_choice_and_gives_all_that_was_chosen(book: Rulebook[Any]) -> None:
    texts: CardTexts[Any] = CardTexts(book)
    name, take = book.target_move("seat", Seat), book.card_move("take")
    done = book.move("done", "Done")
    seen: list[tuple[int, ...]] = []
    texts.text(
        "steal",
        choose("whose", "From whom?", name, opponents, then=lambda s, *all: seen.append(all)),
        choose(
            "which",
            "Which card of {whose}?",
            take,
            lambda s, seat, other: s.hands[other],
            where=is_odd,
            otherwise=done,
        ),
        then=lambda s, *all: s.stolen.append(all),
    )
    s = laid()
    assert texts.conditions["steal"](s, 0)
    texts.effects["steal"](s, 0)
    book.run(s)
    assert seen == [(0, 1)], "the only opponent is chosen unasked, and looked at"
    prompt = s.prompts.pop(0)
    assert (prompt.kind, prompt.context) == ("which", (1,))
    assert prompt.options == (take[3], take[5], done)
    assert book.question(s, prompt, NAMES) == "Which card of Bo?"
    book.prompts["which"].carry_out(s, 0, take[5], *prompt.context)
    assert s.stolen == [(0, 1, 5)]
    book.prompts["which"].carry_out(s, 0, done, *prompt.context)
    assert s.stolen == [(0, 1, 5)], "the way out ends the text"


def test_a_text_needs_something_to_choose_and_its_condition(book: Rulebook[Any]) -> None:
    texts: CardTexts[Any] = CardTexts(book)
    take = book.card_move("take")
    texts.text(
        "odd",
        choose("odd_card", "Which?", take, lambda s, seat: s.hands[seat], where=is_odd),
        then=lambda s, seat, card: None,
        when=lambda s, seat: len(s.hands[seat]) < 4,
    )
    s = laid()
    possible = texts.conditions["odd"]
    assert possible(s, 0)
    s.hands[0] = [2, 4]
    assert not possible(s, 0)
    s.hands[0] = [1, 3, 5, 7]
    assert not possible(s, 0)


def test_a_move_without_card_and_target_picks_nothing() -> None:
    with pytest.raises(ValueError, match="picks nothing"):
        chosen(Move("pass"))


def test_what_means_the_same_each_time() -> None:
    same = (Move("pass"), Move("take", None, Number(2)), Move("name", None, Seat(1)))
    other = (Move("play", 3), Move("under", None, Card(3)), Move("at", None, Cell(0, 1)))
    assert all(stands(move) for move in same)
    assert not any(stands(move) for move in (*other, Move("place", None, Slot("left-1"))))
