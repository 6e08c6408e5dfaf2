"""Card pictures: what is drawn, where it lies, when it changes, and its words."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from kombu.exceptions import OperationalError
from PIL import Image
from pytest_django import DjangoAssertNumQueries

import rules
from collection import tasks
from collection.drawing import pictures
from collection.drawing.faces import face_of, renderer_version
from collection.drawing.layout import PLANS, Face, Size
from collection.drawing.pictures import (
    NoSuchPicture,
    alt_text,
    back_picture,
    card_back_url,
    card_hash,
    card_image_url,
    card_picture,
    row_image_url,
)
from collection.drawing.printed import NoSuchCard, PrintedCard, printed_card
from collection.models import Card
from collection.services.catalog import Synced, sync_catalog
from tests.collection.conftest import MakeGames, card
from tests.games.examples import BOX_GAME, CLAW, EXAMPLE, GAME

CARDS = [printed_card(GAME, slug) for slug in EXAMPLE.catalog]
STRANGER = PrintedCard(
    game="moss-run",
    slug="old-keep",
    name="The Old Keep with a Name that Is Longer than Any Card Could Bear",
    title="The Old Keep",
    kind="big_castle",
    colour="iron",
    rarity="unheard-of",
    text="Tower.\n\nIt stands. " * 12,
    attributes={"stones": 4, "walls": [1, 2], "deep": {"moat": 3}, "word": "Überfluß – ☃"},
    sets=("first-light-2",),
)


def pixels(picture: Image.Image) -> str:
    return hashlib.sha256(picture.tobytes()).hexdigest()


# What is drawn


def test_sizes_are_those_of_the_agreement() -> None:
    assert dict(pictures.SIZES) == {"thumb": (126, 176), "table": (252, 352), "full": (756, 1056)}


@pytest.mark.slow
def test_every_card_is_drawn_and_none_looks_like_another() -> None:
    face = face_of(GAME)
    drawn = {pixels(face.draw(card, "thumb")) for card in CARDS}
    assert len(drawn) == len(CARDS)


@pytest.mark.slow
def test_another_process_draws_the_same() -> None:
    """Hash seeds, import order and time of day must not matter."""
    script = (
        "import os, django; django.setup()\n"
        "import hashlib\n"
        "from collection.drawing.faces import face_of\n"
        "from collection.drawing.printed import printed_card\n"
        "for slug in os.environ['SLUGS'].split():\n"
        f"    picture = face_of('{GAME}').draw(printed_card('{GAME}', slug), 'thumb')\n"
        "    print(hashlib.sha256(picture.tobytes()).hexdigest())\n"
    )
    slugs = [card.slug for card in CARDS[::9]]
    out = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env=os.environ
        | {
            "PYTHONHASHSEED": "12345",
            "SLUGS": " ".join(slugs),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        },
    ).stdout.split()
    face = face_of(GAME)
    assert out == [pixels(face.draw(printed_card(GAME, slug), "thumb")) for slug in slugs]


@pytest.mark.parametrize("size", PLANS)
def test_a_game_without_drawings_gets_a_decent_face(size: Size) -> None:
    face = face_of("moss-run")
    assert type(face) is Face
    picture = face.draw(STRANGER, size)
    assert picture.size == pictures.SIZES[size]
    assert pixels(picture) != pixels(face.draw(replace(STRANGER, slug="new-keep"), size))
    bare = PrintedCard("moss-run", "x", "X", "X", "stone")
    assert face.draw(bare, size).size == pictures.SIZES[size]
    assert pixels(face.back(size)) != pixels(face_of(GAME).back(size))


def test_no_game_can_ask_for_another_module() -> None:
    for slug in (f"{GAME}.beasts", "__init__", "../face", ""):
        assert type(face_of(slug)) is Face


# Words


def test_alternative_text_says_all_that_is_known_of_a_card() -> None:
    description = alt_text(STRANGER)
    for known in ("Iron big castle", "Stones 4", "Walls 1, 2", "Deep moat 3"):
        assert known in description


# Addresses


def test_an_address_changes_with_the_card_and_with_the_renderer(
    made_up: MakeGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up(card("adder", text="Hiss."), card("boar"))
    adder, boar = (card_image_url("moss-run", slug) for slug in ("adder", "boar"))
    made_up(card("adder", text="Hiss twice."), card("boar"))
    assert card_image_url("moss-run", "adder") != adder
    assert card_image_url("moss-run", "boar") == boar
    pictures.forget()
    assert renderer_version() == renderer_version()
    monkeypatch.setattr(pictures, "renderer_version", lambda: "another")
    assert card_image_url("moss-run", "boar") != boar


def test_addresses_ask_the_database_nothing(
    catalog: Synced, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        urls = {card_image_url(GAME, card.slug, size) for card in CARDS for size in PLANS}
        card_back_url(GAME)
    assert len(urls) == 3 * len(CARDS)


def test_rows_and_rules_agree_on_the_address(catalog: Synced) -> None:
    for row in Card.objects.select_related("game"):
        assert row_image_url(row, "full") == card_image_url(row.game.slug, row.slug, "full")


@pytest.mark.django_db
def test_unknown_cards_sizes_and_games_are_named() -> None:
    with pytest.raises(NoSuchCard, match="no-such-card"):
        card_image_url(GAME, "no-such-card")
    with pytest.raises(NoSuchCard, match="nowhere"):
        card_image_url("nowhere", CLAW)
    with pytest.raises(NoSuchPicture, match="thumb, table, full"):
        card_image_url(GAME, CLAW, "huge")
    with pytest.raises(NoSuchPicture, match="nowhere"):
        card_back_url("nowhere")


# Files


def test_a_picture_is_drawn_once_and_then_kept(
    own_pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = card_picture(GAME, CLAW, "thumb")
    digest = card_hash(GAME, CLAW)
    assert path == own_pictures / GAME / CLAW / f"thumb-{digest}.webp"
    with Image.open(path) as picture:
        assert (picture.format, picture.size) == ("WEBP", (126, 176))

    def fail(*args: object) -> None:
        raise AssertionError("drawn again")

    monkeypatch.setattr(Face, "draw", fail)
    assert card_picture(GAME, CLAW, "thumb") == path


def test_a_new_drawing_replaces_the_old_file_of_its_size(made_up: MakeGames) -> None:
    made_up(card("adder", text="Hiss."))
    old = card_picture("moss-run", "adder", "thumb")
    other = card_picture("moss-run", "adder", "table")
    made_up(card("adder", text="Hiss twice."))
    new = card_picture("moss-run", "adder", "thumb")
    assert new != old
    assert sorted(old.parent.iterdir()) == sorted([new, other])


def test_a_failed_drawing_leaves_nothing_behind(
    own_pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Image.Image, "save", fail)
    with pytest.raises(OSError, match="full"):
        back_picture(GAME, "thumb")
    assert [path for path in own_pictures.rglob("*") if path.is_file()] == []


def test_a_full_disk_keeps_nobody_from_a_picture(
    own_pictures: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    for address in (card_image_url(GAME, CLAW, "thumb"), card_back_url(GAME, "thumb")):
        answer = client.get(address)
        assert answer.status_code == 200
        with Image.open(BytesIO(answer.content)) as picture:
            assert (picture.format, picture.size) == ("WEBP", pictures.SIZES["thumb"])
    assert [path for path in own_pictures.rglob("*") if path.is_file()] == []


@pytest.mark.django_db
def test_a_retired_card_keeps_its_picture(
    made_up: MakeGames, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made_up(card("adder", text="Hiss."), card("boar"))
    sync_catalog()
    pictures.forget()
    before = card_image_url("moss-run", "adder")
    made_up(card("boar"))
    sync_catalog()
    pictures.forget()
    assert card_image_url("moss-run", "adder") == before
    assert card_picture("moss-run", "adder", "thumb").exists()
    with django_assert_num_queries(0):
        card_image_url("moss-run", "adder", "full")


# Ahead


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games of two cards each."""
    few = {}
    for slug in (GAME, BOX_GAME):
        game = rules.game(slug)
        few[slug] = replace(game)
        vars(few[slug]).update(catalog=dict(list(game.catalog.items())[:2]))
    monkeypatch.setattr(rules, "games", lambda: few)


