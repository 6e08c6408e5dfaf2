"""Nothing that a seat may not know is in any answer to it, in any mode of any game.

Everything that the seat cannot see is dealt anew, in the stored snapshot and in the stored events;
what the API, the pages and the streams say to this seat must stay the same to the letter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from matches import engine
from matches.live import streams
from matches.models import Match, Status, audience
from rules.engine.chance import Chance, named_seed
from rules.engine.events import NOBODY
from rules.engine.game import Game, Mode
from tests.matches.test_silence import (
    IN_THE_API,
    MODES,
    Evening,
    Onlooker,
    evenings,
    every_mode,
)
from tests.support.sizes import shared

pytestmark = pytest.mark.django_db

PLIES = (0, 3, 16, 40)
"""When it is looked: at the start, while cards are chosen unseen, in the middle of things."""

LOOKS = shared(24, least=2, large=len(PLIES))
"""At how many of them in each mode: the modes take turns to begin with another one."""

STATE = "/api/matches/{slug}/state/"
assert STATE in IN_THE_API


# -- dealing anew what is stored -------------------------------------------------------------------


def deal_anew(match: Match, seat: int | None, chance: Chance) -> None:
    """Change, in the stored match, all that ``seat`` (None: a spectator) cannot know."""
    table = engine.load(match)
    hider = Hider(table, seat, chance)
    stored, match.state = match.state, engine.snapshot(table.redeal(seat, chance))
    assert match.state != stored
    match.opening_events = [hider.hide(event) for event in match.opening_events]
    match.save(update_fields=("state", "opening_events"))
    for row in match.moves.all():
        row.events = [hider.hide(event) for event in row.events]
        if row.hidden_from & 1 << audience(seat):
            row.notation = "something else"
        row.save(update_fields=("events", "notation"))
    for other in match.seats.all():
        if other.number != seat:
            other.deck_name = "Something else"
            other.save(update_fields=("deck_name",))


class Hider:
    """Puts other values wherever ``seat`` may not know the stored ones."""

    def __init__(self, table: engine.Table, seat: int | None, chance: Chance) -> None:
        self.kinds = table.game.events
        self.cards = table.game.table.card_count(table.state)
        self.seat = seat
        self.chance = chance

    def hide(self, event: list[Any]) -> list[Any]:
        """A stored event as it could have been, too, for all that the seat may know."""
        kind = self.kinds[event[0]]
        values = dict(zip(kind.fields, event[1:], strict=True))

        def may_know(field: str) -> bool:
            return field != NOBODY and self.seat is not None and values[field] == self.seat

        if kind.private and not may_know(kind.private):
            hidden = [name for name in values if name != kind.private]
        else:
            hidden = [name for name, knower in kind.secret.items() if not may_know(knower)]
        return [event[0], *(self.other(v) if k in hidden else v for k, v in values.items())]

    def other(self, value: Any) -> Any:
        """Another value of the same kind: other cards in another order, or another word."""
        if isinstance(value, list):
            others = [self.other(item) for item in value]
            self.chance.shuffle(others)
            return others
        if isinstance(value, int):
            return self.cards - 1 - value if value >= 0 else value
        return value[::-1] if isinstance(value, str) else value


@contextmanager
def as_if_dealt_anew(match: Match, seat: int | None, chance: Chance) -> Iterator[None]:
    """Within this block the stored match is another one, as far as ``seat`` cannot see."""
    with transaction.atomic():
        deal_anew(Match.objects.get(pk=match.pk), seat, chance)
        yield
        transaction.set_rollback(True)


# -- what everybody gets ---------------------------------------------------------------------------


@every_mode
@pytest.mark.slow
def test_dealing_the_unseen_anew_changes_no_answer(game: Game, mode: Mode) -> None:
    evening = next(evenings(game, mode))
    noticed = looked = 0
    plies = plies_of(game, mode)
    for ply in range(1 + max(plies)):
        if ply in plies:
            looked += 1
            noticed += look_around(evening, Chance(named_seed(f"anew {ply}")))
        if not play(evening):
            break
    assert looked
    # The control: what was dealt anew is there, and those who may know it do see it.
    # Who plays alone knows no more than those who watch.
    assert noticed or len(evening.people) == 1


def plies_of(game: Game, mode: Mode) -> set[int]:
    """When it is looked in this mode."""
    first = MODES.index((game, mode))
    every = len(PLIES) // min(LOOKS, len(PLIES))
    return {PLIES[(first + every * look) % len(PLIES)] for look in range(min(LOOKS, len(PLIES)))}


def play(evening: Evening, plies: int = 1) -> bool:
    """Some moves more; False if the match is over."""
    for prompt, move in evening.moves(plies):
        evening.play(prompt, move)
    evening.match.refresh_from_db()
    return evening.match.status == Status.RUNNING


def look_around(evening: Evening, chance: Chance) -> int:
    """Deal anew for a spectator and for two seats; returns how often another one noticed."""
    looking = evening.everybody[:3]
    before = {item: item.gets() for item in looking}
    noticed = 0
    for number, item_result in enumerate(looking):
        neighbour = looking[1 if number != 1 else -1]
        with as_if_dealt_anew(evening.match, item_result.seat, chance):
            for path, answer in item_result.gets().items():
                assert answer == before[item_result][path], (
                    f"{path} tells seat {item_result.seat} of another deal"
                )
            state = neighbour.program.get(STATE.format(slug=evening.match.slug)).content
            noticed += state != before[neighbour][STATE][1]
    return noticed


def answers(one: Onlooker) -> str:
    """Every response that an onlooker gets, as one text."""
    return json.dumps([repr(answer) for answer in one.gets().values()])


@every_mode
def test_the_seeds_are_in_no_answer_while_it_runs(game: Game, mode: Mode) -> None:
    evening = next(evenings(game, mode))
    assert play(evening, 3)
    match = evening.match
    secrets = (match.server_seed, match.bot_secret, engine.load(match).state.chance.seed)
    for item in evening.everybody:
        got = answers(item)
        assert match.commitment in got
        for secret in secrets:
            assert bytes(secret).hex() not in got


def test_a_stream_says_nothing_but_the_ply() -> None:
    lines = streams._event("abc", 7).splitlines()
    assert lines[:2] == ["id: 7", "event: ply"]
    assert json.loads(lines[2].removeprefix("data: ")) == {"match": "abc", "ply": 7}


@every_mode
def test_operators_do_not_see_it_either(game: Game, mode: Mode, staff: User, client: Any) -> None:
    evening = next(evenings(game, mode))
    assert play(evening, 3)
    match = evening.match
    client.force_login(staff)
    page = client.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert match.slug in page
    state = engine.load(match).state
    assert state.chance.seed.hex() not in page
    assert bytes(match.server_seed).hex() not in page
    assert not [slug for slug in game.catalog if slug in page]
