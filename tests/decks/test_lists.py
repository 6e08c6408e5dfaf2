"""Decks in and out of the site: pages, files, pictures, and the API."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from accounts.models import User
from collection.drawing import pictures as card_pictures
from collection.models import Card
from decks.drawing import pictures
from decks.errors import BadDeck, NoExport
from decks.lists import MAX_BYTES, read_any
from decks.models import Deck
from decks.queries.decks import decklist
from decks.queries.lists import FORMS, exported
from decks.services import lists as services
from decks.services.pictures import make_sheet
from tests.games.examples import (
    CLAW,
    EXAMPLE,
    FLAME,
    GAME,
    GAME_NAME,
    OTHER_GAME,
    READY_CARDS,
    RED_7,
)

IMPORT, API = "/decks/import/", "/api/decks/import/"
MakeDeck = Callable[..., Deck]

pytestmark = pytest.mark.django_db


@pytest.fixture
def mira(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def sheets_drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The sheets that the worker was asked to draw."""
    from decks import tasks

    sheets: list[tuple[str, int]] = []
    monkeypatch.setattr(tasks.draw_cards, "apply_async", lambda args, **_: sheets.append(args))
    return sheets


def read(client: Client, text: str = "", **sent: Any) -> Any:
    return client.post(IMPORT, {"text": text, "read": "1"} | sent)


def keep(client: Client, text: str, /, **sent: Any) -> Any:
    about = {"name": "Embers", "play": f"{GAME}/tournament", "into": "new"}
    form = about | {"text": text, "keep": "1"}
    return client.post(IMPORT, form | sent)


def textarea(body: str, name: str) -> str:
    match = re.search(rf'<textarea name="{name}"[^>]*>\n?(.*?)</textarea>', body, re.DOTALL)
    assert match
    return html.unescape(match[1])


def chosen(body: str, name: str) -> str:
    select = re.search(rf'<select name="{name}".*?</select>', body, re.DOTALL)
    assert select
    match = re.search(r'value="([^"]*)" selected', select[0])
    return match[1] if match else ""


# Bringing


def test_a_pasted_list_is_looked_at_first(client: Client, catalog: None) -> None:
    page = client.get(IMPORT)
    assertContains(page, "Import a deck")
    answer = read(client, "2 Red Claw\n3 Rde 7 (Emberfall)\n1 <b>Unicorn</b>\n")
    body = answer.content.decode()
    assert answer.status_code == 200
    assert Deck.objects.count() == 0
    assert textarea(body, "text") == "2 Red Claw\n3 Rde 7 (Emberfall)\n1 <b>Unicorn</b>\n"
    assert chosen(body, "play") == f"{GAME}/tournament"
    assertContains(answer, "<code>3 Rde 7 (Emberfall)</code>", html=True)
    assertContains(answer, f'name="rename" value="2 {RED_7}"')
    assertContains(answer, "1 &lt;b&gt;Unicorn&lt;/b&gt;")


def test_a_suggestion_is_taken_and_the_deck_kept(mira: Client, catalog: None) -> None:
    answer = keep(mira, "2 Red Claw\n3 Rde 7\n", rename=f"2 {RED_7}")
    body = answer.content.decode()
    assert Deck.objects.count() == 0
    assert textarea(body, "text") == "2 Red Claw\n3 Red 7\n"
    assertNotContains(answer, "Choose a card")
    answer = keep(mira, textarea(body, "text"), notes="Slow.", tags="red, slow")
    deck = Deck.objects.get()
    assertRedirects(answer, deck.get_absolute_url(), fetch_redirect_response=False)
    assert decklist(deck) == {"main": {CLAW: 2, RED_7: 3}}
    assert (deck.name, deck.notes, deck.tags) == ("Embers", "Slow.", ",red,slow,")
    assert deck.visibility == "private"


def test_unread_lines_are_refused_or_become_comments(mira: Client, catalog: None) -> None:
    refused = keep(mira, "2 Red Claw\n1 Unicorn")
    assertContains(refused, "1 line not recognised. Correct the list", status_code=422)
    assert textarea(refused.content.decode(), "text") == "2 Red Claw\n1 Unicorn"
    sent = {"name": "Embers", "play": f"{GAME}/tournament", "into": "new", "skip": "1"}
    mira.post(IMPORT, sent | {"text": "2 Red Claw\n1 Unicorn"})
    deck = Deck.objects.get()
    assert deck.typed == "2 Red Claw\n# 1 Unicorn\n"
    assert decklist(deck) == {"main": {CLAW: 2}}


