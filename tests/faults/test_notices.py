"""A worker is killed while it sends a notice: nothing is lost, and at worst a mail comes twice."""

from __future__ import annotations

import os
import signal
import threading
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from notices.channels import registry
from notices.channels.mail import Mail
from notices.kinds import Kind
from notices.services import sending
from notices.services.notices import notify
from tests.support.smtp import MailServer

PATIENCE = 60


class Stalling(MailServer):
    """It keeps one client waiting, before its mail is taken or after it, until that is killed."""

    def __init__(self, *, after: bool) -> None:
        self.after, self.reached, self.go_on = after, threading.Event(), threading.Event()
        super().__init__()

    def wait(self) -> None:
        self.reached.set()
        self.go_on.wait(PATIENCE)

    def before_mail(self) -> None:
        if not self.after:
            self.wait()

    def after_mail(self) -> None:
        if self.after:
            self.wait()


@pytest.mark.parametrize("after", [False, True], ids=["before it is taken", "after it is taken"])
def test_a_worker_is_killed_in_the_middle_of_a_mail(
    after: bool, transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Stalling(after=after)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.MAIL_IS_SENT = True
    monkeypatch.setattr(registry, "_channels", {"mail": Mail()})
    monkeypatch.setattr("notices.services.notices.enqueue", lambda *_: True)
    mira = User.objects.create_user("mira", "mira@example.org")
    EmailAddress.objects.create(user=mira, email=mira.email, primary=True, verified=True)
    notify([mira.pk], Kind.TRADE, text="Ann offers you a trade.", link="/trades/x/", key="x")
    assert sending.due_people() == [mira.pk]
    connections.close_all()
    worker = os.fork()
    if worker == 0:
        try:
            sending.send_notices(mira.pk)
        finally:
            os._exit(1)
    server.start()
    try:
        assert server.reached.wait(PATIENCE)
        assert sending.send_notices(mira.pk) == 0, "the other worker has it"
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        server.go_on.set()
        soon = timezone.now() + sending.LEASE / 2
        assert sending.due_people(now=soon) == []
        later = timezone.now() + sending.LEASE + timedelta(seconds=1)
        assert sending.due_people(now=later) == [mira.pk]
        assert sending.send_notices(mira.pk, now=later) == 1
        assert sending.due_people(now=later + timedelta(days=1)) == []
    finally:
        server.stop()
    ids = [mail["Message-ID"] for mail in server.mails]
    assert len(ids) == (2 if after else 1)
    assert len(set(ids)) == 1, "a mail that comes twice says that it is the same"
