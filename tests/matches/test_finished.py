"""However a match ends, its end is announced once, in the transaction that stores it."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from core import outbox
from core.models import MatchFinished
from matches import engine
from matches.clock import seat_clocks
from matches.errors import TooBusy
from matches.models import Match, SeatKind, Status
from matches.services.bots import run_bots
from matches.services.clock import run_clock
from matches.services.play import concede
from matches.services.setup import SeatPlan, leave_match
from tests.matches.conftest import MakeMatch, begin, play_on, stored

pytestmark = pytest.mark.django_db


def told() -> dict[str, list[Any]]:
    """The announcements: for each match, person or bot, place, and whether it stayed."""
    return {
        row.match: [
            (seat["user"] or seat["bot"], seat["rank"], seat["stayed"]) for seat in row.seats
        ]
        for row in MatchFinished.objects.all()
    }


def test_a_match_that_is_played_out(match: Match, ann: User, bob: User) -> None:
    play_on(match, 5)
    assert told() == {}
    play_on(match)
    places = dict(match.seats.values_list("number", "rank"))
    assert told() == {match.slug: [(ann.pk, places[0], True), (bob.pk, places[1], True)]}
    row = MatchFinished.objects.get()
    assert (row.game, row.mode, row.at) == (match.game, match.mode, match.finished_at)


def test_a_concession_and_its_second_sending(match: Match, ann: User, bob: User) -> None:
    begin(match)
    for _ in range(2):
        concede(slug=match.slug, user=ann)
    assert told() == {match.slug: [(ann.pk, 2, False), (bob.pk, 1, True)]}


def test_bots_among_themselves(make_match: MakeMatch) -> None:
    match = make_match(seats=[SeatPlan(SeatKind.BOT), SeatPlan(SeatKind.BOT, bot="random")])
    while run_bots(match_id=match.pk):
        pass
    ((greedy, _, _), (random, _, _)) = told()[match.slug]
    assert (greedy, random) == (match.seats.get(number=0).bot, "random")


@pytest.mark.slow
def test_the_last_answer_was_the_clock_s(make_match: MakeMatch) -> None:
    match = make_match(timeout="turn", pauses_when_away=False)
    for _ in range(3000):
        match.refresh_from_db()
        if match.status == Status.FINISHED:
            break
        assert match.deadline_at is not None
        run_clock(match_id=match.pk, now=match.deadline_at + seat_clocks.GRACE)
    assert [stayed for *_, stayed in told()[match.slug]] == [False, False]


def test_a_table_that_is_called_off_owes_nothing(make_match: MakeMatch, ann: User) -> None:
    match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
    leave_match(match=match, user=ann)
    match.refresh_from_db()
    assert match.status == Status.CANCELLED and told() == {}


def test_a_match_that_is_over_as_it_begins(
    make_match: MakeMatch, monkeypatch: pytest.MonkeyPatch, ann: User, bob: User
) -> None:
    begin = engine.begin

    def begin_and_end(*args: Any) -> engine.Table:
        table = begin(*args)
        table.concede(0)
        return table

    monkeypatch.setattr(engine, "begin", begin_and_end)
    match = make_match()
    assert match.status == Status.FINISHED
    assert [who for who, *_ in told()[match.slug]] == [ann.pk, bob.pk]


def test_what_was_announced_before_is_not_finished_again(match: Match, ann: User) -> None:
    """The database holds it: the move that would end it is not stored either."""
    outbox.match_finished(match=match.slug, game="g", mode="m", seats=[], at=match.created_at)
    before = stored(match)
    with pytest.raises(TooBusy):
        concede(slug=match.slug, user=ann)
    assert stored(match) == before


def test_where_the_announcement_fails_the_match_goes_on(
    match: Match, ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**about: Any) -> None:
        raise RuntimeError("the disk is full")

    before = stored(match)
    monkeypatch.setattr(outbox, "match_finished", fail)
    with pytest.raises(RuntimeError):
        concede(slug=match.slug, user=ann)
    assert stored(match) == before
    monkeypatch.undo()
    concede(slug=match.slug, user=ann)
    assert list(told()) == [match.slug]
