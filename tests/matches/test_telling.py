"""Notifications of tables: written with the move, withdrawn with the answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services.guests import create_guest, merge_guest
from core import outbox
from matches.models import Match, Seat, Status
from matches.services import cancelling, notices
from matches.services.bots import run_bots
from matches.services.cancelling import cancel_match
from matches.services.offers import Word
from matches.services.play import concede, play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match, join_match, leave_match
from notices.kinds import Kind
from notices.models import Notice
from notices.services import sending
from tests.matches.conftest import MakeMatch, asked, person, play_on
from tests.matches.test_pages import logged_in
from tests.notices.told import Clock, Post, clock, post  # noqa: F401  (fixtures)

pytestmark = pytest.mark.django_db


def told(user: User, kind: Kind | None = None) -> list[str]:
    """The texts of what holds for somebody."""
    rows = Notice.objects.open().filter(person=user).order_by("kind", "pk")
    return [row.text for row in (rows.filter(kind=kind) if kind else rows)]


def waiting(match: Match) -> set[str]:
    rows = Notice.objects.open().filter(kind=Kind.YOUR_TURN, match=match.slug)
    return set(rows.values_list("person__username", flat=True))


def test_whoever_is_asked_has_one_notice_and_nobody_else(match: Match, ann: User) -> None:
    handed_over = 0
    for _ in range(60):
        was, _ = asked(match)
        with CaptureQueriesContext(connection) as captured:
            play_on(match, 1)
        if match.status != Status.RUNNING:
            break
        now, _ = asked(match)
        writes = [query["sql"] for query in captured if "INTO notices_notice" in query["sql"]]
        assert len(writes) == (was != now), "none within a turn"
        handed_over += was != now
        assert waiting(match) == {now.username}
        row = Notice.objects.open().get(kind=Kind.YOUR_TURN)
        assert row.deadline_at == Seat.objects.get(user=now, match=match).deadline_at
        assert row.link == match.get_absolute_url()
    assert handed_over > 3
    assert Notice.objects.filter(kind=Kind.YOUR_TURN).count() <= 2, "one row a person and table"


def test_a_match_that_begins_is_told_to_those_who_waited(ann: User, make_match: MakeMatch) -> None:
    cleo, dan = person("Cleo"), person("Dan")
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan("open"), SeatPlan("open")])
    join_match(match=match, user=cleo)
    assert not Notice.objects.exists()
    join_match(match=match, user=dan)
    (began,) = told(ann, Kind.TABLE_BEGAN)
    assert "against Cleo and Dan has started." in began
    assert told(cleo, Kind.TABLE_BEGAN)
    assert told(dan, Kind.TABLE_BEGAN) == [], "who sat down last sees it"
    assert waiting(match) == {asked(match)[0].username}


def test_a_table_that_is_called_off_is_told_to_those_who_waited(
    ann: User, make_match: MakeMatch
) -> None:
    cleo = person("Cleo")
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan("open"), SeatPlan("open")])
    join_match(match=match, user=cleo)
    leave_match(match=match, user=ann)
    (text,) = told(cleo)
    assert text.startswith("Ann cancelled a table that you had joined: ")
    assert told(ann) == []


def test_a_running_match_that_is_called_off_is_told_to_the_others(
    make_match: MakeMatch, ann: User, bob: User
) -> None:
    """By whom or why; and nobody is asked there any more."""
    early = make_match()
    cancel_match(slug=early.slug, user=ann)
    (text,) = told(bob)
    assert text.startswith("Ann cancelled ") and text.count("Ann") == 1
    assert text.endswith(" before their second move. No result.")
    agreed = make_match()
    while min(agreed.moves.filter(seat=n).count() for n in range(2)) < 2:
        play_on(agreed, 1)
    cancel_match(slug=agreed.slug, user=ann)
    cancel_match(slug=agreed.slug, user=bob)
    (text,) = told(ann)
    assert text.endswith("All players agreed. No result.")
    assert waiting(early) | waiting(agreed) == set()
    left = make_match()
    seats = list(left.seats.select_related("user"))
    cancelling.cancel_running(left, seats, cancelling.ABANDONED)
    assert len(told(ann)) == len(told(bob)) == 2, "nobody did it, so all are told"


def test_tables_where_only_bots_wait_tell_nothing(bot_match: Match, ann: User) -> None:
    run_bots(match_id=bot_match.pk)
    concede(slug=bot_match.slug, user=ann)
    assert not Notice.objects.exists()


def test_the_end_is_told_once_to_all_but_who_brought_it(
    match: Match, ann: User, bob: User, django_capture_on_commit_callbacks: object
) -> None:
    concede(slug=match.slug, user=ann)
    assert waiting(match) == set()
    for unread in outbox.overdue(now=_in_an_hour()):
        outbox.read(unread)
    assert told(ann) == []
    (text,) = told(bob)
    assert text.startswith("You won ") and text.endswith(" against Ann.")
    before = list(Notice.objects.values())
    finished = outbox.MatchFinished.objects.get()
    notices.tell_end(finished)
    again = list(Notice.objects.values())
    changed = {key for a, b in zip(before, again, strict=True) for key in a if a[key] != b[key]}
    assert changed <= {"withdrawn_at"}, "reading it twice is no news"


def _in_an_hour():  # type: ignore[no-untyped-def]
    from django.utils import timezone

    return timezone.now() + timedelta(hours=1)


def test_somebody_who_answers_unseen_changes_nothing_for_the_others(
    together: str, ann: User, bob: User
) -> None:
    cleo = person("Cleo")
    match = create_match(
        host=ann,
        setup=MatchSetup(
            game=together, mode="match", seats=[SeatPlan(user=user) for user in (ann, bob, cleo)]
        ),
    )
    assert waiting(match) == {"ann", "bob", "cleo"}
    others = Notice.objects.exclude(person=bob).order_by("pk")
    before = list(others.values())
    play_move(slug=match.slug, user=bob, prompt_id=1, move="pick 2")
    assert waiting(match) == {"ann", "cleo"}
    assert list(others.values()) == before
    play_move(slug=match.slug, user=ann, prompt_id=1, move="pick 1")
    play_move(slug=match.slug, user=cleo, prompt_id=1, move="pick 3")
    assert waiting(match) == {"ann", "bob", "cleo"}


def test_a_guest_who_logs_in_takes_the_notices_along(bob: User, make_match: MakeMatch) -> None:
    guest = create_guest(address="192.0.2.9")
    elsewhere = make_match(seats=[SeatPlan(user=guest), SeatPlan(user=person("Cleo"))])
    both = make_match(seats=[SeatPlan(user=guest), SeatPlan(user=bob), SeatPlan(user=person("Di"))])
    merge_guest(guest=guest, user=bob)
    assert not Notice.objects.filter(person=guest).exists()
    asked_there = asked(elsewhere)[0]
    assert waiting(elsewhere) == {asked_there.username}
    assert waiting(both) == {asked(both)[0].username}


def test_a_question_that_is_answered_in_time_sends_nothing_at_all(
    match: Match,
    clock: Clock,  # noqa: F811
    post: Post,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A turn after the other, each faster than the pause; then somebody goes away."""
    monkeypatch.setattr(sending, "_deadlines", [notices.deadlines])
    Notice.objects.all().delete()
    for _ in range(30):
        play_on(match, 1)
        clock.pass_by(minutes=2)
    slow = asked(match)[0]
    turns = [user for user, texts in post.sent if any("your turn" in text for text in texts)]
    for _ in range(4):
        clock.pass_by(hours=12)
    sent = [user for user, _ in post.sent]
    assert sent[len(turns) :][:1] == [slow.username]
    assert set(sent) == {slow.username}


