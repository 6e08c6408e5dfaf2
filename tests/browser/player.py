"""Somebody at the table in a browser: looks at what is lit up, clicks it and waits.

With RIFFLE_SCREENSHOTS=<folder> every page that is looked at is also saved as a picture.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from matches import engine
from matches.models import Match, Status
from matches.services.play import play_move
from rules.engine.moves import Move, Prompt
from tests.conftest import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
SIZES = {"phone": PHONE, "desktop": DESKTOP, "sideways": {"width": 844, "height": 390}}

Open = Callable[..., "Player"]
Answer = Callable[[Match, Any, Prompt], Move]
Enough = Callable[[Any], bool]

PACE = "riffle.pace"
EVERY = 20
"""So many milliseconds pass between two looks of a test that waits. Playwright looks at each frame
that is drawn, and so has the page drawn sixty times a second."""
READY = """() => {
  const root = document.querySelector("[data-match]");
  const table = document.getElementById("table");
  if (!table || !root?.matches(".has-script:not(.is-busy, .is-playing)")) return false;
  return Boolean(table.dataset.asked) || Boolean(document.getElementById("to-result"));
}"""
STILL = "() => !document.querySelector('.is-busy, .is-playing')"
"""Nothing is on its way to the server, and nothing is being shown step by step."""
DRAWN = """() => document.fonts.status === "loaded" && !document.querySelector(".htmx-request")
    && [...document.images].every(image => image.complete || image.loading === "lazy")"""
"""Nothing that the page shows by itself is still on its way."""
FADED = "() => !document.getAnimations().some((one) => one instanceof CSSTransition)"
"""Colours that are still fading have no contrast."""
LAID_OUT = "() => new Promise(done => requestAnimationFrame(() => done(true)))"
"""Scripts have laid out what the window's new size asks for."""
MAX_TABS = 200
"""More than any table has stops for the Tab key."""


class Player:
    """One person and one page. ``errors`` collects what the page's scripts complain about."""

    def __init__(self, browser: Browser, size: dict[str, int] = DESKTOP, **options: object) -> None:
        settings = {"viewport": size, "locale": "en-GB", "reduced_motion": "reduce"} | options
        self.context = browser.new_context(**settings)  # type: ignore[arg-type]
        self.context.set_default_timeout(PATIENCE)
        # Who welcomes motion sees what happens step by step, the others at once: tests are quick.
        pace = "once" if settings["reduced_motion"] == "reduce" else "fast"
        self.context.add_init_script(
            f"try {{ localStorage.getItem('{PACE}') ?? localStorage.setItem('{PACE}', '{pace}') }} "
            "catch { /* a page without storage */ }"
        )
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def close(self) -> None:
        self.context.close()
        assert self.errors == []

    def new_table(self, site: str, **choices: str) -> None:
        """Fill in the form of a new table, as a guest, and sit down."""
        self.page.goto(f"{site}/play/")
        self.page.locator("details.more > summary").click()
        for name, value in choices.items():
            field = self.page.locator(f"[name={name}]")
            if field.first.get_attribute("type") == "radio":
                self.page.locator(f"label:has([name={name}][value='{value}'])").click()
            elif field.first.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.get_by_role("button", name="Create table").click()

    def ready(self) -> bool:
        """Wait until this person is asked (True) or the match is over (False)."""
        self.page.wait_for_function(READY, polling=EVERY, timeout=60_000)
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
        for leader in self.page.locator(".opponent [data-aim]").all():
            seat = aimed_at(leader)["seat"]
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


def aimed_at(piece: Locator) -> dict[str, Any]:
    """The word for a card on the table to the rules where something points at it."""
    return dict(json.loads(piece.get_attribute("data-aim") or "{}"))


# -- people at a table of the test's own server ---------------------------------------------------


def person(name: str) -> User:
    """Somebody of that name, the same one each time."""
    user, _ = User.objects.get_or_create(username=name.lower(), defaults={"display_name": name})
    return user


