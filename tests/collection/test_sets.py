"""The page of a set: its checklist, goals, what is put on the wishlist, and the packs to open."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from collection.copies import Described
from collection.models import Card, CardInSet, CardSet, Holding
from collection.queries import sets
from collection.services import describing, holdings
from collection.services.catalog import Synced
from tests.games.examples import CARD_SET, CLAW, GAME, LARGE_SET, MASTER_DECK, PACK

pytestmark = pytest.mark.django_db
PAGE = f"/sets/{GAME}/{CARD_SET}/"


@pytest.fixture
def ada(catalog: Synced) -> User:
    ada = User.objects.create_user("ada")
    holdings.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    return ada


@pytest.fixture
def ada_s(client: Client, ada: User) -> Client:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    return client


def listed(owner: User | None, goal: sets.Goal) -> sets.Checklist:
    return sets.checklist(sets.set_of(GAME, CARD_SET), owner, goal)


def count(owner: User, slug: str, total: int) -> Card:
    card = Card.objects.get(slug=slug)
    holdings.count_by_hand(owner=owner, card=card, token=f"token-{slug}"[:40], total=total)
    return card


def test_a_checklist_is_by_number_with_own_missing_and_wanted(ada_s: Client, ada: User) -> None:
    card = count(ada, CLAW, 3)
    holdings.mark(owner=ada, card=card, wishlist=5)
    html = ada_s.get(PAGE).content.decode()
    numbers = [int(number) for number in re.findall(r'class="set-number">(\d+)<', html)]
    printed = CardInSet.objects.filter(card_set__slug=CARD_SET, number__isnull=False)
    assert numbers == sorted(printed.values_list("number", flat=True))
    row = html[html.index("Red Claw</a>") :].split("</tr>")[0]
    assert "<span data-count>3</span>" in row and '<td class="set-missing">5</td>' in row
    owned = Holding.objects.filter(owner=ada, quantity__gt=0, card__printings__in=printed).count()
    assert f"<strong>{owned} of {len(numbers)}</strong> complete" in html
    missing = ada_s.get(f"{PAGE}?show=missing").content.decode()
    assert missing.count('class="set-number"') == len(numbers) - owned
    assert ada_s.get("/sets/chess/none/").status_code == 404


def test_each_goal_counts_by_itself(ada: User) -> None:
    card = count(ada, CLAW, 1)
    by_goal = {goal: listed(ada, goal) for goal in sets.GOALS}
    rows = {goal: next(row for row in by_goal[goal].cards if row.slug == CLAW) for goal in by_goal}
    assert [rows[goal].missing for goal in ("one", "playset", "foil")] == [0, 1, 1]
    describing.describe(owner=ada, card=card, rows=[Described(1, finish="etched")])
    assert next(row for row in listed(ada, "foil").cards if row.slug == CLAW).missing == 0
    assert by_goal["one"].done > by_goal["playset"].done == 0
    assert listed(ada, "foil").done == 1 and listed(ada, "foil").percent < 100


def test_the_rest_is_wanted_once(ada_s: Client, ada: User) -> None:
    count(ada, CLAW, 1)
    address = f"{PAGE}want/"
    first = ada_s.post(address, {"goal": "playset"}, follow=True).content.decode()
    missing = listed(ada, "playset").missing
    assert f"Added {sum(row.missing for row in missing):,} copies to your wishlist." in first
    assert Holding.objects.get(owner=ada, card__slug=CLAW).wishlist == 2
    again = ada_s.post(address, {"goal": "playset"}, follow=True).content.decode()
    assert "on your wishlist already" in again


def test_packs_say_what_it_takes_to_finish(ada_s: Client, ada: User) -> None:
    html = ada_s.get(f"{PAGE}?packs=50").content.decode()
    part = html[html.index('id="packs-title"') :]
    (row,) = [row for row in sets.finishing(listed(ada, "one"), 50) if row.product.slug == PACK]
    goal = row.goal
    assert goal.chance(goal.half) >= 0.5 > goal.chance(goal.half - 1)
    for words in (f"{goal.wanted} missing card", f"<dd>{goal.half}</dd>", f"<dd>{goal.most}</dd>"):
        assert words in part
    for odd in ("0", "x", "99999999", "-3"):
        assert ada_s.get(f"{PAGE}?packs={odd}").status_code == 200


def test_packs_are_counted_for_the_goal(ada_s: Client, ada: User) -> None:
    """Two copies of a card that a deck may hold twice take more packs than the first one."""
    by_goal = {
        goal: {row.product.slug: row.goal for row in sets.finishing(listed(ada, goal), 50)}
        for goal in sets.GOALS
    }
    assert by_goal["playset"][PACK].wanted > by_goal["one"][PACK].wanted
    assert by_goal["playset"][PACK].expected > by_goal["one"][PACK].expected
    assert by_goal["foil"] == {}
    html = ada_s.get(f"{PAGE}?goal=playset").content.decode()
    assert f"{by_goal['playset'][PACK].wanted} missing copies" in html
    assert "Packs bring no foils." in ada_s.get(f"{PAGE}?goal=foil").content.decode()


def test_a_visitor_sees_the_list_and_wants_as_a_guest(client: Client, catalog: Synced) -> None:
    html = client.get(PAGE).content.decode()
    assert "Start a collection" in html and 'class="set-missing"' not in html
    assert client.post(f"{PAGE}want/", {"goal": "one"}).status_code == 302
    size = CardInSet.objects.filter(card_set__slug=CARD_SET, number__isnull=False).count()
    assert User.objects.get().is_guest and Holding.objects.filter(wishlist=1).count() == size


def test_a_set_costs_the_same_whatever_is_owned_of_it(ada_s: Client, ada: User) -> None:
    counts = []
    for slug in (CLAW, None):
        for card in Card.objects.filter(game__slug=GAME)[: 1 if slug else 30]:
            count(ada, card.slug, 9)
        ada_s.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            ada_s.get(f"{PAGE}?goal=foil")
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 12


def test_a_long_set_comes_in_pages(ada_s: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "PAGE_SIZE", 10)
    address = f"/sets/{GAME}/{LARGE_SET}/"
    html = ada_s.get(address).content.decode()
    assert html.count('class="set-number"') == 10 and f'href="{address}?after=10"' in html
    later = ada_s.get(f"{address}?after=10").content.decode()
    assert 'class="set-number">11<' in later and 'class="set-number">10<' not in later


@pytest.mark.parametrize(
    "address",
    [
        f"/cards/{GAME}/{CLAW}/",
        "/collection/progress/",
        f"/cards/?game={GAME}&set={GAME}.{CARD_SET}",
    ],
)
def test_wherever_a_set_is_named_its_page_is_one_press_away(ada_s: Client, address: str) -> None:
    assert f'href="{PAGE}"' in ada_s.get(address).content.decode()


def test_every_set_has_a_page(client: Client, catalog: Synced) -> None:
    for card_set in CardSet.objects.filter(retired=False).select_related("game"):
        response = client.get(f"/sets/{card_set.game.slug}/{card_set.slug}/")
        assert response.status_code == 200, card_set
