"""Events: who may know them, their words, the pieces that they move (section 5).

Events of corners, towers and values are given once a turn, in phase 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.battl_khaos.grid import CORNERS
from games.battl_khaos.moves import name_for, words_of
from games.battl_khaos.rulebook import BOOK
from games.battl_khaos.state import SIDE_OF, catalog
from rules.engine.events import (
    EventWords,
    Field,
    Motion,
    card,
    cards,
    number,
    numbers,
    ranking,
    seat,
    slot,
    word,
)

REASONS: Final[Mapping[str, str]] = {
    "target": "the target was reached with {points} points",
    "passes": "nobody can place anything",
    "resign": "{loser} conceded",
}
"""By reason: the rule that ended the match, in words."""
CORNER_NAMES: Final = ("north-west", "north-east", "south-east", "south-west")
RESULTS: Final[Mapping[str, str]] = {
    "O": "controlled by the orcs",
    "K": "controlled by the knights",
    "N": "neutral",
}
SOURCES: Final[Mapping[str, str]] = {
    "hand": "the hand",
    "supply": "the towers",
    "extra": "the hand, by the Magic Circle",
}
assert len(CORNER_NAMES) == len(CORNERS)


def where(event: EventWords) -> str:
    """The cell of an event in words."""
    return words_of(event.value["x"], event.value["y"])


def _placed(event: EventWords) -> str:
    return f"{event['seat']} places {event['card']} at {where(event)}."


def _played(event: EventWords) -> str:
    """BKH-P-16: one token has a name for each side."""
    name = name_for(catalog()[event.value["card"]["slug"]], SIDE_OF[event.value["side"]])
    return f"{event['seat']} plays {name} at {where(event)}."


def _reserved(event: EventWords) -> str:
    return f"{event['seat']} reserves the space at {where(event)}."


def _live(event: EventWords) -> str:
    return f"{event['seat']}'s Halberd closes the spaces around {where(event)} for one turn."


def _over(event: EventWords) -> str:
    return f"{event['seat']}'s Halberd at {where(event)} wears off."


def _removed(event: EventWords) -> str:
    return f"{event['seat']} removes {event['card']} at {where(event)}."


def _discarded(event: EventWords) -> str:
    return f"{event['seat']}'s {event['card']} at {where(event)} is discarded."


def _recovered(event: EventWords) -> str:
    return f"{event['seat']} takes back {event['card']}."


def _corner(event: EventWords) -> str:
    return f"{event['card']}, {CORNER_NAMES[event.value['corner']]} corner"


def _resolved(event: EventWords) -> str:
    orcs, knights = event.value["sums"]
    sums = f"orcs {orcs}, knights {knights}"
    return f"{_corner(event)}: {sums}, {RESULTS[event['result']]}."


def _reopened(event: EventWords) -> str:
    return f"{_corner(event)}, is open again."


def _valued(event: EventWords) -> str:
    return f"{event['card']} is now worth {event['value']}."


def _drawn(event: EventWords) -> str:
    drawn = event.get("cards", "a tile")
    return f"{event['seat']} draws {drawn} from the stack."


def _match_ended(event: EventWords) -> str:
    best, *others = event.value["ranking"]
    if len(best) > 1:
        return "The match is a draw: nobody can place anything."
    reason = event["reason"].format(
        points=event.value["scores"][best[0]], loser=event.names[others[0][0]]
    )
    return f"{event.names[best[0]]} wins: {reason}."


def _from(event: Mapping[str, Any], piece: Mapping[str, Any] | None) -> str:
    return "supply" if event["source"] == "supply" else "hand"


def _to_cell(event: Mapping[str, Any], piece: Mapping[str, Any] | None) -> str:
    return f"cell {event['x']},{event['y']}"


SEAT: Final = seat()
OTHER: Final = seat("other")
CARD: Final = card()
CARDS: Final = cards()
OWN_CARDS: Final = CARDS.known_to(SEAT)
X: Final = number("x")
Y: Final = number("y")
CORNER: Final = number("corner")
RESULT: Final[Field[str]] = word("result")
SLOT: Final = slot()

# -- set-up ----------------------------------------------------------------------------------------

SIDES_DRAWN: Final = BOOK.event(
    "sides_drawn",
    SEAT,
    OTHER,
    reveals=True,
    says="{seat} plays the orcs, {other} the knights.",
    draws="when orcs random pick seat #seats; when orcs seat1 is seat 0; when orcs seat2 is seat 1",
    begins=True,
)
SHUFFLED: Final = BOOK.event(
    "shuffled", CARDS.unseen(), reveals=True, draws="shuffle cards 0..cards; put cards stack"
)
FIRST_TOWER: Final = BOOK.event(
    "first_tower",
    CARD,
    X,
    Y,
    reveals=True,
    says="{card} is the first tower.",
    motion=Motion(CARD, "supply", _to_cell),
    draws="pick-from card slugs:bkh-t",
)
DEALT: Final = BOOK.event(
    "dealt",
    SEAT,
    OWN_CARDS,
    reveals=True,
    says="{seat} is dealt {cards}.",
    motion=Motion(CARDS, "stack", "hand"),
    draws="take cards stack",
)
ROW_LAID: Final = BOOK.event(
    "row_laid", CARDS, reveals=True, says="The row: {cards}.", draws="take cards stack"
)

# -- a turn ----------------------------------------------------------------------------------------

TURN_STARTED: Final = BOOK.event(
    "turn_started", SEAT, number(), turn=True, says="Turn {number}: {seat}."
)
TILE_PLACED: Final = BOOK.event(
    "tile_placed",
    SEAT,
    CARD,
    X,
    Y,
    number("rotation"),
    word("source", SOURCES),
    plays=True,
    says=_placed,
    motion=Motion(CARD, _from, _to_cell),
)
TOKEN_PLAYED: Final = BOOK.event(
    "token_played",
    SEAT,
    CARD,
    X,
    Y,
    word("side"),
    plays=True,
    says=_played,
    motion=Motion(CARD, "tokens", _to_cell),
)
CELL_RESERVED: Final = BOOK.event("cell_reserved", SEAT, CARD, X, Y, says=_reserved)
TILE_REMOVED: Final = BOOK.event(
    "tile_removed",
    SEAT,
    CARD,
    X,
    Y,
    word("by"),
    says=_removed,
    motion=Motion(CARD, _to_cell, "discards"),
)
TOKEN_DISCARDED: Final = BOOK.event(
    "token_discarded",
    SEAT,
    CARD,
    X,
    Y,
    says=_discarded,
    motion=Motion(CARD, _to_cell, "discarded"),
)
TOKEN_RECOVERED: Final = BOOK.event(
    "token_recovered",
    SEAT,
    CARD,
    word("source"),
    says=_recovered,
    motion=Motion(CARD, "discarded", "tokens"),
)
HALBERD_LIVE: Final = BOOK.event("halberd_live", SEAT, X, Y, says=_live)
HALBERD_OVER: Final = BOOK.event("halberd_over", SEAT, X, Y, says=_over)

# -- phase 2 ---------------------------------------------------------------------------------------

SUMS: Final = numbers("sums")
"""Orcs, then knights."""

CORNER_RESOLVED: Final = BOOK.event(
    "corner_resolved", CARD, X, Y, CORNER, RESULT, SUMS, says=_resolved
)
CORNER_REOPENED: Final = BOOK.event("corner_reopened", CARD, X, Y, CORNER, says=_reopened)
CORNER_CHANGED: Final = BOOK.event(
    "corner_changed", CARD, X, Y, CORNER, RESULT, SUMS, says=_resolved
)
TOWER_GAINED: Final = BOOK.event(
    "tower_gained", SEAT, CARD, X, Y, number("value"), says="{seat} wins {card}, worth {value}."
)
TOWER_LOST: Final = BOOK.event("tower_lost", SEAT, CARD, X, Y, says="{seat} loses {card}.")
TOWER_TAKEN: Final = BOOK.event(
    "tower_taken",
    SEAT,
    OTHER,
    CARD,
    X,
    Y,
    number("value"),
    says="{seat} takes {card} from {other}, worth {value}.",
)
VALUE_CHANGED: Final = BOOK.event("value_changed", CARD, X, Y, number("value"), says=_valued)

# -- phase 3 and the end ---------------------------------------------------------------------------

TILE_DRAWN: Final = BOOK.event(
    "tile_drawn",
    SEAT,
    OWN_CARDS,
    reveals=True,
    says=_drawn,
    motion=Motion(CARDS, "stack", "hand"),
    draws="take cards stack",
)
ROW_TAKEN: Final = BOOK.event(
    "row_taken",
    SEAT,
    CARD,
    SLOT,
    reveals=True,
    says="{seat} draws {card} from the row.",
    motion=Motion(CARD, "{slot}", "hand"),
)
ROW_FILLED: Final = BOOK.event(
    "row_filled",
    CARD,
    SLOT,
    reveals=True,
    says="{card} is added to the row.",
    motion=Motion(CARD, "stack", "{slot}"),
    draws="take card stack",
)
PASSED: Final = BOOK.event("passed", SEAT, says="{seat} cannot place anything and passes.")
RESIGNED: Final = BOOK.event("resigned", SEAT, says="{seat} concedes.")
HAND_SHOWN: Final = BOOK.event(
    "hand_shown", SEAT, CARDS, reveals=True, says="{seat} still held {cards}."
)
MATCH_ENDED: Final = BOOK.event(
    "match_ended",
    ranking(),
    word("reason", REASONS),
    numbers("scores"),
    reveals=True,
    says=_match_ended,
    ends=True,
)
