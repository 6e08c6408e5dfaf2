"""The greedy bot sees the view of its seat and its prompt, and nothing else."""

from __future__ import annotations

import json

import pytest

import rules
from games.battl_khaos.book import BOOK
from games.battl_khaos.bot import BOTS, PLANS, table_of
from games.battl_khaos.control import towers
from rules.engine.chance import Chance
from rules.engine.lab import Plan, Summary, run
from rules.engine.playouts import Setup, named_seed, playout
from tests.games.battl_khaos.table import POSITION_A, K, O, Table, lay

GAME = rules.game("battl-khaos")
ALL = "drums drums2 leader banner halberd mage archer archer2 giant catapult"


def choice(t: Table) -> str:
    """What the bot chooses from plain data: a view that went through JSON."""
    ((seat, prompt),) = t.match.prompts.items()
    view = json.loads(json.dumps(t.match.view(seat)))
    return t.text(BOTS["greedy"].choose(view, prompt, Chance(bytes(32))))


def played(t: Table, moves: int) -> list[str]:
    """Let the bot play so many answers."""
    found = []
    for _ in range(moves):
        found.append(choice(t))
        t.take(found[-1])
    return found


def test_it_has_an_opinion_on_every_prompt() -> None:
    assert set(PLANS) == set(BOOK.prompts)


def test_its_table_is_the_one_that_its_view_shows() -> None:
    options = {"specials": True, "advanced": True}
    setup = Setup(GAME, GAME.modes["classic"], 2, named_seed("sight"), options)
    for match, _ply, _events in playout(setup):
        view = json.loads(json.dumps(match.view(0)))
        table, s = table_of(view), match.state
        assert towers(table) == towers(s)  # type: ignore[arg-type]
        assert (table.tiles, table.tokens, table.ground) == (s.tiles, s.tokens, s.ground)  # type: ignore[attr-defined]
        assert table.held(0) == s.held(0)  # type: ignore[attr-defined]
        if match.outcome is None:
            assert table.hit == s.hit  # type: ignore[attr-defined]
            assert table.halberds[1 - table.turn] == s.halberds[1 - table.turn]  # type: ignore[attr-defined]


def test_it_turns_the_tile_that_wins_the_tower() -> None:
    t = lay(POSITION_A, orcs="f02o f01k f03o", target=5, orcs_tokens="", supply="")
    assert played(t, 2)[-1] == "cell 1,0"
    t.take(choice(t))
    assert t.owner(0, 0) == "O"
    t.done(O, "draw-tile")


@pytest.mark.parametrize("seat", [O, K])
def test_it_uses_a_token_that_turns_a_tower_and_keeps_one_that_does_not(seat: int) -> None:
    hands = {"orcs" if seat == O else "knights": "f19k f02o f03o"}
    t = lay(POSITION_A, active=seat, orcs_tokens="archer2", knights_tokens="archer2", **hands)
    t.put("f19k", "1,0", 0, None)
    assert choice(t) == ("token archer2" if seat == O else "none")
    t.done(seat, "play-token")


def test_it_aims_at_the_tile_that_holds_the_enemys_tower() -> None:
    t = lay(
        POSITION_A,
        on={"1,0": "f19k r0 giant/O", "2,0": "f13o"},
        active=K,
        knights="f30 f02o f03o",
        knights_tokens="catapult",
    )
    t.put("f30", "3,0", 0, None)
    assert played(t, 1) == ["token catapult"]
    before = t.score
    played(t, 1)
    assert (before, t.score) == ("2:0", "0:0")
    t.done(K, "draw-tile")


def test_equal_options_are_drawn_by_lot() -> None:
    t = lay("        x=0\ny=0     [t2k]\n", orcs="f30 f30 f30", orcs_tokens="", mode="army")
    ((seat, prompt),) = t.match.prompts.items()
    chosen = {
        BOTS["greedy"].choose(t.match.view(seat), prompt, Chance(bytes([n]) * 32))
        for n in range(12)
    }
    assert len(chosen) > 1
    t.done(O, "place-tile")


@pytest.mark.parametrize(("mode", "matches"), [("classic", 12), ("warband", 6), ("army", 6)])
def test_greedy_beats_random(mode: str, matches: int) -> None:
    summary = Summary()
    for result in run(Plan("battl-khaos", mode, ("greedy", "random")), matches):
        summary.add(result)
    assert summary.bots["greedy"].rate >= 0.9
