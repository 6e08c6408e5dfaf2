"""Looking back at a finished match, decision by decision, by workers in shares of a few seconds.

A share is written only where nobody else has written it, so a worker that is killed loses its share
and no more, and two that have the same one write it once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from core.background import after_commit, enqueue, resend_silent
from matches import engine
from matches.errors import Conflict, HeldBack, MatchError, NotYourSeat, TooManyHints
from matches.models import LookBack, LookBackState, Match, MoveRow, Source
from matches.moves import moves_of
from matches.queries.access import access_match, require_finished, seat_of
from matches.queries.lookback import SEAT, engine_of, is_held_back
from rules.advice import Advice, advise, advise_with_open_cards
from rules.engine.moves import Move, move_from_json
from rules.search import open_redeals, redeals

logger = structlog.get_logger(__name__)

MAX_DECISIONS = 60
"""So many decisions are looked at, evenly spread over the match."""

PLAYOUTS = 60
"""A decision, shared by what was played and what is advised, after the thinker's own."""

SECONDS_A_DECISION = 3.0
"""After so long no further table is dealt, but for a few at least."""

OPEN_PLAYOUTS = 48
"""A decision, once more with all cards open."""

OPEN_SECONDS = 1.0
"""After so long no further table is dealt with all cards open, but for a few at least."""

SHARE_SECONDS = 2.0
"""After so long a share ends, and the next one is a task of its own."""

MAX_PER_DAY = 30

DEAD_AFTER = timedelta(seconds=60)
"""A worker that was silent for so long is taken for dead."""


def start(*, slug: str, user: User) -> LookBack:
    """Look back at the decisions of a player's seat; what is stored or under way is kept.

    Raises ``NotFinished``, ``HeldBack``, ``NotYourSeat``, ``Conflict`` while another one of this
    person is under way, and ``TooManyHints``.
    """
    match = access_match(user, slug)
    require_finished(match, "You can look back at a match once it is over.")
    seat = seat_of(match, user)
    if seat is None:
        raise NotYourSeat("Only its players can have a match looked back at.")
    if is_held_back(match):
        raise HeldBack("You can look back at this match once its round of the tournament is over.")
    current = engine_of(match)
    plies = [row.ply for row in decisions_of(match, seat)]
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        row = LookBack.objects.filter(match=match, seat=seat).first()
        if row is not None and row.engine == current and row.state != LookBackState.FAILED:
            return row
        _require_room(user, but=row)
        now = timezone.now()
        row, _ = LookBack.objects.update_or_create(
            match=match,
            seat=seat,
            defaults={
                "user": user,
                "engine": current,
                "state": LookBackState.WORKING if plies else LookBackState.DONE,
                "decisions": len(plies),
                "plies": evenly(plies, MAX_DECISIONS),
                "done": 0,
                "points": [],
                "seconds": 0,
                "asked_at": now,
                "touched_at": now,
            },
        )
        after_commit(_send, row.pk)
    return row


def _require_room(user: User, *, but: LookBack | None) -> None:
    """Raise unless this person may have another look back computed now."""
    own = LookBack.objects.filter(user=user)
    if but is not None:
        own = own.exclude(pk=but.pk)
    if own.filter(state=LookBackState.WORKING).exists():
        raise Conflict("Another look back of yours is under way. Wait until it is done.")
    if own.filter(asked_at__gte=timezone.now() - timedelta(days=1)).count() >= MAX_PER_DAY:
        raise TooManyHints(f"You can look back at {MAX_PER_DAY} matches a day. Come back tomorrow.")


def longest_minutes() -> int:
    """How long a look back takes at most, where its worker has nothing else to do."""
    return round(MAX_DECISIONS * (SECONDS_A_DECISION + OPEN_SECONDS) / 60)


def share(*, slug: str, user: User, shared: bool) -> LookBack:
    """Show a look back to all who may see its match, or no longer; raises ``NotYourSeat``."""
    match = access_match(user, slug)
    seat = seat_of(match, user)
    row = None if seat is None else LookBack.objects.filter(match=match, seat=seat).first()
    if row is None:
        raise NotYourSeat("You have no look back at this match to share.")
    row.shared = shared
    row.save(update_fields=["shared"])
    return row


def decisions_of(match: Match, seat: int) -> list[MoveRow]:
    """The answers that a person gave in this seat, without those that were taken back."""
    rows = moves_of(match, events=False)
    gone = engine.plies_taken_back(rows)
    return [
        row
        for row in rows
        if row.seat == seat
        and row.prompt is not None
        and row.source == Source.PERSON
        and row.ply not in gone
    ]


def evenly(plies: Sequence[int], limit: int) -> list[int]:
    """At most so many of them, evenly spread, the first and the last among them."""
    if len(plies) <= limit:
        return list(plies)
    return [plies[round(n * (len(plies) - 1) / (limit - 1))] for n in range(limit)]


