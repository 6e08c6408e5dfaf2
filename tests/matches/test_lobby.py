"""Finding somebody: the lobby, quick match, invitations, bots for open seats, rematches."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.models import BlockKind, User
from accounts.services.blocks import block
from accounts.services.guests import merge_guest
from matches.errors import (
    NotInvited,
    NotOpen,
    NotPossible,
    NotYourTable,
    TooManyMatches,
)
from matches.models import Ladder, Match, Rating, SeatKind, Status, TimeControl
from matches.queries import lobby, ratings
from matches.services import quick_match as quick_module
from matches.services.invitations import (
    accept_invitation,
    decline_invitation,
    invite,
    withdraw_invitation,
)
from matches.services.open_tables import fill_seat, sweep_open_tables
from matches.services.play import concede
from matches.services.quick_match import quick_match
from matches.services.rematch import rematch
from matches.services.setup import MatchSetup, SeatPlan, create_match, join_match, leave_match
from notices.models import Notice
from tests.games.examples import GAME, READY_CARDS, READY_DECK
from tests.matches.conftest import MakeMatch, api, person, queries_of, stored
from tests.support.races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

NOBODY = AnonymousUser()
OPEN = SeatPlan(SeatKind.OPEN)
OWN_DECKS = {"mode": "tournament", "options": {}}


@pytest.fixture
def open_table(make_match: MakeMatch) -> MakeMatch:
    """A table of Ann's in the lobby with one free seat and the usual options."""

    def make(**changes: Any) -> Match:
        return make_match(**{"seats": [SeatPlan(), OPEN], "listed": True, "options": {}} | changes)

    return make


def quick(user: User, **changes: Any) -> Match:
    wish = {"game": GAME, "mode": "match", "time_control": TimeControl.STEADY} | changes
    return quick_match(user=user, **wish)


def test_who_finds_which_table(open_table: MakeMatch, ann: User, bob: User) -> None:
    open_table_result = open_table()
    open_table(listed=False)
    open_table(private=True)
    open_table(host=bob, seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, ann)])
    open_table(host=bob, seats=[SeatPlan(), SeatPlan(SeatKind.BOT)])
    gone = open_table(host=bob)
    leave_match(match=gone, user=bob)
    for viewer in (NOBODY, ann, bob):
        assert list(lobby.open_tables(viewer)) == [open_table_result]
    assert not Match.objects.filter(private=True, listed=True).exists()
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert list(lobby.open_tables(NOBODY)) == []


def test_what_is_told_of_a_table(open_table: MakeMatch, ann: User, bob: User) -> None:
    table = open_table(options={"guards": 1}, seats=[SeatPlan(), OPEN, SeatPlan(SeatKind.BOT)])
    (shown_tables,) = lobby.shown_tables(bob, lobby.open_tables(bob))
    assert (shown_tables.slug, shown_tables.host, shown_tables.free, shown_tables.decks) == (
        table.slug,
        "Ann",
        1,
        "",
    )
    assert shown_tables.unusual == {"guards": 1}
    assert shown_tables.options == {"guards": 1, "boosters": [], "turn_limit": 80}
    assert [seat.kind for seat in shown_tables.seats] == ["person", "open", "bot"]
    assert (shown_tables.mine, shown_tables.ends_at) == (
        False,
        table.created_at + timedelta(days=14),
    )
    usual = open_table(seats=[SeatPlan(), OPEN], **OWN_DECKS | {"deck": READY_DECK})
    shown_tables = lobby.shown_tables(ann, lobby.open_tables(ann))[0]
    assert (shown_tables.slug, shown_tables.decks, shown_tables.unusual, shown_tables.mine) == (
        usual.slug,
        "own",
        {},
        True,
    )
    count = queries_of(lambda: lobby.shown_tables(bob, lobby.open_tables(bob)))
    open_table()
    assert queries_of(lambda: lobby.shown_tables(bob, lobby.open_tables(bob))) == count