def test_a_list_can_be_the_next_version_of_a_deck(
    mira: Client, make_deck: MakeDeck, stranger: User
) -> None:
    deck = make_deck(notes="Mine.", tags=["red"])
    other = make_deck(owner=stranger, name="Theirs", visibility="public")
    page = mira.get(IMPORT, {"into": deck.slug})
    assertContains(page, "as a new version of Embers")
    body = read(mira, "1 Red Flame", into=deck.slug).content.decode()
    assert chosen(body, "into") == deck.slug
    assert other.slug not in body
    answer = keep(mira, "1 Red Flame", into=deck.slug, name="Else", notes="New")
    assertRedirects(answer, deck.get_absolute_url(), fetch_redirect_response=False)
    deck.refresh_from_db()
    assert decklist(deck) == {"main": {FLAME: 1}}
    assert (deck.name, deck.notes, deck.version) == ("Embers", "Mine.", 2)
    refused = keep(mira, "1 Red Flame", into=other.slug)
    assert refused.status_code == 422
    assert decklist(other) == {"main": {CLAW: 2}}


def test_a_list_for_another_mode_is_no_version_of_a_deck(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck()
    answer = keep(mira, "1 Red Flame", into=deck.slug, play=f"{GAME}/match")
    words = f"“Embers” is a deck for {GAME_NAME}: Tournament Play. Choose that mode above."
    assertContains(answer, words, status_code=422)
    assert decklist(deck) == {"main": {CLAW: 2}}


def test_a_visitor_who_keeps_a_deck_becomes_a_guest(client: Client, catalog: None) -> None:
    assert keep(client, "2 Red Claw").status_code == 302
    assert Deck.objects.get().owner.is_guest


@pytest.mark.parametrize("form", FORMS)
def test_what_is_exported_can_be_brought_again(
    mira: Client, make_deck: MakeDeck, form: str, media: Path, sheets_drawn: list[tuple[str, int]]
) -> None:
    deck = make_deck(cards=READY_CARDS, notes="Quick.", tags=["red"])
    file = mira.get(reverse("decks:export", args=[deck.slug]), {"format": form})
    assert file.status_code == 200
    upload = SimpleUploadedFile("deck.bin", file.content)
    body = read(mira, file=upload).content.decode()
    assert chosen(body, "play") == f"{GAME}/tournament"
    keep(mira, textarea(body, "text"), notes=textarea(body, "notes"))
    brought = Deck.objects.latest("pk")
    assert brought != deck
    assert decklist(brought) == decklist(deck)
    if form in ("json", "cod", "tts"):
        assert brought.notes == "Quick."


def test_the_game_and_mode_are_found_out(client: Client, catalog: None) -> None:
    for text, play in (
        ("2 Krabbi Long Legs (Gold)\n1 Something", f"{OTHER_GAME}/battle"),
        ("Red Claw\nRed Flame", f"{GAME}/tournament"),
        (f'{{"game": "{GAME}", "mode": "match", "cards": {{}}}}', f"{GAME}/match"),
        (f'{{"game": "{GAME}", "mode": "nonsense", "cards": {{}}}}', f"{GAME}/tournament"),
    ):
        assert chosen(read(client, text).content.decode(), "play") == play
    page = read(client, "Red Claw", play=f"{OTHER_GAME}/multi").content.decode()
    assert chosen(page, "play") == f"{OTHER_GAME}/multi"


def test_notices_say_what_stands_beside(client: Client, catalog: None) -> None:
    file = (
        '<cockatrice_deck version="1"><zone name="main"><card number="2" name="Red Claw"/></zone>'
        '<zone name="side"><card number="1" name="Red 7"/></zone></cockatrice_deck>'
    )
    answer = read(client, file)
    assertContains(answer, "“side” is not a section of this deck type. 1 card is kept as comments")
    assert "# 1 Red 7" in textarea(answer.content.decode(), "text")
    answer = read(client, '{"game": "chess", "mode": "x", "cards": {"main": {"Red Claw": 1}}}')
    assertContains(answer, "this deck is for the unknown game “chess”")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"text": ""}, "Choose a file or paste a deck."),
        (
            {"text": "<!DOCTYPE a [<!ENTITY b 'c'>]><cockatrice_deck/>"},
            "type or entity declarations",
        ),
        ({"text": '{"a": 1}'}, "needs “game”"),
        ({"text": "1 Red Claw\n" * 3_000}, "limit: 30,000"),
        ({"file": SimpleUploadedFile("a", b"PK\x03\x04")}, "ZIP archive"),
        ({"file": SimpleUploadedFile("a", b"\x00" * 10)}, "Not a text file"),
        ({"file": SimpleUploadedFile("a", b"")}, "The file is empty"),
        ({"file": SimpleUploadedFile("a", b"x" * (MAX_BYTES + 1))}, "too large"),
        ({"text": "Red Claw", "play": "chess/blitz"}, "Select a valid choice"),
    ],
)
def test_what_is_no_deck_is_refused_in_a_sentence(
    client: Client, catalog: None, sent: dict[str, Any], words: str
) -> None:
    for value in sent.values():
        if hasattr(value, "seek"):
            value.seek(0)
    assertContains(read(client, **sent), words, status_code=422)


