"""Who is shown decks, seed and moves of a match, by its status: one table of all its addresses.

Ann is the host, Bob plays, Sam is nobody of this match. Bob's deck is private, has a name that
gives it away and cards that lie on no table yet.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import get_resolver

from accounts.models import User
from decks.services.decks import create_deck
from matches import engine
from matches.models import Match, Status
from matches.services.play import concede
from matches.services.setup import SeatPlan, join_match, leave_match
from tests.games.examples import EXAMPLE, GAME
from tests.matches.conftest import MakeMatch, person, play_on
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db

COLUMNS = ("nobody", "stranger", "player", "host")
NAME = "Bob’s secret plan"

# The status of the answer, then what it shows: d the name of Bob's deck, D its cards, s the
# server's seed, S the seed of the match, m all moves.
TABLE = """
open       /api/matches/SLUG/          200        200        200        200
open       /api/matches/SLUG/events/   200        200        200        200
open       /api/matches/SLUG/fairness/ 200        200        200        200
open       /api/matches/SLUG/record/   409        409        409        409
open       /api/matches/SLUG/replay/   409        409        409        409
open       /api/matches/SLUG/result/   409        409        409        409
open       /api/matches/SLUG/series/   404        404        404        404
open       /api/matches/SLUG/state/    200        200        200        200
open       /matches/SLUG/              302        302        200        200
open       /matches/SLUG/fairness/     200        200        200        200
open       /matches/SLUG/join/         200        200        302        302
open       /matches/SLUG/match.json    409        409        409        409
open       /matches/SLUG/replay/       409        409        409        409
open       /matches/SLUG/result/       409        409        409        409
open       /matches/SLUG/table/        204        204        204        204
running    /api/matches/SLUG/          200        200        200        200
running    /api/matches/SLUG/events/   200        200        200        200
running    /api/matches/SLUG/fairness/ 200        200        200        200
running    /api/matches/SLUG/record/   409        409        409        409
running    /api/matches/SLUG/replay/   409        409        409        409
running    /api/matches/SLUG/result/   409        409        409        409
running    /api/matches/SLUG/series/   404        404        404        404
running    /api/matches/SLUG/state/    200        200        200        200
running    /matches/SLUG/              200        200        200        200
running    /matches/SLUG/fairness/     200        200        200        200
running    /matches/SLUG/join/         302        302        302        302
running    /matches/SLUG/match.json    409        409        409        409
running    /matches/SLUG/replay/       409        409        409        409
running    /matches/SLUG/result/       409        409        409        409
running    /matches/SLUG/table/        200        200        200        200
cancelled  /api/matches/SLUG/          200        200        200        200
cancelled  /api/matches/SLUG/events/   200        200        200        200
cancelled  /api/matches/SLUG/fairness/ 200sS      200sS      200sS      200sS
cancelled  /api/matches/SLUG/record/   409        409        409        409
cancelled  /api/matches/SLUG/replay/   409        409        409        409
cancelled  /api/matches/SLUG/result/   409        409        409        409
cancelled  /api/matches/SLUG/series/   404        404        404        404
cancelled  /api/matches/SLUG/state/    200        200        200        200
cancelled  /matches/SLUG/              200        200        200        200
cancelled  /matches/SLUG/fairness/     200sS      200sS      200sS      200sS
cancelled  /matches/SLUG/join/         302        302        302        302
cancelled  /matches/SLUG/match.json    409        409        409        409
cancelled  /matches/SLUG/replay/       409        409        409        409
cancelled  /matches/SLUG/result/       409        409        409        409
cancelled  /matches/SLUG/table/        204        204        204        204
finished   /api/matches/SLUG/          200D       200D       200D       200D
finished   /api/matches/SLUG/events/   200D       200D       200D       200D
finished   /api/matches/SLUG/fairness/ 200DsSm    200DsSm    200DsSm    200DsSm
finished   /api/matches/SLUG/record/   200Dsm      200Dsm      200Dsm      200Dsm
finished   /api/matches/SLUG/replay/   200D       200D       200D       200D
finished   /api/matches/SLUG/result/   200D       200D       200D       200D
finished   /api/matches/SLUG/series/   404        404        404        404
finished   /api/matches/SLUG/state/    200D       200D       200D       200D
finished   /matches/SLUG/              200        200        200D       200
finished   /matches/SLUG/fairness/     200sSm     200sSm     200sSm     200sSm
finished   /matches/SLUG/join/         302        302        302        302
finished   /matches/SLUG/match.json    200Dsm      200Dsm      200Dsm      200Dsm
finished   /matches/SLUG/replay/       200        200        200        200
finished   /matches/SLUG/result/       200dDs     200dDs     200dDs     200dDs
finished   /matches/SLUG/table/        200        200        200D       200
open       /api/matches/SLUG/chat/    200        200        200        200
open       /api/matches/SLUG/notes/   401        200        200        200
open       /matches/SLUG/moment.jpg   409        409        409        409
open       /matches/SLUG/talk/        200        200        200        200
open       /matches/SLUG/talk/report/ 302        200        200        200
running    /api/matches/SLUG/chat/    200        200        200        200
running    /api/matches/SLUG/notes/   401        200        200        200
running    /matches/SLUG/moment.jpg   409        409        409        409
running    /matches/SLUG/talk/        200        200        200        200
running    /matches/SLUG/talk/report/ 302        200        200        200
finished   /api/matches/SLUG/chat/    200        200        200        200
finished   /api/matches/SLUG/notes/   401        200        200        200
finished   /matches/SLUG/moment.jpg   200        200        200        200
finished   /matches/SLUG/talk/        200        200        200        200
finished   /matches/SLUG/talk/report/ 302        200        200        200
cancelled  /api/matches/SLUG/chat/    200        200        200        200
cancelled  /api/matches/SLUG/notes/   401        200        200        200
cancelled  /matches/SLUG/moment.jpg   409        409        409        409
cancelled  /matches/SLUG/talk/        200        200        200        200
cancelled  /matches/SLUG/talk/report/ 302        200        200        200
open       /api/matches/SLUG/comments/  200        200        200        200
open       /api/matches/SLUG/orders/  401        403        200        200
open       /api/matches/SLUG/orders/ahead/ 401    403        200        200
open       /matches/SLUG/ahead/       302        403        422        422
running    /api/matches/SLUG/comments/  200        200        200        200
running    /api/matches/SLUG/orders/  401        403        200        200
running    /api/matches/SLUG/orders/ahead/ 401    403        200        200
running    /matches/SLUG/ahead/       302        403        200        200
finished   /api/matches/SLUG/comments/  200        200        200        200
finished   /api/matches/SLUG/orders/  401        403        200        200
finished   /api/matches/SLUG/orders/ahead/ 401    403        200        200
finished   /matches/SLUG/ahead/       302        403        422        422
cancelled  /api/matches/SLUG/comments/  200        200        200        200
cancelled  /api/matches/SLUG/orders/  401        403        200        200
cancelled  /api/matches/SLUG/orders/ahead/ 401    403        200        200
cancelled  /matches/SLUG/ahead/       302        403        422        422
open       /matches/SLUG/next/        302        302        302        302
running    /matches/SLUG/next/        302        302        302        302
finished   /matches/SLUG/next/        302        302        302        302
cancelled  /matches/SLUG/next/        302        302        302        302
open       /api/matches/SLUG/hint/       200        200        200        200
open       /api/matches/SLUG/lookback/   409        409        409        409
open       /matches/SLUG/hint/           200        200        200        200
open       /matches/SLUG/lookback/       409        409        409        409
running    /api/matches/SLUG/hint/       200        200        200        200
running    /api/matches/SLUG/lookback/   409        409        409        409
running    /matches/SLUG/hint/           200        200        200        200
running    /matches/SLUG/lookback/       409        409        409        409
finished   /api/matches/SLUG/hint/       200        200        200        200
finished   /api/matches/SLUG/lookback/   403        403        200        200
finished   /matches/SLUG/hint/           200        200        200        200
finished   /matches/SLUG/lookback/       403        403        200        200
cancelled  /api/matches/SLUG/hint/       200        200        200        200
cancelled  /api/matches/SLUG/lookback/   409        409        409        409
cancelled  /matches/SLUG/hint/           200        200        200        200
cancelled  /matches/SLUG/lookback/       409        409        409        409
"""


@dataclass(frozen=True)
class Told:
    """What must not be found where it is secret."""

    match: Match
    cards: set[str]

    def marks(self, body: str) -> str:
        """What of it is in an answer."""
        seats = list(self.match.seats.all())
        notations = set(
            self.match.moves.filter(move__isnull=False).values_list("notation", flat=True)
        )
        values = {
            "d": NAME in body or json.dumps(NAME)[1:-1] in body,
            "D": any(card in body for card in self.cards),
            "s": bytes(self.match.server_seed).hex() in body,
            "S": engine.match_seed(self.match, seats).hex() in body,
            "m": bool(notations) and all(notation in body for notation in notations),
        }
        return "".join(letter for letter, value in values.items() if value)


@pytest.fixture
def open_match(make_match: MakeMatch, ann: User, bob: User) -> Match:
    """Ann's table; Bob sits there with his private deck, and one seat is free."""
    whole_catalog()
    game = EXAMPLE
    ready = [deck for deck in game.starter_decks.values() if "tournament" in deck.modes]
    deck = create_deck(owner=bob, game=GAME, mode="tournament", name=NAME, cards=ready[1].cards)
    seats = [SeatPlan(user=ann), SeatPlan("open"), SeatPlan("open")]
    match = make_match(game=GAME, mode="tournament", options={}, seats=seats)
    join_match(match=match, user=bob, deck=deck.slug, client_seed="tea")
    return match


