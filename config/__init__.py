"""The project: settings, addresses, servers, logs."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
