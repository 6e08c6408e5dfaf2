"""The board: what a ghost says before it is placed, how it is turned, how one moves about."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from matches import engine
from matches.models import SeatKind
from matches.services.lessons import learn
from matches.services.play import concede
from rules.engine.match import Match as Table
from tests.browser.felt import laid_match
from tests.browser.player import STILL, Open, look_at, person
from tests.games.battl_khaos.site import layouts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CELLS = ["cell 0,0", "cell 1,0"]
"""Oathstone, and the space at its two open corners."""

#: Every way to lay the first tile of the hand: place, turn and token, with the words of the tray.
WAYS = """(most) => {
    const press = { bubbles: true, cancelable: true };
    const click = one => one.dispatchEvent(new MouseEvent("click", press));
    const chipOf = id => document.querySelector(`[data-chip="${id}"]`);
    const words = () => document.querySelector(".draft-words").textContent;
    const ways = [];
    click(document.querySelector(".hand [data-place]"));
    for (const cell of [...document.querySelectorAll(".layer-choices .may")].slice(0, most)) {
        click(cell);
        for (let turn = 0; turn < 4; turn += 1) {
            const chips = [...document.querySelectorAll("[data-chip]")];
            for (const chip of ["", ...chips.map(one => one.dataset.chip)]) {
                if (chip) click(chipOf(chip));
                ways.push([cell.dataset.choice, turn, chip, words()]);
                if (chip) click(chipOf(chip));
            }
            document.querySelector("[data-turn-draft]").click();
        }
    }
    return ways;
}"""
CORNERS = ("north-west", "north-east", "south-east", "south-west")


def told(table: Table, cell: tuple[int, int]) -> dict[str, Any]:
    """Sums and scores by the rules after a placement, in the form of ``read``."""
    view = table.view(0)
    x, y = cell
    sums = set()
    for lies in view["board"]:
        tower = lies["tower"]
        if tower and max(abs(lies["x"] - x), abs(lies["y"] - y)) == 1:
            sums |= {
                (name, corner["orcs"], corner["knights"])
                for name, corner in zip(CORNERS, tower["corners"], strict=True)
                if not corner["missing"] and _touches(lies, name, cell)
            }
    scores = {player["side"]: player["score"] for player in view["players"]}
    return {"sums": sums, "orcs": scores["O"], "knights": scores["K"]}


def _touches(tower: dict[str, Any], corner: str, cell: tuple[int, int]) -> bool:
    """True if a cell is one of the three at a tower's corner."""
    south, east = "south" in corner, "east" in corner
    dx, dy = cell[0] - tower["x"], cell[1] - tower["y"]
    return dx in (0, 1 if east else -1) and dy in (0, 1 if south else -1)


def read(words: str) -> dict[str, Any]:
    sums = re.findall(r"([a-z]+-[a-z]+) corner (\d+) : (\d+)", words.lower())
    orcs, knights = re.findall(r"orcs (\d+), knights (\d+)", words)[-1]
    corners = {(name, int(o), int(k)) for name, o, k in sums}
    return {"sums": corners, "orcs": int(orcs), "knights": int(knights)}


@pytest.mark.parametrize(("layout", "most"), [("ring", 20), ("late", 6)])
def test_a_ghost_says_what_the_rules_say(sit: Open, layout: str, most: int) -> None:
    """Each place, turn and token: sums and score are those after it is really played."""
    match = laid_match(layouts.TABLES[layout]())
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    ways = ann.page.evaluate(WAYS, most)
    assert len(ways) > 50
    start = engine.load(match)
    tile = start.notation(start.prompts[0].options[0])
    slugs = {card["id"]: card["slug"] for card in start.view(0)["players"][0]["tokens"]}
    for place, turn, chip, words in ways:
        table = start.clone()
        token = f"token {slugs[int(chip)]}" if chip else "none"
        for move in (tile, f"cell {place}", f"turn {turn}", token):
            table.play(0, table.parse(0, move))
        cell = tuple(map(int, place.split(",")))
        assert read(words) == told(table, cell), (place, turn, token, words)


