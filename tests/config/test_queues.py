"""Queues and workers: every task has a queue, and every set-up has a worker for every queue."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from django.db import connections

from config import queues
from config.celery import app

pytestmark = pytest.mark.embedded

ROOT = Path(__file__).resolve().parents[2]
WORKER = re.compile(r"celery -A config worker[^\n|#`]*")


def taken(command: str) -> set[str]:
    """A worker takes the queues of its command line, else all."""
    words = shlex.split(command)
    return set(words[words.index("-Q") + 1].split(",")) if "-Q" in words else set(queues.QUEUES)


def workers() -> dict[str, list[set[str]]]:
    """The workers of each set-up that somebody may start."""
    values = {
        name: [taken(command) for command in WORKER.findall((ROOT / name).read_text("utf-8"))]
        for name in ("Procfile", "README.md", "docs/operations.md")
    }
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    commands = [service.get("command") or [] for service in compose["services"].values()]
    values["compose.yaml"] = [
        taken(shlex.join(command)) for command in commands if "worker" in command
    ]
    values["make run"] = [set(each) for each in queues.EMBEDDED.values()]
    return values


def test_every_task_has_a_queue() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours == set(queues.ROUTES)
    for name, queue in queues.ROUTES.items():
        assert app.amqp.router.route({}, name)["queue"].name == queue


def test_whoever_is_told_no_queue_takes_all() -> None:
    assert set(app.amqp.queues.consume_from) == set(queues.QUEUES)


@pytest.mark.django_db
def test_a_task_leaves_its_connection_to_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is as old as the settings say."""
    connection, closed = connections["default"], list[bool]()
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    monkeypatch.setattr(connection, "get_autocommit", lambda: True)  # but for the test's own
    for close_at, closes in ((None, []), (0, [True])):
        monkeypatch.setattr(connection, "close_at", close_at)
        app._fixups[0].worker_fixup.close_database()
        assert closed == closes


@pytest.mark.parametrize("name", sorted(workers()))
def test_every_queue_has_a_worker(name: str) -> None:
    workers_result = workers()[name]
    assert workers_result, "no worker is started here"
    assert set().union(*workers_result) == set(queues.QUEUES)


@pytest.mark.parametrize("name", ["make run", "Procfile", "compose.yaml", "README.md"])
def test_nobody_at_a_table_waits_for_a_list_or_for_another_server(name: str) -> None:
    assert [each for each in workers()[name] if queues.PLAY in each] == [{queues.PLAY}]


def test_what_the_clock_sends_has_a_queue() -> None:
    from django.conf import settings

    sent = {row["task"] for row in settings.CELERY_BEAT_SCHEDULE.values()}
    assert sent <= set(queues.ROUTES)
    # What finds waiting bots and clocks does not itself wait for files.
    assert queues.ROUTES["matches.tasks.sweep"] == queues.PLAY
    assert queues.FILES not in {queues.ROUTES[task] for task in sent}
