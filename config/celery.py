"""The Celery application: ``celery -A config worker``, ``celery -A config beat``."""

from __future__ import annotations

import os
from typing import Any, Self

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

RECONNECT = 2


class PatientConnection(kombu.Connection):
    """Tries again every two seconds. By itself it waits longer each time, up to half a minute."""

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Self:
        """Connect, however often that has to be tried."""
        pauses = {"interval_start": RECONNECT, "interval_step": 0, "interval_max": RECONNECT}
        return super().ensure_connection(*args, **pauses | kwargs)


class Broker(AMQP):
    """How workers and beat reach Redis."""

    Connection = PatientConnection


app = Celery("riffle", amqp=Broker)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["config"])


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Having a receiver is the point: Celery then leaves the logging of the settings alone."""
