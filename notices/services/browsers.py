"""Browsers that take messages while no page is open: added, removed, told."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.queries.devices import described
from core.background import after_commit, enqueue
from notices.channels import calls, messages, push
from notices.channels.calls import AddressRefused, CallFailed, checked
from notices.channels.messages import Matter, Message
from notices.errors import BadAddress, NoBrowser
from notices.models.channels import PushBrowser
from notices.services.limits import LEASE, count_test

logger = structlog.get_logger(__name__)

MAX_BROWSERS = 10
"""Of one person; the one that was added first makes room for another."""
FAILING_FOR = timedelta(hours=24)
"""A browser that has failed for so long is called once a message, and not again for it."""
GONE = (404, 410)
_SESSION_KEY = "push_browser"


def browsers_of(user: User) -> list[PushBrowser]:
    """The person's browsers, oldest first."""
    return list(PushBrowser.objects.filter(person=user))


@transaction.atomic
def add_browser(
    *, user: User, session: SessionBase, endpoint: str, key: str, auth: str, user_agent: str
) -> PushBrowser:
    """Tell this browser things from now on; it belongs to whoever uses it now.

    Adding it again changes nothing. Raises ``BadAddress``.
    """
    _check(endpoint, key, auth)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two tabs are counted one by one
    browser, _ = PushBrowser.objects.update_or_create(
        endpoint=endpoint,
        defaults={
            "person": user,
            "key": key,
            "auth": auth,
            "name": described(user_agent),
            "failing_since": None,
            "last_error": "",
            "test_due_at": None,
            "test_error": "",
        },
    )
    keep = PushBrowser.objects.filter(person=user).order_by("-created_at", "-pk")[:MAX_BROWSERS]
    kept = {browser.pk, *keep.values_list("pk", flat=True)}
    PushBrowser.objects.filter(person=user).exclude(pk__in=kept).delete()
    session[_SESSION_KEY] = browser.pk
    return browser


def renew_browser(*, user: User, old: str, endpoint: str, key: str, auth: str) -> bool:
    """The browser has changed its address by itself; False where nobody knew the old one."""
    _check(endpoint, key, auth)
    with transaction.atomic():
        browser = PushBrowser.objects.select_for_update().filter(person=user, endpoint=old).first()
        if browser is None:
            return False
        PushBrowser.objects.filter(endpoint=endpoint).exclude(pk=browser.pk).delete()
        browser.endpoint, browser.key, browser.auth = endpoint, key, auth
        browser.failing_since, browser.last_error = None, ""
        browser.save()
        return True


def _check(endpoint: str, key: str, auth: str) -> None:
    try:
        checked(endpoint)
        push.browser_key(key)
    except AddressRefused as refusal:
        raise BadAddress(str(refusal)) from refusal
    except ValueError as error:
        raise BadAddress("This is not a browser's key. Reload the page.") from error
    if not push.is_secret(auth):
        raise BadAddress("This is not a browser's secret. Reload the page.")


def remove_browser(*, user: User, pk: int) -> PushBrowser | None:
    """Tell a browser nothing more; what it was called, or None where it is gone already."""
    browser = PushBrowser.objects.filter(person=user, pk=pk).first()
    if browser is not None:
        PushBrowser.objects.filter(pk=pk).delete()
    return browser


def remove_browser_of(session: SessionBase) -> None:
    """The session is over: what its browser is told is not for whoever sits there next."""
    if pk := session.get(_SESSION_KEY):
        PushBrowser.objects.filter(pk=pk).delete()


def remove_all_but_of(session: SessionBase | None, *, user: User) -> None:
    """Everywhere else the person is logged out, so nothing is told there any more."""
    here = session.get(_SESSION_KEY) if session is not None else None
    PushBrowser.objects.filter(person=user).exclude(pk=here or 0).delete()


def is_here(session: SessionBase, browser: PushBrowser) -> bool:
    """True if it is the browser of this session."""
    return bool(session.get(_SESSION_KEY) == browser.pk)


def tell(user: User, message: Message) -> None:
    """Send a message to all browsers of a person at the same time; remove those that are gone.

    A repetition, perhaps with more in it, sends each browser only what is new to it. Raises
    ``CallFailed`` if a browser is to be tried again.
    """
    waiting = []
    for browser in browsers_of(user):
        news = [matter for matter in message.matters if matter.name not in browser.sent_names]
        if news:
            waiting.append((browser, messages.for_browser(replace(message, matters=news))))
    if not waiting:
        return
    names = [matter.name for matter in message.matters]
    problems = [
        problem
        for (browser, _), result in zip(waiting, _push(waiting, message.topic), strict=True)
        if (problem := _note(browser, result, names))
    ]
    if problems:
        raise CallFailed(problems[0])