def test_a_tile_is_turned_weighed_up_and_placed_with_a_token(sit: Open) -> None:
    """BKH-SC-03 by hand: second tap, key, wheel; one request in the end."""
    match = laid_match(layouts.ring())
    match.seats.filter(number=1).update(kind=SeatKind.BOT, user=None, bot="random")
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    page, words = ann.page, ann.page.locator(".draft-words")
    page.locator(".hand").get_by_role("button", name="Place Tithe Camp").click()
    expect(page.locator(".layer-choices .may")).to_have_count(12)
    cell = page.locator('[data-choice="1,0"]')
    cell.click()
    expect(words).to_contain_text("You win Oathstone (2)")
    cell.click()
    expect(words).to_contain_text("The knights win Oathstone (2)")
    expect(page.locator(".takeover-K")).to_have_count(1)
    page.get_by_role("button", name="Hint", exact=True).click()  # the keys play on beside it
    expect(page.locator("#hint")).to_be_visible()
    page.keyboard.press("Shift+R")
    expect(page.locator(".pill-O")).to_have_count(2)
    cell.hover()
    page.mouse.wheel(0, 120)
    expect(page.locator(".takeover-K")).to_have_count(1)
    page.mouse.wheel(0, -120)
    page.locator("[data-chip]", has_text="Double Drums").click()
    expect(words).to_contain_text("south-east corner 4 : 1")
    page.get_by_role("button", name="Place with Double Drums").click()
    page.wait_for_function(STILL)
    match.refresh_from_db()
    notations = [row.notation for row in match.moves.order_by("ply")]
    assert notations == ["place bkh-f01k", "cell 1,0", "turn 0", "token bkh-p-drums2"]
    expect(page.locator("#table")).to_have_attribute("data-prompt-kind", "draw-tile")
    expect(page.locator(".side-O .score-number b")).to_have_text("2")
    page.get_by_role("button", name="Last move").click()
    left, top, wide, high = view_of(page)
    assert (left + wide / 2, top + high / 2) == pytest.approx((150, 50))


def test_a_lesson_points_at_cells_of_the_board(sit: Open) -> None:
    """At a tower that lies there, and at a space that is free, before and while a tile is held."""
    lesson = learn(user=person("Ann"), game="battl-khaos")
    page = sit(person("Ann"), lesson.get_absolute_url()).page
    for _ in range(2):
        page.locator("[data-next-text]").click()
    pointed = page.locator(".board-map .is-pointed")
    for _ in range(2):
        expect(pointed).to_have_count(2)
        assert pointed.evaluate_all("all => all.map(element => element.dataset.slot)") == CELLS
        page.locator(".hand .tile-pick.is-meant").click()


def test_a_closed_place_says_why_and_a_pick_is_put_back(sit: Open) -> None:
    ann = sit(person("Ann"), laid_match(layouts.ring()).get_absolute_url())
    ann.ready()
    page = ann.page
    page.locator(".tower-tiles").get_by_role("button", name="Place Mudpike").click()
    expect(page.locator(".is-closed")).to_have_count(1)
    page.locator('[data-choice="1,0"]').click()
    why = page.get_by_role("alert").filter(has_text="Too close")
    expect(why.get_by_role("link")).to_have_attribute("href", "/rules/BKH-T-05/")
    expect(page.locator(".tray").filter(has=why)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".is-closed, .layer-choices .may, .ghost")).to_have_count(0)
    page.get_by_role("button", name="All answers").click()
    answers = page.locator("#as-list")
    expect(answers.get_by_role("heading")).to_have_text("All answers")
    answers.get_by_role("button", name="Close").click()
    expect(answers).to_be_hidden()
    page.locator(".tokens-own").get_by_role("link", name="Leader").click()
    look = page.locator("#look")
    expect(look).to_contain_text("Play a token together with a tile")
    rule = look.get_by_role("link", name="What the rules say")
    expect(rule).to_have_attribute("href", "/rules/BKH-P-01/")


