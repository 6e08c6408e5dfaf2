"""Control held against the specification's words, worked out a second time and naively, and what
is told and foreseen of it held against the board. All in random matches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import rules
from games.battl_khaos.control import corners_at, tower_cells
from games.battl_khaos.rules.placing import frontier, near_towers
from games.battl_khaos.rules.turn import marked
from rules.engine.chance import named_seed
from rules.engine.match import Match
from rules.testing.playouts import Setup, playout
from tests.support.sizes import sized

GAME = rules.game("battl-khaos")
OPTIONS = {"specials": True, "advanced": True}
POINTS = {  # BKH-M-01: the tile and its corner, for each corner of a tower at (0,0)
    "NW": (((-1, -1), "SE"), ((0, -1), "SW"), ((-1, 0), "NE")),
    "NE": (((0, -1), "SE"), ((1, -1), "SW"), ((1, 0), "NW")),
    "SE": (((1, 0), "SW"), ((1, 1), "NW"), ((0, 1), "NE")),
    "SW": (((-1, 0), "SE"), ((-1, 1), "NE"), ((0, 1), "NW")),
}
NAMES = ("NW", "NE", "SE", "SW")
CHANGES = {"drums": 1, "drums2": 2, "archer": -1, "archer2": -2}
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def matches(name: str) -> Iterator[tuple[Match, list[Any]]]:
    for number in range(sized(2, large=40)):
        setup = Setup(GAME, GAME.modes["classic"], 2, named_seed(f"{name} {number}"), OPTIONS)
        for match, _ply, events in playout(setup):
            yield match, events


def strong(cell: dict[str, Any], corner: str, sides: dict[int, str]) -> tuple[str, int]:
    """Section 2.4: the side and strength of a unit, from what is printed and the token."""
    printed = GAME.catalog[cell["tile"]["slug"]].attributes.get("corners")
    unit = printed[(NAMES.index(corner) - cell["rotation"]) % 4] if printed else "-"
    if unit == "-":
        return "", 0
    side, number = unit[0], int(unit[1])
    if cell["token"]:
        name = cell["token"]["slug"].removeprefix("bkh-p-")
        own = sides[cell["token"]["seat"]] == side
        if own and name == "leader":
            number *= 2
        elif not own and name == "giant":
            number = 1
        elif own == (CHANGES.get(name, 0) > 0):
            number = max(0, number + CHANGES.get(name, 0))
    return side, number


def judged(view: dict[str, Any]) -> tuple[dict[str, int], dict[tuple[int, int], Any]]:
    """Scores, and each tower's corners, owner and value, from nothing but what lies there."""
    board = {(cell["x"], cell["y"]): cell for cell in view["board"] if cell["tile"]}
    sides = {player["seat"]: player["side"] for player in view["players"]}
    scores, standing = {"O": 0, "K": 0}, {}
    for (x, y), cell in board.items():
        card = GAME.catalog[cell["tile"]["slug"]]
        if card.kind != "tower":
            continue
        results = []
        for corner in NAMES:
            sums = {"O": 0, "K": 0, "": 0}
            here = [board.get((x + dx, y + dy)) for (dx, dy), _ in POINTS[corner]]
            for tile, (_, part) in zip(here, POINTS[corner], strict=True):
                if tile is not None:
                    side, number = strong(tile, part, sides)
                    sums[side] += number
            result = "O" if sums["O"] > sums["K"] else "K" if sums["K"] > sums["O"] else "N"
            results.append((None if None in here else result, sums["O"], sums["K"]))
        won = [result for result, _, _ in results]
        owner = None
        if None not in won:
            more = won.count("O") - won.count("K")
            owner = "O" if more > 0 else "K" if more < 0 else card["flag"]
        near = [board[x + dx, y + dy] for dx, dy in AROUND if (x + dx, y + dy) in board]
        temple = any(tile["tile"]["slug"] == "bkh-x-temple" for tile in near)
        value = 3 if temple else card["value"]
        if owner:
            scores[owner] += value
        standing[x, y] = (results, owner, value)
    return scores, standing


@pytest.mark.rules("BKH-M-01", "BKH-M-02", "BKH-M-03", "BKH-M-04", "BKH-M-05", "BKH-M-06")
@pytest.mark.rules("BKH-M-07", "BKH-M-08", "BKH-M-09", "BKH-M-10", "BKH-M-11", "BKH-P-27")
@pytest.mark.rules("BKH-R-05", "BKH-R-06", "BKH-R-07", "BKH-R-08", "BKH-R-23", "BKH-R-29")
@pytest.mark.rules("BKH-R-30", "BKH-S-10", "BKH-R-34", "BKH-M-12")
def test_control_is_the_function_of_the_board_at_every_step() -> None:
    seen = set()
    for match, _events in matches("control"):
        view = match.view(None)
        scores, standing = judged(view)
        assert {player["side"]: player["score"] for player in view["players"]} == scores
        towers = {(cell["x"], cell["y"]): cell["tower"] for cell in view["board"] if cell["tower"]}
        assert towers.keys() == standing.keys()
        for place, (results, owner, value) in standing.items():
            tower = towers[place]
            corners = [
                (corner["result"], corner["orcs"], corner["knights"]) for corner in tower["corners"]
            ]
            assert (corners, tower["owner"], tower["value"]) == (results, owner, value)
            seen |= {result for result, _, _ in results} | {f"owner {owner}"}
    assert seen == {"O", "K", "N", None, "owner O", "owner K", "owner None"}


