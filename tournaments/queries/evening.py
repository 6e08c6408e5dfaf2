"""A live evening as its players and a beamer show it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from tournaments.models import (
    Entry,
    EntryState,
    Round,
    State,
    Tournament,
    name_of,
)
from tournaments.queries import pages
from tournaments.queries.access import confirms_from
from tournaments.queries.round_names import round_names
from tournaments.queries.standings import is_knockout, open_tables_of, players_next
from tournaments.services import calls

SCREEN_TABLES = 60
SCREEN_PLAYERS = 16
SCREEN_NAMES = 60


@dataclass(frozen=True, slots=True)
class Presence:
    """A player can confirm for a round, or has."""

    round_name: str
    until: datetime | None
    confirmed: bool
    absent: bool


def why_not_now(tournament: Tournament, entry: Entry) -> str:
    """Why this player cannot confirm for the next round of an evening; empty where they can."""
    if tournament.over:
        return "The tournament is over."
    if tournament.state == State.ANNOUNCED and timezone.now() < confirms_from(tournament):
        return "You can confirm from 15 minutes before the start."
    if entry.state == EntryState.DROPPED:
        if not entry.absent:
            return "You have dropped out. Ask the organisers to reinstate you."
        return "You cannot come back in an elimination." if is_knockout(tournament) else ""
    if open_tables_of(entry).exists():
        return "Finish your match first."
    if calls.next_number(tournament) > 1 and not players_next(tournament).filter(pk=entry.pk):
        return "You are not in the next round."
    return ""


def presence(tournament: Tournament, entry: Entry | None) -> Presence | None:
    """The player's part in the next call; None where there is nothing to confirm."""
    if entry is None or not tournament.is_evening:
        return None
    if entry.state not in (EntryState.ENTERED, EntryState.DROPPED):
        return None
    if why_not_now(tournament, entry):
        return None
    number = calls.next_number(tournament)
    absent = entry.state == EntryState.DROPPED
    return Presence(
        round_names(tournament).of(number),
        tournament.called_until,
        entry.ready_for >= number and not absent,
        absent,
    )


@dataclass(frozen=True, slots=True)
class Screen:
    """A tournament on a big screen at this moment."""

    round: Round | None
    tables: list[pages.TableShown]
    more_tables: int
    standings: list[pages.EntryShown]
    until: datetime | None
    called: str
    awaited: list[str]


def screen(tournament: Tournament) -> Screen:
    """The newest round with its results, the best players, and the clock that runs."""
    nobody = AnonymousUser()
    rounds = Round.objects.filter(tournament=tournament).order_by("-number")
    row = rounds.first()
    tables = pages.tables(row) if row is not None else None
    if tournament.is_league or tournament.is_ladder:  # all matches are open at once
        tables = pages.open_tables(tournament)
    count = tables.count() if tables is not None else 0
    called = ""
    awaited: list[str] = []
    until = None
    if not tournament.is_ladder:  # there each challenge has a time of its own
        until = rounds.filter(finished_at=None).values_list("deadline_at", flat=True).first()
    if tournament.called_until is not None:
        called = round_names(tournament).of(1 if row is None else row.number + 1)
        until = tournament.called_until
        missing = calls.awaited(tournament).select_related("user").order_by("number")
        awaited = [name_of(entry) for entry in missing[:SCREEN_NAMES]]
    elif tournament.state == State.ANNOUNCED:
        until = tournament.starts_at
    return Screen(
        round=row,
        tables=pages.tables_shown(tables[:SCREEN_TABLES], nobody) if tables is not None else [],
        more_tables=max(0, count - SCREEN_TABLES),
        standings=pages.entries_shown(
            pages.ranked(tournament)[:SCREEN_PLAYERS], pods=tournament.pods
        ),
        until=until if not tournament.over else None,
        called=called,
        awaited=awaited,
    )
