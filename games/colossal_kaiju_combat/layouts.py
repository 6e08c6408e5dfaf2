"""Tests build positions, not histories: a Colossal Kaiju Combat table laid out by hand.

Cards are named by slug (``snap-bite``) or title (``Snap Bite``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from games.colossal_kaiju_combat.legality import PACKAGE
from games.colossal_kaiju_combat.rules import turn
from games.colossal_kaiju_combat.rules.action import act
from games.colossal_kaiju_combat.rules.setup import take_first_energy
from games.colossal_kaiju_combat.state import Cards, Kaiju, catalog
from rules.engine.card_tables import take_numbers
from rules.engine.cards import load_decks
from rules.engine.chance import Chance
from rules.engine.prompts import Step

SEAT_KEYS: Final = {
    "team": "a ready-made deck, whose team card and kaiju these are, or a team card",
    "kaiju": "the kaiju, in row order",
    "allies": "allies in play, in row order",
    "fallen": "kaiju that are out of the match",
    "set_aside": "kaiju that are set aside",
    "chosen": "the character in the city that was chosen this turn",
    "active": "further characters in the city",
    "damage": "damage by character",
    "scars": "scars by character; the seat's own cards",
    "changed": "characters that have used what they do once a match",
    "hand": "the combat cards in hand",
    "deck": "the combat deck, top card first; eight times Brace, if nothing is said",
    "discard": "the combat discard",
    "plans": "the planning cards in hand",
    "planning_deck": "the planning deck, top card first",
    "planning_discard": "the planning discard",
    "pile": "cards in the glory pile",
    "energy": "Energy; as after the set-up, if nothing is said",
    "fury": "Fury",
    "tokens": "glory tokens",
}
LISTS: Final = ("hand", "deck", "discard", "plans", "planning_deck", "planning_discard")
FEW: Final = ("brace",) * 8
PHASES: Final[Mapping[str, Step[()]]] = {
    "turn": turn.begin_turn,
    "discard": turn.discard_phase,
    "planning": turn.planning_phase,
    "selection": turn.selection_phase,
    "actions": turn.action_phase,
    "healing": turn.healing_phase,
}


def arrange(
    mode: str,
    chance: Chance,
    options: Mapping[str, Any],
    *,
    seats: list[Mapping[str, Any]],
    city: Sequence[tuple[str, int] | tuple[str, int, int]] = (),
    turn: int = 1,
    phase: str = "action",
    acting: Iterable[int] | None = None,
    quiet: int = 0,
    ties: Iterable[int] = (),
) -> Kaiju:
    """A table at the start of a phase, or (``action``) when the seats ``acting`` have their action
    still before them, in this order; nothing said, all by initiative.

    ``city`` lists a card, the seat that owns it and, perhaps, its damage; the head first.

    Raises ``ValueError`` for an unknown card or place.
    """
    laid = [_read(seat) for seat in seats]
    for name, owner, *_damage in city:
        laid[owner]["city"].append(Cards.named(name))
    slugs: list[str] = []
    starts, takes = [], []
    for seat in laid:
        own = [slug for place in ORDER for slug in seat[place]]
        starts.append(len(slugs))
        takes.append(take_numbers(own, first=len(slugs)))
        slugs += own
    s = Kaiju.lay(len(seats), chance, mode, Cards.in_order(slugs), starts, options)
    s.ties = tuple(ties) or s.ties
    s.turn, s.quiet = turn, quiet
    for number, (seat, layout) in enumerate(zip(laid, seats, strict=True)):
        _lay_seat(s, number, seat, layout, takes[number])
    for name, owner, *damage in city:
        card = takes[owner](Cards.named(name))
        s.city.append(card)
        if damage:
            s.damage[card] = damage[0]
    _begin(s, phase, acting)
    return s


ORDER: Final = (
    "team",
    "kaiju",
    "set_aside",
    "fallen",
    *("hand", "deck", "discard"),
    *("plans", "planning_deck", "planning_discard", "allies", "scar cards", "city", "pile"),
)


def _read(seat: Mapping[str, Any]) -> dict[str, list[str]]:
    """The slugs of a seat by place."""
    team = seat.get("team", "starter-deep")
    starters = load_decks(PACKAGE)
    if team in starters:
        cards = starters[team].cards
        team, kaiju = next(iter(cards["team"])), list(cards["kaiju"])
    else:
        kaiju = []
    away = [Cards.named(name) for key in ("fallen", "set_aside") for name in seat.get(key, ())]
    own = Cards.all_named(seat.get("kaiju", kaiju))
    places: dict[str, list[str]] = {place: [] for place in ORDER}
    places["team"] = [Cards.named(team)]
    places["kaiju"] = [slug for slug in own if slug not in away]
    for place in (*LISTS, "allies", "fallen", "set_aside", "pile"):
        places[place] = Cards.all_named(seat.get(place, ()))
    if "deck" not in seat:
        places["deck"] = list(FEW)
    for scars in seat.get("scars", {}).values():
        places["scar cards"] += Cards.all_named(scars)
    _check_kinds(places)
    return places


def _check_kinds(slugs_at: Mapping[str, Iterable[str]]) -> None:
    for places, combat in ((LISTS[:3], True), (LISTS[3:], False)):
        for place in places:
            for slug in slugs_at[place]:
                if (catalog()[slug].kind == "combat") != combat:
                    raise ValueError(f"“{slug}” does not belong to {place}.")


def _lay_seat(
    s: Kaiju,
    number: int,
    seat: Mapping[str, list[str]],
    layout: Mapping[str, Any],
    take: Callable[[str], int],
) -> None:
    cards = {place: [take(slug) for slug in seat[place]] for place in ORDER if place != "city"}
    s.rows[number] = (*cards["kaiju"], *cards["allies"])
    s.set_aside += cards["set_aside"]
    s.removed += cards["fallen"]
    s.combat_hands[number] = cards["hand"]
    s.combat_decks[number] = tuple(cards["deck"][::-1])
    s.combat_discards[number] = tuple(cards["discard"])
    s.planning_hands[number] = cards["plans"]
    s.planning_decks[number] = tuple(cards["planning_deck"][::-1])
    s.planning_discards[number] = tuple(cards["planning_discard"])
    s.glory[number] = tuple(cards["pile"])
    for card in (*cards["discard"], *cards["planning_discard"], *cards["pile"]):
        s.seen |= 1 << card

    def named(name: str) -> int:
        slug = Cards.named(name)
        for character in (*s.rows[number], *s.set_aside):
            if s.owner(character) == number and s.cards.slugs[character] == slug:
                return character
        raise ValueError(f"Seat {number + 1} has no “{name}” in play.")

    scars = iter(cards["scar cards"])
    for name, borne in sorted(layout.get("scars", {}).items()):
        s.scars += [(named(name), next(scars)) for _ in borne]
    for name, damage in sorted(layout.get("damage", {}).items()):
        s.damage[named(name)] = damage
    s.changed += [named(name) for name in layout.get("changed", ())]
    _send_out(s, number, layout, named)
    take_first_energy(s, number)
    s.energy[number] = layout.get("energy", s.energy[number])
    s.fury[number] = layout.get("fury", 0)
    s.tokens[number] = layout.get("tokens", 0)


def _send_out(
    s: Kaiju, number: int, layout: Mapping[str, Any], named: Callable[[str], int]
) -> None:
    active = [named(name) for name in layout.get("active", ())]
    if "chosen" in layout:
        s.chosen[number] = named(layout["chosen"])
        active.insert(0, s.chosen[number])
    s.active += active
    s.was_active += active


def _begin(s: Kaiju, phase: str, acting: Iterable[int] | None) -> None:
    s.order = turn.initiative_order(s)
    s.phase = phase
    following = list(PHASES)
    if phase == "action":
        s.then(turn.healing_phase)
        order = s.order if acting is None else list(acting)
        for seat in reversed(order):
            s.then(act, seat)
        return
    if phase not in PHASES:
        raise ValueError(f"Unknown phase “{phase}”. Known: action, {', '.join(PHASES)}.")
    if phase != "turn":
        for later in reversed(following[following.index(phase) :]):
            s.then(PHASES[later])
    else:
        s.turn -= 1
        s.then(turn.begin_turn)
