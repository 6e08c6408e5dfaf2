"""A piece beside the board that cannot be played now says why, with its rule."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules
from games.battl_khaos.rulebook import BOOK
from rules.engine.chance import named_seed
from rules.testing.playouts import Setup, playout
from tests.games.battl_khaos.table import POSITION_A, O, Table, lay

GAME = rules.game("battl-khaos")


README = (Path(__file__).resolve().parents[3] / "games/battl_khaos/README.md").read_text("utf-8")


def is_written(rule: str) -> bool:
    return f"**{rule}**" in README


def reasons(t: Table) -> dict[str, str]:
    """The rule for each piece that says why not, by its short name."""
    (prompt,) = t.match.prompts.values()
    rows = t.match.outlook(prompt)["why_not"]
    return {t.names([row["card"]]): row["rule"] for row in rows}


def test_every_question_has_a_reason_for_a_tile_that_is_no_answer() -> None:
    assert set(GAME.text.not_now) == set(BOOK.prompts)
    assert all(is_written(why.rule) for why in GAME.text.not_now.values())


def test_all_that_lies_beside_the_board_is_an_option_or_says_why_not() -> None:
    options = {"specials": True, "advanced": True, "target": 9}
    cited = set()
    setup = Setup(GAME, GAME.modes["classic"], 2, named_seed("reasons"), options)
    for match, _ply, _events in playout(setup):
        for seat, prompt in match.prompts.items():
            rows = {row["card"]: row for row in match.outlook(prompt)["why_not"]}
            offered = {move.card for move in prompt.options}
            view = match.view(seat)
            beside = [*view["row"], *view["supply"], *view["players"][seat]["tokens"]]
            assert {card["id"] for card in beside if card} <= rows.keys() | offered
            cited |= {row["rule"] for row in rows.values()}
    assert all(map(is_written, cited))
    assert cited >= {"BKH-R-03", "BKH-P-01", "BKH-T-02", "BKH-T-05"}


@pytest.mark.rules("BKH-T-02", "BKH-T-05", "BKH-R-03", "BKH-P-01")
def test_a_tower_too_near_a_tile_of_the_row_and_a_token() -> None:
    t = lay(POSITION_A, supply="t3k", row="f16o f17o f18o", orcs_tokens="drums", target=9)
    assert "t3k" not in reasons(t)
    assert reasons(t) == dict.fromkeys(("f16o", "f17o", "f18o"), "BKH-R-03") | {"drums": "BKH-P-01"}
    t.done(O, "place-tile")
    t = lay("        x=0\ny=0     [t2k]\n", supply="t3k", row="", orcs_tokens="")
    assert reasons(t) == {"t3k": "BKH-T-05"}
    t.done(O, "place-tile")


@pytest.mark.rules("BKH-X-10", "BKH-R-22")
def test_a_token_that_has_no_place_here() -> None:
    t = lay(
        POSITION_A,
        on={"2,0": "stones"},
        orcs="f01k f30 f19k",
        orcs_tokens="drums catapult",
    )
    t.put("f01k", "1,0", 0, None)
    assert reasons(t)["drums"] == "BKH-X-10"
    assert "catapult" not in reasons(t)
    t.done(O, "play-token")


@pytest.mark.rules("BKH-P-25")
def test_a_tile_on_a_catapult_takes_no_token() -> None:
    t = lay(
        POSITION_A,
        on={"1,0": "catapult/K"},
        orcs="f01k f30 f19k",
        orcs_tokens="drums mage",
        knights_tokens="",
    )
    t.put("f01k", "1,0", 0, None)
    assert reasons(t)["drums"] == "BKH-P-25"
    t.done(O, "play-token")


@pytest.mark.rules("BKH-R-38")
def test_of_two_towers_that_are_alike_one_is_offered() -> None:
    grid = "        x=0       x=1       x=2\ny=0     [t1o]     f27 r0    f28 r0\n"
    t = lay(grid, mode="army", supply="t2k t2k")
    assert reasons(t)["t2k"] == "BKH-R-38"
    t.done(O, "place-tile")
