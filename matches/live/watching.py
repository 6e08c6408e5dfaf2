"""Who looks on at public tables: a number, kept in Redis alone, that names nobody.

A stream of somebody who does not sit at the table says every few seconds that they are there;
whoever has not said so for a while is gone. This goes by the clock and never by a move, so the
number tells nothing of the match, and no move costs anything for it. Without Redis there is none.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.models import Viewer
from core.redis_client import RedisUnavailable, link
from matches.models import Match, Status
from matches.queries.access import seat_of

INTERVAL = 5.0
"""So many seconds after each other a process says who is there."""
EXPIRY = 3 * INTERVAL
"""After so long a silence somebody is gone; a page that is loaded anew is not."""


def is_counted(match: Match) -> bool:
    """True if the spectators of this table are counted."""
    return match.status == Status.RUNNING and not match.private


def watcher_of(request: HttpRequest, match: Match, user: Viewer) -> str:
    """The key by which a spectator is counted once in all their tabs; empty for players.

    Visitors are told apart by the cookie that forms need, or else by their address.
    """
    if not is_counted(match) or seat_of(match, user) is not None:
        return ""
    if user.pk is not None:
        return f"u{user.pk}"
    seen = request.COOKIES.get(settings.CSRF_COOKIE_NAME) or request.META.get("REMOTE_ADDR", "")
    return "v" + salted_hmac("matches.live.watching", seen).hexdigest()[:20]


def counts(slugs: Collection[str]) -> dict[str, int]:
    """How many look on at each of some tables; nothing where that is not known."""
    if not slugs:
        return {}
    now = time.time()
    try:
        with link().guarded() as client:
            pipe = client.pipeline(transaction=False)
            for slug in slugs:
                pipe.zcount(_key(slug), now, "+inf")
            return dict(zip(slugs, pipe.execute(), strict=True))
    except RedisUnavailable:
        return {}


def others(slug: str, watcher: str) -> int | None:
    """How many look on beside this one; None where that is not known."""
    now = time.time()
    try:
        with link().guarded() as client:
            pipe = client.pipeline(transaction=False)
            pipe.zcount(_key(slug), now, "+inf")
            pipe.zscore(_key(slug), watcher)
            members, until = pipe.execute()
    except RedisUnavailable:
        return None
    return int(members) - (until is not None and float(until) >= now)


def stay(watchers_by_slug: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Note who looks on at which table, and say how many do, elsewhere too; empty without Redis."""
    if not watchers_by_slug:
        return {}
    now = time.time()
    try:
        with link().guarded() as client:
            pipe = client.pipeline(transaction=False)
            for slug, watchers in watchers_by_slug.items():
                if watchers:
                    pipe.zremrangebyscore(_key(slug), "-inf", f"({now}")
                    pipe.zadd(_key(slug), dict.fromkeys(watchers, now + EXPIRY))
                    pipe.expire(_key(slug), int(EXPIRY) + 1)
            for slug in watchers_by_slug:
                pipe.zcount(_key(slug), now, "+inf")
            return dict(
                zip(watchers_by_slug, pipe.execute()[-len(watchers_by_slug) :], strict=True)
            )
    except RedisUnavailable:
        return {}


def _key(slug: str) -> str:
    return f"riffle:watching:{slug}"
