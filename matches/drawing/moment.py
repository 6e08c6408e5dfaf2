"""A picture of a moment of a finished match, for sharing: what a spectator sees, and nothing more.

Everything on it comes from the spectator's view, so that a picture cannot show what a page does
not. It knows no game: the cards that lie open are found in the view by their slugs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from PIL import Image

import rules
from collection.drawing.canvas import Canvas, fitted, lines
from collection.drawing.layout import PLANS
from collection.drawing.pictures import card_bytes
from collection.drawing.sharing import EDGE, GOLD, ON_FELT, SIZE, SOFT, as_jpeg, felt
from matches.models import Result, SeatKind
from matches.queries.replay import ReplayState
from rules.engine.game import Game

CARD = "thumb"
MAX_CARDS = 7
"""So many cards a row shows; further ones lie under the last."""


def picture(state: ReplayState) -> bytes:
    """The picture of a spectator's moment, as JPEG."""
    assert state.seat is None, "a picture for everybody shows what a spectator sees"
    game = rules.game(state.match.game)
    canvas = felt(game.slug)
    mode = game.modes[state.match.mode].name if state.match.mode in game.modes else ""
    title = f"{game.name} · {mode}"
    canvas.text((EDGE, 72), title, fitted(title, "serif", 40, 600, 720), ON_FELT)
    count = f"move {state.ply} of {state.plies}"
    face = fitted(count, "sans", 26, 400, 400)
    canvas.text((SIZE[0] - EDGE, 72), count, face, SOFT, anchor="right")
    hands = _rows_of(state.view, game)
    hands_shown = hands[:4]
    height = (SIZE[1] - 116 - 100) / max(len(hands_shown), 1)
    pictures: list[tuple[Image.Image, tuple[int, int]]] = []
    for number, (seat, cards) in enumerate(hands_shown):
        top = 116 + height * number
        _name(canvas, state, seat, top + height / 2)
        pictures += _cards(game, cards, top, height)
    _sentence(canvas, state)
    return as_jpeg(canvas, pictures)


def _name(canvas: Canvas, state: ReplayState, seat: int | None, middle: float) -> None:
    if seat is None or seat >= len(state.seats):
        canvas.text((EDGE, middle), "On the table", fitted("", "sans", 26, 400, 260), SOFT)
        return
    info = state.seats[seat]
    won = state.ply == state.plies and info.result == Result.WON and len(state.seats) > 1
    note = "won" if won else "bot" if info.kind == SeatKind.BOT else ""
    face = fitted(info.name, "sans", 30, 700, 250, 16)
    canvas.text((EDGE, middle - (16 if note else 0)), info.name, face, GOLD if won else ON_FELT)
    if note:
        canvas.text((EDGE, middle + 20), note, fitted(note, "sans", 22, 400, 250), SOFT)


def _cards(
    game: Game, cards: list[str], top: float, height: float
) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """The pictures of a row of cards, with their places from left to right."""
    wide, tall = PLANS[CARD].size
    scale = min((height - 16) / tall, 1.0)
    width = round(wide * scale)
    room = SIZE[0] - EDGE - 330
    step = min(width + 12, (room - width) // max(len(cards[:MAX_CARDS]) - 1, 1))
    for number, slug in enumerate(cards[:MAX_CARDS]):
        with Image.open(BytesIO(card_bytes(game.slug, slug, CARD))) as file:
            card = file.convert("RGBA").resize((width, round(tall * scale)))
        yield card, (330 + number * step, round(top + (height - card.height) / 2))


def _sentence(canvas: Canvas, state: ReplayState) -> None:
    """The last event, in one line."""
    text = state.lines[-1] if state.lines else ""
    face = fitted(text, "sans", 28, 500, SIZE[0] - 2 * EDGE, 20)
    fitting = lines(text, face, SIZE[0] - 2 * EDGE)
    if fitting:
        canvas.text((EDGE, SIZE[1] - 56), fitting[0], face, ON_FELT)


def _rows_of(view: Mapping[str, Any], game: Game) -> list[tuple[int | None, list[str]]]:
    """The open cards of each seat, and last those that are nobody's."""
    known = set(game.catalog)
    players = view.get("players", ())
    rows: list[tuple[int | None, list[str]]] = [
        (seat, list(_open_cards(player, known))) for seat, player in enumerate(players)
    ]
    rest = {name: part for name, part in view.items() if name not in ("players", "odds", "prompt")}
    others = list(_open_cards(rest, known))
    return [*rows, (None, others)] if others or not rows else rows


def _open_cards(part: Any, known: set[str]) -> Iterator[str]:
    """The slugs of the cards in a part of a view, as they stand there."""
    if isinstance(part, Mapping):
        if part.get("slug") in known and "id" in part:
            yield part["slug"]
            return
        part = part.values()
    elif not isinstance(part, list | tuple):
        return
    for value in part:
        yield from _open_cards(value, known)
