"""The pages about security in a browser: a second factor from its picture to its login; tokens."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.services.tokens import issue_token
from core.scopes import EVERYBODYS, Scope
from tests.browser.player import SIZES, leads_on, look_in_both
from tests.support.people import PASSWORD

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def _mira() -> User:
    """A member with a token in use, one that has expired, and a phone."""
    mira = User.objects.create_user("mira", "mira@example.org", PASSWORD, display_name="Mira")
    issue_token(user=mira, name="Ladder bot on the little server", scopes=EVERYBODYS)
    mira.access_tokens.update(last_used_at=timezone.now())
    gone = timezone.now() - timedelta(days=1)
    issue_token(user=mira, name="Old script", scopes=[Scope.PLAY], expires_at=gone)
    phone = SessionStore()
    phone["_auth_user_id"] = str(mira.pk)
    phone["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    phone["_auth_user_hash"] = mira.get_session_auth_hash()
    phone.save()
    UserSession.objects.create(
        user=mira,
        ip="2001:db8:85a3::8a2e:370:7334",
        session_key=phone.session_key,
        user_agent=PHONE,
    )
    return mira


def _press(page: Page, words: str) -> None:
    with leads_on(page):
        page.locator("main").get_by_text(words, exact=True).click()


def _log_in(page: Page, address: str) -> None:
    page.goto(f"{address}/account/login/")
    page.fill("[name=login]", "mira")
    page.fill("[name=password]", PASSWORD)
    with leads_on(page):
        page.keyboard.press("Enter")


def test_from_the_first_token_to_the_second_factor(
    browser: Browser,
    live_server: LiveServer,
    settings: Settings,
    axe_source: str,
) -> None:
    settings.MFA_TOTP_TOLERANCE = 10  # a busy machine is slow at typing
    _mira()
    context = browser.new_context(viewport=SIZES["phone"], reduced_motion="reduce")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)

    def seen(name: str) -> None:
        look_in_both(page, axe_source, f"security-{name}")

    _log_in(page, live_server.url)
    page.goto(f"{live_server.url}/you/security/")
    expect(page.get_by_text("Firefox on Android")).to_be_visible()
    expect(page.get_by_text("1 API token lets programs act")).to_be_visible()
    seen("off")

    _press(page, "API tokens")
    seen("tokens")
    page.fill("[name=name]", "My bot")
    with leads_on(page):
        page.keyboard.press("Enter")
    page.fill("[name=password]", "not-hers")
    with leads_on(page):
        page.keyboard.press("Enter")
    seen("again")
    page.fill("[name=password]", PASSWORD)
    with leads_on(page):
        page.keyboard.press("Enter")
    expect(page.locator("#new-token")).to_contain_text("riffle_")
    seen("new-token")

    page.goto(f"{live_server.url}/you/security/")
    _press(page, "Set it up")
    assert page.locator("img.scan").evaluate("picture => picture.naturalWidth") > 0
    seen("scan")
    secret = page.locator("code.secret").inner_text()
    page.fill("[name=code]", "000000")
    with leads_on(page):
        page.keyboard.press("Enter")
    seen("scan-refused")
    page.fill("[name=code]", format_hotp_value(hotp_value(secret, int(time.time()) // 30)))
    with leads_on(page):
        page.keyboard.press("Enter")
    codes = page.locator("#recovery-codes").inner_text().split()
    seen("codes")
    _press(page, "Generate new codes")
    seen("new-codes")
    page.goto(f"{live_server.url}/you/security/")
    expect(page.get_by_text("Firefox on Android")).to_have_count(0)
    seen("on")
    page.goto(f"{live_server.url}/account/2fa/again/")
    seen("code-again")
    page.goto(f"{live_server.url}/account/email/")
    seen("addresses")
    page.goto(f"{live_server.url}/account/2fa/end/")
    seen("end")

    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    _log_in(page, live_server.url)
    seen("code")
    page.fill("[name=code]", codes[0])
    with leads_on(page):
        page.keyboard.press("Enter")
    page.goto(f"{live_server.url}/you/security/")
    expect(page.get_by_text("9 recovery codes left")).to_be_visible()
    assert errors == []
    context.close()