def test_the_api(open_table: MakeMatch, ann: User, bob: User) -> None:
    open_table()
    page = (
        api().get("/api/lobby/", {"game": GAME, "mode": "match", "time_control": "steady"}).json()
    )
    (row,) = page["results"]
    assert {"slug", "game", "mode", "seats", "time_control", "options"} <= row.keys()
    assert page["count"] == 1 and "deck" not in row["seats"][0]
    assert api().get("/api/lobby/", {"time_control": "live"}).json()["results"] == []
    assert api().get("/api/lobby/", {"time_control": "never"}).status_code == 400
    assert api().post("/api/lobby/quick/", {}).status_code == 401
    wish = {"game": GAME, "mode": "match", "time_control": "steady"}
    met = api(bob).post("/api/lobby/quick/", wish, format="json").json()
    assert (met["slug"], met["status"]) == (row["slug"], "running")
    # By invitation
    seats = [{"kind": "person"}, {"kind": "open", "invite": "BOB"}]
    data = api(ann).post("/api/matches/", wish | {"seats": seats}, format="json").json()
    (kept,) = api(bob).get("/api/invitations/").json()["results"]
    assert (kept["slug"], kept["host"], kept["free"]) == (data["slug"], "Ann", 0)
    assert api(ann).get("/api/invitations/").json()["results"] == []
    at = f"/api/matches/{data['slug']}"
    assert api(bob).post(f"{at}/decline/").json()["seats"][1]["name"] == "Open seat"
    again = api(bob).post(f"{at}/accept/")
    assert (again.status_code, again.json()["type"].rpartition("/api/problems/")[2]) == (
        409,
        "not-invited/",
    )
    body = {"username": "bob", "seat": 1}
    assert api(bob).post(f"{at}/invite/", body, format="json").status_code == 403
    api(ann).post(f"{at}/invite/", body, format="json")
    api(ann).post(f"{at}/uninvite/", {"username": "bob"}, format="json")
    assert api(bob).get("/api/invitations/").json()["count"] == 0
    api(ann).post(f"{at}/invite/", {"username": "bob"}, format="json")
    assert api(ann).post(f"{at}/listed/", {"listed": False}, format="json").status_code == 200
    assert api(bob).post(f"{at}/accept/").json()["status"] == "running"
    assert api(bob).post(f"{at}/accept/").status_code == 200
    third = api(ann).post("/api/matches/", wish | {"seats": seats}, format="json").json()
    at = f"/api/matches/{third['slug']}"
    assert api(ann).post(f"{at}/fill/", {"seat": 1}, format="json").json()["status"] == "running"
    wrong = wish | {"seats": [{"kind": "person"}, {"kind": "bot", "invite": "bob"}]}
    assert api(ann).post("/api/matches/", wrong, format="json").status_code == 422


class TestQuickMatch:
    def test_the_oldest_that_fits(self, open_table: MakeMatch, bob: User, stranger: User) -> None:
        open_table(options={"guards": 2})
        open_table(time_control=TimeControl.SLOW)
        oldest = open_table()
        open_table(host=stranger)
        assert quick(bob) == oldest
        oldest.refresh_from_db()
        assert oldest.status == Status.RUNNING

    def test_a_new_one_and_whoever_comes_next(self, bob: User, stranger: User) -> None:
        waiting = quick(bob)
        assert (waiting.status, waiting.listed) == (Status.OPEN, True)
        assert quick(bob) == waiting, "looking twice is waiting once"
        assert quick(bob, time_control=TimeControl.SLOW) != waiting
        assert quick(stranger) == waiting
        waiting.refresh_from_db()
        assert waiting.status == Status.RUNNING

    def test_with_decks(self, bob: User, stranger: User) -> None:
        waiting = quick(bob, mode="tournament")
        assert quick(stranger, mode="tournament") == waiting
        assert all(seat.deck for seat in waiting.seats.all())

    def test_people_who_are_kept_apart_do_not_meet(
        self, open_table: MakeMatch, ann: User, bob: User, finished: Match
    ) -> None:
        table = open_table()
        block(user=bob, username="ann", kind=BlockKind.TABLES)
        assert list(lobby.open_tables(bob)) == []
        assert list(lobby.open_tables(ann)) == list(lobby.open_tables(NOBODY)) == [table]
        assert quick(bob) != table
        with pytest.raises(NotOpen, match="can’t join this table"):
            join_match(match=table, user=bob)
        with pytest.raises(NotPossible, match="can’t invite"):
            open_table(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob)])
        with pytest.raises(NotPossible, match="can’t invite"):
            invite(slug=table.slug, host=ann, username="bob")
        with pytest.raises(NotPossible, match="can’t ask these players"):
            rematch(slug=finished.slug, user=ann)

    @pytest.mark.parametrize(
        ("wish", "words"),
        [
            ({"time_control": "soon"}, "not a time control"),
            ({"mode": "single"}, "solo mode"),
            ({"game": "chess"}, "Unknown game"),
        ],
    )
    def test_nonsense(self, bob: User, wish: dict[str, Any], words: str) -> None:
        with pytest.raises(NotPossible, match=words):
            quick(bob, **wish)


