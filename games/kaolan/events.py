"""The events of Kaolan: who may know them, their words, the cards they move (section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.kaolan.rulebook import BOOK
from rules.engine.events import (
    EventWords,
    Motion,
    all_of,
    card,
    cards,
    flag,
    number,
    numbers,
    ranking,
    seat,
    slot,
    word,
)

# -- sentences that depend on more than their fields -----------------------------------------------

TOLD_LATER: Final = ("challenge", "pledge", "withdraw")
"""Actions that an event of their own tells."""

REASONS: Final[Mapping[str, str]] = {
    "last_standing": "all other players are out",
    "main_defeated": "the opponent's Main Character was defeated",
    "turn_limit": "the turn limit was reached",
}
"""By reason: the rule that ended a match, in words."""

ABILITY_NAMES: Final[Mapping[str, str]] = {
    "ambush": "Ambush",
    "war_drums": "War Drums",
    "grandmaster": "Grandmaster",
}


def _action(event: EventWords) -> str | None:
    verb = event.value["verb"]
    return None if verb in TOLD_LATER else f"{event['seat']}: {BOOK.labels[verb, False, False]}."


def _drew(event: EventWords) -> str:
    drawn = event.get("cards") if "cards" in event else int(event["count"]) and "a card"
    return f"{event['seat']} draws {drawn}." if drawn else f"{event['seat']} has no card to draw."


def _replaced(event: EventWords) -> str | None:
    if event["to"] == "discard":
        return None
    return f"{event['card']} goes to {event['seat']}'s hand."


def _pledge_changed(event: EventWords) -> str:
    verb = "joins" if event.value["pledged"] else "leaves"
    return f"{event['seat']} {verb} the alliance of the Leader's colour."


def _rolled(event: EventWords) -> str:
    dice, success = event.value["dice"], event.value["success"]
    rolled = all_of(str(die) for die in dice)
    match event["stage"]:
        case "qualification":
            return f"{event['seat']} rolls {rolled}: {'qualified' if success else 'not qualified'}."
        case "defense":
            result = "an escape" if success else "no escape"
        case _:
            result = "a hit" if success else "a miss"
    who = "They roll" if event["stage"] == "foe_volley" else f"{event['seat']} rolls"
    return f"{who} {rolled} ({sum(dice)}): {result}."


def _prize_claimed(event: EventWords) -> str:
    if event.value["owner"] == event.value["seat"]:
        return f"{event['card']}, {event['seat']}'s Prize Card, does not change hands."
    return f"{event['seat']} claims {event['owner']}'s Prize Card: {event['card']}."


def _match_ended(event: EventWords) -> str:
    best = event.value["ranking"][0]
    winners = all_of(event.names[n] for n in best)
    verb = "wins" if len(best) == 1 else "share the win"
    reason = REASONS.get(event["reason"])
    return f"{winners} {verb}: {reason}." if reason else f"{winners} {verb}."


def _run_ended(event: EventWords) -> str:
    if event["reason"] == "cleared":
        return f"{event['seat']} has removed all {event['score']} booster cards."
    return f"The run is over with {event['score']} booster cards removed."


# -- the contest modes -----------------------------------------------------------------------------

SEAT: Final = seat()
OTHER: Final = seat("other")
CARD: Final = card()
CARDS: Final = cards()
SLOT: Final = slot()
NUMBER: Final = number()
OWN_CARDS: Final = CARDS.known_to(SEAT)

TABLE_SET: Final = """
    pick seat #seats
    when #mode match|power shuffle cards 0..
    when #mode match|power share draw
    when #mode match|power share discard
    when #mode match|power put cards[:60] draw
    when #mode match|power deal draw board 1 seat
    when #mode match deal draw board guards seat
    when #mode match|power deal draw hand 4 seat
    when #mode single shuffle cards[:60] 0..60
    when #mode single shuffle cards[60:] 60..
    when #mode single put cards[:60] stock
    when #mode single put cards[60:75] pile-1
    when #mode single put cards[75:90] pile-2
    when #mode single put cards[90:105] pile-3
    when #mode single put cards[105:] pile-4
