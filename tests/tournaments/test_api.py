"""Tournaments by programs: from the announcement to the last ruling, and who may do what."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from tests.games.examples import GAME
from tests.matches.conftest import api
from tests.tournaments.conftest import (
    Announce,
    announcement,
    open_tables,
    play_all,
    play_round,
    players,
    settle,
)
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def sent(**changes: Any) -> dict[str, Any]:
    """The body of a new tournament."""
    wanted = asdict(announcement(**changes))
    return {name: value for name, value in wanted.items() if value is not None}


def test_a_program_organises_and_others_play(ada: User) -> None:
    organiser = api(ada)
    first, second = players(2)
    key = {"HTTP_IDEMPOTENCY_KEY": "one"}
    body = sent(rounds=1)
    created = organiser.post("/api/tournaments/", body, **key)
    assert created.status_code == 201, created.json()
    again = organiser.post("/api/tournaments/", body, **key)
    assert again.json()["slug"] == created.json()["slug"] and Tournament.objects.count() == 1
    address = f"/api/tournaments/{created.json()['slug']}/"
    for player in (first, second):
        entered = api(player).put(f"{address}mine/", {})
        assert entered.json()["state"] == "entered", entered.json()
    later = timezone.now() + timedelta(days=2)
    change = {"title": "Cup", "closes_at": later, "starts_at": later}
    assert organiser.put(address, change).json()["title"] == "Cup"
    assert organiser.post(f"{address}messages/", {"text": "Hello."}).status_code == 204
    assert organiser.post(f"{address}lock/").json()["locked_at"] is not None
    assert organiser.post(f"{address}start/").json()["state"] == "running"
    tournament = Tournament.objects.get()
    settle(tournament)
    (table,) = APIClient().get(f"{address}rounds/1/tables/").json()["results"]
    assert table["match"] and table["reason"].startswith("Both have 0 points")
    assert "result" not in table and "mine" not in table
    ruled = organiser.put(
        f"{address}rounds/1/tables/1/result/", {"places": [2, 1], "reason": "They agreed."}
    )
    assert [seat["place"] for seat in ruled.json()["seats"]] == [2, 1], ruled.json()
    standings = APIClient().get(f"{address}standings/").json()["results"]
    assert [row["rank"] for row in standings] == [1, 2] and standings[0]["standing"]["won"] == 1
    (ruling,) = APIClient().get(f"{address}rulings/").json()
    assert (ruling["reason"], ruling["before"]) == ("They agreed.", "Open.")
    whole = APIClient().get(f"{address}whole/").json()
    assert whole["tournament"]["seed"] and len(whole["rounds"]) == 1
    listed = APIClient().get("/api/tournaments/?state=finished").json()["results"]
    assert [row["title"] for row in listed] == ["Cup"]
    assert api(first).get("/api/tournaments/?mine=true").json()["results"]


def test_what_organisers_do_besides(running: Announce, ada: User) -> None:
    tournament = running(5)
    organiser, stranger = api(ada), api(User.objects.create_user("sam"))
    address = f"/api/tournaments/{tournament.slug}/"
    why = {"reason": "As agreed."}
    calls = [
        ("entries/5/remove/", why), ("entries/5/reinstate/", why), ("rounds/1/end/", why),
        ("rounds/1/undo/", why), ("entries/5/bye/", why), ("cancel/", why), ("pair/", {}),
        ("start/", {}), ("lock/", {}), ("bots/", {}), ("messages/", {"text": "x"}),
    ]  # fmt: skip
    for path, body in calls:
        assert stranger.post(address + path, body).status_code == 403, path
        assert APIClient().post(address + path, body).status_code == 401, path
    assert organiser.post(f"{address}entries/5/remove/", why).status_code == 204
    back = organiser.post(f"{address}entries/5/reinstate/", why)
    assert back.json()["state"] == "entered"
    play_round(tournament)
    assert organiser.post(f"{address}rounds/2/undo/", why).status_code == 200
    assert APIClient().get(f"{address}rounds/").json()[-1]["number"] == 1
    assert organiser.post(f"{address}pair/").status_code == 200
    settle(tournament)
    assert len(APIClient().get(f"{address}rounds/").json()) == 2
    assert organiser.post(f"{address}rounds/2/end/", why).status_code == 200
    assert organiser.post(f"{address}bots/", {}).status_code == 409
    assert organiser.post(f"{address}cancel/", why).json()["why_cancelled"] == "As agreed."


def test_unlisted_ones_are_found_by_their_link_alone(announced: Announce, ada: User) -> None:
    hidden = announced(listed=False)
    assert APIClient().get("/api/tournaments/").json()["results"] == []
    assert api(ada).get("/api/tournaments/").json()["results"] != []
    assert APIClient().get(f"/api/tournaments/{hidden.slug}/").status_code == 200


def test_a_private_one_is_played_privately_and_leaves(running: Announce) -> None:
    tournament = running(2, listed=False, rounds=1)
    (table,) = open_tables(tournament)
    assert table.match is not None and table.match.private
    leaver = Entry.objects.get(tournament=tournament, number=2).user
    assert leaver is not None
    address = f"/api/tournaments/{tournament.slug}/mine/"
    assert api(leaver).delete(address).status_code == 204
    play_all(tournament)
    assert api(leaver).get(address).json()["rank"] == 2
    assert tournament.game == GAME
