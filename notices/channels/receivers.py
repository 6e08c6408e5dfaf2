"""The two channels of notices that are here: browsers (web push), and a web hook of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from notices.channels import registry
from notices.channels.calls import CallFailed
from notices.channels.mail import until_when
from notices.channels.messages import Matter, Message
from notices.channels.registry import NotSent, Unreachable
from notices.models.channels import PushBrowser, WebHook
from notices.models.notices import Notice, Pace
from notices.services import browsers, hooks


class BrowserChannel:
    """Every browser in which somebody has switched messages on."""

    slug, name = "push", "Push"
    paces: Sequence[Pace] = (Pace.NOW, Pace.DAILY, Pace.NEVER)
    # Browsers come and go by themselves, each on its own account.
    gives_up_after: timedelta | None = None
    calls_out = True
    waits_for_visit = True

    def reaches(self, person: User) -> bool:
        return PushBrowser.objects.filter(person=person).exists()

    def send(self, person: User, notices: Sequence[Notice], *, message_id: str) -> None:
        try:
            browsers.tell(person, message_of(person, notices))
        except CallFailed as failure:
            raise NotSent(str(failure)) from failure


class HookChannel:
    """The address that somebody has called."""

    slug, name = hooks.CHANNEL, "Webhook"
    paces: Sequence[Pace] = (Pace.NOW, Pace.DAILY, Pace.NEVER)
    gives_up_after: timedelta | None = timedelta(hours=24)
    calls_out = True
    # A program that plays opens no page, and wants to be woken for each table.
    waits_for_visit = False

    def reaches(self, person: User) -> bool:
        return WebHook.objects.filter(person=person, proven_at__isnull=False).exists()

    def send(self, person: User, notices: Sequence[Notice], *, message_id: str) -> None:
        hook = WebHook.objects.filter(person=person, proven_at__isnull=False).first()
        if hook is None:  # removed, or saved anew, since it was asked whether it is there
            return
        try:
            hooks.tell(hook, message_of(person, notices), f"msg_{message_id}")
        except hooks.Gone as reason:
            raise Unreachable(str(reason)) from reason
        except CallFailed as failure:
            raise NotSent(str(failure)) from failure


def message_of(person: User, notices: Sequence[Notice]) -> Message:
    """One message for all of them."""
    matters = [
        Matter(
            name=f"{notice.pk}@{notice.since.isoformat()}",
            kind=notice.told_as,
            text=notice.full_text,
            link=settings.SITE_URL + notice.link,
            match=notice.match,
            deadline=notice.deadline_at,
            until="" if notice.deadline_at is None else until_when(notice.deadline_at, person),
        )
        for notice in notices
    ]
    link = settings.SITE_URL + reverse("notices:list")
    at = max(notice.since for notice in notices)
    return Message("notices.due", person.username, matters, link, at)


def register() -> None:
    """Have notices told by them; when the app is loaded."""
    registry.register(BrowserChannel())
    registry.register(HookChannel())