@pytest.mark.django_db(transaction=True)
def test_people_who_press_at_once_meet(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_module, "DOUBLE_CLICK_WINDOW", timedelta(hours=1))
    crowd = [person(f"U{number}") for number in range(6)]
    wishes = [*crowd, *crowd]  # everybody presses twice
    met = at_once(*[lambda user=user: quick(user) for user in wishes])
    assert not [answer for answer in met if not isinstance(answer, Match)], met
    tables = Match.objects.all()
    assert [table.status for table in tables] == [Status.RUNNING] * 3
    sat = [seat.user_id for table in tables for seat in table.seats.all()]
    assert sorted(sat) == sorted(user.pk for user in crowd)


@pytest.mark.django_db(transaction=True)
def test_accepting_while_the_invitation_is_taken_back(make_match: MakeMatch, bob: User) -> None:
    match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob)])
    host = match.host
    assert host is not None
    at_once_result = at_once(
        lambda: accept_invitation(slug=match.slug, user=bob),
        lambda: withdraw_invitation(slug=match.slug, host=host, username="bob"),
        lambda: decline_invitation(slug=match.slug, user=bob),
    )
    assert all(
        not isinstance(item, Exception) or isinstance(item, NotInvited | NotOpen)
        for item in at_once_result
    )
    match.refresh_from_db()
    seat = match.seats.get(number=1)
    assert seat.invited is None
    assert (match.status == Status.RUNNING) == (seat.user == bob)


class TestInvitations:
    def test_yes_no_and_not_any_more(
        self, make_match: MakeMatch, ann: User, bob: User, stranger: User
    ) -> None:
        match = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob), OPEN])
        assert list(lobby.invitations(bob)) == [match]
        with pytest.raises(NotInvited):
            accept_invitation(slug=match.slug, user=stranger)
        with pytest.raises(NotYourTable):
            invite(slug=match.slug, host=bob, username="sam")
        with pytest.raises(NotPossible, match="sits at this table"):
            invite(slug=match.slug, host=ann, username="ann")
        with pytest.raises(NotPossible, match="No user named “zoe”"):
            invite(slug=match.slug, host=ann, username="zoe")
        invite(slug=match.slug, host=ann, username="Sam")
        before = stored(match)
        invite(slug=match.slug, host=ann, username="sam")
        assert stored(match) == before
        decline_invitation(slug=match.slug, user=bob)
        with pytest.raises(NotInvited):
            decline_invitation(slug=match.slug, user=bob)
        withdraw_invitation(slug=match.slug, host=ann, username="sam")
        withdraw_invitation(slug=match.slug, host=ann, username="sam")
        assert not lobby.invitations(bob) and not lobby.invitations(stranger)
        assert match.seats.filter(kind=SeatKind.OPEN, invited=None).count() == 2

    def test_a_guest_who_is_invited_turns_out_to_sit_there(
        self, make_match: MakeMatch, ann: User, bob: User
    ) -> None:
        guest = person("Guest", is_guest=True)
        sits = make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, guest), OPEN])
        other = make_match(host=bob, seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, guest)])
        merge_guest(guest=guest, user=ann)
        assert list(lobby.invitations(ann)) == [other]
        assert not sits.seats.exclude(invited=None).exists()


