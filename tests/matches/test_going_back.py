"""Going back to the start of a turn: by everybody's yes, while no chance was drawn, unrated."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from matches import engine
from matches.errors import NothingOffered, NothingToTakeBack, NotYourSeat
from matches.models import Match, Status
from matches.queries import ratings
from matches.queries.access import access_match
from matches.queries.replay import replay_state
from matches.services import taking_back
from matches.services.bots import run_bots
from matches.services.going_back import go_back
from matches.services.play import play_move
from matches.services.repair import first_difference, rebuild_snapshot
from matches.services.setup import MatchSetup, SeatPlan, create_match
from notices.kinds import Kind
from notices.models import Notice
from tests.matches.conftest import MakeMatch, api, asked, exported, play_on
from tests.matches.test_pages import logged_in
from tests.matches.test_silence import Evening, fight
from tests.matches.test_take_back import answer, standing

pytestmark = pytest.mark.django_db


def went_on(match: Match) -> tuple[User, int, Any]:
    """Play until somebody could go back over several answers; gives who, how far, and to what."""
    stood = {match.ply: standing(match)}
    for _ in range(300):
        user, _ = answer(match)
        if match.status != Status.RUNNING:
            break
        stood[match.ply] = standing(match)
        goal = offered(match, user)
        if goal is not None and match.ply - goal > 1:
            return user, goal, stood[goal]
    pytest.fail("Nobody could ever go back over two answers.")


def offered(match: Match, user: User) -> int | None:
    """Offer it; the ply to which it would go, None if that was refused."""
    try:
        go_back(slug=match.slug, user=user, word="offer")
    except NothingToTakeBack:
        return None
    match.refresh_from_db()
    goal: int = match.seats.get(user=user).wants_takeback
    return goal


def other_than(match: Match, user: User) -> User:
    user_result = match.seats.exclude(user=user).get().user
    assert user_result is not None
    return user_result


def told(user: User) -> list[str]:
    """A person's notifications about offers."""
    rows = Notice.objects.open().filter(person=user, kind=Kind.TABLE_NEEDS_YOU)
    return [row.text for row in rows]


def say(match: Match, user: User, word: str) -> Match:
    go_back(slug=match.slug, user=user, word=word)
    match.refresh_from_db()
    return match


def test_with_the_last_yes_it_stands_as_at_the_start_of_the_turn(match: Match, ann: User) -> None:
    user, _, before = went_on(match)
    other = other_than(match, user)
    ply, rows = match.ply, list(match.moves.order_by("ply").values())
    page = logged_in(other).get(match.get_absolute_url()).content.decode()
    assert f"{user} requests a takeback." in page
    assert "The match is then unrated." in page
    assert say(match, user, "offer").ply == ply, "pressed twice"
    assert ratings.why_unrated(match) == ""
    say(match, other, "agree")
    assert (match.ply, match.unrated, standing(match)) == (ply + 1, "takeback", before)
    assert list(match.moves.order_by("ply").values())[:-1] == rows, "nothing is ever removed"
    assert say(match, other, "agree").ply == ply + 1, "pressed twice"
    assert not match.seats.filter(wants_takeback__isnull=False).exists()
    text = api(other).get(f"/api/matches/{match.slug}/events/").content.decode()
    assert f"Takeback: back to the start of {user}’s turn. The match is now unrated." in text
    play_on(match)
    assert match.status == Status.FINISHED
    assert first_difference(match) is None
    assert match not in ratings.rated_matches() and exported(match)["unrated"]
    result = logged_in(ann).get(f"{match.get_absolute_url()}result/").content.decode()
    assert "This match went back to the start of a turn, so it is not rated." in result
    access_match_result = access_match(ann, match.slug)
    last = replay_state(access_match_result, ply=match.ply, seat=0)
    assert last.view == engine.load(match).view(0)
    state, hidden = match.state, match.hidden_plies
    Match.objects.filter(pk=match.pk).update(state={**match.state, "undoable": 7})
    assert rebuild_snapshot(match=match)
    match.refresh_from_db()
    assert (match.state, match.hidden_plies) == (state, hidden)


def test_declined_taken_back_or_overtaken_nothing_goes_back(match: Match) -> None:
    user, _, _ = went_on(match)
    other, ply = other_than(match, user), match.ply
    for who in (other, user):
        say(match, user, "offer")
        assert len(told(other)) == 1 and not told(user)
        say(match, who, "decline")
        assert not told(other)
        assert not match.seats.filter(wants_takeback__isnull=False).exists()
    with pytest.raises(NothingOffered):
        say(match, other, "agree")
    say(match, user, "offer")
    assert told(other)[0].startswith(f"{user} requests a takeback in ")
    with pytest.raises(NothingOffered, match="Another player has already requested"):
        say(match, other, "offer")
    while match.seats.filter(wants_takeback__isnull=False).exists():
        play_on(match, 1)
    assert match.moves.latest("ply").hidden_from == 0
    assert not told(other), "the offer is gone"
    with pytest.raises(NothingOffered):
        say(match, other, "agree")
    assert not match.unrated and match.ply > ply


