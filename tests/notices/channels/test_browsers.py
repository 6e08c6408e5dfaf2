"""Browsers that are told: one message for all, gone ones removed, none told twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.guests import merge_guest
from notices.channels import push
from notices.errors import TooManyTests
from notices.kinds import Kind
from notices.models import NoticeChannel
from notices.models.channels import AddressUse, PushBrowser, WebHook
from notices.services import browsers, hooks, secret_addresses
from notices.services.limits import LEASE, TESTS_PER_HOUR
from notices.services.notices import notify
from tests.notices.told import Clock
from tests.support.browsers import Subscription, decoded
from tests.support.outside import NAME, Outside, saying

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
ADD, REMOVE, RENEW, TEST = (
    f"/you/notices/browsers/{word}/" for word in ("add", "remove", "renew", "test")
)


def add(client: Client, name: str, subscription: Subscription, **more: str) -> Any:
    """The request of the page's script."""
    data = {"endpoint": f"https://{NAME}/push/{name}"}
    data |= {"key": subscription.key, "auth": subscription.auth}
    return client.post(ADD, data | more, headers={"User-Agent": FIREFOX})


def trade(member: User, key: str = "t1") -> None:
    notify([member.pk], Kind.TRADE, text=f"A trade, {key}.", link="/trades/", key=key)


def names(server: Outside) -> list[str]:
    return sorted(request.line.split()[1] for request in server.requests)


def test_a_browser_reads_one_message_for_all_that_waits(
    as_member: Client, member: User, server: Outside, clock: Clock
) -> None:
    browser = Subscription()
    assert add(as_member, "a", browser).status_code == 204
    trade(member)
    trade(member, "t2")
    clock.sweep()
    (request,) = server.requests
    assert json.loads(browser.read(request.body)) == {
        "title": "You have 2 notifications on Riffle.",
        "body": "A trade, t1.\nA trade, t2.",
        "link": "http://localhost:8000/you/notices/",
        "tag": "riffle",
    }
    headers = request.headers
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
    token, key = headers["authorization"].removeprefix("vapid t=").split(",k=")
    assert key == push.public_key()
    assert json.loads(decoded(token.split(".")[1]))["aud"] == f"https://{NAME}"
    clock.pass_by(hours=1)
    assert len(server.requests) == 1
    page = as_member.get("/you/notices/").content.decode()
    assert "Firefox on Linux" in page and "Here</span>" in page and NAME not in page


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_removed(
    as_member: Client, member: User, server: Outside, clock: Clock, status: int
) -> None:
    add(as_member, "a", Subscription())
    server.answers = [saying(f"{status} Gone")]
    trade(member)
    clock.sweep()
    assert not PushBrowser.objects.exists()
    clock.pass_by(days=1)
    assert len(server.requests) == 1


def test_only_who_was_not_told_is_told_again(
    as_member: Client, member: User, server: Outside, clock: Clock
) -> None:
    for name in "ab":
        add(as_member, name, Subscription())
    fails, works = saying("503 Service Unavailable"), saying("201 Created")
    # Both are told at once, so the order is not ours: the server answers by the address.
    server.answers_to = lambda line: fails if line.split()[1].endswith("b") else works
    trade(member)
    clock.sweep()
    assert names(server) == ["/push/a", "/push/b"]
    row = NoticeChannel.objects.get(person=member, channel="push")
    assert "503 Service Unavailable" in row.last_error
    assert PushBrowser.objects.get(endpoint__endswith="b").failing_since == clock.now
    # Something new is due while b is still behind: a hears of that alone.
    server.requests.clear()
    trade(member, "t2")
    clock.pass_by(minutes=1)
    assert names(server) == ["/push/a", "/push/b"]
    sent = {request.line.split()[1]: len(request.body) for request in server.requests}
    assert sent["/push/a"] < sent["/push/b"], "one trade, and two"
    server.answers_to = lambda line: works
    server.requests.clear()
    clock.pass_by(hours=1)
    assert names(server) == ["/push/b"]
    assert not PushBrowser.objects.exclude(failing_since=None).exists()


