"""Views of a Colossal Kaiju Combat table: who may see what (section 4).

A view lists what a seat may see; it never strips what it may not. ``REDEAL`` is its counterpart:
it changes everything that the view does not show, and nothing that it does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from games.colossal_kaiju_combat import costs
from games.colossal_kaiju_combat.characters import (
    STATS,
    attributes,
    fortitude,
    is_immune,
    stat,
    stat_sum,
    total,
)
from games.colossal_kaiju_combat.determinization import imagine
from games.colossal_kaiju_combat.rules.glory import glory_of
from games.colossal_kaiju_combat.rules.turn import planning_draw
from games.colossal_kaiju_combat.state import ATTRIBUTES, CITY, Combat, Kaiju
from games.colossal_kaiju_combat.values import city_toughness
from rules.engine.card_tables import NO_CARD
from rules.engine.redeal import Redeal


def view(s: Kaiju, seat: int | None) -> dict[str, Any]:
    """The table as ``seat`` (None: a spectator) sees it."""
    return {
        "turn": s.turn,
        "turn_cap": s.turn_cap,
        "quiet": s.quiet,
        "quiet_limit": s.quiet_limit,
        "glory_target": s.glory_target,
        "claims_fury": s.claims_fury,
        "phase": s.phase,
        "order": s.playing()[:],
        "acting": _or_none(s.acting),
        "done": [] if s.phase == "discard" else s.done[:],
        "city": [_city_card(s, card) for card in s.city],
        "combat": _combat(s, s.combat, seat) if s.combat is not None else None,
        "last": _last(s) if s.last else None,
        "play": _cards(s, s.play),
        "players": [_player(s, other, seat) for other in range(s.seats)],
        "removed": _cards(s, s.removed),
    }


def _or_none(number: int) -> int | None:
    return number if number >= 0 else None


def _card(s: Kaiju, card: int) -> dict[str, Any]:
    return {"id": card, "slug": s.cards.slugs[card]}


def _cards(s: Kaiju, cards: Iterable[int]) -> list[dict[str, Any]]:
    return [_card(s, card) for card in cards]


def _city_card(s: Kaiju, card: int) -> dict[str, Any]:
    it = s.cards.prints[card]
    terms = city_toughness(s, card)
    return {
        "card": _card(s, card),
        "owner": s.owner(card),
        "kind": it.kind,
        "damage": s.damage.get(card, 0),
        "toughness": total(terms),
        "why": {"toughness": _sum(terms)},
        "fortitude": it.fortitude,
        "strike": it.strike,
        "glory": it.glory,
        "attributes": _attributes(it.attr),
    }


def _attributes(attrs: Collection[str]) -> list[str]:
    return [name.capitalize() for name in ATTRIBUTES if name in attrs]


def _sum(terms: Iterable[tuple[str, int]]) -> list[list[Any]]:
    return [[label, number] for label, number in terms]


# -- players ---------------------------------------------------------------------------------------


def _player(s: Kaiju, other: int, seat: int | None) -> dict[str, Any]:
    team, own = s.team_card(other), other == seat
    aside = [character for character in s.set_aside if s.owner(character) == other]
    return {
        "seat": other,
        "out": s.out.index(other) + 1 if other in s.out else None,
        "ready": other not in s.prompts if s.phase == "discard" else None,
        "glory": glory_of(s, other),
        "tokens": s.tokens[other],
        "energy": s.energy[other],
        "fury": s.fury[other],
        "pending": s.pending[other],
        "threshold": team.fury,
        "initiative": team.initiative,
        "planning_draw": planning_draw(s, other),
        "bonus": team.fortitude_bonus,
        "raging": s.combat is not None and other in s.combat.freed,
        "team_card": _card(s, s.starts[other]),
        "team": [_character(s, character) for character in (*s.rows[other], *aside)],
        "combat_deck": {"count": len(s.combat_decks[other])},
        "combat_hand": _hand(s, other, seat),
        "combat_discard": _combat_discard(s, other, own),
        **_plans(s, other, own),
        "glory_pile": {
            "cards": [
                {"card": _card(s, card), "worth": s.cards.prints[card].glory}
                for card in s.glory[other]
            ],
            "face_down": s.down_with.count(other),
        },
    }


def _hand(s: Kaiju, other: int, seat: int | None) -> dict[str, Any]:
    hand = s.combat_hands[other]
    seen = [card for card in hand if other == seat or s.knows(seat, card)]
    return {"count": len(hand), "cards": _cards(s, seen)}


def _combat_discard(s: Kaiju, other: int, own: bool) -> dict[str, Any]:
    """CKC-R-58; cards that went there unrevealed (CKC-R-49) are seen by their owner alone."""
    buried = [card for card in s.buried if s.owner(card) == other]
    pile = s.combat_discards[other]
    return {
        "count": len(pile) + len(buried),
        "cards": _cards(s, (*pile, *(buried if own else ()))),
    }


def _plans(s: Kaiju, other: int, own: bool) -> dict[str, Any]:
    """CKC-R-03: while phase 1 lasts the others count chosen discards in the hand."""
    if s.is_basic:
        return {"planning_deck": None, "planning_hand": None, "planning_discard": None}
    hand = s.planning_hands[other]
    thrown = [card for card in s.dropped if s.owner(card) == other]
    return {
        "planning_deck": {"count": len(s.planning_decks[other])},
        "planning_hand": {
            "count": len(hand) + len(thrown),
            "cards": _cards(s, hand) if own else [],
            "thrown": _cards(s, thrown) if own else [],
        },
        "planning_discard": {
            "count": len(s.planning_discards[other]),
            "cards": _cards(s, s.planning_discards[other]),
        },
    }


def _character(s: Kaiju, character: int) -> dict[str, Any]:
    it, seat = s.cards.prints[character], s.owner(character)
    chosen = s.chosen[seat] == character
    changed = character in s.changed
    fighting = s.combat is not None and (
        character in s.combat.fighters or character in s.combat.foes
    )
    why = {name: stat_sum(s, character, name) for name in STATS}
    values = {name: total(terms) for name, terms in why.items()}
    values["fortitude"] = fortitude(s, character)
    return {
        "card": _card(s, character),
        "kind": it.kind,
        "is_kaiju": it.is_kaiju,
        "active": character in s.active,
        "chosen": chosen,
        "acted": chosen and s.phase == "action" and seat in s.done,
        "rested": character not in s.was_active,
        "fighting": fighting,
        "set_aside": character in s.set_aside,
        "evolved": changed and bool(it.evolved),
        "revive_used": changed and not it.evolved,
        "immune": is_immune(s, character),
        "damage": s.damage.get(character, 0),
        **values,
        "glory": it.glory,
        "attributes": _attributes(attributes(s, character)),
        "why": {
            name: _sum(terms)
            for name, terms in why.items()
            if name == "fortitude" or len(terms) > 1
        },
        "scars": [
            {"card": _card(s, scar), "owner": s.owner(scar)} for scar in s.scars_on(character)
        ],
    }


# -- combat ----------------------------------------------------------------------------------------


def _combat(s: Kaiju, combat: Combat, seat: int | None) -> dict[str, Any]:
    striking = combat.sword == CITY and bool(s.city)
    return {
        "rampage": combat.is_rampage,
        "starter": combat.starter,
        "other": _or_none(combat.other),
        "sword": _or_none(combat.sword),
        "stage": combat.stage,
        "exchange": combat.exchange,
        "passes": combat.passes,
        "strike": s.cards.prints[s.city[0]].strike if striking else None,
        "fighters": [
            _fighter(s, combat, character, seat) for character in (*combat.fighters, *combat.foes)
        ],
        "fallen": [
            {
                "card": _card(s, character),
                "seat": s.owner(character),
                "row": _row(s, combat, character),
            }
            for character in combat.fought
            if character not in combat.fighters and character not in combat.foes
        ],
    }


def _fighter(s: Kaiju, combat: Combat, fighter: int, seat: int | None) -> dict[str, Any]:
    limit = None if s.owner(fighter) in combat.freed else stat(s, fighter, "power")
    return {
        "card": _card(s, fighter),
        "seat": s.owner(fighter),
        "ferocity": [costs.left(s, fighter, "ferocity"), stat(s, fighter, "ferocity")],
        "agility": [costs.left(s, fighter, "agility"), stat(s, fighter, "agility")],
        "energy": [combat.energy.get(fighter, 0), limit],
        "row": _row(s, combat, fighter),
        "down": _down(s, combat, fighter, seat),
    }


def _row(s: Kaiju, combat: Combat, fighter: int) -> list[dict[str, Any]]:
    """CKC-C-11: what it has played lies open before it."""
    return [
        {"card": _card(s, card), "mark": mark, "role": role}
        for card, character, role, mark in combat.played
        if character == fighter
    ]


def _down(s: Kaiju, combat: Combat, fighter: int, seat: int | None) -> list[dict[str, Any]]:
    """How many cards lie face down, at whom, and what was discarded; no more to others."""
    own = s.owner(fighter) == seat
    rows = []
    for role, cards, plans in (
        ("sword", combat.swords, combat.sword_plans),
        ("shield", combat.shields, combat.shield_plans),
    ):
        for card, (character, at, how, *price, discards) in zip(cards, plans, strict=True):
            if character == fighter:
                rows.append(
                    {
                        "card": _card(s, card) if own else None,
                        "role": role,
                        "target": at if role == "sword" else None,
                        "answers": _or_none(at) if role == "shield" else None,
                        "discards": discards,
                        "mark": how if own else None,
                        "price": price if own else None,
                    }
                )
    return rows


def _last(s: Kaiju) -> dict[str, Any]:
    """The sums of the last exchange that was turned up."""
    pairs: list[dict[str, Any]] = []
    for side, *row in s.last:
        if side == "dealt":
            stopping, dealt, back = row
            pairs[-1] |= {"stopping": _sum(stopping), "dealt": dealt, "back": back}
            continue
        card, character, seat, at, mark, effective, terms, value = row
        turned = {
            "card": None if card == NO_CARD else _remembered(s, card),
            "character": None if character == NO_CARD else _card(s, character),
            "seat": seat,
            "mark": mark,
            "effective": effective,
            "counter": card != NO_CARD and s.cards.prints[card].type == "Counterattack",
            "sum": _sum(terms),
            "total": value,
        }
        if side == "sword":
            target = _card(s, at)
            pairs.append({"target": target, "sword": turned, "answer": None})
        else:
            pairs[-1]["answer"] = turned
    return {"pairs": pairs}


def _remembered(s: Kaiju, card: int) -> dict[str, Any]:
    """A card that everybody has seen; without its number once it lies in a deck again."""
    row = [played[0] for played in s.combat.played] if s.combat is not None else []
    lies_open = card in row or card in s.combat_discards[s.owner(card)]
    return _card(s, card) if lies_open else {"slug": s.cards.slugs[card]}


# -- what a seat can't see, dealt anew -------------------------------------------------------------


def alike(s: Kaiju, owner: int | None, card: int) -> tuple[int, bool]:
    """A player's combat cards change places among themselves, and the planning cards."""
    return s.owner(card), s.cards.prints[card].is_combat


REDEAL: Final = Redeal(alike, imagine)