def test_a_move_that_somebody_does_not_see_withdraws_nothing(battle: Evening) -> None:
    """From the offer that goes they would learn of the move."""
    match, stood = battle.match, set()
    for prompt, move in battle.moves(40):
        match.seats.update(wants_takeback=0)
        battle.play(prompt, move)
        stands = match.seats.filter(wants_takeback__isnull=False).exists()
        assert stands == bool(match.moves.latest("ply").hidden_from)
        stood.add(stands)
    assert stood == {True, False}


def test_not_beyond_chance_nor_what_was_asked_of_several(
    match: Match, together: str, ann: User, bob: User, stranger: User
) -> None:
    with pytest.raises(NotYourSeat):
        say(match, stranger, "offer")
    with pytest.raises(NothingToTakeBack, match="not moved yet"):
        say(match, ann, "offer")
    refused = set()
    for _ in range(200):
        play_on(match, 1)
        if match.status != Status.RUNNING:
            break
        try:
            say(match, ann, "offer")
            say(match, ann, "decline")
        except NothingToTakeBack as error:
            refused.add(error.detail.split(" since")[0])
    assert any("something random has happened" in text for text in refused)
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    picks = create_match(host=ann, setup=MatchSetup(game=together, mode="match", seats=seats))
    user, prompt = asked(picks)
    play_move(slug=picks.slug, user=user, prompt_id=prompt.id, move="pick 1")
    with pytest.raises(NothingToTakeBack, match="several players had to move"):
        say(picks, user, "offer")


def test_bots_agree_by_themselves(bot_match: Match, ann: User) -> None:
    for _ in range(100):
        run_bots(match_id=bot_match.pk)
        play_on(bot_match, 1)
        if offered(bot_match, ann) is None and bot_match.unrated:
            break
        bot_match.refresh_from_db()
        if bot_match.unrated:
            break
    assert bot_match.unrated and engine.back_to(bot_match.moves.latest("ply").move) is not None
    assert list(engine.load(bot_match).prompts) == [0]


def test_each_match_ends(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    user, _, _ = went_on(match)
    monkeypatch.setattr(taking_back, "MAX_TAKEBACKS", 0)
    with pytest.raises(NothingToTakeBack, match="the limit for a match"):
        say(match, other_than(match, user), "agree")


def test_whoever_is_out_or_kept_by_a_bot_is_not_asked(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    seats = [SeatPlan(user=user) for user in (ann, bob, stranger)]
    match = make_match(seats=seats)
    user, _, before = went_on(match)
    first, second = [seat.user for seat in match.seats.exclude(user=user)]
    match.seats.filter(user=second).update(substitute_bot="random")
    say(match, first, "agree")
    assert match.unrated and standing(match) == before


def test_by_pages_and_programs(match: Match) -> None:
    user, _, before = went_on(match)
    other = other_than(match, user)
    say(match, user, "decline")
    address = f"{match.get_absolute_url()}turn-back/"
    page = logged_in(user)
    assert page.post(address, {"word": "perhaps"}).status_code == 400
    assert page.post(address, {"word": "offer"}).status_code == 302
    seats = api(other).get(f"/api/matches/{match.slug}/").json()["seats"]
    assert [seat["wants_takeback"] for seat in seats] == [
        seat["username"] == user.username for seat in seats
    ]
    program = f"/api/matches/{match.slug}/takeback/"
    assert api(other).post(program, {"word": "perhaps"}, format="json").status_code == 400
    agreed = api(other).post(program, {"word": "agree"}, format="json")
    assert (agreed.status_code, agreed.json()["unrated"]) == (200, "takeback")
    match.refresh_from_db()
    assert standing(match) == before
    assert logged_in(other).post(address, {"word": "agree"}).status_code == 302, "sent twice"


def test_an_order_that_would_answer_again_goes(battle: Evening) -> None:
    match = battle.match
    for prompt, move in battle.moves(200):
        user = battle.people[prompt.seat]
        battle.play(prompt, move)
        match.refresh_from_db()
        if match.status != Status.RUNNING or offered(match, user) is None:
            continue
        match.orders.update(kind=prompt.kind)
        start = match.moves.get(ply=match.seats.get(user=user).wants_takeback + 1)
        assert start.seat == prompt.seat
        say(match, other_than(match, user), "agree")
        asks = engine.load(match).prompts[prompt.seat]
        kept = set(match.orders.values_list("seat", flat=True))
        assert kept == ({1 - prompt.seat} if asks.kind == prompt.kind else {0, 1})
        return
    pytest.fail("Nobody could ever go back.")


@pytest.fixture
def battle() -> Evening:
    return fight("hands", 5)
