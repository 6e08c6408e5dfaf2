"""A web hook of somebody's own: saved, tried, called."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from core.background import after_commit, enqueue
from core.serializers import Doc
from notices.channels import calls, messages, signing
from notices.channels.calls import AddressRefused, CallFailed, checked
from notices.channels.messages import Matter, Message
from notices.errors import BadAddress, NoHook
from notices.models.channels import HookShape, WebHook
from notices.services import sending
from notices.services.limits import LEASE, count_test

logger = structlog.get_logger(__name__)

CHANNEL = "hook"
"""The slug of this channel."""
_BODIES: Mapping[HookShape, Callable[[Message], bytes]] = {
    HookShape.DISCORD: messages.for_discord,
    HookShape.SLACK: messages.for_slack,
    HookShape.NTFY: messages.for_ntfy,
    HookShape.TELEGRAM: messages.for_telegram,
    HookShape.JSON: messages.for_program,
}


class Gone(Exception):
    """The other side wants to be called no more."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A person's webhook, without its secrets."""

    shape: HookShape
    server: Annotated[str, Doc("The server that is called. The whole address is a secret.")]
    saved_at: datetime
    works: Annotated[bool, Doc("Whether it has answered a test well; only then it is used.")]
    test: Annotated[str, Doc("How the last test went.", choices=["waits", "good", "bad"])]
    problem: Annotated[str, Doc("What went wrong in it.")]
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewHook:
    """A web hook that was just saved."""

    hook: Hook
    secret: Annotated[str, Doc("Signs the messages to a program. It is not shown again.")]


def hook_of(user: User) -> WebHook | None:
    """The person's web hook."""
    return WebHook.objects.filter(person=user).first()


def shown(hook: WebHook) -> Hook:
    """The part of a hook that may be displayed again."""
    test = "waits" if hook.is_tested_now else "bad" if hook.test_error else "good"
    return Hook(
        shape=HookShape(hook.shape),
        server=urlsplit(hook.url).netloc,
        saved_at=hook.saved_at,
        works=hook.proven_at is not None,
        test=test,
        problem=hook.test_error,
        sent_at=hook.sent_at,
    )


@transaction.atomic
def save_hook(*, user: User, shape: str, url: str, address: str = "") -> WebHook:
    """Have this address called from now on, once it has answered a test well.

    It takes the place of the one before. For a program there is a new secret each time. ``address``
    is where the request comes from. Raises ``BadAddress`` and ``TooManyTests``.
    """
    url = url.strip()
    try:
        checked(url)
    except AddressRefused as refusal:
        raise BadAddress(str(refusal)) from refusal
    count_test(user, address)
    now = timezone.now()
    hook, _ = WebHook.objects.update_or_create(
        person=user,
        defaults={
            "shape": HookShape(shape),
            "url": url,
            "secret": signing.new_secret() if shape == HookShape.JSON else "",
            "saved_at": now,
            "test_due_at": now,
            "tested_at": None,
            "test_error": "",
            "proven_at": None,
            "sent_at": None,
        },
    )
    after_commit(enqueue, "notices.tasks.try_hook", user.pk)
    return hook


@transaction.atomic
def ask_for_test(*, user: User, address: str = "") -> WebHook:
    """Have the hook tried once more; ``address``: where the request comes from.

    Raises ``NoHook`` and ``TooManyTests``.
    """
    hook = WebHook.objects.select_for_update().filter(person=user).first()
    if hook is None:
        raise NoHook
    if not hook.is_tested_now:
        count_test(user, address)
        hook.test_due_at = timezone.now()
        hook.save(update_fields=["test_due_at"])
        after_commit(enqueue, "notices.tasks.try_hook", user.pk)
    return hook


def remove_hook(*, user: User) -> bool:
    """Call that address no more. False where there was none."""
    deleted, _ = WebHook.objects.filter(person=user).delete()
    return bool(deleted)


def untested(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Whose hooks wait for a test: newly saved, or their worker died over it."""
    rows = WebHook.objects.filter(test_due_at__lte=now or timezone.now())
    return list(rows.order_by("test_due_at").values_list("pk", flat=True)[:limit])


def try_hook(person: int, *, now: datetime | None = None) -> bool:
    """Try somebody's hook if a test waits, and write down how it went; False where none waits."""
    now = now or timezone.now()
    lease = now + LEASE
    rows = WebHook.objects.filter(person=person, test_due_at__lte=now)
    if not rows.update(test_due_at=lease):
        return False
    # As it was claimed: who saves it anew meanwhile has another test of it.
    claimed = WebHook.objects.filter(person=person, test_due_at=lease)
    hook = claimed.select_related("person").first()
    if hook is None:
        return False
    try:
        call(hook, _test_message(hook, now), f"msg_{secrets.token_hex(16)}")
    except (CallFailed, Gone) as failure:
        logger.info("hook_test_failed", person=person, why=str(failure))
        claimed.update(test_due_at=None, tested_at=now, test_error=str(failure)[:300])
    else:
        proven = hook.proven_at or now
        claimed.update(test_due_at=None, tested_at=now, test_error="", proven_at=proven)
        sending.switch_on_again(person, CHANNEL)
    return True


def tell(hook: WebHook, message: Message, name: str) -> None:
    """Tell a hook something, and note that it was told. Raises as ``call``."""
    call(hook, message, name)
    WebHook.objects.filter(pk=hook.pk, saved_at=hook.saved_at).update(sent_at=timezone.now())


def _test_message(hook: WebHook, now: datetime) -> Message:
    link = settings.SITE_URL + reverse("notices:web-hook")
    text = "This is a test: Riffle can tell you things here."
    person = hook.person.username
    return Message("hook.test", person, [Matter("test", "test", text, link)], link, now)


def call(hook: WebHook, message: Message, name: str) -> None:
    """Call the hook with a message of this name.

    Raises ``CallFailed`` where it did not answer well, and ``Gone`` where it never will.
    """
    body = _BODIES[HookShape(hook.shape)](message)
    text = hook.shape == HookShape.NTFY
    headers = {"Content-Type": "text/plain; charset=utf-8" if text else "application/json"}
    if hook.shape == HookShape.JSON:
        timestamp = int(timezone.now().timestamp())
        headers |= signing.signed(secret=hook.secret, message=name, timestamp=timestamp, body=body)
    reply = calls.outside().post(hook.url, body, headers)
    if reply.status == 410 or (reply.status == 404 and hook.shape == HookShape.DISCORD):
        raise Gone(f"{reply.words} That means: do not call again.")
    if not reply.good:
        raise CallFailed(reply.words)
