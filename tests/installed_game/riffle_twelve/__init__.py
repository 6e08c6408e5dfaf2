"""Twelve: three cards each, and the highest takes the trick. A game in a package of its own."""

from __future__ import annotations

from typing import Any, ClassVar

from riffle_twelve import view
from riffle_twelve.play import BOOK, Cards, Twelve, arrange, concede, prepare
from rules.engine.bots import RANDOM
from rules.engine.game import CardTable, Game, Mode, ModeRules
from rules.engine.table_text import Progress, TableText


class Text(TableText):
    reasons: ClassVar = {"tricks": "all tricks are played", "resigned": "somebody gave up"}

    def progress(self, view: Any) -> Progress:
        return Progress(f"Trick {view['trick']} of 3", view["leader"], "you lead", " leads")


TABLE = CardTable(
    Cards,
    {
        "standard": ModeRules(
            Twelve, prepare, concede, view.view, arrange, seat_keys={"hand": "cards"}
        )
    },
    BOOK,
)

GAME = Game(
    slug="twelve",
    name="Twelve",
    summary="Three cards each: the highest takes the trick.",
    package="riffle_twelve",
    modes={
        "standard": Mode(
            slug="standard",
            name="Standard",
            summary="Three tricks, and whoever takes the most wins.",
            seats=range(2, 5),
            max_moves=12,
            ends_for_all=True,
        )
    },
    rulebook=BOOK,
    table=TABLE,
    text=Text(),
    bots={"random": RANDOM},
)