def test_nonsense_from_a_button_is_refused(client: Client, catalog: None) -> None:
    assert keep(client, "Rde Claw", rename="nonsense").status_code == 400
    assert keep(client, "Rde Claw", play="chess/blitz").status_code == 422
    assert keep(client, "Rde Claw\n" * 600).status_code == 422


# Taking along


def test_the_page_offers_every_form_and_the_code(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck()
    page = mira.get(reverse("decks:export", args=[deck.slug]))
    for form in ("text", "json", "cod", "tts"):
        assertContains(page, f'href="?format={form}"')
    code = re.search(r'id="deck-code"[^>]*>([^<]*)<', page.content.decode())
    assert code
    assert read_any(code[1]).cards == {"main": {CLAW: 2}}
    assertContains(mira.get(deck.get_absolute_url()), reverse("decks:export", args=[deck.slug]))


def test_files_have_names_types_and_no_cache(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck(name='Embers “&" / Äsche')
    answer = mira.get(reverse("decks:export", args=[deck.slug]), {"format": "cod"})
    assert answer["Content-Disposition"] == 'attachment; filename="embers-asche.cod"'
    assert answer["Content-Type"] == "application/xml; charset=utf-8"
    assert answer["Cache-Control"] == "private, no-store"


def test_only_its_owner_gets_what_was_typed(
    client: Client, make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(text="# a secret\n2 Red Claw", visibility="public")
    address = reverse("decks:export", args=[deck.slug]) + "?format=text"
    for user, secret in ((owner, True), (stranger, False)):
        client.force_login(user)
        text = client.get(address).content.decode()
        assert ("secret" in text) == secret
        assert "2 Red Claw" in text


def test_a_private_deck_is_nobody_elses_business(
    client: Client, make_deck: MakeDeck, stranger: User
) -> None:
    deck = make_deck()
    client.force_login(stranger)
    for address in (
        reverse("decks:export", args=[deck.slug]),
        f"/decks/{deck.slug}/export/?format=json",
        f"/api/decks/{deck.slug}/export/?format=json",
    ):
        assert client.get(address).status_code == 404


def test_a_deck_of_a_game_that_has_gone_is_not_written(mira: Client, make_deck: MakeDeck) -> None:
    deck = make_deck()
    Deck.objects.filter(pk=deck.pk).update(game="chess")
    page = mira.get(reverse("decks:export", args=[deck.slug]))
    assertContains(page, "can’t be exported")
    answer = mira.get(f"/api/decks/{deck.slug}/export/?format=json")
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    deck.refresh_from_db()
    with pytest.raises(NoExport):
        exported(deck, "json", deck.owner, str)


# Pictures for tables


def test_a_table_gets_the_pictures_of_its_cards(
    mira: Client, make_deck: MakeDeck, media: Path, sheets_drawn: list[tuple[str, int]]
) -> None:
    deck = make_deck(cards=READY_CARDS)
    answer = mira.get(reverse("decks:export", args=[deck.slug]), {"format": "tts"})
    (pile,) = json.loads(answer.content)["ObjectStates"]
    sheets = {sheet.number: sheet for sheet in pictures.sheets_of(GAME)}
    by_place = {
        100 * sheet.number + index: slug
        for sheet in sheets.values()
        for index, slug in enumerate(sheet.slugs)
    }
    counts: dict[str, int] = {}
    for card in pile["ContainedObjects"]:
        slug = by_place[card["CardID"]]
        assert card["Nickname"] == EXAMPLE.catalog[slug].title
        counts[slug] = counts.get(slug, 0) + 1
    assert {"main": counts} == decklist(deck)
    for number, sheet in pile["CustomDeck"].items():
        assert sheet["FaceURL"] == f"http://testserver{sheets[int(number)].address}"
        assert (sheet["NumWidth"], sheet["NumHeight"]) == sheets[int(number)].shape
    # Each of them is asked for once, however often the file is taken.
    assert sorted(sheets_drawn) == [(GAME, n) for n in (0, *sorted(map(int, pile["CustomDeck"])))]
    mira.get(reverse("decks:export", args=[deck.slug]), {"format": "tts"})
    assert len(sheets_drawn) == 1 + len(pile["CustomDeck"])


def test_places_outlive_changes_of_the_catalog(catalog: None) -> None:
    before = pictures.sheets_of(GAME)
    assert [len(sheet.slugs) for sheet in before] == [69, len(EXAMPLE.catalog) - 69]
    first = Card.objects.filter(game__slug=GAME).order_by("pk").first()
    assert first
    Card.objects.filter(pk=first.pk).update(retired=True, sort_number=9_999, content_hash="0" * 64)
    after = pictures.sheets_of(GAME)
    assert [sheet.slugs for sheet in after] == [sheet.slugs for sheet in before]
    assert after[0].digest != before[0].digest
    assert after[1].digest == before[1].digest


def test_a_sheet_is_drawn_by_a_worker_and_then_kept(
    client: Client,
    catalog: None,
    media: Path,
    sheets_drawn: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sheet = pictures.sheets_of(GAME)[1]
    waiting = client.get(sheet.address)
    assert (waiting.status_code, waiting["Retry-After"]) == (503, "60")
    assert sheets_drawn == [(GAME, 2)]

    drawn: list[str] = []

    def small(game: str, slug: str, size: str) -> Path:
        drawn.append(slug)
        path = media / f"{slug}.png"
        Image.new("RGBA", (126, 176), (200, len(drawn), 40, 255)).save(path)
        return path

    monkeypatch.setattr(card_pictures, "card_picture", small)
    assert make_sheet(game=GAME, number=2)
    assert make_sheet(game=GAME, number=2)
    assert drawn == list(sheet.slugs)
    answer = client.get(sheet.address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert "immutable" in answer["Cache-Control"]
    with Image.open(sheet.path) as picture:
        columns, rows = sheet.shape
        assert picture.size == (columns * 408, rows * 570)
        assert max(picture.size) <= 4096
        place = len(drawn) - 1
        at = (place % columns * 408 + 204, place // columns * 570 + 285)
        seen = picture.convert("RGB").getpixel(at)
        assert isinstance(seen, tuple)
        assert abs(seen[0] - 200) < 6 and abs(seen[1] - len(drawn)) < 6
    elder = client.get(reverse("decks:card_sheet", args=[GAME, 2, "0" * 16]))
    assertRedirects(elder, sheet.address, fetch_redirect_response=False)


def test_the_back_is_a_picture_like_the_others(client: Client, catalog: None, media: Path) -> None:
    assert make_sheet(game=GAME, number=0)
    sheet = pictures.find_sheet(GAME, 0)
    assert client.get(sheet.address).status_code == 200
    with Image.open(sheet.path) as picture:
        assert picture.size == pictures.CELL


def test_there_are_only_the_sheets_of_known_games(client: Client, catalog: None) -> None:
    for game, number in ((GAME, 9), ("chess", 1), ("chess", 0)):
        assert client.get(f"/decks/sheets/{game}/{number}-{'0' * 16}.jpg").status_code == 404
        assert not make_sheet(game=game, number=number)


# The API


def api(client: Client, **sent: Any) -> Any:
    return client.post(API, sent, content_type="application/json")


def test_programs_read_a_deck_without_an_account(client: Client, catalog: None) -> None:
    answer = api(client, text="2 Red Claw\n1 Rde 7", game=GAME, mode="tournament")
    data = answer.json()
    assert answer.status_code == 200
    assert (data["form"], data["game"], data["mode"]) == ("text", GAME, "tournament")
    assert data["deck"] == {"main": {CLAW: 2}}
    (unread,) = data["unread"]
    assert (unread["line"], unread["text"], unread["suggestions"][0]) == (2, "Rde 7", RED_7)
    assert data["list"] == "2 Red Claw\n1 Rde 7\n"
    assert data["kept"] is None
    assert not data["report"]["legal"]
    assert Deck.objects.count() == 0


def test_programs_keep_a_deck(mira: Client, catalog: None) -> None:
    answer = api(mira, text="2 Red Claw", keep=True, name="Embers", visibility="public")
    deck = Deck.objects.get()
    assert answer.status_code == 201
    assert answer.json()["kept"] == deck.slug
    assert (deck.name, deck.visibility) == ("Embers", "public")
    answer = api(mira, text="1 Red 7", keep=True, into=deck.slug)
    assert answer.json()["kept"] == deck.slug
    assert decklist(deck) == {"main": {RED_7: 1}}
    sent = {"file": SimpleUploadedFile("x.txt", b"1 Red Flame"), "keep": "true"}
    assert mira.post(API, sent).status_code == 201
    assert Deck.objects.count() == 2


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({}, 400, "“file” or as “text”"),
        ({"text": "Red Claw", "game": GAME}, 400, "together"),
        ({"text": "Red Claw", "game": "chess", "mode": "blitz"}, 400, "chess"),
        ({"text": "<a/>"}, 400, "“a”"),
        ({"text": "Unicorn", "keep": True}, 400, "Unicorn"),
        ({"text": "Red Claw", "keep": True, "into": "nowhere"}, 404, "Not found"),
    ],
)
def test_programs_are_told_what_was_wrong(
    mira: Client, catalog: None, sent: dict[str, Any], status: int, words: str
) -> None:
    answer = api(mira, **sent)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert words in answer.content.decode()


def test_keeping_needs_an_account_and_the_deck_to_be_mine(
    client: Client, make_deck: MakeDeck, stranger: User
) -> None:
    deck = make_deck(visibility="public")
    assert api(client, text="Red 7", keep=True).status_code in (401, 403)
    client.force_login(stranger)
    assert api(client, text="Red 7", keep=True, into=deck.slug).status_code == 403
    assert decklist(deck) == {"main": {CLAW: 2}}


@pytest.mark.parametrize("form", FORMS)
def test_programs_get_the_same_files_as_people(
    mira: Client, make_deck: MakeDeck, form: str, media: Path, sheets_drawn: list[Any]
) -> None:
    deck = make_deck()
    page = mira.get(f"/decks/{deck.slug}/export/?format={form}")
    answer = mira.get(f"/api/decks/{deck.slug}/export/?format={form}")
    assert answer.content == page.content
    assert answer["Content-Type"] == page["Content-Type"]
    assert mira.get(f"/api/decks/{deck.slug}/export/?format=nonsense").status_code == 400


def test_a_deck_with_too_many_cards_for_a_table_is_refused(make_deck: MakeDeck) -> None:
    deck = make_deck(cards={"main": {CLAW: 999, RED_7: 2}})
    with pytest.raises(NoExport, match="up to 1,000 cards"):
        exported(deck, "tts", deck.owner, str)


def test_a_service_reads_without_keeping(catalog: None) -> None:
    brought = services.import_list("Deck\n2 Red Claw\n", game=GAME, mode="match")
    assert brought.reading.cards == {"main": {CLAW: 2}}
    with pytest.raises(BadDeck, match="no decks for"):
        services.import_list("2 Red Claw", game=GAME, mode="nonsense")
