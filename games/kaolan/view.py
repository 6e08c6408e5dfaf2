"""What may be seen of a Kaolan table, by whom, and how it is put into words (section 4).

A view lists what a seat may see; it never strips what it may not. ``REDEAL`` is its counterpart:
it changes everything that the view does not show, and nothing that it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.kaolan.rules.book import MODES
from games.kaolan.rules.challenge import escapes, hits
from games.kaolan.solitaire import PILE_NAMES
from games.kaolan.state import WAYS, Kaolan
from rules.engine.events import NOBODY, EventKind
from rules.engine.moves import Card, Move, Prompt, Seat, Slot
from rules.engine.redeal import Redeal

EVENTS: Final[Mapping[str, EventKind]] = {
    "match_started": EventKind(("seat", "cards"), {"cards": NOBODY}, reveals=True),
    "shuffled": EventKind(("seat", "cards"), {"cards": NOBODY}, reveals=True),
    "dealt": EventKind(("seat", "cards"), {"cards": "seat"}, reveals=True),
    "board_revealed": EventKind(("seat", "cards"), reveals=True),
    "turn_started": EventKind(("seat", "number"), turn=True),
    "action": EventKind(("seat", "verb")),
    "drew": EventKind(("seat", "cards"), {"cards": "seat"}, reveals=True),
    "recycled": EventKind(("cards",), {"cards": NOBODY}, reveals=True),
    "chosen": EventKind(("seat", "card"), reveals=True),
    "placed": EventKind(("seat", "card", "slot"), plays=True),
    "replaced": EventKind(("seat", "card", "to")),
    "attached": EventKind(("seat", "card", "host_card"), plays=True),
    "opportunity_shown": EventKind(("seat", "card"), reveals=True, plays=True),
    "challenge_announced": EventKind(("seat", "defender")),
    "qualified": EventKind(("seat", "by")),
    "rolled": EventKind(("stage", "seat", "dice", "success"), reveals=True),
    "escaped": EventKind(("seat",)),
    "defeated": EventKind(("seat", "card")),
    "rose_again": EventKind(("seat", "card")),
    "stepped_up": EventKind(("seat", "card")),
    "swapped": EventKind(("seat", "card")),
    "discarded": EventKind(("seat", "card"), reveals=True),
    "taken": EventKind(("seat", "card", "source")),
    "hand_shown": EventKind(("seat", "other", "cards"), {"cards": "seat"}, reveals=True),
    "raided": EventKind(("seat", "other"), reveals=True),
    "pledge_changed": EventKind(("seat", "pledged")),
    "eliminated": EventKind(("seat",)),
    "resigned": EventKind(("seat",)),
    "turn_ended": EventKind(("seat",)),
    "prize_claimed": EventKind(("seat", "card", "owner"), reveals=True),
    "match_ended": EventKind(("ranking", "reason")),
    # Single Play: a Master card is played when it is used, a booster card when it is removed
    "dealt_on": EventKind(("seat", "count"), reveals=True),
    "revealed": EventKind(("seat", "card"), reveals=True),
    "matched": EventKind(("seat", "card", "foe_card", "slot"), plays=True),
    "set_aside": EventKind(("seat", "card"), plays=True),
    "passed_through": EventKind(("seat", "number"), reveals=True),
    "pile_turned": EventKind(("slot", "card"), reveals=True),
    "removed": EventKind(("seat", "card", "slot"), plays=True),
    "attack": EventKind(("seat", "forced")),
    "battle": EventKind(("slot", "card")),
    "run_ended": EventKind(("seat", "score", "reason")),
}

DIE_FACES: Final = 6
ROLLS: Final = 36


# -- views -------------------------------------------------------------------------------------


def view(s: Kaolan, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    show = _card(s)
    shared = {} if s.own_piles else _piles(s, 0)
    return {
        "turn": {"seat": s.turn, "number": s.turns + 1, "limit": s.turn_limit * s.seats},
        "starter": s.starter,
        "players": [_player(s, other, seat) for other in range(s.seats)],
        **shared,
        "play": [show(card) for card in s.play],
        "challenge": _challenge(s),
        "odds": _odds(s, seat),
    }


def _card(s: Kaolan) -> Any:
    slugs = s.cards.slugs
    return lambda card: {"id": card, "slug": slugs[card]}


def _piles(s: Kaolan, seat: int) -> dict[str, Any]:
    """The piles of a seat, or the shared ones."""
    show = _card(s)
    return {
        "draw": {"count": len(s.draw[seat])},
        "discard": {
            "count": len(s.discard[seat]),
            "cards": [show(card) for card in reversed(s.discard[seat])],
        },
        "removed": {"count": len(s.removed[seat])},
    }


def _player(s: Kaolan, other: int, seat: int | None) -> dict[str, Any]:
    show, mode = _card(s), MODES[s.mode]
    hand, slots = s.hands[other], mode.slots
    player = {
        "seat": other,
        "out": s.out.index(other) + 1 if other in s.out else None,
        "hand": {
            "count": len(hand),
            "cards": [show(card) for card in hand if other == seat or s.knows(seat, card)],
        },
        "board": [
            _position(s, slots[min(slot, len(slots) - 1)], card)
            for slot, card in enumerate(s.board[other])
        ],
    }
    if s.own_piles:
        prize = s.prizes[other]
        player |= _piles(s, other)
        player["prize"] = {
            "count": int(prize >= 0),
            "card": show(prize) if s.knows(seat, prize) else None,
        }
        player["pledged"] = s.pledged[other] > 0
    if not mode.has_guards:
        player["chain"] = {
            "count": len(s.characters(other)),
            "qualifies": _faces(s, other),
            "unrolled": mode.qualifies_unrolled(s, other) if s.leader(other) >= 0 else "",
        }
    return player


def _faces(s: Kaolan, seat: int) -> list[int]:
    """The faces of one die that qualify the seat now."""
    if s.leader(seat) < 0:
        return []
    mask = MODES[s.mode].qualifying_faces(s, seat)
    return [face for face in range(1, DIE_FACES + 1) if mask >> face & 1]


def _position(s: Kaolan, slot: str, card: int) -> dict[str, Any]:
    show = _card(s)
    if not s.is_character(card):
        empty = card < 0
        return {"slot": slot, "card": None if empty else show(card), "character": False}
    ability = s.ability[card]
    numbers = s.numbers(card)
    return {
        "slot": slot,
        "card": show(card),
        "character": True,
        "powers": [show(power) for power in s.powers[card]],
        "ability": None if ability < 0 else show(ability),
        "limit": s.limit(card),
        "numbers": [n for n in range(2, 13) if numbers >> n & 1],
        "ways": WAYS[numbers],
    }


def _challenge(s: Kaolan) -> dict[str, Any] | None:
    battle = s.battle
    if battle is None:
        return None
    return {
        "attacker": battle.attackers[0],
        "defender": battle.defenders[0],
        "attackers": battle.attackers[:],
        "defenders": battle.defenders[:],
        "qualified": battle.qualified[:],
        "escaped": battle.escaped[:],
        "hit": battle.hit[:],
        "stage": battle.stage,
    }


def _odds(s: Kaolan, seat: int | None) -> list[dict[str, Any]]:
    """Section 8: the chance of each Challenge between two Leaders (for a seat: its own ones)."""
    leaders = [other for other in s.still_in() if s.leader(other) >= 0]
    return [
        challenge_odds(s, attacker, defender)
        for attacker in leaders
        for defender in leaders
        if attacker != defender and (seat is None or seat in (attacker, defender))
    ]


def challenge_odds(s: Kaolan, attacker: int, defender: int) -> dict[str, Any]:
    """Section 9: q, e, v and q · (1-e) · v, exactly, from 6 and 36 cases (C-22)."""
    q = _qualify_chance(s, attacker)
    e = _share(*escapes(s, defender, attacker))
    if s.ability_of(s.leader(defender)) == "second_wind":
        e += (1 - e) * _second_wind_chance(s, defender)
    v = _share(*hits(s, attacker))
    if s.ability_of(s.leader(attacker)) == "battle_fury":
        v = 1 - (1 - v) ** 2
    return {
        "attacker": attacker,
        "defender": defender,
        "allowed": defender in MODES[s.mode].may_challenge(s, attacker),
        "qualify": round(q, 4),
        "escape": round(e, 4),
        "hit": round(v, 4),
        "total": round(q * (1 - e) * v, 4),
    }


def _qualify_chance(s: Kaolan, seat: int) -> float:
    if MODES[s.mode].qualifies_unrolled(s, seat):
        return 1.0
    return len(_faces(s, seat)) / DIE_FACES


def _share(mask: int, doubles: bool) -> float:
    """The share of the 36 rolls that give a number of the mask (or, if so, a double)."""
    ways = WAYS[mask]
    if doubles:
        ways += sum(1 for die in range(1, DIE_FACES + 1) if not mask >> 2 * die & 1)
    return ways / ROLLS


def _second_wind_chance(s: Kaolan, seat: int) -> float:
    """The chance of the second roll after the best discard."""
    numbers = s.cards.numbers
    powers = MODES[s.mode].fighting_powers(s, seat)
    best = 0
    for spent in powers:
        mask = 0
        for power in powers:
            if power != spent:
                mask |= numbers[power]
        best = max(best, WAYS[mask])
    return best / ROLLS


# -- what a seat can't see, dealt anew ---------------------------------------------------------

# With shared piles all hidden cards may change places, else each seat's among themselves.
REDEAL: Final = Redeal(lambda s, owner, card: owner if s.own_piles else None)


# -- words -------------------------------------------------------------------------------------

QUESTIONS: Final[Mapping[str, str]] = {
    "turn_action": "Your turn: choose what to do.",
    "choose_character": "Place: choose a Character from your hand.",
    "choose_position": "Place: choose its position.",
    "choose_exchange": "Replace Link: choose a Character from your hand.",
    "choose_link": "Replace Link: choose the link that goes.",
    "replaced_card": "Where does the replaced card go?",
    "choose_power": "Add Power: choose a Power Card.",
    "choose_power_host": "Choose the Character that takes it.",
    "choose_ability": "Choose a Special Ability from your hand.",
    "choose_ability_host": "Choose the Character that learns it.",
    "choose_opportunity": "Choose the Opportunity to play.",
    "choose_defender": "Challenge: choose whose Leader to challenge.",
    "horn_again": "Battle Horn: challenge once more, or stop here.",
    "second_wind": "You have not escaped. Second Wind: discard a Power Card to roll again?",
    "thorn_discard": "Thorn Hide: discard one of your Leader's Power Cards.",
    "volley_target": "Volley: choose whom to strike.",
    "step_up": "Your Leader is beaten: choose the Guard that steps up.",
    "swap_guard": "Change of Guard: choose the Guard that takes the Leader's place.",
    "pass_discard": "Pass: discard one card.",
    "discard_down": "Your hand is over four cards: discard one.",
    "trim_power": "This Character holds too many Power Cards: discard one.",
    "teach_host": "New Teaching: choose the Character that learns anew.",
    "sabotage_host": "Sabotage: choose an opponent's Character.",
    "sabotage_power": "Sabotage: choose the Power Card to discard.",
    "silence_host": "Silence: choose the Character that loses its ability.",
    "salvage_card": "Salvage: take one of these cards.",
    "regroup_card": "Regroup: take one of your attached cards into your hand.",
    "raid_seat": "Night Raid: choose the opponent who discards at random.",
    "spy_seat": "Spyglass: choose whose hand to look at.",
    "spy_card": "Spyglass: discard one of these cards, or none.",
    "surge_power": "Power Surge: choose a Power Card to attach.",
    "solo_play": "Use the face-up card, attack, or deal on.",
    "solo_target": "Attack: choose the Character to fight.",
    "solo_recycle": "The stock is used up: discard the card dealt first or the one dealt last.",
    "solo_second_wind": "They hit. Second Wind: discard a Power Card to make them roll again?",
    "solo_thorn": "Thorn Hide: discard one of your Power Cards.",
}

VERBS: Final[Mapping[str, str]] = {
    "place": "Place",
    "replace_link": "Replace Link",
    "add_power": "Add Power",
    "add_ability": "Add Ability",
    "opportunity": "Opportunity",
    "challenge": "Challenge",
    "pass": "Pass",
    "pledge": "Pledge alliance",
    "withdraw": "Withdraw pledge",
    "hand": "To your hand",
    "discard": "To the Discard Pile",
    "no": "No",
    "none": "Discard none",
    "done": "Done",
    "attach": "Attach it",
    "attack": "Attack",
    "deal": "Deal",
    "recycle": "Turn the pile over",
    "first": "The card dealt first",
    "last": "The card dealt last",
}

TOLD_LATER: Final = ("challenge", "pledge", "withdraw")
"""Actions that an event of their own tells."""

ABILITY_NAMES: Final[Mapping[str, str]] = {
    "ambush": "Ambush",
    "war_drums": "War Drums",
    "grandmaster": "Grandmaster",
}


def question(s: Any, prompt: Prompt, names: Sequence[str]) -> str:
    """What is asked, in one sentence."""
    text = QUESTIONS[prompt.kind]
    if prompt.kind == "choose_power_host":
        power = s.cards.title[prompt.context[0]]
        return f"Choose the Character that takes {power}."
    if prompt.kind == "step_up" and s.board[prompt.seat][0] >= 0:
        return "You can place no Leader any more: choose the Guard that steps up."
    if prompt.kind == "spy_card":
        return f"Spyglass: discard a card of {names[prompt.context[0]]}, or none."
    if prompt.kind == "trim_power":
        host = s.cards.title[prompt.context[0]]
        return f"{host} holds too many Power Cards: discard one."
    if prompt.kind in ("choose_character", "choose_position") and prompt.context[-1] > 0:
        return text.replace("Place", "Reinforcements")
    return text


def label(s: Any, move: Move, names: Sequence[str]) -> str:
    """The words on an option's button."""
    title: list[str] = s.cards.title
    if move.card is not None:
        card = title[move.card]
        words = {
            "discard": f"Discard {card}",
            "spend": f"Discard {card} and roll again",
            "take": f"Take {card}",
            "play": f"Play {card}",
            "step_up": f"{card} steps up",
        }
        return words.get(move.verb, str(card))
    match move.target:
        case Seat(seat):
            leader = s.leader(seat)
            if leader >= 0:
                return f"{names[seat]}: {title[leader]}"
            return names[seat]
        case Slot(slot):
            return _pile(s, move.verb, slot) if move.verb in ("match", "target") else _slot(slot)
        case Card(card=host):
            if move.verb == "host":
                return f"{title[host]} of {names[s.owner_of(host)]}"
            return f"Under {title[host]}"
    return VERBS[move.verb]