def _push(waiting: Sequence[tuple[PushBrowser, bytes]], topic: str) -> list[int | CallFailed]:
    """Call all of them at the same time: what each answered, or why it did not."""

    def call(browser: PushBrowser, text: bytes) -> int | CallFailed:
        try:
            body = push.sealed(text, key=browser.key, auth=browser.auth)
            head = push.headers(browser.endpoint, topic)
            return calls.outside().post(browser.endpoint, body, head).status
        except CallFailed as failure:
            return failure

    with ThreadPoolExecutor(len(waiting)) as threads:  # they only call; rows are written elsewhere
        return list(threads.map(call, *zip(*waiting, strict=True)))


def _note(browser: PushBrowser, result: int | CallFailed, names: Sequence[str]) -> str:
    """Write down how it went; what to say of it if it is to be tried again."""
    now = timezone.now()
    row = PushBrowser.objects.filter(pk=browser.pk, endpoint=browser.endpoint)
    if _arrived(result):
        row.update(sent_names=list(names), sent_at=now, failing_since=None, last_error="")
        return ""
    if _is_gone(result):
        logger.info("push_browser_gone", person=browser.person_id, why=str(result))
        row.delete()
        return ""
    problem = _words(result)
    since = browser.failing_since or now
    row.update(failing_since=since, last_error=problem[:300])
    return problem if now - since < FAILING_FOR else ""


def _arrived(result: int | CallFailed) -> bool:
    return isinstance(result, int) and 200 <= result < 300


def _is_gone(result: int | CallFailed) -> bool:
    return result in GONE or isinstance(result, AddressRefused)


def _words(result: int | CallFailed) -> str:
    return str(result) if isinstance(result, CallFailed) else calls.Reply(result).words


# -- tests ----------------------------------------------------------------------------------------


@transaction.atomic
def ask_for_test(*, user: User, address: str = "") -> list[PushBrowser]:
    """Have a test sent to all browsers of a person; ``address``: where the request comes from.

    Raises ``NoBrowser`` and ``TooManyTests``.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks are one test
    rows = browsers_of(user)
    if not rows:
        raise NoBrowser
    if not any(browser.is_tested_now for browser in rows):
        count_test(user, address)
        PushBrowser.objects.filter(person=user).update(test_due_at=timezone.now(), test_error="")
        after_commit(enqueue, "notices.tasks.try_browsers", user.pk)
    return rows


def untested(*, now: datetime | None = None, limit: int = 200) -> list[int]:
    """Whose browsers wait for a test: just asked for, or their worker died over it."""
    rows = PushBrowser.objects.filter(test_due_at__lte=now or timezone.now())
    people = rows.order_by("person").values_list("person", flat=True)
    return list(people.distinct()[:limit])


def try_browsers(person: int, *, now: datetime | None = None) -> bool:
    """Send the tests that wait for somebody, and note how each went; False where none waits."""
    now = now or timezone.now()
    lease = now + LEASE
    rows = PushBrowser.objects.filter(person=person, test_due_at__lte=now)
    if not rows.update(test_due_at=lease):
        return False
    link = settings.SITE_URL + reverse("notices:list") + "#browsers"
    text = "This is a test: this browser shows what Riffle tells you."
    message = Message("push.test", "", [Matter("test", "test", text, link)], link, now)
    body = messages.for_browser(message)
    # As they were claimed: who is switched on anew meanwhile waits for no test.
    claimed = PushBrowser.objects.filter(person=person, test_due_at=lease)
    waiting = [(browser, body) for browser in claimed]
    if not waiting:
        return False
    for (browser, _), result in zip(waiting, _push(waiting, message.topic), strict=True):
        row = claimed.filter(pk=browser.pk, endpoint=browser.endpoint)
        if _is_gone(result):
            logger.info("push_browser_gone", person=person, why=str(result))
            row.delete()
        elif _arrived(result):
            row.update(test_due_at=None, failing_since=None, last_error="")
        else:
            row.update(test_due_at=None, test_error=_words(result)[:300])
    return True
