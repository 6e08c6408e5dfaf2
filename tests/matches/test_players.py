"""The lists of players, and of people that somebody has played with."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import BlockKind, User
from accounts.services.blocks import block
from matches.models import Rating
from matches.services.setup import SeatPlan
from tests.games.examples import GAME
from tests.matches.conftest import MakeMatch, person
from tests.matches.test_pages import logged_in
from tests.matches.test_ratings import over, read

pytestmark = pytest.mark.django_db


def names(client: Client, address: str) -> list[str]:
    html = client.get(address).content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    rows = [row.partition('href="/people/')[2].partition("/")[0] for row in html.split("<tr>")]
    return [name for name in rows if name]


def test_players_by_name_and_by_rating(ann: User, bob: User, stranger: User) -> None:
    person("Gast", is_guest=True)
    hidden = person("Hidden", shows_record=False)
    read(over([ann, bob], [1, 2]))
    read(over([ann, hidden], [2, 1]))
    visitor, rated = Client(), f"/people/?play={GAME}/match&speed=web"
    assert names(visitor, "/people/") == ["ann", "bob", "sam"]
    assert names(visitor, "/people/?q=AN") == ["ann"]
    assert names(visitor, rated) == ["ann", "bob"], "the best first"
    assert Rating.objects.filter(user=hidden).exists()
    page = logged_in(stranger).get(rated).content.decode()
    assert '<option value="web" selected>' in visitor.get("/people/").content.decode()
    assert f"/play/?game={GAME}&amp;mode=match&amp;opponent=ann" in page
    assert "Provisional" in page
    assert visitor.get("/people/?play=chess/blitz").status_code == 422
    block(user=bob, username="sam", kind=BlockKind.TABLES)
    assert names(logged_in(stranger), "/people/") == ["ann", "sam"]


def test_people_one_played_with(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    for other in (bob, bob, stranger):
        make_match(seats=[SeatPlan(user=ann), SeatPlan(user=other)])
    make_match(seats=[SeatPlan(user=bob), SeatPlan(user=person("Cleo"))])
    address = "/people/you-played-with/"
    assert names(logged_in(ann), address) == ["sam", "bob"], "the latest first"
    assert names(logged_in(ann), f"{address}?q=bo") == ["bob"]
    assert names(logged_in(stranger), address) == ["ann"]
    page = logged_in(ann).get(address).content.decode()
    assert '<td class="number">2</td>' in page and "/play/?opponent=bob" in page
