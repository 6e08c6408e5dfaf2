"""Files for other programs: the Tournament Report File, and cards by results as CSV.

The report follows FIDE's TRF16, which pairing programs for two at a table read (docs/export.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from django.http import HttpResponse

from tournaments.downloads import attachment, csv_attachment, file_name
from tournaments.errors import NotPossible
from tournaments.models import Entry, How, PairingSeat, Round, Structure, Tournament, name_of
from tournaments.queries import statistics
from tournaments.queries.standings import TAKES_PART

CARD_COLUMNS = ("card", "name", "decks", "copies", "won", "drawn", "lost", "share", "low", "high")
NAME_WIDTH = 33
MAX_PLAYERS = 9999
"""The report has four columns for a player's number."""


def cards_csv(tournament: Tournament) -> HttpResponse:
    """Cards by results; raises ``UnknownTournament`` where there are no statistics."""
    rows = map(asdict, statistics.statistics(tournament).cards)
    return csv_attachment(CARD_COLUMNS, rows, file_name(tournament, "cards.csv"))


def trf_file(tournament: Tournament) -> HttpResponse:
    """The report as a file; raises ``NotPossible`` for pods, which the format has no room for."""
    name = file_name(tournament, "trf")
    return attachment(report(tournament), "text/plain; charset=utf-8", name)


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's round: opponent (0: none), first or second seat, and the result's letter."""

    opponent: int
    color: str
    result: str

    @property
    def points(self) -> float:
        """As the report counts them: a win 1, a draw ½; a bye counts as a win."""
        return {"1": 1, "+": 1, "U": 1, "=": 0.5}.get(self.result, 0)

    def __str__(self) -> str:
        return f"  {self.opponent or '0000':>4} {self.color} {self.result}"


NOT_PAIRED = Cell(0, "-", "Z")


def report(tournament: Tournament) -> str:
    """The tournament in TRF16: players by seed, each with all rounds."""
    if tournament.pods or tournament.is_ladder:
        raise NotPossible("This format is for rounds with two players at a table.")
    entries = list(
        Entry.objects.filter(tournament=tournament, state__in=TAKES_PART)
        .select_related("user")
        .order_by("seed", "number")[:MAX_PLAYERS]
    )
    starting = {entry.number: number for number, entry in enumerate(entries, start=1)}
    rounds = list(
        Round.objects.filter(tournament=tournament).order_by("number").values_list("pk", flat=True)
    )
    cells = _cells(tournament, starting)
    planned = max(len(rounds), tournament.rounds_planned or 0)
    start = tournament.started_at or tournament.starts_at
    end = tournament.finished_at or start
    lines = [
        f"012 {_plain(tournament.title)}",
        "022 Riffle",
        f"042 {start:%Y/%m/%d}",
        f"052 {end:%Y/%m/%d}",
        f"062 {len(entries)}",
        f"092 {Structure(tournament.structure).label}",
        f"102 {_plain(str(tournament.organiser))}",
        f"122 {_plain(tournament.get_time_control_display())}",
        f"XXR {planned}",
    ]
    for entry in entries:
        own = [cells.get((entry.number, number), NOT_PAIRED) for number in rounds]
        lines.append(_player(starting[entry.number], entry, own))
    return "".join(f"{line}\n" for line in lines)


def _player(number: int, entry: Entry, own: Sequence[Cell]) -> str:
    """Columns as the format fixes them: number 5–8, name 15–47, points 81–84, rank 86–89."""
    points = sum(cell.points for cell in own)
    name = _plain(name_of(entry))[:NAME_WIDTH]
    head = f"001 {number:>4}      {name:<{NAME_WIDTH}}".ljust(80)
    rank = entry.rank if entry.rank is not None else ""
    return f"{head}{points:>4.1f} {rank:>4}" + "".join(map(str, own))


def _cells(tournament: Tournament, starting: Mapping[int, int]) -> dict[tuple[int, int], Cell]:
    """The cell of each player and round."""
    seats: dict[tuple[int, int], list[tuple[int, int, int | None, str]]] = defaultdict(list)
    rows = PairingSeat.objects.filter(round__tournament=tournament).order_by("pairing", "number")
    for pairing, in_round, entry, number, place, how in rows.values_list(
        "pairing", "round", "entry__number", "number", "place", "pairing__how"
    ):
        seats[pairing, in_round].append((entry, number, place, how))
    cells: dict[tuple[int, int], Cell] = {}
    for (_, in_round), players in seats.items():
        for entry, number, place, how in players:
            others = [other for other in players if other[0] != entry]
            if not others:
                cells[entry, in_round] = Cell(0, "-", "U" if how == How.BYE else "Z")
                continue
            other, _, theirs, _ = others[0]
            result = _letter(place, theirs, how)
            cells[entry, in_round] = Cell(
                starting.get(other, 0), "w" if number == 0 else "b", result
            )
    return cells


def _letter(place: int | None, other: int | None, how: str) -> str:
    if place is None or other is None:
        return " "
    if place == other:
        return "="
    won = place < other
    if how == How.DROPPED:
        return "+" if won else "-"
    return "1" if won else "0"


def _plain(text: str) -> str:
    return " ".join(text.split())
