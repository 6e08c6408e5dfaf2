"""People, a catalog and decks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

import rules
from accounts.models import Friendship, User
from decks.models import Deck
from decks.services import decks as services
from rules.engine.game import Mode
from rules.engine.legality import Report
from tests.games.examples import CLAW, EXAMPLE, GAME
from tests.support.catalog import whole_catalog


@pytest.fixture
def catalog(db: None) -> None:
    """The cards of all games, in the database."""
    whole_catalog()


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("mira", password="mira-and-her-cards")


@pytest.fixture
def stranger(db: None) -> User:
    return User.objects.create_user("otto", password="otto-and-his-cards")


@pytest.fixture
def people(owner: User, stranger: User) -> dict[str, APIClient]:
    """The owner of something, and others who ask for it by API; a friend, too, and staff."""
    friend = User.objects.create_user("ines")
    Friendship.objects.create(sender=owner, recipient=friend, accepted_at=timezone.now())
    staff = User.objects.create_user("sam", is_staff=True)
    users = {"stranger": stranger, "friend": friend, "staff": staff, "owner": owner}
    clients = {"anonymous": APIClient()} | {name: APIClient() for name in users}
    for name, user in users.items():
        clients[name].force_authenticate(user)
    return clients


@pytest.fixture
def make_deck(catalog: None, owner: User) -> Callable[..., Deck]:
    """A deck of the owner's: two red Claws for Tournament Play, unless something else is said."""

    def make(**about: object) -> Deck:
        values: dict[str, object] = {
            "owner": owner,
            "game": GAME,
            "mode": "tournament",
            "name": "Embers",
            "cards": {"main": {CLAW: 2}},
        }
        values |= about
        if "text" in about:
            del values["cards"]
        return services.create_deck(**values)  # type: ignore[arg-type]

    return make


@pytest.fixture
def teams(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mode whose decks have three sections and no rules, made up for tests."""
    mode = Mode("teams", "Teams", "", range(2, 3), own_decks=True)
    mode = dataclasses.replace(mode, sections=("team", "planning", "combat"))

    def check(mode: str, *about: Any, **more: Any) -> Report:
        return Report() if mode == "teams" else EXAMPLE.check(mode, *about, **more)

    modes = {**EXAMPLE.modes, "teams": mode}
    games = dict(rules.games()) | {GAME: dataclasses.replace(EXAMPLE, modes=modes, check=check)}
    monkeypatch.setattr(rules, "games", lambda: games)
