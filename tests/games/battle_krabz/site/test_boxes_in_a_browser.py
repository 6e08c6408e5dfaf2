"""Krabz from start to end: nothing overlaps, nothing is cut, the Battle is the largest."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from matches.services.play import concede
from tests.browser.felt import laid_match
from tests.browser.player import Open, person
from tests.games.battle_krabz.site.layouts import (
    OURS,
    TABLES,
    THEIRS,
    battle,
    boosted,
    out,
    sorting,
)
from tests.games.battle_krabz.site.test_tables_in_a_browser import table_of
from tests.games.boxes import HIDDEN, Boxes, check_boxes
from tests.support.boxes import SCREENS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FELT = Boxes(
    apart=[
        (".warrior .piece", ".stacks, .played, .pile-lost, .clash, .panel, .warrior p"),
        (".warrior-strength, .warrior-bonus", ".warrior-strength, .warrior-bonus"),
        (".warrior p", ".pile-note, .played, .stacks"),
        (".clash", ".side"),
        (".side > .panel > *", ".side > .panel > *"),
        (".panel-counts > *", ".panel-counts > *"),
        (".forecast", ".forecast"),
        (".rounder", ".rounds, .rounder-own"),
        (".option, .call, .sorter", ".hand-card, .ask-line"),
        (".ask-line", ".hand-card, .choosing-end"),
        (".stage", ".tray"),
    ],
    whole=[
        ".side-field",
        ".stacks",
        ".battle-line",
        ".pile-lost",
        ".sum",
        ".panel",
        ".rounder",
        ".call",
        ".option",
    ],
    least={
        "desk": {".warrior .piece": 149, ".front .piece": 150, ".rounder .piece": 64},
        "tablet": {".warrior .piece": 90, ".front .piece": 90, ".rounder .piece": 44},
        "phone": {".warrior .piece": 75, ".front .piece": 96, ".rounder .piece": 44},
    },
)


WIDER = """lines => lines.filter(line => line.scrollWidth > line.clientWidth + 1)
    .map(line => line.textContent.trim())"""
"""Figures above a Warrior that reach beyond their room."""


def test_a_battle_from_start_to_end(sit: Open) -> None:
    ann = sit(person("Ann"), table_of("battle", 2).get_absolute_url())
    page, site = ann.page, ann.page.url.split("/matches/")[0]
    send = page.locator("[data-send]")
    expect(send).to_have_text("Keep this hand")
    expect(page.locator("[data-chosen]")).to_contain_text("Choose 7 more cards.")
    expect(send).to_be_disabled()
    check_boxes(page, "krabz-start", Boxes(apart=FELT.apart, whole=FELT.whole))
    page.goto(site + laid_match(battle()).get_absolute_url())
    check_boxes(page, "krabz-deploy", FELT)
    page.goto(site + laid_match(sorting()).get_absolute_url())
    check_boxes(page, "krabz-sorting", Boxes(apart=FELT.apart, whole=FELT.whole))
    page.set_viewport_size(SCREENS["phone"])
    expect(page.locator(".sorter")).to_have_count(4)
    assert page.locator(".sorter legend").evaluate_all(WIDER) == []
    page.goto(site + laid_match(boosted()).get_absolute_url())
    expect(page.locator(".warrior .stamp").first).to_be_visible()
    for size in SCREENS.values():
        page.set_viewport_size(size)
        assert not page.locator(".warrior > p").evaluate_all(WIDER), size
    match = laid_match(battle(*THEIRS, *OURS, attacker=1))
    page.goto(site + match.get_absolute_url())
    check_boxes(page, "krabz-fight", FELT)
    assert page.locator(".stage").evaluate(HIDDEN) <= 0, "on a phone both lines are whole"
    concede(slug=match.slug, user=person("Ann"))
    page.goto(site + match.get_absolute_url())
    expect(page.locator(".ask-line")).to_contain_text("conceded")
    check_boxes(page, "krabz-end", Boxes(apart=FELT.apart, whole=FELT.whole))


def test_rounds_of_two_and_six_seats(sit: Open) -> None:
    ann = sit(person("Ann"), laid_match(TABLES["multi-2"]()).get_absolute_url())
    page, site = ann.page, ann.page.url.split("/matches/")[0]
    check_boxes(page, "krabz-multi-2", FELT)
    page.goto(site + laid_match(TABLES["multi-6"]()).get_absolute_url())
    check_boxes(page, "krabz-multi-6", FELT)
    page.goto(site + laid_match(out()).get_absolute_url())
    expect(page.locator(".rounder-out")).to_have_text(["Out", "You are out"])
    expect(page.locator(".stage")).not_to_contain_text("0 cards")
    check_boxes(page, "krabz-multi-6-out", Boxes(apart=FELT.apart, whole=FELT.whole))
    page.goto(site + laid_match(TABLES["multi-6"]()).get_absolute_url())
    ann.context.clear_cookies()  # a spectator sees six boards, one of which leads and won the round
    page.reload()
    expect(page.locator(".rounder")).to_have_count(6)
    check_boxes(page, "krabz-multi-6-watched", Boxes(apart=FELT.apart, whole=FELT.whole))
