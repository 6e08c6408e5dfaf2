"""Whole duels in a browser, on the site as ``make run`` starts it: by clicks, by keys, by link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.player import DESKTOP, EVERY, PHONE, READY, Player, tab_to
from tests.support.sizes import LARGE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

MOST_MOVES = 400
GONE_ON = "before => Number(document.getElementById('table').dataset.ply) > before"
IN_HAND = "card => Boolean(card.closest('.hand'))"
GOAL = ".is-target .piece, .piece.is-target, [data-confirm]"

Sit = Callable[..., "Duellist"]


class Duellist(Player):
    """Brings Characters in, feeds the Active one, and attacks as soon as that does harm."""

    def begin(self, site: str, **choices: str) -> None:
        self.page.goto(f"{site}/play/?game=knd-ocg&mode=duel")
        self.page.locator("details.more > summary").click()
        for name, value in choices.items():
            field = self.page.locator(f"[name={name}]")
            if field.first.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.get_by_role("button", name="Create table").click()

    @property
    def kind(self) -> str:
        return self.page.locator("#table").get_attribute("data-prompt-kind") or ""

    def move(self) -> None:
        deed = self.deed()
        # A long hand overlaps: of each card at least the left edge lies free.
        deed.click(position={"x": 12, "y": 40} if deed.evaluate(IN_HAND) else None)
        if self.page.locator(".is-picked").count():
            self.page.locator(GOAL).first.click()

    def deed(self) -> Locator:
        """The next thing to press: a playable card, a good attack, else the last button."""
        page = self.page
        if self.kind not in ("play", "again"):
            cards = page.locator(".hand .may, .offered .may, .side .piece.may")
            return (cards if cards.count() else page.locator("[data-options] .may")).first
        for choice in (
            ".hand [data-intent^=place]",
            ".hand [data-intent^=attach]",
            ".side .piece.may[data-option^=move-up]",
            ".hand [data-intent^=special]",
            ".deed-attack .may.is-deadly",
            ".deed-attack .may:not(:has-text('you lose'))",
        ):
            choices = page.locator(choice)
            if choices.count():
                return choices.first
        return page.locator(".deed-end .may")

    def play_to_the_end(self) -> None:
        width = self.page.viewport_size["width"]  # type: ignore[index]
        for _ in range(MOST_MOVES):
            if not self.ready():
                break
            before = self.ply
            self.move()
            try:
                self.page.wait_for_function(GONE_ON, arg=before, polling=EVERY, timeout=10_000)
            except TimeoutError:
                # The note below a Character was pressed instead: its sheet is open.
                self.page.keyboard.press("Escape")
                self.move()
                self.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        self.page.locator("#to-result").click()
        self.page.wait_for_url("**/result/")


@pytest.fixture
def sit(browser: Browser) -> Iterator[Sit]:
    players: list[Duellist] = []

    def make(size: dict[str, int] = DESKTOP, **options: object) -> Duellist:
        players.append(Duellist(browser, size, **options))
        return players[-1]

    yield make
    for player in players:
        player.close()


@pytest.mark.parametrize(("size", "turns"), [(PHONE, "24"), *[(DESKTOP, "200")] * LARGE])
@pytest.mark.slow
def test_a_duel_by_clicks(site: str, sit: Sit, size: dict[str, int], turns: str) -> None:
    ann = sit(size)
    ann.begin(site, seat_1="bot:random", deck="starter-attackers", option_turn_cap=turns)
    ann.play_to_the_end()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"You win!|wins\.|draw")
    )
    expect(ann.page.locator(".ranking")).to_contain_text("of 5 Characters lost")


def test_a_duel_by_keys_alone(site: str, sit: Sit) -> None:
    """The arrows go to a card, Enter takes it, and what comes then is under the fingers."""
    ann = sit()
    ann.begin(site, seat_1="bot:random", deck="starter-attackers", option_turn_cap="20")
    page, keys = ann.page, ann.page.keyboard
    for _ in range(MOST_MOVES):
        if not ann.ready():
            break
        before = ann.ply
        goal = ann.deed()
        number = goal.evaluate(
            "one => [...document.querySelectorAll('[data-options] .may')].indexOf(one) + 1"
        )
        if 0 < number < 10:
            keys.press(str(number))
        else:
            tab_to(goal)
            keys.press("Enter")
        if page.locator(".is-picked").count():
            if not page.evaluate("goal => document.activeElement.matches(goal)", GOAL):
                tab_to(page.locator(GOAL).first)
            keys.press("Enter")
        page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
    page.locator("#to-result").focus()
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"You win!|wins\.|draw"))


def test_two_people_duel_by_link(site: str, sit: Sit) -> None:
    """Placed cards stay unseen until both are ready; then each sees the other's moves."""
    ann, bob = sit(), sit(PHONE, color_scheme="dark")
    ann.begin(site, seat_1="open")
    ann.page.wait_for_selector("#link")
    bob.page.goto(ann.page.locator("#link").input_value())
    bob.page.get_by_role("button", name="Join table").click()
    bob.page.wait_for_selector("#table")
    ann.page.wait_for_selector("#table")
    while ann.kind.startswith("setup-"):
        assert ann.ready()
        before = ann.ply
        ann.move()
        ann.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
    expect(bob.page.locator(".side-far")).to_contain_text("ready")
    expect(bob.page.locator(".side-far [data-slot] a.piece")).to_have_count(0)
    for _ in range(24):
        player = whoever_is_asked(ann, bob)
        if not player.ready():
            break
        before = player.ply
        player.move()
        player.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
    expect(bob.page.locator(".side-far [data-slot] a.piece").first).to_be_visible()
    if not bob.page.locator("#to-result").count():
        if (more := bob.page.get_by_role("button", name="More", exact=True)).is_visible():
            more.click()
        bob.page.locator("[popovertarget='concede']").first.click()
        bob.page.locator("#concede").get_by_role("button", name="Concede").click()
        bob.page.wait_for_url("**/result/")
        ann.page.wait_for_function(READY, polling=EVERY)
    ann.page.locator("#to-result").click()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("win")


def whoever_is_asked(*players: Duellist) -> Duellist:
    """The first whose page asks, or says that it is over; news may be on their way to both."""
    for _ in range(600):
        for player in players:
            if player.page.evaluate(READY):
                return player
        players[0].page.wait_for_timeout(100)
    pytest.fail("Nobody is asked.")