@pytest.mark.rules("BKH-M-09", "BKH-M-12", "BKH-M-13", "BKH-R-09")
def test_the_events_of_phase_2_are_the_differences_of_a_turn() -> None:
    """Whoever follows the events alone knows all markers and values at the end of every turn."""
    corners: dict[Any, Any] = {}
    owners: dict[Any, Any] = {}
    values: dict[Any, Any] = {}
    kinds = set()
    for match, events in matches("events"):
        if match.view(None)["turn"] == 1 and len(match.view(None)["board"]) == 1:
            corners, owners, values = {}, {}, {}
        sides = {player["seat"]: player["side"] for player in match.view(None)["players"]}
        for event in events:
            kind = event[0]
            if kind.startswith(("corner", "tower", "value")):
                kinds.add(kind)
            match kind, *event[1:]:
                case "corner_resolved" | "corner_changed", _, x, y, corner, result, _:
                    assert corners.get((x, y, corner)) != result
                    assert (kind == "corner_changed") == ((x, y, corner) in corners)
                    corners[x, y, corner] = result
                case "corner_reopened", _, x, y, corner:
                    del corners[x, y, corner]
                case "tower_gained", seat, _, x, y, _:
                    assert (x, y) not in owners
                    owners[x, y] = sides[seat]
                case "tower_lost", seat, _, x, y:
                    assert owners.pop((x, y)) == sides[seat]
                case "tower_taken", seat, other, _, x, y, _:
                    assert owners[x, y] == sides[other]
                    owners[x, y] = sides[seat]
                case "value_changed", _, x, y, value:
                    values[x, y] = value
        if any(prompt.kind == "draw-tile" for prompt in match.prompts.values()):
            _scores, standing = judged(match.view(None))
            corner_results = {
                (x, y, number): result
                for (x, y), (results, _, _) in standing.items()
                for number, (result, _, _) in enumerate(results)
                if result
            }
            assert corners == corner_results
            assert owners == {place: owner for place, (_, owner, _) in standing.items() if owner}
    assert {"corner_resolved", "corner_reopened", "tower_gained"} <= kinds


@pytest.mark.rules("BKH-R-09", "BKH-T-07", "BKH-T-05")
def test_what_is_foreseen_is_what_comes() -> None:
    """Each preview is what the board then says; each cell of the outlook is as the rules say."""
    foreseen = 0
    for number in range(sized(2, large=20)):
        setup = Setup(GAME, GAME.modes["classic"], 2, named_seed(f"foresee {number}"), OPTIONS)
        for match, (_seat, move), _events in playout(setup):
            for seat, prompt in match.prompts.items():
                _check_outlook(match, prompt)
                option = prompt.options[len(move.verb) * prompt.id % len(prompt.options)]
                _check_preview(match, seat, prompt, option)
                foreseen += match.preview(prompt, option) is not None
    assert foreseen > 100


def _check_outlook(match: Match, prompt: Any) -> None:
    outlook = match.outlook(prompt)
    if prompt.kind != "place-cell":
        return
    tower = GAME.catalog[match.card(outlook["picked"])["slug"]].kind == "tower"
    legal = [
        (cell["x"], cell["y"])
        for cell in outlook["cells"]
        if not cell["tower" if tower else "tile"]
    ]
    assert legal == [(move.target.x, move.target.y) for move in prompt.options]
    board = {(cell["x"], cell["y"]) for cell in match.view(None)["board"] if cell["tile"]}
    beside = {(x + dx, y + dy) for x, y in board for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    assert {(cell["x"], cell["y"]) for cell in outlook["cells"]} == beside - board


def _check_preview(match: Match, seat: int, prompt: Any, option: Any) -> None:
    preview = match.preview(prompt, option)
    if preview is None:
        return
    if "turns" in preview:
        for turned in preview["turns"]:
            twin = match.clone()
            twin.play(seat, option)
            (then,) = twin.prompts.values()
            if then.kind == "place-rotation":
                turn = then.options[
                    [m.target.number for m in then.options].index(turned["rotation"])
                ]
                assert twin.preview(then, turn) == {k: turned[k] for k in turned if k != "rotation"}
        return
    twin = match.clone()
    twin.play(seat, option)
    view = twin.view(seat)
    if twin.outcome is None and view["turn"] != match.view(seat)["turn"]:
        return  # the turn went on by itself; only the board of phase 2 was foreseen
    scores, towers = judged(view)
    if prompt.kind in ("circle-target",) and "circle-tile" not in {
        later.kind for later in twin.prompts.values()
    }:
        return  # the only tile in hand has filled the cell already
    assert (preview["orcs"], preview["knights"]) == (scores["O"], scores["K"])
    for corner in preview["corners"]:
        results, _, _ = towers[corner["x"], corner["y"]]
        result = (corner["result"], corner["orcs"], corner["knights"])
        assert results[corner["corner"]] == result
    before = judged(match.view(seat))[1]
    changed = {
        place
        for place, (_, owner, value) in towers.items()
        if (owner, value) != (before.get(place, (None, None, value))[1:])
    }
    assert {(tower["x"], tower["y"]) for tower in preview["towers"]} == changed


def test_what_is_kept_of_the_board_is_as_if_counted_anew() -> None:
    removed = 0
    for match, events in matches("kept"):
        s, anew = match.state, GAME.load(match.dump()).state
        assert list(frontier(s)) == frontier(anew)
        assert near_towers(s) == near_towers(anew)
        removed += sum(event[0] == "tile_removed" for event in events)
        if any(prompt.kind == "place-tile" for prompt in match.prompts.values()) and not s.touched:
            assert list(s.markers.items()) == [
                (cell, marked(anew, cell, corners_at(anew, cell))) for cell in tower_cells(anew)
            ]
    assert removed, "neither a Catapult nor a Magic Circle was played"
