"""Sheets of card pictures are drawn by a worker, each one once."""

from __future__ import annotations

import structlog
from django.core.cache import cache

from core.background import enqueue
from decks.drawing.pictures import CardSheet, draw_sheet, find_sheet

logger = structlog.get_logger(__name__)

LONGEST = 300
"""Seconds after which a drawing that has not ended is taken for dead, and begun anew."""


def ask_for_sheet(sheet: CardSheet) -> bool:
    """True if the sheet's file is there; otherwise a worker is told to draw it, once.

    Where that came to nothing, the next one who asks after a while tells a worker again.
    """
    if sheet.path.exists():
        return True
    asked_now = cache.add(_key(sheet), True, LONGEST)
    if asked_now and not enqueue("decks.tasks.draw_cards", sheet.game, sheet.number):
        cache.delete(_key(sheet))  # the next one who asks tells a worker
    return False


def make_sheet(*, game: str, number: int) -> bool:
    """Draw a sheet; False for an unknown sheet. Twice draws it once."""
    try:
        sheet = find_sheet(game, number)
        draw_sheet(sheet)
    except LookupError as error:
        logger.warning("no such sheet", game=game, number=number, why=str(error))
        return False
    cache.delete(_key(sheet))
    return True


def _key(sheet: CardSheet) -> str:
    return f"sheet:{sheet.game}:{sheet.number}:{sheet.digest}"
