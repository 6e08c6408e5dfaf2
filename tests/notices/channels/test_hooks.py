"""A web hook of one's own: saved and tried, told, tried again, given up."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from config import queues
from core.scopes import Scope
from notices.channels import calls as calls_module
from notices.channels import registry
from notices.errors import BadAddress, TooManyTests
from notices.kinds import Kind
from notices.models import NoticeChannel
from notices.models.channels import HookShape, WebHook
from notices.services import hooks, sending
from notices.services.limits import TESTS_PER_HOUR, TESTS_PER_HOUR_FROM_ADDRESS
from notices.services.notices import notify, retract
from notices.tasks import call_out, sweep
from tests.conftest import ROOT
from tests.notices.channels.test_signing import independent
from tests.notices.told import NOON, Clock, Post
from tests.support.outside import NAME, Outside, quickly, saying
from tests.support.people import prove
from tests.support.tokens import token_of

pytestmark = pytest.mark.django_db
URL = f"https://{NAME}/told"
Commit = Any


@pytest.fixture
def hook(member: User, server: Outside, clock: Clock) -> WebHook:
    """A program's hook that has answered its test."""
    hooks.save_hook(user=member, shape=HookShape.JSON, url=URL)
    hooks.try_hook(member.pk)  # where the commit is real, a worker has tried it already
    server.requests.clear()
    server.resolved.clear()
    return WebHook.objects.get(person=member, proven_at__isnull=False)


def trade(member: User, key: str = "t1") -> None:
    notify([member.pk], Kind.TRADE, text=f"A trade, {key}.", link="/trades/", key=key)


def told(server: Outside) -> list[list[str]]:
    """The texts of each message that arrived."""
    return [
        [notice["text"] for notice in json.loads(request.body)["data"]["notices"]]
        for request in server.requests
    ]


def test_what_is_saved_is_tried_and_only_then_used(
    member: User, server: Outside, clock: Clock, django_capture_on_commit_callbacks: Commit
) -> None:
    server.answers = [saying("404 Not Found"), saying("200 OK")]
    with django_capture_on_commit_callbacks(execute=True):
        hooks.save_hook(user=member, shape="slack", url=f" {URL} ")
    hook = WebHook.objects.get()
    shown_result = hooks.shown(hook)
    assert (shown_result.works, shown_result.test, shown_result.server) == (False, "bad", NAME)
    assert shown_result.problem == "It answered 404 Not Found."
    trade(member)
    clock.sweep()
    assert len(server.requests) == 1, "nothing but the test"
    with django_capture_on_commit_callbacks(execute=True):
        hooks.ask_for_test(user=member)
    assert hooks.shown(WebHook.objects.get()).works
    trade(member, "t2")
    clock.sweep()
    assert "A trade, t2." in json.loads(server.requests[-1].body)["text"]


