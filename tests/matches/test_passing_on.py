"""A seat that its person gives up for good, and whoever takes it over."""

from __future__ import annotations

import pytest

from accounts.models import BlockKind, User
from accounts.services.blocks import block, end_block
from accounts.services.guests import merge_guest
from core.models import MatchFinished
from matches import engine
from matches.errors import NotOpen, NotPossible
from matches.models import Match, RatingChange, Seat, Source, StandingOrder, Status
from matches.services import passing_on
from matches.services import ratings as rating
from matches.services.bots import run_bots
from matches.services.play import concede
from matches.services.setup import SeatPlan
from notices.models import Notice
from tests.matches.conftest import MakeMatch, api, person, play_on
from tests.matches.test_pages import logged_in, page_of

pytestmark = pytest.mark.django_db

PAGE = "/play/lobby/running/?people=wanted"


@pytest.fixture
def cleo(db: None) -> User:
    return person("Cleo")


@pytest.fixture
def table(make_match: MakeMatch, ann: User, bob: User, cleo: User) -> Match:
    """Ann, Bob and Cleo, who know that seats may be passed on."""
    seats = [SeatPlan(user=user) for user in (ann, bob, cleo)]
    return play_on(make_match(seats=seats, allows_replacements=True), 4)


def give_up(match: Match, user: User) -> Match:
    return passing_on.give_up_seat(slug=match.slug, user=user)


def take(match: Match, user: User, seat: int) -> Match:
    return passing_on.take_seat_over(slug=match.slug, user=user, seat=seat)


def wanted(user: User | None = None) -> list[str]:
    results = api(user).get("/api/lobby/running/?needs_player=true").json()["results"]
    return [item["slug"] for item in results]


def bots_play(match: Match) -> None:
    run_bots(match_id=match.pk)
    match.refresh_from_db()


def test_where_seats_are_passed_on(make_match: MakeMatch, ann: User) -> None:
    """Said before anybody sits down: in public, where a bot keeps the seat, with no own decks."""
    for odd in (
        {"private": True},
        {"timeout": "forfeit"},
        {"mode": "tournament", "options": {}},
    ):
        with pytest.raises(NotPossible):
            make_match(**{"allows_replacements": True, "timeout": "bot"} | odd)
    plain = make_match()
    with pytest.raises(NotPossible):
        give_up(plain, ann)


def test_from_hand_to_hand(table: Match, bob: User, stranger: User, cleo: User) -> None:
    """The bot plays meanwhile; the newcomer sees that hand, the one before no more."""
    assert wanted() == []
    hand = engine.load(table).view(1)
    seen_by_bob = api(bob).get(f"/api/matches/{table.slug}/state/").json()
    assert seen_by_bob["view"] == hand
    StandingOrder.objects.create(match=table, seat=1, words="Pass every time")
    assert api(bob).post(f"/api/matches/{table.slug}/give-up/").status_code == 200
    assert not StandingOrder.objects.exists(), "what Bob ordered is not for whoever comes"
    assert wanted() == wanted(bob) == [table.slug]
    row = Seat.objects.get(match=table, number=1)
    assert (row.user, row.resigned_by, row.vacant, row.deadline_at) == (None, bob, True, None)
    assert api(bob).get(f"/api/matches/{table.slug}/state/").json()["view"]["seat"] is None
    notices = Notice.objects.open().filter(match=table.slug)
    assert not notices.filter(person=bob).exists()
    for address in (page_of("table", table), "/play/lobby/running/", "/matches/"):
        page = logged_in(cleo).get(address).content.decode()
        assert "Bob (left)" in page and "Deleted user" not in page, address
    ann_and_cleo = notices.filter(key="replacement", text__startswith="Bob left ")
    assert ann_and_cleo.count() == 2
    bots_play(table)
    taken = api(stranger).post(f"/api/matches/{table.slug}/take-over/", {"seat": 1})
    assert taken.status_code == 200
    assert take(table, stranger, 1), "twice does no harm"
    assert notices.filter(text__contains=" has taken over a seat in ").count() == 2
    assert not notices.filter(key="passed-on", person=stranger).exists()
    row.refresh_from_db()
    assert (row.user, row.substitute_bot, row.resigned_by) == (stranger, "", bob)
    assert table.preset is not None and (
        row.time_bank == table.preset.time_bank or row.prompt is None
    )
    state = api(stranger).get(f"/api/matches/{table.slug}/state/").json()
    assert state["view"]["seat"] == 1
    assert wanted() == []
    played_on = play_on(table)
    assert played_on.status == Status.FINISHED
    assert played_on.moves.filter(seat=1, source=Source.PERSON).exists()


