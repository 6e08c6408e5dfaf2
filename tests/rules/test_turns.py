"""The log's headings and the count of turns above a table speak of the same turn, in every mode."""

from __future__ import annotations

from itertools import islice

import pytest

import rules
from rules.engine.game import Game, Mode
from rules.engine.playouts import named_seed, playout, random_setup

MODES = [(game, mode) for game in rules.games().values() for mode in game.modes.values()]
PLIES = 80


@pytest.mark.parametrize(("game", "mode"), MODES, ids=lambda one: one.slug)
def test_each_turn_has_a_heading_with_the_number_that_stands_above_the_table(
    game: Game, mode: Mode
) -> None:
    heading = None
    setup = random_setup(game, mode, named_seed(f"turns {mode.slug}"))
    for match, _, events in islice(playout(setup), PLIES):
        for event in events:
            kind = game.events[event[0]]
            if kind.turn:
                heading = dict(zip(kind.fields, event[1:], strict=False))["number"]
        if match.outcome:
            break
        step = game.text.progress(match.view(0)).step
        assert heading is None or str(heading) in step.split(), (heading, step)
    assert heading is not None, "no turn of this mode has a heading"
