"""Lists that nobody wrote by hand: legal, random, and never more than there is."""

from __future__ import annotations

import pytest

import rules
from decks.queries import generated
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Report, distance_from_legal
from tests.games.examples import EXAMPLE, READY_DECK, SECTION_GAME, TILE_GAME

MODES = [
    pytest.param(game, mode, id=f"{slug}-{mode.slug}")
    for slug, game in rules.games().items()
    for mode in game.modes.values()
    if mode.takes_decks
]


def judge_of(game: Game, mode: Mode, format: dict[str, object] | None = None) -> generated.Judge:
    def judge(cards: Decklist) -> Report:
        return game.check_deck(mode.slug, cards, format)

    return judge


def counted(cards: Decklist) -> dict[str, int]:
    counts: dict[str, int] = {}
    for section in cards.values():
        for card, count in section.items():
            counts[card] = counts.get(card, 0) + count
    return counts


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_a_random_deck_is_legal_in_every_mode_of_every_game(game: Game, mode: Mode) -> None:
    judge = judge_of(game, mode)
    random_decks = [
        generated.random_deck(game, mode, judge, Chance(bytes([n]) * 32)) for n in range(3)
    ]
    for deck in random_decks:
        assert deck is not None
        assert judge(deck).legal
        assert set(deck) <= set(mode.sections)
        assert generated.size_of(deck) > 0
    assert random_decks[0] == generated.random_deck(game, mode, judge, Chance(bytes([0]) * 32))
    assert any(deck != random_decks[0] for deck in random_decks[1:])


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_filling_up_never_takes_more_than_the_pool_has(game: Game, mode: Mode) -> None:
    judge = judge_of(game, mode)
    pool = {card: 1 for number, card in enumerate(game.catalog) if number % 3}
    kept = next(slug for slug, card in game.catalog.items() if mode.takes(card))
    home = game.sections_of_kinds(mode)[game.catalog[kept].kind]
    begun = {home: {kept: 1}}
    filled = generated.fill_up(game, mode, begun, judge, pool)
    for card, count in counted(filled).items():
        assert count <= max(pool.get(card, 0), 1 if card == kept else 0), card
    assert counted(filled)[kept] >= 1
    assert distance_from_legal(judge(filled)) <= distance_from_legal(judge(begun))


@pytest.mark.parametrize(("game", "mode"), MODES)
def test_filling_up_from_a_whole_ready_made_deck_makes_a_legal_one(game: Game, mode: Mode) -> None:
    ready = next(starter for starter in game.starter_decks.values() if mode.slug in starter.modes)
    judge = judge_of(game, mode)
    filled = generated.fill_up(game, mode, {}, judge, counted(ready.cards))
    assert judge(filled).legal
    assert all(count <= counted(ready.cards)[card] for card, count in counted(filled).items())


def test_filling_up_finds_what_fits_together() -> None:
    """Tiles of both sides, towers of some value: no card by itself brings such a list nearer."""
    game = rules.game(TILE_GAME)
    mode = game.mode("army")
    pool = {card: 1 + number % 2 for number, card in enumerate(game.catalog) if number % 5}
    format = {"house": {"restricted": dict.fromkeys(list(pool)[:9], 0), "name": "Club"}}
    judge = judge_of(game, mode, format)
    filled = generated.fill_up(game, mode, {}, judge, pool, format)
    assert judge(filled).legal
    assert all(count <= pool[card] for card, count in counted(filled).items())


def test_filling_up_keeps_sections_that_the_mode_does_not_read() -> None:
    """A warband is read from an army's list, which may bring towers and tiles along."""
    game = rules.game(TILE_GAME)
    mode = game.mode("warband")
    ready = next(deck for deck in game.starter_decks.values() if "army" in deck.modes)
    pool = dict.fromkeys(game.catalog, 2)
    filled = generated.fill_up(game, mode, ready.cards, judge_of(game, mode), pool)
    for section, cards in ready.cards.items():
        assert all(filled[section][card] >= count for card, count in cards.items()), section


def test_a_random_deck_from_a_pool_uses_nothing_else() -> None:
    game = EXAMPLE
    mode = game.mode("tournament")
    pool = counted(game.starter_decks[READY_DECK].cards)
    deck = generated.random_deck(game, mode, judge_of(game, mode), Chance(bytes(32)), pool)
    assert deck is not None
    assert counted(deck) == pool
    assert generated.random_deck(game, mode, judge_of(game, mode), Chance(bytes(32)), {}) is None


def test_a_format_is_kept_to() -> None:
    game = EXAMPLE
    mode = game.mode("tournament")
    judge = judge_of(game, mode, {"singleton": True, "no_gold": True})
    deck = generated.random_deck(game, mode, judge, Chance(bytes(32)))
    assert deck is not None
    assert judge(deck).legal
    assert set(counted(deck).values()) == {1}
    assert not any(game.catalog[card].colour == "gold" for card in counted(deck))


def test_cards_go_where_ready_made_decks_have_them() -> None:
    game = rules.game(SECTION_GAME)
    homes = game.sections_of_kinds(game.mode("standard"))
    assert homes["team"] == "team"
    assert homes["combat"] == "combat"
    assert homes["event"] == "planning"
