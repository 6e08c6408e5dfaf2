"""Events are seen: step by step at the reader's pace, one's own result kept, or at once."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from matches.queries.events import events_since
from matches.queries.table import table_state
from tests.browser.felt import laid_match
from tests.browser.player import STILL, Open, answer, person
from tests.games.kaolan.table import lay, seat

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WATCH = """() => {
    window.told = [];
    window.sounds = 0;
    for (const source of [AudioBufferSourceNode, OscillatorNode]) {
        const start = source.prototype.start;
        source.prototype.start = function (...when) {
            window.sounds += 1;
            return start.apply(this, when);
        };
    }
    const all = selector => [...document.querySelectorAll(selector)];
    const seats = kind => [...new Set(all(kind).map(one => Number(one.dataset.seat)))];
    const seen = one =>
        one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
    new MutationObserver(() => {
        const text = document.querySelector(".ask-now")?.textContent;
        if (!text || window.told.at(-1)?.text === text) return;
        const asks = all(".answer .may, [data-question]").some(seen);
        window.told.push({ text, by: seats(".is-acting"), to: seats(".is-aimed"), asks });
    }).observe(document.querySelector("[data-match]"), {
        subtree: true, childList: true, attributes: true,
    });
}"""


def lines_after(match: Any, ply: int) -> list[str]:
    """The lines of Ann's log after a ply."""
    state = table_state(match, person("Ann"))
    return [event.text for event in events_since(state, ply) if event.text]


def test_a_challenge_is_seen_step_by_step_or_at_once_as_one_likes(sit: Open) -> None:
    full = "r2, r4, r6, r8 | War Drums"
    table = lay(seat(f"red Diamondback [{full}]", hand="b3"), seat("blue Claw", "blue Flame"))
    table.done(0, "turn_action")
    match = laid_match(table.match)
    ann = sit(person("Ann"), match.get_absolute_url(), reduced_motion="no-preference")
    ann.ready()
    page = ann.page
    page.evaluate(WATCH)
    page.get_by_label("Sounds").check()
    page.wait_for_function("() => window.sounds > 0")  # one hears what it is like
    page.locator(".opponent .spot-leader > [data-aim]").click()
    page.locator("[data-confirm]").click()
    page.wait_for_function("() => window.told.length > 2")
    page.wait_for_function(STILL)
    match.refresh_from_db()
    captions = page.evaluate("window.told")
    logged = lines_after(match, 0)
    assert [event["text"] for event in captions] == logged[: len(captions)], "in order"
    challenge = next(event for event in captions if event["text"].startswith("You challenge Bob"))
    assert (challenge["by"], challenge["to"]) == ([0], [1])
    assert not any(event["asks"] for event in captions), "nothing asks while it plays"
    kept = page.locator("[data-kept]")
    expect(kept).to_contain_text("You roll")
    expect(kept.locator(".die").nth(1)).to_be_visible()
    words = page.evaluate("document.querySelector('[data-kept]').textContent")

    # What the other one does next leaves it where it is.
    before = match.ply
    sounds = page.evaluate("window.sounds")
    while 0 not in {seat.number for seat in match.seats.all() if seat.prompt is not None}:
        answer(match, 1)
    page.wait_for_function(
        f"() => Number(document.getElementById('table').dataset.ply) == {match.ply}"
    )
    page.wait_for_function(STILL)
    assert page.evaluate("window.told.at(-1).text") in lines_after(match, before)
    assert page.evaluate("window.sounds") > sounds
    expect(kept).to_have_text(words)
    kept.click()
    expect(kept).to_have_count(0)

    # At once: the end is shown, and no step before it.
    page.get_by_label("Animations").select_option("once")
    steps = page.evaluate("window.told.length")
    page.get_by_role("button", name="Pass").click()
    page.wait_for_function(
        "() => document.getElementById('table').dataset.promptKind != 'turn_action'"
    )
    page.wait_for_function(STILL)
    assert page.evaluate("window.told.length") == steps

    # Both are kept with her: another device knows them.
    page.wait_for_load_state("networkidle")
    user = person("Ann")
    user.refresh_from_db()
    assert (user.shown_pace, user.has_sound) == ("once", True)
    other = sit(person("Ann"), match.get_absolute_url())
    expect(other.page.get_by_label("Animations")).to_have_value("once")
    expect(other.page.get_by_label("Sounds")).to_be_checked()
