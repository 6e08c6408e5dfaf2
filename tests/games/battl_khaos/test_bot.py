"""The greedy bot sees the view of its seat and its prompt, and nothing else."""

from __future__ import annotations

import json

import pytest

import rules
from games.battl_khaos.bot import BOTS, PLANS
from games.battl_khaos.bot.completion import Tiles, changes, gap_of, likelihood, shown, winning
from games.battl_khaos.bot.seen import table_of
from games.battl_khaos.control import tower_at, towers
from games.battl_khaos.grid import at
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.state import KNIGHTS, ORCS, Cards, Khaos
from rules.engine.chance import Chance, named_seed
from rules.engine.lab import Plan, Summary, run
from rules.testing.playouts import Setup, playout
from tests.games.battl_khaos.table import POSITION_A, K, O, Table, lay

GAME = rules.game("battl-khaos")
ALL = "drums drums2 leader banner halberd mage archer archer2 giant catapult"


def choice(t: Table) -> str:
    """The bot's choice from plain data: a view that went through JSON."""
    ((seat, prompt),) = t.match.prompts.items()
    view = json.loads(json.dumps(t.match.view(seat)))
    return t.text(BOTS["greedy"].choose(view, prompt, Chance(bytes(32))))


def played(t: Table, moves: int) -> list[str]:
    """Let the bot play so many answers."""
    answers = []
    for _ in range(moves):
        answers.append(choice(t))
        t.take(answers[-1])
    return answers


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


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "matches"), [("classic", 6), ("warband", 6), ("army", 6)])
def test_greedy_beats_random(mode: str, matches: int) -> None:
    summary = Summary()
    for result in run(Plan("battl-khaos", mode, ("greedy", "random")), matches):
        summary.add(result)
    assert summary.bots["greedy"].rate >= 0.9


# -- towers that lack one tile ---------------------------------------------------------------------

FIELD_TILES = [slug for slug, card in GAME.catalog.items() if card.kind == "field"]
GAPS = {
    "beside": POSITION_A,
    "near": """
        x=-1      x=0       x=1
y=-1    f04o r2   f27 r0    f05k r1
y=0     f04k r1   [t2k]     f19k r0
y=1     f06k r1   f28 r0    .
""",
}


@pytest.mark.parametrize("token", [None, "drums2", "leader", "archer2", "giant"])
@pytest.mark.parametrize("board", GAPS.values(), ids=list(GAPS))
def test_the_tiles_that_complete_a_tower_are_those_that_the_rules_give_it_for(
    board: str, token: str | None
) -> None:
    """Every tile of the catalog in every rotation, for both sides."""
    tokens = {"orcs_tokens": token or "", "knights_tokens": token or ""}
    t = lay(board, **tokens)
    s = t.state
    tower = at(0, 0)
    gap = gap_of(s, tower, tower_at(s, tower))
    assert gap is not None
    for seat, side in ((O, ORCS), (K, KNIGHTS)):
        wanted = winning(gap, side, changes(s, seat))
        for slug in FIELD_TILES:
            fits = not shown(slug, len(gap.leads)).isdisjoint(wanted)
            assert fits == _takes(s, slug, gap.cell, seat, side), slug
    t.done(O, "place-tile")


def _takes(s: Khaos, slug: str, cell: int, seat: int, side: int) -> bool:
    """True if some rotation, perhaps with the token, gives the tower to the side."""
    cards = Cards([*s.cards.slugs, slug])
    for turns in range(4):
        for token in (None, *s.ready[seat]):
            twin = s.copy()
            twin.cards = cards
            twin.tiles[cell] = (len(cards.slugs) - 1) * 4 + turns
            if token is not None:
                twin.tokens[cell] = token
            if tower_at(twin, at(0, 0)).owner == side:
                return True
    return False


def test_a_tower_that_lacks_more_or_nothing_has_no_gap() -> None:
    t = lay(POSITION_A, on={"1,0": "f19k r0"})
    assert gap_of(t.state, at(0, 0), tower_at(t.state, at(0, 0))) is None
    t.done(O, "place-tile")
    t = lay("        x=0\ny=0     [t2k]\n")
    assert gap_of(t.state, at(0, 0), tower_at(t.state, at(0, 0))) is None
    t.done(O, "place-tile")


def test_how_likely_a_hand_holds_what_fits() -> None:
    wanted = frozenset({(3,)})
    unseen = {"bkh-f17o": 1, "bkh-f01o": 3}
    assert likelihood(Tiles(("bkh-f17o",), 0, {}), 1, wanted) == 1
    assert likelihood(Tiles(("bkh-f01o",), 0, unseen), 1, wanted) == 0
    assert likelihood(Tiles((), 1, unseen), 1, wanted) == pytest.approx(1 / 4)
    assert likelihood(Tiles((), 2, unseen), 1, wanted) == pytest.approx(1 - (3 / 4) ** 2)


def test_it_does_not_leave_a_tower_one_tile_short() -> None:
    """Whatever of its hand goes beside the tower would let the knights complete it."""
    t = lay(
        """
        x=-1      x=0       x=1
y=-1    f04o r2   f27 r0    f05k r1
y=0     f04k r1   [t4k]     .
y=1     f06k r1   f28 r0    .
""",
        orcs="f01k f12k f13k",
        orcs_tokens="",
        knights_tokens="leader",
        supply="",
    )
    place = played(t, 2)[-1]
    assert place not in ("cell 1,0", "cell 1,1")
    while t.asked != (O, "draw-tile"):
        t.take(choice(t))
    t.done(O, "draw-tile")
