"""The export in bulk: stable, streamed, and without a word of what is not everybody's."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from matches.models import Match
from matches.queries import export
from tests.matches.conftest import MakeMatch, api, play_on, queries_of
from tests.matches.test_ratings import NOON, over

pytestmark = pytest.mark.django_db
URL = "/api/export/matches/"


def lines_of(client: Any, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(URL, query)
    assert answer.status_code == 200 and answer.streaming, answer.content
    assert answer["Content-Type"] == "application/x-ndjson"
    text = b"".join(answer.streaming_content).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_is_the_whole_of_a_match(finished: Match) -> None:
    (line,) = lines_of(Client())
    assert set(line) == {
        "format", "match", "game", "mode", "rules_version", "options", "time_control", "private",
        "started_at", "finished_at", "outcome", "commitment", "server_seed", "client_seeds",
        "decks", "seats", "moves", "by_standing_order", "unrated", "lost_on_time",
    }  # fmt: skip
    assert line["format"] == 1 and line["match"] == finished.slug
    moves = finished.moves.order_by("ply").values_list("seat", "notation")
    assert [tuple(move[:2]) for move in line["moves"]] == list(moves)
    assert line["by_standing_order"] == []
    assert [seat["username"] for seat in line["seats"]] == ["ann", "bob"]
    record = Client().get(f"/api/matches/{finished.slug}/record/").json()
    assert record["server_seed"] == line["server_seed"]


def test_nothing_hidden_is_in_it(
    match: Match, make_match: MakeMatch, ann: User, stranger: User
) -> None:
    play_on(match, 4)
    private = over([ann, stranger], [1, 2], private=True)
    make_match(private=True)
    assert lines_of(Client()) == lines_of(api(ann)) == []
    assert [line["match"] for line in lines_of(api(ann), mine="true")] == [private.slug]
    assert lines_of(Client(), mine="true") == []
    bob = User.objects.get(username="bob")
    assert lines_of(api(bob), mine="true") == []


def test_which_moves_a_standing_order_made(finished: Match) -> None:
    """They are counted as the moves of the line are."""
    plies = list(finished.moves.order_by("ply").values_list("ply", flat=True))
    finished.moves.filter(ply__in=(plies[1], plies[3])).update(by_order=True)
    (line,) = lines_of(Client())
    assert line["by_standing_order"] == [2, 4]


def test_filters_and_order(ann: User, bob: User) -> None:
    matches = [over([ann, bob], [1, 2], at=NOON + timedelta(hours=n)) for n in (3, 1, 2)]
    matches.append(over([ann, bob], [1, 2], at=NOON, mode="other"))
    slugs = [matches[n].slug for n in (3, 1, 2, 0)]
    assert [line["match"] for line in lines_of(Client())] == slugs
    since = (NOON + timedelta(hours=2)).isoformat()
    assert [line["match"] for line in lines_of(Client(), since=since)] == slugs[2:]
    assert [line["match"] for line in lines_of(Client(), mode="other")] == slugs[:1]
    assert lines_of(Client(), game="nothing") == []
    assert Client().get(URL, {"since": "yesterday"}).status_code == 400


def test_it_goes_in_portions(ann: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "PAGE_SIZE", 2)
    slugs = [over([ann, bob], [1, 2], at=NOON).slug for _ in range(5)]
    assert [line["match"] for line in lines_of(Client())] == slugs
    lines = export.lines(export.exported(ann, since=None))
    assert queries_of(lambda: next(lines)) == 3  # the first page, and no more of the others