def sitting(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Opens pages as a person; at the end no page may have complained."""
    players: list[Player] = []

    def make(user: User | None, path: str, size: str = "desktop", **options: Any) -> Player:
        player = Player(browser, SIZES[size], **options)
        players.append(player)
        # The test server has no live stream.
        player.context.route("**/events/**", lambda route: route.abort())
        if user is not None:
            log_in(player.context, live_server, user)
        player.page.goto(f"{live_server.url}{path}")
        return player

    yield make
    for player in players:
        player.close()


def log_in(context: BrowserContext, live_server: LiveServer, user: User) -> None:
    """From now on the browser is the person's."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    name = settings.SESSION_COOKIE_NAME
    cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
    context.add_cookies([cookie])  # type: ignore[list-item]


def tab_to(goal: Locator) -> None:
    """Go on by the Tab key until the focus is there: the long way, which always leads there."""
    for _ in range(MAX_TABS):
        if goal.evaluate("element => element === document.activeElement"):
            return
        goal.page.keyboard.press("Tab")
    pytest.fail("Tab never reaches it.")


@contextmanager
def leads_on(page: Page) -> Iterator[None]:
    """What is clicked inside leads to a new page; afterwards that is there and its scripts listen.

    ``click`` alone may return while the page before is still to be seen.
    """
    page.evaluate("() => { window.before = true; }")
    yield
    page.wait_for_function("() => !window.before", polling=EVERY)
    page.wait_for_load_state()


@contextmanager
def visiting(browser: Browser, live_server: LiveServer, width: int) -> Iterator[Page]:
    """A page of somebody who is not logged in; at the end it may not have complained."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    yield page
    assert complaints == []
    context.close()


def enter(browser: Browser, live_server: LiveServer, user: User, **options: Any) -> BrowserContext:
    """A browser in which the person is logged in."""
    wishes = {"viewport": DESKTOP, "reduced_motion": "reduce", "locale": "en-GB"} | options
    context = browser.new_context(**wishes)
    context.set_default_timeout(PATIENCE)
    log_in(context, live_server, user)
    return context


def chance_of(match: Match, table: Any, prompt: Prompt, bot: str = "random") -> Move:
    """The answer a bot would give; the same each time."""
    chance = engine.bot_chance(match, prompt.seat, prompt.id)
    return engine.game_of(match).bots[bot].choose(table.view(prompt.seat), prompt, chance)


def answer(match: Match, seat: int | None = None, choose: Answer = chance_of) -> None:
    """The next move of a seat, or of the first that is asked."""
    match.refresh_from_db()
    table = engine.load(match)
    prompt = next(iter(table.prompts.values())) if seat is None else table.prompts[seat]
    user = match.seats.get(number=prompt.seat).user
    assert user
    move = choose(match, table, prompt)
    play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    match.refresh_from_db()


def play_until(
    match: Match, enough: Enough, choose: Answer = chance_of, *, plies: int = 1500
) -> bool:
    """Answer for everybody until ``enough``; False if the match ends before."""
    for _ in range(plies):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            return False
        if enough(engine.load(match)):
            return True
        answer(match, choose=choose)
    return False


def running(make: Callable[[], Match], enough: Enough, choose: Answer = chance_of) -> Match:
    """A match in the middle of this: made, and played until it comes to it."""
    for _ in range(20):
        match = make()
        if play_until(match, enough, choose):
            return match
    pytest.fail("No match ever came to this.")


def look_at(sit: Open, axe_source: str, pages: dict[str, str]) -> None:
    """Each page in each size, light and dark: axe finds nothing and nothing overflows.

    Sideways a table has other places than on a phone, and the same colours.

    It is opened on a phone; then the window changes, as it does when somebody turns theirs.
    """
    ann = sit(person("Ann"), "/api/problems/invalid/", "phone")
    site = ann.page.url.removesuffix("/api/problems/invalid/")
    for name, path in pages.items():
        ann.page.set_viewport_size(SIZES["phone"])
        ann.page.goto(site + path)
        for size in SIZES:
            ann.page.set_viewport_size(SIZES[size])
            if size == "sideways" and not os.environ.get("RIFFLE_SCREENSHOTS"):
                ann.page.wait_for_function(LAID_OUT)
                _wait_for_all(ann.page)
                quiet(ann.page, axe_source, f"{name}-{size}", colours=False)
                continue
            look(ann.page, axe_source, f"{name}-{size}", full_page=False)
    ann.close()


SHOW_IN = """theme => {
    const chosen = document.documentElement.dataset.theme ?? null;
    if (theme === null) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const fading of document.getAnimations())
        if (fading instanceof CSSTransition) fading.finish();
    return chosen;
}"""


def look(page: Page, axe_source: str, name: str, *, full_page: bool = True) -> None:
    """The page is well to look at, light and dark; kept as pictures where somebody wants them."""
    _wait_for_all(page)
    chosen = page.evaluate(SHOW_IN, "light")
    keep(page, f"{name}-light", full_page)
    quiet(page, axe_source, f"{name}-light")
    page.evaluate(SHOW_IN, "dark")
    keep(page, f"{name}-dark", full_page)
    findings = axe_findings(page, axe_source, only=CONTRAST)  # a theme is colours, no more
    assert not findings, (f"{name}-dark", findings)
    page.evaluate(SHOW_IN, chosen)


def look_in_both(page: Page, axe_source: str, name: str, *, full_page: bool = True) -> None:
    """The page is well to look at as it is, and in the other size, whose window it then leaves.

    A journey made once, on a phone or a desktop, so has its pages looked at in both. Light colours
    are asked for in the first, dark ones in the other: that is most of axe's work.
    """
    size = page.viewport_size
    assert size
    narrow = size["width"] < SIZES["desktop"]["width"]
    _wait_for_all(page)
    chosen = page.evaluate(SHOW_IN, "light")
    keep(page, f"{name}-light", full_page)
    quiet(page, axe_source, f"{name}-light")
    page.set_viewport_size(SIZES["desktop" if narrow else "phone"])
    page.wait_for_function(LAID_OUT)
    _wait_for_all(page)
    keep(page, f"{name}-resized-light", full_page)
    page.evaluate(SHOW_IN, "dark")
    keep(page, f"{name}-resized-dark", full_page)
    quiet(page, axe_source, f"{name}-resized-dark")
    page.set_viewport_size(size)
    page.wait_for_function(LAID_OUT)
    keep(page, f"{name}-dark", full_page)
    page.evaluate(SHOW_IN, chosen)


def _wait_for_all(page: Page) -> None:
    """Until nothing that can be seen will change by itself."""
    page.wait_for_load_state()
    if os.environ.get("RIFFLE_SCREENSHOTS"):
        page.wait_for_load_state("networkidle")  # pictures that come late are on none of them
    page.wait_for_function(DRAWN)
    page.wait_for_function(FADED)


def keep(page: Page, name: str, full_page: bool) -> None:
    """A picture of the page, where somebody wants them."""
    if folder := os.environ.get("RIFFLE_SCREENSHOTS"):
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=place / f"{name}.png", full_page=full_page)


DANGLING = """() => ["aria-controls", "aria-describedby", "aria-labelledby", "for"].flatMap(name =>
    [...document.querySelectorAll(`[${name}]:not([type=hidden])`)].flatMap(one =>
        one.getAttribute(name).split(" ")
        .filter(id => id && !document.getElementById(id)).map(id => `${name}="${id}"`)))"""
"""References to ids that are nowhere on the page; axe leaves those to people."""


def quiet(page: Page, axe_source: str, name: str = "", *, colours: bool = True) -> None:
    """The page is accessible and nothing sticks out."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    wide = page.evaluate(
        """width => [...document.querySelectorAll("main *")]
            .filter(one => one.getBoundingClientRect().right > width + 1
                && !one.closest(".table-wrap, .tabs, [hidden], .visually-hidden"))
            .map(one => one.outerHTML.slice(0, 120))""",
        width,
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, wide[:3])
    dangling = page.evaluate(DANGLING)
    assert not dangling, (name, dangling)
    findings = axe_findings(page, axe_source, colours=colours)
    assert not findings, (name, findings)


