"""The events of Battle Krabz: who may know them, their words, the cards they move (section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.battle_krabz.moves import CATEGORY_NAMES
from games.battle_krabz.rulebook import BOOK
from games.battle_krabz.state import catalog
from rules.engine.events import (
    EventWords,
    Motion,
    all_of,
    card,
    cards,
    count,
    number,
    numbers,
    ranking,
    seat,
    seats,
    word,
)

METHODS: Final[Mapping[str, str]] = {
    "coin": "by the coin",
    "hp_draw": "by the higher HP",
    "seat_1": "by agreement",
    "seat_2": "by agreement",
}

MAX_NARRATED: Final = 3
"""With more seats than these a round is two lines of the log: the call, and who won."""

REASONS: Final[Mapping[str, str]] = {
    "target": "the target number of Warriors was eliminated",
    "tied_match": "both reached the target",
    "decider": "the decider was won",
    "no_warriors": "no Warriors were left",
    "stalemate": "five tied Battles in a row",
    "battle_limit": "the Battle limit was reached",
    "cut_short": "ended early by agreement",
    "concession": "the other player conceded",
    "last_standing": "all other players are out",
    "all_out": "no player has a card left",
    "first_out": "a player ran out of cards",
    "round_limit": "the round limit was reached",
}


# -- sentences that depend on more than their fields -----------------------------------------------


def _deck_brought(event: EventWords) -> str:
    side = "Enemigos" if event.value["side"] else "Krabz"
    return f"{event['seat']} plays {side}: {event['count']}, including {event['warriors']}."


def _battle_started(event: EventWords) -> str:
    name = "Decider" if event.value["decider"] else f"Battle {event['number']}"
    return f"{name}: {event['seat']} attacks."


def _scored(event: EventWords) -> str:
    names = {"special": "Special", "domain": "Domain", "colour": "Colour"}
    more = [f"{event[part]} {name}" for part, name in names.items() if event.value[part]]
    parts = " + ".join([f"{event['strength']} Strength", *more])
    return f"{event['seat']} scores {event['score']}" + (f": {parts}." if more else ".")


def _boosted(event: EventWords) -> str:
    score, gain = event.value["score"], event.value["gain"]
    sum_of = f"{score - gain} + {gain} Booster"
    return f"{event['cards']}: {event['seat']} now scores {score}: {sum_of}."


def _battle_won(event: EventWords) -> str:
    seat, scores = event.value["seat"], event.value["scores"]
    return f"{event['seat']} wins the Battle, {scores[seat]} to {scores[1 - seat]}."


def _replenished(event: EventWords) -> str | None:
    warriors, supports = event.value["warriors"], event.value["supports"]
    if not warriors + supports:
        return None
    drawn = f"{count(warriors, 'Warrior')} and {count(supports, 'support card')}"
    which = f": {event['cards']}" if "cards" in event else ""
    return f"{event['seat']} draws {drawn}{which}."


def _stack(seen: Mapping[str, Any], card: Mapping[str, Any] | None) -> str:
    """The stack of a card's kind; of cards drawn unseen, the one that most come from."""
    if card is None:
        return "warrior_stack" if seen["warriors"] >= seen["supports"] else "support_stack"
    return "warrior_stack" if catalog()[card["slug"]].kind == "warrior" else "support_stack"


def _revealed(event: EventWords) -> str | None:
    """The card and its number; with many seats they are read off the table instead."""
    if len(event.names) > MAX_NARRATED:
        return None
    return f"{event['seat']} reveals {event['card']}: {event['number']}."


def _match_ended(event: EventWords) -> str:
    best, because = event.value["ranking"][0], event["reason"]
    winners = all_of(event.names[n] for n in best)
    if len(best) == 1:
        return f"{winners} wins: {because}."
    if len(best) == len(event.names):
        return f"The match is a draw: {because}."
    return f"{winners} share the win: {because}."


# -- Battle Mode -----------------------------------------------------------------------------------

SEAT: Final = seat()
CARD: Final = card()
CARDS: Final = cards()
OWN_CARDS: Final = CARDS.known_to(SEAT)
SCORE: Final = number("score")

DECK_BROUGHT: Final = BOOK.event(
    "deck_brought",
    SEAT,
    number("side"),
    number("count", "card"),
    number("warriors", "Warrior"),
    says=_deck_brought,
    draws="deck count",
    begins=True,
)
PICKED: Final = BOOK.event("picked", SEAT, CARD, private=SEAT, motion=Motion(CARD, "deck", "hand"))
HAND_CHOSEN: Final = BOOK.event(
    "hand_chosen",
    SEAT,
    OWN_CARDS,
    says=("{seat} chooses {cards} as the opening hand.", "{seat} has chosen an opening hand."),
)
SHUFFLES: Final = """
    when stack pile deck cards
    when stack pack shuffle cards 0..
    when stack pack put cards pack
    when stack pack deal pack pile all 0
    when stack pile shuffle cards
    when stack warrior|support shuffle cards $stack:seat by-rank
    when stack warrior|support clear $stack:seat
    when stack warrior put cards warriors
    unless stack pack put cards $stack:seat
"""
"""The trump pack is dealt; a stack that was shuffled before is shuffled as it lies."""

