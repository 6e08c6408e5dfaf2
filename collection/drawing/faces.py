"""The faces of the games' cards: a game's package has a module ``face`` with a ``FACE``.

A game without one gets the plain face of ``collection.drawing.layout``, and so does a card that the
rules no longer know, if its game's face cannot make sense of it.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import PIL
from PIL import Image

import rules
from collection.drawing.layout import Face, Layout, Size
from collection.drawing.printed import PrintedCard
from rules.engine.errors import UnknownGame

_NO_SENSE = (LookupError, ValueError, TypeError, AttributeError)


@lru_cache(maxsize=64)
def face_of(game_slug: str) -> Face:
    """The face that draws a game's cards."""
    try:
        package = rules.game(game_slug).package
    except UnknownGame:
        return Face(game_slug)
    if find_spec(f"{package}.face") is None:
        return Face(game_slug)
    face: Face = import_module(f"{package}.face").FACE
    return face


def face_for(card: PrintedCard) -> Face:
    """The face that draws this card: its game's, which may fail only for cards of today."""
    return face_of(card.game) if _is_known(card) else _forgotten(card.game)


def _is_known(card: PrintedCard) -> bool:
    try:
        return card.slug in rules.game(card.game).catalog
    except UnknownGame:
        return False


@lru_cache(maxsize=64)
def _forgotten(game_slug: str) -> Forgotten:
    return Forgotten(face_of(game_slug))


class Forgotten(Face):
    """For cards that the rules no longer know: the game's face as long as it understands them.

    Else they are drawn plainly, in the game's colours: whoever owns one can still look at it.
    """

    def __init__(self, own: Face) -> None:
        super().__init__(own.game, own.name)
        self.own, self.plain = own, Face(own.game, own.name)
        for face in (self, self.plain):
            face.border, face.accent, face.mark = own.border, own.accent, own.mark

    def layout(self, card: PrintedCard) -> Layout:
        try:
            return self.own.layout(card)
        except _NO_SENSE:
            return self.plain.layout(card)

    def draw(self, card: PrintedCard, size: Size) -> Image.Image:
        try:
            return self.own.draw(card, size)
        except _NO_SENSE:
            return self.plain.draw(card, size)


@lru_cache(maxsize=1)
def renderer_version() -> str:
    """Differs whenever the drawing code does, so that nobody has to remember to count it up."""
    here = Path(__file__).resolve()
    files = [here, *(here.parent / name for name in ("art.py", "canvas.py", "layout.py"))]
    for game in rules.games().values():
        spec = find_spec(f"{game.package}.face")
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.glob("**/*.py"))
    digest = hashlib.sha256(PIL.__version__.encode())
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()
