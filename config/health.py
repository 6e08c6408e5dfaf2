"""``/healthz``: this process lives. ``/readyz``: it can also reach and write what it needs.

The gateway answers the first by itself and gives the second threads and a time of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from config.compiled_engine import engine_build
from config.disk import write_error
from core import replica
from core.redis_client import RedisUnavailable, link, tasks_link

log = structlog.get_logger("riffle.health")


def healthz() -> HttpResponse:
    """Answer at once and ask nobody: a slow database must not get a web process restarted."""
    return HttpResponse(
        "ok\n", content_type="text/plain", headers={"Cache-Control": "no-cache, no-store"}
    )


def not_in_time() -> JsonResponse:
    """The answer to a probe that takes too long."""
    return JsonResponse({"ready": False, "probe": "not answered in time"}, status=503)


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> None:
    if not link().answers():
        raise RedisUnavailable


DISK_SECONDS = 5.0
"""A disk is not written to more often than this, however often anybody asks."""
_disk_checked: tuple[float, str] = (0.0, "")


def _disk() -> None:
    """The folder for everything that is written: on a laptop the database lies there, too."""
    global _disk_checked
    now = time.monotonic()
    until, problem = _disk_checked
    if now >= until:
        problem = write_error(settings.VAR_DIR)
        _disk_checked = now + DISK_SECONDS, problem
    if problem:
        raise OSError(problem)


def _tasks() -> None:
    if not tasks_link().answers():
        raise RedisUnavailable


def _replica() -> None:
    replica.lag()


CHECKS: dict[str, Callable[[], None]] = {"database": _database, "redis": _redis, "disk": _disk}
if settings.TASKS_REDIS_URL != settings.REDIS_URL:
    CHECKS["tasks"] = _tasks
if replica.is_configured():
    CHECKS["replica"] = _replica
NEEDED = {"database", "disk"}
"""Pages go on without the others; with one of them in here its absence would take the site off."""
FAILURES = {"disk": "not writable"}
"""How a failed check is named; the others are "unreachable"."""


@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when pages can be served, else 503; names what fails (the log says why).

    ``engine`` says how the rules run: "compiled" or "pure".
    """
    results: dict[str, str] = {}
    for name, check in CHECKS.items():
        try:
            check()
            results[name] = "ok"
        except Exception as error:
            log.warning("not ready", check=name, error=str(error))
            results[name] = FAILURES.get(name, "unreachable")
    ready = all(results[name] == "ok" for name in NEEDED)
    answer = {"ready": ready, **results, "engine": engine_build()}
    return JsonResponse(answer, status=200 if ready else 503)