def test_a_browser_that_fails_for_a_day_keeps_nobody_busy(
    as_member: Client, member: User, server: Outside, clock: Clock
) -> None:
    add(as_member, "a", Subscription())
    server.answers = [saying("403 Forbidden")]
    trade(member)
    for _ in range(30):
        clock.sweep()
        clock.later(hours=1)
    calls = len(server.requests)
    assert 20 <= calls <= 27
    clock.pass_by(days=2)
    assert len(server.requests) == calls
    assert "403 Forbidden" in as_member.get("/you/notices/").content.decode()


def test_an_address_that_turns_inward_is_removed(
    as_member: Client, member: User, server: Outside, clock: Clock
) -> None:
    add(as_member, "a", Subscription())
    server.stands_for = [["10.0.0.1"]]
    trade(member)
    clock.sweep()
    assert server.requests == [] and not PushBrowser.objects.exists()


def test_what_a_browser_must_say(as_member: Client) -> None:
    good = Subscription()
    for wrong in (
        {"endpoint": "http://push.example.org/"},
        {"endpoint": ""},
        {"key": "AAAA"},
        {"key": good.key[:-8]},
        {"auth": "AAAA"},
    ):
        assert add(as_member, "a", good, **wrong).status_code == 400, wrong
    assert not PushBrowser.objects.exists()


def test_a_browser_belongs_to_whoever_uses_it_now(
    as_member: Client, member: User, guest: User, client: Client
) -> None:
    add(client, "a", Subscription())
    assert PushBrowser.objects.get().person == guest
    add(as_member, "a", Subscription())
    browser = PushBrowser.objects.get()
    assert browser.person == member
    client.post(REMOVE, {"browser": browser.pk})
    assert PushBrowser.objects.exists(), "it is not the guest's any more"
    as_member.post(REMOVE, {"browser": browser.pk})
    assert not PushBrowser.objects.exists()
    assert as_member.post(REMOVE, {"browser": "x"}).status_code == 302


def test_there_is_room_for_ten(as_member: Client, member: User) -> None:
    for number in range(12):
        add(as_member, str(number), Subscription())
    kept = [row.endpoint.rpartition("/")[2] for row in browsers.browsers_of(member)]
    assert kept == [str(number) for number in range(2, 12)]


def test_who_logs_out_is_not_told_there_any_more(
    as_member: Client, member: User, client: Client
) -> None:
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    add(as_member, "a", Subscription())
    add(client, "b", Subscription())
    as_member.post("/account/logout/")
    assert PushBrowser.objects.get().endpoint.endswith("b")
    # Nor where one logs out from somewhere else: from one place, or from all.
    client.get("/you/security/")
    other = Client()
    other.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    add(other, "c", Subscription())
    other.post("/you/security/log-out-everywhere/")
    assert PushBrowser.objects.get().endpoint.endswith("c")


def test_a_browser_renews_its_address_by_knowing_the_old_one(
    member: User, guest: User, client: Client
) -> None:
    careful = Client(enforce_csrf_checks=True)  # the service worker has no form
    careful.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    old, fresh = f"https://{NAME}/push/old", Subscription()
    PushBrowser.objects.create(person=member, endpoint=old, key="k", auth="a", name="Firefox")
    data = {"endpoint": f"https://{NAME}/push/new", "key": fresh.key, "auth": fresh.auth}
    assert careful.post(RENEW, data | {"old": f"{old}er"}).status_code == 404
    assert client.post(RENEW, data | {"old": old}).status_code == 404, "another one's"
    assert careful.post(RENEW, data | {"old": old, "key": "x"}).status_code == 400
    assert careful.post(RENEW, data | {"old": old}).status_code == 204
    row = PushBrowser.objects.get()
    assert (row.endpoint, row.key) == (data["endpoint"], fresh.key)
    assert careful.post(ADD, data).status_code == 403, "but a form needs its token"


