"""People, a catalog and decks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.models import Deck
from decks.services import decks as services

CLAW = "kao-char-red-claw"


@pytest.fixture
def catalog(db: None) -> None:
    """The cards of all games, in the database."""
    sync_catalog()


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("mira", password="mira-and-her-cards")


@pytest.fixture
def stranger(db: None) -> User:
    return User.objects.create_user("otto", password="otto-and-his-cards")


@pytest.fixture
def make_deck(catalog: None, owner: User) -> Callable[..., Deck]:
    """A deck of the owner's: two red Claws for Tournament Play, unless something else is said."""

    def make(**about: object) -> Deck:
        given: dict[str, object] = {
            "owner": owner,
            "game": "kaolan",
            "mode": "tournament",
            "name": "Embers",
            "cards": {"main": {CLAW: 2}},
        }
        given |= about
        if "text" in about:
            del given["cards"]
        return services.create_deck(**given)  # type: ignore[arg-type]

    return make
