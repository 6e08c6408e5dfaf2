"""A person's own standing orders at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import Viewer
from core.serializers import Doc, component
from matches import engine
from matches.errors import NotYourSeat
from matches.models import Match, StandingOrder
from matches.queries.access import seat_of
from rules.engine.game import Game


@component("StandingOrder")
@dataclass(frozen=True, slots=True)
class OwnOrder:
    """A standing order of yours at a table."""

    id: int
    kind: Annotated[
        str, Doc("Of the questions that it answers; empty: every window, until aimed at.")
    ]
    question: Annotated[str, Doc("That kind of question in words; empty for windows.")]
    words: Annotated[
        str, Doc("Its answer, as the button said it; a conditional move as a sentence.")
    ]
    answered: Annotated[int, Doc("How many questions it has answered.")]
    once: Annotated[bool, Doc("A conditional move, for the next question of its kind only.")]


def orders_of(match: Match, seat: int | None) -> list[OwnOrder]:
    """The orders of a seat, the oldest first; asks nothing where none was ever given."""
    if seat is None or not match.silent_writes:
        return []
    game = engine.game_of(match)
    rows = StandingOrder.objects.filter(match=match, seat=seat).order_by("pk")
    return [
        OwnOrder(
            row.pk,
            row.kind,
            _question(game, row.kind),
            row.words,
            row.answered,
            once=row.plan is not None,
        )
        for row in rows
    ]


def own_orders(match: Match, viewer: Viewer) -> list[OwnOrder]:
    """Those of whoever looks, who sits at the table; raises ``NotYourSeat``."""
    seat = seat_of(match, viewer)
    if seat is None:
        raise NotYourSeat("You do not sit at this table, so you have no standing orders here.")
    return orders_of(match, seat)


def _question(game: Game, kind: str) -> str:
    kind_of_prompt = game.rulebook.prompts.get(kind)
    return "" if kind_of_prompt is None else kind_of_prompt.says
