"""The replay: its list of moves, and pictures of moments that show what a spectator saw."""

from __future__ import annotations

import re
import shutil
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from collection.drawing import sharing
from collection.drawing.drawn_files import DrawnFiles
from config.cache import Cache
from matches import engine
from matches.drawing import moment
from matches.models import Match
from matches.queries.replay import replay_lines, replay_state
from matches.queries.seats import seat_names
from tests.matches.conftest import MakeMatch, play_on

pytestmark = pytest.mark.django_db


def page_of(name: str, match: Match) -> str:
    return reverse(f"matches:{name}", args=(match.slug,))


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_list_of_moves(finished: Match) -> None:
    page = Client().get(page_of("replay", finished) + "?ply=3&seat=1").content.decode()
    listed = re.findall(r'data-move="(\d+)"', page)
    assert [int(number) for number in listed] == list(range(1, finished.ply + 1))
    assert 'data-move="3" aria-current="true"' in page
    kept = Client().get(page_of("replay", finished), headers={"Riffle-Script": "replay"})
    assert "data-move" not in kept.content.decode()


def test_each_eyes_have_their_own_lines(finished: Match) -> None:
    """What a seat was told alone stands in nobody else's list."""
    table = engine.load(finished)
    for seat in (None, 0, 1):
        lines = dict(replay_lines(finished, seat=seat))
        for row in finished.moves.all():
            seen = [table.event_view(event, seat) for event in engine.stored_events(row.events)]
            names = seat_names(finished)
            texts = [table.game.narrate(event, names) for event in seen if event is not None]
            assert lines[row.ply] in texts or lines[row.ply].endswith("moves.")


def test_a_picture_of_a_moment(finished: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    card_bytes = moment.card_bytes
    monkeypatch.setattr(
        moment, "card_bytes", lambda *card: (drawn.append(card[1]), card_bytes(*card))[1]
    )
    url = page_of("moment", finished)
    answer = Client().get(url + "?ply=2")
    with Image.open(BytesIO(answer.content)) as image:
        assert (image.size, image.format) == ((1200, 630), "JPEG")
    view: Any = replay_state(finished, ply=2, seat=None).view
    on_boards = [spot["card"]["slug"] for player in view["players"] for spot in player["board"]]
    assert set(on_boards) <= set(drawn) and "public" in answer["Cache-Control"]
    drawn.clear()
    assert Client().get(url + "?ply=2&seat=1").content == answer.content and drawn == []
    with pytest.raises(AssertionError):
        moment.picture(replay_state(finished, ply=2, seat=0))
    for query, status in (("?ply=x", 400), ("?ply=9999", 422), ("", 200)):
        assert Client().get(url + query).status_code == status
    page = Client().get(page_of("replay", finished) + "?ply=2").content.decode()
    assert f'<meta property="og:image" content="http://testserver{url}?ply=2">' in page


def test_pictures_of_moments_fill_no_redis_and_no_disk(
    finished: Match, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    cached: list[Any] = []
    monkeypatch.setattr(Cache, "set", lambda self, key, value, *_: cached.append(value))
    monkeypatch.setattr(sharing, "_pictures", DrawnFiles("shared", 200_000))
    url = page_of("moment", finished)
    plies = range(min(finished.ply, 12))
    for ply in plies:
        assert Client().get(f"{url}?ply={ply}").status_code == 200
    assert sum(len(str(value)) for value in cached) < 1_000
    assert sum(path.stat().st_size for path in (tmp_path / "shared").iterdir()) <= 220_000

    def full(*args: Any, **kwargs: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    shutil.rmtree(tmp_path)
    assert Client().get(f"{url}?ply=1").content.startswith(b"\xff\xd8"), "drawn on a full disk"


def test_no_picture_of_what_is_not_everybody_s(
    match: Match, make_match: MakeMatch, ann: User, stranger: User
) -> None:
    assert logged_in(ann).get(page_of("moment", match)).status_code == 409
    private = play_on(make_match(private=True))
    url = page_of("moment", private)
    own = logged_in(ann).get(url)
    assert own.status_code == 200 and "private" in own["Cache-Control"]
    for client in (Client(), logged_in(stranger)):  # also now that it lies in the cache
        assert client.get(url).status_code == 403
    assert "og:image" not in logged_in(ann).get(page_of("replay", private)).content.decode()
