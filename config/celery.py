"""The Celery application: ``celery -A config worker``, ``celery -A config beat``."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("riffle")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["config"])


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Having a receiver is the point: Celery then leaves the logging of the settings alone."""
