"""Series: their length, each next match made once, the standing, the end, and who is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import BlockKind, User
from accounts.services.blocks import block
from core import outbox
from core.models import UnreadMatch
from matches.errors import NotOpen, NotPossible
from matches.models import Match, SeatKind, Series, SeriesTerms, Status
from matches.queries.series import standing
from matches.services import series
from matches.services.cancelling import cancel_match
from matches.services.play import concede
from matches.services.quick_match import quick_match as find_quick_match
from matches.services.rematch import rematch
from matches.services.setup import SeatPlan, join_match, leave_match
from notices.kinds import Kind
from notices.models import Notice
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, api
from tests.matches.test_pages import NEW, logged_in

BEST_OF_THREE = SeriesTerms(first_to=2)


@pytest.fixture
def first(make_match: MakeMatch) -> Match:
    """The first match of a series, Ann in seat 0."""
    return make_match(series=BEST_OF_THREE)


def read_all() -> None:
    """The work of the workers after a match."""
    for pk in UnreadMatch.objects.values_list("pk", flat=True):
        outbox.read(pk)


def lose(match: Match, user: User) -> Match | None:
    """End a match and let the workers read it; gives the match after it."""
    concede(slug=match.slug, user=user)
    read_all()
    return Match.objects.filter(rematch_of=match).first()


def words(user: User, kind: str) -> list[str]:
    return [row.text for row in Notice.objects.open().filter(person=user, kind=kind)]


class TestLength:
    @given(
        terms=st.one_of(
            st.builds(SeriesTerms, matches=st.integers(2, 20)),
            st.builds(SeriesTerms, first_to=st.integers(2, 10)),
        ),
        winners=st.lists(st.sampled_from((0, 1, None)), min_size=20, max_size=20),
    )
    def test_it_ends_as_soon_as_nothing_can_change_it(
        self, terms: SeriesTerms, winners: list[int | None]
    ) -> None:
        wins, played = [0, 0], 0
        while not terms.is_decided(wins, played):
            winner = winners[played]
            played += 1
            if winner is not None:
                wins[winner] += 1
        left = terms.limit - played
        assert left >= 0
        lead = wins[0] - wins[1]
        if terms.first_to is None:  # whatever came after, the sign of the lead stays
            assert left == 0 or (abs(lead) > left and abs(lead) - 1 <= left + 1)
        else:
            assert max(wins) <= terms.first_to
            assert max(wins) == terms.first_to or abs(lead) > left or left == 0

    @pytest.mark.parametrize(
        ("terms", "wins", "played", "decided"),
        [
            (SeriesTerms(matches=2), (1, 0), 1, False),
            (SeriesTerms(matches=3), (2, 0), 2, True),
            (SeriesTerms(matches=4), (2, 0), 2, False),
            (SeriesTerms(matches=4), (1, 1), 4, True),
            (SeriesTerms(first_to=2), (1, 1), 4, False),
            (SeriesTerms(first_to=2), (1, 2), 5, True),
            (SeriesTerms(first_to=2), (0, 0), 20, True),
        ],
    )
    def test_examples(
        self, terms: SeriesTerms, wins: tuple[int, int], played: int, decided: bool
    ) -> None:
        assert terms.is_decided(wins, played) is decided


@pytest.mark.django_db
class TestGoingOn:
    def test_a_best_of_three(self, first: Match, ann: User, bob: User) -> None:
        second = lose(first, bob)
        assert second is not None
        assert second.status == Status.RUNNING
        assert [seat.user for seat in second.seats.order_by("number")] == [bob, ann]
        assert bytes(second.server_seed) != bytes(first.server_seed), "shuffles of its own"
        third = lose(second, ann)
        assert third is not None
        assert (third.series_number, third.seats_swapped) == (3, False)
        assert lose(third, bob) is None, "Ann has won twice"
        row = Series.objects.get()
        assert row.ended_at is not None
        assert standing(row.pk).wins == (2, 1)
        assert Match.objects.count() == 3

    def test_it_ends_early(self, first: Match, bob: User) -> None:
        second = lose(first, bob)
        assert second is not None
        assert lose(second, bob) is None
        assert Series.objects.get().ended_at is not None

    def test_the_next_match_is_made_once(self, first: Match, ann: User, bob: User) -> None:
        concede(slug=first.slug, user=bob)
        pressed = [rematch(slug=first.slug, user=user) for user in (ann, bob, ann)]
        read_all()
        row = Series.objects.get()
        assert series.go_on(series_id=row.pk) is None, "it is being played"
        assert {match.pk for match in pressed} == {Match.objects.get(rematch_of=first).pk}
        assert Match.objects.filter(series=row).count() == 2

    def test_decks_go_with_their_players(self, make_match: MakeMatch, bob: User) -> None:
        first = make_match(mode="tournament", options={}, series=BEST_OF_THREE)
        second = lose(first, bob)
        assert second is not None
        before, after = (
            {seat.user_id: seat.deck for seat in match.seats.all()} for match in (first, second)
        )
        assert before == after

    def test_against_a_bot(self, make_match: MakeMatch, ann: User) -> None:
        seats = [SeatPlan(user=ann), SeatPlan(SeatKind.BOT)]
        first = make_match(seats=seats, series=SeriesTerms(matches=2))
        second = lose(first, ann)
        assert second is not None
        assert [seat.kind for seat in second.seats.order_by("number")] == ["bot", "person"]

    @pytest.mark.parametrize("why", ["closed", "blocked"])
    def test_a_closed_account_or_a_block_stops_it(
        self, first: Match, ann: User, bob: User, why: str
    ) -> None:
        if why == "closed":
            User.objects.filter(pk=bob.pk).update(is_active=False)
        else:
            block(user=ann, username=bob.username, kind=BlockKind.TABLES)
        assert lose(first, ann) is None
        assert Series.objects.get().ended_at is not None

    def test_a_cancelled_match_stops_it(self, first: Match, ann: User, bob: User) -> None:
        second = lose(first, bob)
        assert second is not None
        cancel_match(slug=second.slug, user=bob)
        second.refresh_from_db()
        assert second.status == Status.RUNNING, "whoever is behind cannot cancel it alone"
        cancel_match(slug=second.slug, user=ann)
        second.refresh_from_db()
        assert second.status == Status.CANCELLED
        other = rematch(slug=first.slug, user=ann, seats="keep")
        assert other.status == Status.OPEN, "another one can be asked for"
        assert Series.objects.get().ended_at is not None

    @pytest.mark.parametrize(
        ("terms", "why"),
        [
            (SeriesTerms(), "not both"),
            (SeriesTerms(matches=3, first_to=2), "not both"),
            (SeriesTerms(matches=21), "2 to 20 matches"),
            (SeriesTerms(first_to=11), "wins needed are 2 to 10"),
        ],
    )
    def test_impossible_lengths(self, make_match: MakeMatch, terms: SeriesTerms, why: str) -> None:
        with pytest.raises(NotPossible, match=why):
            make_match(series=terms)
        assert not Match.objects.exists()

    def test_bots_alone(self, make_match: MakeMatch) -> None:
        seats = [SeatPlan(SeatKind.BOT), SeatPlan(SeatKind.BOT)]
        with pytest.raises(NotPossible, match="needs a person"):
            make_match(seats=seats, series=BEST_OF_THREE)

    def test_three_seats(self, make_match: MakeMatch, ann: User) -> None:
        seats = [SeatPlan(user=ann), SeatPlan(SeatKind.BOT), SeatPlan(SeatKind.BOT)]
        with pytest.raises(NotPossible, match="two players"):
            make_match(seats=seats, series=BEST_OF_THREE)


@pytest.mark.django_db
class TestAgreeing:
    def test_by_joining(self, make_match: MakeMatch, ann: User, bob: User) -> None:
        match = make_match(seats=[SeatPlan(user=ann), SeatPlan("open")], series=BEST_OF_THREE)
        join_match(match=match, user=bob)
        assert lose(match, bob) is not None

    def test_the_lobby_says_so_and_quick_match_keeps_away(
        self, make_match: MakeMatch, ann: User, bob: User
    ) -> None:
        seats = [SeatPlan(user=ann), SeatPlan("open")]
        table = make_match(seats=seats, series=BEST_OF_THREE, listed=True, options={})
        page = text(logged_in(bob).get(f"/play/lobby/?game={GAME}"))
        assert "Series: First to 2 wins" in page
        (body,) = api(bob).get("/api/lobby/").json()["results"]
        assert body["series"] == {"matches": None, "first_to": 2}
        match = find_quick_match(user=bob, game=GAME, mode="match", time_control="steady")
        assert match != table

    def test_after_a_match_by_accepting_the_rematch(
        self, match: Match, ann: User, bob: User
    ) -> None:
        concede(slug=match.slug, user=bob)
        offered = rematch(slug=match.slug, user=ann, terms=SeriesTerms(matches=2))
        assert offered.series_number == 1
        assert rematch(slug=match.slug, user=bob) == offered
        second = lose(offered, bob)
        assert second is not None
        assert second.series == offered.series

    def test_a_declined_offer_leaves_nothing(self, match: Match, ann: User, bob: User) -> None:
        concede(slug=match.slug, user=bob)
        offered = rematch(slug=match.slug, user=ann, terms=BEST_OF_THREE)
        leave_match(match=offered, user=ann)
        assert Series.objects.get().ended_at is not None
        with pytest.raises(NotOpen):
            join_match(match=offered, user=bob)
        assert rematch(slug=match.slug, user=bob).series is None


@pytest.mark.django_db
def test_notices_speak_of_it(first: Match, ann: User, bob: User) -> None:
    second = lose(first, bob)
    assert second is not None
    [over] = words(ann, Kind.MATCH_OVER)
    assert over.startswith("You won ")
    assert over.endswith(". Match 1 of a series, first to 2 wins. You lead the series 1–0.")
    [begun] = words(bob, Kind.TABLE_BEGAN)
    assert begun.endswith(
        "has started. Match 2 of a series, first to 2 wins. Ann leads the series 1–0."
    )
    lose(second, bob)
    assert words(ann, Kind.MATCH_OVER)[-1].endswith("You won the series 2–0.") or words(
        ann, Kind.MATCH_OVER
    )[0].endswith("You won the series 2–0.")


@pytest.mark.django_db
def test_by_programs(ann: User, bob: User, stranger: User) -> None:
    body: dict[str, Any] = {
        "game": GAME,
        "mode": "match",
        "seats": [{"kind": "person"}, {"kind": "open", "invite": bob.username}],
        "series": {"first_to": 2},
    }
    created = api(ann).post("/api/matches/", body, format="json")
    assert created.status_code == 201, created.json()
    slug = created.json()["slug"]
    assert api(bob).post(f"/api/matches/{slug}/join/", {}, format="json").status_code == 200
    concede(slug=slug, user=bob)
    nxt = api(bob).post(f"/api/matches/{slug}/rematch/", {}, format="json").json()["slug"]
    answer = api(stranger).get(f"/api/matches/{nxt}/series/").json()
    assert answer["terms"] == {"matches": None, "first_to": 2}
    assert (answer["players"], answer["wins"]) == (["Ann", "Bob"], [1, 0])
    assert [row["slug"] for row in answer["matches"]] == [slug, nxt]
    assert [row["winner"] for row in answer["matches"]] == [0, None]
    assert (answer["over"], answer["winner"]) == (False, None)
    refused = api(ann).post("/api/matches/", body | {"series": {"first_to": 1}}, format="json")
    assert refused.status_code == 400
    unknown = api(ann).post("/api/matches/", body | {"series": {"wins": 3}}, format="json")
    assert unknown.status_code == 422
    single = api(ann).post("/api/matches/", body | {"series": {}}, format="json")
    assert (single.status_code, single.json()["detail"]) == (
        422,
        "Choose a number of matches, or the wins needed, not both.",
    )


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


@pytest.mark.django_db
def test_by_pages(ann: User, bob: User) -> None:
    page = logged_in(ann)
    who = {"seat_1": "person", "name_1": "bob", "seat_2": "", "series": "first-to-2"}
    address = page.post("/play/", NEW | who).url
    assert "First to 2 wins" in logged_in(bob).get(address, follow=True).content.decode()
    first = Match.objects.get()
    join_match(match=first, user=bob)
    assert "match 1 of the series, 0–0" in text(page.get(address))
    concede(slug=first.slug, user=bob)
    result = f"/matches/{first.slug}/result/"
    body = page.get(result).content.decode()
    assert "You lead the series 1–0." in body
    assert "Play match 2" in body, "nobody has to wait for the workers"
    second = page.post(f"/matches/{first.slug}/rematch/").url
    assert "Go to match 2" in logged_in(bob).get(result).content.decode()
    assert "match 2 of the series, 0–1" in text(logged_in(bob).get(second))
    concede(slug=Match.objects.get(rematch_of=first).slug, user=bob)
    body = page.get(f"{second}result/").content.decode()
    assert "You won the series 2–0." in body
    assert '<option value="first-to-2" selected>' in body, "one press plays another one"
    offer = page.post(f"{second}rematch/", {"series": "matches-4"}).url
    body = logged_in(bob).get(f"{second}result/").content.decode()
    assert "Accept rematch with Ann" in body
    assert "4 matches" in body
    assert f"{offer}decline/" in body
    assert page.post(f"{second}rematch/", {"series": "matches-40"}, follow=True).status_code != 200