"""
"""Who begins, and the deck that all share; in Tournament Play the decks come afterwards."""

MATCH_STARTED: Final = BOOK.event(
    "match_started",
    SEAT,
    CARDS.unseen(),
    reveals=True,
    says="{seat} begins.",
    draws=TABLE_SET,
    begins=True,
)
SHUFFLED: Final = BOOK.event(
    "shuffled",
    SEAT,
    CARDS.unseen(),
    reveals=True,
    draws="""
        deck cards
        shuffle cards
        put cards[0,10,20] board:seat
        put cards[1,11,21,31] hand:seat
        put cards[2:10,12:20,22:30,32:40] draw:seat
    """,
)
DEALT: Final = BOOK.event(
    "dealt",
    SEAT,
    OWN_CARDS,
    reveals=True,
    says="{seat} is dealt {cards}.",
    draws="set cards hand:seat",
)
BOARD_REVEALED: Final = BOOK.event(
    "board_revealed",
    SEAT,
    CARDS,
    reveals=True,
    says="{seat}'s board: {cards}.",
    draws="list cards board:seat",
)
TURN_STARTED: Final = BOOK.event(
    "turn_started", SEAT, NUMBER, turn=True, says="Turn {number}: {seat}."
)
ACTION: Final = BOOK.event("action", SEAT, word("verb"), says=_action)
DREW: Final = BOOK.event(
    "drew",
    SEAT,
    OWN_CARDS,
    reveals=True,
    says=_drew,
    motion=Motion(CARDS, "draw", "hand"),
    draws="take cards draw:seat; put cards hand:seat",
)
RECYCLED: Final = BOOK.event(
    "recycled",
    CARDS.unseen(),
    reveals=True,
    says="The Discard Pile is shuffled into a new Draw Pile of {count}.",
    motion=Motion(CARDS, "discard", "draw"),
    draws="empty draw; shuffle cards discard; clear discard; put cards[::-1] draw",
)
CHOSEN: Final = BOOK.event("chosen", SEAT, CARD, reveals=True)
PLACED: Final = BOOK.event(
    "placed",
    SEAT,
    CARD,
    SLOT,
    plays=True,
    says="{seat} places {card} as {slot}.",
    motion=Motion(CARD, "hand", "{slot}"),
    draws="leave card hand:seat",
)
REPLACED: Final = BOOK.event(
    "replaced",
    SEAT,
    CARD,
    word("to"),
    says=_replaced,
    motion=Motion(CARD, "board", "{to}"),
    draws="when to hand put card hand:seat",
)
ATTACHED: Final = BOOK.event(
    "attached",
    SEAT,
    CARD,
    card("host_card"),
    plays=True,
    says="{seat} attaches {card} to {host_card}.",
    motion=Motion(CARD, "hand", "board"),
    draws="when #mode single take-last card waste; leave card hand:seat",
)
OPPORTUNITY_SHOWN: Final = BOOK.event(
    "opportunity_shown",
    SEAT,
    CARD,
    reveals=True,
    plays=True,
    says="{seat} plays {card}.",
    motion=Motion(CARD, "hand", "play"),
    draws="leave card hand:seat",
)
CHALLENGE_ANNOUNCED: Final = BOOK.event(
    "challenge_announced", SEAT, seat("defender"), says="{seat} challenges {defender}."
)
QUALIFIED: Final = BOOK.event(
    "qualified", SEAT, word("by", ABILITY_NAMES), says="{seat} qualifies without a roll ({by})."
)
ROLLED: Final = BOOK.event(
    "rolled",
    word("stage"),
    SEAT,
    numbers("dice"),
    flag("success"),
    cards("matched_cards"),
    word("matched_ability"),
    reveals=True,
    says=_rolled,
    draws="when stage qualification dice dice 1; unless stage qualification dice dice 2",
)
"""``matched_cards`` and ``matched_ability`` are what made it a success."""

ESCAPED: Final = BOOK.event("escaped", SEAT, says="{seat} escapes.")
DEFEATED: Final = BOOK.event("defeated", SEAT, CARD, says="{seat}'s {card} is defeated.")
ROSE_AGAIN: Final = BOOK.event(
    "rose_again", SEAT, CARD, says="Phoenix Heart: {seat}'s {card} rises again."
)
STEPPED_UP: Final = BOOK.event(
    "stepped_up",
    SEAT,
    CARD,
    says="{seat}'s {card} steps up as Leader.",
    motion=Motion(CARD, "board", "leader"),
)
SWAPPED: Final = BOOK.event(
    "swapped",
    SEAT,
    CARD,
    says="{seat}'s {card} takes the Leader's place.",
    motion=Motion(CARD, "board", "leader"),
)
DISCARDED: Final = BOOK.event(
    "discarded",
    SEAT,
    CARD,
    reveals=True,
    says="{card} goes to the Discard Pile.",
    motion=Motion(CARD, "hand", "discard"),
    draws="leave card waste; leave card hand:seat; put card discard:seat",
)
TAKEN: Final = BOOK.event(
    "taken",
    SEAT,
    CARD,
    word("source"),
    says="{card} goes to {seat}'s hand.",
    motion=Motion(CARD, "{source}", "hand"),
    draws="when source discard remove card discard:seat; put card hand:seat",
)
HAND_SHOWN: Final = BOOK.event(
    "hand_shown",
    SEAT,
    OTHER,
    OWN_CARDS,
    reveals=True,
    says=("{seat} looks at {other}'s hand: {cards}.", "{seat} looks at {other}'s hand."),
)
RAIDED: Final = BOOK.event(
    "raided",
    SEAT,
    OTHER,
    reveals=True,
    says="{seat} raids {other}'s hand.",
    draws="foretell discarded hand:other",
)
PLEDGE_CHANGED: Final = BOOK.event("pledge_changed", SEAT, flag("pledged"), says=_pledge_changed)
ELIMINATED: Final = BOOK.event("eliminated", SEAT, says="{seat} is out.")
RESIGNED: Final = BOOK.event("resigned", SEAT, says="{seat} concedes.")
TURN_ENDED: Final = BOOK.event("turn_ended", SEAT)
PRIZE_CLAIMED: Final = BOOK.event(
    "prize_claimed", SEAT, CARD, seat("owner"), reveals=True, says=_prize_claimed
)
MATCH_ENDED: Final = BOOK.event(
    "match_ended", ranking(), word("reason"), says=_match_ended, ends=True
)


# -- Single Play: a Master card is played when it is used, a booster card when it is removed -------

DEALT_ON: Final = BOOK.event(
    "dealt_on",
    SEAT,
    number("count", "card"),
    reveals=True,
    turn=True,
    says="{seat} deals {count}.",
    motion=Motion(number("count"), "stock", "waste"),
    draws="pass count stock waste",
)
REVEALED: Final = BOOK.event(
    "revealed", SEAT, CARD, reveals=True, says="{card} is revealed.", draws="last card waste"
)
MATCHED: Final = BOOK.event(
    "matched",
    SEAT,
    CARD,
    card("foe_card"),
    SLOT,
    plays=True,
    says="{card} matches {foe_card}.",
    motion=Motion(CARD, "waste", "discard"),
    draws="take-last card waste; top foe_card $slot",
)
SET_ASIDE: Final = BOOK.event(
    "set_aside",
    SEAT,
    CARD,
    plays=True,
    says="{card} is set aside as {seat}'s Character.",
    motion=Motion(CARD, "waste", "own"),
    draws="take-last card waste",
)
PASSED_THROUGH: Final = BOOK.event(
    "passed_through",
    SEAT,
    NUMBER,
    reveals=True,
    says="Pass {number} through the Master Deck is complete.",
    draws="empty stock; gather waste stock",
)
PILE_TURNED: Final = BOOK.event(
    "pile_turned", SLOT, CARD, reveals=True, says="{slot} shows {card}.", draws="top card $slot"
)
REMOVED: Final = BOOK.event(
    "removed",
    SEAT,
    CARD,
    SLOT,
    plays=True,
    says="{card} is removed from {slot}.",
    motion=Motion(CARD, "{slot}", "foe_discard"),
    draws="take card $slot; put card removed",
)
ATTACK: Final = BOOK.event(
    "attack",
    SEAT,
    flag("forced"),
    says=lambda event: f"{event['seat']} {'must attack' if event.value['forced'] else 'attacks'}.",
)
BATTLE: Final = BOOK.event("battle", SLOT, CARD, says="Battle with {card} on {slot}.")
RUN_ENDED: Final = BOOK.event(
    "run_ended",
    SEAT,
    number("score"),
    word("reason"),
    says=_run_ended,
    draws="count score removed",
    ends=True,
)
