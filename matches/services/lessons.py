"""Starting, resuming and restarting a lesson."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from matches import engine
from matches.models import Match, Seat, SeatKind, Status, TimeControl, Timeout
from matches.queries import lessons
from matches.services import cancelling, setup, store_ply
from matches.services.setup import MatchSetup, SeatPlan
from matches.services.writing import read_match, seat_of
from rules.engine.chance import commitment
from rules.engine.game import Game


@transaction.atomic
def learn(*, user: User, game: str, afresh: bool = False) -> Match:
    """The lesson of a game for somebody: the one under way, or a new one.

    ``afresh`` calls the one under way off first. Two clicks give the same lesson.
    Raises ``NoLesson`` and ``TooManyMatches``.
    """
    definition = engine.find_game(game)
    lessons.lesson_for(definition)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    begun = lessons.running(user, definition)
    if begun is not None and not (afresh or _is_outdated(begun)):
        return begun
    if begun is not None:
        _cancel(begun, user)
    return _begin(user, definition)


def _is_outdated(match: Match) -> bool:
    """True if the lesson has changed since the match began."""
    return lessons.lesson_of(match) is None


def _cancel(match: Match, user: User) -> None:
    match = read_match(match.slug)
    if match.status == Status.RUNNING:
        seats = list(match.seats.all())
        cancelling.cancel_running(match, seats, cancelling.EARLY, by=seat_of(seats, user))


def _begin(user: User, game: Game) -> Match:
    lesson = lessons.lesson_for(game)
    plan = MatchSetup(
        game.slug,
        lesson.mode,
        [SeatPlan(), SeatPlan(SeatKind.BOT, bot=lesson.partner)],
        options=dict(lesson.options),
        time_control=TimeControl.FRIENDS,
        timeout=Timeout.FORFEIT,
        pauses_when_away=False,
        private=True,
    )
    setup.check_room(user, plan.seats)
    match = setup.unsaved_match(user, plan, game.mode(lesson.mode))
    match.lesson, match.initial_position = lesson.edition, dict(lesson.table)
    match.server_seed, match.commitment = lesson.seed, commitment(lesson.seed)
    seats = setup.planned_seats(user, plan, game)
    match.save(force_insert=True)
    for seat in seats:
        seat.match = match
    Seat.objects.bulk_create(seats)
    setup.start(match, seats, by=user)
    store_ply.announce(match, seats)
    return match
