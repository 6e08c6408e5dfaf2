"""The faces of the games' cards: one module a game, called like the game, with a ``FACE``.

A game without a module gets the plain face of ``collection.face``.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import PIL

from collection.face import Face


@lru_cache(maxsize=64)
def face_of(game_slug: str) -> Face:
    """The face that draws a game's cards."""
    module = game_slug.replace("-", "_")
    if module in {found.name for found in iter_modules(__path__)}:
        face: Face = import_module(f"{__name__}.{module}").FACE
        return face
    return Face(game_slug)


@lru_cache(maxsize=1)
def renderer_version() -> str:
    """Differs whenever the drawing code does, so that nobody has to remember to count it up."""
    here = Path(__file__).resolve().parent
    drawing = [here.parent / name for name in ("art.py", "drawing.py", "face.py")]
    digest = hashlib.sha256(PIL.__version__.encode())
    for path in sorted([*drawing, *here.rglob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()
