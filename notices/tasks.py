"""Notifications sent and forgotten. Thin calls, safe to repeat."""

from __future__ import annotations

from celery import shared_task

from core.background import enqueue
from notices.services import browsers, hooks, retention, sending


@shared_task
def forget_notices() -> None:
    """Drop the notices that were seen long ago."""
    retention.forget_old()


@shared_task(acks_late=True)
def send_notices(person: int) -> None:
    """Send somebody what they are to be told by now, by mail."""
    sending.send_notices(person)


@shared_task(acks_late=True)
def call_out(person: int) -> None:
    """Send somebody what they are to be told by now, by browsers and web hook."""
    sending.send_notices(person, calls_out=True)


@shared_task(acks_late=True)
def try_hook(person: int) -> None:
    """Call a web hook that was saved, and see whether it answers."""
    hooks.try_hook(person)


@shared_task(acks_late=True)
def try_browsers(person: int) -> None:
    """Send somebody's browsers the test that was asked for."""
    browsers.try_browsers(person)


@shared_task(acks_late=True, expires=30)
def sweep() -> None:
    """Send what is due, and try receivers that a crash left untested."""
    for person in sending.due_people():
        enqueue(send_notices, person)
    for person in hooks.untested():
        enqueue(try_hook, person)
    for person in browsers.untested():
        enqueue(try_browsers, person)
