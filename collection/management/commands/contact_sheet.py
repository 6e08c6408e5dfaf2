"""``manage.py contact_sheet <game>``: all faces of a game on one picture, to look at them."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from PIL import Image

import rules
from collection.drawing.faces import face_for
from collection.drawing.layout import PLANS, Size
from collection.drawing.printed import from_rules
from rules.engine.errors import UnknownGame

GAP = 12
"""Pixels between two cards, and around all of them."""
FELT = (58, 62, 70)


class Command(BaseCommand):
    """Draw every card of a game, or those whose slugs hold a word, in the catalog's order."""

    help = "Draws all faces of a game onto one PNG, so that whoever works on them sees them all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game’s slug")
        parser.add_argument("words", nargs="*", help="only cards whose slug holds one of these")
        parser.add_argument("--size", choices=sorted(PLANS), default="thumb")
        parser.add_argument("--columns", type=int, default=12)
        parser.add_argument("--output", type=Path, help="the file; else <game>-<size>.png")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            game = rules.game(options["game"])
        except UnknownGame as error:
            raise CommandError(str(error)) from error
        words = options["words"]
        cards = [
            from_rules(game.slug, card)
            for slug, card in game.catalog.items()
            if not words or any(word in slug for word in words)
        ]
        if not cards:
            raise CommandError(f"{game.name} has no card whose slug holds {', '.join(words)}.")
        size: Size = options["size"]
        path = options["output"] or Path(f"{game.slug}-{size}.png")
        faces = [face_for(card).draw(card, size) for card in cards]
        sheet(faces, max(1, options["columns"])).save(path)
        self.stdout.write(f"{len(faces)} cards of {game.name}: {path}")


def sheet(faces: list[Image.Image], columns: int) -> Image.Image:
    """The pictures side by side, in rows of ``columns``."""
    columns = min(columns, len(faces))
    width, height = faces[0].size
    rows = -(-len(faces) // columns)
    size = (columns * (width + GAP) + GAP, rows * (height + GAP) + GAP)
    picture = Image.new("RGB", size, FELT)
    for number, face in enumerate(faces):
        row, column = divmod(number, columns)
        place = (GAP + column * (width + GAP), GAP + row * (height + GAP))
        picture.paste(face, place, face if face.mode == "RGBA" else None)
    return picture