def test_a_guest_who_logs_in_keeps_being_told(client: Client, guest: User, member: User) -> None:
    add(client, "a", Subscription())
    hooks.save_hook(user=guest, shape="json", url=f"https://{NAME}/")
    secret_addresses.make_address(user=guest, use=AddressUse.FEED)
    calendar = secret_addresses.make_address(user=member, use=AddressUse.CALENDAR)
    secret_addresses.make_address(user=guest, use=AddressUse.CALENDAR)
    merge_guest(guest=guest, user=member)
    assert PushBrowser.objects.get().person == member
    assert WebHook.objects.get().person == member
    mine = secret_addresses.addresses_of(member)
    assert set(mine) == {"feed", "calendar"} and mine["calendar"].key == calendar.key
    assert not secret_addresses.addresses_of(guest)


def test_a_test_says_how_it_went_in_each_browser(
    as_member: Client, member: User, server: Outside, clock: Clock
) -> None:
    assert "No browser of yours" in as_member.post(TEST, follow=True).content.decode()
    for name in "abc":
        add(as_member, name, browser := Subscription())
    row = PushBrowser.objects.get(endpoint__endswith="a")
    PushBrowser.objects.filter(endpoint__endswith="b").update(name="Safari on macOS")
    PushBrowser.objects.filter(endpoint__endswith="c").update(name="Chrome on Android")
    answers = {"a": "201 Created", "b": "410 Gone", "c": "503 Service Unavailable"}
    server.answers_to = lambda line: saying(answers[line.split()[1][-1]])
    for _ in range(2):  # the second click is the same test
        as_member.post(TEST)
    state = as_member.get("/you/notices/browsers/state/").content.decode()
    assert "on its way to Firefox on Linux" in state and "hx-get" in state
    for person in browsers.untested():
        browsers.try_browsers(person)
    assert names(server) == ["/push/a", "/push/b", "/push/c"]
    data = json.loads(
        browser.read(next(request.body for request in server.requests if "/c" in request.line))
    )
    assert "This is a test" in data["body"]
    # Neither at the push service nor on the screen does it take the place of what was told.
    assert data["tag"] == "test" and {request.headers["topic"] for request in server.requests} == {
        "test"
    }
    page = as_member.get("/you/notices/").content.decode()
    assert "Firefox on Linux was sent the test." in page
    assert "Safari on macOS no longer accepts notifications" in page
    assert "The test did not reach Chrome on Android. It answered 503 Service Unavailable." in page
    assert "the test" not in as_member.get("/you/notices/").content.decode(), "it is said once"
    row.refresh_from_db()
    assert row.sent_names == [] and not row.is_tested_now, "what was told is another matter"


def test_a_worker_that_died_over_a_test_is_followed_by_another(
    as_member: Client, member: User, server: Outside, clock: Clock
) -> None:
    add(as_member, "a", Subscription())
    as_member.post(TEST)
    PushBrowser.objects.update(test_due_at=clock.now + LEASE)
    assert browsers.untested() == [] and not browsers.try_browsers(member.pk)
    clock.later(minutes=2)
    assert browsers.untested() == [member.pk] and browsers.try_browsers(member.pk)
    assert len(server.requests) == 1


def test_tests_of_hooks_and_browsers_are_counted_together(
    as_member: Client, member: User, server: Outside
) -> None:
    add(as_member, "a", Subscription())
    hooks.save_hook(user=member, shape="json", url=f"https://{NAME}/")
    for _ in range(TESTS_PER_HOUR - 1):
        browsers.ask_for_test(user=member)
        PushBrowser.objects.update(test_due_at=None)
    assert "Many tests" in as_member.post(TEST, follow=True).content.decode()
    hooks.try_hook(member.pk)
    with pytest.raises(TooManyTests):
        hooks.ask_for_test(user=member)
