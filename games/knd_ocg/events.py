"""What happens in KND: OCG: who may know it, how it is said, what it moves (section 4)."""

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
    "fallen": "five Characters have fallen",
    "no-active": "a turn ended without an Active Character",
    "deck": "there was no card left to draw",
    "quiet": "nothing had happened for so long that the decks decided",
    "turn-cap": "the last turn was played",
    "both-fallen": "the fifth Character fell on both sides at once",
    "resign": "the other side gave up",
    "agreed": "both agreed on a draw",
}

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
            return f"The DP of {card} counts as 0{until}."
        case "no-backlash":
            return f"{card} takes no backlash{until}."
        case "second-attack":
            return f"{card} may attack twice{until}."
        case "reach-reserve":
            return f"The Basic Attack of {card} may reach the Reserve{until}."
        case _:
            return f"{card} may make a Basic Attack{until}."


def _unmarked(event: EventWords) -> str | None:
    mark = event["mark"]
    return f"{event['card']} is no longer {STATES[mark]}." if mark in STATES else None


def _discarded(event: EventWords) -> str | None:
    if event["source"] == "deck":
        return f"{event['cards']} go from the deck of {event['seat']} to the discard pile."
    return f"{event['seat']} discards {event['cards']}."


def _recovered(event: EventWords) -> str:
    where = "into the hand" if event["to"] == "hand" else "into the deck"
    return f"{event['seat']} takes {event['cards']} from the discard pile {where}."


def _match_ended(event: EventWords) -> str:
    best = event.value["ranking"][0]
    names = all_of(event.names[n] for n in best)
    return f"{names} wins!" if len(best) == 1 else f"{names} draw."


def _search(event: EventWords) -> str:
    found = event["cards"] or "no card"
    return f"{event['seat']} takes {found} from the deck."


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
    says="{seat} shows a hand without a Character and draws anew: {cards}.",
)
LAID: Final = BOOK.event("laid", SEAT, CARD, SLOT, private=SEAT)
READY: Final = BOOK.event("ready", SEAT, says="{seat} is ready.")
REVEAL_SETUP: Final = BOOK.event("reveal-setup", reveals=True, says="Both sides turn up.")
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
    says="{seat} puts {card} under {host}.",
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
    says="{host} gets {card}.",
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
FALLEN: Final = BOOK.event(
    "fallen", SEAT, NUMBER, says="{seat} has lost {number} of five Characters."
)
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
    says=("{seat} looks at the hand of {other}: {cards}.", "{seat} looks at the hand of {other}."),
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
    says="{card} goes to the hand of {seat}.",
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
RESIGN: Final = BOOK.event("resign", SEAT, says="{seat} gives up.")
MATCH_END: Final = BOOK.event(
    "end", ranking(), word("reason", REASONS), says=_match_ended, ends=True
)
