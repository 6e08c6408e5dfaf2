"""``/healthz``: this process lives. ``/readyz``: it can also reach what it needs.

The door answers the first by itself and gives the second threads and a time of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from core.redis_client import RedisUnavailable, link

log = structlog.get_logger("riffle.health")


def healthz() -> HttpResponse:
    """Answer at once and ask nobody: a slow database must not get a web process restarted."""
    return HttpResponse(
        "ok\n", content_type="text/plain", headers={"Cache-Control": "no-cache, no-store"}
    )


def not_in_time() -> JsonResponse:
    """What a probe gets when its own answer takes too long."""
    return JsonResponse({"ready": False, "probe": "not answered in time"}, status=503)


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> None:
    if not link().answers():
        raise RedisUnavailable


CHECKS: dict[str, Callable[[], None]] = {"database": _database, "redis": _redis}
NEEDED = {"database"}
"""Pages go on without Redis; with it in here its absence would take the whole site off."""


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when pages can be served, else 503; names what does not answer (the log says why)."""
    found: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            check()
            found[name] = "ok"
        except Exception as error:
            log.warning("not ready", check=name, error=str(error))
            found[name] = "unreachable"
    ready = all(found[name] == "ok" for name in NEEDED)
    return JsonResponse({"ready": ready, **found}, status=200 if ready else 503)
