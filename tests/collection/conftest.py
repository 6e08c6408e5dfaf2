"""The real catalog, catalogs made for a test, and a folder of its own for pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import Settings

import rules
from collection.drawing import pictures
from collection.services.catalog import Synced
from rules.engine.cards import CardSet, CardType
from tests.games.examples import EXAMPLE
from tests.support.catalog import no_catalog, whole_catalog

MakeGames = Callable[..., None]


@pytest.fixture(autouse=True)
def own_pictures(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    """Pictures go to a folder of the test, and no test remembers another's cards."""
    settings.MEDIA_ROOT = tmp_path / "media"
    pictures.forget()
    yield tmp_path / "media" / "cards"
    pictures.forget()


@pytest.fixture
def catalog(db: None) -> Synced:
    """The games' real cards, in the database."""
    return whole_catalog()


def card(slug: str, *sets: str, **words: object) -> CardType:
    """A small card of the made-up game."""
    fields: dict[str, object] = {
        "name": slug.capitalize(),
        "kind": "beast",
        "rarity": "common",
        "sets": sets or ("first",),
    }
    return CardType(slug=slug, **(fields | words))  # type: ignore[arg-type]


@pytest.fixture
def made_up(db: None, monkeypatch: pytest.MonkeyPatch) -> MakeGames:
    """Replace the site's games by one with the given cards, or by none at all."""
    sets = (CardSet("first", "First Light", 1), CardSet("second", "Second Wind", 2))
    template = EXAMPLE

    no_catalog()

    def make(*cards: CardType, sets: tuple[CardSet, ...] = sets, games: int = 1) -> None:
        game = replace(template, slug="moss-run", name="Moss Run", package="tests.collection")
        vars(game).update(
            catalog={card.slug: card for card in cards},
            sets=sets,
            products=template.products,
            starter_decks=template.starter_decks,
        )
        monkeypatch.setattr(rules, "games", lambda: {"moss-run": game} if games else {})
        pictures.forget()

    return make
