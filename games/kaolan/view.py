"""The view of a Kaolan table for each seat (section 4).

A view lists what a seat may see; it never strips what it may not. ``REDEAL`` is its counterpart:
it changes everything that the view does not show, and nothing that it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.kaolan.rules.challenge import escapes, hits
from games.kaolan.rules.contest import MODES
from games.kaolan.state import WAYS, Kaolan
from rules.engine.redeal import Redeal

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
        "rolls": [_roll(s, *roll) for roll in battle.rolls],
    }


def _roll(
    s: Kaolan,
    stage: str,
    seat: int,
    dice: Sequence[int],
    success: bool,
    cards: Sequence[int],
    ability: str,
) -> dict[str, Any]:
    show = _card(s)
    return {
        "stage": stage,
        "seat": seat,
        "dice": list(dice),
        "success": success,
        "matched_cards": [show(card) for card in cards],
        "matched_ability": ability,
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
    """Section 9: q, e, v and q · (1-e) · v, exactly, from 6 and 36 cases (KAO-C-22)."""
    q = _qualify_chance(s, attacker)
    e = _share(*escapes(s, defender, attacker))
    if s.leader_ability(defender) == "second_wind":
        e += (1 - e) * _second_wind_chance(s, defender)
    v = _share(*hits(s, attacker))
    if s.leader_ability(attacker) == "battle_fury":
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
