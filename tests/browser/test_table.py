"""The table and its pages in a browser: what a click does, what a refusal looks like, axe.

Each page is looked at in two widths and two themes. With RIFFLE_SCREENSHOTS=<folder> every one of
them is also saved as a picture.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from matches import engine
from matches.models import Match, SeatKind
from matches.services.play import play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import (
    DESKTOP,
    PHONE,
    STILL,
    Enough,
    Open,
    answer,
    chance_of,
    leads_on,
    look,
    look_at,
    person,
    play_until,
    running,
)
from tests.games.examples import GAME

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

greedy = partial(chance_of, bot="greedy")


def table_of(seats: int = 2, **options: Any) -> Match:
    """Ann, Bob … at one table."""
    people = [person(name) for name in ("Ann", "Bob", "Cleo", "Dora")[:seats]]
    return create_match(
        host=people[0],
        setup=MatchSetup(
            game=GAME, mode="match", seats=[SeatPlan(user=user) for user in people], options=options
        ),
    )


def asks_ann(*verbs: str) -> Enough:
    def enough(table: Any) -> bool:
        prompt = table.prompts.get(0)
        return (
            prompt is not None
            and prompt.kind == "turn_action"
            and set(verbs) <= {move.verb for move in prompt.options}
        )

    return enough


def table_where(enough: Enough, seats: int = 2, **options: Any) -> Match:
    """A running table that ``enough`` is true of."""
    return running(lambda: table_of(seats, **options), enough, greedy)


def kind_of(page: Page) -> str | None:
    return page.locator("#table").get_attribute("data-prompt-kind")


# -- a card, then its place -----------------------------------------------------------------------


def test_a_power_card_is_picked_then_placed(sit: Open) -> None:
    match = table_where(asks_ann("add_power"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    before = match.ply
    card = ann.page.locator(".hand [data-intent=add_power]").first
    number = card.get_attribute("data-card")
    card.click()
    match.refresh_from_db()
    assert match.ply == before, "Nothing is sent while a card is in the fingers."
    place = ann.page.locator(".own .is-target").first
    slot = place.get_attribute("data-slot")
    place.locator(".piece").click()
    ann.page.wait_for_selector(f".own [data-slot='{slot}'] .power[data-card='{number}']")
    ann.page.wait_for_function(STILL)
    match.refresh_from_db()
    assert len(match.moves.filter(ply__gt=before, notation="add_power")) == 1


@pytest.mark.parametrize("back", ["Escape", "a click elsewhere"])
def test_a_picked_card_can_be_put_back(sit: Open, back: str) -> None:
    match = table_where(asks_ann("add_power"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    question = ann.page.locator("[data-question]").inner_text()
    ann.page.locator(".hand [data-intent=add_power]").first.click()
    expect(ann.page.locator(".is-picked")).to_have_count(1)
    if back == "Escape":
        ann.page.keyboard.press("Escape")
    else:
        ann.page.locator(".middle .lamps").click()
    expect(ann.page.locator(".is-picked, .is-target, [data-confirm]")).to_have_count(0)
    expect(ann.page.locator("[data-question]")).to_have_text(question)
    ply = match.ply
    match.refresh_from_db()
    assert match.ply == ply


def test_a_double_click_is_one_move(sit: Open) -> None:
    match = table_where(asks_ann("pass"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    before = match.ply
    ann.page.locator("[data-option=pass]").dblclick()
    ann.page.wait_for_function(STILL)
    match.refresh_from_db()
    assert match.ply == before + 1


def test_a_refusal_is_rolled_back_with_its_sentence(sit: Open) -> None:
    """A prompt was answered in another tab: the page says so and catches up."""
    match = table_where(asks_ann("pass", "add_power"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    ann.page.route("**/table/*", lambda route: route.abort())
    prompt = engine.load(match).prompts[0].id
    play_move(slug=match.slug, user=person("Ann"), prompt_id=prompt, move="pass")
    ann.page.locator("[data-option=add_power]").click()
    ann.page.wait_for_function("() => document.querySelector('[data-refusal]').textContent")
    expect(ann.page.locator(".is-sent")).to_have_count(0)
    expect(ann.page.locator("[data-refusal]")).to_have_text(re.compile(r"\.$"))
    ann.page.unroute("**/table/*")
    ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ann.page.wait_for_function(
        "() => document.getElementById('table').dataset.promptKind !== 'turn_action'"
    )


def test_the_network_fails_and_comes_back(sit: Open) -> None:
    match = table_where(asks_ann("pass"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.ready()
    ann.page.route("**/play/", lambda route: route.abort())
    ann.page.locator("[data-option=pass]").click()
    ann.page.wait_for_function("() => document.querySelector('[data-refusal]').textContent")
    expect(ann.page.locator("[data-refusal]")).to_contain_text("No connection")
    ann.page.unroute("**/play/")
    before = match.ply
    ann.page.locator("[data-option=pass]").click()
    ann.page.wait_for_function(
        "ply => document.getElementById('table').dataset.ply > ply", arg=before
    )


def test_links_lead_on_where_what_can_wait_does_not_come(sit: Open) -> None:
    """Rules and chat open beside the table by scripts that come last, or else as pages."""
    match = table_where(asks_ann("pass"))
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.page.route("**/later*.js", lambda route: route.abort())
    ann.page.reload()
    ann.ready()
    with leads_on(ann.page):
        ann.page.locator(".table-tool[data-rules]").click()
    expect(ann.page).to_have_url(re.compile("/rules/"))
    with leads_on(ann.page):
        ann.page.go_back()
    ann.ready()
    before = ann.ply
    ann.page.locator("[data-option=pass]").click()
    ann.page.wait_for_function(
        "ply => document.getElementById('table').dataset.ply > ply", arg=before
    )


def test_without_a_script_every_option_is_a_button(sit: Open) -> None:
    match = table_where(asks_ann("pass"))
    ann = sit(person("Ann"), match.get_absolute_url(), java_script_enabled=False)
    before = ann.ply
    ann.page.get_by_role("button", name="Pass").click()
    expect(ann.page.locator("#table")).not_to_have_attribute("data-ply", str(before))
    expect(ann.page.locator(".ask-line")).not_to_be_empty()
    match.refresh_from_db()
    assert match.moves.order_by("ply").last().notation == "pass"


# -- the others -----------------------------------------------------------------------------------


def test_the_move_of_the_other_arrives_without_a_stream(sit: Open) -> None:
    """Where no live stream is to be had the page asks every few seconds instead."""
    match = table_where(lambda table: 1 in table.prompts)
    ann = sit(person("Ann"), match.get_absolute_url())
    expect(ann.page.locator("#ask")).to_contain_text("Waiting for Bob")
    while not asks_ann("pass")(engine.load(match)):
        answer(match, choose=greedy)
        match.refresh_from_db()
    ann.page.wait_for_selector("#table[data-asked='1']")
    expect(ann.page).to_have_title(re.compile("^● Your turn"))
    expect(ann.page.locator("#announcer")).to_contain_text("Bob")


STREAM = """window.EventSource = class extends EventTarget {
  constructor(address) {
    super();
    window.stream = this;
  }
  close() {}
}"""
"""A live stream that says what the test wants it to say."""


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_page_says_while_live_updates_are_paused(sit: Open, axe_source: str, size: str) -> None:
    match = table_where(lambda table: 1 in table.prompts)
    ann = sit(person("Ann"), match.get_absolute_url(), size)
    ann.context.add_init_script(STREAM)
    ann.page.reload()
    note = ann.page.get_by_role("status").filter(has_text="Live updates are paused")
    expect(note).to_have_count(0)
    ann.page.wait_for_function("() => window.stream")
    ann.page.evaluate("stream.dispatchEvent(new Event('paused'))")
    expect(note).to_be_visible()
    look(ann.page, axe_source, f"table-paused-{size}", full_page=False)
    while not asks_ann("pass")(engine.load(match)):
        answer(match, choose=greedy)
        match.refresh_from_db()
    ann.page.evaluate("stream.dispatchEvent(new Event('resumed'))")
    expect(note).to_have_count(0)
    ann.page.wait_for_selector("#table[data-asked='1']")


FELT_HEIGHTS = """() => [false, true].map(hidden => {
    document.getElementById("missed").hidden = hidden;
    const { height } = document.getElementById("table").getBoundingClientRect();
    document.getElementById("missed").hidden = false;
    return height;
})"""
MIDDLES = """box => {
    const words = document.createRange();
    words.selectNodeContents(box.nextSibling);
    const parts = [box, words].map(part => part.getBoundingClientRect());
    return parts.map(({ top, bottom }) => (top + bottom) / 2);
}"""
"""Where a checkbox and the word after it have their middles."""


def test_what_was_missed_is_shown_step_by_step(sit: Open) -> None:
    match = table_where(lambda table: 1 in table.prompts)
    ann = sit(person("Ann"), match.get_absolute_url(), reduced_motion="no-preference")
    ann.page.wait_for_selector(".has-script")
    address, first = ann.page.url, match.ply
    ann.page.goto("about:blank")
    for _ in range(4):
        answer(match, choose=greedy)
    match.refresh_from_db()
    ann.page.goto(address)
    ann.page.wait_for_selector("#missed:not([hidden])")
    expect(ann.page.locator("#missed-line")).to_contain_text(f"{match.ply - first} moves")
    # The felt is as high as without it: it stands above the log, on a phone in the header's place.
    for size in (PHONE, DESKTOP):
        ann.page.set_viewport_size(size)
        heights = ann.page.evaluate(FELT_HEIGHTS)
        assert heights[0] == heights[1], heights
    middles = ann.page.locator("#sound").evaluate(MIDDLES)
    assert abs(middles[0] - middles[1]) <= 3, "the checkbox stands beside its word"
    ann.page.locator("[data-watch]").click()
    for ply in (first, match.ply):
        ann.page.wait_for_selector(f"#table[data-shown='{ply}']")


def test_a_card_is_enlarged_with_its_text(sit: Open) -> None:
    match = table_where(lambda table: 1 in table.prompts)
    ann = sit(person("Ann"), match.get_absolute_url())
    ann.page.wait_for_selector(".has-script")
    card = ann.page.locator(".own .piece").first
    card.click()
    expect(ann.page.locator("#look")).to_be_visible()
    expect(ann.page.locator("#look-name")).to_have_text(card.get_attribute("data-title") or "")
    ann.page.keyboard.press("Escape")
    card.hover()
    ann.page.wait_for_selector(".peek")


def test_one_key_goes_from_table_to_table(sit: Open) -> None:
    first, second = table_where(asks_ann("pass")), table_where(asks_ann("pass"))
    ann = sit(person("Ann"), reverse("matches:mine"))
    ann.page.keyboard.press("n")
    ann.page.wait_for_url("**/matches/*/")
    here = ann.page.url
    ann.page.wait_for_selector(".has-script")
    ann.page.keyboard.press("n")
    ann.page.wait_for_url(lambda url: url != here)
    assert {address.split("/")[-2] for address in (here, ann.page.url)} == {first.slug, second.slug}


# -- looking at everything ------------------------------------------------------------------------


def attached(table: Any) -> bool:
    """Ann is asked, and several Power Cards lie under Characters."""
    boards = [spot for player in table.view(0)["players"] for spot in player["board"]]
    held = sum(len(spot.get("powers", ())) for spot in boards)
    sealed = any(spot.get("ability") for spot in boards)
    return held >= 5 and sealed and asks_ann("challenge")(table)


@pytest.fixture
def pages(db: None) -> dict[str, str]:
    """The address of each page that is looked at."""
    busy = table_where(attached)
    four = table_where(asks_ann("add_power"), seats=4, boosters=["booster-1", "booster-5"])
    choosing = table_where(
        lambda table: 0 in table.prompts and table.prompts[0].kind.startswith("choose_power")
    )
    over = table_of(guards=0)
    play_until(over, lambda table: False, greedy)
    open_table = create_match(
        host=person("Ann"),
        setup=MatchSetup(
            game=GAME, mode="match", seats=[SeatPlan(user=person("Ann")), SeatPlan(SeatKind.OPEN)]
        ),
    )
    return {
        "table": busy.get_absolute_url(),
        "four": four.get_absolute_url(),
        "choosing": choosing.get_absolute_url(),
        "result": reverse("matches:result", args=(over.slug,)),
        "replay": reverse("matches:replay", args=(over.slug,)) + f"?ply={over.ply // 2}&seat=1",
        "fairness": reverse("matches:fairness", args=(over.slug,)),
        "open": open_table.get_absolute_url(),
        "new": reverse("matches:new"),
        "mine": reverse("matches:mine"),
    }


@pytest.mark.slow(30)
def test_axe_finds_nothing_and_nothing_overflows(
    sit: Open, pages: dict[str, str], axe_source: str
) -> None:
    look_at(sit, axe_source, pages)
