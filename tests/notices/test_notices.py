"""Notices: owed once a matter, sent once, all together, and never for nothing."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from core.zones import next_hour, zone_of
from notices.channels.registry import Unreachable
from notices.kinds import Kind
from notices.models import Notice, NoticeChannel, NoticeSettings, SentNotice
from notices.reminders import next_reminder
from notices.services import sending
from notices.services.notices import Turn, notify, retract, tell_turns
from tests.notices.told import NOON, Clock, Post

pytestmark = pytest.mark.django_db


def ask(match: str, *people: User, answered: tuple[User, ...] = (), days: float = 0) -> None:
    from django.utils import timezone

    deadline = timezone.now() + timedelta(days=days) if days else None
    turns = [Turn(user.pk, f"Your turn at {match}.", deadline=deadline) for user in people]
    turns += [Turn(user.pk, f"Your turn at {match}.", is_asked=False) for user in answered]
    tell_turns(match, turns, link=f"/play/{match}/")


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create_user("otto", "otto@example.org")


def test_a_question_is_sent_after_the_pause_once_and_with_all_others(
    member: User, clock: Clock, post: Post
) -> None:
    ask("one", member)
    clock.pass_by(minutes=9)
    ask("two", member)
    clock.pass_by(seconds=59)
    assert post.sent == []
    clock.pass_by(seconds=1)
    both = [("mira", ["Your turn at one.", "Your turn at two."])]
    assert post.sent == both, "whoever is told of one table is told of all that wait"
    ask("three", member)
    clock.pass_by(hours=5)
    assert post.sent == both, "nothing more until the person has been here"
    sending.note_visit(member.pk)
    clock.pass_by(minutes=9)
    assert post.sent == both
    clock.pass_by(minutes=1)
    assert post.sent[1:] == [("mira", ["Your turn at three."])]
    clock.pass_by(days=3)
    sending.note_visit(member.pk)
    clock.pass_by(days=3)
    assert len(post.sent) == 2, "and never again for the same"


def test_a_match_lost_on_time_is_told_before_the_next_visit(
    member: User, clock: Clock, post: Post
) -> None:
    ask("one", member)
    clock.pass_by(minutes=10)
    ask("two", member)
    clock.pass_by(hours=5)
    assert len(post.sent) == 1
    notify([member.pk], Kind.LOST_BY_TIME, text="You lost on time.", link="/x/", match="one")
    clock.pass_by(minutes=1)
    assert "You lost on time." in post.sent[1][1]
    clock.pass_by(days=2)
    assert len(post.sent) == 2


def test_what_is_answered_before_it_is_due_is_not_sent(
    member: User, other: User, clock: Clock, post: Post
) -> None:
    ask("one", member)
    clock.pass_by(minutes=9)
    ask("one", other, answered=(member,))
    clock.pass_by(minutes=9)
    ask("one", member, answered=(other,))
    clock.pass_by(minutes=9)
    assert post.sent == []
    clock.pass_by(minutes=1)
    assert post.sent == [("mira", ["Your turn at one."])]
    assert Notice.objects.count() == 2, "one row a person and match"


def test_what_was_seen_on_the_page_is_not_sent(member: User, clock: Clock, post: Post) -> None:
    ask("one", member)
    Notice.objects.update(seen_at=clock.now)
    clock.pass_by(hours=1)
    assert post.sent == []


@pytest.mark.parametrize(("minutes", "first"), [(0, 0), (45, 45), (1440, 1440)])
def test_the_pause_is_the_persons_own(
    minutes: int, first: int, member: User, clock: Clock, post: Post
) -> None:
    NoticeSettings.objects.create(person=member, pause_minutes=minutes)
    ask("one", member)
    if first:
        clock.pass_by(minutes=first, seconds=-1)
        assert post.sent == []
        clock.pass_by(seconds=1)
    else:
        clock.sweep()
    assert len(post.sent) == 1


def test_owing_the_same_again_is_no_news_but_another_text_is(
    member: User, clock: Clock, post: Post
) -> None:
    def offered(text: str) -> None:
        notify([member.pk], Kind.TRADE, text=text, link="/trades/7/", key="7")
        clock.sweep()

    offered("Ann offers you a trade.")
    offered("Ann offers you a trade.")
    assert [texts for _, texts in post.sent] == [["Ann offers you a trade."]]
    sending.note_visit(member.pk)
    clock.later(minutes=11)
    offered("Ann has changed her offer.")
    assert [texts for _, texts in post.sent][1:] == [["Ann has changed her offer."]]
    retract(Kind.TRADE, key="7")
    assert not Notice.objects.open().exists()
    with pytest.raises(ValueError, match="which match"):
        retract(Kind.TRADE)


def test_reminders_come_at_half_of_the_time_and_a_day_before_its_end(
    member: User, clock: Clock, post: Post
) -> None:
    ask("one", member, days=4)
    for _ in range(5 * 24):
        clock.pass_by(hours=1)
    rows = [f"{sent.at - NOON}" for sent in SentNotice.objects.all()]
    assert len(post.sent) == 3
    turn = "Your turn at one."
    reminder = f"Your time is running out. {turn}"
    assert [texts for _, texts in post.sent] == [[turn], [reminder], [reminder]]
    assert rows == ["3 days, 0:00:00"]
    assert Notice.objects.get().told_as == Kind.TIME_IS_RUNNING_OUT


def test_a_reminder_asks_for_the_deadline_as_it_is_now(
    member: User, clock: Clock, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("one", member, days=4)
    values = {("one", member.pk): NOON + timedelta(days=8)}
    monkeypatch.setattr(sending, "_deadlines", [lambda _: values])
    clock.pass_by(days=3)
    assert len(post.sent) == 1
    clock.pass_by(days=1)
    assert len(post.sent) == 2
    assert Notice.objects.get().deadline_at == NOON + timedelta(days=8)


def test_reminders_of_short_clocks_are_left_out() -> None:
    def moments(hours: float) -> list[float]:
        result, after = [], NOON
        while (moment := next_reminder(NOON, NOON + timedelta(hours=hours), after)) is not None:
            result.append((moment - NOON) / timedelta(hours=1))
            after = moment
        return result

    assert [moments(h) for h in (1, 5, 8, 24, 30, 72)] == [
        [], [], [4], [12], [6, 15], [36, 48],
    ]  # fmt: skip


def test_what_fails_is_tried_again_after_longer_and_longer_pauses(
    member: User, clock: Clock, post: Post
) -> None:
    post.fails = [ConnectionRefusedError("nobody listens")] * 3
    notify([member.pk], Kind.INVITATION, text="Ann invites you.", link="/play/x/")
    notify([member.pk], Kind.TRADE, text="Ann offers a trade.", link="/trades/7/", due=NOON)
    clock.sweep()
    row = NoticeChannel.objects.get()
    assert "nobody listens" in row.last_error
    waited = []
    while post.fails or not post.sent:
        before = len(post.fails)
        clock.pass_by(minutes=1)
        waited.append(before != len(post.fails))
    assert waited == [True, False, True, False, False, False, False]
    assert post.sent == [("mira", ["Ann invites you.", "Ann offers a trade."])]
    row.refresh_from_db()
    assert (row.tries, row.last_error, row.failing_since) == (0, "", None)


def test_who_is_not_reached_any_more_reads_why(member: User, clock: Clock, post: Post) -> None:
    post.fails = [Unreachable("mira@example.org does not exist.")]
    ask("one", member)
    clock.pass_by(minutes=10)
    clock.pass_by(days=2)
    row = NoticeChannel.objects.get()
    assert (row.pace, row.problem) == ("never", "mira@example.org does not exist.")
    assert post.sent == []


def test_a_channel_that_gives_up_is_off_after_failing_for_so_long(
    member: User, clock: Clock, post: Post
) -> None:
    post.gives_up_after = timedelta(hours=24)
    post.fails = [OSError("away")] * 100
    ask("one", member)
    for _ in range(27):
        clock.pass_by(hours=1)
    row = NoticeChannel.objects.get()
    assert row.pace == "never"
    assert "away" in row.problem


def test_a_worker_that_died_while_it_sent_is_followed_by_the_same_message(
    member: User, clock: Clock, post: Post
) -> None:
    """Killed after the claim: nobody else sends meanwhile, and it is sent when the claim ends."""
    ask("one", member)
    post.fails = [KeyboardInterrupt()]  # what no exception handler of a channel's failure catches
    clock.later(minutes=10)
    with pytest.raises(KeyboardInterrupt):
        clock.sweep()
    first = Notice.objects.get()
    clock.pass_by(minutes=4)
    assert post.sent == []
    clock.pass_by(minutes=1)
    assert len(post.sent) == 1
    claim = NoticeChannel().claim_for(sending.LEASE, NOON)
    assert post.ids == [sending.Message(post, member, [first], claim, NOON).id]


def test_a_question_answered_while_a_dead_worker_held_it_is_not_sent(
    member: User, clock: Clock, post: Post
) -> None:
    ask("one", member)
    post.fails = [KeyboardInterrupt()]
    clock.later(minutes=10)
    with pytest.raises(KeyboardInterrupt):
        clock.sweep()
    ask("one", answered=(member,))
    clock.pass_by(minutes=5)
    assert post.sent == []
    assert sending.due_people() == []


def test_a_worker_at_the_same_moment_sends_nothing(member: User, clock: Clock, post: Post) -> None:
    ask("one", member)
    clock.later(minutes=10)
    post.meanwhile = clock.sweep
    clock.sweep()
    clock.sweep()
    assert len(post.sent) == 1


@pytest.mark.django_db(transaction=True)
def test_many_workers_send_once(member: User, clock: Clock, post: Post) -> None:
    ask("one", member)
    clock.later(minutes=10)
    start = threading.Barrier(4)

    def work() -> None:
        try:
            sending.due_people()
            start.wait()
            for _ in range(3):
                sending.send_notices(member.pk)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(post.sent) == 1


def test_once_a_day_is_at_the_persons_own_hour(member: User, clock: Clock, post: Post) -> None:
    User.objects.filter(pk=member.pk).update(time_zone="America/New_York")
    NoticeChannel.objects.create(person=member, channel="post", pace="daily", hour=18)
    ask("one", member)
    clock.pass_by(hours=4)
    ask("two", member)
    clock.pass_by(hours=6, minutes=59)
    assert post.sent == []
    clock.pass_by(minutes=1)
    assert post.sent == [("mira", ["Your turn at one.", "Your turn at two."])]
    ask("three", member)
    sending.note_visit(member.pk)
    clock.pass_by(hours=23)
    assert len(post.sent) == 1
    clock.pass_by(hours=1)
    assert post.sent[1:] == [("mira", ["Your turn at three."])]


def test_the_hour_of_the_day_on_days_that_have_it_twice_or_not_at_all() -> None:
    berlin = ZoneInfo("Europe/Berlin")

    def hours(hour: int, first: datetime) -> list[str]:
        rows = []
        for _ in range(3):
            first = next_hour(hour, berlin, first)
            rows.append(f"{first:%d %H:%M}")
        return rows

    assert hours(8, datetime(2026, 10, 23, 12, tzinfo=UTC)) == ["24 06:00", "25 07:00", "26 07:00"]
    assert hours(8, datetime(2027, 3, 26, 12, tzinfo=UTC)) == ["27 07:00", "28 06:00", "29 06:00"]
    assert hours(2, datetime(2026, 10, 23, 12, tzinfo=UTC)) == ["24 00:00", "25 00:00", "26 01:00"]
    assert hours(2, datetime(2027, 3, 26, 12, tzinfo=UTC)) == ["27 01:00", "28 01:00", "29 00:00"]
    assert zone_of("Nowhere/Atall") == zone_of("") == ZoneInfo("UTC")


def test_who_wants_no_such_thing_is_not_told(member: User, clock: Clock, post: Post) -> None:
    NoticeChannel.objects.create(person=member, channel="post", kinds_off=["your_turn"])
    ask("one", member, days=1)
    clock.pass_by(hours=11)
    assert post.sent == []
    clock.pass_by(hours=1)
    assert len(post.sent) == 1, "that time is running out is another matter"


def test_guests_are_told_on_the_page_alone(guest: User, clock: Clock, post: Post) -> None:
    ask("one", guest)
    clock.pass_by(minutes=10)
    assert post.sent == []
    assert Notice.objects.unseen().count() == 1
    assert sending.due_people() == []


def test_a_table_is_told_in_one_statement(member: User, other: User) -> None:
    with CaptureQueriesContext(connection) as captured:
        ask("one", member, answered=(other,))
    assert len(captured) == 1
