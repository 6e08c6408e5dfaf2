"""Statistics of decks and cards after the end, and the files that others read or check."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from django.conf import settings
from django.test import Client

from decks.services import checks
from decks.services import decks as deck_services
from tests.games.examples import GAME, READY_CARDS
from tests.tournaments.conftest import (
    Announce,
    begun,
    lose,
    open_tables,
    play_all,
    play_round,
    players,
    settle,
)
from tournaments.deck_statistics import Results, by_card, by_deck
from tournaments.models import Pairing, Statistics, Tournament
from tournaments.services import entries

pytestmark = pytest.mark.usefixtures("catalog")


def test_a_card_is_held_against_decks_without_it() -> None:
    decks = {1: {"a": 2, "b": 1}, 2: {"b": 3}, 3: {"a": 1, "b": 1}}
    tables = [{1: 1, 2: 2}, {1: 2, 3: 1}, {2: 1, 3: 1}, {1: 1, 4: 2}]
    rows = by_card(decks, tables)
    a, b = rows["a"], rows["b"]
    assert (a.decks, a.copies, a.results) == (2, 3, Results(won=1, drawn=1))
    assert (b.decks, b.copies, b.results.total) == (3, 5, 0), "all have it: it says nothing"
    assert by_deck(tables)[1] == Results(won=2, lost=1)


def test_a_share_comes_with_its_interval_and_not_from_a_few() -> None:
    assert Results(won=9).share() is None
    share, low, high = Results(won=7, drawn=2, lost=3).share() or (0, 0, 0)
    assert share == round(8 / 12, 4) and 0.37 < low < 0.4 and 0.86 < high < 0.88
    assert Results(won=10).share() == (1.0, pytest.approx(0.7225, abs=0.001), 1.0)


@pytest.fixture
def with_decks(announced: Announce) -> Announce:
    def make(**changes: Any) -> Tournament:
        tournament = announced(mode="tournament", rounds=2, **changes)
        for number, person in enumerate(players(4), start=1):
            deck = deck_services.create_deck(
                owner=person, game=GAME, mode="tournament", name=f"Deck {number}",
                cards=READY_CARDS,
            )  # fmt: skip
            entries.enter(tournament=tournament, user=person, deck=deck)
        assert tournament.deck_check is not None
        checks.judge_check(check_id=tournament.deck_check.pk)
        return begun(tournament)

    return make


def test_statistics_come_at_the_end_where_lists_are_shown(with_decks: Announce) -> None:
    tournament = with_decks()
    address = tournament.get_absolute_url()
    nobody = Client()
    assert nobody.get(f"{address}statistics/").status_code == 404
    play_all(tournament)
    page = nobody.get(f"{address}statistics/").content.decode()
    assert "From 4 decks" in page and "4 tables" in page and "too few" in page
    assert "Deck 1" in page and ">Statistics<" in page.replace("\n", "").replace(" ", "")
    data = nobody.get(f"/api/tournaments/{tournament.slug}/statistics/").json()
    assert [deck["rank"] for deck in data["decks"]] == [1, 2, 3, 4]
    assert (data["decks"][0]["won"], data["decks"][0]["share"]) == (2, None)
    assert {card["decks"] for card in data["cards"]} == {4}
    csv = nobody.get(f"{address}cards.csv").content.decode().splitlines()
    assert len(csv) == len(data["cards"]) + 1 and csv[0].startswith("card,name,decks")
    whole = nobody.get(f"{address}tournament.json").json()
    assert whole["statistics"]["counted"] == 4


def test_lists_that_are_not_shown_are_in_nothing(with_decks: Announce) -> None:
    tournament = play_all(with_decks(shows_decks=False))
    address = tournament.get_absolute_url()
    nobody = Client()
    for file in ("statistics/", "cards.csv"):
        assert nobody.get(f"{address}{file}").status_code == 404
    assert nobody.get(f"/api/tournaments/{tournament.slug}/statistics/").status_code == 404
    assert not Statistics.objects.exists()
    assert "Deck 1" not in nobody.get(f"{address}players/").content.decode()
    assert nobody.get(f"{address}tournament.json").json()["statistics"] is None
    assert 'id="deck-' not in result_page(tournament)


def test_results_show_the_lists_once_the_tournament_is_over(with_decks: Announce) -> None:
    tournament = with_decks()
    play_round(tournament)
    assert 'id="deck-' not in result_page(tournament)
    play_all(tournament)
    assert 'id="deck-1"' in result_page(tournament)


def result_page(tournament: Tournament) -> str:
    """The result of the first table."""
    pairing = Pairing.objects.filter(round__tournament=tournament).order_by("pk")[0]
    assert pairing.match is not None
    response = Client().get(f"{pairing.match.get_absolute_url()}result/")
    assert response.status_code == 200
    return response.content.decode()


# -- files ----------------------------------------------------------------------------------------


def verified(record: dict[str, Any]) -> Iterator[str]:
    script = runpy.run_path(str(settings.BASE_DIR / "docs" / "verify.py"))
    yield from script["verify_tournament"](record)


def whole(tournament: Tournament) -> dict[str, Any]:
    data = Client().get(f"{tournament.get_absolute_url()}tournament.json").json()
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize(
    ("count", "changes"),
    [
        (5, {"rounds": 3}),
        (4, {"structure": "round-robin"}),
        (5, {"structure": "round-robin", "twice": True}),
        (8, {"structure": "league", "division_size": 4, "moving": 1}),
        (5, {"structure": "elimination"}),
        (6, {"rounds": 2, "cut": 4}),
    ],
)
@pytest.mark.slow
def test_the_script_checks_a_tournament(
    running: Announce, count: int, changes: dict[str, Any]
) -> None:
    tournament = running(count, **changes)
    with pytest.raises(Exception, match="published when it is over"):
        list(verified(whole(tournament)))
    lose(open_tables(tournament)[0], loser=0)
    settle(tournament)
    entries.drop(tournament=tournament, user=tournament.entries.get(number=2).user)
    settle(tournament)
    record = whole(play_all(tournament))
    sentences = list(verified(record))
    assert sentences[0] == "The tournament's seed is the one that was committed to."
    ordinary = "structure" not in changes and "cut" not in changes
    assert ("The places of all" in sentences[-1]) or not ordinary
    for change in (
        lambda data: data["tournament"].update(commitment="0" * 64),
        lambda data: data["players"][0]["standing"].update(draw="0" * 16),
        lambda data: data["rounds"][0]["tables"][0]["seats"][0].update(points=2),
    ):
        changed = json.loads(json.dumps(record))
        change(changed)
        with pytest.raises(Exception, match="the record says"):
            list(verified(changed))
    if ordinary:
        first, second = (
            next(player for player in record["players"] if player["rank"] == rank)
            for rank in (1, 2)
        )
        first["rank"], second["rank"] = 2, 1
        with pytest.raises(Exception, match="final standings"):
            list(verified(record))


def test_the_report_for_pairing_programs(running: Announce) -> None:
    tournament = running(3, rounds=2)
    play_all(tournament)
    answer = Client().get(f"{tournament.get_absolute_url()}report.trf")
    lines = answer.content.decode().splitlines()
    assert lines[0] == "012 Spring Open" and "XXR 2" in lines and "062 3" in lines
    rows = [line for line in lines if line.startswith("001")]
    assert len(rows) == 3
    for number, line in enumerate(rows, start=1):
        # Columns as FIDE's TRF16 fixes them, counted from 1.
        assert int(line[4:8]) == number and line[14:47].strip().startswith("Player")
        rounds = [line[91 + 10 * n : 99 + 10 * n] for n in range(2)]
        won = sum({"1": 1.0, "U": 1.0, "=": 0.5}.get(each[7], 0.0) for each in rounds)
        assert float(line[80:84]) == won and 1 <= int(line[85:89]) <= 3
        for n, each in enumerate(rounds):
            if each[7] == "U":
                assert each == "0000 - U"
            else:
                other = rows[int(each[0:4]) - 1][91 + 10 * n : 99 + 10 * n]
                assert int(other[0:4]) == number and {each[5], other[5]} == {"w", "b"}
    Tournament.objects.update(structure="pods")
    refused = Client().get(f"{tournament.get_absolute_url()}report.trf")
    assert refused.status_code == 422


def members(required: str, **types: Any) -> dict[str, Any]:
    """JSON schema of an object with these members alone."""
    properties = {name: {"type": of} if isinstance(of, str) else of for name, of in types.items()}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": properties | {"other": {"type": "object"}},
    }


RESULT = {"enum": ["win", "lose", "draw", "dq"]}
SIDES = {
    f"entrant{side}{name}": of
    for side in (1, 2)
    for name, of in (
        ("ID", "string"), ("Result", RESULT), ("Score", "integer"), ("NextSetID", "string"),
        ("PrevSetID", "string"),
    )
}  # fmt: skip
PHASE = members("phaseID", phaseID="string", phaseStructure="string")
OPEN_BRACKET = members(
    "event sets entrants",
    version={"enum": ["v0.1", "v0.2", "v1.0"]},
    event=members(
        "name", name="string", date={"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
        gameName="string", tournamentStructure="string", ruleset="string", originURL="string",
        phases={"type": "array", "items": PHASE}, numberEntrants={"type": "integer", "minimum": 0},
    ),
    entrants={"type": "array", "items": members(
        "entrantID", entrantID={"type": "string", "minLength": 1}, entrantTag="string",
        initialSeed={"type": "integer", "minimum": 1},
        finalPlacement={"type": "integer", "minimum": 1},
    )},
    sets={"type": "array", "items": members(
        "setID", setID="string", status={"enum": ["completed", "started", "pending"]},
        setFormat="string", phaseID="string", roundID="string", **SIDES,
    )},
)  # fmt: skip
"""The Open Bracket Format 1.0 as its schema has it (openbracketformat/openbracketformat)."""


def test_the_open_bracket_file(running: Announce) -> None:
    tournament = running(5, rounds=2, cut=4, third_place=True)
    for _ in range(2):  # while it runs, and when it is over
        address = f"{tournament.get_absolute_url()}open-bracket.json"
        data = Client().get(address).json()
        assert data == Client().get(f"/api/tournaments/{tournament.slug}/open-bracket/").json()
        jsonschema.validate(data, OPEN_BRACKET)
        tournament = play_all(tournament)
    sets = {row["setID"]: row for row in data["sets"]}
    assert len(sets) == len(data["sets"]) == Pairing.objects.count()
    players = {row["entrantID"]: row for row in data["entrants"]}
    assert len(players) == data["event"]["numberEntrants"] == 5
    assert {row["finalPlacement"] for row in players.values()} == set(range(1, 6))
    byes = [row for row in data["sets"] if "entrant2ID" not in row]
    assert len(byes) == 2 and all(row["entrant1Result"] == "win" for row in byes)
    for row in data["sets"]:
        assert row["status"] == "completed"
        if row not in byes:
            assert {row["entrant1Result"], row["entrant2Result"]} == {"win", "lose"}
            assert {row["entrant1Score"], row["entrant2Score"]} == {0, 1}
        for side in (1, 2):
            after = sets.get(row.get(f"entrant{side}NextSetID", ""))
            if after is not None:
                place = 1 if after["entrant1ID"] == row[f"entrant{side}ID"] else 2
                assert after[f"entrant{place}PrevSetID"] == row["setID"]
    cut = [row for row in data["sets"] if row["phaseID"] == "cut"]
    assert [row["roundID"] for row in cut] == [
        "Semifinals", "Semifinals", "Final", "Third-place match",
    ]  # fmt: skip
    final = {players[cut[2][f"entrant{side}ID"]]["finalPlacement"] for side in (1, 2)}
    assert final == {1, 2} and not {"entrant1NextSetID", "entrant2NextSetID"} & set(cut[2])
    Tournament.objects.update(structure="pods")
    assert Client().get(address).status_code == 422
