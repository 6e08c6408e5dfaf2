"""Looking on: the tables that anybody may watch, by the API and on pages."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import BlockKind, User
from accounts.services.blocks import block
from matches.models import Match, SeatKind
from matches.services.setup import SeatPlan
from rules.engine.game import Game, Mode
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, api, play_on, queries_of
from tests.matches.test_pages import logged_in
from tests.matches.test_silence import evenings, every_mode

pytestmark = pytest.mark.django_db

RUNNING = "/play/lobby/running/"
IN_THE_API = "/api/lobby/running/"


def listed(user: User | None = None, query: str = "") -> list[dict[str, Any]]:
    answer = api(user).get(IN_THE_API + query)
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def page(user: User | None = None, query: str = "") -> str:
    answer = (Client() if user is None else logged_in(user)).get(RUNNING + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_what_runs_in_public_is_listed(make_match: MakeMatch, ann: User, bob: User) -> None:
    """Open, private and finished tables are not; the one moved last comes first."""
    bob.is_bot = True
    bob.save()
    make_match(seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)], listed=True)
    make_match(private=True)
    play_on(make_match())
    alone = make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)], time_control="live")
    both = make_match()
    Match.objects.filter(pk=alone.pk).update(active_at=both.active_at - timedelta(hours=1))
    assert [item["slug"] for item in listed()] == [both.slug, alone.slug]
    play_on(both, 3)
    [result] = listed(ann, "?people=true")
    assert (result["slug"], result["ply"], result["mine"]) == (both.slug, 3, True)
    assert not result["watchers"]
    assert [(seat["name"], seat["is_bot"]) for seat in result["seats"]] == [
        ("Ann", False),
        ("Bob", True),
    ]
    assert [item["slug"] for item in listed(None, f"?game={GAME}&time_control=live")] == [
        alone.slug
    ]
    assert listed(None, "?mode=nothing") == []
    seen = page()
    assert seen.index(both.get_absolute_url()) < seen.index(alone.get_absolute_url())
    assert "Program" in seen and "3 moves" in seen and "Just started" in seen
    assert "Your table" in page(ann) and "Your table" not in seen
    assert alone.slug not in page(None, "?people=1")
    assert "No matches found" in page(None, "?time_control=slow&page=x")


def test_people_who_keep_apart_do_not_find_each_other(match: Match, ann: User, bob: User) -> None:
    sam = User.objects.create_user(username="sam")
    assert len(listed(sam)) == 1
    block(user=sam, username=bob.username, kind=BlockKind.TABLES)
    assert listed(sam) == [] and match.slug not in page(sam)
    assert len(listed()) == 1


def test_the_list_costs_the_same_however_long_it_is(make_match: MakeMatch, stranger: User) -> None:
    make_match()
    client, program = logged_in(stranger), api(stranger)
    client.get(RUNNING)
    before = [queries_of(lambda: client.get(RUNNING)), queries_of(lambda: program.get(IN_THE_API))]
    for _ in range(3):
        make_match()
    after = [queries_of(lambda: client.get(RUNNING)), queries_of(lambda: program.get(IN_THE_API))]
    assert after == before and before[0] <= 8 and before[1] <= 5, before
    assert len(listed()) == 4


# -- from any seat's side of the felt -------------------------------------------------------------


def table_page(match: Match, query: str, user: User | None = None) -> str:
    answer = logged_in(user).get(match.get_absolute_url() + query)
    assert answer.status_code == 200
    return answer.content.decode()


def boards(text: str) -> list[str]:
    """Whose boards stand on the felt, from the top."""
    rows = []
    for section in re.findall("<section [^>]*>", text):
        seat = re.search(r'data-seat="(\d)"', section)
        if seat:
            below = re.search(r'class="own[ "]', section)
            rows.append(("below " if below else "") + seat[1])
    return rows


def test_a_spectator_looks_from_any_side(make_match: MakeMatch, ann: User, bob: User) -> None:
    match = make_match(
        seats=[SeatPlan(user=ann), SeatPlan(user=bob), SeatPlan(SeatKind.BOT)], mode="match"
    )
    assert boards(table_page(match, "")) == ["0", "1", "2"]
    seen = table_page(match, "?side=2")
    assert boards(seen) == ["2", "0", "below 1"]
    assert 'aria-label="Bob’s board"' in seen and "Your board" not in seen
    assert f"/matches/{match.slug}/table/?side=2" in seen, "what is fetched later is drawn alike"
    fetched = logged_in(None).get(f"/matches/{match.slug}/table/?since=0&side=3")
    assert boards(fetched.content.decode()) == ["0", "1", "below 2"]
    for odd in ("?side=0", "?side=4", "?side=x", "?side=999999999999"):
        assert boards(table_page(match, odd)) == ["0", "1", "2"], odd
    own = table_page(match, "?side=2", ann)
    assert boards(own) == ["1", "2", "below 0"] and "Your board" in own
    assert "/table/?side=" not in own, "who plays has a side already"


@every_mode
def test_a_side_shows_no_more(game: Game, mode: Mode) -> None:
    """Neither a hand nor a question, and no other card than from above."""
    evening = next(evenings(game, mode))
    for prompt, move in evening.moves(12):
        evening.play(prompt, move)
    above = table_page(evening.match, "")
    for side in range(1, len(evening.people) + 1 if len(evening.people) > 1 else 1):
        seen = table_page(evening.match, f"?side={side}")
        assert 'class="hand"' not in seen and "data-option=" not in seen, side
        assert cards_in(seen) == cards_in(above), side


def cards_in(text: str) -> set[str]:
    return set(re.findall(r'data-look="([^"]+)"', text))
