"""A game that is only collected yet, and what a game to be played must have."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.errors import BadData, BadSetup
from rules.engine.game import Game, Mode
from tests.games.examples import EXAMPLE, GAME, GAME_NAME, OTHER


def shelved() -> Game:
    """The game before anybody had written its rules."""
    modes = {slug: replace(mode, playable=False) for slug, mode in EXAMPLE.modes.items()}
    return Game(
        slug=GAME,
        name=GAME_NAME,
        summary="",
        package=EXAMPLE.package,
        modes=modes,
        check=EXAMPLE.check,
    )


def test_a_shelved_game_has_cards_decks_and_verdicts() -> None:
    game = shelved()
    assert game.catalog == EXAMPLE.catalog
    deck = next(iter(game.starter_decks.values()))
    assert game.check_deck(deck.modes[0], deck.cards).legal


def test_a_shelved_game_refuses_matches_new_and_stored() -> None:
    with pytest.raises(BadSetup, match=r"Match Play cannot be played yet"):
        shelved().new_match("match", seats=2, seed=bytes(32))
    stored = EXAMPLE.new_match("match", seats=2, seed=bytes(32)).dump()
    with pytest.raises(BadData, match=r"Match Play cannot be played yet"):
        shelved().load(stored)


def test_a_playable_mode_needs_a_table() -> None:
    with pytest.raises(ValueError, match=rf"{GAME_NAME} has a mode to be played, but no table"):
        Game(GAME, GAME_NAME, "", EXAMPLE.package, EXAMPLE.modes, EXAMPLE.check)


@pytest.mark.parametrize("size", [10, 15, 20, 30])
def test_ready_made_decks_fit_the_options(size: int) -> None:
    game = OTHER
    options = {"pack": "own", "trump_size": size}
    decks = game.ready_decks("multi", 3, options)
    assert [sum(deck["main"].values()) for deck in decks] == [size] * 3
    assert game.new_match("multi", seats=3, seed=bytes(32), options=options, decks=decks)


def test_no_ready_made_deck_where_none_may_be_played() -> None:
    game = OTHER
    assert game.ready_made("battle", {"target": 36})
    assert game.ready_made("battle", {"target": 37}) == ()
    assert game.ready_decks("battle", 2, {"target": 37}) == []


def test_a_mode_says_which_cards_it_is_played_with() -> None:
    mode, catalog = EXAMPLE.modes["match"], EXAMPLE.catalog.values()
    assert all(mode.takes(card) for card in catalog)
    example = next(iter(catalog))
    kinds = replace(mode, kinds=(example.kind,))
    assert [card for card in catalog if kinds.takes(card)] == [
        card for card in catalog if card.kind == example.kind
    ]
    sets = replace(mode, sets=example.sets[:1])
    assert [card for card in catalog if sets.takes(card)] == [
        card for card in catalog if example.sets[0] in card.sets
    ]
    assert not any(replace(mode, sets=("no such set",)).takes(card) for card in catalog)


def test_a_mode_has_teams_of_one_size() -> None:
    pairs = Mode("pairs", "Pairs", "", range(4, 9, 2), teams=2)
    assert [*pairs.party(3, 6)] == [1, 3, 5]
    assert pairs.shares((0, 2), 4) == [1, 0, 1, 0], "partners share no win, they have won it"
    assert pairs.shares((), 4) == [0.5] * 4
    alone = Mode("alone", "Alone", "", range(2, 5))
    assert alone.shares((0, 2), 4) == [0.5, 0, 0.5, 0]
    for seats, teams in ((range(4, 6), 2), (range(2, 3), 2), (range(4, 5), 1)):
        with pytest.raises(ValueError, match=f"cannot form {teams} teams of the same size"):
            Mode("pairs", "Pairs", "", seats, teams=teams)