def told(user: User) -> list[str]:
    """A person's notifications now."""
    return [row.text for row in Notice.objects.open().filter(person=user).order_by("created_at")]


class TestWhatPeopleAreTold:
    @pytest.fixture
    def kept(self, make_match: MakeMatch, bob: User) -> Match:
        return make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob), OPEN])

    def test_an_invitation_leaves_after_half_a_minute(self, kept: Match, bob: User) -> None:
        (row,) = Notice.objects.open().filter(person=bob)
        assert row.text.startswith("Ann invites you to play ")
        assert (row.link, row.match) == (kept.get_absolute_url(), kept.slug)
        assert row.due_at is not None
        assert row.due_at - row.created_at >= timedelta(seconds=29)

    def test_it_goes_when_it_is_answered_or_taken_back(
        self, kept: Match, ann: User, bob: User, stranger: User
    ) -> None:
        withdraw_invitation(slug=kept.slug, host=ann, username="bob")
        assert told(bob) == told(ann) == []
        invite(slug=kept.slug, host=ann, username="bob")
        invite(slug=kept.slug, host=ann, username="sam")
        assert len(told(bob)) == len(told(stranger)) == 1
        decline_invitation(slug=kept.slug, user=bob)
        assert told(bob) == []
        assert [text[:32] for text in told(ann)] == ["Bob declined your invitation to "]
        accept_invitation(slug=kept.slug, user=stranger)
        assert not [text for text in told(stranger) if "invites" in text]
        fill_seat(slug=kept.slug, host=ann, seat=1)
        assert not [text for text in told(ann) if "declined" in text], "the match has begun"

    def test_and_when_the_table_does(self, kept: Match, ann: User, bob: User) -> None:
        leave_match(match=kept, user=ann)
        assert not [text for text in told(bob) if "invites" in text]

    def test_the_host_hears_once_that_nobody_comes(self, kept: Match, ann: User) -> None:
        week = kept.created_at + timedelta(days=7)
        assert sweep_open_tables(now=week - timedelta(seconds=1)).reminded == 0
        assert sweep_open_tables(now=week).reminded == 1
        assert [text[:39] for text in told(ann)] == ["No one has joined your table in 7 days:"]
        Notice.objects.update(seen_at=week)
        assert sweep_open_tables(now=week).reminded == 0
        assert Notice.objects.get(person=ann).seen_at == week
        sweep_open_tables(now=week + timedelta(days=7))
        assert [text[:29] for text in told(ann)] == ["No one joined your table, so "]


class TestWhatIsCalledOff:
    @pytest.fixture
    def with_decks(self, make_match: MakeMatch, ann: User) -> Match:
        return make_match(
            mode="tournament",
            options={},
            deck=READY_CARDS,
            seats=[SeatPlan(), OPEN, SeatPlan(SeatKind.BOT)][:2],
        )

    def nothing_is_kept(self, match: Match) -> None:
        match.refresh_from_db()
        assert match.status == Status.CANCELLED
        assert match.decks == []
        assert not match.seats.exclude(deck=None, deck_name="").exists()

    def test_decks_go_when_the_host_does(self, with_decks: Match, ann: User) -> None:
        assert with_decks.seats.get(number=0).deck
        leave_match(match=with_decks, user=ann)
        self.nothing_is_kept(with_decks)

    def test_and_when_nobody_comes(self, with_decks: Match) -> None:
        sweep_open_tables(now=timezone.now() + timedelta(days=14, seconds=1))
        self.nothing_is_kept(with_decks)

    def test_a_declined_rematch_leaves_no_deck_for_others(
        self, make_match: MakeMatch, ann: User, bob: User
    ) -> None:
        """The seat that was kept for Bob has his deck in it; whoever comes now must not play it."""
        plans = [SeatPlan(user=ann), SeatPlan(user=bob)]
        match = make_match(mode="tournament", options={}, deck=READY_CARDS, seats=plans)
        concede(slug=match.slug, user=ann)
        again = rematch(slug=match.slug, user=ann)
        assert again.seats.get(invited=bob).deck
        decline_invitation(slug=again.slug, user=bob)
        assert not again.seats.filter(kind=SeatKind.OPEN).exclude(deck=None).exists()


