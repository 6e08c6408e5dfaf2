"""A tournament in the Open Bracket Format, which bracket viewers and other sites read.

The format (version 1.0, docs/export.md) is JSON: an event, its entrants, and a set for each table
of two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.http import HttpResponse

import rules
from tournaments.downloads import file_name, json_attachment
from tournaments.errors import NotPossible
from tournaments.models import How, Stage, State, Structure, Tournament
from tournaments.queries import pages
from tournaments.queries.round_names import round_names
from tournaments.queries.standings import TAKES_PART

VERSION = "v1.0"
STRUCTURES = {
    Structure.ROUND_ROBIN: "round-robin",
    Structure.LEAGUE: "round-robin",
    Structure.ELIMINATION: "single-elim",
}
"""Structures that the format has a name for; others are named as Riffle names them."""


def open_bracket_file(tournament: Tournament) -> HttpResponse:
    """The tournament as a file; raises ``NotPossible`` for pods."""
    return json_attachment(open_bracket(tournament), file_name(tournament, "obf.json"))


def open_bracket(tournament: Tournament) -> dict[str, Any]:
    """The tournament as plain data; raises ``NotPossible`` for pods, which have no sets of two."""
    if tournament.pods:
        raise NotPossible("This format is for rounds with two players at a table.")
    entries = pages.entries_shown(pages.entries(tournament).filter(state__in=TAKES_PART))
    over = tournament.state == State.FINISHED
    return {
        "version": VERSION,
        "event": _event(tournament, len(entries)),
        "entrants": [_entrant(entry, over) for entry in entries],
        "sets": _sets(tournament),
    }


def _event(tournament: Tournament, count: int) -> dict[str, Any]:
    game = rules.games().get(tournament.game)
    structure = STRUCTURES.get(Structure(tournament.structure), tournament.structure)
    phases = [{"phaseID": Stage.MAIN.value, "phaseStructure": structure}]
    if tournament.cut:
        phases.append({"phaseID": Stage.CUT.value, "phaseStructure": "single-elim"})
    return {
        "name": tournament.title,
        "date": f"{tournament.started_at or tournament.starts_at:%Y-%m-%d}",
        "gameName": game.name if game else tournament.game,
        "tournamentStructure": structure,
        "phases": phases,
        "ruleset": game.mode(tournament.mode).name if game else tournament.mode,
        "originURL": settings.SITE_URL + tournament.get_absolute_url(),
        "numberEntrants": count,
    }


def _entrant(entry: pages.EntryShown, over: bool) -> dict[str, Any]:
    entrant: dict[str, Any] = {"entrantID": str(entry.number), "entrantTag": entry.name}
    if entry.seed is not None:
        entrant["initialSeed"] = entry.seed
    if over and entry.rank is not None:  # in a league the place in the division
        entrant["finalPlacement"] = entry.standing.get("place", entry.rank)
    other = {"username": entry.username, "points": entry.points, "division": entry.division}
    entrant["other"] = {name: value for name, value in other.items() if value is not None}
    return entrant


def _sets(tournament: Tournament) -> list[dict[str, Any]]:
    """A set for each table, in the order of rounds, linked by who plays on where."""
    terms = tournament.series
    names = round_names(tournament)
    sets = []
    for row, tables in pages.rounds_with_tables(tournament):
        for table in tables:
            data = {"setID": f"{row.number}-{table.number}"} | _set(table)
            name = names.of_table(row.number, for_third=table.for_third)
            data |= {"phaseID": row.stage, "roundID": name}
            if terms is not None:
                data["setFormat"] = terms.words
            sets.append(data)
    _link(sets)
    return sets


def _set(table: pages.TableShown) -> dict[str, Any]:
    data: dict[str, Any] = {"other": {"table": table.number, "reason": table.reason}}
    if table.match is not None:
        data["other"]["match"] = table.match
    if table.how:
        data["other"]["decidedBy"] = table.how
        data["status"] = "completed"
    else:
        data["status"] = "started" if table.match is not None else "pending"
    for side, seat in enumerate(table.seats, start=1):
        data[f"entrant{side}ID"] = str(seat.entry)
        result = _result(table, side - 1)
        if result:
            data[f"entrant{side}Result"] = result
        if seat.wins is not None:
            data[f"entrant{side}Score"] = seat.wins
        elif table.how == How.MATCH:
            data[f"entrant{side}Score"] = int(result == "win")
    return data


def _result(table: pages.TableShown, index: int) -> str:
    """The format's word for how a seat did; empty while it is open, or for a missed round."""
    places = [seat.place for seat in table.seats]
    if len(places) == 1:
        return "win" if table.how == How.BYE else ""
    mine, theirs = places[index], places[1 - index]
    if mine is None or theirs is None:
        return ""
    if mine == theirs:
        return "draw"
    if mine < theirs:
        return "win"
    return "dq" if table.how == How.DROPPED else "lose"


def _link(sets: Iterable[dict[str, Any]]) -> None:
    """Name the set before and after for each side of each set."""
    of_entrant: dict[str, list[tuple[dict[str, Any], int]]] = defaultdict(list)
    for data in sets:
        for side in (1, 2):
            if f"entrant{side}ID" in data:
                of_entrant[data[f"entrant{side}ID"]].append((data, side))
    for own in of_entrant.values():
        for (before, side), (after, next_side) in pairwise(own):
            before[f"entrant{side}NextSetID"] = after["setID"]
            after[f"entrant{next_side}PrevSetID"] = before["setID"]
