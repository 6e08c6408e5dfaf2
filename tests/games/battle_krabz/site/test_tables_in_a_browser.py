"""The tables of Battle Krabz in a browser: every question looked at, matches played by clicks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from matches import engine
from matches.models import Match, Status
from matches.queries.seat_decks import SeatDeck, starter_for_seat
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.browser.player import (
    EVERY,
    SIZES,
    STILL,
    Enough,
    Open,
    Player,
    answer,
    look_at,
    person,
    play_until,
    tab_to,
)
from tests.browser.player import running as running_match
from tests.support.sizes import LARGE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz Longname")


def starter(mode: str, seat: int) -> SeatDeck | None:
    """The ready-made deck of a side: two of the same side may not meet."""
    game, mode_rules = engine.find_mode("battle-krabz", mode)
    return starter_for_seat(game, mode_rules, seat) if mode_rules.own_decks else None


def table_of(mode: str, seats: int, **options: Any) -> Match:
    people = [person(name) for name in PEOPLE[:seats]]
    if mode == "battle":
        options = {"cut_short": "off"} | options
    return create_match(
        host=people[0],
        setup=MatchSetup(
            game="battle-krabz",
            mode=mode,
            seats=[SeatPlan(user=user, deck=starter(mode, n)) for n, user in enumerate(people)],
            options=options,
        ),
    )


def running(mode: str, seats: int, enough: Enough, **options: Any) -> Match:
    return running_match(lambda: table_of(mode, seats, **options), enough)


def asks_ann(kind: str, more: Callable[[Any], bool] = lambda view: True) -> Callable[[Any], bool]:
    def enough(table: Any) -> bool:
        prompt = table.prompts.get(0)
        return prompt is not None and prompt.kind == kind and more(table.view(0))

    return enough


# -- looking at everything ------------------------------------------------------------------------


def late(view: dict[str, Any]) -> bool:
    return view["battle"] > 2 and all(player["elimination"]["count"] for player in view["players"])


MAKE: dict[str, Callable[[], Match]] = {
    "first-hand": lambda: table_of("battle", 2),
    "deploy": lambda: running("battle", 2, asks_ann("deploy", late)),
    "boost": lambda: running("battle", 2, asks_ann("boost", late)),
    "power": lambda: running("battle", 2, asks_ann("power", late)),
    "sort": lambda: running("battle", 2, asks_ann("sort", late)),
    "replenish": lambda: running("battle", 2, asks_ann("replenish", late)),
    "call-two": lambda: running("multi", 2, asks_ann("call", lambda view: view["round"] > 3)),
    "call-six": lambda: running("multi", 6, asks_ann("call", lambda view: view["round"] > 4)),
    "pot": lambda: running("multi", 4, lambda table: table.view(0)["pot"]["count"] > 0),
}


@pytest.mark.parametrize("what", MAKE)
def test_axe_finds_nothing_and_nothing_overflows(sit: Open, axe_source: str, what: str) -> None:
    match = MAKE[what]()
    look_at(sit, axe_source, {what: match.get_absolute_url()})


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "options"), [("battle", {"target": 5}), ("multi", {})])
def test_the_end_of_each_mode(
    sit: Open, axe_source: str, mode: str, options: dict[str, Any]
) -> None:
    match = table_of(mode, 2, **options)
    play_until(match, lambda table: False, plies=2000)
    assert match.status == Status.FINISHED
    replay = reverse("matches:replay", args=(match.slug,))
    pages = {
        "over": match.get_absolute_url(),
        "result": reverse("matches:result", args=(match.slug,)),
        "replay": f"{replay}?ply={match.ply * 2 // 3}&seat=1",
        "new": reverse("matches:new") + f"?game=battle-krabz&mode={mode}",
    }
    look_at(sit, axe_source, {f"{mode}-{name}": path for name, path in pages.items()})


# -- playing --------------------------------------------------------------------------------------


def choose(ann: Player) -> None:
    """Click the first thing on the table that answers the question, else the first button.

    What is chosen together is ticked, thought over, and sent.
    """
    page, ticks = ann.page, ann.page.locator(".choosing-deck .tick")
    if ticks.count():
        for number in (0, 3, 9, 20, 38, 41, 52):
            ticks.nth(number).click()
        page.locator(".hand .tick-laid").last.click()
        expect(page.locator("[data-send]")).to_be_disabled()
        ticks.nth(54).click()
        page.locator("[data-send]").click()
    elif page.locator(".sorters").count():
        page.locator(".sorter").last.get_by_text("Recycle").click()
        page.locator("[data-send]").click()
    else:
        felt = page.locator(".table-felt .piece[data-option]:visible")
        (felt if felt.count() else page.locator("[data-options] .may")).first.click()


def choose_by_keys(ann: Player) -> None:
    """The arrows go to a card, Enter plays it; seven cards are ticked with Space."""
    page, keys = ann.page, ann.page.keyboard
    if page.locator(".choosing-deck").count():
        tab_to(page.locator(".choosing-deck input").first)
        for _ in range(7):
            keys.press("Space")
            keys.press("ArrowRight")
        tab_to(page.locator("[data-send]"))
    elif page.locator(".sorters").count():
        tab_to(page.locator("[data-send]"))
    elif page.locator(".table-felt .piece[data-option]:visible").count():
        keys.press("Escape")
        keys.press("ArrowDown")
    else:
        keys.press("1")
        return
    keys.press("Enter")


SHORT: dict[str, dict[str, Any]] = {"battle": {"target": 8}, "multi": {"round_limit": 20}}
MATCHES = [("desktop", "battle", choose_by_keys), ("phone", "multi", choose)]
if LARGE:
    MATCHES += [("phone", "battle", choose), ("desktop", "multi", choose_by_keys)]


@pytest.mark.parametrize(("size", "mode", "play"), MATCHES)
def test_a_whole_match(sit: Open, size: str, mode: str, play: Callable[[Player], None]) -> None:
    """Ann plays what is lit up, by keys alone or by clicks, Bob by chance, until it is over."""
    match = table_of(mode, 2, **SHORT[mode])
    ann = sit(person("Ann"), match.get_absolute_url(), size)
    page = ann.page
    kinds = set()
    for _ in range(300):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        prompts = engine.load(match).prompts
        if 0 not in prompts:
            answer(match, 1)
            continue
        kinds.add(prompts[0].kind)
        if ann.ply != match.visible_ply(0):
            page.reload()
        assert ann.ready()
        play(ann)
        page.wait_for_function(
            "ply => Number(document.getElementById('table').dataset.ply) > ply",
            arg=match.visible_ply(0),
            polling=EVERY,
        )
        page.wait_for_function(STILL, polling=EVERY)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= SIZES[size]["width"]
    assert match.status == Status.FINISHED
    if mode == "battle":
        assert {"choose-hand", "deploy"} <= kinds
        assert kinds & {"sort", "replenish"}
    else:
        assert kinds == {"call"}
    page.reload()
    page.locator("#to-result").click()
    page.wait_for_url("**/result/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


# -- details of the table -------------------------------------------------------------------------


def test_the_first_hand_with_the_keyboard_alone(sit: Open) -> None:
    match = table_of("battle", 2)
    page = sit(person("Ann"), match.get_absolute_url()).page
    page.locator("[name=finish]").press("g")
    visible = page.locator(".choosing-deck > li:visible")
    expect(visible).to_have_count(18)
    expect(page.locator(".choosing-deck > li")).to_have_count(56)
    page.locator("[name=kind]").press("c")
    expect(page.locator("[data-nothing]")).to_have_text("No card of your deck fits.")
    page.locator("[name=kind]").press("Home")
    page.locator("[name=finish]").focus()
    page.keyboard.press("Tab")
    for _ in range(7):
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-chosen]")).to_have_text("7 of 7 chosen, 7 Warriors.")
    expect(page.locator(".choosing-deck input:not(:checked):not(:disabled)")).to_have_count(0)
    page.locator("[data-send]").press("Enter")
    page.wait_for_function("() => document.getElementById('table').dataset.prompt === ''")
    page.wait_for_function("() => window.scrollY === 0")
    match.refresh_from_db()
    assert match.ply == 7


def test_a_first_hand_by_sight_on_a_phone(sit: Open) -> None:
    match = table_of("battle", 2)
    page = sit(person("Ann"), match.get_absolute_url(), "phone").page
    laid, places = page.locator(".hand .tick-laid"), page.locator(".hand-places > li")
    page.locator(".choosing-deck .tick").nth(30).click()
    page.get_by_role("button", name="Choose for me").press("Enter")
    expect(page.locator("[data-chosen]")).to_have_text("7 of 7 chosen, 4 Warriors.")
    expect(laid).to_have_count(7)
    # A disabled box takes no click, so Playwright would wait for it.
    page.locator(".choosing-deck .tick:has(:disabled)").nth(20).click(force=True)
    why = page.get_by_role("alert").filter(has_text="Your hand is full")
    expect(why.get_by_role("link")).to_have_attribute("href", "/rules/BKZ-P-10/")
    for number in range(7):
        expect(laid.nth(number)).to_be_in_viewport(ratio=1)
    for filter_by in page.locator(".choosing-filters > select").all():
        expect(filter_by).to_be_in_viewport(ratio=1)
    laid.last.click()
    expect(page.locator(".tick-why")).to_have_count(0)
    expect(page.locator("[data-chosen]")).to_contain_text("Choose 1 more card.")
    expect(laid).to_have_count(6)
    expect(places).to_have_count(7)
    match.refresh_from_db()
    assert match.ply == 0, "nothing is played before it is sent"


def test_what_is_ticked_stays_ticked_when_the_other_moves(sit: Open) -> None:
    match = table_of("battle", 2)
    ann = sit(person("Ann"), match.get_absolute_url())
    page = ann.page
    for number in (1, 5, 40):
        page.locator(".choosing-deck .tick").nth(number).click()
    page.locator("[name=domain]").select_option("sky")
    for _ in range(7):
        answer(match, 1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_text("Hand chosen.").wait_for()
    expect(page.locator("[data-chosen]")).to_contain_text("3 of 7 chosen, 2 Warriors.")
    expect(page.locator("[name=domain]")).to_have_value("sky")


def test_what_a_choice_leads_to_is_shown_and_said(sit: Open) -> None:
    match = MAKE["deploy"]()
    page = sit(person("Ann"), match.get_absolute_url()).page
    table = engine.load(match)
    prompt = table.prompts[0]
    for move in prompt.options:
        foreseen = table.preview(prompt, move)
        card = page.locator(f".hand [data-card='{move.card}']")
        if move.card is None or foreseen is None:
            continue
        note = page.locator(f"#{card.get_attribute('aria-describedby')}")
        expect(note).to_contain_text(f"your score would be {foreseen['score']}")
        expect(note.locator(".numbers")).to_be_visible()


def test_known_cards_of_a_stack_can_be_read(sit: Open) -> None:
    for _ in range(50):  # a hand may leave nothing known behind
        match = MAKE["deploy"]()
        known = engine.load(match).view(0)["players"][0]["warrior_stack"]["known"]
        if known:
            break
    page = sit(person("Ann"), match.get_absolute_url(), "phone").page
    assert known
    pile = page.locator(".side-own [data-pile=warrior_stack]")
    expect(pile.locator(".peep-card")).to_have_count(min(len(known), 5))
    pile.locator("button").first.click()
    pile.get_by_text("from the top").first.wait_for()
    expect(pile.locator("[popover] li")).to_have_count(len(known))


def test_a_deployed_warrior_and_its_bonus_move_only_where_motion_is_welcome(sit: Open) -> None:
    """Transforms and opacity alone; nothing moves for people who asked for less motion."""
    for motion in ("no-preference", "reduce"):
        match = MAKE["boost"]()
        ann = sit(person("Ann"), match.get_absolute_url(), reduced_motion=motion)
        ann.page.evaluate(WATCH_MOTION)
        ply = ann.ply
        ann.page.locator(".hand .piece[data-option]:visible").first.click()
        ann.page.wait_for_function(
            "ply => Number(document.getElementById('table').dataset.ply) > ply", arg=ply
        )
        ann.page.wait_for_function(STILL)
        moved = ann.page.evaluate("window.moved")
        assert set(moved) <= {"transform", "opacity"}
        assert ("transform" in moved) == (motion == "no-preference")
        ann.close()


WATCH_MOTION = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  const plain = ["offset", "easing", "composite"];
  Element.prototype.animate = function (frames, timing) {
    for (const name of [frames].flat().flatMap(Object.keys)) {
      if (!plain.includes(name)) window.moved.push(name);
    }
    return animate.call(this, frames, timing);
  };
}"""
