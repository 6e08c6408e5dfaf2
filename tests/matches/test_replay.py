"""The replay: its list of moves, and pictures of moments that show what a spectator saw."""

from __future__ import annotations

import html
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
from core.models import MatchFinished
from matches import engine
from matches.drawing import moment
from matches.models import Match
from matches.queries.events import open_events, row_of
from matches.queries.replay import joined, replay_state, replay_turns
from matches.queries.seats import seat_names
from matches.services.play import concede, play_move
from tests.matches.conftest import MakeMatch, play_on

pytestmark = pytest.mark.django_db


def page_of(name: str, match: Match) -> str:
    return reverse(f"matches:{name}", args=(match.slug,))


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_list_of_turns(finished: Match) -> None:
    """Turns with the steps inside, for everyone with the same words; a script keeps the list."""
    turns = replay_turns(finished, seat_names(finished))
    steps = [step for turn in turns for step in turn.steps]
    assert len(turns) > 5 and 0 < len(steps) < finished.ply, "steps that show nothing are no steps"
    assert all(step.text and not step.text.endswith("moves.") for step in steps)
    assert [turn.ply for turn in turns] == sorted(turn.ply for turn in turns)
    assert steps[-1].ply == finished.ply and any(step.pivotal for step in steps)
    page = (
        Client().get(page_of("replay", finished) + f"?ply={steps[2].ply}&seat=1").content.decode()
    )
    listed = [int(number) for number in re.findall(r'data-move="(\d+)"', page)]
    assert listed == [
        ply for turn in turns for ply in (turn.ply, *(step.ply for step in turn.steps))
    ]
    assert re.search(rf'data-move="{steps[2].ply}"\s+aria-current="true"', page)
    assert (
        f'data-step="next"\n     href="?ply={min(p for p in listed if p > steps[2].ply)}&' in page
    )
    kept = Client().get(page_of("replay", finished), headers={"Riffle-Script": "replay"})
    assert "data-move" not in kept.content.decode()


def test_cards_that_go_to_one_pile_share_a_sentence() -> None:
    pile, hand = "to the Discard Pile.", "to Bob's hand."
    sentences = ["Bob is out.", f"Red 4 goes {pile}", f"Flame goes {pile}", f"Claw goes {pile}"]
    assert joined([*sentences, f"Blue 2 goes {hand}", "You win."]) == [
        "Bob is out.",
        f"Red 4, Flame and Claw go {pile}",
        f"Blue 2 goes {hand}",
        "You win.",
    ]
    whole_hand = joined(f"Red {number} goes {pile}" for number in range(1, 8))
    assert whole_hand == [f"Red 1, Red 2, Red 3, Red 4 and 3 more cards go {pile}"]
    five = joined(f"Red {number} goes {pile}" for number in range(1, 6))
    assert five == [f"Red 1, Red 2, Red 3, Red 4 and Red 5 go {pile}"]


def test_what_may_decide_the_match_leads_its_step(finished: Match) -> None:
    """In the list and in the tray, where a turn that begins is not told again."""
    table, names = engine.load(finished), seat_names(finished)
    steps = [step for turn in replay_turns(finished, names) for step in turn.steps if step.pivotal]
    longest = max(steps, key=lambda step: len(step.text))
    for step in (steps[0], longest):
        row = row_of(finished.moves.get(ply=step.ply))
        events = [event for event in open_events(finished, table, row, names) if event.text]
        headline = next(event.text for event in events if event.turning_point)
        assert step.text.startswith(headline)
        page = Client().get(f"{page_of('replay', finished)}?ply={step.ply}&seat=0")
        text = html.unescape(page.content.decode())
        assert f'<p class="ask-line">{headline}</p>' in text
        more = re.findall(r'<p class="ask-more">([^<]*)</p>', text)
        assert len(more) == (len(events) > 1) and "Turn " not in "".join(more)


def test_it_opens_with_the_eyes_of_whoever_played(
    finished: Match, ann: User, bob: User, stranger: User
) -> None:
    for user, seat in ((ann, 1), (bob, 2), (stranger, 0)):
        page = logged_in(user).get(page_of("replay", finished)).content.decode()
        assert f'data-seat="{seat}"' in page
    assert (
        'data-seat="0"'
        in logged_in(ann).get(page_of("replay", finished) + "?seat=0").content.decode()
    )


def test_what_was_hidden_is_named_once_the_match_is_over(
    finished: Match, ann: User, stranger: User
) -> None:
    """Each card that a seat drew unseen; the reader who sat there is “you”."""
    table, names = engine.load(finished), seat_names(finished)
    row = next(
        row
        for row in finished.moves.filter(seat=1)
        if any(event[0] == "drew" for event in row.events)
    )
    (event,) = [event for event in engine.stored_events(row.events) if event[0] == "drew"]
    line, hidden = table.narrate(event, 1, names), table.narrate(event, 0, names)
    assert line and line != hidden
    page = logged_in(stranger).get(f"{page_of('replay', finished)}?ply={row.ply}&seat=1")
    assert line in html.unescape(page.content.decode())
    own = next(row for row in finished.moves.filter(seat=0) if row.events)
    page = logged_in(ann).get(f"{page_of('replay', finished)}?ply={own.ply}")
    assert re.search(r'<p class="ask-line">You', page.content.decode())


def test_playing_on_from_a_moment(finished: Match, stranger: User) -> None:
    """Against bots, private and unrated, with the hands of that moment; it can be replayed."""
    address = page_of("play-on", finished)
    ply = finished.ply // 2
    answer = logged_in(stranger).post(address, {"ply": ply, "seat": 2})
    created = Match.objects.order_by("-pk")[0]
    assert answer["Location"] == created.get_absolute_url() and created.private
    assert [seat.kind for seat in created.seats.all()] == ["bot", "person"]
    before = replay_state(finished, ply=ply, seat=1).view
    assert engine.load(created).view(1)["players"] == before["players"]
    assert engine.begin(created, list(created.seats.all())).state.chance.seed == engine.match_seed(
        created, list(created.seats.all())
    )
    service = {"slug": created.slug}
    if 1 in engine.load(created).prompts:
        prompt = engine.load(created).prompts[1]
        play_move(**service, user=stranger, prompt_id=prompt.id, move=prompt.options[0])
    concede(**service, user=stranger)
    created.refresh_from_db()
    assert created.finished and not MatchFinished.objects.filter(match=created.slug).exists()
    assert replay_state(created, ply=created.ply, seat=1).view["outcome"]
    for data, status in (
        ({"ply": finished.ply, "seat": 1}, 422),
        ({"ply": 1, "seat": 9}, 422),
        ({"ply": 99999, "seat": 1}, 422),
    ):
        assert logged_in(stranger).post(address, data).status_code == status


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
