"""docs/verify.py, which shares no code with the engine, agrees with finished matches."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rules
from rules.engine import fairness
from rules.engine.chance import Chance, commitment, mix, named_seed
from rules.engine.events import event_to_json
from rules.testing import playable_modes
from rules.testing.playouts import random_deck
from tests.games.examples import EXAMPLE

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "verify.py"
CLIENT_SEEDS = [(1, "blue dice"), (0, "tea: \u2615")]


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("riffle_verify", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify = load_script()
for _game in rules.games().values():
    if (_readers := resources.files(_game.package).joinpath("fairness.py")).is_file():
        verify.learn(str(_readers))


def finished(
    seats: int,
    options: dict[str, Any],
    name: str,
    *,
    client_seeds: list[tuple[int, str]] = CLIENT_SEEDS,
    concede_after: int | None = None,
    mode: str = "match",
) -> dict[str, Any]:
    """The record of a match, played at random."""
    game = EXAMPLE
    server_seed = named_seed(f"server {name}")
    chance = Chance(named_seed(f"players {name}"))
    rules_of = game.modes[mode]
    brought = seats if rules_of.own_decks else int(options.get("boosters") == "deck")
    decks = [random_deck(game, rules_of, chance) for _ in range(brought)]
    match = game.new_match(
        mode, seats=seats, seed=mix(server_seed, client_seeds), options=options, decks=decks
    )
    events, moves = [event_to_json(event) for event in match.opening], []
    while match.outcome is None:
        (prompt,) = match.prompts.values()
        if len(moves) == concede_after:
            happened = match.concede(prompt.seat)
            concede_after = None
        else:
            move = prompt.options[chance.pick(len(prompt.options))]
            moves.append(match.notation(move))
            happened = match.play(prompt.seat, move)
        events.extend(event_to_json(event) for event in happened)
    made = fairness.record(
        match,
        rules_version=rules_of.rules_version,
        server_seed=server_seed,
        client_seeds=client_seeds,
        events=events,
        moves=moves,
    )
    result: dict[str, Any] = json.loads(json.dumps(made))
    return result


ALL = [f"booster-{n}" for n in range(1, 7)]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [{}, {"boosters": ALL, "guards": 1}, {"boosters": "deck"}, {"boosters": ["booster-4"]}],
    ids=["plain", "boosters", "deck", "raids"],
)
def test_finished_matches_are_as_published(seats: int, options: dict[str, Any]) -> None:
    record = finished(seats, options, f"{seats} {options}")
    assert len(list(verify.verify(record))) == 3


def test_a_match_that_somebody_left_is_as_published() -> None:
    assert list(verify.verify(finished(4, {}, "left", concede_after=40)))


def test_a_match_without_client_seeds_is_as_published() -> None:
    assert list(verify.verify(finished(2, {}, "alone", client_seeds=[])))


def test_raids_and_new_shuffles_were_among_the_checked_matches() -> None:
    kinds: set[str] = set()
    for number in range(8):
        record = finished(2, {"boosters": "deck"}, f"raid {number}")
        list(verify.verify(record))
        kinds |= {event[0] for event in record["events"]}
    assert {"raided", "recycled", "rolled", "taken", "replaced"} <= kinds


def test_every_kind_of_event_is_known_to_the_script() -> None:
    """A new kind could draw from the stream: the script and its document have to say so."""
    known: dict[str, set[str]] = {}
    for game, mode in playable_modes():
        reader = verify.GAMES[game.slug, mode.slug]
        drawn = {kind for kind in game.events if hasattr(reader, "on_" + kind.replace("-", "_"))}
        known.setdefault(game.slug, set()).update(reader.QUIET, drawn)
    for slug, kinds in known.items():
        assert kinds == set(rules.game(slug).events)


@pytest.mark.parametrize(
    ("mode", "seats"), [("power", 2), ("tournament", 2), ("tournament", 5), ("single", 1)]
)
def test_the_other_modes_are_as_published(mode: str, seats: int) -> None:
    for number in range(3):
        record = finished(seats, {}, f"{mode} {number}", client_seeds=[], mode=mode)
        assert len(list(verify.verify(record))) == 3


@pytest.mark.parametrize("mode", ["power", "tournament", "single"])
def test_another_seed_is_found_out_in_every_mode(mode: str) -> None:
    seats = 1 if mode == "single" else 2
    record = finished(seats, {}, f"{mode} seed", client_seeds=[], mode=mode)
    other = bytes(32)
    record |= {"server_seed": other.hex(), "commitment": commitment(other)}
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


def _first(record: dict[str, Any], kind: str) -> list[Any]:
    event: list[Any] = next(event for event in record["events"] if event[0] == kind)
    return event


def other_die(record: dict[str, Any]) -> None:
    dice = _first(record, "rolled")[3]
    dice[0] = dice[0] % 6 + 1


def stacked_deck(record: dict[str, Any]) -> None:
    pile = _first(record, "match_started")[2]
    pile[0], pile[-1] = pile[-1], pile[0]


def other_card_drawn(record: dict[str, Any]) -> None:
    drew = [event for event in record["events"] if event[0] == "drew" and event[2]]
    drew[0][2], drew[-1][2] = drew[-1][2], drew[0][2]


def roll_left_out(record: dict[str, Any]) -> None:
    record["events"].remove(_first(record, "rolled"))


def new_shuffle_changed(record: dict[str, Any]) -> None:
    pile = _first(record, "recycled")[1]
    pile[0], pile[1] = pile[1], pile[0]


def other_starter(record: dict[str, Any]) -> None:
    event = _first(record, "match_started")
    event[1] = 1 - event[1]


def other_hand(record: dict[str, Any]) -> None:
    cards = _first(record, "dealt")[2]
    cards[0] = next(card for card in range(60) if card not in cards)


def other_server_seed(record: dict[str, Any]) -> None:
    record["server_seed"] = named_seed("another").hex()


def other_seed_and_commitment(record: dict[str, Any]) -> None:
    record["server_seed"] = named_seed("another").hex()
    record["commitment"] = commitment(named_seed("another"))


def other_client_seed(record: dict[str, Any]) -> None:
    record["client_seeds"][0][1] += "!"


def client_seed_left_out(record: dict[str, Any]) -> None:
    record["client_seeds"].pop()


def cut_short(record: dict[str, Any]) -> None:
    del record["events"][-1]


def no_beginning(record: dict[str, Any]) -> None:
    del record["events"][0]


TAMPERINGS = [
    other_die,
    stacked_deck,
    other_card_drawn,
    roll_left_out,
    new_shuffle_changed,
    other_starter,
    other_hand,
    other_server_seed,
    other_seed_and_commitment,
    other_client_seed,
    client_seed_left_out,
    cut_short,
    no_beginning,
]


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda f: f.__name__)
def test_a_record_that_was_tampered_with_fails(tamper: Callable[[dict[str, Any]], None]) -> None:
    record = finished(2, {}, "tampered")
    assert "recycled" in {event[0] for event in record["events"]}
    tamper(record)
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


def test_another_card_than_the_one_picked_fails() -> None:
    record = next(
        record
        for record in (finished(2, {"boosters": ["booster-4"]}, f"pick {n}") for n in range(50))
        if any(event[0] == "raided" for event in record["events"])
    )
    list(verify.verify(record))
    events = record["events"]
    raid = next(n for n, event in enumerate(events) if event[0] == "raided")
    events[raid + 1][2] = next(c for c in range(60) if c != events[raid + 1][2])
    with pytest.raises(verify.Wrong, match="random discard"):
        list(verify.verify(record))


def test_the_script_runs_alone(tmp_path: Path) -> None:
    """As a player would run it: another folder, no package of ours, no site packages."""
    record = finished(2, {"turn_limit": 20}, "alone")
    good, bad, odd = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "odd.json"
    good.write_text(json.dumps(record))
    other_die(record)
    bad.write_text(json.dumps(record))
    odd.write_text("[]")

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(SCRIPT), *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert not done.stderr
        return done.returncode, done.stdout

    readers = str(resources.files(EXAMPLE.package).joinpath("fairness.py"))
    code, text = run(str(good), readers)
    assert code == 0
    assert text.endswith("The chance of this match is as published.\n")
    code, text = run(str(good))
    assert code == 1
    assert "python3 verify.py match.json fairness.py" in text
    code, text = run(str(good), str(SCRIPT))
    assert code == 2
    assert "is no fairness.py of a game" in text
    code, text = run(str(bad), readers)
    assert code == 1
    assert "NOT AS PUBLISHED: event" in text
    assert run(str(odd))[0] == 2
    assert run(str(tmp_path / "none.json"))[0] == 2
    assert run()[0] == 2


def test_a_running_match_keeps_its_secret() -> None:
    match = EXAMPLE.new_match("match", seats=2, seed=bytes(32))
    with pytest.raises(ValueError, match="stays secret"):
        fairness.record(
            match, rules_version="1", server_seed=bytes(32), client_seeds=[], events=[], moves=[]
        )


def test_a_game_without_chance_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a game brings a reader all the same: it names its first and its last event."""

    class Reader:
        BEGINS = frozenset({"begun"})
        LAST = "ended"

        def __init__(self, record: dict[str, Any], stream: Any) -> None:
            self.stream, self.draws = stream, 0

        def happened(self, kind: str, values: list[Any]) -> None:
            pass

    monkeypatch.setitem(verify.GAMES, ("calm", "match"), Reader)
    seed = bytes(32)
    record = {
        "riffle": 1,
        "game": "calm",
        "mode": "match",
        "server_seed": seed.hex(),
        "commitment": commitment(seed),
        "client_seeds": [],
        "events": [["begun"], ["ended"]],
    }
    assert [*verify.verify(record)][-1] == "Chance decided nothing in 2 events."
