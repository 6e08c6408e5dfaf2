"""docs/verify.py with the game's own readers agrees with finished matches."""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from rules.engine import fairness
from rules.engine.chance import Chance, mix, named_seed
from rules.engine.events import event_to_json
from rules.testing.playouts import Setup
from tests.rules.engine.test_fairness import verify

GAME = rules.game("knd-ocg")
CLIENT_SEEDS = [(0, "chalk"), (1, "marbles")]


def finished(name: str) -> dict[str, Any]:
    """The record of a match played at random."""
    server_seed = named_seed(f"server {name}")
    match = Setup(GAME, GAME.modes["duel"], 2, mix(server_seed, CLIENT_SEEDS)).start()
    chance = Chance(named_seed(name))
    events, moves = list(match.opening), []
    while match.outcome is None:
        who = sorted(match.prompts)[chance.pick(len(match.prompts))]
        options = match.prompts[who].options
        move = options[chance.pick(len(options))]
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
    plain: dict[str, Any] = json.loads(json.dumps(record))
    return plain


@pytest.mark.rules("KND-R-02", "KND-R-42", "KND-R-44", "KND-S-04")
def test_matches_are_as_published() -> None:
    kinds: set[str] = set()
    for name in range(12):
        record = finished(f"{name}")
        assert len(list(verify.verify(record))) == 3
        kinds |= {event[0] for event in record["events"]}
    assert {"shuffle", "order", "discard-at-random", "search"} <= kinds


@pytest.mark.parametrize("kind", ["shuffle", "order", "discard-at-random"])
def test_a_changed_draw_is_noticed(kind: str) -> None:
    record = next(
        record
        for record in map(finished, map(str, range(12)))
        if any(event[0] == kind and event[-1] != [] for event in record["events"])
        and (kind != "discard-at-random" or _held(record) > 1)
    )
    event = next(
        event
        for event in record["events"]
        if event[0] == kind and (kind != "discard-at-random" or event[3] > 1)
    )
    match kind:
        case "shuffle":
            event[2][0], event[2][1] = event[2][1], event[2][0]
        case "order":
            event[1] = 1 - event[1]
        case _:
            event[4] = (event[4] + 1) % event[3]
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


def _held(record: dict[str, Any]) -> int:
    """The largest hand from which something was discarded at random."""
    return max(
        (event[3] for event in record["events"] if event[0] == "discard-at-random"), default=0
    )
