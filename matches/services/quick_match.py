"""A match at once: the oldest table that fits, or a new one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.errors import NotOpen, NotPossible
from matches.models import Match, Pace, QuickQueue, SeatKind
from matches.queries import lobby
from matches.queries.access import seat_of
from matches.services import setup
from matches.services.setup import MatchSetup, SeatPlan
from rules.engine.game import Mode

TWO_CLICKS = timedelta(seconds=10)
"""Whoever looks again so soon after a match was found means the same one."""


@transaction.atomic
def quick_match(*, user: User, game: str, mode: str, pace: str) -> Match:
    """Sit down at the oldest table of the lobby that fits, or set one up for the next to come.

    Whoever waits at such a table already, or has just found one, gets that one again. What fits has
    the mode's usual options. People who look for the same at one moment come one after the other,
    so that they meet.
    """
    found_game, found_mode = engine.find_mode(game, mode)
    if found_mode.seats[-1] < 2:
        raise NotPossible(f"{found_mode.name} is played alone: nobody has to be found for it.")
    if pace not in Pace.values:
        raise NotPossible(f"“{pace}” is no pace. There are: {', '.join(Pace.values)}.")
    _wait_in_line(found_game.slug, found_mode.slug, pace)
    if (begun := _just_begun(user, found_game.slug, found_mode.slug, pace)) is not None:
        return begun
    fitting = list(_fitting(user, found_mode, game=found_game.slug, pace=pace))
    for match in fitting:
        if seat_of(match, user) is not None:
            return match
    for match in fitting:
        try:
            setup.join_match(match=match, user=user)
        except (NotOpen, NotPossible):  # somebody sat down by hand, or the decks may not meet
            continue
        return match
    return _new_table(user, found_game.slug, found_mode, pace)


def _wait_in_line(game: str, mode: str, pace: str) -> None:
    which: dict[str, Any] = {"game": game, "mode": mode, "pace": pace}
    QuickQueue.objects.get_or_create(**which)
    QuickQueue.objects.select_for_update().get(**which)


def _just_begun(user: User, game: str, mode: str, pace: str) -> Match | None:
    """The match that the first of two clicks has led to."""
    since = timezone.now() - TWO_CLICKS
    found = Match.objects.filter(
        seats__user=user, game=game, mode=mode, pace=pace, listed=True, started_at__gte=since
    )
    return found.order_by("-started_at").first()


def _fitting(user: User, mode: Mode, *, game: str, pace: str) -> Iterator[Match]:
    """The tables that would do, the oldest first."""
    tables = lobby.open_tables(user).filter(game=game, mode=mode.slug, pace=pace)
    for match in tables.order_by("created_at", "pk"):
        if not lobby.unusual_options(mode, match.options):
            yield match


def _new_table(user: User, game: str, mode: Mode, pace: str) -> Match:
    least = max(mode.seats[0], 2)
    seats = [SeatPlan(), *[SeatPlan(SeatKind.OPEN)] * (least - 1)]
    table = MatchSetup(game, mode.slug, seats, pace=pace, listed=True)
    return setup.create_match(host=user, setup=table)
