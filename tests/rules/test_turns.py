"""The log's headings and the count of turns above a table speak of the same turn, in every mode."""

from __future__ import annotations

from itertools import islice

import pytest

import rules
from rules.engine.chance import named_seed
from rules.engine.game import Game, Mode
from rules.testing.playouts import playout, random_setup

MODES = [(game, mode) for game in rules.games().values() for mode in game.modes.values()]
PLIES = 80


@pytest.mark.parametrize(("game", "mode"), MODES, ids=lambda one: one.slug)
def test_each_turn_has_a_heading_with_the_number_that_stands_above_the_table(
    game: Game, mode: Mode
) -> None:
    headings, number = 0, None
    setup = random_setup(game, mode, named_seed(f"turns {mode.slug}"))
    for match, _, events in islice(playout(setup), PLIES):
        for event in events:
            kind = game.events[event[0]]
            if kind.turn:
                headings += 1
                # Where a turn is a deal, as when one plays alone, it has no number.
                number = dict(zip(kind.fields, event[1:], strict=False)).get("number")
        if match.outcome:
            break
        step = game.text.progress(match.view(0)).step
        assert number is None or str(number) in step.split(), (number, step)
    assert headings > 0, "no turn of this mode has a heading"