def view_of(page: Page) -> list[float]:
    box = page.locator(".board-map").get_attribute("viewBox") or ""
    return [float(number) for number in box.split()]


PINCH = """() => {
    const board = document.querySelector(".board-map");
    const { left, top } = board.getBoundingClientRect();
    const say = (kind, pointerId, x) => board.dispatchEvent(new PointerEvent(kind, {
        bubbles: true, pointerId, pointerType: "touch", clientX: left + x, clientY: top + 150,
    }));
    say("pointerdown", 11, 150);
    say("pointerdown", 12, 250);
    say("pointermove", 12, 350);
    say("pointerup", 11, 150);
    say("pointerup", 12, 350);
}"""
NEARER = "wide => document.querySelector('.board-map').viewBox.baseVal.width < wide"


def test_the_board_pans_and_zooms(sit: Open) -> None:
    ann = sit(person("Ann"), laid_match(layouts.late()).get_absolute_url())
    ann.ready()
    page = ann.page
    whole = view_of(page)
    expect(page.locator(".overview")).to_be_hidden()
    middle = page.locator(".board-map").bounding_box()
    assert middle
    x, y = middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    page.wait_for_function(
        "wide => document.querySelector('.board-map').viewBox.baseVal.width < wide", arg=whole[2]
    )
    near = view_of(page)
    expect(page.locator(".overview")).to_be_visible()
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=3)
    page.mouse.up()
    dragged = view_of(page)
    assert dragged[0] > near[0] and dragged[1] > near[1] and dragged[2] == near[2]
    expect(page.locator(".ghost, .is-picked")).to_have_count(0)
    page.keyboard.press("Shift+ArrowRight")
    assert view_of(page)[0] > dragged[0]
    page.keyboard.press("b")
    assert view_of(page) == pytest.approx(whole)
    page.evaluate(PINCH)
    assert view_of(page)[2] == pytest.approx(whole[2] / 2, rel=0.01)
    page.get_by_role("button", name="Whole board").click()
    assert view_of(page) == pytest.approx(whole)


def test_a_replay_has_the_tools_of_the_board(sit: Open) -> None:
    """Keys and buttons zoom, arrows go from step to step and leave the board where it is."""
    match = laid_match(layouts.late())
    concede(slug=match.slug, user=match.host)
    page = sit(person("Ann"), reverse("matches:replay", args=(match.slug,))).page
    whole = view_of(page)
    page.keyboard.press("+")
    assert view_of(page)[2] < whole[2]
    page.get_by_role("button", name="Whole board").click()
    assert view_of(page) == pytest.approx(whole)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#table")).to_have_attribute("data-ply", "1")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#table")).to_have_attribute("data-ply", "0")
    assert view_of(page) == pytest.approx(whole)
    page.keyboard.press("-")
    assert view_of(page)[2] > whole[2]


def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str) -> None:
    laid = {name: laid_match(layouts.TABLES[name]()) for name in ("late", "aiming")}
    over = laid_match(layouts.late())
    concede(slug=over.slug, user=over.host)
    pages = {name: match.get_absolute_url() for name, match in laid.items()}
    look_at(sit, axe_source, pages | {"result": reverse("matches:result", args=(over.slug,))})


def test_without_a_script_all_is_asked_by_buttons(sit: Open) -> None:
    """Tile, place, turn, token: a page each, with what the answer leads to."""
    match = laid_match(layouts.ring())
    ann = sit(person("Ann"), match.get_absolute_url(), java_script_enabled=False)
    page = ann.page
    for button, next_one in (
        ("Place Tithe Camp", "1 east"),
        ("1 east", "As printed"),
        ("As printed", "No token"),
        ("No token", "Top of the stack"),
    ):
        options = page.locator("#as-list").get_by_role("button")
        options.filter(has_text=re.compile(rf"^{button}(?!,)")).click()
        expect(options.filter(has_text=re.compile(rf"^{next_one}(?!,)"))).to_be_visible()
    match.refresh_from_db()
    assert [row.notation for row in match.moves.order_by("ply")][1] == "cell 1,0"
