"""Hints: at tables against bots only, found by a worker from what the seat knows, and counted."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from matches import engine
from matches.errors import NoHints, NotYourSeat, StalePrompt, TooManyHints
from matches.models import Hint, Match, SeatKind
from matches.queries.hints import hint_shown
from matches.services import hints, lessons
from matches.services.setup import SeatPlan
from rules.engine.chance import Chance, named_seed
from tests.games.examples import EXAMPLE
from tests.matches.conftest import MakeMatch, api
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The hints that were sent to the workers instead of being found at once."""
    rows: list[int] = []
    monkeypatch.setattr(hints, "send", rows.append)
    monkeypatch.setattr(hints, "PLAYOUTS", 16)
    return rows


def my_turn(match: Match) -> Match:
    match.refresh_from_db()
    assert 0 in engine.load(match).prompts
    return match


def test_a_worker_finds_it_and_the_table_shows_it(
    bot_match: Match,
    ann: User,
    sent: list[int],
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(EXAMPLE.thinkers, "thinker-1")
    match = my_turn(bot_match)
    browser = logged_in(ann)
    address = f"/matches/{match.slug}/hint/"
    table = browser.get(f"/matches/{match.slug}/").content.decode()
    assert f'data-hint="{address}"' in table
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):  # asked twice, it is one hint
            assert browser.post(address).status_code == 302
    hint = Hint.objects.get()
    assert set(sent) == {hint.pk}, "nothing is computed in the request"
    assert "re-dealt tables …" in browser.get(address).content.decode()
    hints.find(hint_id=hint.pk)
    hint_page = hint_shown(match, ann)
    labels = [row.label for row in hint_page.options]
    page = browser.get(address, headers={"Riffle-Script": "table"}).content.decode()
    assert "<html" not in page
    for label in labels:
        assert label in page
    assert "not of a search" in page, "no thinker is offered in this mode, and the page says so"
    assert "95% interval" in page
    assert len(labels) >= 2
    assert hint_page.used == 1
    options = {table_option.notation for table_option in hint_page.options}
    table_now = engine.load(match)
    assert options <= {table_now.notation(move) for move in table_now.prompts[0].options}


def test_what_lies_hidden_changes_no_hint(bot_match: Match, ann: User, sent: list[int]) -> None:
    """The permutation test on the whole way from the stored match to the stored hint."""
    match = my_turn(bot_match)
    stored = []
    for name in ("", "twin 1", "twin 2"):
        table = engine.load(match)
        if name:
            twin = table.redeal(0, Chance(named_seed(name)))
            assert twin.view(0) == table.view(0)
            Match.objects.filter(pk=match.pk).update(state=engine.snapshot(twin))
        Hint.objects.all().delete()
        hint = Hint.objects.create(match=match, seat=0, prompt=table.prompts[0].id, user=ann)
        hints.find(hint_id=hint.pk)
        hint.refresh_from_db()
        stored.append(hint.advice)
    assert stored[0] == stored[1] == stored[2]
    assert stored[0]["options"]


def test_the_result_says_that_hints_were_used(
    bot_match: Match, ann: User, sent: list[int], client: Any
) -> None:
    match = my_turn(bot_match)
    hints.ask(slug=match.slug, user=ann)
    hints.find(hint_id=Hint.objects.get().pk)
    play_on_alone(match, ann)
    page = client.get(f"/matches/{match.slug}/result/").content.decode()
    assert "1 hint used" in page
    assert api().get(f"/api/matches/{match.slug}/hint/").json()["used"] == 1


def play_on_alone(match: Match, user: User) -> None:
    from matches.services import bots, play

    play.concede(slug=match.slug, user=user)
    bots.run_bots(match_id=match.pk)
    match.refresh_from_db()
    assert match.finished


