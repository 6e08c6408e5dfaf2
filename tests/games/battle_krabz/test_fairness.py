"""docs/verify.py, which shares no code with the engine, agrees with finished matches."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from rules.engine import fairness
from rules.engine.chance import Chance, commitment, mix, named_seed
from rules.engine.events import event_to_json
from rules.testing.playouts import Setup, random_setup
from tests.rules.engine.test_fairness import verify

GAME = rules.game("battle-krabz")
CLIENT_SEEDS = [(0, "salt"), (1, "seaweed")]


def finished(mode: str, name: str, **options: Any) -> dict[str, Any]:
    """The record of a match played at random."""
    server_seed = named_seed(f"server {name}")
    seed = mix(server_seed, CLIENT_SEEDS)
    drawn = random_setup(GAME, GAME.modes[mode], seed)
    match = Setup(GAME, drawn.mode, drawn.seats, seed, {**drawn.options, **options}).start()
    chance = Chance(named_seed(name))
    events, moves = list(match.opening), []
    while match.outcome is None:
        if mode == "multi" and len(moves) == 5 and len(match.state.clockwise(0)) > 2:
            events += match.concede(match.state.clockwise(0)[-1])
        who = sorted(match.prompts)[chance.pick(len(match.prompts))]
        options_ = match.prompts[who].options
        move = options_[chance.pick(len(options_))]
        moves.append(match.notation(move))
        events += match.play(who, move)
    record = fairness.record(
        match,
        rules_version=match.mode.rules_version,
        server_seed=server_seed,
        client_seeds=CLIENT_SEEDS,
        events=[event_to_json(event) for event in events],
        moves=moves,
    )
    assert record["commitment"] == commitment(server_seed)
    plain: dict[str, Any] = json.loads(json.dumps(record))
    return plain


@pytest.mark.rules("BKZ-R-10", "BKZ-R-09", "BKZ-R-25")
@pytest.mark.parametrize("first_attacker", ["coin", "hp_draw", "seat_2"])
@pytest.mark.parametrize("name", ["one", "two"])
def test_a_match_of_battle_mode_is_as_published(name: str, first_attacker: str) -> None:
    record = finished("battle", name, first_attacker=first_attacker, target=20)
    assert len(list(verify.verify(record))) == 3


@pytest.mark.rules("BKZ-R-45", "BKZ-M-04", "BKZ-M-05", "BKZ-M-10")
@pytest.mark.parametrize("pack", ["common", "own"])
@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_a_match_of_multi_player_mode_is_as_published(name: str, pack: str) -> None:
    assert list(verify.verify(finished("multi", name, pack=pack)))


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("battle", "shuffled"), ("battle", "first_attacker"), ("multi", "shuffled")],
)
def test_another_draw_is_noticed(mode: str, kind: str) -> None:
    options = {"first_attacker": "coin"} if mode == "battle" else {"pack": "own"}
    record = finished(mode, "wrong", **options)
    event = next(event for event in record["events"] if event[0] == kind)
    if kind == "shuffled":
        event[3][0], event[3][1] = event[3][1], event[3][0]
    else:
        event[1] = 1 - event[1]
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


@pytest.mark.parametrize("mode", ["battle", "multi"])
def test_every_kind_of_event_is_known_to_the_script(mode: str) -> None:
    reader = verify.GAMES["battle-krabz", mode]
    handled = {name.removeprefix("on_") for name in vars(reader) if name.startswith("on_")}
    assert reader.QUIET | handled == set(GAME.events)
    assert not reader.QUIET & handled