def study(*, look_back_id: int) -> bool:
    """Look at the next decisions and store what was found; True if more are to follow."""
    row = LookBack.objects.filter(pk=look_back_id, state=LookBackState.WORKING).first()
    if row is None:
        return False
    LookBack.objects.filter(pk=row.pk).update(touched_at=timezone.now())
    began = time.process_time()
    state = LookBackState.WORKING
    points: list[dict[str, Any]] = []
    try:
        points = _next_points(row)
    except MatchError:
        state = LookBackState.FAILED
    except Exception:
        logger.exception("look_back_failed", look_back=row.pk)
        state = LookBackState.FAILED
    done = row.done + len(points)
    if state == LookBackState.WORKING and done == len(row.plies):
        state = LookBackState.DONE
    # Where it was begun anew, or another worker was faster, this share is nobody's.
    stands = LookBack.objects.filter(
        pk=row.pk, state=LookBackState.WORKING, done=row.done, asked_at=row.asked_at
    )
    written = stands.update(
        state=state,
        done=done,
        points=[*row.points, *points],
        seconds=F("seconds") + (time.process_time() - began),
        touched_at=timezone.now(),
    )
    return bool(written) and state == LookBackState.WORKING


def _next_points(row: LookBack) -> list[dict[str, Any]]:
    """The numbers on the decisions that follow, until a share's time is over."""
    match = Match.objects.get(pk=row.match_id)
    seats = list(match.seats.select_related("user", "resigned_by").order_by("number"))
    moves = moves_of(match, events=False)
    names = [SEAT.format(seat.number + 1) for seat in seats]
    until = time.monotonic() + SHARE_SECONDS
    points: list[dict[str, Any]] = []
    wanted = row.plies[row.done :]
    tables = engine.replayed(match, seats, [(move.seat, move.move) for move in moves])
    for table, move in zip(tables, moves, strict=False):
        if move.ply != wanted[len(points)]:
            continue
        points.append(_point(match, table, row.seat, move, names))
        if len(points) == len(wanted) or time.monotonic() > until:
            break
    if wanted and not points:
        raise Conflict("The moves of this match are not those that it was to look at.")
    return points


def _point(
    match: Match, table: engine.Table, seat: int, row: MoveRow, names: Sequence[str]
) -> dict[str, Any]:
    """The numbers on a decision, from what its seat could know then, and with all cards open."""
    prompt = table.prompts[seat]
    played = move_from_json(row.move)
    chance = engine.bot_chance(match, seat, prompt.id)
    until = time.monotonic() + SECONDS_A_DECISION
    advice = advise(
        redeals(table, seat, chance.clone()),
        prompt,
        chance.clone(),
        playouts=PLAYOUTS,
        also=[played],
        limit=2,
        enough=lambda: time.monotonic() > until,
    )
    open_until = time.monotonic() + OPEN_SECONDS
    with_open_cards = advise_with_open_cards(
        open_redeals(table, seat, chance.clone()),
        prompt,
        chance.clone(),
        playouts=OPEN_PLAYOUTS,
        also=[played, advice.best.move],
        enough=lambda: time.monotonic() > open_until,
    )
    return {
        "ply": row.ply,
        "options": len(prompt.options),
        **_numbers(advice, played),
        "played": table.label(played, names),
        "best": table.label(advice.best.move, names),
        **_open_numbers(with_open_cards, played),
        "open_best": table.label(with_open_cards.best.move, names),
    }


def _numbers(advice: Advice, move: Move) -> dict[str, Any]:
    played = advice.of(move)
    assert played is not None, "what was played is always tried"
    return {
        "worlds": advice.worlds,
        "agrees": played.move == advice.best.move,
        "before": round(advice.best.chance, 4),
        "before_margin": round(advice.best.margin, 4),
        "after": round(played.chance, 4),
        "after_margin": round(played.margin, 4),
        "cost": round(played.behind, 4),
        "cost_margin": round(played.behind_margin, 4),
    }


def _open_numbers(advice: Advice, move: Move) -> dict[str, Any]:
    played = advice.of(move)
    assert played is not None, "what was played is always tried"
    return {
        "open_agrees": played.move == advice.best.move,
        "open_cost": round(played.behind, 4),
        "open_cost_margin": round(played.behind_margin, 4),
    }


def restart_stalled() -> list[int]:
    """Send look backs again on which no worker has worked for a while; gives their keys."""
    return resend_silent(LookBack.objects.filter(state=LookBackState.WORKING), DEAD_AFTER, _send)


def _send(look_back_id: int) -> None:
    enqueue("matches.tasks.study_match", look_back_id)
