"""The formats that games define: ready with the catalog, and the default of deck checks."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

import rules
from accounts.models import User
from collection.services.catalog import sync_catalog
from decks.models import Format
from decks.queries import formats as queries
from decks.services import checks, formats
from rules.engine.format_files import load_formats
from rules.engine.modes import DeckFormat

DEFAULTS = [
    (game.slug, mode, defined)
    for game in rules.games().values()
    for defined in game.deck_formats
    for mode in defined.modes
    if defined.default
]


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def default() -> tuple[str, str, DeckFormat]:
    assert DEFAULTS, "no game defines a default format"
    return DEFAULTS[0]


def test_every_format_of_a_game_is_offered_once(catalog: None, ada: User) -> None:
    sync_catalog()
    for game in rules.games().values():
        offered = queries.offered(ada, game.slug).filter(owner=None)
        assert {(row.mode, row.name) for row in offered} == {
            (mode, defined.name) for defined in game.deck_formats for mode in defined.modes
        }
        assert all(row.versions.count() == 1 for row in offered)


def test_formats_of_a_game_have_the_form_of_all_others() -> None:
    for game in rules.games().values():
        assert game.deck_formats == load_formats(game.package, tuple(game.modes))


def test_a_check_without_a_format_uses_the_default(
    catalog: None, ada: User, client: Client, default: tuple[str, str, DeckFormat]
) -> None:
    sync_catalog()
    game, mode, defined = default
    check = checks.create_check(organiser=ada, title="Open", game=game, mode=mode)
    assert check.house is not None and check.house.format.name == defined.name
    assert queries.rules_format(check.house) == dict(defined.options)
    card, most = next(iter(defined.restricted.items()))
    page = client.get(check.house.format.get_absolute_url()).text
    assert rules.game(game).catalog[card].title in page and f">{most}</td>" in page
    assert defined.reason in page
    version = client.get(f"/api/formats/{check.house.format.slug}/").json()["versions"][0]
    by_options = version["restricted_by_options"]
    assert {slug: row["most"] for slug, row in by_options.items()} == defined.restricted
    assert version["restricted"] == {}, "whoever sends it back restricts nothing twice"


def test_a_later_list_becomes_a_version_and_a_published_one_stays(
    catalog: None,
    ada: User,
    default: tuple[str, str, DeckFormat],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sync_catalog()
    game, mode, defined = default
    row = Format.objects.get(game=game, mode=mode, default=True)
    ada.is_staff = True
    ada.save()
    published = formats.publish_version(format=row, by=ada, rules_of=formats.Rules())
    sync_catalog()
    assert queries.present(queries.format_of(row.slug)) == published

    def define(*deck_formats: DeckFormat) -> None:
        monkeypatch.setitem(vars(rules.game(game)), "deck_formats", deck_formats)
        sync_catalog()

    values: dict[str, Any] = {name: getattr(defined, name) for name in defined.__slots__}
    define(DeckFormat(**values | {"version": published.number + 1}))
    assert queries.present(queries.format_of(row.slug)).options == dict(defined.options)
    define()
    row.refresh_from_db()
    assert row.retired and not queries.default_of(game, mode)
