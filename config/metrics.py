"""Numbers for Prometheus at ``/metrics``."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError
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

from config.queues import QUEUES
from core import outbox, replica
from core.redis_client import RedisUnavailable, link, tasks_link

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


class Backlog:
    """If Redis answers at this moment, and how much work waits; numbers nobody knows are left out.

    Each web process would say the same, so these are not added up over processes.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The families for Prometheus."""
        up = GaugeMetricFamily("riffle_redis_up", "Whether Redis answers", value=0)
        waiting = GaugeMetricFamily(
            "riffle_tasks_waiting", "Tasks waiting for a worker", labels=["queue"]
        )
        try:
            with tasks_link().guarded() as client:
                pipeline = client.pipeline(transaction=False)
                for queue in QUEUES:
                    pipeline.llen(queue)
                for queue, length in zip(QUEUES, pipeline.execute(), strict=True):
                    waiting.add_metric([queue], length)
            if link().answers():
                up = GaugeMetricFamily("riffle_redis_up", "Whether Redis answers", value=1)
        except RedisUnavailable:
            pass
        yield from (up, waiting)
        yield from self._replica()
        try:
            seconds = outbox.oldest_unread().total_seconds()
        except DatabaseError:
            return
        yield GaugeMetricFamily(
            "riffle_outbox_oldest_seconds",
            "Age of the oldest finished match that packs, ratings and the like have not read",
            value=seconds,
        )

    def _replica(self) -> Iterator[GaugeMetricFamily]:
        if not replica.is_configured():
            return
        try:
            seconds = replica.lag()
        except DatabaseError:
            return
        yield GaugeMetricFamily(
            "riffle_replica_lag_seconds",
            "Time since the last transaction that the replica has replayed",
            value=seconds,
        )


def _backlog() -> bytes:
    registry = CollectorRegistry()
    registry.register(Backlog())
    return generate_latest(registry)


def metrics(request: HttpRequest) -> HttpResponse:
    """Metrics for Prometheus. Outside the embedded site: 404 without ``METRICS_TOKEN``."""
    if not settings.EMBEDDED or settings.METRICS_TOKEN:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        wanted = settings.METRICS_TOKEN
        if not wanted or not hmac.compare_digest(token.encode(), wanted.encode()):
            raise Http404
    return HttpResponse(generate_latest(_registry()) + _backlog(), content_type=CONTENT_TYPE_LATEST)
