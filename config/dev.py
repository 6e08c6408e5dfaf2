"""The site while somebody works on it: ``make dev``.

It is the site of ``make run``, with tracebacks in the browser. Templates, CSS and JavaScript are
read anew at each request. When code changes, the web server loads it into a new process behind the
same port, so that a page asked for meanwhile waits and does not fail, and the worker starts again.
Django's own ``runserver`` would not do: it has no streams, by which tables hear of each move.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from config import embedded, queues
from config.supervisor import WEB_OPTIONS, Child, Supervisor, main

SUFFIXES = (".py", ".toml", ".md")
"""Of files that a process reads once."""
RELOAD_OPTIONS = ("--respawn-interval", "0.01", "--workers-kill-timeout", "1")
"""The old process goes as soon as the new one comes."""

WORKER_PAUSE = 2.0
"""Seconds that the worker leaves to the web server, which somebody is looking at."""


def packages() -> list[Path]:
    """The folders with the site's code."""
    folders = (path.parent for path in embedded.BASE_DIR.glob("*/__init__.py"))
    return [folder for folder in folders if folder.name not in {"tests", "bench"}]


class Sources:
    """Files of code, and which of them have changed since the last look."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self.seen = dict(self._look())

    def _look(self) -> Iterator[tuple[str, int]]:
        stack = [str(folder) for folder in self.folders]
        while stack:
            try:
                with os.scandir(stack.pop()) as entries:
                    for entry in entries:
                        if entry.name.endswith(SUFFIXES):
                            yield entry.path, entry.stat().st_mtime_ns
                        elif entry.is_dir() and entry.name not in {"__pycache__", "migrations"}:
                            stack.append(entry.path)
            except FileNotFoundError:
                continue  # an editor has just put another one in its place

    def changed(self) -> list[str]:
        """Files that are new, gone or written since the last call."""
        now = dict(self._look())
        changed = {path for path, _ in now.items() ^ self.seen.items()}
        self.seen = now
        return sorted(changed)


@dataclass
class DevSupervisor(Supervisor):
    """The site of one ``var`` folder, following its sources."""

    sources: Sources = field(default_factory=lambda: Sources(packages()))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.environment.setdefault("DEBUG", "1")

    def _add_programs(self) -> None:
        python = sys.executable
        self._add(
            "web",
            [python, "-m", "config.preloaded", *WEB_OPTIONS, *RELOAD_OPTIONS, "--host", self.host]
            + ["--port", str(self.port), "config.asgi:application"],
        )
        # One worker for all queues: the machine has more to do at each change than to carry.
        self._add(
            "worker",
            [python, "-m", "celery", "-A", "config", "worker", "-P", "solo", "-n", "dev@%h"]
            + ["--clock", "--without-gossip", "--without-mingle", "--loglevel", "INFO"],
            {
                "CELERY_SKIP_CHECKS": "1",
                "RIFFLE_WORKER": queues.PLAY if self.own_tasks else "",
            },
        )

    def _tend(self) -> None:
        if changed := self.sources.changed():
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            name = os.path.relpath(changed[0], embedded.BASE_DIR)
            print(f"{name}{more} changed; loading it.", flush=True)
            for child in self.children:
                if child.name != "redis":
                    self._reload(child)
        super()._tend()

    def _reload(self, child: Child) -> None:
        child.due = time.monotonic()
        if child.process is None or child.has_ended():
            return
        if child.name == "web":
            child.process.send_signal(signal.SIGHUP)
        else:
            # What it was at is not confirmed, so the next one does it again.
            child.bury()
            child.due = time.monotonic() + WORKER_PAUSE

    def _note_end(self, child: Child) -> None:
        if child.name == "redis":
            super()._note_end(child)
            return
        child.bury()
        print(f"{child.name} has ended and waits for a change:\n{child.last_words()}", flush=True)
        child.due = float("inf")


if __name__ == "__main__":
    sys.exit(main(DevSupervisor))