SHUFFLED: Final = BOOK.event(
    "shuffled", SEAT, word("stack"), CARDS.unseen(), reveals=True, draws=SHUFFLES, begins=True
)
STACKS_MADE: Final = BOOK.event(
    "stacks_made",
    SEAT,
    number("warriors"),
    number("supports"),
    draws="count warriors warrior:seat; count supports support:seat",
)
FIRST_ATTACKER: Final = BOOK.event(
    "first_attacker",
    SEAT,
    word("method", METHODS),
    CARDS,
    reveals=True,
    fleeting=True,
    says="{seat} attacks first ({method}).",
    draws="top cards[0] warrior:0; top cards[1] warrior:1; when method coin pick seat #seats",
)
BATTLE_STARTED: Final = BOOK.event(
    "battle_started", SEAT, number(), number("decider"), turn=True, says=_battle_started
)
DEPLOYED: Final = BOOK.event(
    "deployed",
    SEAT,
    CARD,
    number("slot"),
    reveals=True,
    plays=True,
    says="{seat} deploys {card}.",
    motion=Motion(CARD, "hand", "line"),
    draws="put card warriors",
)
SCORED: Final = BOOK.event(
    "scored",
    SEAT,
    number("strength"),
    number("special"),
    number("domain"),
    number("colour"),
    SCORE,
    says=_scored,
)
CUT_SHORT_PROPOSED: Final = BOOK.event(
    "cut_short_proposed", SEAT, says="{seat} offers to end the match here."
)
CUT_SHORT_DECLINED: Final = BOOK.event("cut_short_declined", SEAT, says="{seat} declines.")
BOOSTER_PLAYED: Final = BOOK.event(
    "booster_played",
    SEAT,
    CARD,
    reveals=True,
    plays=True,
    says="{seat} boosts with {card}.",
    motion=Motion(CARD, "hand", "booster"),
)
BOOSTED: Final = BOOK.event("boosted", SEAT, CARDS, SCORE, number("gain"), says=_boosted)
NO_BOOST: Final = BOOK.event("no_boost", SEAT, says="{seat} plays no Booster.")
BATTLE_WON: Final = BOOK.event("battle_won", SEAT, numbers("scores"), says=_battle_won)
BATTLE_TIED: Final = BOOK.event("battle_tied", SCORE, says="The Battle is tied at {score}.")
POWER_PLAYED: Final = BOOK.event(
    "power_played",
    SEAT,
    CARD,
    reveals=True,
    plays=True,
    says="{seat} plays {card}.",
    motion=Motion(CARD, "hand", "power"),
)
NO_POWER: Final = BOOK.event("no_power", SEAT, says="{seat} plays no Power Card.")
REVIVED: Final = BOOK.event("revived", SEAT, CARDS, says="{seat}'s {cards}: revived.")
DOWNED: Final = BOOK.event("downed", SEAT, CARDS, aims=SEAT, says="{seat}'s {cards}: downed.")
ELIMINATED: Final = BOOK.event(
    "eliminated",
    SEAT,
    CARDS,
    SCORE,
    says="{seat} loses {cards}.",
    motion=Motion(CARDS, "line", "elimination"),
)
SORTED: Final = BOOK.event("sorted", SEAT, CARD, word("verb"), private=SEAT)
READY: Final = BOOK.event("ready", SEAT)
KEPT: Final = BOOK.event(
    "kept", SEAT, CARDS, says="{seat} keeps {cards}.", motion=Motion(CARDS, "line", "hand")
)
RECYCLED: Final = BOOK.event(
    "recycled",
    SEAT,
    CARDS,
    says="{seat} recycles {cards}.",
    motion=Motion(CARDS, "line", _stack),
    draws="sort cards warriors warrior:seat support:seat",
)
REPLENISHED: Final = BOOK.event(
    "replenished",
    SEAT,
    number("warriors"),
    number("supports"),
    OWN_CARDS,
    cards("known_cards"),
    reveals=True,
    says=_replenished,
    motion=Motion(CARDS, _stack, "hand"),
    draws="""
        pass warriors warrior:seat drawn
        pass supports support:seat drawn
        list cards drawn
        clear drawn
    """,
)


# -- Multi-Player Mode -----------------------------------------------------------------------------

FIRST_LEADER: Final = BOOK.event(
    "first_leader", SEAT, reveals=True, says="{seat} leads first.", draws="pick seat #seats"
)
FRONT: Final = BOOK.event(
    "front", SEAT, CARD, private=SEAT, reveals=True, draws="top card pile:seat"
)
ROUND_STARTED: Final = BOOK.event(
    "round_started", SEAT, number(), turn=True, says="Round {number}: {seat} leads."
)
CALLED: Final = BOOK.event(
    "called", SEAT, word("category", CATEGORY_NAMES), says="{seat} calls {category}."
)
REVEALED: Final = BOOK.event(
    "revealed",
    SEAT,
    CARD,
    number(),
    reveals=True,
    plays=True,
    says=_revealed,
    motion=Motion(CARD, "pile", "reveal"),
    draws="take card pile:seat; put card shown:seat",
)
ROUND_WON: Final = BOOK.event(
    "round_won",
    SEAT,
    number("count", "card"),
    says="{seat} wins the round: {count}.",
    motion=Motion(number("count"), "reveal", "pile"),
    draws="gather shown pile:seat seat; gather pot pile:seat",
)
ROUND_TIED: Final = BOOK.event(
    "round_tied",
    seats(),
    number("pot", "card"),
    says="{seats} tie: {pot} in the pot.",
    motion=Motion(number("pot"), "reveal", "pot"),
    draws="gather shown pot",
)
LEAD_PASSED: Final = BOOK.event("lead_passed", SEAT, says="The lead passes to {seat}.")
SEAT_OUT: Final = BOOK.event("seat_out", SEAT, says="{seat} is out.")

# -- both ------------------------------------------------------------------------------------------

RESIGNED: Final = BOOK.event(
    "resigned",
    SEAT,
    CARDS,
    reveals=True,
    says="{seat} concedes.",
    draws="when #mode multi list cards pile:seat; when #mode multi gather pile:seat pot",
)
MATCH_ENDED: Final = BOOK.event(
    "match_ended", ranking(), word("reason", REASONS), says=_match_ended, ends=True
)
