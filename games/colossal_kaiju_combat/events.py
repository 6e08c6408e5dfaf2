"""The events of Colossal Kaiju Combat: who may know them, their sentences, the cards they move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.colossal_kaiju_combat.characters import in_words
from games.colossal_kaiju_combat.rulebook import BOOK
from rules.engine.events import (
    EventWords,
    Motion,
    all_of,
    card,
    cards,
    count,
    flag,
    number,
    numbers,
    ranking,
    seat,
    seats,
    word,
)
from rules.engine.events import Field as EventField

REASONS: Final[Mapping[str, str]] = {
    "glory": "the glory target was reached",
    "last_standing": "no one else has a character left",
    "all_fallen": "the last characters fell together",
    "turn_cap": "the last turn is over",
    "quiet": "too many turns without action",
}

MARKS: Final[Mapping[str, str]] = {
    "paid": "paid",
    "bluff": "a bluff",
    "illegal": "does not fit its role",
}

CAUSES: Final[Mapping[str, str]] = {
    "card": "",
    "counter": "the Counterattack",
    "city": "the city",
    "strike": "the city's strike",
    "text": "a card's text",
    "rage": "the Rage Attack",
}


# -- sentences that depend on more than their fields -----------------------------------------------


def _laid(event: EventWords) -> str:
    """The reader who may know the card hears how it was laid.

    ``target`` of a Shield card is the Sword card that it answers: that lies face down, so it is
    named by the character that laid it.
    """
    known = event.value.get("card")
    card = f"{event['card']} face down ({event['how']})" if known else "a card face down"
    sentence = f"{event['seat']}'s {event['character']} plays {card}"
    if event.value["role"] == "sword":
        return f"{sentence} against {event['target']}."
    answered = f"{event['target']}'s card" if event.value["target"] else "the strike"
    return f"{sentence} to answer {answered}."


def _turned_up(event: EventWords) -> str:
    ferocity, agility, energy = event.value["price"]
    paid = [
        count_of(ferocity, "Ferocity"),
        count_of(agility, "Agility"),
        count_of(energy, "Energy"),
    ]
    price = ", ".join(filter(None, paid))
    mark = f"paid with {price}" if price else event["mark"]
    return f"{event['seat']} reveals {event['card']}: {mark}."


def count_of(amount: int, what: str) -> str:
    """“2 Energy”, or nothing."""
    return f"{amount} {what}" if amount else ""


def _worked_out(event: EventWords) -> str:
    seen = event.value
    if not seen["effective"]:
        return f"{event['card']} has no effect."
    damage, stopped, dealt = seen["result"]
    words = f"{_spelled(seen['damage'], damage)} damage"
    if seen["toughness"]:
        words += f" against {_spelled(seen['toughness'], stopped)} toughness"
    sentence = f"{event['card'] or 'The strike'}: {words}."
    return sentence if dealt else f"{sentence} {event['target']} takes no damage."


def _spelled(terms: Sequence[tuple[str, int]], value: int) -> str:
    """“5 + Tail 1 = 6”; a value that is only printed is its number alone."""
    return f"{in_words(terms)} = {value}" if len(terms) > 1 else str(value)


def _hit(event: EventWords) -> str:
    amount = event["number"]
    cause = event["cause"]
    source = f" from {cause}" if cause else ""
    return f"{event['seat']}'s {event['card']} takes {amount} damage{source}."


def _knocked_out(event: EventWords) -> str:
    seen = event.value
    if seen["seat"] < 0:
        return f"{event['other']}'s {event['card']} is knocked out and leaves the match."
    glory = seen["number"]
    return f"{event['seat']} knocks out {event['other']}'s {event['card']}: {glory} glory."


def _destroyed(event: EventWords) -> str:
    return f"{event['seat']} destroys {event['card']}: {event['number']} glory."


def _moved(event: EventWords) -> str:
    steps = count(event.value["number"], "step")
    return f"{event['seat']} moves the city {steps}: {event['card']} is next to the fight."


def _drew(what: str) -> Callable[[EventWords], str]:
    def says(event: EventWords) -> str:
        if "cards" in event:
            return f"{event['seat']} draws {event['cards']}."
        return f"{event['seat']} draws {count(event.value['count'], f'{what} card')}."

    return says


def _combat_started(event: EventWords) -> str:
    seen = event.value
    if seen["other"] < 0:
        return f"{event['seat']}'s {event['character']} rampages."
    fighter, foe = event["character"], event["victim"]
    return f"{event['seat']}'s {fighter} fights {event['other']}'s {foe}."


def _match_ended(event: EventWords) -> str:
    best, because = event.value["ranking"][0], event["reason"]
    winners = all_of(event.names[n] for n in best)
    if len(best) == 1:
        return f"{winners} wins: {because}."
    return f"{winners} share the win: {because}."


# Cards that are put away may be shuffled into a deck in the same moment: such events are fleeting.

# -- fields ----------------------------------------------------------------------------------------

SEAT: Final = seat()
OTHER: Final = seat("other")
CARD: Final = card()
CARDS: Final = cards()
CHARACTER: Final = card("character")
VICTIM: Final = card("victim")
NUMBER: Final = number()
OWN_CARD: Final = CARD.known_to(SEAT)
OWN_CARDS: Final = CARDS.known_to(SEAT)
PICKED_FROM: Final = cards("picked_from").unseen()
"""The cards among which chance picked one, by number: so that anybody can check it afterwards."""


def _sum(name: str) -> EventField[tuple[tuple[str, int], ...]]:
    """The terms of a value: words and numbers."""
    return EventField(name)


# -- set-up and the turn ---------------------------------------------------------------------------

TEAM_SHOWN: Final = BOOK.event(
    "team_shown", SEAT, CARD, number("kaiju"), says="{seat} leads {card}.", begins=True
)
TEAM_LEADS: Final = BOOK.event("team_leads", SEAT, CARD, plays=True)
TIES_BROKEN: Final = BOOK.event(
    "ties_broken", seats(), reveals=True, draws="shuffle seats 0..#seats"
)
DECKS_BROUGHT: Final = BOOK.event(
    "decks_brought", SEAT, number("combat", "combat card"), number("planning", "planning card")
)
SHUFFLED: Final = BOOK.event(
    "shuffled",
    SEAT,
    word("deck"),
    CARDS.unseen(),
    reveals=True,
    draws="deck cards; empty $deck:seat; shuffle cards; put cards $deck:seat",
)
DREW_COMBAT: Final = BOOK.event(
    "drew_combat",
    SEAT,
    OWN_CARDS,
    reveals=True,
    fleeting=True,
    says=_drew("combat"),
    motion=Motion(CARDS, "combat_deck", "hand"),
    draws="take cards combat:seat",
)
DREW_PLANNING: Final = BOOK.event(
    "drew_planning",
    SEAT,
    OWN_CARDS,
    reveals=True,
    says=_drew("planning"),
    motion=Motion(CARDS, "planning_deck", "planning_hand"),
    draws="take cards planning:seat",
)
TURN_STARTED: Final = BOOK.event(
    "turn_started", SEAT, NUMBER, seats("order"), turn=True, says="Turn {number}."
)
THROWN: Final = BOOK.event("thrown", SEAT, CARD, private=SEAT)
PICKED: Final = BOOK.event("picked", SEAT, CARD, private=SEAT)
READY: Final = BOOK.event("ready", SEAT)
PLANNED_AWAY: Final = BOOK.event(
    "planned_away",
    SEAT,
    CARDS,
    reveals=True,
    says="{seat} discards {cards}.",
    motion=Motion(CARDS, "planning_hand", "planning_discard"),
    fleeting=True,
)
PLANNING_PASSED: Final = BOOK.event("planning_passed", SEAT, says="{seat} passes.")
CARD_PLAYED: Final = BOOK.event(
    "card_played",
    SEAT,
    CARD,
    reveals=True,
    plays=True,
    says="{seat} plays {card}.",
    motion=Motion(CARD, "planning_hand", "play"),
    fleeting=True,
)
ENTERED_CITY: Final = BOOK.event(
    "entered_city", SEAT, CARD, motion=Motion(CARD, "planning_hand", "city")
)
JOINED_TEAM: Final = BOOK.event(
    "joined_team", SEAT, CARD, motion=Motion(CARD, "planning_hand", "team")
)
PUT_AWAY: Final = BOOK.event(
    "put_away",
    SEAT,
    CARD,
    word("to"),
    motion=Motion(CARD, "play", "{to}"),
    fleeting=True,
)
SELECTED: Final = BOOK.event(
    "selected",
    SEAT,
    CARD,
    plays=True,
    says="{seat} sends {card} into the city.",
    motion=Motion(CARD, "team", "arena"),
)
ACTION_LOST: Final = BOOK.event(
    "action_lost", SEAT, says="{seat} loses the action: the character is no longer in the city."
)
ATTACKED: Final = BOOK.event(
    "attacked",
    SEAT,
    CHARACTER,
    OTHER,
    VICTIM,
    aims=OTHER,
    says="{seat}'s {character} attacks {other}'s {victim}.",
)
CHALLENGED: Final = BOOK.event(
    "challenged",
    SEAT,
    CHARACTER,
    OTHER,
    VICTIM,
    aims=OTHER,
    says="{seat}'s {character} challenges {other}'s {victim}.",
)
ACCEPTED: Final = BOOK.event(
    "accepted",
    SEAT,
    CHARACTER,
    says="{seat}'s {character} accepts the challenge.",
    motion=Motion(CHARACTER, "team", "arena"),
)
DECLINED: Final = BOOK.event("declined", SEAT, CHARACTER, says="{seat}'s {character} declines.")
ROARED: Final = BOOK.event("roared", SEAT, CHARACTER, says="{seat}'s {character} roars.")
ACTION_PASSED: Final = BOOK.event("action_passed", SEAT, says="{seat} passes.")
DISCARDED: Final = BOOK.event(
    "discarded",
    SEAT,
    CARDS,
    reveals=True,
    says="{seat} discards {cards}.",
    motion=Motion(CARDS, "hand", "combat_discard"),
    fleeting=True,
)
HEALED: Final = BOOK.event(
    "healed", SEAT, CARD, NUMBER, says="{seat}'s {card} heals {number} damage."
)
RETURNED: Final = BOOK.event(
    "returned",
    SEAT,
    CARD,
    says="{seat}'s {card} comes back.",
    motion=Motion(CARD, "set_aside", "team"),
)

# -- combats ---------------------------------------------------------------------------------------

COMBAT_STARTED: Final = BOOK.event(
    "combat_started", SEAT, CHARACTER, OTHER, VICTIM, aims=OTHER, says=_combat_started
)
JOINED_FIGHT: Final = BOOK.event(
    "joined_fight",
    SEAT,
    CARD,
    says="{seat}'s {card} joins the fight.",
    motion=Motion(CARD, "team", "arena"),
)
LOOKED_AT: Final = BOOK.event(
    "hand_glimpsed",
    SEAT,
    OTHER,
    OWN_CARD,
    PICKED_FROM,
    reveals=True,
    aims=OTHER,
    says=("{other} shows {seat} a card: {card}.", "{other} shows {seat} a card."),
    draws="pick-from card picked_from",
)
WAS_SHOWN: Final = BOOK.event("was_shown", SEAT, CARD, private=SEAT, says="{seat} showed {card}.")
EVOLVED: Final = BOOK.event("evolved", SEAT, CARD, says="{seat}'s {card} changes form.")
CHOSEN_TO_LAY: Final = BOOK.event("chosen_to_lay", SEAT, CARD, word("how", MARKS), private=SEAT)
LAID: Final = BOOK.event(
    "laid",
    SEAT,
    OWN_CARD,
    word("how", MARKS).known_to(SEAT),
    CHARACTER,
    card("target"),
    word("role"),
    says=_laid,
    motion=Motion(CARD, "hand", "down"),
)
DISCARDED_FOR: Final = BOOK.event(
    "discarded_for",
    SEAT,
    CARDS,
    reveals=True,
    says="{seat} discards {cards} as a cost.",
    motion=Motion(CARDS, "hand", "combat_discard"),
    fleeting=True,
)
SWORD_PASSED: Final = BOOK.event("sword_passed", SEAT, says="{seat} plays no Sword card.")
NO_ANSWER: Final = BOOK.event(
    "no_answer", SEAT, CHARACTER, says="{seat}'s {character} does not answer."
)
TURNED_UP: Final = BOOK.event(
    "turned_up",
    SEAT,
    CARD,
    CHARACTER,
    word("mark", MARKS),
    numbers("price"),
    reveals=True,
    plays=True,
    says=_turned_up,
    motion=Motion(CARD, "down", "row"),
    fleeting=True,
)
WORKED_OUT: Final = BOOK.event(
    "worked_out",
    CARD,
    card("target"),
    flag("effective"),
    _sum("damage"),
    _sum("toughness"),
    numbers("result"),
    says=_worked_out,
    fleeting=True,
)
STRIKES: Final = BOOK.event(
    "strikes",
    SEAT,
    CARD,
    CHARACTER,
    NUMBER,
    says="{card} strikes {seat}'s {character} for {number}.",
)
HIT: Final = BOOK.event("hit", SEAT, CARD, NUMBER, word("cause", CAUSES), says=_hit)
FURY_GAINED: Final = BOOK.event("fury_gained", SEAT, NUMBER, says="{seat} gains {number} Fury.")
FURY_OWED: Final = BOOK.event("fury_owed", SEAT, NUMBER, says="{seat} is owed {number} Fury.")
FURY_CLAIMED: Final = BOOK.event("fury_claimed", SEAT, NUMBER, says="{seat} claims {number} Fury.")
FURY_STOLEN: Final = BOOK.event(
    "fury_stolen", SEAT, OTHER, NUMBER, aims=OTHER, says="{seat} steals {number} Fury from {other}."
)
ENERGY_GAINED: Final = BOOK.event(
    "energy_gained", SEAT, NUMBER, says="{seat} gains {number} Energy."
)
KNOCKED_DOWN: Final = BOOK.event(
    "knocked_down",
    SEAT,
    CARD,
    PICKED_FROM,
    reveals=True,
    aims=SEAT,
    says="Knockdown: {seat} discards {card}.",
    motion=Motion(CARD, "hand", "combat_discard"),
    fleeting=True,
    draws="pick-from card picked_from",
)
MOVED: Final = BOOK.event("moved", SEAT, NUMBER, CARD, says=_moved)
SWAPPED: Final = BOOK.event("swapped", SEAT)
COMBO: Final = BOOK.event("combo", SEAT, says="Combo: {seat} stays Sword.")
RAGED: Final = BOOK.event(
    "raged", SEAT, NUMBER, says="{seat} uses a Rage Attack: {number} damage to each foe."
)
COMBAT_ENDED: Final = BOOK.event("combat_ended", SEAT, says="The combat is over.")
SCARRED: Final = BOOK.event(
    "scarred",
    SEAT,
    CARD,
    CHARACTER,
    reveals=True,
    plays=True,
    says="{seat} plays {card} on {character}.",
    motion=Motion(CARD, "planning_hand", "team"),
    fleeting=True,
)
AMBUSHED: Final = BOOK.event(
    "ambushed",
    SEAT,
    CHARACTER,
    OTHER,
    VICTIM,
    aims=OTHER,
    says="{seat}'s {character} ambushes {other}'s {victim}.",
    motion=Motion(CHARACTER, "team", "arena"),
)
CLEARED: Final = BOOK.event(
    "cleared", SEAT, CARDS, fleeting=True, motion=Motion(CARDS, "row", "combat_discard")
)
BURIED: Final = BOOK.event(
    "buried",
    SEAT,
    OWN_CARDS,
    motion=Motion(CARDS, "down", "combat_discard"),
    fleeting=True,
)

# -- who falls, who wins ---------------------------------------------------------------------------

KNOCKED_OUT: Final = BOOK.event(
    "knocked_out",
    SEAT,
    CARD,
    OTHER,
    NUMBER,
    says=_knocked_out,
    motion=Motion(CARD, "arena", "glory"),
)
SCARS_LOST: Final = BOOK.event(
    "scars_lost",
    SEAT,
    CARDS,
    motion=Motion(CARDS, "team", "planning_discard"),
    fleeting=True,
)
REVIVED: Final = BOOK.event(
    "revived",
    SEAT,
    CARD,
    says="{seat}'s {card} survives and returns to its team.",
    motion=Motion(CARD, "arena", "team"),
)
SET_ASIDE: Final = BOOK.event(
    "set_aside",
    SEAT,
    CARD,
    says="{seat}'s {card} is set aside and will come back.",
    motion=Motion(CARD, "arena", "set_aside"),
)
DESTROYED: Final = BOOK.event(
    "destroyed",
    SEAT,
    CARD,
    NUMBER,
    says=_destroyed,
    motion=Motion(CARD, "city", "glory"),
    fleeting=True,
)
EVACUATED: Final = BOOK.event(
    "evacuated",
    SEAT,
    CARD,
    says="{card} is evacuated.",
    motion=Motion(CARD, "city", "planning_discard"),
    fleeting=True,
)
GLORY_GAINED: Final = BOOK.event("glory_gained", SEAT, NUMBER, says="{seat} gains {number} glory.")
SABOTAGED: Final = BOOK.event(
    "sabotaged",
    SEAT,
    CARD,
    PICKED_FROM,
    reveals=True,
    aims=SEAT,
    says="{seat} loses {card}.",
    motion=Motion(CARD, "planning_hand", "planning_discard"),
    fleeting=True,
    draws="pick-from card picked_from",
)
SPOILS_TAKEN: Final = BOOK.event(
    "spoils_taken",
    SEAT,
    OTHER,
    CARD.unseen(),
    PICKED_FROM,
    reveals=True,
    aims=OTHER,
    says="{seat} takes a planning card from {other} as glory, face down.",
    draws="pick-from card picked_from",
)
SEAT_OUT: Final = BOOK.event("seat_out", SEAT, says="{seat} is out.")
RESIGNED: Final = BOOK.event("resigned", SEAT, says="{seat} concedes.")
MATCH_ENDED: Final = BOOK.event(
    "match_ended", ranking(), word("reason", REASONS), says=_match_ended, ends=True
)
