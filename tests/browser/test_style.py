"""Start page, style page and account pages in a browser: axe finds nothing, nothing overflows.

Both widths, both themes. With RIFFLE_SCREENSHOTS=<folder> each page is also saved as a picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.services.guests import create_guest
from tests.browser.player import DESKTOP, axe_findings, leads_on, log_in, look_in_both

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = {
    "home": ("/", None),
    "style": ("/style/", None),
    "login": ("/account/login/", None),
    "signup": ("/account/signup/", "guest"),
    "signup-refused": ("/account/signup/", None),
    "logout": ("/account/logout/", "guest"),
    "profile": ("/you/", "member"),
    "guest-profile": ("/you/", "guest"),
    "token": ("/you/token/", "member"),
    "email": ("/account/email/", "member"),
    "lost": ("/no-such-page/", None),
}


def _person(kind: str | None) -> User | None:
    if kind == "guest":
        return create_guest(address="192.0.2.1")
    if kind == "member":
        mira = {"email": "mira@example.org", "display_name": "Mira"}
        return User.objects.get_or_create(username="mira", defaults=mira)[0]
    return None


def _page_of(browser: Browser, live_server: LiveServer, kind: str | None) -> Page:
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    user = _person(kind)
    if user is not None:
        log_in(context, live_server, user)
    return context.new_page()


def _open(page: Page, live_server: LiveServer, name: str) -> None:
    page.goto(live_server.url + PAGES[name][0])
    if name == "signup-refused":
        page.fill("[name=username]", "guest-of-honour")
        page.fill("[name=password1]", "a-long-enough-pass")
        page.fill("[name=password2]", "another-pass-word")
        with leads_on(page):
            page.click("text=Sign up >> nth=-1")
    page.wait_for_load_state("load")


def test_every_page_is_clean(
    browser: Browser, live_server: LiveServer, settings: Settings, axe_source: str
) -> None:
    kinds = {kind for _, kind in PAGES.values()}
    pages = {kind: _page_of(browser, live_server, kind) for kind in kinds}
    for name, (_, kind) in PAGES.items():
        # The style page is there under development only; an unknown address needs its real page.
        settings.DEBUG = name == "style"
        _open(pages[kind], live_server, name)
        look_in_both(pages[kind], axe_source, name)
    for page in pages.values():
        page.context.close()


def test_axe_would_notice(browser: Browser, live_server: LiveServer, axe_source: str) -> None:
    page = _page_of(browser, live_server, None)
    _open(page, live_server, "login")
    page.evaluate("document.querySelector('label').remove()")
    assert any(finding.startswith("label") for finding in axe_findings(page, axe_source))
    page.context.close()


def test_the_theme_switch_works_at_once_and_lasts(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + "/account/login/")
    page.click("[aria-label='Theme']")
    with page.expect_response("**/theme/") as answer:
        page.click("button[value=dark]")
    assert answer.value.status == 204
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("button[value=dark]")).to_have_attribute("aria-pressed", "true")


def test_a_menu_closes_by_escape_and_by_a_click_elsewhere(
    page: Page, live_server: LiveServer
) -> None:
    page.goto(live_server.url + "/account/login/")
    switch = page.locator("[aria-label='Theme']")
    menu = page.locator("details.menu[open]")
    switch.click()
    expect(menu).to_have_count(1)
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(switch).to_be_focused()
    switch.click()
    expect(menu).to_have_count(1)
    page.mouse.click(20, 700)
    expect(menu).to_have_count(0)


def test_without_scripts_the_theme_switch_still_works(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/account/login/")
    page.click("[aria-label='Theme']")
    page.click("button[value=dark]")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.url.endswith("/account/login/")
    context.close()


def test_a_double_click_sends_a_form_once(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + "/account/signup/")
    page.fill("[name=username]", "heron")
    page.fill("[name=password1]", "a-long-enough-pass")
    page.fill("[name=password2]", "a-long-enough-pass")
    sent: list[str] = []
    page.on(
        "request", lambda request: sent.append(request.url) if request.method == "POST" else None
    )
    page.locator("form[action*=signup] button").dblclick()
    page.wait_for_url(live_server.url + "/")
    assert len(sent) == 1
    assert User.objects.filter(username="heron").count() == 1


def test_the_content_security_policy_refuses_nothing_of_ours(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context()
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    for address in ("/", "/account/login/", "/account/signup/"):
        page.goto(live_server.url + address)
        page.wait_for_load_state("networkidle")
    assert complaints == []
    context.close()
