"""Agreeing on a draw, where the rules know that: offered, agreed, declined, at the same moment."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from core.models import MatchFinished
from matches import engine
from matches.errors import NothingOffered, NotRunning, NotYourSeat
from matches.models import Match, Status
from matches.queries import ratings
from matches.queries.access import access_match
from matches.queries.replay import replay_state
from matches.services import draws, notices
from matches.services.draws import agree_on_draw
from matches.services.play import concede, play_move
from matches.services.repair import first_difference, rebuild_snapshot
from matches.services.setup import SeatPlan
from notices.kinds import Kind
from notices.models import Notice
from tests.matches.conftest import MakeMatch, api, exported

pytestmark = pytest.mark.django_db


@pytest.fixture
def picks(make_match: MakeMatch, together: str) -> Match:
    """Ann against Bob at a game whose rules know an agreed draw; both are asked at once."""
    return make_match(game=together)


def say(match: Match, user: User, word: str) -> Match:
    agree_on_draw(slug=match.slug, user=user, word=word)
    match.refresh_from_db()
    return match


def move(match: Match, user: User, number: int) -> None:
    seat = match.seats.get(user=user)
    assert seat.prompt is not None
    pick = f"pick {number}"
    play_move(slug=match.slug, user=user, prompt_id=seat.prompt, move=pick)
    match.refresh_from_db()


def told(user: User, kind: str = Kind.TABLE_NEEDS_YOU) -> list[str]:
    return [row.text for row in Notice.objects.open().filter(person=user, kind=kind)]


def offering(match: Match) -> list[int]:
    return list(match.seats.filter(wants_draw=True).values_list("number", flat=True))


def test_with_the_last_yes_it_is_a_draw(picks: Match, ann: User, bob: User, stranger: User) -> None:
    move(picks, ann, 1)  # unseen by Bob, and so it stays
    state = picks.state
    assert say(picks, ann, "offer").status == Status.RUNNING
    say(picks, ann, "offer")  # pressed twice
    assert (offering(picks), picks.state, picks.ply) == ([0], state, 1)
    [words] = told(bob)
    assert words.startswith("Ann offers you a draw in Together")
    assert not told(ann)
    assert say(picks, bob, "agree").status == Status.FINISHED
    say(picks, bob, "agree")  # pressed twice
    assert picks.outcome == {"ranking": [[0, 1]], "winners": [], "reason": "agreed"}
    assert not picks.seats.exclude(rank=1).exists()
    assert not offering(picks)
    assert not told(bob)
    finished = MatchFinished.objects.get(match=picks.slug)
    notices.tell_end(finished)
    [words] = told(ann, Kind.MATCH_OVER)
    assert words == "You drew Together against Bob."
    assert [(seat["rank"], seat["stayed"]) for seat in finished.seats] == [(1, True), (1, True)]
    assert picks in ratings.rated_matches()
    row = picks.moves.latest("ply")
    assert (row.seat, row.notation, row.prompt, row.hidden_from) == (1, "draw", None, 0)
    assert [move[1] for move in exported(picks)["moves"]] == ["pick 1", "draw"]
    assert first_difference(picks) is None
    Match.objects.filter(pk=picks.pk).update(state=state)
    picks.refresh_from_db()
    assert rebuild_snapshot(match=picks)
    picks.refresh_from_db()
    assert engine.load(picks).outcome is not None
    access_match_result = access_match(stranger, picks.slug)
    last = replay_state(access_match_result, ply=picks.ply, seat=None)
    assert last.view["outcome"]["reason"] == "agreed"


def test_who_looks_on_learns_of_it_when_it_is_agreed(
    picks: Match, ann: User, bob: User, stranger: User
) -> None:
    def seen(user: User) -> list[Any]:
        return [
            api(user).get(f"/api/matches/{picks.slug}/").json()["seats"],
            api(user).get(f"/api/matches/{picks.slug}/state/").content,
            api(user).get(f"/api/matches/{picks.slug}/events/").content,
        ]

    before = seen(stranger)
    say(picks, ann, "offer")
    assert seen(stranger) == before
    assert [item["wants_draw"] for item in seen(bob)[0]] == [True, False]
    say(picks, bob, "agree")
    assert seen(stranger) != before


def test_declined_taken_back_or_moved_past_it_is_gone(picks: Match, ann: User, bob: User) -> None:
    for who in (ann, bob):
        say(picks, ann, "offer")
        say(picks, who, "decline")
        assert not offering(picks)
        assert not told(bob)
    with pytest.raises(NothingOffered, match="no longer open"):
        say(picks, bob, "agree")
    say(picks, ann, "offer")
    move(picks, ann, 2)
    assert offering(picks) == [0], "one's own move withdraws nothing"
    move(picks, bob, 1)
    assert not offering(picks)
    assert not told(bob)
    with pytest.raises(NothingOffered):
        say(picks, bob, "agree")


def test_a_move_that_somebody_does_not_see_withdraws_nothing(
    picks: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the offer that goes they would learn of the move."""
    say(picks, ann, "offer")
    monkeypatch.setattr(engine, "hidden_from", lambda *_: 0b010)
    move(picks, bob, 1)
    assert offering(picks) == [0]
    assert told(bob)


def test_both_offer_at_the_same_moment(
    picks: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is too late reads again, finds the other's offer, and that is both their wish."""
    store = draws.store_words
    others = [bob]

    def slowly(*args: Any, **more: Any) -> None:
        if others:
            say(picks, others.pop(), "offer")
        store(*args, **more)

    monkeypatch.setattr(draws, "store_words", slowly)
    agree_on_draw(slug=picks.slug, user=ann, word="offer")
    picks.refresh_from_db()
    assert (picks.status, picks.reason) == (Status.FINISHED, "agreed")
    assert [row.notation for row in picks.moves.all()] == ["draw"]
    assert MatchFinished.objects.filter(match=picks.slug).count() == 1


def test_only_where_the_rules_know_it_and_people_play(
    picks: Match,
    match: Match,
    make_match: MakeMatch,
    together: str,
    ann: User,
    bob: User,
    stranger: User,
) -> None:
    with pytest.raises(NotYourSeat):
        say(picks, stranger, "offer")
    with pytest.raises(NothingOffered, match="has no draws by agreement"):
        say(match, ann, "offer")
    three = make_match(
        game=together, seats=[SeatPlan(user=ann), SeatPlan(user=bob), SeatPlan(user=stranger)]
    )
    three.seats.filter(number=2).update(substitute_bot="random")
    with pytest.raises(NothingOffered, match="offer a draw to a bot"):
        say(three, ann, "offer")
    concede(slug=three.slug, user=stranger)
    say(three, ann, "offer")
    assert say(three, bob, "agree").outcome == {
        "ranking": [[0, 1], [2]],
        "winners": [],
        "reason": "agreed",
    }
    concede(slug=picks.slug, user=ann)
    with pytest.raises(NotRunning):
        say(picks, bob, "agree")


def test_by_programs(picks: Match, ann: User, bob: User) -> None:
    program = f"/api/matches/{picks.slug}/draw/"
    assert api(ann).post(program, format="json").status_code == 200, "to offer goes without saying"
    assert api(bob).post(program, {"word": "perhaps"}, format="json").status_code == 400
    agreed = api(bob).post(program, {"word": "agree"}, format="json")
    assert (agreed.status_code, agreed.json()["status"]) == (200, "finished")
