"""Which rules of a rulebook name a card."""

from __future__ import annotations

import pytest
from django.test import Client

import rules
from collection.queries.rulings import rulings
from collection.services.catalog import Synced
from tests.games.examples import OTHER_GAME, RULED_CARD, RULING


def named(game: str) -> dict[str, list[str]]:
    """The cards that have rulings: the rules' IDs by title."""
    rules_by_card = {}
    for card in rules.game(game).catalog.values():
        if named_by := [ruling.rule for ruling in rulings(game, card.title, card.name)]:
            rules_by_card[card.title] = named_by
    return rules_by_card


def test_a_game_that_is_not_there_has_no_rulings() -> None:
    assert rulings("nowhere", "Open Alliance") == []


@pytest.mark.django_db
def test_the_cards_page_tells_them(client: Client, catalog: Synced) -> None:
    page = client.get(f"/cards/{OTHER_GAME}/{RULED_CARD}/")
    assert RULING in page.content.decode()
