"""The games' cards in the test database: written once a run, found again by every test."""

from __future__ import annotations

import rules
from collection.models import Card, CardInSet, CardSet, CatalogWord, Facet, Game
from collection.services.catalog import Synced, sync_catalog


def whole_catalog() -> Synced:
    """All games' real cards; written only where an earlier test has emptied the tables."""
    games = rules.games()
    cards = sum(len(game.catalog) for game in games.values())
    if Card.objects.filter(retired=False).count() == cards:
        return Synced(games=len(games), cards=cards)
    return sync_catalog()


def no_catalog() -> None:
    """Take all cards away, for tests that bring cards of their own."""
    for model in (CatalogWord, Facet, CardInSet, Card, CardSet, Game):
        model.objects.all().delete()
