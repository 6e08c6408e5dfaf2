"""docs/verify.py, which shares no code with the engine, agrees with finished matches."""

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

GAME = rules.game("colossal-kaiju-combat")
CLIENT_SEEDS = [(0, "roar"), (1, "growl")]


def finished(mode: str, seats: int, name: str) -> dict[str, Any]:
    """The record of a match played at random; of three somebody gives up in the middle."""
    server_seed = named_seed(f"server {name}")
    seed = mix(server_seed, CLIENT_SEEDS)
    match = Setup(GAME, GAME.modes[mode], seats, seed, {}).start()
    chance = Chance(named_seed(name))
    events, moves = list(match.opening), []
    while match.outcome is None:
        if seats > 2 and len(moves) == 60:
            events += match.concede(next(iter(match.prompts)))
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


@pytest.mark.rules("CKC-R-01", "CKC-R-04", "CKC-B-02", "CKC-S-02", "CKC-S-03")
@pytest.mark.parametrize(("mode", "seats"), [("standard", 2), ("standard", 3), ("basic", 3)])
def test_a_match_is_as_published(mode: str, seats: int) -> None:
    record = finished(mode, seats, f"{mode} {seats}")
    assert list(verify.verify(record))
    renewed = [event for event in record["events"] if event[0] == "shuffled"]
    assert len(renewed) > 2 * seats  # a discard was shuffled, too


@pytest.mark.parametrize("kind", ["shuffled", "knocked_down", "ties_broken"])
def test_another_draw_is_noticed(kind: str) -> None:
    for number in range(20):
        record = finished("standard", 3, f"wrong {number}")
        found = [event for event in record["events"] if event[0] == kind]
        if kind == "knocked_down":
            found = [event for event in found if len(event[3]) > 1]
        if found:
            break
    event = found[0]
    if kind == "knocked_down":
        event[2] = next(card for card in event[3] if card != event[2])
    else:
        cards = event[3] if kind == "shuffled" else event[1]
        cards[0], cards[1] = cards[1], cards[0]
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


def test_every_kind_of_event_is_known_to_the_reader() -> None:
    reader: Any = verify.GAMES["colossal-kaiju-combat", "standard"]
    handled = {name.removeprefix("on_") for name in vars(reader) if name.startswith("on_")}
    assert reader.QUIET | handled == set(GAME.events)
    assert not reader.QUIET & handled
