"""The layout of the table: the board uses its room, nothing is covered or cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from matches.services.play import concede
from tests.browser.felt import laid_match
from tests.browser.player import EVERY, LAID_OUT, SHOW_IN, Open, Player, keep, keep_table, person
from tests.games.battl_khaos.site import layouts
from tests.support.boxes import SCREENS, wrong_boxes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FAULTS = Path(__file__).with_name("table_faults.js").read_text()
SETTLED = """() => {
    const map = document.querySelector(".board-map");
    const { width, height } = map.getBoundingClientRect();
    const [, , wide, high] = map.getAttribute("viewBox").split(" ").map(Number);
    return Math.abs(width / height - wide / high) < 0.01;
}"""


def faults(ann: Player, screen: str, name: str) -> list[str]:
    ann.page.wait_for_function(SETTLED, polling=EVERY)
    keep(ann.page, f"khaos-{name}-{screen}", full_page=False)
    if screen == "desk":
        keep_table(ann.page, name)
    wrong = [*ann.page.evaluate(FAULTS), *wrong_boxes(ann.page, screen)]
    return [f"{name}: {fault}" for fault in wrong]


def middle(page: Page, cell: str) -> tuple[float, float]:
    box = page.locator(f'[data-choice="{cell}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def moments(ann: Player, name: str) -> Iterator[str]:
    """The table from the start of a turn to the tile that is about to be placed."""
    page = ann.page
    if name == "drawing":  # on a phone, too, what can be drawn lies open
        expect(page.locator(".row-tiles .may").first).to_be_in_viewport()
        return
    yield f"{name}-start"
    if name == "aiming":
        page.locator('[data-choice="-1,-1"]').click()
        yield f"{name}-aimed"
        return
    page.locator(".hand [data-place]").first.click()
    yield f"{name}-picked"
    # One press where the mouse or finger is, on the place furthest up; the hover comes first.
    cells = page.locator(".layer-choices .is-open")
    top = cells.first.get_attribute("data-choice") or ""
    page.mouse.move(*middle(page, top))
    expect(page.locator(".ghost.is-hovered")).to_have_count(1)
    seen = middle(page, top)
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(".ghost:not(.is-hovered)")).to_have_count(1)
    if name == "opening":  # the whole board is seen: it stays, though the tray grows
        page.wait_for_function(LAID_OUT)
        assert middle(page, top) == pytest.approx(seen, abs=1)
    if name == "ring":
        cell, board = (
            page.locator(part).bounding_box() for part in (f'[data-choice="{top}"]', ".board-map")
        )
        assert cell and board and cell["y"] - board["y"] < cell["height"], "no empty room above it"
        page.get_by_role("button", name="Cancel").click()
        page.locator(".shelf-towers [data-place]").first.evaluate("tower => tower.click()")
        page.locator('[data-choice="0,2"]').click()  # the sums at its corners are the outermost
        yield f"{name}-tower"
        page.locator('[data-choice="1,0"]').click()
        expect(page.locator(".draft-words")).to_be_in_viewport(ratio=1)
        expect(page.locator(".draft-why")).to_be_in_viewport(ratio=1)
        yield f"{name}-refused"
    page.get_by_role("button", name="Cancel").click()
    page.locator(".hand [data-place]").first.click()
    page.locator('[data-choice="1,0"]').click()
    if page.locator("[data-chip]").count():
        expect(page.locator("[data-chip]").first).to_have_text(
            "Drums" if name != "late" else "Double Drums"
        )
        page.locator("[data-chip]").last.click()
    yield f"{name}-placed"
    page.get_by_role("button", name="Cancel").click()


@pytest.mark.parametrize("screen", list(SCREENS))
def test_the_table_uses_its_room(sit: Open, screen: str) -> None:
    """From the first turn to the end: the boxes of board, tools and tray."""
    matches = {name: laid_match(lay()) for name, lay in layouts.TABLES.items()}
    over = laid_match(layouts.late())
    concede(slug=over.slug, user=over.host)
    ann = sit(person("Ann"), "/api/problems/invalid/", "phone")
    site = ann.page.url.removesuffix("/api/problems/invalid/")
    ann.page.set_viewport_size(SCREENS[screen])
    wrong: list[str] = []
    for name, match in matches.items():
        ann.page.goto(site + match.get_absolute_url())
        ann.ready()
        for moment in moments(ann, name):
            wrong += faults(ann, screen, moment)
    ann.page.goto(site + over.get_absolute_url())
    ann.page.wait_for_selector("#to-result")
    wrong += faults(ann, screen, "over")
    ann.page.evaluate(SHOW_IN, "dark")
    wrong += faults(ann, screen, "over in the dark")
    assert not wrong, "\n".join(wrong)
