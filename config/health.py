"""``/healthz``: this process lives. ``/readyz``: it can also reach what it needs."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

log = structlog.get_logger("riffle.health")


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer at once and ask nobody: a slow database must not get a web process restarted."""
    return HttpResponse("ok\n", content_type="text/plain")


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> None:
    cache.get("readyz")


CHECKS: dict[str, Callable[[], None]] = {"database": _database, "redis": _redis}


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when everything answers, else 503 and what does not (the reason is in the log)."""
    found: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            check()
            found[name] = "ok"
        except Exception as error:
            log.warning("not ready", check=name, error=str(error))
            found[name] = "unreachable"
    ready = all(state == "ok" for state in found.values())
    return JsonResponse({"ready": ready, **found}, status=200 if ready else 503)
