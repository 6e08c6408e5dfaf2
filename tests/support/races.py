"""Several threads at the same moment: people, tabs and workers that get in each other's way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections

PATIENCE = 120


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Run the jobs in threads of their own from one moment; results or exceptions, in order."""
    results: list[Any] = [None] * len(jobs)
    start = threading.Barrier(len(jobs))

    def run(number: int, job: Callable[[], Any]) -> None:
        try:
            start.wait(30)
            results[number] = job()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not [thread for thread in threads if thread.is_alive()], "They wait for each other."
    return results
