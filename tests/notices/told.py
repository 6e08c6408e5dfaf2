"""A channel that keeps what it is given, and a clock that stands, for the tests of notices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from notices.channels import registry
from notices.models.notices import Notice, Pace
from notices.services import sending

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Post:
    """A channel: what it sent, and what it does instead when it is told to fail."""

    slug, name = "post", "Post"
    paces: Sequence[Pace] = (Pace.NOW, Pace.DAILY, Pace.NEVER)
    gives_up_after: timedelta | None = None
    calls_out = False
    waits_for_visit = True

    def __init__(self) -> None:
        self.sent: list[tuple[str, list[str]]] = []
        self.ids: list[str] = []
        self.fails: list[Exception] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def reaches(self, person: User) -> bool:
        return not person.is_guest

    def send(self, person: User, notices: Sequence[Notice], *, message_id: str) -> None:
        self.meanwhile()
        if self.fails:
            raise self.fails.pop()
        self.sent.append((person.username, [notice.full_text for notice in notices]))
        self.ids.append(message_id)


class Clock:
    """The time that Django tells; it stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)

    def pass_by(self, **time: float) -> None:
        """Move on, and have the sweep's work done."""
        self.later(**time)
        self.sweep()

    def sweep(self) -> None:
        for person in sending.due_people():
            sending.send_notices(person)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(timezone, "now", moved)
    return moved


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Post:
    """The only channel there is; and no deadlines but those that were given."""
    only = Post()
    monkeypatch.setattr(sending, "_deadlines", [])
    monkeypatch.setattr(registry, "_channels", {"post": only})
    return only