def keep_table(page: Page, name: str) -> None:
    """A picture of the felt alone, where somebody wants pictures.

    One of them is the ``table.webp`` of each game, which the start page shows.
    """
    if folder := os.environ.get("RIFFLE_SCREENSHOTS"):
        image = Image.open(BytesIO(page.locator("#table").screenshot())).convert("RGB")
        felt = image.crop((0, 0, image.width, round(image.width / 1.6))).resize((640, 400))
        felt.save(Path(folder) / f"table-{name}.webp", quality=70, method=6)


CONTRAST = "color-contrast"
FINDINGS = """async (options) => {
    const found = await axe.run({ resultTypes: ["violations"], ...options });
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 200)}`));
}"""
"""What axe passes it is not asked to describe: that is most of its work, and nobody reads it."""


def axe_findings(page: Page, axe_source: str, only: str = "", *, colours: bool = True) -> list[str]:
    """What stands in the way of people who cannot see or point; nothing, if all is well.

    ``only`` names one of axe's rules, where no other can find anything. Without ``colours`` their
    contrast is not asked for, which takes as long as all the rest.
    """
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe_source)
    options: dict[str, Any] = {"runOnly": [only]} if only else {}
    if not colours:
        options["rules"] = {CONTRAST: {"enabled": False}}
    findings: list[str] = page.evaluate(FINDINGS, options)
    return findings


def tick(page: Page, name: str, words: str) -> None:
    """Tick a box of the gallery's filters, or take the tick away; opens its list if need be."""
    boxes = page.locator("details", has=page.locator(f"#said_{name}"))
    box = boxes.get_by_role("checkbox", name=words, exact=True)
    if boxes.get_attribute("open") is None:
        boxes.locator("summary").click()
    box.click()