def in_status(match: Match, status: str, host: User, third: User) -> Told:
    """Bring the open match there. Of Bob's cards those count that nobody can know by playing."""
    bobs = set(match.seats.get(number=1).deck["main"])
    if status == Status.CANCELLED:
        leave_match(match=match, user=host)
    elif status != Status.OPEN:
        join_match(match=match, user=third)
        match = play_on(match, 12)
        table = engine.load(match)
        seen = json.dumps([table.view(seat) for seat in (None, 0, 1, 2)])
        seen += json.dumps([match.opening_events, *match.moves.values_list("events", "notation")])
        others = {card for seat in match.seats.exclude(number=1) for card in seat.deck["main"]}
        bobs = {card for card in bobs - others if card not in seen}
    if status == Status.FINISHED:
        for user in (third, host):
            concede(slug=match.slug, user=user)
    match.refresh_from_db()
    assert match.status == status and bobs
    return Told(match, bobs)


def addresses() -> set[str]:
    """Every address of one match."""
    names = set()
    for part in get_resolver().url_patterns:
        for inner in getattr(part, "url_patterns", ()):
            route = f"/{part.pattern}{inner.pattern}"
            # One line or note of a match can be removed, not read.
            about_all = "<" not in route.replace("<slug:slug>", "")
            if "matches/<slug:slug>/" in route and about_all and not route.startswith("/events"):
                names.add(route.replace("<slug:slug>", "SLUG"))
    return names