def test_there_are_none_against_people_in_events_or_lessons(
    match: Match, make_match: MakeMatch, ann: User, bob: User, sent: list[int]
) -> None:
    for user in (ann, bob):
        with pytest.raises(NoHints, match="against bots alone"):
            hints.ask(slug=match.slug, user=user)
    assert "data-hint=" not in logged_in(ann).get(f"/matches/{match.slug}/").content.decode()
    three = make_match(
        options={}, seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT), SeatPlan(user=bob)]
    )
    with pytest.raises(NoHints):
        hints.ask(slug=three.slug, user=ann)
    # A person who has left was a rival, too.
    three.seats.filter(number=2).update(user=None, substitute_bot="greedy")
    with pytest.raises(NoHints):
        hints.ask(slug=three.slug, user=ann)
    event = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)])
    Match.objects.filter(pk=event.pk).update(in_event=True)
    with pytest.raises(NoHints):
        hints.ask(slug=event.slug, user=ann)
    lesson = lessons.learn(user=ann, game=EXAMPLE.slug)
    with pytest.raises(NoHints):
        hints.ask(slug=lesson.slug, user=ann)
    assert not Hint.objects.exists()


def test_strangers_get_none_and_nobody_gets_many(
    bot_match: Match, ann: User, stranger: User, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = my_turn(bot_match)
    with pytest.raises(NotYourSeat):
        hints.ask(slug=match.slug, user=stranger)
    assert not hint_shown(match, stranger).may_ask
    hints.ask(slug=match.slug, user=ann)
    answer = api(stranger).get(f"/api/matches/{match.slug}/hint/").json()
    assert (answer["options"], answer["thinking"]) == ([], False)
    monkeypatch.setattr(hints, "MAX_PER_HOUR", 1)
    hints.ask(slug=match.slug, user=ann)  # that one she has
    Hint.objects.update(prompt=0)
    with pytest.raises(TooManyHints, match="1 hints within an hour"):
        hints.ask(slug=match.slug, user=ann)
    response = api(ann).post(f"/api/matches/{match.slug}/hint/")
    assert response.status_code == 429
    assert response["Retry-After"]


def test_one_that_comes_too_late_is_no_hint(
    bot_match: Match, ann: User, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = my_turn(bot_match)
    hint = hints.ask(slug=match.slug, user=ann)
    assert hints.stalled() == []
    monkeypatch.setattr(hints, "SEND_AGAIN_SECONDS", -1)
    assert hints.stalled() == [hint.pk], "a crash took it; the sweep sends it again"
    Hint.objects.filter(pk=hint.pk).update(prompt=hint.prompt + 1)
    hints.find(hint_id=hint.pk)
    assert not Hint.objects.exists(), "its prompt is not open, and nobody saw it"
    play_on_alone(match, ann)
    with pytest.raises(Exception, match="Open its look back instead"):
        hints.ask(slug=match.slug, user=ann)


def test_one_that_no_worker_finds_can_be_asked_for_again(
    bot_match: Match, ann: User, sent: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    match = my_turn(bot_match)
    hint = hints.ask(slug=match.slug, user=ann)
    Hint.objects.update(asked_at=timezone.now() - 2 * Hint.GIVE_UP_AFTER)
    assert hints.stalled() == [], "whoever asked may be gone"
    assert not hint_shown(match, ann).thinking
    page = logged_in(ann).get(f"/matches/{match.slug}/hint/").content.decode()
    assert "Show a hint" in page
    with django_capture_on_commit_callbacks(execute=True):
        assert hints.ask(slug=match.slug, user=ann).pk == hint.pk
    assert sent == [hint.pk]
    assert hint_shown(match, ann).thinking


def test_not_while_a_bot_is_asked(make_match: MakeMatch, ann: User, sent: list[int]) -> None:
    match = make_match(seats=[SeatPlan(SeatKind.BOT), SeatPlan(user=ann)])
    match.refresh_from_db()
    table = engine.load(match)
    assert 1 not in table.prompts
    with pytest.raises(StalePrompt):
        hints.ask(slug=match.slug, user=ann)
