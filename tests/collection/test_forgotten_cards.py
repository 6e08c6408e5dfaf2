"""Cards that the rules no longer know: still drawn, listed and printed, in all games."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.test import Client

import rules
from accounts.models import User
from collection.drawing import sheets
from collection.drawing.faces import Forgotten, face_for, face_of
from collection.drawing.layout import Face, Size
from collection.drawing.pictures import SIZES, alt_text
from collection.drawing.printed import PrintedCard, from_rules
from collection.models import Card, Reason
from collection.services import ledger
from collection.services.catalog import Synced
from tests.games.examples import TILE_GAME

GAMES = list(rules.games())


def kinds(game: str) -> Iterator[PrintedCard]:
    """The first card of every kind."""
    first: dict[str, PrintedCard] = {}
    for card in rules.game(game).catalog.values():
        first.setdefault(card.kind, from_rules(game, card))
    yield from first.values()


def forgotten(card: PrintedCard) -> dict[str, PrintedCard]:
    """Possible data of a card that a game once had."""
    gone = replace(card, slug="old-times-hero", name="Old Hero", title="Old Hero", sets=("lost",))
    strange = {
        key: "strange" if isinstance(value, str) else value
        for key, value in card.attributes.items()
    }
    return {
        "like those of today": gone,
        "of words nobody knows": replace(gone, attributes=strange, colour="puce"),
        "of a kind nobody knows": replace(gone, kind="relic"),
        "with nothing on it": replace(gone, attributes={}, colour="", text="", sets=(), rarity=""),
    }


@pytest.mark.parametrize("size", ["thumb", "table", "full"])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_forgotten_card_is_drawn_in_every_size(game: str, size: Size) -> None:
    for card in kinds(game):
        for what, printed in forgotten(card).items():
            if size != "thumb" and what == "of a kind nobody knows":
                continue  # small is enough where the whole of it is plain
            picture = face_for(printed).draw(printed, size)
            assert picture.size == SIZES[size], (card.kind, what)
            assert alt_text(printed).startswith("Old Hero. "), (card.kind, what)


@pytest.mark.parametrize("game", GAMES)
def test_one_like_those_of_today_keeps_its_game_s_face(game: str) -> None:
    for card in kinds(game):
        printed = forgotten(card)["like those of today"]
        assert face_for(printed).layout(printed) == face_of(game).layout(printed)
        assert face_of(game).draw(printed, "thumb").size == SIZES["thumb"]


def test_a_card_of_today_that_cannot_be_drawn_is_no_secret() -> None:
    """Only what the rules have forgotten is drawn plainly: anything else is to be mended."""
    known = next(iter(kinds(TILE_GAME)))
    assert face_for(known) is face_of(TILE_GAME)
    with pytest.raises(LookupError):
        face_for(known).draw(replace(known, attributes={}), "thumb")
    assert isinstance(face_for(replace(known, slug="gone")), Forgotten)
    assert isinstance(face_for(replace(known, game="no-such-game")), Face)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.usefixtures("contexts")
def test_a_forgotten_card_has_its_page_its_place_and_its_print(
    client: Client, catalog: Synced, game: str
) -> None:
    """Of each kind one; every second one has attributes that the game's face cannot read."""
    ada = User.objects.create_user("ada")
    client.force_login(ada)
    for number, card in enumerate(one_of_each_kind(game)):
        Card.objects.filter(pk=card.pk).update(
            slug=f"old-times-{number}", title=f"Old Hero {number}", name="Old Hero", retired=True,
            **({"attributes": {}} if number % 2 else {}),
        )  # fmt: skip
        card.refresh_from_db()
        moves = ledger.digital_to(ada, {card.pk: 1})
        ledger.transfer(key=f"grant:{number}", reason=Reason.GRANT, movements=moves)
        page = client.get(card.get_absolute_url())
        assert page.status_code == 200 and f"Old Hero {number}" in page.content.decode()
        address = page.context["url"]
        assert client.get(address, follow=True)["Content-Type"] == "image/webp"
        wall = client.get("/collection/").content.decode()
        assert f"Old Hero {number}" in wall
        sheet = io.BytesIO()
        assert [*sheets.Sheets(sheets.Plan(), [(game, card.slug)], "Old", sheet)] == [1]
        assert sheet.getvalue().startswith(b"%PDF-")


def one_of_each_kind(game: str) -> list[Card]:
    first: dict[str, Card] = {}
    for card in Card.objects.filter(game__slug=game).order_by("sort_number"):
        first.setdefault(card.kind, card)
    return list(first.values())