@pytest.fixture
def drawn(own_pictures: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The drawn pictures in order: size, game and card."""
    sizes: list[str] = []
    keep = pictures._keep

    def keep_and_tell(picture: Image.Image, path: Path, size: str) -> None:
        keep(picture, path, size)
        sizes.append(f"{size} {path.parent.relative_to(own_pictures)}")

    monkeypatch.setattr(pictures, "_keep", keep_and_tell)
    return sizes


def test_pictures_are_drawn_ahead_as_the_gallery_shows_them(
    two_games: None, drawn: list[str]
) -> None:
    assert not pictures.draw_ahead(60)
    assert drawn == [
        f"{size} {slug}/{name}"
        for size in ("table", "thumb")
        for slug, game in rules.games().items()
        for name in ("@back", *game.catalog)
    ]


def test_drawing_ahead_stops_in_time_and_goes_on(
    two_games: None, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock that strikes with each drawing."""
    monkeypatch.setattr(pictures, "time", SimpleNamespace(monotonic=lambda: len(drawn)))
    done = []
    while pictures.draw_ahead(3.5):
        done.append(len(drawn))
    assert done == [4, 8]
    assert len(drawn) == len(set(drawn)) == 12


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux lets a thread stand back.")
def test_who_draws_ahead_stands_back(monkeypatch: pytest.MonkeyPatch) -> None:
    ranks: list[int] = []

    def look(end: float) -> bool:
        ranks.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return False

    monkeypatch.setattr(pictures, "_draw_missing", look)
    before = os.getpriority(os.PRIO_PROCESS, 0)
    pictures.draw_ahead(1)
    assert ranks == [19]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before, "the worker itself works on as ever"


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The turns that workers take at drawing; after the third nothing is missing."""
    angles: list[float] = []

    def draw_ahead(seconds: float) -> bool:
        angles.append(seconds)
        return len(angles) < 3

    monkeypatch.setattr(pictures, "draw_ahead", draw_ahead)
    cache.delete(tasks.DRAWING)
    return angles


def test_a_worker_asks_for_its_next_turn_until_all_is_drawn(turns: list[float]) -> None:
    call_command("draw_pictures", stdout=StringIO())
    assert turns == [tasks.DRAW_FOR] * 3
    assert cache.get(tasks.DRAWING) is None


def test_a_second_worker_leaves_the_drawing_to_the_first(turns: list[float]) -> None:
    cache.set(tasks.DRAWING, 1, timeout=60)
    tasks.draw_pictures()
    assert turns == []
    cache.delete(tasks.DRAWING)


def test_where_no_worker_can_be_asked_the_site_starts_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks.draw_pictures, "apply_async", fail)
    output = StringIO()
    call_command("draw_pictures", stderr=output)
    assert "drawn when first seen" in output.getvalue()