def _pile(s: Any, verb: str, slot: str) -> str:
    card = s.cards.title[s.top(PILE_NAMES.index(slot))]
    return f"{'Match with' if verb == 'match' else 'Fight'} {card} on {_slot(slot)}"


def narrate(
    event: Mapping[str, Any], names: Sequence[str], titles: Mapping[str, str]
) -> str | None:
    """One line of the log, from an event as its reader may know it."""
    who = names[event["seat"]] if "seat" in event else ""
    card = titles[event["card"]["slug"]] if event.get("card") else ""
    match event["kind"]:
        case "match_started":
            return f"{who} begins."
        case "dealt":
            return f"You are dealt {_list(event, titles)}." if "cards" in event else None
        case "board_revealed":
            return f"{who}'s board: {_list(event, titles)}."
        case "turn_started":
            return f"Turn {event['number']}: {who}."
        case "action":
            return None if event["verb"] in TOLD_LATER else f"{who}: {VERBS[event['verb']]}."
        case "drew":
            return _drew(event, who, titles)
        case "recycled":
            return f"The Discard Pile is shuffled into a new Draw Pile of {event['count']}."
        case "placed":
            return f"{who} places {card} as {_slot(event['slot'])}."
        case "replaced":
            return f"{who} takes {card} into the hand." if event["to"] == "hand" else None
        case "attached":
            return f"{who} puts {card} under {titles[event['host_card']['slug']]}."
        case "opportunity_shown":
            return f"{who} plays {card}."
        case "challenge_announced":
            return f"{who} challenges {names[event['defender']]}."
        case "qualified":
            return f"{who} qualifies without a roll ({ABILITY_NAMES[event['by']]})."
        case "rolled":
            return _rolled(event, who)
        case "escaped":
            return f"{who} escapes."
        case "defeated":
            return f"{who}'s {card} is defeated."
        case "rose_again":
            return f"Phoenix Heart: {who}'s {card} rises again."
        case "stepped_up":
            return f"{who}'s {card} steps up as Leader."
        case "swapped":
            return f"{who}'s {card} takes the Leader's place."
        case "discarded":
            return f"{card} goes to the Discard Pile."
        case "taken":
            return f"{who} takes {card} into the hand."
        case "hand_shown":
            other = names[event["other"]]
            seen = f": {_list(event, titles)}" if "cards" in event else ""
            return f"{who} looks at {other}'s hand{seen}."
        case "raided":
            return f"{who} raids {names[event['other']]}'s hand."
        case "pledge_changed":
            done = "pledges itself to its colour" if event["pledged"] else "withdraws the pledge"
            return f"{who} {done}."
        case "prize_claimed":
            if event["owner"] == event["seat"]:
                return f"{who} keeps the own Prize Card, {card}."
            return f"{who} claims the Prize Card of {names[event['owner']]}: {card}."
        case "eliminated":
            return f"{who} is out."
        case "resigned":
            return f"{who} resigns."
        case "match_ended":
            best = event["ranking"][0]
            winners = " and ".join(names[seat] for seat in best)
            return f"{winners} wins!" if len(best) == 1 else f"{winners} share the win."
        case _:
            return _narrate_solo(event, who, card, titles)
    return None


