"""Standings worked out from the tables that were decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from tournaments import scoring
from tournaments.models import (
    Entry,
    EntryState,
    Pairing,
    PairingSeat,
    Round,
    Stage,
    Structure,
    Tournament,
)
from tournaments.pairing import Player
from tournaments.scoring import Standing, TableResult

TAKES_PART = (EntryState.ENTERED, EntryState.DROPPED)


@dataclass(frozen=True, slots=True)
class Decided:
    """A decided table with what its round says of it."""

    round: int
    stage: str
    for_third: bool
    result: TableResult


def decided_tables(tournament: Tournament) -> list[Decided]:
    """All decided tables by round and number; players are named by their entry's number."""
    rows = PairingSeat.objects.filter(
        round__tournament=tournament, pairing__decided_at__isnull=False
    )
    values = rows.order_by("round__number", "pairing__number", "number").values_list(
        "pairing", "round__number", "round__stage", "pairing__for_third",
        "entry__number", "place", "points",
    )  # fmt: skip
    tables: dict[int, tuple[int, str, bool, list[tuple[int, int, int]]]] = {}
    for pairing, number, stage, third, entry, place, points in values:
        table = tables.setdefault(pairing, (number, stage, third, []))
        table[3].append((entry, place or 1, points or 0))
    decided = []
    for number, stage, third, seats in tables.values():
        result = TableResult(
            players=tuple(seat[0] for seat in seats),
            places=tuple(seat[1] for seat in seats),
            points=tuple(seat[2] for seat in seats),
        )
        decided.append(Decided(number, stage, third, result))
    return decided


def players_now(tournament: Tournament, entries: Sequence[Entry]) -> list[Player]:
    """Those who go on, with what the rounds so far say of them for pairing."""
    points = {entry.number: entry.extra_points for entry in entries}
    # The points of a late entry are those of a bye: another one goes to somebody else.
    credited = {entry.number: 1 for entry in entries if entry.extra_points}
    met: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    byes: dict[int, int] = defaultdict(int, credited)
    small: dict[int, int] = defaultdict(int)
    tables = decided_tables(tournament)
    largest: dict[int, int] = defaultdict(int)
    for table in tables:
        largest[table.round] = max(largest[table.round], len(table.result.players))
    for table in tables:
        players = table.result.players
        for player, won in zip(players, table.result.points, strict=True):
            if player in points:
                points[player] += won
            byes[player] += len(players) == 1
            small[player] += 1 < len(players) < largest[table.round]
            for other in players:
                if other != player:
                    met[player][other] += 1
    return [
        Player(number, points[number], dict(met[number]), byes[number], small[number])
        for number in points
    ]


def standings_of(tournament: Tournament, seed: bytes) -> list[Standing]:
    """Everybody who took part, in their order: by the final rounds where there are some."""
    entries = list(
        Entry.objects.filter(tournament=tournament, state__in=TAKES_PART).order_by("number")
    )
    tables = decided_tables(tournament)
    main = [table.result for table in tables if table.stage == Stage.MAIN]
    if tournament.is_league:
        return _by_division(entries, main, seed)
    rows = scoring.standings(
        (entry.number for entry in entries),
        main,
        pods=tournament.pods,
        seed=seed,
        extra={entry.number: entry.extra_points for entry in entries},
    )
    knockout = tournament.structure == Structure.ELIMINATION
    finals = [table for table in tables if knockout or table.stage == Stage.CUT]
    if not finals:
        return rows
    seeds = {entry.number: entry.seed or entry.number for entry in entries}
    if knockout:
        rows.sort(key=lambda row: seeds[row.key])
    gone = {entry.number for entry in entries if entry.state == EntryState.DROPPED}
    return _by_knockout(rows, finals, seeds, gone)


def _by_division(
    entries: Sequence[Entry], results: Sequence[TableResult], seed: bytes
) -> list[Standing]:
    """The divisions' standings one after the other, the first division first."""
    rows: list[Standing] = []
    division_of = {entry.number: entry.division or 1 for entry in entries}
    keys_of: dict[int, list[int]] = defaultdict(list)
    for key, division in division_of.items():
        keys_of[division].append(key)
    results_of: dict[int, list[TableResult]] = defaultdict(list)
    for result in results:  # both players are of one division
        results_of[division_of[result.players[0]]].append(result)
    for division in sorted(keys_of):
        ranked = scoring.standings(keys_of[division], results_of[division], pods=False, seed=seed)
        for row in ranked:
            row.rank += len(rows)
        rows += ranked
    return rows


