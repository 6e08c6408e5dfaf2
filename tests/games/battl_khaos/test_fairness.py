"""docs/verify.py, with the reader that comes with the game, agrees with finished matches."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from rules.engine import fairness
from rules.engine.chance import mix, named_seed
from rules.engine.events import event_to_json
from rules.testing.playouts import Setup, playout, random_setup
from tests.rules.engine.test_fairness import verify

GAME = rules.game("battl-khaos")
CLIENT_SEEDS = [(0, "mud"), (1, "moss")]
MODES = ("classic", "warband", "army")


def finished(mode: str, name: str, **options: Any) -> dict[str, Any]:
    """The record of a match played at random."""
    server_seed = named_seed(f"server {name}")
    seed = mix(server_seed, CLIENT_SEEDS)
    drawn = random_setup(GAME, GAME.modes[mode], seed)
    setup = Setup(GAME, drawn.mode, 2, seed, {**drawn.options, **options})
    match = setup.start()
    events, moves = list(match.opening), []
    for match, (_seat, move), told in playout(setup):
        moves.append(match.notation(move))
        events += told
    record = fairness.record(
        match,
        rules_version=match.mode.rules_version,
        server_seed=server_seed,
        client_seeds=CLIENT_SEEDS,
        events=[event_to_json(event) for event in events],
        moves=moves,
    )
    plain: dict[str, Any] = json.loads(json.dumps(record))
    return plain


@pytest.mark.rules("BKH-S-04", "BKH-S-08", "BKH-S-13", "BKH-R-01")
@pytest.mark.parametrize("orcs", ["random", "seat2"])
@pytest.mark.parametrize("mode", MODES)
def test_a_match_is_as_published(mode: str, orcs: str) -> None:
    assert len(list(verify.verify(finished(mode, "one", orcs=orcs)))) == 3


@pytest.mark.parametrize(
    "kind", ["sides_drawn", "shuffled", "first_tower", "dealt", "row_laid", "tile_drawn"]
)
def test_another_draw_is_noticed(kind: str) -> None:
    record = finished("classic", "wrong", orcs="random")
    event = next(event for event in record["events"] if event[0] == kind)
    if kind == "sides_drawn":
        event[1], event[2] = event[2], event[1]
    elif kind == "first_tower":
        event[1] += 1 if event[1] == 58 else -1
    else:
        cards = next(values for values in event if isinstance(values, list))
        cards[0] = (cards[0] + 1) % 58
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


def test_every_kind_of_event_is_known_to_the_reader() -> None:
    for reader in (verify.GAMES["battl-khaos", mode] for mode in MODES):
        handled = {name.removeprefix("on_") for name in vars(reader) if name.startswith("on_")}
        assert reader.QUIET | handled == set(GAME.events)
        assert not reader.QUIET & handled