def _narrate_solo(
    event: Mapping[str, Any], who: str, card: str, titles: Mapping[str, str]
) -> str | None:
    """The log of Single Play."""
    match event["kind"]:
        case "dealt_on":
            count = event["count"]
            return f"{who} deals {count} card{'' if count == 1 else 's'}."
        case "revealed":
            return f"{card} is turned up."
        case "matched":
            return f"{card} matches {titles[event['foe_card']['slug']]}."
        case "set_aside":
            return f"{card} is set aside as {who}'s Character."
        case "passed_through":
            return f"Pass {event['number']} through the Master Deck is done."
        case "pile_turned":
            return f"{_slot(event['slot'])} shows {card}."
        case "removed":
            return f"{card} is removed from {_slot(event['slot'])}."
        case "attack":
            return f"{who} must attack." if event["forced"] else f"{who} attacks."
        case "battle":
            return f"Battle with {card} on {_slot(event['slot'])}."
        case "run_ended":
            if event["reason"] == "cleared":
                return f"{who} has removed all {event['score']} booster cards!"
            return f"The run is over with {event['score']} booster cards removed."
    return None


def _list(event: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    return ", ".join(titles[card["slug"]] for card in event["cards"])


def _drew(event: Mapping[str, Any], who: str, titles: Mapping[str, str]) -> str:
    if "cards" in event:
        count, what = len(event["cards"]), _list(event, titles)
    else:
        count, what = event["count"], "a card"
    return f"{who} draws {what}." if count else f"{who} finds no card to draw."


def _slot(slot: str) -> str:
    return slot.replace("-", " ").capitalize()


def _rolled(event: Mapping[str, Any], who: str) -> str:
    dice = " and ".join(str(die) for die in event["dice"])
    total = sum(event["dice"])
    success = event["success"]
    match event["stage"]:
        case "qualification":
            return f"{who} rolls {dice}: {'qualified' if success else 'not qualified'}."
        case "defense":
            result = "an escape" if success else "no escape"
        case "foe_volley":
            return f"They roll {dice} ({total}): {'a hit' if success else 'a miss'}."
        case _:
            result = "a hit" if success else "a miss"
    return f"{who} rolls {dice} ({total}): {result}."


__all__ = [
    "EVENTS",
    "REDEAL",
    "challenge_odds",
    "label",
    "narrate",
    "question",
    "view",
]
