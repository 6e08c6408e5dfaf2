"""Ratings: OpenSkill's numbers, which follow from the rated matches and from nothing else."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import timezone
from openskill.models import PlackettLuce

from accounts.models import User
from accounts.services.guests import create_guest, merge_guest
from core import outbox
from core.models import MatchFinished
from matches.errors import NotPossible
from matches.models import Ladder, Match, Rating, RatingChange, Seat, Status, TimeControl, Unrated
from matches.queries import people, ratings
from matches.queries.ratings import FinalRank, Strength, after_match
from matches.services import ratings as services
from matches.services import tallies
from matches.services.play import concede
from matches.services.quick_match import quick_match
from matches.services.rematch import rematch
from matches.services.setup import SeatPlan
from matches.templatetags.people import rating_curve
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, api, person, play_on
from tests.matches.test_pages import logged_in

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
_slugs = (f"over{number}" for number in itertools.count())


def over(
    seats: Sequence[User | str],
    places: Sequence[int],
    *,
    at: datetime = NOON,
    left: Sequence[int] = (),
    **more: Any,
) -> Match:
    """A finished match, with the row that announces it."""
    match = Match.objects.create(
        slug=next(_slugs),
        **{"game": GAME, "mode": "match", "rules_version": "1", "status": Status.FINISHED}
        | {
            "state": {},
            "outcome": {"ranking": [[0]], "winners": [0], "reason": "end"},
            "started_at": at,
            "finished_at": at,
        }
        | more,
    )
    final = []
    for number, (who, rank) in enumerate(zip(seats, places, strict=True)):
        user, bot = (who, "") if isinstance(who, User) else (None, who)
        kind = "bot" if bot else "person"
        result = "drawn" if set(places) == {1} else "won" if rank == 1 else "lost"
        about = {"kind": kind, "user": user, "bot": bot, "rank": rank, "result": result}
        Seat.objects.create(match=match, number=number, finished_at=match.finished_at, **about)
        stayed = number not in left
        final.append(outbox.FinalSeat(user=user and user.pk, bot=bot, rank=rank, stayed=stayed))
    outbox.match_finished(match=match.slug, game=GAME, mode=match.mode, seats=final, at=at)
    return match


def read(*matches: Match) -> None:
    for match in matches:
        finished = MatchFinished.objects.get(match=match.slug)
        services.read_match(finished)
        tallies.read_match(finished)


def everything() -> list[tuple[Any, ...]]:
    """Everything stored of ratings except the keys of rows."""
    changes = RatingChange.objects.order_by("match__slug", "seat").values_list(
        "match__slug", "seat", "rating__user", "rating__bot", "mu_before", "sigma_before", "mu"
    )
    rows = Rating.objects.order_by("ladder__speed", "user", "bot").values_list(
        "ladder__speed", "user", "bot", "mu", "sigma", "matches", "at", "settled_until"
    )
    return [*changes, *rows]


def test_the_numbers_are_openskill_s() -> None:
    model = PlackettLuce()
    strengths = [Strength(25.0, 25 / 3), Strength(31.5, 4.2), Strength(20.25, 6.0), Strength()]
    before = [[model.create_rating([strength.mu, strength.sigma])] for strength in strengths]
    for places, left, ranks in (
        ([1, 2, 3, 4], (), [0, 1, 2, 3]),
        ([1, 1, 3, 3], (), [0, 0, 2, 2]),
        ([2, 1, 4, 2], (), [1, 0, 2, 1]),
        ([1, 2, 3, 3], (0,), [3, 1, 2, 2]),  # whoever gives up stands behind all who stayed
        ([1, 2, 3, 3], (0, 2), [2, 0, 3, 1]),
    ):
        expected = [(team[0].mu, team[0].sigma) for team in model.rate(before, ranks=ranks)]
        rows = [FinalRank(place, number not in left) for number, place in enumerate(places)]
        assert [item[:2] for item in after_match(strengths, rows)] == expected, (places, left)
    won, lost = after_match([Strength()] * 2, [FinalRank(1), FinalRank(2)])
    assert [ratings.shown(item.mu) for item in (Strength(), won, lost)] == [1500, 1605, 1395]
    assert [ratings.margin(item.sigma) for item in (Strength(), won)] == [333, 323]


def test_teams_are_rated_as_teams() -> None:
    """Partners are no rivals, and whoever leaves takes no partner along."""
    model = PlackettLuce()
    strengths = [Strength(25.0, 25 / 3), Strength(31.5, 4.2), Strength(20.25, 6.0), Strength()]
    rows = [model.create_rating([strength.mu, strength.sigma]) for strength in strengths]
    teams = [[rows[0], rows[2]], [rows[1], rows[3]]]

    def expected(ranks: list[float]) -> list[tuple[float, float]]:
        (a, c), (b, d) = model.rate(teams, ranks=ranks)
        return [(rating.mu, rating.sigma) for rating in (a, b, c, d)]

    won = [FinalRank(1), FinalRank(2), FinalRank(1), FinalRank(2)]
    assert [row[:2] for row in after_match(strengths, won, 2)] == expected([0, 1])
    left = [FinalRank(4, stayed=False), *won[1:]]  # a bot won for who left
    after = [row[:2] for row in after_match(strengths, left, 2)]
    assert after == [expected([1, 0])[0], *expected([0, 1])[1:]]


def test_absence_makes_unsure() -> None:
    settled = Strength(30.0, 4.0, NOON)
    assert settled.after_absence(NOON) == settled
    assert settled.after_absence(NOON + timedelta(365)).sigma == pytest.approx(5.0)
    assert settled.after_absence(NOON + timedelta(36500)).sigma == ratings.SIGMA
    assert settled.after_absence(NOON + timedelta(365)).mu == 30.0
    sure = Strength(30.0, 3.0, NOON)
    assert sure.settled_until is not None and settled.settled_until is None
    assert sure.after_absence(sure.settled_until).sigma == pytest.approx(4.0)


@pytest.mark.django_db
def test_a_match_that_is_played_is_rated_once(
    match: Match, ann: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        play_on(match)
    winner = match.seats.get(rank=1).user
    assert winner is not None
    assert dict(Rating.objects.values_list("user", "matches")) == {ann.pk: 1, bob.pk: 1}
    assert Rating.objects.order_by("-mu").first() == Rating.objects.get(user=winner)
    before = everything()
    read(match, match)
    assert everything() == before
    rating_changes = api().get(f"/api/matches/{match.slug}/result/").json()["rating_changes"]
    ranks = dict(match.seats.values_list("number", "rank"))
    assert {item["seat"]: item["after"] for item in rating_changes} == {
        seat: 1605 if rank == 1 else 1395 for seat, rank in ranks.items()
    }


@pytest.mark.django_db
@pytest.mark.slow
def test_the_order_of_reading_and_computing_again_change_nothing(
    ann: User, bob: User, stranger: User
) -> None:
    people_, days = [ann, bob, stranger, "greedy", "random"], itertools.count()
    matches = []
    for item, other in itertools.permutations(people_, 2):
        at = NOON + timedelta(days=next(days) // 3 * 20)  # some end at the same moment
        matches.append(over([item, other], [1, 2], at=at))
        matches.append(over([other, item, "greedy"], [1, 1, 3], at=at, left=[0]))
    matches.append(over([ann, bob], [2, 1], at=NOON, time_control=TimeControl.LIVE))
    read(*matches)
    in_order = everything()
    assert {speed for speed, *_ in in_order if speed in ("live", "web")} == {"live", "web"}
    Ladder.objects.all().delete()
    read(*reversed(matches))
    assert everything() == in_order
    assert [services.recompute(ladder) for ladder in services.all_ladders()] == [0, 0]
    RatingChange.objects.filter(rating__user=bob).update(mu=F("mu") + 1)
    Rating.objects.filter(bot="greedy").delete()
    call_command("recompute_ratings")
    assert everything() == in_order
    Ladder.objects.all().delete()
    call_command("recompute_ratings")
    assert everything() == in_order


@pytest.mark.django_db
def test_many_matches_are_computed_step_by_step(
    ann: User, bob: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = itertools.cycle(itertools.permutations([ann, bob, stranger], 2))
    matches = [over(next(pairs), [1, 2], at=NOON + timedelta(n)) for n in range(14)]
    call_command("recompute_ratings")
    at_once = everything()
    Ladder.objects.all().delete()
    monkeypatch.setattr(services, "BATCH_SIZE", 3)
    read(matches[0])
    assert everything() == at_once and len(at_once) == 31
    matches[2].delete()
    call_command("recompute_ratings")
    assert len(everything()) == 29 and everything() != at_once


@pytest.mark.django_db
def test_a_night_computes_two_months_and_each_has_its_turn(
    ann: User, bob: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = itertools.cycle(itertools.permutations([ann, bob, stranger], 2))
    matches = [over(next(pairs), [1, 2], at=NOON + 10 * timedelta(n)) for n in range(15)]
    read(matches[0])
    right, (ladder,) = everything(), Ladder.objects.all()
    computed: list[int] = []
    real = services._next_matches

    def next_matches(*args: Any) -> list[Match]:
        rows = real(*args)
        computed.extend(row.pk for row in rows)
        return rows

    monkeypatch.setattr(services, "_next_matches", next_matches)
    monkeypatch.setattr(services, "BATCH_SIZE", 2)
    nights = [NOON + timedelta(145 + n) for n in range(4)]
    shares = []
    for night in nights:
        computed.clear()
        assert services.recompute_months(ladder, night) == 0
        shares.append(set(computed))
    assert all(len(share) < 10 for share in shares)
    assert set.union(*shares) == {match.pk for match in matches}
    RatingChange.objects.filter(match=matches[1]).update(mu=F("mu") + 1)
    assert sum([services.recompute_months(ladder, night) for night in nights]) > 0
    assert everything() == right


@pytest.mark.django_db
def test_each_rating_has_a_curve_of_its_own(
    ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "CURVE", 2)
    live = over([ann, bob], [1, 2], at=NOON, time_control=TimeControl.LIVE)
    read(live, *(over([ann, bob], [1, 2], at=NOON + timedelta(n)) for n in range(1, 7)))
    curves = {row.now.speed: row.points for row in people._ratings(ann)}
    assert [len(curves[speed]) for speed in ("live", "web")] == [1, 2]
    assert curves["web"][-1].at == NOON + timedelta(6)


@pytest.mark.django_db
def test_a_match_s_end_counts_on_and_does_not_read_all_matches_of_a_bot(ann: User) -> None:
    read(over([ann, "greedy"], [1, 2]))
    Rating.objects.filter(bot="greedy").update(matches=50_000)
    read(over([ann, "greedy"], [2, 1], at=NOON + timedelta(1)))
    assert Rating.objects.get(bot="greedy").matches == 50_001
    call_command("recompute_ratings")
    assert Rating.objects.get(bot="greedy").matches == 2


@pytest.mark.django_db
def test_bots_are_placed_and_people_are_not_rated_against_them(ann: User, bob: User) -> None:
    read(over([ann, bob], [1, 2]))
    before = Rating.objects.get(user=ann).mu
    read(over([ann, "greedy"], [1, 2], at=NOON + timedelta(1)))
    assert Rating.objects.get(user=ann).mu == before
    (lost,) = RatingChange.objects.filter(rating__bot="greedy")
    (_, expected) = after_match(
        [Strength(before, Rating.objects.get(user=ann).sigma, NOON).after_absence(lost.at)]
        + [Strength()],
        [FinalRank(1), FinalRank(2)],
    )
    assert (lost.mu, lost.sigma) == expected[:2]
    read(over(["random", "random"], [1, 2], at=NOON))
    assert not Rating.objects.filter(bot="random").exists()
    read(over([ann, "random", "random"], [2, 1, 3], at=NOON))
    random = Rating.objects.get(bot="random")
    assert random.matches == 1 and random.mu == pytest.approx(25.0, abs=1.5)


@pytest.mark.django_db
def test_what_is_not_rated(ann: User, bob: User) -> None:
    for match, why in (
        (over([ann, bob], [1, 2], private=True), "Private"),
        (over([ann], [1]), "alone"),
        (over([ann, "greedy"], [1, 2], private=True), "Private"),
    ):
        read(match)
        assert why in ratings.why_unrated(match)
    assert not Rating.objects.exists() and services.all_ladders() == []
    assert ratings.why_unrated(over([ann, bob], [1, 2])) == ""


@pytest.mark.django_db
def test_matches_with_guests_rate_nobody(
    make_match: MakeMatch, bob: User, ann: User, django_capture_on_commit_callbacks: Any
) -> None:
    guest = create_guest(address="192.0.2.1")
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=guest)])
    assert "guests" in ratings.why_unrated(match)
    table = logged_in(ann).get(f"/matches/{match.slug}/").content.decode()
    assert "Matches with guests are not rated." in table and ">casual<" in table
    with django_capture_on_commit_callbacks(execute=True):
        play_on(match)
        merge_guest(guest=guest, user=bob)
    match.refresh_from_db()
    assert match.unrated == Unrated.GUEST and "guests" in ratings.why_unrated(match)
    assert not Rating.objects.exists() and services.all_ladders() == []


@pytest.mark.django_db
def test_a_guest_who_signs_up_before_the_end_is_rated(
    make_match: MakeMatch, ann: User, django_capture_on_commit_callbacks: Any
) -> None:
    guest = create_guest(address="192.0.2.1")
    match = make_match(seats=[SeatPlan(user=ann), SeatPlan(user=guest)])
    User.objects.filter(pk=guest.pk).update(is_guest=False)
    with django_capture_on_commit_callbacks(execute=True):
        play_on(match)
    assert Rating.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(("answers", "rated"), [(1, False), (2, True)])
def test_conceding_before_the_second_answer_rates_nobody(
    match: Match, answers: int, rated: bool, django_capture_on_commit_callbacks: Any
) -> None:
    while match.moves.filter(seat=0).count() < answers:
        play_on(match, 1)
    user = match.seats.get(number=0).user
    assert user is not None
    with django_capture_on_commit_callbacks(execute=True):
        concede(slug=match.slug, user=user)
    match.refresh_from_db()
    assert match.unrated == ("" if rated else Unrated.EARLY)
    assert Rating.objects.exists() == rated
    assert bool(MatchFinished.objects.get().who_stayed) == rated  # who gets a pack


@pytest.mark.django_db
def test_rated_or_casual_is_chosen_and_shown(
    make_match: MakeMatch, ann: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    match = make_match(rated=False)
    assert "Casual" in ratings.why_unrated(match)
    with django_capture_on_commit_callbacks(execute=True):
        play_on(match)
    assert not Rating.objects.exists()
    assert "Casual, as chosen" in api().get(f"/matches/{match.slug}/result/").content.decode()
    assert api().get(f"/api/matches/{match.slug}/").json()["unrated"] == "casual"
    assert rematch(slug=match.slug, user=ann).unrated == Unrated.CASUAL
    seats = [SeatPlan(user=ann), SeatPlan("open")]
    waiting = make_match(seats=seats, rated=False, listed=True)
    (entry,) = api(bob).get("/api/lobby/").json()["results"]
    assert (entry["slug"], entry["rated"]) == (waiting.slug, False)
    assert quick_match(user=bob, game=GAME, mode="match", time_control="steady") != waiting
    with pytest.raises(NotPossible, match="Casual"):
        make_match(seats=seats, rated=False, rating_within=100)
    assert ">rated<" in logged_in(ann).get(f"/matches/{make_match().slug}/").content.decode()


@pytest.fixture
def settled(ann: User, bob: User) -> list[User]:
    """People whose ratings are on the board: Ann wins against Bob more often than not."""
    matches = [
        over([ann, bob], [1, 2] if n % 3 else [2, 1], at=NOON + timedelta(hours=n))
        for n in range(37)
    ]
    others = [person(f"P{number}") for number in range(3)]
    matches += [
        over([who, other], [1, 2], at=NOON + timedelta(hours=37 + number, minutes=after))
        for number, other in enumerate(others)
        for after, who in enumerate((bob, ann))
    ]
    read(matches[0])
    return [ann, bob]


@pytest.mark.django_db
def test_the_board(settled: list[User], stranger: User, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = settled[0]
    read(over([stranger, ann], [1, 2], at=NOON + timedelta(2)))
    now = NOON + timedelta(3)
    monkeypatch.setattr(people.timezone, "now", lambda: now)
    url = f"/api/ratings/{GAME}/match/"
    rows = api().get(url).json()["results"]
    assert [(row["rank"], row["username"]) for row in rows] == [(1, "ann"), (2, "bob")]
    assert all(row["margin"] < 160 and not row["provisional"] for row in rows)
    assert Rating.objects.get(user=ann).opponents == ratings.MIN_OPPONENTS, "counted no further"
    Rating.objects.filter(user=ann).update(opponents=ratings.MIN_OPPONENTS - 1)
    assert [row["username"] for row in api().get(url).json()["results"]] == ["bob"]
    Rating.objects.filter(user=ann).update(opponents=ratings.MIN_OPPONENTS)
    assert api().get(url, {"speed": "live"}).json()["results"] == []
    User.objects.filter(pk=ann.pk).update(shows_record=False)
    assert [row["rank"] for row in api().get(url).json()["results"]] == [1]
    monkeypatch.setattr(people.timezone, "now", lambda: now + timedelta(3650))
    assert api().get(url).json()["results"] == []
    refused = api().get(f"/api/ratings/{GAME}/nothing/")
    assert refused.status_code == 404 and refused.json()["status"] == 404
    assert api().get("/api/ratings/nothing/match/").status_code == 404
    assert api().get(url, {"speed": "warp"}).status_code == 400


@pytest.mark.django_db
def test_ranks_go_on_over_pages_and_equal_ratings_share_one(settled: list[User]) -> None:
    now = timezone.now()
    ladder = Rating.objects.all()[0].ladder
    Rating.objects.all().delete()
    strengths = (30.0, 29.0, 29.0, 29.0, 28.0, 28.0, 27.0)
    for number, mu in enumerate(strengths):
        Rating.objects.create(
            ladder=ladder,
            user=User.objects.create_user(f"ranked-{number}"),
            mu=mu,
            sigma=1,
            matches=ratings.MIN_MATCHES,
            opponents=ratings.MIN_OPPONENTS,
            at=now,
            settled_until=now + timedelta(1),
        )
    rows = list(people.board(ladder.game, ladder.mode, ladder.speed))
    pages = [[row.rank for row in people.board_shown(rows[n : n + 2])] for n in (0, 2, 4, 6)]
    assert pages == [[1, 2], [2, 2], [5, 5], [7]]
    assert people.board_shown([]) == []


@pytest.mark.django_db
def test_the_choice_of_an_opponent_says_a_bot_s_place(ann: User) -> None:
    ladder = Ladder.objects.create(game=GAME, mode="match", speed="live")
    standing = {"ladder": ladder, "sigma": 1.0, "matches": 50, "at": timezone.now()}
    until = timezone.now() + timedelta(days=9)
    for bot, mu in (("greedy", 31.0), ("random", 19.0)):
        Rating.objects.create(bot=bot, mu=mu, settled_until=until, **standing)
    assert people.bot_places(GAME, "match") == {"greedy": "1st (Live)", "random": "2nd (Live)"}
    page = logged_in(ann).get(f"/play/?game={GAME}&mode=match").content.decode()
    assert "plays at random, leaderboard: 2nd (Live)</option>" in page


@pytest.mark.django_db
def test_bots_at_a_real_table(
    make_match: MakeMatch, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        make_match(seats=[SeatPlan("bot", bot="greedy"), SeatPlan("bot", bot="random")])
    assert set(Rating.objects.values_list("bot", "matches")) == {("greedy", 1), ("random", 1)}


@pytest.mark.django_db
def test_the_curve_and_who_may_see_it(settled: list[User], bob: User) -> None:
    history = people.person_shown(bob, settled[0]).ratings
    assert history is not None and len(history[0].points) == 40
    single = dataclasses.replace(history[0], points=history[0].points[-1:])
    assert "curve-dot" in render_to_string("matches/curve.html", rating_curve(single, "Match"))
    assert history[0].points[-1].rating == history[0].now.rating
    User.objects.filter(pk=settled[0].pk).update(shows_record=False)
    hidden = person("Somebody")
    settled[0].refresh_from_db()
    assert people.person_shown(hidden, settled[0]).ratings is None
    assert people.person_shown(settled[0], settled[0]).ratings is not None
    last = Match.objects.order_by("-finished_at").first()
    assert last is not None
    assert [rating_change.seat for rating_change in people.rating_changes(hidden, last)] == [1]
    assert [rating_change.seat for rating_change in people.rating_changes(settled[0], last)] == [
        0,
        1,
    ]
