"""What is played has one name everywhere, and a game that is installed no longer stops nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

import rules
from accounts import tasks
from accounts.models import User
from accounts.services.account_deletion import close_account, unfinished_closings
from accounts.services.guests import create_guest, merge_guest
from matches import data_export
from matches.models import Match, Seat, SeatKind, Status
from matches.queries import export, subscriptions
from matches.queries.names import bot_name, game_name, mode_name
from matches.services.open_tables import sweep_open_tables
from matches.services.setup import SeatPlan
from notices.models import Notice
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch

pytestmark = pytest.mark.django_db


def test_names() -> None:
    for game in rules.games().values():
        assert game_name(game.slug) == game.name
        for mode in game.modes.values():
            name = f"{game.name} ({mode.name})" if len(game.modes) > 1 else game.name
            assert mode_name(game.slug, mode.slug) == name
        for bot in game.bots.values():
            assert bot_name(game.slug, bot.slug) == bot.name
    assert mode_name(GAME, "older") == f"{game_name(GAME)} (older)"
    assert (mode_name("gone", "duel"), bot_name("gone", "best")) == ("gone (duel)", "best")


def test_a_match_that_rests_keeps_nobody(match: Match, ann: User, bob: User) -> None:
    """Whoever sits at a match that the rules cannot carry on may go, or turn out to be another."""
    Match.objects.filter(pk=match.pk).update(state={"of": "older rules"})
    close_account(user=ann)
    tasks.finish_closing(ann.pk)
    assert unfinished_closings() == []
    guest = create_guest(address="192.0.2.1")
    Seat.objects.filter(match=match, user=ann).update(user=guest)
    merge_guest(guest=guest, user=bob)
    guest.refresh_from_db()
    assert not guest.is_active
    match.refresh_from_db()
    assert match.status == Status.RUNNING


def test_a_game_that_is_gone_stops_nothing(
    finished: Match, make_match: MakeMatch, ann: User
) -> None:
    waits = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.OPEN)])
    Match.objects.update(game="gone")
    assert {match["match"] for match in data_export.matches(ann)} == {finished.slug, waits.slug}
    assert len(list(export.lines(export.exported(ann, since=None)))) == 1
    assert [entry.title for entry in subscriptions.entries(ann)] == [
        "Not started: gone (match)",
        "Over: gone (match)",
    ]
    sweep_open_tables(now=timezone.now() + timedelta(days=15))
    waits.refresh_from_db()
    assert waits.status == Status.CANCELLED
    assert Notice.objects.filter(person=ann, text__contains="gone (match)").exists()