def rows() -> dict[tuple[str, str], list[str]]:
    """What each column gets, by status and address."""
    split = (line.split() for line in TABLE.strip().splitlines())
    return {(status, address): cells for status, address, *cells in split}


def clients(*people: User | None) -> list[Client]:
    """A browser for each."""
    entries = []
    for user in people:
        client = Client()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        entries.append(client)
    return entries


def test_every_address_has_a_row_for_every_status(open_match: Match, ann: User) -> None:
    (client,) = clients(ann)
    values = {path.replace("SLUG", open_match.slug): path for path in addresses()}
    names = {path for address, path in values.items() if client.get(address).status_code != 405}
    assert set(rows()) == {(status, path) for status in Status.values for path in names}


@pytest.mark.parametrize("status", Status.values)
def test_what_is_shown(
    open_match: Match, status: str, ann: User, bob: User, stranger: User
) -> None:
    expected_marks = in_status(open_match, status, ann, person("Cleo"))
    looking = clients(None, stranger, bob, ann)
    assert len(looking) == len(COLUMNS)
    wanted = {path: cells for (key, path), cells in rows().items() if key == status}
    values = {}
    for path in wanted:
        address = path.replace("SLUG", expected_marks.match.slug)
        answers = [client.get(address) for client in looking]
        values[path] = [
            f"{answer.status_code}{expected_marks.marks(answer.content.decode(errors='replace'))}"
            for answer in answers
        ]
    assert values == wanted


@pytest.mark.parametrize("status", [value for value in Status.values if value != Status.OPEN])
def test_a_private_match_shows_strangers_nothing(
    open_match: Match, status: str, ann: User, stranger: User
) -> None:
    expected_marks = in_status(open_match, status, ann, person("Cleo"))
    Match.objects.filter(pk=expected_marks.match.pk).update(private=True)
    for (value_result, path), (nobody, *_) in rows().items():
        if value_result == status:
            for client, wanted in zip(clients(None, stranger), (nobody, "403"), strict=True):
                # Whoever is not logged in may be asked to be first, whatever the match.
                refusals = {"403", wanted} if wanted in {"401", "302"} else {"403"}
                answer = client.get(path.replace("SLUG", expected_marks.match.slug))
                assert str(answer.status_code) in refusals, path
                assert expected_marks.marks(answer.content.decode()) == ""


def test_lists_show_no_deck_of_a_table_that_was_called_off(
    open_match: Match, ann: User, bob: User, stranger: User
) -> None:
    expected_marks = in_status(open_match, Status.CANCELLED, ann, person("Cleo"))
    for client in clients(None, stranger, bob, ann):
        for address in ("/matches/", "/api/matches/", "/api/matches/?mine=true"):
            assert expected_marks.marks(client.get(address).content.decode()) == ""
