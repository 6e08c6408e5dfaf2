"""Events in the words for the seat that reads them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches import engine
from matches.models import Match, Result, SeatKind
from matches.queries.access import access_match
from matches.queries.events import SeenEvent, event_groups, events_since
from matches.queries.seats import seat_names
from matches.queries.second_person import READER, in_second_person
from matches.queries.table import table_state
from matches.services.play import concede
from matches.services.setup import MatchSetup, SeatPlan, create_match
from matches.views.setup import playable
from tests.matches.conftest import MakeMatch


@pytest.mark.parametrize(
    ("sentence", "spoken"),
    [
        ("{} draws a card.", "You draw a card."),
        ("{} passes.", "You pass."),
        ("{} carries on.", "You carry on."),
        ("{} is out.", "You are out."),
        ("{}'s Red Claw is defeated.", "Your Red Claw is defeated."),
        ("Bob challenges {}.", "Bob challenges you."),
        ("Bob looks at {}'s hand.", "Bob looks at your hand."),
        ("Turn 4: {}.", "Turn 4: you."),
        ("Battle 1: {} attacks.", "Battle 1: you attack."),
        ("{} wins the round and takes 4 cards.", "You win the round and take 4 cards."),
        ("Gull: {} now scores 540.", "Gull: you now score 540."),
        ("{} and Bob share the win.", "You and Bob share the win."),
        ("{} pledges itself to its colour.", "You pledge yourself to your colour."),
        ("Bob claims the Prize Card of {}: Blue 4.", "Bob claims your Prize Card: Blue 4."),
        ("Time ran out: {} loses on time.", "Time ran out: you lose on time."),
        ("Bob draws a card.", "Bob draws a card."),
    ],
)
def test_the_reader_is_you(sentence: str, spoken: str) -> None:
    assert in_second_person(sentence.replace("{}", READER)) == spoken


def lines_for(match: Match, user: User) -> list[str]:
    state = table_state(access_match(user, match.slug), user)
    return [item.text for item in events_since(state, -1) if item.text]


def test_each_reads_the_log_as_you_and_nobody_else_does(
    match: Match, ann: User, bob: User, stranger: User
) -> None:
    anns, bobs, others = (" ".join(lines_for(match, user)) for user in (ann, bob, stranger))
    assert "Ann" not in anns and "Your board" in anns and "Bob's board" in anns
    assert "Bob" not in bobs and "Your board" in bobs and "Ann's board" in bobs
    assert "Ann's board" in others and "Bob's board" in others
    assert READER not in anns + bobs + others


def test_the_api_keeps_the_names(match: Match, ann: User) -> None:
    """A program reads the same lines whoever it plays for."""
    lines = [line for group in event_groups(match, 0) for line in group.lines]
    assert any("Ann's board" in line for line in lines)


def test_bots_go_by_names_of_their_own(make_match: MakeMatch, ann: User) -> None:
    def seats() -> list[Any]:
        return [SeatPlan(user=ann), *[SeatPlan(SeatKind.BOT)] * 3]

    tables = [make_match(seats=seats(), options={}) for _ in range(4)]
    names = [seat_names(match)[1:] for match in tables]
    assert all(len(set(row)) == 3 for row in names)
    assert not any("(" in name for row in names for name in row)
    assert len({tuple(row) for row in names}) > 1, "not the same at every table"
    again = [seat_names(Match.objects.get(pk=match.pk))[1:] for match in tables]
    assert again == names


def test_the_winner_reads_you_win(finished: Match, ann: User, bob: User, client: Client) -> None:
    for user in (ann, bob):
        won = finished.seats.get(user=user).result == Result.WON
        client.force_login(user)
        table = client.get(finished.get_absolute_url()).content.decode()
        result = client.get(f"{finished.get_absolute_url()}result/").content.decode()
        assert ("You win: " in table) == won
        assert ("<h1>You win!</h1>" in result) == won


def test_a_replay_deals_each_hand_to_its_player(finished: Match, ann: User, client: Client) -> None:
    client.force_login(ann)
    page = client.get(f"{finished.get_absolute_url()}replay/?ply=0").content.decode()
    assert "You are dealt" in page
    assert "Bob is dealt" in page


@pytest.mark.parametrize("game", sorted({game.slug for game, _ in playable()}))
def test_whoever_resigned_is_named_as_the_reason(
    game: str, ann: User, bob: User, client: Client
) -> None:
    """In every game, whatever its rules then decide by; and once to each as “you”."""
    mode = next(mode for value, mode in playable() if value.slug == game and mode.seats[0] == 2)
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    match = create_match(host=ann, setup=MatchSetup(game=game, mode=mode.slug, seats=seats))
    concede(slug=match.slug, user=bob)
    for user, item in ((ann, "Bob conceded"), (bob, "you conceded")):
        client.force_login(user)
        page = client.get(f"{match.get_absolute_url()}result/").content.decode()
        assert (
            f'<p class="verdict-reason">{item.capitalize() if item[0] == "y" else item}.</p>'
            in page.replace("&#x27;", "'")
        )
        assert ("<h1>You win!</h1>" in page) == (user == ann and not mode.together)


def test_an_event_says_who_does_it_to_whom(match: Match) -> None:
    game = engine.game_of(match)
    for kind in game.events.values():
        seats = [name for name, value in kind.shape.items() if value.shape == "seat"]
        if len(seats) == 2 and "seat" in seats:
            other = next(name for name in seats if name != "seat")
            event = {"kind": kind.name, "seat": 1, other: 0}
            assert SeenEvent(3, event, game, ()).aimed_at == [0]
            break
    else:
        pytest.fail("no event of this game is done to somebody")
