"""The effects of planning cards and city cards (sections 6.4 to 6.8), by the card's effect name.

An Event can be played when its first choice has something to choose (CKC-R-57). What a combat card
does is worked out with its exchange (``values.py``, ``rules/reveal.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.characters import fortitude
from games.colossal_kaiju_combat.moves import CHARACTER, CITY_CARD, MOVE, SEAT
from games.colossal_kaiju_combat.rulebook import BOOK
from games.colossal_kaiju_combat.rules.damage import (
    add_fury,
    check_knockouts,
    gain_energy,
    heal,
    hurt,
    hurt_city,
)
from games.colossal_kaiju_combat.rules.decks import (
    draw_combat,
    draw_planning,
    pick_from,
    put_on_discard,
)
from games.colossal_kaiju_combat.rules.glory import check_glory, gain_glory, glory_of
from games.colossal_kaiju_combat.state import Kaiju
from rules.engine.moves import Move, chosen
from rules.engine.texts import CardTexts, choose

TEXTS: Final[CardTexts[Any]] = CardTexts(BOOK)


def possible(s: Kaiju, seat: int, card: int) -> bool:
    """CKC-R-57: does the condition of this Event hold?"""
    return TEXTS.conditions[s.cards.prints[card].effect](s, seat)


def carry_out(s: Kaiju, seat: int, card: int) -> None:
    """Do what the Event says."""
    TEXTS.effects[s.cards.prints[card].effect](s, seat)


def always(s: Kaiju, seat: int) -> bool:
    return True


# -- the city moves (CKC-Y-03) ---------------------------------------------------------------------


def move_city(s: Kaiju, seat: int, steps: int) -> None:
    """The head goes to the far end, so many times."""
    if steps:
        turned = steps % len(s.city)
        s.city = s.city[turned:] + s.city[:turned]
        s.tell(events.MOVED, seat, steps, s.city[0])


def can_move(s: Kaiju, seat: int) -> bool:
    """CKC-R-37: with fewer than two city cards there is nothing to move."""
    return len(s.city) > 1


# -- what is chosen among --------------------------------------------------------------------------


def unhurt_locations(s: Kaiju, seat: int) -> list[int]:
    prints = s.cards.prints
    return [card for card in s.city if prints[card].kind == "location" and not s.damage.get(card)]


def hurt_kaiju(s: Kaiju, seat: int) -> list[int]:
    """Own present kaiju with damage."""
    prints = s.cards.prints
    return [
        character
        for character in s.rows[seat]
        if prints[character].is_kaiju and s.damage.get(character)
    ]


def enemies(s: Kaiju, seat: int) -> list[int]:
    """Present characters of other players, by CKC-R-56."""
    return [character for character in s.present() if s.owner(character) != seat]


def seats_with_plans(s: Kaiju, seat: int) -> list[int]:
    """Other players with planning cards in hand, in seat order."""
    return [other for other in sorted(s.rivals(seat)) if s.planning_hands[other]]


# -- Events of the planning phase ------------------------------------------------------------------


def evacuate(s: Kaiju, seat: int, card: int) -> None:
    s.city.remove(card)
    put_on_discard(s, card)
    s.tell(events.EVACUATED, s.owner(card), card)
    gain_glory(s, seat, 1)
    check_glory(s)


TEXTS.text(
    "evacuate",
    choose(
        "evacuate_which",
        "Evacuation Order: choose an undamaged Location.",
        CITY_CARD,
        unhurt_locations,
    ),
    then=evacuate,
)
TEXTS.does("draw-planning", lambda s, seat: draw_planning(s, seat, 2), when=always)
TEXTS.text(
    "heal",
    choose("feed_whom", "Feeding Grounds: choose the kaiju that heals 3.", CHARACTER, hurt_kaiju),
    then=lambda s, seat, character: heal(s, character, 3),
)
TEXTS.does("energy", lambda s, seat: gain_energy(s, seat, 4), when=always)
TEXTS.does("fury", lambda s, seat: add_fury(s, seat, 3), when=always)
TEXTS.does("initiative", lambda s, seat: raid_at_dawn(s, seat), when=always)
TEXTS.text(
    "move-city",
    choose(
        "how_far",
        "Panic in the Streets: move the city how far?",
        MOVE,
        lambda s, seat: (1, 2, 3),
    ),
    then=move_city,
    when=can_move,
)


def raid_at_dawn(s: Kaiju, seat: int) -> None:
    """CKC-R-01: first of all in the next turn."""
    if seat not in s.raiders:
        s.raiders.append(seat)


def sabotage(s: Kaiju, seat: int, other: int) -> None:
    card, hand = pick_from(s, s.planning_hands[other])
    s.planning_hands[other].remove(card)
    put_on_discard(s, card)
    s.tell(events.SABOTAGED, other, card, hand)


TEXTS.text(
    "sabotage",
    choose("sabotage_whom", "Sabotage: choose who loses a card.", SEAT, seats_with_plans),
    then=sabotage,
)


def has_trophy(s: Kaiju, seat: int) -> bool:
    """A kaiju that started on somebody's team, and no Trophy Hall yet."""
    pile = [s.cards.prints[card] for card in s.glory[seat]]
    return any(card.kind == "kaiju" for card in pile) and all(
        card.effect != "trophy" for card in pile
    )


