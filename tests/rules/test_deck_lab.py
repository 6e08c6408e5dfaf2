"""The deck lab's matches: in every mode to which players bring decks, alike in every run."""

from __future__ import annotations

import pytest

import rules
from rules.deck_lab import Trial, begin, options_with_own_decks, play_pair
from rules.engine.errors import BadSetup
from rules.engine.game import Game, Mode
from rules.testing.playouts import playable_modes

PLAYED = [
    (game, mode, options)
    for game, mode in playable_modes()
    if (options := options_with_own_decks(game.slug, mode.slug)) is not None
]
MODES = [
    pytest.param(*row, id=f"{row[0].slug}-{row[1].slug}")
    for row in PLAYED
    if row[0].ready_made(row[1].slug, row[2])
]


def test_every_game_has_one() -> None:
    assert {game.slug for game, _mode, _options in PLAYED} == set(rules.games())


@pytest.mark.parametrize(("game", "mode", "options"), MODES)
def test_a_pair_is_one_match_from_both_seats(
    game: Game, mode: Mode, options: dict[str, object]
) -> None:
    ready = game.ready_made(mode.slug, options)
    decks = tuple(deck.cards for deck in ready)
    trial = Trial(game.slug, mode.slug, decks[:1], decks[-1:], "random", options)
    pair = play_pair(trial, 0, 0)
    assert pair == play_pair(trial, 0, 0)
    assert all(0 <= match["share"] <= 1 for match in pair["matches"])
    assert len(pair["matches"]) == 2
    drawn = {slug for match in pair["matches"] for slug in match["drawn"]}
    zones = begin(trial, 0, 0, 0).state.zones()
    assert bool(drawn) == any("hand" in name for name, _owner, _cards in zones), "cards were held"
    assert drawn <= set(game.catalog)


def test_what_cannot_be_played_is_refused() -> None:
    game, mode, options = PLAYED[0]
    trial = Trial(game.slug, mode.slug, ({},), ({},), "random", options)
    with pytest.raises(BadSetup):
        begin(trial, 0, 0, 0)
