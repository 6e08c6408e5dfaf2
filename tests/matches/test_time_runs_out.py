"""What happens when time runs out, and what keeps it from running out, by the services."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from core.models import MatchFinished
from matches import engine, tasks
from matches.clock import seat_clocks
from matches.errors import MatchError, NoDaysLeft, NotLate, NotPossible, NotRunning, NotYourSeat
from matches.models import (
    Heartbeat,
    Match,
    OwnHours,
    SeatKind,
    Source,
    Status,
    TimeControl,
    Timeout,
)
from matches.queries import clock
from matches.queries.access import access_match, hours_of
from matches.queries.events import event_groups
from matches.queries.seats import seat_infos, seat_names
from matches.queries.table import table_state
from matches.queries.table_page import table_page
from matches.services import heartbeat
from matches.services import heartbeat as heartbeat_services
from matches.services.absence import come_back, go_away, set_hours
from matches.services.bots import run_bots, stalled_bots
from matches.services.cancelling import cancel_match
from matches.services.clock import give_time, overdue, run_clock, take_seat_back
from matches.services.merging import merge_guest
from matches.services.offers import Word
from matches.services.play import concede
from matches.services.setup import SeatPlan
from matches.views.setup import playable
from notices.kinds import Kind
from notices.models import Notice
from tests.matches.conftest import MakeMatch, api, asked, play_on, stored
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
AN_INSTANT = timedelta(microseconds=1)

Three = Callable[..., Match]


@pytest.fixture
def impatient(make_match: MakeMatch) -> Match:
    """Two people; whoever is late loses, and nobody waits for who is away."""
    return make_match(pauses_when_away=False)


@pytest.fixture
def three(make_match: MakeMatch, ann: User, bob: User, stranger: User) -> Match:
    """Three people; a bot plays on for whoever is late."""
    seats = [SeatPlan(user=user) for user in (ann, bob, stranger)]
    return make_match(seats=seats, pauses_when_away=False)


def deadline_of(match: Match) -> datetime:
    match.refresh_from_db()
    assert match.deadline_at is not None
    return match.deadline_at


def run(match: Match, now: datetime) -> int:
    done = run_clock(match_id=match.pk, now=now + seat_clocks.GRACE)
    match.refresh_from_db()
    return done


def late_seat(match: Match) -> Any:
    return match.seats.get(prompt__isnull=False)


class TestForfeit:
    def test_after_the_grace_and_not_before(self, impatient: Match) -> None:
        late, preset = late_seat(impatient), impatient.preset
        deadline = deadline_of(impatient)
        assert preset is not None
        assert overdue(now=deadline + seat_clocks.GRACE) == [impatient.pk]
        assert run(impatient, deadline) == 1, "it is noted"
        assert late_seat(impatient).flag_fallen
        assert overdue(now=deadline + HOUR) == [], "and looked at no more meanwhile"
        assert run(impatient, deadline + preset.grace - AN_INSTANT) == 0
        assert impatient.status == Status.RUNNING
        assert run(impatient, deadline + preset.grace) == 1
        assert (impatient.status, run(impatient, deadline + 9 * DAY)) == (Status.FINISHED, 0)
        row = impatient.moves.get()
        assert (row.seat, row.move, row.source) == (late.number, None, Source.CLOCK)
        seats = MatchFinished.objects.get().seats
        assert [seat["stayed"] for seat in seats] == [False, False], "nobody had really begun"

    def test_the_log_and_the_result_say_so(self, make_match: MakeMatch) -> None:
        """In every line, whatever the rules take for a concession."""
        game, mode = playable(people=2)[-1]
        late = make_match(game=game.slug, mode=mode.slug, pauses_when_away=False)
        name = seat_names(late)[late_seat(late).number]
        deadline = deadline_of(late)
        run(late, deadline)
        run(late, deadline + DAY)
        (group,) = event_groups(late, None, since=0)
        assert group.lines[0] == f"Time ran out: {name} loses on time."
        assert "conceded" not in " ".join(group.lines)
        page = logged_in(None).get(f"/matches/{late.slug}/").content.decode()
        assert f"Time ran out: {name} loses on time." in page
        assert f"{name} concede" not in page
        result = logged_in(None).get(f"/matches/{late.slug}/result/").content.decode()
        assert f"{name} ran out of time.</p>" in result
        row = late.moves.get()
        body = api(None).get(f"/api/matches/{late.slug}/result/").json()
        assert body["lost_on_time"] == [row.seat]
        export = b"".join(logged_in(None).get("/api/export/matches/").streaming_content)
        assert json.loads(export)["lost_on_time"] == [row.seat]

    def test_whoever_is_late_is_told(self, impatient: Match) -> None:
        user, deadline = late_seat(impatient).user, deadline_of(impatient)

        def told() -> list[str]:
            return [f"{row.kind}: {row.text}" for row in user.notices.open().order_by("pk")]

        run(impatient, deadline)
        run(impatient, deadline + HOUR)
        (late,) = [text for text in told() if "You are out of time" in text]
        assert late.endswith(" Move now, or you lose the match.")
        run(impatient, deadline + DAY)
        (lost,) = [text for text in told() if text.startswith("lost_by_time")]
        assert "You lost on time in " in lost and late not in told()

    def test_a_move_in_the_grace_counts(self, impatient: Match) -> None:
        deadline = deadline_of(impatient)
        number = late_seat(impatient).number
        run(impatient, deadline)
        rows = late_seat(impatient).user.notices.open().filter(text__contains="You are out of time")
        play_on(impatient, 1)
        assert impatient.moves.get().source == Source.PERSON and rows.exists()
        while impatient.seats.get(number=number).prompt is not None:
            play_on(impatient, 1)
        seat = impatient.seats.get(number=number)
        assert (seat.flag_fallen, seat.deadline_at) == (False, None)
        assert not rows.exists(), "they are in time now"

    def test_live_tables_have_a_minute(self, make_match: MakeMatch) -> None:
        match = make_match(time_control=TimeControl.LIVE)
        assert match.started_at is not None and not match.pauses_when_away
        deadline = deadline_of(match)
        assert deadline == match.started_at + timedelta(minutes=10)
        run(match, deadline)
        assert run(match, deadline + timedelta(seconds=59)) == 0
        run(match, deadline + timedelta(seconds=60))
        assert match.status == Status.FINISHED

    def test_five_seconds_late_is_not_late(self, impatient: Match) -> None:
        early = deadline_of(impatient) + seat_clocks.GRACE - AN_INSTANT
        before = stored(impatient)
        assert overdue(now=early) == []
        assert run_clock(match_id=impatient.pk, now=early) == 0
        assert stored(impatient) == before

    def test_where_both_are_late_nobody_wins_and_the_match_is_cancelled(
        self, make_match: MakeMatch, together: str
    ) -> None:
        match = make_match(game=together, mode="match", pauses_when_away=False)
        deadlines = [seat.deadline_at for seat in match.seats.all()]
        assert None not in deadlines, "both are asked"
        last = max(deadlines)
        assert run(match, last) == 2
        notices = Notice.objects.filter(match=match.slug, kind=Kind.TIME_IS_RUNNING_OUT)
        cancelled_at = last + seat_clocks.ABANDONED
        assert [notice.deadline_at for notice in notices] == [cancelled_at] * 2
        assert all(
            notice.text.startswith("Everyone is out of time in ")
            and notice.text.endswith("you lose; if nobody moves, the match is cancelled.")
            for notice in notices
        )
        reader = AnonymousUser()
        clocks = clock.lines(match, reader, seat_infos(match, reader))
        assert [line.ends_at for line in clocks] == [cancelled_at] * 2
        assert run(match, cancelled_at - AN_INSTANT) == 0
        assert run(match, last + seat_clocks.ABANDONED) == 1
        assert (match.status, match.outcome) == (Status.CANCELLED, None)
        assert not MatchFinished.objects.exists(), "counts for nothing"

    def test_nobody_waits_for_who_has_conceded(
        self, make_match: MakeMatch, together: str, ann: User, bob: User, stranger: User
    ) -> None:
        seats = [SeatPlan(user=user) for user in (ann, bob, stranger)]
        options: dict[str, Any] = {"timeout": Timeout.FORFEIT, "pauses_when_away": False}
        match = make_match(game=together, mode="match", seats=seats, **options)
        concede(slug=match.slug, user=bob)
        last = max(seat.deadline_at for seat in match.seats.exclude(deadline_at=None))
        assert run(match, last) == 2
        page = table_page(table_state(access_match(ann, match.slug), ann), ann)
        late = [line.ends_at for line in page.clocks if line.state == "late"]
        assert late == [last + seat_clocks.ABANDONED] * 2


class TestBot:
    def test_it_keeps_the_seat_warm_and_its_person_takes_it_back(self, three: Match) -> None:
        assert three.timeout == Timeout.BOT
        late = late_seat(three)
        assert late.user is not None
        passed = deadline_of(three)
        run(three, passed)
        kept = three.seats.get(number=late.number)
        assert (kept.kind, kept.user, kept.deadline_at) == (SeatKind.PERSON, late.user, None)
        assert kept.substitute_bot == list(engine.game_of(three).bots)[-1]
        assert stalled_bots(now=passed) == [] and stalled_bots(now=passed + HOUR) == [three.pk]
        run_bots(match_id=three.pk)
        assert {row.source for row in three.moves.all()} == {Source.CLOCK}
        three.refresh_from_db()
        lines = [line for group in event_groups(three, None, 0) for line in group.lines]
        assert lines[0].startswith("Time ran out: ")
        assert late_seat(three).number != late.number
        for _ in range(2):  # pressed twice
            take_seat_back(slug=three.slug, user=late.user)
        back = three.seats.get(number=late.number)
        assert three.preset is not None
        assert (back.substitute_bot, back.time_bank) == ("", three.preset.gain)
        while late_seat(three).number != late.number:
            play_on(three, 1)
        assert late_seat(three).deadline_at is not None

    def test_an_answer_is_a_way_back_too(self, three: Match) -> None:
        user, _ = asked(three)
        run(three, deadline_of(three))
        play_on(three, 1)
        seat = three.seats.get(user=user)
        assert seat.substitute_bot == "" and three.moves.get().source == Source.PERSON
        assert (seat.prompt is None) == (seat.deadline_at is None)

    def test_who_does_not_come_back_has_not_stayed(self, three: Match) -> None:
        late = late_seat(three)
        run(three, deadline_of(three))
        while three.status == Status.RUNNING:
            run_bots(match_id=three.pk)
            three.refresh_from_db()
            if three.status == Status.RUNNING:
                play_on(three, 1)
        seats = MatchFinished.objects.get().seats
        assert [seat["stayed"] for seat in seats] == [n != late.number for n in range(3)]
        assert seats[late.number]["user"] == late.user_id, "it is their match all the same"

    def test_when_nobody_is_left_it_ends_after_ten_days(self, three: Match) -> None:
        now = timezone.now()
        for _ in range(2):
            now = deadline_of(three)
            run(three, now)
            run_bots(match_id=three.pk)
        last = deadline_of(three)
        run(three, last)
        assert three.seats.filter(substitute_bot="").count() == 1, (
            "bots do not play among themselves"
        )
        assert run(three, last + seat_clocks.ABANDONED - AN_INSTANT) == 0
        run(three, last + seat_clocks.ABANDONED)
        assert three.status == Status.CANCELLED
        page = logged_in(None).get(f"/matches/{three.slug}/").content.decode()
        assert "no moves for ten days." in page


class TestChosenByTheHost:
    def test_what_is_usual(self, match: Match, three: Match) -> None:
        assert (match.timeout, three.timeout) == (Timeout.FORFEIT, Timeout.BOT)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({}, "The player loses 12 hours later"),
            ({"time_control": TimeControl.LIVE}, "The player loses a minute later"),
            ({"timeout": Timeout.BOT}, "A bot takes over until they return"),
            ({"timeout": Timeout.TURN}, "A default move is played for them"),
            ({"pauses_when_away": False}, "<dt>Vacation</dt><dd>Not allowed</dd>"),
        ],
    )
    def test_it_is_said_before_one_sits_down(
        self, make_match: MakeMatch, ann: User, changes: dict[str, Any], words: str
    ) -> None:
        open_table = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)], **changes)
        for user, page in ((ann, ""), (None, "join/")):
            html = logged_in(user).get(f"/matches/{open_table.slug}/{page}").content.decode()
            assert words in html

    def test_what_is_no_choice_is_refused(self, make_match: MakeMatch, together: str) -> None:
        with pytest.raises(NotPossible, match="Unknown timeout rule"):
            make_match(timeout="explode")

    def test_among_friends_no_clock_runs(self, make_match: MakeMatch) -> None:
        match = make_match(time_control=TimeControl.FRIENDS)
        play_on(match, 5)
        assert match.deadline_at is None and match.clock_check_at is None


class TestCancelling:
    def test_alone_before_ones_second_move(self, match: Match, ann: User, bob: User) -> None:
        user, _ = asked(match)
        play_on(match, 1)
        other = bob if user == ann else ann
        answer = api(other).post(f"/api/matches/{match.slug}/cancel/", {}, format="json")
        assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
        assert cancel_match(slug=match.slug, user=other).status == Status.CANCELLED
        assert not MatchFinished.objects.exists()
        with pytest.raises(NotRunning, match="was cancelled"):
            concede(slug=match.slug, user=user)
        state = api(user).get(f"/api/matches/{match.slug}/state/").json()
        assert state["prompt"] is None and not any(seat["waiting"] for seat in state["seats"])
        assert logged_in(user).get(f"/matches/{match.slug}/table/").status_code == 204
        assert run(match, timezone.now() + 99 * DAY) == 0

    def test_the_words_are_those_of_the_other_offers(self, match: Match, ann: User) -> None:
        for body, status in (({"word": "decline"}, 200), ({"word": "agree"}, 409)):
            answer = api(ann).post(f"/api/matches/{match.slug}/cancel/", body, format="json")
            assert answer.status_code == status, body
        refused = api(ann).post(
            f"/api/matches/{match.slug}/cancel/", {"agree": False}, format="json"
        )
        assert refused.status_code == 422
        assert refused.json()["errors"] == {"agree": ["Unknown member."]}
        match.refresh_from_db()
        assert match.status == Status.RUNNING

    def test_afterwards_all_together(self, match: Match, ann: User, bob: User) -> None:
        while min(match.moves.filter(seat=n).count() for n in range(2)) < 2:
            play_on(match, 1)
        for _ in range(2):  # pressed twice
            assert cancel_match(slug=match.slug, user=ann).status == Status.RUNNING
        page = logged_in(bob).get(f"/matches/{match.slug}/").content.decode()
        assert "Ann offers to cancel this match." in page
        cancel_match(slug=match.slug, user=bob, word=Word.DECLINE)
        assert not match.seats.filter(wants_cancel=True).exists(), "declined"
        cancel_match(slug=match.slug, user=bob)
        assert cancel_match(slug=match.slug, user=ann).status == Status.CANCELLED

    def test_whoever_is_out_or_kept_by_a_bot_is_not_asked(
        self, three: Match, ann: User, bob: User, stranger: User
    ) -> None:
        while min(three.moves.filter(seat=n).count() for n in range(3)) < 2:
            play_on(three, 1)
        cancel_match(slug=three.slug, user=ann)
        concede(slug=three.slug, user=bob)
        three.refresh_from_db()
        assert three.status == Status.RUNNING
        assert cancel_match(slug=three.slug, user=stranger).status == Status.CANCELLED

    def test_strangers_may_not(self, match: Match, stranger: User) -> None:
        with pytest.raises(NotYourSeat):
            cancel_match(slug=match.slug, user=stranger)


class TestGivingTime:
    def given(self, match: Match, user: User) -> Any:
        return api(user).post(f"/api/matches/{match.slug}/give-time/", {}, format="json")

    def near_the_end(self, match: Match, left: timedelta) -> datetime:
        deadline = timezone.now() + left
        match.seats.filter(prompt__isnull=False).update(deadline_at=deadline)
        Match.objects.filter(pk=match.pk).update(deadline_at=deadline, clock_check_at=deadline)
        return deadline

    def test_once_a_turn(self, make_match: MakeMatch, ann: User, bob: User) -> None:
        match = make_match(time_control=TimeControl.FAST)
        user, _ = asked(match)
        other = bob if user == ann else ann
        assert self.given(match, other).status_code == 409, "there is time enough"
        deadline = self.near_the_end(match, 2 * HOUR)
        assert self.given(match, user).status_code == 409, "nobody gives it to oneself"
        for _ in range(2):  # a double click
            assert self.given(match, other).status_code == 200
            match.refresh_from_db()
            assert match.deadline_at == late_seat(match).deadline_at
            assert abs(match.deadline_at - deadline - 12 * HOUR) < timedelta(minutes=1)

    def test_to_whoever_is_late_each_time(self, impatient: Match, ann: User, bob: User) -> None:
        user, _ = asked(impatient)
        other = bob if user == ann else ann
        for _ in range(2):
            self.near_the_end(impatient, -2 * HOUR)
            run(impatient, timezone.now())
            assert late_seat(impatient).flag_fallen
            for _ in range(2):
                assert self.given(impatient, other).status_code == 200
            seat = late_seat(impatient)
            assert not seat.flag_fallen
            assert seat.deadline_at - timezone.now() < 24 * HOUR
        assert overdue(now=timezone.now() + HOUR) == []

    def test_by_opponents_alone(self, match: Match, stranger: User) -> None:
        self.near_the_end(match, HOUR)
        assert self.given(match, stranger).status_code == 403
        with pytest.raises(NotLate, match="Seat 9 does not exist"):
            give_time(slug=match.slug, user=asked(match)[0], seat=8)


class TestAway:
    def test_a_day_begins_by_itself_while_there_are_days(
        self, make_match: MakeMatch, ann: User, bob: User
    ) -> None:
        """The whole day in which the deadline would pass does not count; then the next one."""
        match = make_match()
        user, _ = asked(match)
        first = deadline_of(match)
        now = first
        for days in range(1, 21):
            assert run(match, now) >= 1
            now = deadline_of(match)
            assert now == first + days * DAY
            assert not late_seat(match).flag_fallen
        assert len(hours_of(user.pk).away) == 20
        (notice,) = Notice.objects.filter(person=user, kind="time_is_running_out")
        assert "your vacation started automatically on " in notice.text, "told once, not each day"
        assert notice.link == "/you/clock/"
        if now.year == first.year:
            run(match, now)
            assert late_seat(match).flag_fallen, "no day is left"

    def test_of_a_day_away_nothing_counts(self, match: Match) -> None:
        user, _ = asked(match)
        deadline, today = deadline_of(match), timezone.now().astimezone(UTC).date()
        go_away(user=user, first=today, last=today + DAY)
        start = match.started_at
        assert start is not None
        # The clock stands until the day after tomorrow: what of today had passed is given back.
        midnight = datetime.combine(today + 2 * DAY, time(), UTC)
        assert deadline_of(match) == midnight + (deadline - start)
        go_away(user=user, first=today, last=today + DAY)
        assert deadline_of(match) == midnight + (deadline - start), "said twice, it counts once"
        come_back(user=user)
        assert hours_of(user.pk).away == {today}
        assert deadline_of(match) == midnight - DAY + (deadline - start)

    def test_not_at_tables_that_do_not_wait(
        self, impatient: Match, make_match: MakeMatch, ann: User
    ) -> None:
        live = make_match(time_control=TimeControl.LIVE)
        user, _ = asked(impatient)
        before = [deadline_of(table) for table in (impatient, live)]
        today = timezone.now().astimezone(UTC).date()
        go_away(user=user, first=today, last=today + 3 * DAY)
        assert [deadline_of(table) for table in (impatient, live)] == before
        page = logged_in(user).get("/you/clock/").content.decode()
        assert "Tables without vacation" in page
        assert impatient.get_absolute_url() in page and live.get_absolute_url() in page
        run(impatient, before[0])
        assert late_seat(impatient).flag_fallen

    def test_the_table_is_told(self, match: Match, ann: User, bob: User) -> None:
        user, _ = asked(match)
        today = timezone.now().astimezone(UTC).date()
        go_away(user=user, first=today, last=today + DAY)
        other = bob if user == ann else ann
        page = logged_in(other).get(match.get_absolute_url()).content.decode()
        assert f"away until {today + DAY:%a} {(today + DAY).day}" in page

    @pytest.mark.parametrize(
        ("first", "last", "refusal"),
        [(-1, 3, NotPossible), (3, 2, NotPossible), (0, 400, NotPossible), (0, 20, NoDaysLeft)],
    )
    def test_what_is_refused(
        self, ann: User, first: int, last: int, refusal: type[MatchError]
    ) -> None:
        now = datetime(2027, 5, 1, tzinfo=UTC)
        today = now.date()
        with pytest.raises(refusal):
            go_away(user=ann, first=today + first * DAY, last=today + last * DAY, now=now)
        assert hours_of(ann.pk).away == frozenset()

    def test_each_year_has_its_own(self, ann: User) -> None:
        now = datetime(2027, 12, 20, tzinfo=UTC)
        last = date(2028, 1, 20)
        go_away(user=ann, first=date(2027, 12, 20), last=date(2028, 1, 8), now=now)
        assert len(hours_of(ann.pk).away) == 20
        go_away(user=ann, first=date(2028, 1, 9), last=last, now=now)
        with pytest.raises(NoDaysLeft) as refused:
            go_away(user=ann, first=last + DAY, last=last + DAY, now=now)
        assert refused.value.extra["left"] == 0


class TestOwnHours:
    def test_deadlines_follow_from_now_on(self, match: Match) -> None:
        user, _ = asked(match)
        start = match.started_at
        assert start is not None
        set_hours(user=user, zone="Europe/Berlin", opens=time(9), closes=time(17))
        own = hours_of(user.pk)
        assert abs(deadline_of(match) - seat_clocks.after(start, 3 * DAY, own)) < timedelta(
            seconds=30
        )
        assert 8 * DAY < deadline_of(match) - start < 10 * DAY
        set_hours(user=user, zone="Europe/Berlin")
        assert abs(deadline_of(match) - start - 3 * DAY) < timedelta(seconds=30)

    def test_live_tables_run_day_and_night(self, make_match: MakeMatch) -> None:
        live = make_match(time_control=TimeControl.LIVE)
        user, _ = asked(live)
        before = deadline_of(live)
        hour = timezone.now().hour  # its day begins in some hours
        opens, closes = time((hour + 4) % 24), time((hour + 14) % 24)
        set_hours(user=user, zone="UTC", opens=opens, closes=closes, weekend=True)
        assert deadline_of(live) == before
        play_on(live, 1)
        assert deadline_of(live) - timezone.now() < HOUR

    def test_who_is_asked_next_has_their_own(self, match: Match, ann: User, bob: User) -> None:
        user, _ = asked(match)
        other = bob if user == ann else ann
        set_hours(user=other, zone="Asia/Kathmandu", opens=time(9), closes=time(17))
        while late_seat(match).user == user:
            play_on(match, 1)
        assert deadline_of(match) - timezone.now() > 8 * DAY

    @pytest.mark.parametrize("closes", [time(16, 59), time(9, 1), time(8, 0)])
    def test_eight_hours_are_the_shortest(self, ann: User, closes: time) -> None:
        if closes == time(8):
            set_hours(user=ann, zone="UTC", opens=time(9), closes=closes)  # 23 hours
            return
        with pytest.raises(NotPossible, match="at least 8 hours"):
            set_hours(user=ann, zone="UTC", opens=time(9), closes=closes)
        minutes = closes.hour * 60 + closes.minute
        with pytest.raises(IntegrityError), transaction.atomic():
            OwnHours.objects.create(user=ann, opens=9 * 60, closes=minutes)

    def test_the_browser_s_zone_counts_until_one_is_chosen(self, ann: User) -> None:
        browser = logged_in(ann)
        for zone in ("Nowhere/At-All", "Asia/Tokyo", "Europe/Paris"):
            browser.cookies["riffle_zone"] = zone
            browser.get("/you/clock/")
        assert hours_of(ann.pk).zone == "Asia/Tokyo"
        form = {"zone": "Africa/Cairo", "opens": "22:00", "closes": "06:00", "weekend": "on"}
        assert browser.post("/you/clock/", form).status_code == 302
        assert hours_of(ann.pk) == seat_clocks.Hours(
            "Africa/Cairo", time(22), time(6), weekend=True
        )
        for wrong, words in (
            ({"closes": "05:59"}, "at least 8 hours"),
            ({"closes": ""}, "Enter both times, or neither."),
            ({"zone": "Mars/Base"}, "Select a valid choice"),
        ):
            answer = browser.post("/you/clock/", form | wrong)
            assert answer.status_code == 422 and words in answer.content.decode()
        assert hours_of(ann.pk).closes == time(6), "nothing is lost"

    def test_deadlines_follow_wherever_the_zone_is_said(self, match: Match) -> None:
        """On the page of notices too, where nobody thinks of deadlines."""
        user, _ = asked(match)
        set_hours(user=user, zone="UTC", opens=time(9), closes=time(17))
        before = deadline_of(match)
        browser = logged_in(user)
        settings = {"time_zone": "Pacific/Honolulu"}
        assert api(user).patch("/api/notifications/settings/", settings).status_code == 200
        own = hours_of(user.pk)
        assert own.zone == "Pacific/Honolulu" and deadline_of(match) != before
        assert match.started_at is not None
        moved = seat_clocks.after(match.started_at, 3 * DAY, own)
        assert abs(deadline_of(match) - moved) < 17 * HOUR, "in those hours, not in the old ones"
        astimezone = deadline_of(match).astimezone(ZoneInfo(own.zone))
        assert time(9) <= astimezone.time() <= time(17)
        User.objects.filter(pk=user.pk).update(time_zone="CET")  # was on offer there once
        assert '<option value="CET" selected>' in browser.get("/you/clock/").content.decode()
        # A browser's guess counts in the same way.
        User.objects.filter(pk=user.pk).update(time_zone="")
        before = deadline_of(match)
        browser.cookies["riffle_zone"] = "Asia/Tokyo"
        browser.get("/you/clock/")
        assert deadline_of(match) != before

    def test_a_guest_s_go_along(self, ann: User) -> None:
        guest = User.objects.create_user("guest", is_guest=True)
        set_hours(user=guest, zone="Asia/Tokyo", opens=time(8), closes=time(20))
        merge_guest(guest=guest, user=ann)
        assert hours_of(ann.pk).opens == time(8)


class TestByAPI:
    """One's own clock by the API: the same services as the page's."""

    def test_hours(self, match: Match) -> None:
        user, _ = asked(match)
        own = api(user)
        data = own.get("/api/clock/").json()
        assert data["time_zone"] == "UTC" and not data["time_zone_known"]
        assert data["opens"] is None and data["vacation"] == [] and data["days_left"] == 20
        change = {"time_zone": "Europe/Berlin", "opens": "22:00", "closes": "06:00"}
        body = own.patch("/api/clock/", change).json()
        assert body["opens"] == "22:00:00" and body["time_zone_known"] and not body["weekend"]
        assert deadline_of(match) - timezone.now() > 8 * DAY
        assert own.patch("/api/clock/", {"weekend": True}).json() == body | {"weekend": True}
        for wrong, status, words in (
            ({"closes": "05:59"}, 422, "at least 8 hours"),
            ({"closes": None}, 422, "Enter both times, or neither."),
            ({"time_zone": "Mars/Base", "weekend": False}, 422, "not a known time zone"),
            ({"time_zone": None}, 400, "null"),
            ({"opens": "25:00"}, 400, "Time has wrong format"),
        ):
            answer = own.patch("/api/clock/", wrong)
            assert answer.status_code == status and words in answer.content.decode(), wrong
        assert own.get("/api/clock/").json() == body | {"weekend": True}
        free = {"opens": None, "closes": None, "weekend": False}
        assert own.patch("/api/clock/", free).json() == body | free
        assert deadline_of(match) - timezone.now() < 3 * DAY

    def test_days_away(self, match: Match, impatient: Match) -> None:
        user, _ = asked(match)
        own, today = api(user), timezone.now().astimezone(UTC).date()
        before = deadline_of(match)
        days = {"first": str(today), "last": str(today + 2 * DAY)}
        for _ in range(2):  # sent again it takes no more
            body = own.post("/api/clock/vacation/", days).json()
        assert body["vacation"] == [days] and body["on_vacation"] and body["days_left"] == 17
        assert [table["match"] for table in body["do_not_wait"]] == [impatient.slug]
        assert 2 * DAY < deadline_of(match) - before <= 3 * DAY
        too_many = {"first": str(today + 3 * DAY), "last": str(today + 30 * DAY)}
        refused = own.post("/api/clock/vacation/", too_many)
        assert refused.status_code == 409 and refused.json()["left"] == 17
        past = {"first": str(today - DAY), "last": str(today)}
        assert own.post("/api/clock/vacation/", past).status_code == 422
        for _ in range(2):
            assert own.delete("/api/clock/vacation/").status_code == 204
        assert own.get("/api/clock/").json()["vacation"] == [
            {"first": str(today), "last": str(today)}
        ]


class TestOutage:
    """No deadline passes while the site is down."""

    def down(self, since: timedelta) -> datetime:
        """The last sweep was so long ago."""
        before = timezone.now() - since
        Heartbeat.objects.update_or_create(pk=1, defaults={"at": before})
        return before

    def test_deadlines_move_by_it_once_before_anybody_is_late(
        self, impatient: Match, make_match: MakeMatch
    ) -> None:
        live = make_match(time_control=TimeControl.LIVE)
        passed = timezone.now() - 6 * HOUR
        Match.objects.filter(pk=impatient.pk).update(deadline_at=passed, clock_check_at=passed)
        impatient.seats.filter(prompt__isnull=False).update(deadline_at=passed)
        before = deadline_of(live)
        self.down(7 * HOUR)
        tasks.run_clock(impatient.pk)  # what had waited in the queue all the while
        tasks.sweep()
        tasks.sweep()
        impatient.refresh_from_db()
        assert impatient.status == Status.RUNNING and not late_seat(impatient).flag_fallen
        minute = timedelta(minutes=1)
        assert abs(deadline_of(impatient) - passed - 7 * HOUR) < minute
        assert late_seat(impatient).deadline_at == impatient.deadline_at == impatient.clock_check_at
        assert abs(deadline_of(live) - before - 7 * HOUR) < minute

    def test_a_short_pause_is_none(self, match: Match) -> None:
        before = stored(match)
        self.down(timedelta(seconds=50))
        assert heartbeat_services.beat() == timedelta()
        assert stored(match) == before

    def test_killed_in_the_middle_it_is_done_from_the_start(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = stored(match)
        since = self.down(HOUR)
        with monkeypatch.context() as killed:

            def die(gap: timedelta) -> int:
                move(gap)
                raise SystemExit

            move = heartbeat._move_deadlines
            killed.setattr(heartbeat, "_move_deadlines", die)
            with pytest.raises(SystemExit):
                heartbeat_services.beat()
        assert stored(match) == before and Heartbeat.objects.get().at == since
        assert heartbeat_services.beat() >= HOUR
        assert stored(match) != before

    def test_a_sweep_that_read_the_same_moves_nothing(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two sweeps at once: the second one finds the row written."""
        deadline = deadline_of(match)
        self.down(HOUR)
        read = heartbeat._last_beat()
        gap = heartbeat_services.beat()
        monkeypatch.setattr(heartbeat, "_last_beat", lambda: read)
        assert heartbeat_services.beat() == timedelta()
        assert deadline_of(match) == deadline + gap

    def test_a_clock_put_right_hides_no_outage_after_it(self, match: Match) -> None:
        """It was two hours ahead, so the last beat lies two hours in the future."""
        deadline = deadline_of(match)
        self.down(-2 * HOUR)
        assert heartbeat_services.beat() == timedelta() and deadline_of(match) == deadline
        (beat,) = Heartbeat.objects.values_list("at", flat=True)
        assert abs(beat - timezone.now()) < timedelta(seconds=10)
        Heartbeat.objects.update(at=beat - timedelta(minutes=10))  # a real outage, soon after
        assert heartbeat_services.beat() >= timedelta(minutes=10)
        assert deadline_of(match) >= deadline + timedelta(minutes=10)

    def test_a_worker_whose_clock_is_ahead_gives_no_time_away(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All beats are dated by the database, so two clocks that differ make no outage."""
        heartbeat_services.beat()
        deadline = deadline_of(match)
        now = timezone.now()
        for ahead in (2 * HOUR, timedelta(), 2 * HOUR):
            monkeypatch.setattr(timezone, "now", lambda ahead=ahead: now + ahead)
            assert heartbeat_services.beat() == timedelta()
        assert deadline_of(match) == deadline

    def test_a_move_reckoned_by_the_old_deadlines_is_stale(self, match: Match) -> None:
        match.refresh_from_db()
        self.down(HOUR)
        heartbeat_services.beat()
        after = Match.objects.get(pk=match.pk)
        assert after.version == match.version + 1

    def test_it_moves_by_the_hours_of_whom_it_is_about(self, match: Match) -> None:
        user, _ = asked(match)
        set_hours(user=user, zone="UTC", opens=time(9), closes=time(17))
        own, before = hours_of(user.pk), deadline_of(match)
        self.down(7 * HOUR)
        gap = heartbeat_services.beat()
        seat = late_seat(match)
        assert seat.deadline_at == seat_clocks.after(before, gap, own)


@pytest.mark.slow
def test_a_year_of_a_table(
    make_match: MakeMatch, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann answers in the evening, Bob when his time is nearly up; the site is down for a week."""
    now = datetime(2027, 1, 1, 18, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    set_hours(user=bob, zone="America/New_York", opens=time(8), closes=time(22), weekend=True)
    heartbeat_services.beat(now=now)
    match = make_match(time_control=TimeControl.SLOW)
    turns = 0
    while now.year == 2027:
        outage = (now.month, now.day, now.hour) == (7, 1, 18)
        now += 7 * DAY if outage else DAY
        if not outage:  # the sweeps in between
            Heartbeat.objects.update(at=now - timedelta(seconds=10))
        assert heartbeat_services.beat(now=now) == (7 * DAY if outage else timedelta())
        run_clock(match_id=match.pk, now=now)
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            match = make_match(time_control=TimeControl.SLOW)
        seat = late_seat(match)
        assert not seat.flag_fallen and seat.deadline_at is not None
        nearly_up = seat.deadline_at - now <= 2 * DAY
        if seat.user == bob and not nearly_up:
            continue
        while match.status == Status.RUNNING and late_seat(match).number == seat.number:
            play_on(match, 1)
        turns += 1
        assert not match.moves.filter(source=Source.CLOCK).exists()
        bank = match.seats.get(number=seat.number).time_bank
        assert match.preset is not None and bank is not None
        assert timedelta() <= bank <= match.preset.cap
    assert turns > 40
    assert hours_of(bob.pk).away == frozenset(), "nobody was ever late"
