"""Series: their standing, and how one reads at each of its matches.

The players of a series are 0 and 1, by their seats in its first match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from accounts.models import Viewer
from core.serializers import Doc, component
from matches.models import Match, Result, Seat, Series, SeriesTerms, Status
from matches.queries.access import seat_of
from matches.queries.seats import seat_names


@dataclass(frozen=True, slots=True)
class Standing:
    """The wins of both players and the finished matches, drawn ones included."""

    wins: tuple[int, int]
    played: int

    @property
    def score(self) -> str:
        """“2–1”, the first player's wins first."""
        return f"{self.wins[0]}–{self.wins[1]}"

    def places(self) -> list[int]:
        """The place of each player: 1 is first, equal ones share it."""
        return [1 + (self.wins[player] < self.wins[1 - player]) for player in (0, 1)]


def player_at(match: Match, seat: int) -> int:
    """The player of the series who sits in this seat; also the other way round."""
    return seat ^ match.seats_swapped


def standing(series_id: int) -> Standing:
    """The standing by now."""
    return _standing_after(_matches(series_id))


def _standing_after(matches: Iterable[MatchOfSeries]) -> Standing:
    finished = [row for row in matches if row.status == Status.FINISHED]
    wins = [sum(row.winner == player for row in finished) for player in (0, 1)]
    return Standing((wins[0], wins[1]), len(finished))


@component("SeriesMatch")
@dataclass(frozen=True, slots=True)
class MatchOfSeries:
    """One match of a series."""

    number: Annotated[int, Doc("From 1.")]
    slug: str
    status: Annotated[str, Doc(choices=Status.choices)]
    winner: Annotated[int | None, Doc("The player who won; null for others and draws.")]


@component("Series")
@dataclass(frozen=True, slots=True)
class SeriesShown:
    """A series. Its players are 0 and 1, by their seats in its first match."""

    matches: list[MatchOfSeries]
    players: Annotated[list[str], Doc("Their names.")]
    wins: Annotated[list[int], Doc("By player.")]
    terms: SeriesTerms
    over: bool
    decided: Annotated[bool, Doc("False for a series that was stopped early, or runs.")]
    winner: Annotated[int | None, Doc("The player who won it; null for a drawn one.")]


@dataclass(frozen=True, slots=True)
class SeriesAt:
    """A series as the page of one of its matches shows it.

    ``score`` begins with the reader's wins where they play. ``next_match`` is the one after this.
    """

    number: int
    terms: SeriesTerms
    score: str
    line: str
    over: bool
    lines: list[tuple[MatchOfSeries, str]]
    next_match: MatchOfSeries | None


def series_shown(match: Match) -> SeriesShown | None:
    """The series of a match that the reader may see; None for a single match."""
    if match.series_id is None:
        return None
    series = Series.objects.get(pk=match.series_id)
    matches = _matches(series.pk)
    now = _standing_after(matches)
    decided = series.terms.is_decided(now.wins, now.played)
    leads = now.wins[0] != now.wins[1]
    names = seat_names(match)
    return SeriesShown(
        matches=matches,
        players=[names[player_at(match, player)] for player in (0, 1)],
        wins=[*now.wins],
        terms=series.terms,
        over=decided or series.ended_at is not None,
        decided=decided,
        winner=now.places().index(1) if decided and leads else None,
    )


def _matches(series_id: int) -> list[MatchOfSeries]:
    rows = Seat.objects.filter(match__series=series_id).order_by("match__series_number", "number")
    matches: dict[int, MatchOfSeries] = {}
    for number, slug, status, swapped, seat, result in rows.values_list(
        "match__series_number", "match__slug", "match__status", "match__seats_swapped",
        "number", "result",
    ):  # fmt: skip
        assert number is not None
        if number not in matches or result == Result.WON:
            winner = seat ^ swapped if result == Result.WON else None
            matches[number] = MatchOfSeries(number, slug, status, winner)
    return [*matches.values()]


def series_at(match: Match, viewer: Viewer) -> SeriesAt | None:
    """The series of a match as its page shows it: as it stood after this match.

    None for a single match, which costs no query.
    """
    return series_from(match, seat_of(match, viewer)) if match.series_id is not None else None


def series_from(match: Match, seat: int | None) -> SeriesAt | None:
    """The series as the player in this seat reads it at a match; None for a single match."""
    shown = series_shown(match)
    if shown is None or match.series_number is None:
        return None
    now = _standing_after(row for row in shown.matches if row.number <= match.series_number)
    mine = None if seat is None else player_at(match, seat)
    later = [row for row in shown.matches if row.number > match.series_number]
    decided = shown.terms.is_decided(now.wins, now.played)
    return SeriesAt(
        number=match.series_number,
        terms=shown.terms,
        score=_score(now, mine),
        line=_line(shown.players, now, mine, decided=decided, stopped=shown.over and not later),
        over=decided or (shown.over and not later),
        lines=[(row, _result(row, shown.players, mine)) for row in shown.matches],
        next_match=later[0] if later else None,
    )


def _score(now: Standing, mine: int | None) -> str:
    own = mine or 0
    return f"{now.wins[own]}–{now.wins[1 - own]}"


def _line(
    players: list[str], now: Standing, mine: int | None, *, decided: bool, stopped: bool
) -> str:
    """“You lead the series 1–0.”, “Ann won the series 2–1.”"""
    most, least = max(now.wins), min(now.wins)
    score = f"{most}–{least}"
    if stopped and not decided:
        return f"The series was stopped at {_score(now, mine)}."
    if most == least:
        return f"The series is {'a draw' if decided else 'tied'}, {score}."
    leader = now.wins.index(most)
    if leader == mine:
        return f"You {'won' if decided else 'lead'} the series {score}."
    return f"{players[leader]} {'won' if decided else 'leads'} the series {score}."


def _result(row: MatchOfSeries, players: list[str], mine: int | None) -> str:
    if row.status == Status.CANCELLED:
        return "Cancelled"
    if row.status != Status.FINISHED:
        return "In progress"
    if row.winner is None:
        return "Draw"
    return "You won" if row.winner == mine else f"{players[row.winner]} won"