class TestByItself:
    def test_tables_end(self, open_table: MakeMatch, bob: User) -> None:
        now = timezone.now()
        slow, live = open_table(), open_table(time_control=TimeControl.LIVE)
        kept = open_table(listed=False, seats=[SeatPlan(), SeatPlan(SeatKind.OPEN, bob)])
        running = quick(bob)
        assert running == slow
        hour = now + timedelta(hours=1, seconds=5)
        assert sweep_open_tables(now=now + timedelta(minutes=59)) == (0, 0, 0)
        assert sweep_open_tables(now=hour) == (0, 1, 0)
        assert sweep_open_tables(now=hour) == (0, 0, 0)
        assert sweep_open_tables(now=now + timedelta(days=15)) == (0, 1, 0)
        statuses = Match.objects.in_bulk([live.pk, kept.pk, running.pk])
        assert [statuses[item.pk].status for item in (live, kept, running)] == [
            "cancelled", "cancelled", "running",
        ]  # fmt: skip

    def test_bots_sit_down(self, open_table: MakeMatch, bob: User) -> None:
        seats = [SeatPlan(), SeatPlan(SeatKind.OPEN, bob), OPEN]
        match = open_table(seats=seats, bots_after_minutes=5, **OWN_DECKS)
        assert sweep_open_tables(now=match.bots_join_at - timedelta(seconds=1)) == (0, 0, 0)
        assert sweep_open_tables(now=match.bots_join_at) == (1, 0, 0)
        assert sweep_open_tables(now=match.bots_join_at) == (0, 0, 0)
        match.refresh_from_db()
        assert match.status == Status.RUNNING
        assert [seat.kind for seat in match.seats.all()] == ["person", "bot", "bot"]
        assert all(seat.deck for seat in match.seats.all())
        assert not lobby.invitations(bob)

    def test_the_host_lets_a_bot_sit_down(
        self, open_table: MakeMatch, ann: User, bob: User
    ) -> None:
        match = open_table(seats=[SeatPlan(), OPEN, OPEN])
        with pytest.raises(NotYourTable):
            fill_seat(slug=match.slug, host=bob, seat=1)
        with pytest.raises(NotOpen):
            fill_seat(slug=match.slug, host=ann, seat=0)
        with pytest.raises(NotPossible, match="Unknown bot “hal”"):
            fill_seat(slug=match.slug, host=ann, seat=1, bot="hal")
        for _ in range(2):
            fill_seat(slug=match.slug, host=ann, seat=1)
        assert match.seats.filter(kind=SeatKind.OPEN).count() == 1
        join_match(match=match, user=bob)
        match.refresh_from_db()
        assert match.status == Status.RUNNING


class TestRematch:
    @pytest.mark.parametrize(("seats", "first"), [("swap", "Bob"), ("keep", "Ann")])
    def test_who_sits_where(
        self, match: Match, ann: User, bob: User, seats: str, first: str
    ) -> None:
        concede(slug=match.slug, user=ann)
        again = rematch(slug=match.slug, user=bob, seats=seats)
        assert rematch(slug=match.slug, user=ann, seats="random") == again
        assert str(again.seats.get(number=0).user) == first
        assert not again.listed

    def test_by_chance_and_nonsense(self, match: Match, ann: User) -> None:
        concede(slug=match.slug, user=ann)
        with pytest.raises(NotPossible, match="swap, keep, random"):
            rematch(slug=match.slug, user=ann, seats="upside down")
        again = rematch(slug=match.slug, user=ann, seats="random")
        assert again.seats.filter(user=ann).exists() and lobby.invitations(
            match.seats.get(number=1).user
        )

    def test_one_that_was_called_off_is_no_obstacle(
        self, match: Match, ann: User, bob: User
    ) -> None:
        concede(slug=match.slug, user=ann)
        first = rematch(slug=match.slug, user=ann)
        leave_match(match=first, user=ann)
        second = rematch(slug=match.slug, user=bob)
        assert second != first and second.status == Status.OPEN
        assert rematch(slug=match.slug, user=ann) == second
        second.refresh_from_db()
        assert second.status == Status.RUNNING


