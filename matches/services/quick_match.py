"""Quick match: join the oldest suitable table, or create one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.errors import NotOpen, NotPossible
from matches.models import Match, QuickQueue, SeatKind, TimeControl
from matches.queries import lobby
from matches.queries.access import seat_of
from matches.services import setup
from matches.services.setup import MatchSetup, SeatPlan
from rules.engine.game import Mode

DOUBLE_CLICK_WINDOW = timedelta(seconds=10)
"""Another request within this time returns the match that was just found."""


@transaction.atomic
def quick_match(*, user: User, game: str, mode: str, time_control: str) -> Match:
    """Join the oldest suitable table of the lobby, or create one for the next player.

    A player who already waits at such a table, or has just found one, gets that one again. Suitable
    tables have the mode's default options. Simultaneous requests are handled in turn, so that they
    meet.
    """
    known_game, known_mode = engine.find_mode(game, mode)
    if known_mode.seats[-1] < 2:
        raise NotPossible(f"{known_mode.name} is a solo mode. Create a table to play it.")
    if time_control not in TimeControl.values:
        known = ", ".join(TimeControl.values)
        raise NotPossible(f"“{time_control}” is not a time control. Choose one of: {known}.")
    _wait_in_line(known_game.slug, known_mode.slug, time_control)
    if (begun := _just_begun(user, known_game.slug, known_mode.slug, time_control)) is not None:
        return begun
    fitting = list(_fitting(user, known_mode, game=known_game.slug, time_control=time_control))
    for match in fitting:
        if seat_of(match, user) is not None:
            return match
    for match in fitting:
        try:
            setup.join_match(match=match, user=user)
        except (NotOpen, NotPossible):  # the seat was just taken, or the decks may not meet
            continue
        return match
    return _new_table(user, known_game.slug, known_mode, time_control)


def _wait_in_line(game: str, mode: str, time_control: str) -> None:
    queue: dict[str, Any] = {"game": game, "mode": mode, "time_control": time_control}
    QuickQueue.objects.get_or_create(**queue)
    QuickQueue.objects.select_for_update().get(**queue)


def _just_begun(user: User, game: str, mode: str, time_control: str) -> Match | None:
    """The match that the first click of a double click has led to."""
    since = timezone.now() - DOUBLE_CLICK_WINDOW
    recent = Match.objects.filter(
        seats__user=user,
        game=game,
        mode=mode,
        time_control=time_control,
        listed=True,
        series=None,
        started_at__gte=since,
    )
    return recent.order_by("-started_at").first()


def _fitting(user: User, mode: Mode, *, game: str, time_control: str) -> Iterator[Match]:
    """The suitable tables, oldest first."""
    tables = lobby.open_tables(user).filter(
        game=game, mode=mode.slug, time_control=time_control, unrated="", series=None
    )
    for match in tables.order_by("created_at", "pk"):
        if not lobby.unusual_options(mode, match.options):
            yield match


def _new_table(user: User, game: str, mode: Mode, time_control: str) -> Match:
    least = max(mode.seats[0], 2)
    seats = [SeatPlan(), *[SeatPlan(SeatKind.OPEN)] * (least - 1)]
    table = MatchSetup(game, mode.slug, seats, time_control=time_control, listed=True)
    return setup.create_match(host=user, setup=table)
