"""How a card's page tells of public decks: how many play it, which, and what is beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from collection.models import Card
from decks.models import Deck, Visibility
from decks.queries import played
from tests.games.examples import AMBUSH, CLAW, FLAME, GAME, STINGER
from tests.matches.conftest import queries_of

pytestmark = pytest.mark.django_db
PAGE = f"/decks/with/{GAME}/{CLAW}/"


def show(make_deck: Callable[..., Deck], name: str, cards: dict[str, int], likes: int = 0) -> Deck:
    deck = make_deck(name=name, cards={"main": cards}, visibility=Visibility.PUBLIC)
    Deck.objects.filter(pk=deck.pk).update(like_count=likes, visibility=Visibility.PUBLIC)
    return deck


def test_public_decks_are_counted_and_nobody_else_s(
    make_deck: Callable[..., Deck], client: Client, owner: User
) -> None:
    show(make_deck, "First", {CLAW: 2, FLAME: 1}, likes=1)
    show(make_deck, "Second", {CLAW: 1, FLAME: 1, STINGER: 1}, likes=5)
    show(make_deck, "Third", {STINGER: 1})
    make_deck(name="Hidden", cards={"main": {CLAW: 1, STINGER: 2}})
    numbers = played.played(Card.objects.get(slug=CLAW))
    assert (numbers.decks, numbers.of, numbers.percent, numbers.copies) == (2, 3, 67, 1.5)
    assert [deck.name for deck in numbers.named] == ["Second", "First"]
    assert [(row.card.slug, row.decks, row.percent) for row in numbers.beside] == [
        (FLAME, 2, 100), (STINGER, 1, 50),
    ]  # fmt: skip
    html = client.get(PAGE).content.decode()
    assert "2 of 3</strong> public decks (67%)" in html and "1.5 copies on average" in html
    assert "Second" in html and "Hidden" not in html
    part = client.get(PAGE, headers={"HX-Request": "true"})
    assert b"<html" not in part.content and b"2 of 3" in part.content
    card_page = client.get(f"/cards/{GAME}/{CLAW}/").content.decode()
    assert f'hx-get="{PAGE}"' in card_page and f'href="{PAGE}"' in card_page
    assert (
        "None of 3 public decks plays it."
        in client.get(f"/decks/with/{GAME}/{AMBUSH}/").content.decode()
    )
    assert client.get(f"/decks/with/{GAME}/none/").status_code == 404


def test_it_costs_the_same_for_many_decks_and_looks_at_the_latest(
    make_deck: Callable[..., Deck], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for number in range(6):
        show(make_deck, f"Deck {number}", {CLAW: 1, FLAME: 1, STINGER: 1})
        if number in (0, 5):
            client.get(PAGE)
            counts.append(queries_of(lambda: client.get(PAGE)))
    assert counts[0] == counts[1]
    monkeypatch.setattr(played, "SAMPLE", 4)
    assert played.played(Card.objects.get(slug=CLAW)).of == 4
