"""Hints at tables against bots: asked for by a person, found by a worker, kept with the match."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from core.background import after_commit, enqueue
from matches import engine
from matches.errors import NoHints, NotRunning, NotYourSeat, StalePrompt, TooManyHints
from matches.models import Hint, Match, SeatKind, Status
from matches.queries.access import access_match, seat_of
from rules.advice import Advice, advise
from rules.search import redeals

PLAYOUTS = 240
"""Of all options together; some modes play them to the end."""

SECONDS = 3.0
"""After so long no further table is dealt, so that thinking bots need not wait long."""

MAX_PER_HOUR = 60

SEND_AGAIN_SECONDS = 20
"""A hint is sent to the workers at most once in this time."""


def may_ask(match: Match, seat_number: int | None) -> bool:
    """True for a player who has bots alone as rivals, or none, where nothing is at stake."""
    return (
        seat_number is not None
        and match.status == Status.RUNNING
        and not (match.in_event or match.lesson)
        and all(
            seat.kind == SeatKind.BOT for seat in match.seats.all() if seat.number != seat_number
        )
    )


def ask(*, slug: str, user: User) -> Hint:
    """Ask what to answer to the open prompt; asked again, it gives the same hint.

    Raises ``NoHints``, ``NotYourSeat``, ``NotRunning``, ``StalePrompt`` and ``TooManyHints``.
    """
    match = access_match(user, slug)
    number = seat_of(match, user)
    if number is None:
        raise NotYourSeat("You are not a player at this table.")
    if match.status != Status.RUNNING:
        raise NotRunning("Hints end with the match. Open its look back instead.")
    if not may_ask(match, number):
        raise NoHints("Hints are only for tables where you play against bots alone.")
    prompt = engine.load(match).prompts.get(number)
    if prompt is None:
        raise StalePrompt("It is not your turn. Ask for a hint when it is.")
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        hint = Hint.objects.filter(match=match, seat=number, prompt=prompt.id).first()
        if hint is None:
            since = timezone.now() - timedelta(hours=1)
            if Hint.objects.filter(user=user, asked_at__gte=since).count() >= MAX_PER_HOUR:
                raise TooManyHints(
                    f"You have had {MAX_PER_HOUR} hints within an hour. Try again later."
                )
            hint = Hint.objects.create(match=match, seat=number, prompt=prompt.id, user=user)
        if hint.advice is None:
            if not hint.is_awaited:
                hint.asked_at = timezone.now()
                hint.save(update_fields=["asked_at"])
            after_commit(send, hint.pk)
    return hint


def send(hint_id: int) -> None:
    """Send a hint to the workers, unless that was done a moment ago."""
    if cache.add(f"hint-sent-{hint_id}", True, SEND_AGAIN_SECONDS):
        enqueue("matches.tasks.find_hint", hint_id)


def find(*, hint_id: int) -> None:
    """Find a hint's advice; one whose prompt is no longer open is removed, since nobody saw it.

    The search gets re-deals of what the seat knows, never the match.
    """
    hint = Hint.objects.filter(pk=hint_id, advice__isnull=True).select_related("match").first()
    if hint is None:
        return
    match = hint.match
    table = engine.load(match) if match.status == Status.RUNNING else None
    prompt = table.prompts.get(hint.seat) if table is not None else None
    if table is None or prompt is None or prompt.id != hint.prompt:
        hint.delete()
        return
    chance = engine.bot_chance(match, hint.seat, prompt.id)
    until = time.monotonic() + SECONDS
    advice = advise(
        redeals(table, hint.seat, chance.clone()),
        prompt,
        chance.clone(),
        playouts=PLAYOUTS,
        enough=lambda: time.monotonic() > until,
    )
    Hint.objects.filter(pk=hint.pk, advice__isnull=True).update(
        advice=advice_to_json(advice, table)
    )


def advice_to_json(advice: Advice, table: engine.Table) -> dict[str, Any]:
    """Advice as it is stored: its options by their notation."""
    return {
        "by": advice.by,
        "worlds": advice.worlds,
        "options": [
            {
                "notation": table.notation(row.move),
                "chance": round(row.chance, 4),
                "margin": round(row.margin, 4),
                "behind": round(row.behind, 4),
                "behind_margin": round(row.behind_margin, 4),
            }
            for row in advice.tried
        ],
    }


def stalled() -> list[int]:
    """Hints that have waited for longer than a worker takes."""
    now = timezone.now()
    waiting = Hint.objects.filter(
        advice__isnull=True,
        asked_at__lt=now - timedelta(seconds=SEND_AGAIN_SECONDS),
        asked_at__gt=now - Hint.GIVE_UP_AFTER,
    )
    return list(waiting.order_by("asked_at").values_list("pk", flat=True)[:100])
