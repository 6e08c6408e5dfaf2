"""Beginning a lesson, going on with it, and beginning it again."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from matches import engine
from matches.models import Match, Pace, Seat, SeatKind, Status
from matches.queries import lessons
from matches.services import cancelling, setup, store_ply
from matches.services.writing import read_match, seat_of
from rules.engine.chance import commitment
from rules.engine.game import Game
from rules.engine.lessons import LEARNER


@transaction.atomic
def learn(*, user: User, game: str, afresh: bool = False) -> Match:
    """The lesson of a game for somebody: the one under way, or a new one.

    ``afresh`` calls the one under way off first. Two clicks give the same lesson.
    Raises ``NoLesson`` and ``TooManyMatches``.
    """
    found = engine.find_game(game)
    lessons.lesson_for(found)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    begun = lessons.running(user, found)
    if begun is not None and not (afresh or _is_outdated(begun)):
        return begun
    if begun is not None:
        _call_off(begun, user)
    return _begin(user, found)


def _is_outdated(match: Match) -> bool:
    """The lesson has become another one since."""
    return lessons.lesson_of(match) is None


def _call_off(match: Match, user: User) -> None:
    match = read_match(match.slug)
    if match.status == Status.RUNNING:
        seats = list(match.seats.all())
        cancelling.call_off(match, seats, cancelling.EARLY, by=seat_of(seats, user))


def _begin(user: User, game: Game) -> Match:
    lesson = lessons.lesson_for(game)
    plans = [setup.SeatPlan()]
    setup.check_room(user, plans)
    mode = game.mode(lesson.mode)
    match = Match(
        game=game.slug,
        mode=mode.slug,
        rules_version=mode.rules_version,
        options=dict(lesson.options),
        lesson=lesson.edition,
        laid=dict(lesson.table),
        server_seed=lesson.seed,
        commitment=commitment(lesson.seed),
        pace=Pace.FRIENDS,
        waits=False,
        private=True,
        host=user,
    )
    weakest = next(iter(game.bots))
    seats = [
        Seat(match=match, number=LEARNER, kind=SeatKind.PERSON, user=user),
        Seat(match=match, number=LEARNER + 1, kind=SeatKind.BOT, bot=weakest),
    ]
    match.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    setup.start(match, seats, by=user)
    store_ply.announce(match, seats)
    return match
