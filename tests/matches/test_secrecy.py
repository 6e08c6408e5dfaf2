"""Nothing that a seat may not know is in any answer to it.

Everything that the seat cannot see is dealt anew, in the stored snapshot and in the stored events;
what the API and the streams say to this seat must stay the same to the letter.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import rules
from accounts.models import User
from matches import engine, live
from matches.models import Match
from rules.engine.chance import Chance
from rules.engine.events import NOBODY
from tests.matches.conftest import MakeMatch, api, play_on

pytestmark = pytest.mark.django_db

READS = ("", "state/", "events/", "events/?since=3", "fairness/")


def answers(match: Match, user: User | None) -> list[str]:
    client = api(user)
    pages = [client.get(f"/api/matches/{match.slug}/{read}") for read in READS]
    pages.append(client.get("/api/matches/"))
    assert all(page.status_code == 200 for page in pages)
    return [page.content.decode() for page in pages]


def deal_anew(match: Match, seat: int | None, chance: Chance) -> None:
    """Change, in the stored match, all that ``seat`` (None: a spectator) cannot know."""
    twin = engine.load(match).redeal(seat, chance)
    match.state = engine.snapshot(twin)
    match.opening = [hide(event, seat, chance) for event in match.opening]
    match.save(update_fields=("state", "opening"))
    for row in match.moves.all():
        row.events = [hide(event, seat, chance) for event in row.events]
        row.save(update_fields=("events",))


def hide(event: list[Any], seat: int | None, chance: Chance) -> list[Any]:
    """A stored event with other cards wherever ``seat`` may not know which they were."""
    kind = rules.game("kaolan").events[event[0]]
    values = dict(zip(kind.fields, event[1:], strict=True))
    for name, knower in kind.secret.items():
        if knower != NOBODY and seat is not None and values[knower] == seat:
            continue
        if isinstance(values[name], list):
            chance.shuffle(values[name])
            values[name] = [59 - card for card in values[name]]
        elif isinstance(values[name], int):
            values[name] = 59 - values[name]
    return [event[0], *values.values()]


@pytest.mark.parametrize("plies", [0, 1, 2, 5, 13, 14, 27, 40])
@pytest.mark.parametrize("looking", ["ann", "bob", "spectator"])
def test_dealing_the_unseen_anew_changes_no_answer(
    make_match: MakeMatch, ann: User, bob: User, plies: int, looking: str
) -> None:
    match = play_on(make_match(options={"guards": 2}), plies)
    users: dict[str, User | None] = {"ann": ann, "bob": bob, "spectator": None}
    user, seat = users[looking], {"ann": 0, "bob": 1}.get(looking)
    before = answers(match, user)
    others = [answers(match, other) for other in (ann, bob) if other != user]
    deal_anew(match, seat, Chance(bytes([plies]) * 32))
    assert answers(match, user) == before
    # The control: what was dealt anew is there, and those who may know it do see it.
    assert [answers(match, other) for other in (ann, bob) if other != user] != others


def test_the_seeds_are_in_no_answer_while_it_runs(match: Match, ann: User) -> None:
    play_on(match, 6)
    seed, chance = bytes(match.server_seed), engine.load(match).state.chance.seed
    for text in answers(match, ann):
        for secret in (seed, chance, bytes(match.bot_secret)):
            assert secret.hex() not in text


def test_a_stream_says_nothing_but_the_ply() -> None:
    lines = live._event("abc", 7).splitlines()
    assert lines[:2] == ["id: 7", "event: ply"]
    assert json.loads(lines[2].removeprefix("data: ")) == {"match": "abc", "ply": 7}


def test_operators_do_not_see_it_either(match: Match, staff: User, client: Any) -> None:
    play_on(match, 6)
    client.force_login(staff)
    page = client.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert match.slug in page
    state = engine.load(match).state
    assert state.chance.seed.hex() not in page
    assert bytes(match.server_seed).hex() not in page
    assert "kao-" not in page
