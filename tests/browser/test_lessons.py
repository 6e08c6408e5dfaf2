"""A newcomer's first match: from the start page through the lesson to its end.

Each game by clicks on a phone and by keys alone on a desk; the site is as ``make run`` starts it.
A match is played to its end once each way; the others are conceded when the lesson has been heard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import rules
from tests.browser.player import DESKTOP, EVERY, PHONE, Player, leads_on, quiet

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

GAMES = [game for game in rules.games().values() if game.lesson is not None][:2]
MOST_ANSWERS = 120
NEXT = "[data-next-text]"
ACTIVE = "one => document.activeElement.matches(one)"


def texts_said(page: Page) -> str:
    """Everything that a screen reader was given."""
    return page.locator("#announcer").text_content() or ""


def click_through(page: Page, size: dict[str, int]) -> None:
    """Read one text after the other, then choose what is lit, and where it goes."""
    for _ in range(10):
        expect(page.locator("#lesson [data-said]:visible")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        if not page.locator(f"{NEXT}:not([disabled])").is_visible():
            break
        page.locator(NEXT).click()
    expect(page.locator("#lesson [data-do]")).to_be_visible()
    card = page.locator(".piece.is-meant")
    (card if card.count() else page.locator(".is-meant")).first.click()
    if page.locator(".is-picked").count():
        goal = page.locator(".is-target .piece, .piece.is-target, [data-confirm]")
        goal.first.click()


def click_on(page: Page) -> None:
    """Alone now: the first card that may be played, else the form, else the first button."""
    for selector in (
        ".hand .may[data-option]", "[data-send]", ".piece.may[data-option]", "[data-options] .may"
    ):  # fmt: skip
        if page.locator(selector).count():
            page.locator(selector).first.click()
            return
    raise AssertionError("nothing can be chosen")


def start(page: Page, site: str, game: str) -> None:
    """From the start page to the lesson's page; neither its address nor a form is typed."""
    page.goto(f"{site}/")
    page.locator(f".shelf [data-game='{game}'] a[href$='/learn/']").click()
    page.wait_for_url("**/learn/")


def answered(page: Page, ply: int) -> None:
    """Wait for the next table."""
    page.wait_for_function(
        "ply => Number(document.getElementById('table').dataset.ply) > ply",
        arg=ply,
        polling=EVERY,
        timeout=60_000,
    )


def end_it(page: Page) -> None:
    """Give up, and go where the match's result is told."""
    if (more := page.get_by_role("button", name="More", exact=True)).is_visible():
        more.click()
    page.locator("[popovertarget='concede']").first.click()
    with leads_on(page):
        page.locator("#concede .button-danger").click()
    if page.locator("#to-result").count():
        page.locator("#to-result").click()


@pytest.mark.parametrize(("number", "whole"), [(0, False), (1, True)])
def test_by_clicks_on_a_phone(
    site: str, browser: Browser, axe_source: str, number: int, whole: bool
) -> None:
    """Each step as the lesson says, one answer that is not meant, and the rest as it comes."""
    game = GAMES[number]
    assert game.lesson is not None
    me = Player(browser, PHONE)
    page = me.page
    start(page, site, game.slug)
    page.get_by_role("button", name="Start the tutorial").click()
    steps = 0
    for _ in range(MOST_ANSWERS):
        if not me.ready():
            break
        ply = me.ply
        if page.locator(".is-guided").count():
            steps += 1
            if (
                whole and steps == 2
            ):  # not what is meant: it says what to do, and nothing has happened
                page.locator(".hand .may:not(.is-meant)").first.click()
                expect(page.locator("[data-refusal]")).to_contain_text("Not yet. Choose")
                assert me.ply == ply
                quiet(page, axe_source)
            click_through(page, PHONE)
        elif whole:
            click_on(page)
        else:
            break
        answered(page, ply)
    assert steps >= len(game.lesson.steps) - 1  # a question may be answered with the card before it
    if whole:
        page.locator("#to-result").click()
    else:
        end_it(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("You win|wins|lost|draw"))
    expect(page.get_by_role("heading", name="Next", exact=True)).to_be_visible()
    quiet(page, axe_source)
    page.get_by_role("button", name="against a bot").click()
    assert me.ready()
    me.close()


@pytest.mark.parametrize(("number", "whole"), [(0, True), (1, False)])
def test_by_keys_alone(
    site: str, browser: Browser, axe_source: str, number: int, whole: bool
) -> None:
    """Enter turns the texts, the focus goes on to what is meant, and each text is said aloud."""
    game = GAMES[number]
    lesson = game.lesson
    assert lesson is not None
    me = Player(browser, DESKTOP)
    page, keys = me.page, me.page.keyboard
    start(page, site, game.slug)

    def tab_to(selector: str) -> None:
        for _ in range(80):
            if page.evaluate(ACTIVE, selector):
                return
            keys.press("Tab")
        pytest.fail(f"Tab never reaches {selector}.")

    tab_to("main form .button-action")
    keys.press("Enter")
    steps = counted = 0
    for _ in range(MOST_ANSWERS):
        if not me.ready():
            break
        ply = me.ply
        if page.locator(".is-guided").count():
            step = lesson.step(int(page.locator("#lesson").get_attribute("data-step") or 0))
            assert step is not None
            counter = re.search(r"\d+", page.locator(".lesson-step").inner_text())
            counted += not step.part
            assert counter and int(counter[0]) == counted, "the counter goes 1, 2, 3"
            if steps == 0:
                quiet(page, axe_source)
                tab_to(NEXT)  # from now on it is there by itself
            steps += 1
            for saying in step.says[1:]:
                assert page.evaluate(ACTIVE, NEXT), "the way on is not under the fingers"
                keys.press("Enter")
                assert saying.text.split("{")[0] in texts_said(page)
            assert step.do in texts_said(page)
            assert page.evaluate(ACTIVE, ".is-meant"), "the focus is not where it goes on"
            keys.press("Enter")
            if page.locator(".is-picked").count():
                keys.press("Enter")
        elif whole:
            free_by_keys(page)
        else:
            break
        answered(page, ply)
    assert steps >= len(lesson.steps) - 1  # one question is answered with the card before it
    if whole:
        page.locator("#to-result").focus()
        keys.press("Enter")
    else:
        end_it(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("You win|wins|lost|draw"))
    me.close()


def free_by_keys(page: Page) -> None:
    """Challenge if that is offered, else the last of what is."""
    buttons = page.locator("[data-options] button.may").all_inner_texts()
    number = next((n for n, text in enumerate(buttons, 1) if "Challenge" in text), len(buttons))
    page.keyboard.press(str(number))
