"""Messages that a killed worker took and did not confirm."""

from __future__ import annotations

from typing import Any

import structlog
from django.conf import settings
from kombu import Connection

from config.queues import broker_keys

logger = structlog.get_logger(__name__)


def requeue(name: str) -> None:
    """Put back into their queues the messages that lie under a worker's name, and under none."""
    for worker in (name, ""):
        options: dict[str, Any] = {"visibility_timeout": 0, **broker_keys(worker)}
        try:
            with Connection(settings.CELERY_BROKER_URL, transport_options=options) as connection:
                channel: Any = connection.default_channel
                channel.qos.restore_visible(num=None, interval=1)
        except Exception:
            logger.exception("held messages could not be given back")
