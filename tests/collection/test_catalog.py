"""The catalog in the database follows the rules' files."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

import rules
from collection.drawing.printed import from_row, printed_card
from collection.models import Card, CardInSet, CardSet, Game
from collection.services import catalog as services
from collection.services.catalog import Synced, sync_catalog
from tests.collection.conftest import MakeGames, card
from tests.support.catalog import no_catalog

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def catalog(db: None) -> Synced:
    """The cards as the first synchronisation writes them."""
    no_catalog()
    return sync_catalog()


def numbers(set_slug: str) -> dict[str, int | None]:
    rows = CardInSet.objects.filter(card_set__slug=set_slug).order_by("number")
    return {row.card.slug: row.number for row in rows.select_related("card")}


def test_every_card_of_every_game_is_stored_as_printed(catalog: Synced) -> None:
    games = rules.games()
    assert catalog.games == len(games)
    assert catalog.cards == sum(len(game.catalog) for game in games.values())
    assert Card.objects.count() == catalog.cards
    for row in Card.objects.select_related("game").prefetch_related("printings__card_set"):
        assert from_row(row) == printed_card(row.game.slug, row.slug)
        assert from_row(row).content_hash() == row.content_hash


def test_a_second_run_changes_nothing(catalog: Synced) -> None:
    before = list(Card.objects.values()), list(CardInSet.objects.values())
    again = sync_catalog()
    assert again.nothing_new
    assert (list(Card.objects.values()), list(CardInSet.objects.values())) == before


def test_a_changed_text_changes_that_card_alone(made_up: MakeGames) -> None:
    made_up(card("adder", text="Hiss."), card("boar"))
    sync_catalog()
    before = {row.slug: row.content_hash for row in Card.objects.all()}
    made_up(card("adder", text="Hiss twice."), card("boar"))
    done = sync_catalog()
    after = {row.slug: row.content_hash for row in Card.objects.all()}
    assert done.changed == ("Adder",)
    assert Card.objects.get(slug="adder").text == "Hiss twice."
    assert before["adder"] != after["adder"]
    assert before["boar"] == after["boar"]


def test_a_vanished_card_is_retired_and_comes_back_as_itself(made_up: MakeGames) -> None:
    made_up(card("adder", "first", "second"), card("boar", "first"))
    sync_catalog()
    key = Card.objects.get(slug="adder").pk

    made_up(card("boar", "first"))
    gone = sync_catalog()
    assert gone.retired == ("Adder",)
    adder = Card.objects.get(pk=key)
    assert adder.retired
    assert numbers("first") == {"adder": None, "boar": 1}
    assert sync_catalog().nothing_new

    made_up(card("adder", "first", "second"), card("boar", "first"))
    back = sync_catalog()
    assert back.returned == ("Adder",)
    adder.refresh_from_db()
    assert not adder.retired
    assert numbers("first") == {"adder": 1, "boar": 2}
    assert numbers("second") == {"adder": 1}


def test_cards_may_change_places_and_sets(made_up: MakeGames) -> None:
    made_up(card("adder"), card("boar"), card("crow", "second"))
    sync_catalog()
    made_up(card("crow", "first", "second"), card("boar"), card("adder", "second"))
    sync_catalog()
    assert numbers("first") == {"crow": 1, "boar": 2}
    assert numbers("second") == {"crow": 1, "adder": 2}
    assert [row.slug for row in Card.objects.all()] == ["crow", "boar", "adder"]


def test_a_vanished_game_is_retired_with_its_cards_and_sets(made_up: MakeGames) -> None:
    made_up(card("adder"))
    sync_catalog()
    made_up(games=0)
    assert sync_catalog().retired == ("Adder",)
    assert Game.objects.get().retired
    assert Card.objects.get().retired
    assert all(row.retired for row in CardSet.objects.all())
    made_up(card("adder"))
    sync_catalog()
    assert not Game.objects.get().retired
    assert not any(row.retired for row in CardSet.objects.all())


def test_the_number_of_queries_does_not_depend_on_the_number_of_cards(made_up: MakeGames) -> None:
    def queries(count: int, text: str) -> int:
        made_up(*(card(f"card-{n}", "first", "second", text=text) for n in range(count)))
        with CaptureQueriesContext(connection) as captured:
            sync_catalog()
        return len(captured)

    few = queries(3, "a"), queries(3, "b"), queries(3, "b")
    Card.objects.all().delete()
    many = queries(50, "a"), queries(50, "b"), queries(50, "b")
    assert few == many


def test_a_run_that_fails_leaves_all_as_it_was(
    made_up: MakeGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up(card("adder"))
    sync_catalog()
    made_up(card("boar"))

    def fail(*args: object) -> None:
        raise RuntimeError("the lights went out")

    monkeypatch.setattr(services, "_write_printings", fail)
    with pytest.raises(RuntimeError):
        sync_catalog()
    assert [(row.slug, row.retired) for row in Card.objects.all()] == [("adder", False)]


def test_the_command_says_what_it_did(made_up: MakeGames) -> None:
    def said() -> str:
        out = StringIO()
        call_command("sync_catalog", stdout=out)
        return out.getvalue()

    made_up(card("adder"), card("boar"))
    assert said() == "Catalog: 2 cards of 1 game.\nAdded 2: Adder, Boar\n"
    assert said() == "Catalog: 2 cards of 1 game.\nNothing had changed.\n"
    made_up(card("adder", text="Hiss."))
    assert said() == "Catalog: 1 card of 1 game.\nChanged 1: Adder\nRetired 1: Boar\n"


def test_the_database_itself_refuses_doubles_and_nonsense(made_up: MakeGames) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    adder = Card.objects.get(slug="adder")
    first = CardSet.objects.get(slug="first")
    double = {"game": adder.game, "name": "X", "title": "X", "kind": "x", "sort_number": 9}
    digest = "0" * 64
    for wrong in (
        lambda: Card.objects.create(slug="adder", content_hash=digest, **double),
        lambda: Card.objects.create(slug="crow", content_hash="no hash", **double),
        lambda: Card.objects.create(slug="crow", content_hash=digest, **(double | {"name": ""})),
        lambda: CardSet.objects.create(game=adder.game, slug="first", name="X", number=3),
        lambda: Game.objects.create(slug="moss-run", name="X"),
        lambda: CardInSet.objects.create(card=adder, card_set=first, number=7, position=1),
        lambda: (
            CardInSet.objects.create(
                card=adder, card_set=CardSet.objects.get(slug="second"), number=1, position=1
            )
            and CardInSet.objects.create(
                card=Card.objects.get(slug="boar"),
                card_set=CardSet.objects.get(slug="second"),
                number=1,
                position=1,
            )
        ),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            wrong()
