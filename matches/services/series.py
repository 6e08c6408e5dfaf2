"""Series: each match is followed by the next one, once, until the result is certain."""

from __future__ import annotations

from dataclasses import replace

import structlog
from django.db import transaction
from django.utils import timezone

from core.models import MatchFinished
from matches import engine
from matches.errors import NotPossible, RulesChanged, UnknownMode
from matches.models import Match, Seat, SeatKind, Series, Status
from matches.queries import lobby
from matches.queries.seat_decks import SeatDeck
from matches.queries.series import standing
from matches.services import setup
from matches.services.setup import SeatPlan

logger = structlog.get_logger(__name__)


def read_match(finished: MatchFinished) -> None:
    """Go on with the series of a finished match; a subscriber of the outbox, idempotent."""
    series = Match.objects.filter(slug=finished.match).values_list("series", flat=True).first()
    if series is not None:
        go_on(series_id=series)


@transaction.atomic
def go_on(*, series_id: int) -> Match | None:
    """Make the next match of a series, or end it; gives the match, None where none is due.

    Idempotent: the series' row is locked, and its last match has to be finished. A series whose
    next match can't be made, as for a deleted account, ends.
    """
    series = Series.objects.select_for_update().get(pk=series_id)
    last = Match.objects.filter(series=series).order_by("-series_number").first()
    if series.ended_at is not None or last is None or last.status != Status.FINISHED:
        return None
    now = standing(series.pk)
    if not series.terms.is_decided(now.wins, now.played):
        try:
            with transaction.atomic():
                return _next_match(last)
        except (NotPossible, RulesChanged, UnknownMode) as error:
            logger.info("series_stopped", series=series.pk, why=str(error))
    series.ended_at = timezone.now()
    series.save(update_fields=["ended_at"])
    return None


def _next_match(last: Match) -> Match:
    """The match after ``last``: players change seats, decks stay, the game's rule sees to sides."""
    seats = list(last.seats.select_related("user").order_by("number"))[::-1]
    people = [seat.user for seat in seats if seat.user is not None and seat.user.is_active]
    if not people or len(people) < sum(seat.kind == SeatKind.PERSON for seat in seats):
        raise NotPossible("A player’s account is closed.")
    blocked = any(person.pk in lobby.people_kept_apart(people[0]) for person in people[1:])
    if blocked and not last.in_event:
        raise NotPossible("A player has blocked the other.")
    plan = setup.setup_like(last, [_plan(seat) for seat in seats])
    options = engine.load(last).next_options([seat.number for seat in seats])
    host = last.host if last.host is not None and last.host.is_active else people[0]
    return setup.create_from_plans(
        host=host,
        setup=replace(plan, options=options),
        decks=last.decks,
        rematch_of=last,
        in_event=last.in_event,
        goes_on=True,
    )


def _plan(seat: Seat) -> SeatPlan:
    deck = None if seat.deck is None else SeatDeck(seat.deck_name, seat.deck)
    return SeatPlan(seat.kind, user=seat.user, bot=seat.bot, deck=deck)
