"""``manage.py contact_sheet``."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from PIL import Image

import rules
from collection.drawing.faces import face_for
from collection.drawing.layout import PLANS
from collection.drawing.printed import from_rules
from collection.management.commands.contact_sheet import GAP

GAME = next(iter(rules.games().values()))


def test_every_card_stands_on_the_sheet_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "sheet.png"
    columns = 5
    slugs = list(GAME.catalog)
    word = slugs[0].rpartition("-")[0]
    matching = [slug for slug in slugs if word in slug]
    call_command("contact_sheet", GAME.slug, word, columns=columns, output=path)
    picture = Image.open(path)
    width, height = PLANS["thumb"].size
    across = min(columns, len(matching))
    down = -(-len(matching) // columns)
    assert picture.size == (across * (width + GAP) + GAP, down * (height + GAP) + GAP)
    row, column = divmod(len(matching) - 1, columns)
    card = from_rules(GAME.slug, GAME.catalog[matching[-1]])
    middle = (GAP + column * (width + GAP) + width // 2, GAP + row * (height + GAP) + height // 2)
    drawn = face_for(card).draw(card, "thumb").convert("RGB")
    assert picture.getpixel(middle) == drawn.getpixel((width // 2, height // 2))


def test_no_such_game_or_card_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no game “nonsense”"):
        call_command("contact_sheet", "nonsense")
    with pytest.raises(CommandError, match="has no card whose slug holds nonsense"):
        call_command("contact_sheet", GAME.slug, "nonsense", output=tmp_path / "none.png")
    assert list(tmp_path.iterdir()) == []