def test_a_message_is_signed_and_says_everything(
    member: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    trade(member)
    trade(member, "t2")
    clock.sweep()
    (request,) = server.requests
    headers = request.headers
    assert headers["webhook-signature"] == independent(
        hook.secret, headers["webhook-id"], int(headers["webhook-timestamp"]), request.body
    )
    assert int(headers["webhook-timestamp"]) == int(NOON.timestamp())
    assert headers["content-type"] == "application/json"
    sent = json.loads(request.body)
    assert sent["type"] == "notices.due" and sent["data"]["person"] == "mira"
    assert {notice["link"] for notice in sent["data"]["notices"]} == {
        "http://localhost:8000/trades/"
    }
    assert told(server) == [["A trade, t1.", "A trade, t2."]], "one message for both"
    clock.pass_by(hours=1)
    assert len(server.requests) == 1, "nobody is told twice"


def test_a_program_is_woken_though_nobody_visits(
    member: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    for key in ("t1", "t2"):
        trade(member, key)
        clock.pass_by(minutes=1)
    assert told(server) == [["A trade, t1."], ["A trade, t2."]]


@pytest.mark.slow
def test_failures_are_tried_again_with_growing_pauses_for_a_day(
    member: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    server.answers = [saying("500 Internal Server Error")]
    trade(member)
    times = []
    # Each minute first, then each fifth, so that the hours are met.
    for minute in [*range(124), *range(128, 26 * 60, 5)]:
        clock.now = NOON + timedelta(minutes=minute)
        before = len(server.requests)
        clock.sweep()
        if len(server.requests) > before:
            times.append(minute)
    pauses = [later - sooner for sooner, later in itertools.pairwise(times)]
    assert pauses[:7] == [1, 2, 4, 8, 16, 32, 60] and set(pauses[7:]) == {60}
    assert times[-1] < 25 * 60 <= times[-1] + 60, "and off after a day"
    names = {request.headers["webhook-id"] for request in server.requests}
    assert len(names) == 1, "it is the same message each time"
    row = NoticeChannel.objects.get(person=member, channel="hook")
    assert row.pace == "never" and "500 Internal Server Error" in row.problem


def test_what_no_longer_holds_is_not_tried_again(
    member: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    server.answers = [saying("503 Service Unavailable"), saying("200 OK")]
    trade(member)
    clock.sweep()
    retract(Kind.TRADE, key="t1")
    clock.pass_by(minutes=5)
    assert len(server.requests) == 1
    trade(member, "t2")
    clock.sweep()
    assert told(server) == [["A trade, t1."], ["A trade, t2."]]
    assert NoticeChannel.objects.get(person=member, channel="hook").failing_since is None


@pytest.mark.parametrize(
    ("shape", "kind"), [("ntfy", "text/plain; charset=utf-8"), ("telegram", "application/json")]
)
def test_chats_get_their_own_form(
    member: User, server: Outside, clock: Clock, hook: WebHook, shape: str, kind: str
) -> None:
    WebHook.objects.update(shape=shape, secret="")
    server.answers = [saying("200 OK")]
    trade(member)
    clock.sweep()
    (request,) = server.requests
    assert request.headers["content-type"] == kind and b"A trade, t1." in request.body


@pytest.mark.parametrize(("shape", "status"), [("json", 410), ("discord", 404), ("discord", 410)])
def test_who_says_never_again_is_not_called_again(
    member: User, server: Outside, clock: Clock, hook: WebHook, shape: str, status: int
) -> None:
    secret = hook.secret if shape == "json" else ""
    WebHook.objects.update(shape=shape, secret=secret)
    server.answers = [saying(f"{status} Over")]
    trade(member)
    clock.sweep()
    row = NoticeChannel.objects.get(person=member, channel="hook")
    assert row.pace == "never" and "do not call again" in row.problem
    clock.pass_by(days=2)
    assert len(server.requests) == 1
    # Saved anew, and answering, it is on again.
    server.answers = [saying("200 OK")]
    hooks.save_hook(user=member, shape="json", url=URL)
    hooks.try_hook(member.pk)
    trade(member, "t2")
    clock.sweep()
    assert len(server.requests) == 3 and "A trade, t2." in server.requests[-1].body.decode()


def test_mails_do_not_wait_for_a_server_that_somebody_names(
    member: User,
    server: Outside,
    clock: Clock,
    hook: WebHook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker of mails makes no call; those that do have their own queue."""
    post = Post()
    monkeypatch.setattr(registry, "_channels", registry._channels | {"post": post})
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(sending, "enqueue", lambda *task: sent.append(task))
    trade(member)
    assert sending.due_people() == [member.pk]
    assert sending.send_notices(member.pk) == 1
    assert [texts for _, texts in post.sent] == [["A trade, t1."]] and server.requests == []
    assert sent == [("notices.tasks.call_out", member.pk)]
    assert sending.due_people() == [member.pk], "the sweep finds what nobody took"
    call_out(member.pk)
    assert told(server) == [["A trade, t1."]] and len(post.sent) == 1
    call_out(member.pk)
    assert sending.send_notices(member.pk) == 0 and len(server.requests) == len(sent) == 1
    trade(member, "t2")
    call_out(member.pk)
    assert sent[1:] == [], "mail waits for a visit"
    calling = {name for name, queue in queues.ROUTES.items() if queue == queues.CALLS}
    assert calling == {f"notices.tasks.{name}" for name in ("call_out", "try_hook", "try_browsers")}


def test_a_silent_server_is_tried_again_later_and_keeps_nobody_busy(
    member: User, guest: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    hooks.save_hook(user=guest, shape="json", url=URL)
    hooks.try_hook(guest.pk)
    silent = threading.Event()
    server.answers_to = lambda line: lambda link: silent.wait(30) and None
    calls, quick = len(server.called), quickly(server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calls_module, "outside", lambda: quick)
        for person in (member, guest):
            trade(person)
        clock.sweep()
        assert len(server.called) == calls + 1, "the second one has not waited"
        silent.set()
        rows = NoticeChannel.objects.filter(channel="hook").order_by("last_error")
        assert [row.last_error.partition(" ")[0] for row in rows] == ["No", NAME]
        assert {row.next_at for row in rows} == {clock.now + timedelta(minutes=1)}
    server.answers_to = None
    cache.clear()  # its pause is over
    clock.pass_by(minutes=1)
    assert told(server)[-2:] == [["A trade, t1."]] * 2


def test_one_address_has_few_tests_however_many_guests_it_brings(
    server: Outside, django_capture_on_commit_callbacks: Commit
) -> None:
    server.answers = [saying("503 Service Unavailable")]
    statuses = []
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(3):
            browser = Client()
            token = browser.post("/api/guests/").json()["token"]
            headers = {"Authorization": f"Token {token}"}
            for _ in range(TESTS_PER_HOUR):
                answer = browser.put(
                    "/api/webhook/", {"url": URL}, content_type="application/json", headers=headers
                )
                statuses.append(answer.status_code)
    allowed = TESTS_PER_HOUR_FROM_ADDRESS
    assert statuses == [200] * allowed + [429] * (30 - allowed)
    assert len(server.requests) <= allowed


def test_a_redirect_is_not_followed(
    member: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    server.answers = [saying("301 Moved Permanently", "Location: https://127.0.0.1/admin/")]
    trade(member)
    clock.sweep()
    assert len(server.requests) == 1 and server.resolved == [NAME]
    error = NoticeChannel.objects.get(person=member, channel="hook").last_error
    assert "301 Moved Permanently. Riffle does not follow redirects" in error


def test_a_name_that_turns_inward_is_not_called(
    member: User, server: Outside, clock: Clock, hook: WebHook
) -> None:
    server.stands_for = [["169.254.169.254"]]
    trade(member)
    clock.sweep()
    assert server.requests == []
    row = NoticeChannel.objects.get(person=member, channel="hook")
    assert "not of the public internet" in row.last_error


def test_addresses_and_numbers_are_bounded(member: User, server: Outside) -> None:
    for url in ("http://hooks.example.org/", "https://me:x@hooks.example.org/", "x"):
        with pytest.raises(BadAddress):
            hooks.save_hook(user=member, shape="json", url=url)
    assert not WebHook.objects.exists()
    for _ in range(TESTS_PER_HOUR):
        hooks.save_hook(user=member, shape="json", url=URL)
    with pytest.raises(TooManyTests):
        hooks.save_hook(user=member, shape="json", url=URL)
    assert hooks.ask_for_test(user=member), "one waits already: nothing more is sent"


def test_a_test_is_sent_once_and_a_lost_one_again(
    member: User, server: Outside, clock: Clock
) -> None:
    hooks.save_hook(user=member, shape="json", url=URL)

    server.answers = [saying("200 OK")]
    assert hooks.untested() == [member.pk]
    assert hooks.try_hook(member.pk) and not hooks.try_hook(member.pk)
    assert len(server.requests) == 1
    # A worker that claims a test and dies leaves it to another one, a minute later.
    hooks.ask_for_test(user=member)
    lease = clock.now + timedelta(minutes=1)
    WebHook.objects.update(test_due_at=lease)
    sweep()
    assert len(server.requests) == 1
    clock.later(minutes=1)
    sweep()
    assert len(server.requests) == 2 and hooks.untested() == []


def test_who_saves_anew_during_a_test_gets_a_test_of_it(
    member: User, server: Outside, clock: Clock
) -> None:
    hooks.save_hook(user=member, shape="json", url=URL)

    original = hooks.call

    def call(*args: Any) -> None:
        clock.later(seconds=1)
        hooks.save_hook(user=member, shape="json", url=f"{URL}/2")
        raise hooks.CallFailed("It answered 500.")

    hooks.call = call  # type: ignore[assignment]
    try:
        hooks.try_hook(member.pk)
    finally:
        hooks.call = original
    shown_result = hooks.shown(WebHook.objects.get())
    assert shown_result.test == "waits" and shown_result.problem == ""
    assert hooks.try_hook(member.pk)
    assert server.requests[-1].line.startswith("POST /told/2 ")


KILLED = """
import os, signal, sys
import django
django.setup()
from notices.channels import calls
from notices.services import sending
def dies(*_):
    os.kill(os.getpid(), signal.SIGKILL)
class Dying:
    post = dies
calls.outside = Dying
sending.send_notices(int(sys.argv[1]), calls_out=True)
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_between_claim_and_send_loses_nothing(
    member: User, server: Outside, clock: Clock, hook: WebHook, worker_url: str
) -> None:
    clock.now = NOON.replace(year=2020)  # all is due for the other process, whose clock is real
    trade(member)
    environment = os.environ | {
        "DATABASE_URL": worker_url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(member.pk)], cwd=ROOT, env=environment, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    row = NoticeChannel.objects.get(person=member, channel="hook")
    assert row.claimed_until is not None and server.requests == []
    clock.now = row.claimed_until - timedelta(seconds=1)
    sending.send_notices(member.pk, calls_out=True)
    assert server.requests == [], "the worker may still live"
    clock.later(seconds=2)
    assert member.pk in sending.due_people()
    sending.send_notices(member.pk, calls_out=True)
    assert told(server) == [["A trade, t1."]]
    clock.later(hours=1)
    sending.send_notices(member.pk, calls_out=True)
    assert len(server.requests) == 1


def test_pages_show_the_secret_once_and_keep_what_was_typed(
    as_member: Client, server: Outside, django_capture_on_commit_callbacks: Commit
) -> None:
    prove(as_member)
    page = as_member.post("/you/notices/hook/", {"shape": "json", "url": "http://a.example/x"})
    assert page.status_code == 400
    assert "has to begin with https://" in page.content.decode()
    assert 'value="http://a.example/x"' in page.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        answer = as_member.post("/you/notices/hook/", {"shape": "json", "url": URL})
    assert answer.status_code == 302
    secret = WebHook.objects.get().secret
    first, second = (as_member.get("/you/notices/hook/").content.decode() for _ in "12")
    assert secret in first and secret not in second
    for page_text in (first, second, as_member.get("/you/notices/").content.decode()):
        assert NAME in page_text and "/told" not in page_text
    assert "accepted the test" in second
    with django_capture_on_commit_callbacks(execute=True):
        as_member.post("/you/notices/hook/test/")
    assert len(server.requests) == 2
    as_member.post("/you/notices/hook/remove/")
    assert not WebHook.objects.exists()
    assert as_member.post("/you/notices/hook/test/", follow=True).status_code == 200


def test_a_bot_of_a_guest_is_woken_by_the_api(
    client: Client, server: Outside, clock: Clock, django_capture_on_commit_callbacks: Commit
) -> None:
    token = client.post("/api/guests/").json()["token"]
    api = {"headers": {"Authorization": f"Token {token}"}}
    assert client.get("/api/webhook/", **api).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        wish = {"url": URL}
        response = client.put("/api/webhook/", wish, content_type="application/json", **api)
    assert response.status_code == 200
    secret = response.json()["secret"]
    assert response.json()["hook"]["shape"] == "json"
    assert client.get("/api/webhook/", **api).json()["works"] is True
    assert secret not in client.get("/api/webhook/", **api).content.decode()
    guest = User.objects.get()
    trade(guest)
    clock.sweep()
    request = server.requests[-1]
    assert request.headers["webhook-signature"] == independent(
        secret,
        request.headers["webhook-id"],
        int(request.headers["webhook-timestamp"]),
        request.body,
    )
    refused = client.put(
        "/api/webhook/", {"url": "https://[::1]:x/"}, content_type="application/json", **api
    )
    assert refused.status_code == 400 and refused.json()["type"].endswith("/bad-address/")
    assert client.post("/api/webhook/test/", **api).status_code == 202
    assert client.delete("/api/webhook/", **api).status_code == 204
    assert client.post("/api/webhook/test/", **api).status_code == 404


def test_a_token_for_reading_saves_no_hook(member: User, client: Client) -> None:
    headers = {"Authorization": f"Token {token_of(member, [Scope.READ])}"}
    answer = client.put(
        "/api/webhook/", {"url": URL}, content_type="application/json", headers=headers
    )
    assert answer.status_code == 403