def test_three_tables_that_wait(open_table: MakeMatch, ann: User, bob: User) -> None:
    tables = [open_table(listed=listed) for listed in (True, False, True)]
    with pytest.raises(TooManyMatches, match="3 open tables") as refusal:
        open_table()
    assert refusal.value.extra == {"limit": 3}
    with pytest.raises(TooManyMatches):
        quick(ann, time_control=TimeControl.SLOW)
    assert quick(ann) == tables[0], "the one at which she waits already"
    open_table(seats=[SeatPlan(), SeatPlan(SeatKind.BOT)])  # it waits for nobody
    open_table(seats=[OPEN, OPEN])  # for others
    join_match(match=tables[1], user=bob)
    open_table()


# -- a window of ratings --------------------------------------------------------------------------


def rated(user: User, rating: int, *, speed: str = "web") -> None:
    ladder, _ = Ladder.objects.get_or_create(game=GAME, mode="match", speed=speed)
    mu = ratings.MU + (rating - ratings.MIDDLE) / ratings.STEP
    Rating.objects.create(ladder=ladder, user=user, mu=mu, sigma=3.0, at=timezone.now())


def test_a_host_asks_for_a_rating(ann: User, bob: User, stranger: User) -> None:
    """Those outside see why, in the lobby and when they come by the link; invited people come."""
    rated(ann, 1700)
    rated(bob, 1820)
    seats = [{"kind": "person"}, {"kind": "open"}]
    sent = {"game": GAME, "mode": "match", "seats": seats, "rating_within": 120}
    assert api(ann).post("/api/matches/", sent | {"private": True}).status_code == 422
    assert api(ann).post("/api/matches/", sent | {"rating_within": 0}).status_code == 400
    slug = api(ann).post("/api/matches/", sent).json()["slug"]

    def shown(user: User | None) -> dict[str, Any]:
        [table] = api(user).get("/api/lobby/").json()["results"]
        return dict(table)

    assert (shown(bob)["rating_from"], shown(bob)["rating_to"]) == (1580, 1820)
    assert shown(bob)["why_not"] == shown(ann)["why_not"] == ""
    why = "This table is for ratings from 1580 to 1820; without one you count as 1500."
    assert shown(stranger)["why_not"] == shown(None)["why_not"] == why
    refused = api(stranger).post(f"/api/matches/{slug}/join/", {})
    assert (refused.status_code, refused.json()["detail"]) == (422, why)
    rated(stranger, 1821)
    assert "; yours is 1821." in shown(stranger)["why_not"]
    before = queries_of(lambda: shown(stranger))
    api(ann).post("/api/matches/", sent)
    assert queries_of(lambda: api(stranger).get("/api/lobby/")) == before
    Match.objects.exclude(slug=slug).delete()
    invite(slug=slug, host=ann, username="sam", seat=1)
    accept_invitation(slug=slug, user=stranger)
    assert Match.objects.get(slug=slug).status == Status.RUNNING


def test_each_time_control_has_a_rating_of_its_own_and_a_quick_match_honours_it(
    ann: User, bob: User, stranger: User
) -> None:
    rated(ann, 1900, speed="live")
    seats = [SeatPlan(), SeatPlan(SeatKind.OPEN)]
    table = create_match(
        host=ann,
        setup=MatchSetup(
            game=GAME, mode="match", seats=seats, time_control="live", listed=True, rating_within=50
        ),
    )
    rated(bob, 1900)  # by web, which says nothing of live
    other = quick_match(user=bob, game=GAME, mode="match", time_control="live")
    assert other != table
    rated(stranger, 1880, speed="live")
    met = quick_match(user=stranger, game=GAME, mode="match", time_control="live")
    assert met == table and met.seats.filter(user=stranger).exists()
