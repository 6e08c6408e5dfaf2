"""Charts, odds and hands: pure, held against counting by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from decks import statistics
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from tests.games.examples import AMBUSH, BOX_GAME, CLAW, EXAMPLE, OTHER, READY_CARDS, RED_7

TOURNAMENT = EXAMPLE.mode("tournament")
SEED = bytes(range(32))
MODES = [
    pytest.param(game, mode, id=f"{slug}-{mode.slug}")
    for slug, game in rules.games().items()
    for mode in game.modes.values()
    if mode.takes_decks
]


def chart(slug: str, cards: dict[str, dict[str, int]]) -> dict[str, int]:
    by_slug = {chart.slug: chart for chart in statistics.charts(EXAMPLE, TOURNAMENT, cards)}
    return {bar.label: bar.count for bar in by_slug[slug].bars}


# Odds


@pytest.mark.parametrize("size", range(1, 8))
def test_odds_are_what_counting_every_hand_gives(size: int) -> None:
    for wanted in range(size + 1):
        for hand in range(size + 1):
            hands = list(combinations(range(size), hand))
            odds = statistics.odds(size, wanted, hand, 1)
            for number, chance in enumerate(odds.exactly):
                fitting = sum(
                    sum(card < wanted for card in drawn_hand) == number for drawn_hand in hands
                )
                assert chance == Fraction(fitting, len(hands)), (size, wanted, hand, number)


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 80), st.integers(0, 12))
def test_the_chances_of_all_numbers_make_one(size: int, wanted: int, hand: int, least: int) -> None:
    odds = statistics.odds(size, wanted, hand, least)
    assert sum(odds.exactly) == 1
    assert odds.at_least[0] == 1
    assert odds.chance == sum(odds.exactly[least:])
    assert list(odds.at_least) == sorted(odds.at_least, reverse=True)


def test_known_odds() -> None:
    # One of four aces among the first seven of 60.
    missed = prod((Fraction(56 - n, 60 - n) for n in range(7)), start=Fraction(1))
    odds = statistics.odds(60, 4, 7, 1)
    assert odds.chance == 1 - missed
    assert odds.percent == "39.9\u00a0%"
    assert statistics.odds(10, 2, 3, 3).chance == 0
    assert statistics.odds(5, 5, 40, 5).chance == 1


@pytest.mark.parametrize(
    ("chance", "begins"),
    [
        (Fraction(0), "0"),
        (Fraction(1), "100"),
        (Fraction(1, 100_000), "under 0.1"),
        (Fraction(99_999, 100_000), "over 99.9"),
        (Fraction(1, 8), "12.5"),
        (Fraction(2, 3), "66.7"),
    ],
)
def test_only_the_impossible_is_nothing_and_only_the_sure_is_all(
    chance: Fraction, begins: str
) -> None:
    assert statistics.percent(chance)[:-2] == begins
    assert statistics.percent(chance).endswith("%")


# Charts


def test_cards_are_counted_by_kind_colour_and_their_numbers() -> None:
    cards = {"main": {CLAW: 2, RED_7: 1, AMBUSH: 1}}
    assert chart("kind", cards) == {"Character": 2, "Power": 1, "Opportunity": 1}
    assert chart("colour", cards) == {"Red": 3, "No colour": 1}
    assert chart("numbers", cards) == {"7": 1}
    level = EXAMPLE.catalog[CLAW]["level"]
    assert chart("level", cards) == {str(level): 2}


def test_a_card_with_several_numbers_counts_once_for_each() -> None:
    faces = EXAMPLE.catalog[CLAW]["faces"]
    by_slug = {
        chart.slug: chart for chart in statistics.charts(EXAMPLE, TOURNAMENT, {"main": {CLAW: 2}})
    }
    assert by_slug["faces"].several
    assert {bar.label for bar in by_slug["faces"].bars if bar.count == 2} == {str(n) for n in faces}
    assert not by_slug["level"].several


def test_the_longest_bar_is_the_whole_width_and_gaps_show() -> None:
    by_slug = {chart.slug: chart for chart in statistics.charts(EXAMPLE, TOURNAMENT, READY_CARDS)}
    for chart in by_slug.values():
        assert max(bar.percent for bar in chart.bars) == 100
    levels = [int(bar.label) for bar in by_slug["level"].bars]
    assert levels == list(range(levels[0], levels[-1] + 1))


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_every_games_decks_have_a_shape(game: Game, mode: Mode) -> None:
    assert statistics.numbers_of(game.slug)
    for deck in game.starter_decks.values():
        if mode.slug not in deck.modes:
            continue
        size = sum(sum(counts.values()) for counts in deck.cards.values())
        drawn_charts = statistics.charts(game, mode, deck.cards)
        assert drawn_charts
        for chart in drawn_charts:
            assert len(chart.bars) <= max(statistics.MAX_BARS, 12), chart.title
            if chart.slug in ("kind", "colour"):
                assert sum(bar.count for bar in chart.bars) == size


def test_an_empty_deck_and_unknown_cards_have_no_charts() -> None:
    assert statistics.charts(EXAMPLE, TOURNAMENT, {}) == ()
    assert statistics.charts(EXAMPLE, TOURNAMENT, {"main": {"gone": 3}}) == ()


# Hands


def test_a_hand_comes_from_the_deck_and_its_seed_alone() -> None:
    cards = READY_CARDS["main"]
    hand = statistics.sample_hand(cards, 4, Chance(SEED))
    assert hand == statistics.sample_hand(dict(reversed(cards.items())), 4, Chance(SEED))
    assert len(hand) == 4
    assert all(hand.count(card) <= cards[card] for card in hand)
    assert sorted(statistics.sample_hand(cards, 100, Chance(SEED))) == sorted(
        card for card, count in cards.items() for _ in range(count)
    )


def test_a_hand_is_redrawn_by_the_mode_s_own_rule_and_goes_on_turn_by_turn() -> None:
    game = rules.game(BOX_GAME)
    mode = game.mode("duel")
    fighter, energy = (
        next(card.slug for card in game.catalog.values() if card.kind == kind)
        for kind in ("character", "energy")
    )
    cards = {fighter: 1, energy: 59}
    redrawn = []
    for number in range(20):
        seed = bytes([number]) * 32
        hand, later, redraws = statistics.goldfish(game, mode, cards, 6, 3, Chance(seed))
        assert fighter in hand or redraws == statistics.MAX_REDRAWS
        assert (len(hand), len(later)) == (6, 3)
        assert statistics.goldfish(game, mode, cards, 6, 2, Chance(seed))[0] == hand or redraws
        redrawn.append(redraws)
    assert any(redrawn)
    assert statistics.goldfish(game, mode, {energy: 60}, 6, 0, Chance(SEED))[2] == 0, "no end else"
    assert statistics.goldfish(EXAMPLE, TOURNAMENT, {RED_7: 40}, 4, 0, Chance(SEED))[2] == 0


def test_a_hand_is_as_large_as_the_mode_deals() -> None:
    assert statistics.usual_hand(TOURNAMENT, "main") == 4
    assert statistics.usual_hand(OTHER.mode("battle"), "main") == 7


def test_ranges_end_where_the_numbers_do() -> None:
    assert [label for label, _ in statistics._in_ranges({2: 1, 21: 1})][-1] == "20–21"
    assert [label for label, _ in statistics._in_ranges({2: 1, 20: 1})][-1] == "20"


def test_bars_go_by_the_step_that_a_game_s_values_have() -> None:
    assert [label for label, _ in statistics._in_ranges({25: 1, 60: 2}, 5)] == [
        str(value) for value in range(25, 65, 5)
    ]
    assert [label for label, _ in statistics._in_ranges({10: 1, 290: 1}, 10)][:2] == ["10", "20–30"]
    game = rules.game(BOX_GAME)
    fighters = [card for card in game.catalog.values() if "hp" in card.attributes]
    cards = {"main": {card.slug: 1 for card in fighters}}
    charts = statistics.charts(game, game.mode("duel"), cards)
    (chart,) = [row for row in charts if row.slug == "hp"]
    values = sorted({card.attributes["hp"] for card in fighters})
    assert statistics.step_of(BOX_GAME, "hp") == 5
    assert [int(bar.label) for bar in chart.bars] == list(range(values[0], values[-1] + 5, 5))


def test_numbers_have_words() -> None:
    titled = {
        chart.slug: chart.title
        for game in rules.games().values()
        for mode in game.modes.values()
        for deck in game.starter_decks.values()
        if mode.slug in deck.modes
        for chart in statistics.charts(game, mode, deck.cards)
    }
    assert titled["hp"] == "Hit points"
    assert all(len(title) > 2 for title in titled.values()), titled
