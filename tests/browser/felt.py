"""Tables laid out by a game's ``layouts.py``, and what of them can be seen and reached.

A layout is what :func:`rules.testing.position` takes; the match that it becomes has a start that
tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from matches import engine
from matches.models import Match
from matches.queries.seat_decks import starter_for_seat
from matches.services.setup import MatchSetup, SeatPlan, create_match
from rules.engine.match import Match as Table
from tests.browser.player import EVERY, Open, keep, person
from tests.support.boxes import TRAY_SHARE

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gwen", "Hugo Longname")
SCREENS = {
    "desk": {"width": 1440, "height": 900},
    "laptop": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844},
    "sideways": {"width": 844, "height": 390},
}
A_LITTLE = 0.1
"""By this part of its height the stage may be higher than what is seen of it: less than a swipe."""
LEAST = {"desk": 64, "laptop": 64, "phone": 44, "sideways": 44}
"""No card of an opponent is narrower than so many pixels."""


def laid_match(table: Table) -> Match:
    """A running match, Ann in the first seat, that stands as this table does."""
    people = [person(name) for name in PEOPLE[: table.seats]]
    decks = [
        starter_for_seat(table.game, table.mode, seat) if table.mode.own_decks else None
        for seat in range(table.seats)
    ]
    match = create_match(
        host=people[0],
        setup=MatchSetup(
            game=table.game.slug,
            mode=table.mode.slug,
            seats=[
                SeatPlan(user=user, deck=deck) for user, deck in zip(people, decks, strict=True)
            ],
        ),
    )
    Match.objects.filter(pk=match.pk).update(state=engine.snapshot(table), opening_events=[])
    for seat in match.seats.all():
        prompt = table.prompts.get(seat.number)
        seat.prompt = prompt.id if prompt else None
        seat.save(update_fields=["prompt"])
    return Match.objects.get(pk=match.pk)


OUT_OF_REACH = Path(__file__).with_name("out_of_reach.js").read_text()


def out_of_reach(page: Page, screen: str, scrolls: float) -> list[str]:
    """List what cannot be seen or is too small, now and while each card of the hand is picked."""
    share = TRAY_SHARE.get(screen, 1)
    limits = {"least": LEAST[screen], "scrolls": scrolls, "share": share}
    wrong: list[str] = page.evaluate(OUT_OF_REACH, limits)
    for number in range(page.locator(".hand [data-intent]").count()):
        page.locator(".hand [data-intent]").nth(number).evaluate("one => one.click()")
        wrong += page.evaluate(OUT_OF_REACH, limits)
        page.keyboard.press("Escape")
    return wrong


def everything_in_reach(
    sit: Open, tables: Mapping[str, Callable[[], Table]], scrolls: Mapping[str, float]
) -> None:
    """On every screen, of every one of these tables (one page for all of them).

    ``scrolls`` says of a layout and screen by which part of its height the stage may be higher
    than what is seen of it; others may by a little.
    """
    ann = sit(person("Ann"), "/api/problems/invalid/")
    site = ann.page.url.removesuffix("/api/problems/invalid/")
    faults: dict[str, list[str]] = {}
    for name, lay in tables.items():
        ann.page.goto(site + laid_match(lay()).get_absolute_url())
        ann.ready()
        for screen, size in SCREENS.items():
            ann.page.set_viewport_size(size)
            ann.page.wait_for_function(SETTLED, polling=EVERY)
            keep(ann.page, f"{name}-{screen}", full_page=False)
            wrong = out_of_reach(ann.page, screen, scrolls.get(f"{name}-{screen}", A_LITTLE))
            if wrong:
                faults[f"{name}-{screen}"] = wrong
    lines = [f"{name}: {line}" for name, wrong in faults.items() for line in dict.fromkeys(wrong)]
    assert not lines, "\n".join(lines)


SETTLED = """() => {
    const root = document.querySelector("[data-match]");
    const sideways = innerWidth > innerHeight && innerHeight < 500;
    return !sideways || Math.abs(root.getBoundingClientRect().top) < 2;
}"""


def places_of(page: Page) -> Any:
    """Where each card of the felt is, by its number."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".spot > .piece[data-card]")]
            .map(one => [one.dataset.card, ["x", "y", "width"].map(
                side => Math.round(one.getBoundingClientRect()[side]))]))"""
    )