TEXTS.does("trophy", lambda s, seat: None, when=has_trophy)


def strike_from_the_air(s: Kaiju, seat: int, character: int) -> None:
    hurt(s, character, 2, seat, attack=False, cause="text")
    check_knockouts(s)


TEXTS.text(
    "air-strike",
    choose("strike_whom", "Air Strike: choose who takes 2 damage.", CHARACTER, enemies),
    then=strike_from_the_air,
)


def demolish(s: Kaiju, seat: int, card: int) -> None:
    hurt_city(s, card, 3, seat, "text")
    check_knockouts(s)


TEXTS.text(
    "demolish",
    choose(
        "demolish_which",
        "Demolition: choose the city card that takes 3 damage.",
        CITY_CARD,
        lambda s, seat: s.city,
    ),
    then=demolish,
)
TEXTS.does("draw-combat", lambda s, seat: draw_combat(s, seat, 2), when=always)

# -- Events of other moments -----------------------------------------------------------------------


def stare_down(s: Kaiju, seat: int) -> None:
    gain_glory(s, seat, 1)
    check_glory(s)


TEXTS.does("taunt", lambda s, seat: None, when=always)  # the challenge goes by the answer
TEXTS.does("stare-down", stare_down, when=always)
TEXTS.does("more-rage", lambda s, seat: None, when=always)  # the Rage Attack goes by the answer


def has_beaten_a_kaiju(s: Kaiju, seat: int) -> bool:
    """Front Page: an enemy kaiju was knocked out in this combat; at most one a combat."""
    combat = s.combat
    if combat is None or seat in combat.front_pages:
        return False
    prints = s.cards.prints
    return any(who == seat and prints[card].is_kaiju for who, card in combat.felled)


def make_front_page(s: Kaiju, seat: int) -> None:
    assert s.combat is not None
    s.combat.front_pages.append(seat)


def has_felled(s: Kaiju, seat: int) -> bool:
    """Spoils of War: an enemy character or a city card fell in this combat."""
    combat = s.combat
    return combat is not None and any(who == seat for who, _card in combat.felled)


def take_spoils(s: Kaiju, seat: int, other: int) -> None:
    """CKC-W-07, CKC-R-63: face down, seen by nobody."""
    card, hand = pick_from(s, s.planning_hands[other])
    s.planning_hands[other].remove(card)
    s.known.pop(card, None)
    s.down.append(card)
    s.down_with.append(seat)
    s.stirred = True
    s.tell(events.SPOILS_TAKEN, seat, other, card, hand)
    check_glory(s)


TEXTS.does("front-page", make_front_page, when=has_beaten_a_kaiju)
TEXTS.text(
    "spoils",
    choose("spoils_of_whom", "Spoils of War: choose whose card you take.", SEAT, seats_with_plans),
    then=take_spoils,
    when=has_felled,
)

# -- Assault (6.5): at the start of phase 5, before healing ----------------------------------------


def active_characters(s: Kaiju) -> list[int]:
    """By CKC-R-56: initiative order of controllers, then row order."""
    return [character for character in s.present() if character in s.active]


def most_damaged(s: Kaiju, card: int) -> list[int]:
    """Fighter Squadron"""
    return first_with_most(active_characters(s), lambda character: s.damage.get(character, 0))


def strongest_kaiju(s: Kaiju, card: int) -> list[int]:
    """Guardian Mech Paladin-9"""
    kaiju = [character for character in active_characters(s) if s.cards.prints[character].is_kaiju]
    return first_with_most(kaiju, lambda character: fortitude(s, character))


def first_with_most(characters: list[int], amount: Callable[[int], int]) -> list[int]:
    return [max(characters, key=amount)] if characters else []  # max keeps the first of equals


def of_most_glory(s: Kaiju, card: int) -> list[int]:
    """Missile Battery"""
    standing = s.still_in()
    most = max(glory_of(s, seat) for seat in standing)
    leaders = [seat for seat in standing if glory_of(s, seat) == most]
    return [character for character in active_characters(s) if s.owner(character) in leaders]


ASSAULTS: Final[Mapping[str, Callable[[Kaiju, int], list[int]]]] = {
    "strike-most-damaged": most_damaged,
    "strike-most-glory": of_most_glory,
    "strike-strongest": strongest_kaiju,
}


@BOOK.step
def assault(s: Kaiju, card: int) -> None:
    """The text of one city card, then a KO check."""
    owner, effect = s.owner(card), s.cards.prints[card].effect
    if effect in ASSAULTS:
        bombard(s, card, ASSAULTS[effect](s, card))
    elif owner not in s.out:
        s.ask(owner, assault_target, card)


def bombard(s: Kaiju, card: int, characters: Iterable[int]) -> None:
    for character in characters:
        hurt(s, character, s.cards.prints[card].amount, s.owner(card), attack=False, cause="city")
    check_knockouts(s)


@BOOK.prompt("Gunship Patrol: choose an active enemy to take 1 damage.")
def assault_target(s: Kaiju, seat: int, card: int) -> list[Move]:
    return [
        CHARACTER[character] for character in active_characters(s) if s.owner(character) != seat
    ]


@assault_target.answer
def assault_aimed(s: Kaiju, seat: int, move: Move, card: int) -> None:
    bombard(s, card, [chosen(move)])
