"""Periodic work for people's things; thin calls, safe to repeat."""

from __future__ import annotations

from celery import shared_task

from accounts import idempotency, outbox, services
from accounts.background import enqueue
from accounts.channels import browsers, hooks
from accounts.models import User
from accounts.notices import keeping, sending


@shared_task
def forget_keys() -> None:
    """Drop the keys of requests whose time is over."""
    idempotency.forget_keys()


@shared_task
def forget_notices() -> None:
    """Drop the notices that were seen long ago."""
    keeping.forget_old()


@shared_task(acks_late=True)
def read_match(unread: int) -> None:
    """Let one subscriber read one finished match."""
    outbox.read(unread)


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
    """Find what a crash left unread, what is to be tried again, and whom to tell something."""
    for unread in outbox.overdue():
        enqueue(read_match, unread)
    for user in services.unfinished_closings():
        enqueue(finish_closing, user)
    for person in sending.due_people():
        enqueue(send_notices, person)
    for person in hooks.untested():
        enqueue(try_hook, person)
    for person in browsers.untested():
        enqueue(try_browsers, person)


@shared_task(acks_late=True)
def finish_closing(user: int) -> None:
    """Delete what hangs on an account that was deleted."""
    row = User.objects.filter(pk=user).first()
    if row is not None:
        services.finish_closing(user=row)
