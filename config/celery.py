"""The Celery application: ``celery -A config worker``, ``celery -A config beat``.

``celery -A config worker --clock`` is a worker with the clock in it, for a site with one worker.
"""

from __future__ import annotations

import os
from functools import cached_property
from typing import Any, Self

import click
import kombu
from celery import Celery
from celery.app.amqp import AMQP
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]
from celery.signals import setup_logging, worker_init
from django.db import close_old_connections

from config.queues import broker_keys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A worker checks nothing of the web: that takes 20 MB, and half a second of each start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

RECONNECT = 1


class PatientConnection(kombu.Connection):
    """Tries again every second. By itself it waits longer each time, up to half a minute."""

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Self:
        """Connect, however often that has to be tried."""
        pauses = {"interval_start": RECONNECT, "interval_step": 0, "interval_max": RECONNECT}
        return super().ensure_connection(*args, **pauses | kwargs)


class Broker(AMQP):
    """How workers and beat reach Redis."""

    Connection = PatientConnection


class KeptConnections(DjangoWorkerFixup):
    """A task leaves its connection to the database to the next one, as a request does.

    Celery would close it before and after each task, whatever ``CONN_MAX_AGE`` says.
    """

    def close_database(self, **_: Any) -> None:
        """Close what has failed or is old."""
        close_old_connections()


class DjangoOnCelery(DjangoFixup):
    """Celery's own fixup, whose workers keep connections."""

    @cached_property
    def worker_fixup(self) -> DjangoWorkerFixup:
        return KeptConnections(self.app)


def on_django(app: Celery) -> DjangoFixup:
    """Have Celery use Django."""
    known = DjangoOnCelery(app)
    known.install()
    return known


app = Celery("riffle", amqp=Broker, fixups=["config.celery:on_django"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["config"])


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Having a receiver is the point: Celery then leaves the logging of the settings alone."""


app.user_options["worker"].add(
    click.Option(("--clock",), is_flag=True, help="Have the clock (beat) in this worker.")
)
app.steps["worker"].update({"config.clock:Clock", "config.memory:MemoryBound"})


@worker_init.connect
def take_back(**_: Any) -> None:
    """Keep this worker's messages under its name, and requeue those that its predecessor held.

    Only for a worker that has a name (``RIFFLE_WORKER``): the supervisor gives each of its own one,
    and starts it when the last one of that name has ended. So nothing is taken from anybody alive.
    On a Redis that several may share, messages come back by the visibility timeout.
    """
    from config.unacked import requeue

    if name := os.environ.get("RIFFLE_WORKER"):
        app.conf.broker_transport_options |= broker_keys(name)
        requeue(name)
