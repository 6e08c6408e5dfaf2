"""Time at a table in a browser: a holiday, a clock that ticks, and a time-out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from matches.clock import seat_clocks
from matches.models import Match
from matches.services.clock import run_clock
from tests.browser.player import Open, look_in_both, person
from tests.browser.test_table import table_of

pytestmark = pytest.mark.browser


def test_a_holiday_and_a_time_out(sit: Open, axe_source: str) -> None:
    match = table_of(guards=0)
    late = match.seats.get(prompt__isnull=False)
    assert late.user is not None
    other = match.seats.exclude(pk=late.pk).get()
    assert other.user is not None

    away = sit(person(str(late.user)), reverse("matches:own-clock"), "phone").page
    away.reload()
    late.user.refresh_from_db()
    here = away.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert late.user.time_zone == here, "the browser's own, from its first page on"
    away.get_by_role("button", name="Book vacation").click()
    expect(away.get_by_text("On vacation")).to_be_visible()
    look_in_both(away, axe_source, "own-clock")

    page = sit(person(str(other.user)), match.get_absolute_url(), "phone").page
    theirs = page.locator("#clocks [data-clock]").filter(has_text=str(late.user))
    expect(theirs).to_contain_text("away until")
    expect(theirs.locator("[data-left]")).not_to_be_empty()
    look_in_both(page, axe_source, "table-clocks")

    Match.objects.update(pauses_when_away=False)
    match.refresh_from_db()
    assert match.deadline_at is not None
    past = timezone.now() - seat_clocks.GRACE - timedelta(seconds=1)
    match.seats.filter(pk=late.pk).update(deadline_at=past)
    Match.objects.update(deadline_at=past, clock_check_at=past)
    run_clock(match_id=match.pk)
    page.reload()
    expect(theirs.locator("[data-late]")).to_be_visible()
    theirs.get_by_role("button").click()
    expect(theirs.locator("[data-late]")).to_be_hidden()
    run_clock(match_id=match.pk, now=timezone.now() + timedelta(days=2))
    run_clock(match_id=match.pk, now=timezone.now() + timedelta(days=4))
    page.reload()
    expect(page.locator("#log")).to_contain_text(f"Time ran out: {late.user}")
