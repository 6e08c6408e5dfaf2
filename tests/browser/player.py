"""Somebody at the table in a browser: looks at what is lit up, clicks it and waits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}

READY = """() => {
  const root = document.querySelector("[data-match]");
  const table = document.getElementById("table");
  if (!table || !root?.matches(".has-script:not(.is-busy, .is-playing)")) return false;
  return Boolean(table.dataset.asked) || Boolean(document.getElementById("to-result"));
}"""


class Player:
    """One person and one page. ``errors`` collects what the page's scripts complain about."""

    def __init__(self, browser: Browser, size: dict[str, int] = DESKTOP, **options: object) -> None:
        settings = {"viewport": size, "locale": "en-GB", "reduced_motion": "reduce"} | options
        self.context = browser.new_context(**settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(15_000)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def close(self) -> None:
        self.context.close()
        assert self.errors == []

    def new_table(self, site: str, **choices: str) -> None:
        """Fill in the form of a new table, as a guest, and sit down."""
        self.page.goto(f"{site}/play/")
        for name, value in choices.items():
            field = self.page.locator(f"[name={name}]")
            if field.first.get_attribute("type") == "radio":
                self.page.locator(f"label:has([name={name}][value='{value}'])").click()
            elif field.first.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.get_by_role("button", name="Sit down").click()

    def ready(self) -> bool:
        """Wait until this person is asked (True) or the match is over (False)."""
        self.page.wait_for_function(READY, timeout=60_000)
        return self.page.locator("#to-result").count() == 0

    @property
    def ply(self) -> int:
        return int(self.page.locator("#table").get_attribute("data-ply") or 0)

    def move(self) -> None:
        """Answer the question by clicking what stands on the table: a card, then its place."""
        page = self.page
        if page.locator("#table").get_attribute("data-prompt-kind") != "turn_action":
            on_table = page.locator(
                ".table-felt .piece[data-option], .table-felt .power[data-option]"
            )
            (on_table if on_table.count() else page.locator("[data-options] .may")).first.click()
            return
        leader = self.worth_a_challenge()
        if leader is not None:
            leader.click()
            page.locator("[data-confirm]").click()
            return
        for intent in ("place", "add_power", "add_ability", "opportunity"):
            card = page.locator(f".hand [data-intent='{intent}']")
            if card.count():
                self._play(card.first)
                return
        page.get_by_role("button", name=re.compile("^Pass")).click()

    def worth_a_challenge(self) -> Locator | None:
        """An opponent's Leader that falls in one of twelve Challenges or more."""
        for leader in self.page.locator(".opponent [data-then-seat]").all():
            seat = leader.get_attribute("data-then-seat")
            chances = self.page.locator(f"#odds-{seat} dd").last.text_content() or "0"
            if int(re.sub(r"\D", "", chances)) >= 8:
                return leader
        return None

    def _play(self, card: Locator) -> None:
        card.click()
        place = self.page.locator(".own .is-target > .piece")
        if place.count():
            place.first.click()
        else:
            self.page.locator("[data-confirm]").click()
