"""People, tables and ways to play that the tests of matches share."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

import rules
from accounts.models import User
from matches import engine
from matches.models import Match, SeatKind, Status
from matches.queries import export
from matches.services.play import play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.games.examples import GAME
from tests.matches.together import GAME as TOGETHER
from tests.support.tokens import token_of

MakeMatch = Callable[..., Match]


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> str:
    """The slug of a game in which all are asked at once; it is registered for this test only."""
    games = {**rules.games(), TOGETHER.slug: TOGETHER}
    monkeypatch.setattr(rules, "games", lambda: games)
    return TOGETHER.slug


@pytest.fixture(autouse=True)
def _same_seeds_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each match has a seed of its own, and a failure can be repeated."""
    numbers = itertools.count()

    def next_seed(size: int) -> bytes:
        return hashlib.sha256(str(next(numbers)).encode()).digest()[:size]

    monkeypatch.setattr("matches.models.matches.token_bytes", next_seed)


def person(name: str, **more: Any) -> User:
    return User.objects.create_user(username=name.lower(), display_name=name, **more)


@pytest.fixture
def ann(db: None) -> User:
    return person("Ann")


@pytest.fixture
def bob(db: None) -> User:
    return person("Bob")


@pytest.fixture
def stranger(db: None) -> User:
    return person("Sam")


@pytest.fixture
def staff(db: None) -> User:
    return person("Olga", is_staff=True, is_superuser=True)


@pytest.fixture
def make_match(ann: User, bob: User) -> MakeMatch:
    """Ann against Bob, unless ``seats`` says otherwise."""

    def make(**changes: Any) -> Match:
        wanted: dict[str, Any] = {
            "game": GAME,
            "mode": "match",
            "seats": [SeatPlan(user=ann), SeatPlan(user=bob)],
            "options": {"guards": 1} if changes.get("game", GAME) == GAME else {},
        }
        host = changes.pop("host", ann)
        return create_match(host=host, setup=MatchSetup(**wanted | changes))

    return make


@pytest.fixture
def match(make_match: MakeMatch) -> Match:
    """A running match: Ann in seat 0, Bob in seat 1."""
    return make_match()


@pytest.fixture
def bot_match(make_match: MakeMatch, ann: User) -> Match:
    """Ann in seat 0 against a bot."""
    return make_match(seats=[SeatPlan(user=ann), SeatPlan(SeatKind.BOT)])


def asked(match: Match) -> tuple[User, Any]:
    """The person who is asked now, and the prompt."""
    match.refresh_from_db()
    table = engine.load(match)
    seat, prompt = sorted(table.prompts.items())[0]
    user = match.seats.get(number=seat).user
    assert user is not None
    return user, prompt


def play_on(match: Match, plies: int = 1000) -> Match:
    """Play for everybody, as the best bot would, for some plies or to the end."""
    for _ in range(plies):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        user, prompt = asked(match)
        table = engine.load(match)
        *_, bot = engine.game_of(match).bots.values()
        chance = engine.bot_chance(match, prompt.seat, prompt.id)
        move = bot.choose(table.view(prompt.seat), prompt, chance)
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    match.refresh_from_db()
    return match


def begin(match: Match) -> None:
    """Play on until both have answered twice: from then on the match counts."""
    while min(match.moves.filter(seat=seat).count() for seat in (0, 1)) < 2:
        play_on(match, 1)


@pytest.fixture
def finished(match: Match) -> Match:
    """A match between Ann and Bob that has been played to its end."""
    return play_on(match)


def api(user: User | None = None) -> APIClient:
    """A client of the API with this person's token; None is somebody without."""
    client = APIClient()
    if user is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Token {token_of(user)}")
    return client


def stored(match: Match) -> tuple[Any, ...]:
    """Everything that is stored about a match, to see that nothing changed."""
    row = Match.objects.filter(pk=match.pk).values().get()
    return (
        {
            key: bytes(value) if isinstance(value, memoryview) else value
            for key, value in row.items()
        },
        list(match.seats.order_by("number").values()),
        list(match.moves.order_by("ply").values()),
    )


def queries_of(read: Callable[[], Any]) -> int:
    """How many queries a read takes."""
    with CaptureQueriesContext(connection) as captured:
        read()
    return len(captured)


def exported(match: Match) -> dict[str, Any]:
    """The match's line of the export."""
    (line,) = export.lines(Match.objects.filter(pk=match.pk))
    data: dict[str, Any] = json.loads(line)
    return data
