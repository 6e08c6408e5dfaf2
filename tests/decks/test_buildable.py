"""Decks that a collection is enough for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from decks.models import Deck
from decks.queries import buildable
from tests.decks.test_builder import give
from tests.games.examples import CLAW, EXAMPLE, FLAME, GAME, OTHER_GAME, READY_CARDS, READY_DECK

pytestmark = pytest.mark.django_db
MakeDeck = Callable[..., Deck]


def names(user: User) -> list[tuple[str, int]]:
    """Names of public decks with what is missing, in their order."""
    decks, _ = buildable.buildable_decks(user, GAME)
    return [(row.page.deck.name, row.missing) for row in decks if row.page]


def test_those_with_the_fewest_cards_missing_come_first(
    make_deck: MakeDeck, stranger: User
) -> None:
    for name, cards in (
        ("Far", {CLAW: 29}),
        ("Near", {CLAW: 23, FLAME: 1}),
        ("All", {CLAW: 22}),
        ("Draft", {CLAW: 1}),
    ):
        make_deck(name=name, cards={"main": cards}, visibility="public")
    make_deck(name="Hidden", visibility="private")
    make_deck(name="Empty", cards={}, visibility="public")
    give(stranger, {CLAW: 22, FLAME: 1})
    assert names(stranger) == [("All", 0), ("Near", 1), ("Far", 7)]
    assert names(Deck.objects.all()[0].owner) == [], "one's own are on another page"
    give(stranger, dict(READY_CARDS["main"]))
    decks, _ = buildable.buildable_decks(stranger, GAME)
    ready = next(row for row in decks if row.starter and row.starter.slug == READY_DECK)
    assert (ready.missing, ready.owned) == (0, ready.size)


def test_the_page(
    client: Client,
    make_deck: MakeDeck,
    stranger: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make_deck(name="Near", cards={"main": {CLAW: 30}}, visibility="public")
    assert client.get("/decks/buildable/").status_code == 302
    client.force_login(stranger)
    assert "no cards of this game yet" in client.get("/decks/buildable/").text
    give(stranger, {CLAW: 20})
    page = " ".join(client.get("/decks/buildable/").text.split())
    assert f'<option value="{GAME}" selected>' in page and "You own 20 of 30 cards" in page
    other = client.get("/decks/buildable/", {"game": OTHER_GAME}).text
    assert f'<option value="{OTHER_GAME}" selected>' in other and "Near" not in other
    monkeypatch.setattr(buildable, "PAGE_SIZE", 2)
    first, more = buildable.buildable_decks(stranger, GAME)
    assert (len(first), more) == (2, True)
    for number in range(6):
        make_deck(name=f"D{number}", cards={"main": {FLAME: 20}}, visibility="public")
    counts: list[Any] = []
    for _ in range(2):
        with django_assert_num_queries(6) as seen:
            buildable.buildable_decks(stranger, GAME)
        counts.append(len(seen))
        make_deck(name="One more", cards={"main": {FLAME: 20, CLAW: 1}}, visibility="public")
    assert len(set(counts)) == 1
    everything = len(EXAMPLE.starter_decks) + Deck.objects.filter(visibility="public").count()
    assert not buildable.buildable_decks(stranger, GAME, start=everything - 2)[1]
    assert re.search(r"page=2", page) is None