def winner(result: TableResult, seeds: dict[int, int]) -> int:
    """Who goes through: of those who came level, the better seed."""
    ranked = zip(result.places, result.players, strict=True)
    return min(ranked, key=lambda each: (each[0], seeds.get(each[1], each[1])))[1]


def is_knockout(tournament: Tournament) -> bool:
    """Whoever is out of its present rounds stays out."""
    return (
        tournament.structure == Structure.ELIMINATION
        or Round.objects.filter(tournament=tournament, stage=Stage.CUT).exists()
    )


@dataclass(frozen=True, slots=True)
class Survivors:
    """How the tables of a round of an elimination ended, in their order."""

    winners: list[int | None]
    """None where both players have dropped out."""
    losers: list[int]
    """Those who have not dropped out."""

    @property
    def for_third(self) -> list[int]:
        """Who plays for third place, where there is such a match: the losers of semi-finals."""
        return self.losers if len(self.winners) == 2 == len(self.losers) else []


def survivors(tournament: Tournament, round_number: int) -> Survivors:
    """Who goes through from the decided tables of a round; the match for third place is none."""
    rows = list(Entry.objects.filter(tournament=tournament))
    seeds = {entry.number: entry.seed or entry.number for entry in rows}
    gone = {entry.number for entry in rows if entry.state == EntryState.DROPPED}
    winners: list[int | None] = []
    losers: list[int] = []
    for table in decided_tables(tournament):
        if table.round != round_number or table.for_third:
            continue
        first = winner(table.result, seeds)
        left = [key for key in table.result.players if key not in gone]
        winners.append(first if first in left else None)
        losers += [key for key in left if key != first]
    return Survivors(winners, losers)


def open_tables_of(entry: Entry) -> QuerySet[Pairing]:
    """The undecided tables at which somebody sits: one, in a league several."""
    tables = Pairing.objects.filter(seats__entry=entry, decided_at=None, round__finished_at=None)
    return tables.select_related("match")


def players_next(tournament: Tournament) -> QuerySet[Entry]:
    """Those who play in the next round: in an elimination only who is left in it."""
    entries = Entry.objects.filter(tournament=tournament, state=EntryState.ENTERED)
    done = list(
        Round.objects.filter(tournament=tournament)
        .order_by("number")
        .values_list("number", "stage")
    )
    knockout = tournament.structure == Structure.ELIMINATION
    finals = [number for number, stage in done if knockout or stage == Stage.CUT]
    if finals:
        after = survivors(tournament, finals[-1])
        third = after.for_third if tournament.third_place else []
        return entries.filter(number__in=[key for key in (*after.winners, *third) if key])
    if tournament.cut and len(done) >= (tournament.rounds_planned or 0):
        best = entries.filter(rank__isnull=False).order_by("rank")
        return entries.filter(pk__in=list(best.values_list("pk", flat=True)[: tournament.cut]))
    return entries


def _by_knockout(
    rows: list[Standing], finals: Sequence[Decided], seeds: dict[int, int], gone: set[int]
) -> list[Standing]:
    """Whoever lost later stands higher; those who lost in one round as they stood before."""
    reached: dict[int, float] = {}
    third: dict[int, int] = {}
    for table in finals:
        first = winner(table.result, seeds)
        for player in table.result.players:
            if table.for_third:
                third[player] = int(player == first)
                continue
            reached[player] = table.round + (0.5 if player == first else 0)
    last = max(table.round for table in finals)
    for player in gone & reached.keys():
        reached[player] = min(reached[player], last)
    before = {row.key: number for number, row in enumerate(rows)}
    rows.sort(key=lambda row: (-reached.get(row.key, 0), -third.get(row.key, 0), before[row.key]))
    for rank, row in enumerate(rows, start=1):
        row.rank = rank
        if row.key in reached:
            row.decided_by = "final rounds"
    return rows


def undecided(tournament: Tournament) -> int:
    """How many tables of the open round are not decided."""
    return Pairing.objects.filter(
        round__tournament=tournament, round__finished_at=None, decided_at=None
    ).count()


def matches_of_series(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """The matches that each entry won and lost at tables that play a series, by its number."""
    rows = PairingSeat.objects.filter(
        round__tournament=tournament, pairing__decided_at__isnull=False, wins__isnull=False
    ).values_list("pairing", "entry__number", "wins")
    tables: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pairing, entry, wins in rows:
        tables[pairing].append((entry, wins or 0))
    counts: dict[int, tuple[int, int]] = {}
    for table in tables.values():
        total = sum(wins for _, wins in table)
        for entry, wins in table:
            won, lost = counts.get(entry, (0, 0))
            counts[entry] = (won + wins, lost + total - wins)
    return counts
