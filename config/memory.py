"""A bound for the memory of a worker that is a single process, as those of ``make run`` are.

Celery's own bound (``CELERY_WORKER_MAX_MEMORY_PER_CHILD``) is for pools of processes alone. Here
the whole worker ends between two tasks, and whoever watches it starts it again.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from typing import Any

import structlog
from celery import bootsteps
from celery.concurrency.solo import TaskPool
from celery.signals import task_postrun
from celery.worker import state

logger = structlog.get_logger(__name__)


def resident() -> int:
    """How much memory this process has, in KiB; what it once had at most, where that is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most // 1024 if sys.platform == "darwin" else most
    return pages * resource.getpagesize() // 1024


class MemoryBound(bootsteps.StartStopStep):
    """Ends a worker of one process when a task has left it larger than it may be."""

    label = "Memory bound"
    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.most: int = worker.max_memory_per_child or 0
        self.enabled = self.most > 0 and issubclass(worker.pool_cls, TaskPool)

    def start(self, worker: Any) -> None:
        task_postrun.connect(self.look, weak=False)

    def look(self, **_: Any) -> None:
        """After a task: the worker confirms it, and takes no other one if it has grown too far."""
        size = resident()
        if size > self.most and state.should_stop is None:
            logger.info("worker makes room for a fresh one", kib=size, most=self.most)
            setattr(state, "should_stop", 0)  # noqa: B010  (its type says None)
