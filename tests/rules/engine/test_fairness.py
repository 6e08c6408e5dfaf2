"""docs/verify.py, which shares no code with the engine, agrees with finished matches."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rules
from rules.engine import fairness
from rules.engine.chance import Chance, commitment, mix, named_seed
from rules.engine.events import event_to_json
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.engine.random_decks import random_deck
from rules.testing import playable_modes
from rules.testing.playouts import Exerciser, playout, random_setup
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
MODES = playable_modes()
every_mode = pytest.mark.parametrize(
    ("game", "mode"), MODES, ids=[f"{game.slug}-{mode.slug}" for game, mode in MODES]
)
MATCHES = 4


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
    return record_of(match, server_seed, client_seeds, events, moves)


def record_of(
    match: Match,
    server_seed: bytes,
    client_seeds: list[tuple[int, str]],
    events: list[Any],
    moves: list[str],
) -> dict[str, Any]:
    """The record as a file holds it."""
    proof = fairness.record(
        match,
        rules_version=match.mode.rules_version,
        server_seed=server_seed,
        client_seeds=client_seeds,
        events=events,
        moves=moves,
    )
    record: dict[str, Any] = json.loads(json.dumps(proof))
    return record


def random_record(game: Game, mode: Mode, number: int) -> dict[str, Any]:
    """The record of a match at a table drawn at random; with odd numbers every card is played."""
    server_seed = named_seed(f"server {mode.slug} {number}")
    setup = random_setup(game, mode, mix(server_seed, CLIENT_SEEDS[1:]))
    start = setup.start()
    events, moves = [event_to_json(event) for event in start.opening], []
    player = Exerciser() if number % 2 else None
    match = start
    for match, (_seat, move), happened in playout(setup, player) if player else playout(setup):
        if player:
            player.watch(match, happened)
        moves.append(match.notation(move))
        events += [event_to_json(event) for event in happened]
    return record_of(match, server_seed, CLIENT_SEEDS[1:], events, moves)


@every_mode
def test_random_matches_of_every_mode_are_as_published(game: Game, mode: Mode) -> None:
    for number in range(MATCHES):
        assert len(list(verify.verify(random_record(game, mode, number)))) == 4


CHECKING = {"dice", "pick", "pick-from", "shuffle", "deck", "is", "count"} | {
    *("top", "take", "last", "take-last", "list", "set")
}
"""Lines that hold a field of their event against what chance gave."""


def checked_fields(record: dict[str, Any]) -> dict[tuple[str, int], tuple[int, str]]:
    """The first event of each kind, by kind and the place of a value that a line checks."""
    places: dict[tuple[str, int], tuple[int, str]] = {}
    table = verify.Table(record, None)
    for number, (kind, *values) in enumerate(record["events"]):
        for line in table.read(kind, values):
            verb, field, *_ = [*table.applies(line), "", ""]
            name, _, index = field.partition("[")
            if verb not in CHECKING or (index and verb == "top"):
                continue
            place = table.events[kind]["fields"].index(name) + 1
            if values[place - 1] not in ([], None):
                places.setdefault((kind, place), (number, line))
    return places


def found_out(record: dict[str, Any]) -> bool:
    try:
        list(verify.verify(record))
    except verify.Wrong:
        return True
    return False


def another(value: Any) -> Any:
    """A value that the stream did not give."""
    return [value[0] + 1, *value[1:]] if isinstance(value, list) else value + 1


@every_mode
def test_another_value_than_the_one_drawn_is_found_out(game: Game, mode: Mode) -> None:
    """In every mode, for every kind of event that chance has a part in."""
    tried = set()
    for number in range(MATCHES):
        record = random_record(game, mode, number)
        for (kind, place), (event, line) in checked_fields(record).items():
            if (kind, place) in tried:
                continue
            tried.add((kind, place))
            lie = json.loads(json.dumps(record))
            lie["events"][event][place] = another(lie["events"][event][place])
            assert found_out(lie), f"{kind}: {line}"
    assert len(tried) >= 3


def drawing_lines(record: dict[str, Any]) -> set[tuple[str, str]]:
    """The lines of the reading by which bytes of the stream are used."""
    server_seed = bytes.fromhex(record["server_seed"])
    stream = verify.Stream(verify.match_seed(server_seed, record["client_seeds"]))
    table = verify.Table(record, stream)
    table.number_decks(record["events"])
    numbered, lines = stream.used, set()
    for kind, *values in record["events"]:
        for line in table.read(kind, values):
            used = stream.used
            table.follow(line)
            if stream.used > used or (numbered and table.applies(line)[:1] == ["deck"]):
                lines.add((kind, line))
    return lines


@every_mode
def test_a_reading_that_leaves_a_draw_out_is_found_out(game: Game, mode: Mode) -> None:
    """In one of two matches: the next draw may happen to throw away the byte left over."""
    records = [random_record(game, mode, number) for number in (1, 3)]
    drawn = [drawing_lines(record) for record in records]
    assert drawn[0]
    for kind, line in sorted(drawn[0] & drawn[1]):
        lies = json.loads(json.dumps(records))
        for lie in lies:
            lie["reading"]["events"][kind]["draws"].remove(line)
        assert any(map(found_out, lies)), f"{kind}: {line}"


def test_the_document_names_how_each_game_is_read() -> None:
    """Whoever checks a match holds the digest that the script prints against this list."""
    text = (SCRIPT.parent / "fairness.md").read_text(encoding="utf-8")
    for game in rules.games().values():
        if game.table is not None:
            digest = verify.digest_of(fairness.reading(game))[:16]
            assert f"| {game.name} | `{digest}` |" in text, f"{game.name}: {digest}"


ALL = [f"booster-{n}" for n in range(1, 7)]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "options",
    [{}, {"boosters": ALL, "guards": 1}, {"boosters": "deck"}, {"boosters": ["booster-4"]}],
    ids=["plain", "boosters", "deck", "raids"],
)
def test_finished_matches_are_as_published(seats: int, options: dict[str, Any]) -> None:
    record = finished(seats, options, f"{seats} {options}")
    assert len(list(verify.verify(record))) == 4


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


@pytest.mark.parametrize(
    ("mode", "seats"), [("power", 2), ("tournament", 2), ("tournament", 5), ("single", 1)]
)
def test_the_other_modes_are_as_published(mode: str, seats: int) -> None:
    for number in range(3):
        record = finished(seats, {}, f"{mode} {number}", client_seeds=[], mode=mode)
        assert len(list(verify.verify(record))) == 4


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
    with pytest.raises(verify.Wrong, match="a card at random"):
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

    code, text = run(str(good))
    assert code == 0
    assert text.endswith("The chance of this match is as published.\n")
    assert run(str(good), str(good))[0] == 2
    code, text = run(str(bad))
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


def test_a_game_without_chance_says_so() -> None:
    seed = bytes(32)
    quiet = {"fields": [], "draws": []}
    record = {
        "riffle": 1,
        "game": "calm",
        "mode": "match",
        "seats": 2,
        "options": {},
        "cards": [],
        "server_seed": seed.hex(),
        "commitment": commitment(seed),
        "client_seeds": [],
        "bytes": 0,
        "reading": {
            "begins": ["begun"],
            "ends": ["ended"],
            "events": {"begun": quiet, "ended": quiet},
        },
        "events": [["begun"], ["ended"]],
    }
    assert [*verify.verify(record)][-1] == "Chance decided nothing in 2 events."


def test_a_roll_left_out_at_the_very_end_is_found_out() -> None:
    record = finished(1, {}, "last", mode="single")
    last = max(n for n, event in enumerate(record["events"]) if event[0] == "rolled")
    del record["events"][last]
    with pytest.raises(verify.Wrong):
        list(verify.verify(record))


@pytest.mark.parametrize(
    ("line", "says"), [("juggle cards", "a line of an unknown kind"), ("take cards nowhere", "on")]
)
def test_a_line_that_means_nothing_is_named(line: str, says: str) -> None:
    record = finished(2, {}, "odd")
    record["reading"]["events"]["drew"]["draws"] = [line]
    with pytest.raises(verify.Wrong, match=says):
        list(verify.verify(record))


def test_an_event_of_an_unknown_kind_is_named() -> None:
    record = finished(2, {}, "unknown")
    record["events"][3][0] = "sneaked"
    with pytest.raises(verify.Wrong, match="unknown kind, 'sneaked'"):
        list(verify.verify(record))
