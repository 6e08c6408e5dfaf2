"""Numbers for Prometheus at ``/metrics``."""

from __future__ import annotations

import hmac
import os

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from core.redis_client import RedisUnavailable, link

METHODS = {"GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE", "CONNECT"}
REQUESTS = Counter("riffle_http_requests_total", "Requests answered", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("riffle_http_request_seconds", "Time to answer", ["route"])


def method_label(method: str | None) -> str:
    """A request's method; a label for every word that a stranger invents would fill the memory."""
    return method if method in METHODS else "other"


def _registry() -> CollectorRegistry:
    """Several web processes put their numbers together in ``PROMETHEUS_MULTIPROC_DIR``."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)
        return registry
    return REGISTRY


def _redis() -> bytes:
    """Whether Redis answers at this moment and, if so, how many tasks wait in Celery's queue."""
    up = GaugeMetricFamily("riffle_redis_up", "Whether Redis answers", value=0)
    waiting = GaugeMetricFamily("riffle_tasks_waiting", "Tasks waiting for a worker")
    try:
        with link().asking() as client:
            waiting.add_metric([], client.llen("celery"))
            up = GaugeMetricFamily("riffle_redis_up", "Whether Redis answers", value=1)
    except RedisUnavailable:
        pass  # a number that nobody knows is left out

    class Once:
        def collect(self) -> list[GaugeMetricFamily]:
            return [up, waiting]

    registry = CollectorRegistry()
    registry.register(Once())
    return generate_latest(registry)


def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers. Outside the embedded site they need the token; without one there is no page."""
    if not settings.EMBEDDED or settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        wanted = settings.METRICS_TOKEN
        if not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
            raise Http404
    return HttpResponse(generate_latest(_registry()) + _redis(), content_type=CONTENT_TYPE_LATEST)