def test_a_guest_who_waits_for_people_is_offered_mails(ann: User, make_match: MakeMatch) -> None:
    guest = create_guest(address="192.0.2.9")

    def table(user: User, *others: SeatPlan) -> str:
        match = make_match(seats=[SeatPlan(user=user), *others])
        for _ in range(60):
            if asked(match)[0] != user:
                break
            play_on(match, 1)
        return logged_in(user).get(match.get_absolute_url()).content.decode()

    offer = "get an email when it is your turn"
    assert offer in table(guest, SeatPlan(user=ann))
    assert offer not in table(ann, SeatPlan(user=guest))


def test_an_offer_is_told_to_those_whose_word_is_missing(
    match: Match, ann: User, bob: User
) -> None:
    """As long as it stands: whoever declines, or takes it back, ends it."""
    play_on(match, 12)
    cancel_match(slug=match.slug, user=ann)
    (text,) = told(bob, Kind.TABLE_NEEDS_YOU)
    assert text.startswith("Ann offers to cancel ")
    assert text.endswith("Agree or decline.")
    assert told(ann, Kind.TABLE_NEEDS_YOU) == []
    cancel_match(slug=match.slug, user=bob, word=Word.DECLINE)
    assert told(bob, Kind.TABLE_NEEDS_YOU) == []
    cancel_match(slug=match.slug, user=bob)
    assert told(ann, Kind.TABLE_NEEDS_YOU)
    cancel_match(slug=match.slug, user=ann)
    assert told(ann, Kind.TABLE_NEEDS_YOU) == [], "it is cancelled"
