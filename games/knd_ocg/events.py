"""The events of KND: OCG: who may know them, their words, the cards they move (section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.knd_ocg.rulebook import BOOK
from rules.engine.events import (
    EventWords,
    Motion,
    all_of,
    card,
    cards,
    count,
    number,
    ranking,
    seat,
    slot,
    word,
)

REASONS: Final[Mapping[str, str]] = {
    "fallen": "{loser} has lost five Characters in battle",
    "no-active": "{loser} had no Active Character at the end of the turn",
    "deck": "{loser} had no card left to draw",
    "quiet": "the quiet limit was reached and {loser}'s deck was not the larger one",
    "turn-cap": "the turn limit was reached",
    "both-fallen": "both players lost their fifth Character at the same time",
    "resign": "{loser} conceded",
    "agreed": "both players agreed to it",
}
"""By reason: the rule that ended the match, in words."""

STATES: Final[Mapping[str, str]] = {
    "grounded": "Grounded",
    "hiding": "Hiding",
    "safe": "Safe",
    "shushed": "Shushed",
    "stuck": "Stuck",
}


# -- sentences that depend on more than their fields -----------------------------------------------


def _placed(event: EventWords) -> str:
    where = event.value["slot"]
    if where == "active":
        return f"{event['seat']} places {event['card']} as Active Character."
    return f"{event['seat']} places {event['card']} in the Reserve."


def _drew(event: EventWords) -> str | None:
    if "cards" in event:
        return f"{event['seat']} draws {event['cards']}." if event.value["cards"] else None
    number = int(event["count"])
    return f"{event['seat']} draws {count(number, 'card')}." if number else None


def _attacked(event: EventWords) -> str:
    attack = "Basic Attack" if event.value["verb"] == "basic" else event["name"]
    target = f" on {event['target']}" if event.get("target") else ""
    return f"{event['seat']} attacks: {event['card']}, {attack}{target}."


def _damaged(event: EventWords) -> str:
    how = {"backlash": " by backlash", "cost": " as a cost"}.get(event["how"], "")
    return f"{event['card']} loses {event['amount']} HP{how} ({event['left']} left)."


def _marked(event: EventWords) -> str:
    mark, amount, card = event["mark"], event.value["amount"], event["card"]
    until = " this turn" if event["until"] == "turn" else ""
    if mark in STATES:
        return f"{card} is {STATES[mark]}{until}."
    match mark:
        case "ap" | "dp":
            return f"{card} has {amount:+d} {mark.upper()}{until}.".replace("-", "−")
        case "dp-zero":
            return f"{card}'s DP counts as 0{until}."
        case "no-backlash":
            return f"{card} takes no backlash{until}."
        case "second-attack":
            return f"{card} may attack twice{until}."
        case "reach-reserve":
            return f"{card}'s Basic Attack may target the Reserve{until}."
        case _:
            return f"{card} may make a Basic Attack{until}."


def _unmarked(event: EventWords) -> str | None:
    mark = event["mark"]
    return f"{event['card']} is no longer {STATES[mark]}." if mark in STATES else None


def _discarded(event: EventWords) -> str | None:
    if event["source"] == "deck":
        return f"{event['seat']} discards {event['cards']} from the top of the deck."
    return f"{event['seat']} discards {event['cards']}."


def _recovered(event: EventWords) -> str:
    if event["to"] == "hand":
        return f"{event['seat']} takes {event['cards']} from the discard pile into the hand."
    return f"{event['seat']} shuffles {event['cards']} from the discard pile into the deck."


def _match_ended(event: EventWords) -> str:
    best = event.value["ranking"][0]
    winners = all_of(event.names[n] for n in best)
    if len(best) > 1:
        return f"The match is a draw: {event['reason']}."
    loser = event.names[event.value["ranking"][1][0]]
    return f"{winners} wins: {event['reason'].format(loser=loser)}."


def _search(event: EventWords) -> str:
    taken = event["cards"] or "no card"
    return f"{event['seat']} takes {taken} from the deck."


def _where_from(event: Mapping[str, Any], card: Mapping[str, Any] | None) -> str:
    """Where a card lay: what lies under a Character lies on the field."""
    source = str(event["source"])
    return "field" if source in ("under", "gear", "field") else source


# -- events ----------------------------------------------------------------------------------------

SEAT: Final = seat()
OTHER: Final = seat("other")
CARD: Final = card()
CARDS: Final = cards()
SLOT: Final = slot()
HOST: Final = card("host")
TARGET: Final = card("target")
NUMBER: Final = number()
AMOUNT: Final = number("amount")
SOURCE: Final = word("source")
OWN_CARDS: Final = CARDS.known_to(SEAT)

# Setting up
SHUFFLE: Final = BOOK.event(
    "shuffle",
    SEAT,
    CARDS.unseen(),
    reveals=True,
    draws="deck cards; shuffle cards; clear deck:seat; put cards deck:seat",
    begins=True,
)
MULLIGAN: Final = BOOK.event(
    "mulligan",
    SEAT,
    CARDS,
    reveals=True,
    fleeting=True,
    says="{seat} reveals a hand with no Character and mulligans: {cards}.",
)
LAID: Final = BOOK.event("laid", SEAT, CARD, SLOT, private=SEAT)
READY: Final = BOOK.event("ready", SEAT, says="{seat} is ready.")
REVEAL_SETUP: Final = BOOK.event(
    "reveal-setup", reveals=True, says="Both players reveal their Characters."
)
ORDER: Final = BOOK.event(
    "order", SEAT, reveals=True, says="{seat} goes first.", draws="pick seat #seats"
)

# A turn
TURN_START: Final = BOOK.event("turn-start", SEAT, NUMBER, turn=True, says="Turn {number}: {seat}.")
DRAW: Final = BOOK.event(
    "draw",
    SEAT,
    OWN_CARDS,
    reveals=True,
    says=_drew,
    motion=Motion(CARDS, "deck", "hand"),
    draws="take cards deck:seat",
)
PLACE: Final = BOOK.event(
    "place", SEAT, CARD, SLOT, plays=True, says=_placed, motion=Motion(CARD, "hand", "{slot}")
)
MOVE_UP: Final = BOOK.event(
    "move-up",
    SEAT,
    CARD,
    SLOT,
    says="{seat} moves {card} up.",
    motion=Motion(CARD, "{slot}", "active"),
)
ATTACH: Final = BOOK.event(
    "attach",
    SEAT,
    CARD,
    HOST,
    plays=True,
    says="{seat} attaches {card} to {host}.",
    motion=Motion(CARD, "hand", "field"),
)
MOVE_ENERGY: Final = BOOK.event(
    "move-energy",
    SEAT,
    CARD,
    HOST,
    SOURCE,
    says="{seat} moves {card} to {host}.",
    motion=Motion(CARD, _where_from, "field"),
)
PAY: Final = BOOK.event(
    "pay",
    SEAT,
    HOST,
    CARDS,
    says="{seat} discards {cards} from {host}.",
    motion=Motion(CARDS, "field", "discard"),
)
FLEE: Final = BOOK.event("flee", SEAT, CARD, card("incoming"), says="{card} flees.")
SWITCH: Final = BOOK.event(
    "switch",
    SEAT,
    CARD,
    card("incoming"),
    says="{seat} switches {card} with {incoming}.",
    motion=Motion(card("incoming"), "field", "active"),
)
SPECIAL: Final = BOOK.event(
    "special",
    SEAT,
    CARD,
    plays=True,
    says="{seat} plays {card}.",
    motion=Motion(CARD, "hand", "specials"),
)
GEAR: Final = BOOK.event(
    "gear",
    SEAT,
    CARD,
    HOST,
    says="{card} is attached to {host}.",
    motion=Motion(CARD, "specials", "field"),
)
EFFECT: Final = BOOK.event("effect", SEAT, CARD, word("name"), says="{card} uses {name}.")
TRIGGER: Final = BOOK.event("trigger", SEAT, CARD, word("name"), says="{card}: {name}.")
TURN_END: Final = BOOK.event("turn-end", SEAT)

# Attacks and what becomes of Characters; seat is the Character's owner
ATTACK: Final = BOOK.event("attack", SEAT, CARD, word("verb"), word("name"), TARGET, says=_attacked)
DAMAGE: Final = BOOK.event("damage", SEAT, CARD, AMOUNT, word("how"), number("left"), says=_damaged)
NO_LOSS: Final = BOOK.event(
    "no-loss", SEAT, CARD, TARGET, says="Neither {card} nor {target} loses HP."
)
HEAL: Final = BOOK.event("heal", SEAT, CARD, AMOUNT, says="{card} heals {amount} HP.")
MARK: Final = BOOK.event(
    "mark", SEAT, CARD, word("mark"), AMOUNT, word("until"), card("source"), says=_marked
)
MARK_END: Final = BOOK.event("mark-end", SEAT, CARD, word("mark"), says=_unmarked)
DEFEATED: Final = BOOK.event(
    "defeated", SEAT, CARD, says="{card} is defeated.", motion=Motion(CARD, "field", "discard")
)
DESTROYED: Final = BOOK.event(
    "destroyed", SEAT, CARD, says="{card} is destroyed.", motion=Motion(CARD, "field", "discard")
)
FALLEN: Final = BOOK.event("fallen", SEAT, NUMBER, says="{seat} has lost {number} of 5 Characters.")
AWAY: Final = BOOK.event(
    "away", SEAT, CARD, says="{card} goes Away.", motion=Motion(CARD, "field", "away")
)
RETURN: Final = BOOK.event(
    "return", SEAT, CARD, SLOT, says="{card} returns.", motion=Motion(CARD, "away", "{slot}")
)

# Cards that go elsewhere
DISCARD: Final = BOOK.event(
    "discard",
    SEAT,
    CARDS,
    SOURCE,
    reveals=True,
    says=_discarded,
    motion=Motion(CARDS, _where_from, "discard"),
    draws="when source deck take cards deck:seat",
)
DISCARD_AT_RANDOM: Final = BOOK.event(
    "discard-at-random",
    SEAT,
    CARD,
    number("held"),
    number("place").unseen(),
    reveals=True,
    says="{seat} discards {card} at random.",
    motion=Motion(CARD, "hand", "discard"),
    draws="pick place held",
)
LOOK: Final = BOOK.event(
    "look",
    SEAT,
    OTHER,
    OWN_CARDS,
    reveals=True,
    says=("{seat} looks at {other}'s hand: {cards}.", "{seat} looks at {other}'s hand."),
)
LOOK_THROUGH: Final = BOOK.event(
    "look-through", SEAT, reveals=True, says="{seat} looks through the deck."
)
SEARCH: Final = BOOK.event(
    "search",
    SEAT,
    CARDS,
    reveals=True,
    fleeting=True,
    says=_search,
    motion=Motion(CARDS, "deck", "hand"),
)
RECOVER: Final = BOOK.event(
    "recover",
    SEAT,
    CARDS,
    word("to"),
    fleeting=True,
    says=_recovered,
    motion=Motion(CARDS, "discard", "{to}"),
)
TO_HAND: Final = BOOK.event(
    "to-hand",
    SEAT,
    CARD,
    fleeting=True,
    says="{card} returns to {seat}'s hand.",
    motion=Motion(CARD, "away", "hand"),
)
REMOVED: Final = BOOK.event(
    "removed",
    SEAT,
    CARD,
    says="{card} is removed from the game.",
    motion=Motion(CARD, "specials", "removed"),
)

# The end
RESIGN: Final = BOOK.event("resign", SEAT, says="{seat} concedes.")
MATCH_END: Final = BOOK.event(
    "end", ranking(), word("reason", REASONS), says=_match_ended, ends=True
)