def test_who_may_not_take_it(table: Match, ann: User, bob: User, stranger: User) -> None:
    with pytest.raises(NotOpen):
        take(table, stranger, 1)
    give_up(table, bob)
    for seat in (0, 5):
        with pytest.raises(NotOpen):
            take(table, stranger, seat)
    with pytest.raises(NotPossible):
        take(table, bob, 1)
    with pytest.raises(NotOpen):
        take(table, ann, 1)
    block(user=ann, username="sam", kind=BlockKind.TABLES)
    with pytest.raises(NotOpen):
        take(table, stranger, 1)
    end_block(user=ann, username="sam")
    Match.objects.filter(pk=table.pk).update(rating_from=1600, rating_to=1700)
    with pytest.raises(NotPossible):
        take(table, stranger, 1)
    Match.objects.filter(pk=table.pk).update(rating_from=None, rating_to=None)
    take(table, stranger, 1)
    with pytest.raises(NotOpen):
        take(table, person("Late"), 1)


def test_the_last_one_concedes(table: Match, ann: User, bob: User, cleo: User) -> None:
    give_up(table, bob)
    give_up(table, cleo)
    with pytest.raises(NotPossible):
        give_up(table, ann)


def test_what_it_does_to_ratings(table: Match, bob: User, cleo: User, stranger: User) -> None:
    """It is a loss for whoever gave up, behind all who stayed, and nothing for the newcomer."""
    give_up(table, bob)
    take(table, stranger, 1)
    concede(slug=table.slug, user=cleo)
    match = play_on(table)
    assert match.seats.get(number=1).rank in (1, 2)
    rating.read_match(MatchFinished.objects.get(match=match.slug))
    changes = {row.rating.user_id: row for row in RatingChange.objects.filter(match=match)}
    assert set(changes) == {match.seats.get(number=0).user_id, bob.pk, cleo.pk}
    assert changes[bob.pk].mu == changes[cleo.pk].mu < changes[bob.pk].mu_before
    result = logged_in(None).get(page_of("result", match)).content.decode()
    assert "Seat 2, left" in result
    body = api().get(f"/api/people/{stranger.username}/").json()
    assert body["record"] == [] and body["recent"]


def test_a_guest_who_gave_up_turns_out_to_have_an_account(
    make_match: MakeMatch, ann: User, bob: User, cleo: User, stranger: User
) -> None:
    guest = person("Guest", is_guest=True)
    seats = [SeatPlan(user=user) for user in (ann, guest, cleo)]
    match = make_match(seats=seats, allows_replacements=True)
    give_up(match, guest)
    merge_guest(guest=guest, user=bob)
    assert match.seats.get(number=1).resigned_by == bob


def test_the_pages(table: Match, ann: User, bob: User) -> None:
    browser = logged_in(bob)
    assert "Leave and find a replacement" in browser.get(page_of("table", table)).content.decode()
    for _ in range(2):  # a double click
        assert browser.post(page_of("give-up", table)).url == table.get_absolute_url()
    looking = logged_in(None)
    for path in (PAGE, page_of("table", table)):
        assert "Take over seat 2" in looking.get(path).content.decode()
    assert "Take over" not in logged_in(ann).get(page_of("table", table)).content.decode()
    answer = looking.post(page_of("take-over", table), {"seat": "1"})
    assert answer.url == table.get_absolute_url()
    newcomer = Seat.objects.get(match=table, number=1).user
    assert newcomer is not None and newcomer.is_guest
    assert "Take over" not in logged_in(None).get(PAGE).content.decode()
    late = logged_in(None).post(page_of("take-over", table), {"seat": "1"})
    assert late.status_code == 409 and "may have taken it" in late.content.decode()


def test_who_is_out_leaves_nothing_to_take_over(table: Match, bob: User) -> None:
    """A bot that lost with a seat keeps it no longer."""
    give_up(table, bob)
    while table.status == Status.RUNNING:
        seat = Seat.objects.get(match=table, number=1)
        out = engine.load(table).state.is_out(1)
        assert seat.vacant is not out
        bots_play(table)
        if table.status == Status.RUNNING:
            play_on(table, 1)
    assert wanted() == []
