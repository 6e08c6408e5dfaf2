"""Conditional moves in Batt'l Kha'os: a whole turn."""

from __future__ import annotations

import pytest

import rules
from matches.queries.ahead import Plan, PlanStep, Unplayed, answer_of, next_step
from rules.engine.chance import named_seed
from rules.engine.moves import Move
from rules.testing.playouts import Setup

GAME = rules.game("battl-khaos")


@pytest.mark.rules("BKH-T-02", "BKH-T-09")
def test_a_turn_from_the_tile_to_the_draw() -> None:
    match = Setup(GAME, GAME.modes["classic"], 2, named_seed("ahead")).start()
    seat = match.state.turn
    sight = match.sight(seat)
    ahead = GAME.ahead["place-tile"]
    tile = next(choice for choice in ahead.choices_at(sight) if choice.says.startswith("place "))
    later = {kind: GAME.ahead[kind].choices_at(sight) for kind in ahead.then}
    cells = [choice.key for choice in later["place-cell"]]
    plan = Plan(
        (),
        (
            PlanStep("place-tile", [tile.key]),
            PlanStep("place-cell", ["cell-99,99", *cells[:4]]),
            PlanStep("place-rotation", ["turn-2", "turn-0"]),
            PlanStep("play-token", ["none"]),
            PlanStep("draw-tile", ["stack"]),
        ),
    )
    number, played = 0, []
    while match.state.turn == seat:
        prompt = match.prompts[seat]
        step = next_step(plan, number - 1, prompt)
        assert step is not None, prompt.kind
        move = answer_of(plan, step, match, prompt)
        assert isinstance(move, Move), move
        match.play(seat, move)
        played.append(prompt.kind)
        number = step + 1
    assert played[:2] == ["place-tile", "place-cell"] and played[-1] == "draw-tile"


def test_what_lies_in_the_row_and_who_controls_a_tower() -> None:
    match = Setup(GAME, GAME.modes["classic"], 2, named_seed("ahead")).start()
    seat = match.state.turn
    conditions = {
        row.key: row.holds for row in GAME.ahead["place-tile"].conditions_at(match.sight(seat))
    }
    row = {card["slug"] for card in match.view(seat)["row"]}
    assert {key for key in conditions if key.startswith("row-")} == {f"row-{slug}" for slug in row}
    towers = [key for key in conditions if key.startswith("tower-")]
    assert len(towers) == 3 * sum(lies["tower"] is not None for lies in match.view(seat)["board"])
    assert sum(conditions[key] for key in towers) == len(towers) / 3
    absent = Plan(("row-nothing",), (PlanStep("place-tile", ["place-0"]),))
    assert answer_of(absent, 0, match, match.prompts[seat]) is Unplayed.NOT_MET
