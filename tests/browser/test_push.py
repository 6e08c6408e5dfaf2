"""A browser that is told things: switched on by a button, heard by its service worker, pressed.

The push service alone is played: Chromium's own lies outside this machine. What the site sends is
received, opened with the browser's key, and given to the real service worker.
"""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from notices.channels import calls
from notices.kinds import Kind
from notices.models.channels import PushBrowser, WebHook
from notices.services import hooks, preferences
from notices.services.notices import notify
from tests.browser.player import PHONE, enter, leads_on, look_in_both
from tests.support.browsers import Subscription
from tests.support.outside import NAME, Outside, outside, saying

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PUSH_SERVICE = """
PushManager.prototype.getSubscription = async () => window.subscription ?? null;
PushManager.prototype.subscribe = async (options) => (window.subscription = {
  options: { applicationServerKey: new ArrayBuffer(0) },
  toJSON: () => ({ endpoint: "%s", keys: { p256dh: "%s", auth: "%s" } }),
  unsubscribe: async () => true,
});
"""
PRESSED = """async () => {
  const opened = [];
  // A window comes to the front only where somebody has really pressed something.
  self.clients.openWindow = async (address) => opened.push(`opened ${address}`);
  WindowClient.prototype.focus = async function () { opened.push(`there ${this.url}`); };
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  const waits = [];
  event.waitUntil = (promise) => waits.push(promise);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return opened;
}"""
CLOSED = """async () => {
  const registration = await navigator.serviceWorker.ready;
  for (const one of await registration.getNotifications()) one.close();
}"""
SHOWN = """async (link) => {
  const registration = await navigator.serviceWorker.ready;
  for (let look = 0; look < 200; look++) {
    const found = await registration.getNotifications();
    const told = found.map(({ title, body, data }) => ({ title, body, link: data.link }));
    if (told.some((one) => one.link === link)) return told;
    await new Promise((soon) => setTimeout(soon, 50));
  }
  return null;
}"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    with outside() as server_result:
        caller = server_result.caller()
        monkeypatch.setattr(calls, "outside", lambda: caller)
        yield server_result


def test_from_the_button_to_the_message(
    whole_browser: Browser,
    live_server: LiveServer,
    axe_source: str,
    server: Outside,
    settings: Any,
) -> None:
    settings.SITE_URL = live_server.url
    mira = User.objects.create_user("mira", display_name="Mira")
    ours = Subscription()
    with closing(enter(whole_browser, live_server, mira, viewport=PHONE)) as it:
        it.grant_permissions(["notifications"], origin=live_server.url)
        it.add_init_script(PUSH_SERVICE % (f"https://{NAME}/push/1", ours.key, ours.auth))
        page = it.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        worker = _Worker(page)
        page.goto(f"{live_server.url}/you/notices/")
        look_in_both(page, axe_source, "ways-none")
        page.get_by_role("button", name="Turn on in this browser").click()
        row = page.locator(".people li").filter(has_text="Here")
        expect(row).to_contain_text("Chrome on Linux")
        assert PushBrowser.objects.get().person == mira
        page.get_by_role("button", name="Send it a test").click()
        expect(page.locator("#browsers-state")).to_contain_text("Chrome on Linux was sent the test")
        look_in_both(page, axe_source, "ways-tested")
        data = ours.read(server.requests.pop().body).decode()
        (test,) = worker.shows(data, f"{live_server.url}/you/notices/#browsers")
        assert test["body"].startswith("This is a test")
        page.evaluate(CLOSED)

        # One message for both; the service worker shows it, and it leads to the list.
        with transaction.atomic():
            for key in ("t1", "t2"):
                notify([mira.pk], Kind.TRADE, text=f"A trade, {key}.", link="/trades/", key=key)
        (sent,) = server.requests
        everything = f"{live_server.url}/you/notices/"
        assert worker.shows(ours.read(sent.body).decode(), everything) == [
            {
                "title": "You have 2 notifications on Riffle.",
                "body": "A trade, t1.\nA trade, t2.",
                "link": everything,
            }
        ]
        (script,) = it.service_workers
        assert urlsplit(script.url).path == "/sw.js"
        assert script.evaluate(PRESSED) == [f"there {everything}#browsers"]
        data = '{"title": "Riffle", "body": "A trade.", "link": "/trades/"}'
        assert len(worker.shows(data, "/trades/")) == 1
        assert script.evaluate(PRESSED) == [f"opened {live_server.url}/trades/"]

        assert worker.manifest_problems() <= {"in-incognito"}, "it can be installed"

        # The other ways, as they look when they are there.
        preferences.mark_seen(person=mira)
        server.answers = [saying("404 Not Found")]
        page.get_by_role("button", name="Create address: Calendar").click()
        page.get_by_role("button", name="Create address: Feed").click()
        expect(page.locator("#feed-address")).to_contain_text(f"{live_server.url}/feed/")
        page.get_by_role("link", name="Set one up").click()
        page.get_by_label("A program").check(force=True)
        page.get_by_label("Address").fill(f"https://{NAME}/told")
        with leads_on(page):
            page.get_by_role("button", name="Save and try it").click()
        state = page.locator("#hook-state")
        expect(state).to_contain_text("It answered 404 Not Found.")
        look_in_both(page, axe_source, "hook-bad")
        # While a test is on its way the page looks by itself how it goes.
        server.answers = [saying("200 OK")]
        WebHook.objects.update(test_due_at=timezone.now() - timedelta(minutes=1))
        page.reload()
        expect(state).to_contain_text("Testing")
        assert hooks.try_hook(mira.pk)
        expect(state).to_contain_text(f"{NAME} accepted the test.")
        look_in_both(page, axe_source, "hook-good")
        page.goto(f"{live_server.url}/you/notices/")
        look_in_both(page, axe_source, "ways-all")
        page.get_by_role("button", name="Turn off Chrome on Linux").click()
        expect(page.get_by_role("button", name="Turn on in this browser")).to_be_visible()
        assert not PushBrowser.objects.exists() and errors == []


class _Worker:
    """The page's service worker, by the browser's own tools."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._tools = page.context.new_cdp_session(page)
        self._registrations: list[dict[str, Any]] = []
        self._tools.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda found: self._registrations.extend(found["registrations"]),
        )
        self._tools.send("ServiceWorker.enable")

    def shows(self, data: str, link: str) -> Any:
        """What is on the screen when it has been told this; the tools may lose a message."""
        for _ in range(3):
            self.push(data)
            if evaluate := self._page.evaluate(SHOWN, link):
                return evaluate
        return None

    def push(self, data: str) -> None:
        _registrations = self._registrations[-1]
        scope = urlsplit(_registrations["scopeURL"])
        self._tools.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": f"{scope.scheme}://{scope.netloc}",
                "registrationId": _registrations["registrationId"],
                "data": data,
            },
        )

    def manifest_problems(self) -> set[str]:
        read = self._tools.send("Page.getAppManifest")
        assert read["url"].endswith("/manifest.webmanifest") and read["errors"] == []
        installabilityerrors = self._tools.send("Page.getInstallabilityErrors")[
            "installabilityErrors"
        ]
        return {problem["errorId"] for problem in installabilityerrors}
