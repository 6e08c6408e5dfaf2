"""The clock inside a worker: ``celery -A config worker --clock``."""

from __future__ import annotations

import threading
from typing import Any

import structlog
from celery import bootsteps
from celery.beat import EmbeddedService
from celery.worker import state

logger = structlog.get_logger(__name__)


class Clock(bootsteps.StartStopStep):
    """Beat as a thread of the worker instead of a process of its own, which takes 100 MB.

    Celery's own ``--beat`` is a process, too. Should the thread end, so does the worker: a site
    without a clock would be noticed by nobody.
    """

    label = "Clock"
    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, clock: bool = False, **options: Any) -> None:
        super().__init__(worker, **options)
        self.enabled = clock
        self.service: Any = None

    def start(self, worker: Any) -> None:
        self.service = EmbeddedService(worker.app, max_interval=1, thread=True)
        self.service.start()
        threading.Thread(target=self._watch, name="clock-watch", daemon=True).start()

    def _watch(self) -> None:
        self.service.join()
        if not self.service.service._is_shutdown.is_set():
            logger.error("the clock has stopped, so the worker ends")
            setattr(state, "should_stop", 1)  # noqa: B010  (its type says None)

    def stop(self, worker: Any) -> None:
        self.service.stop()

    def terminate(self, worker: Any) -> None:
        self.stop(worker)
