"""Is this a legal KND: OCG deck? Section 7 of the rules specification.

The rules are data: ``deck_rules.toml``; the game's own formats stand in ``formats.toml``. A format
may set ``tournament``, ``no_duplicates``, ``four_of`` and ``single_type`` (true or false),
``restricted`` (most copies by card, in place of the list that ships with ``tournament``), and
``version``, the number of that list. What data can't say stands here: advice that reads what cards
ask for and use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Final

from rules.engine.cards import CardType
from rules.engine.deck_checks import CatalogIndex, joined, take_out, warning
from rules.engine.deck_rules import Deck, DeckRules
from rules.engine.legality import Fix, Problem, counted

SECTION: Final = "main"
SIZE: Final = 60
HAND: Final = 6
TYPES: Final = ("leader", "defender", "attacker", "spy", "pacifist")

_CARDS: Final = CatalogIndex("games.knd_ocg")
_ENERGY: Final = {
    card["type"]: slug
    for slug, card in _CARDS.items()
    if card.kind == "energy" and card["type"] in TYPES
}


@dataclass(frozen=True, slots=True)
class _Needs:
    """The cards a deck needs to fulfil a Special Card's requirement."""

    names: tuple[str, ...]
    type: str
    count: int
    characters: int
    typed_energy: int
    energy: int


def _mask(costs: Iterable[Mapping[str, int]]) -> int:
    """The types of Energy that these costs name, one bit each (KND-E-02: Normal is not a type)."""
    energies = {letter for cost in costs for letter in cost}
    return sum(1 << bit for bit, word in enumerate(TYPES) if word[0].upper() in energies)


def _needs_of(card: CardType) -> _Needs:
    requires = card.attributes.get("requires", {})
    attached = requires.get("attached", {})
    own = (requires.get("characters", 0), requires.get("count", 1) if "side" in requires else 0)
    word = requires.get("active", requires.get("side", ""))
    return _Needs(
        names=tuple(requires.get("names", ())),
        type=word if word in TYPES else "",
        count=requires.get("count", 1),
        characters=max(*own, ("active" in requires) + requires.get("reserve", 0)),
        typed_energy=_mask([attached]),
        energy=max(sum(attached.values()), requires.get("carrying", 0)),
    )


_TYPE_OF: Final = {
    slug: TYPES.index(card["type"]) for slug, card in _CARDS.items() if card.kind == "character"
}
_ENERGY_BIT: Final = {slug: 1 << TYPES.index(word) for word, slug in _ENERGY.items()} | {
    "normal-energy": 0
}
_NEEDS: Final = {
    slug: _needs_of(card) for slug, card in _CARDS.items() if "requires" in card.attributes
}
# Typed Energy that a Character's Special Attacks and Fleeing ask for …
_ASKS: Final = {
    slug: _mask([_CARDS[slug]["flee"]])
    | _mask(
        cost
        for attack in _CARDS[slug]["attacks"]
        for cost in (attack["energy"], attack.get("cost", {}))
    )
    for slug in _TYPE_OF
}
# … and that it, its Special Effect or a Special Card has any use for.
_USES: Final = {slug: needs.typed_energy for slug, needs in _NEEDS.items()} | {
    slug: asks
    | _mask(
        _CARDS[slug].attributes.get("special_effect", {}).get(key, {})
        for key in ("cost", "attached")
    )
    for slug, asks in _ASKS.items()
}
# All of it by card, since every verdict asks for each card of a deck.
_FACTS: Final = {
    slug: (
        _TYPE_OF.get(slug),
        _ASKS.get(slug, 0),
        _ENERGY_BIT.get(slug),
        _USES.get(slug, 0),
        _NEEDS.get(slug),
    )
    for slug in _CARDS
}


@dataclass(slots=True)
class _Together:
    """The input of the advice. ``types``: Characters by type; ``provided``, ``used`` and
    ``required`` have a bit for each type of Energy that is in the deck, that something in it uses,
    and that a Special Attack or Fleeing needs."""

    types: list[int]
    energy: int
    provided: int
    used: int
    required: int


def _unused_and_missing(deck: Deck) -> Iterator[Problem]:
    """KND-D-21 to KND-D-23, notices"""
    types = [0] * len(TYPES)
    energy = provided = used = required = 0
    needy = []
    for slug, count in deck.cards.items():
        type_, asks, bit, uses, needs = _FACTS[slug]
        used |= uses
        if type_ is not None:
            types[type_] += count
            required |= asks
        elif bit is not None:
            energy += count
            provided |= bit
        elif needs is not None:
            needy.append(needs)
    cards = _Together(types, energy, provided, used, required)
    if provided & ~used:
        yield from _unused_energy(deck, cards)
    if required & ~provided:
        yield from _missing_energy(deck, cards)
    for needs in needy:
        if needs.names or needs.typed_energy or _too_few(cards, needs):
            yield from _never_played(deck, cards)
            return


def _unused_energy(deck: Deck, cards: _Together) -> Iterator[Problem]:
    """KND-D-21"""
    for slug in _ENERGY.values():
        if _ENERGY_BIT[slug] & cards.provided & ~cards.used:
            message = f"No Character or Special Card in the deck uses {_CARDS.title(slug)}."
            fix = _swap_energy(deck, cards, slug)
            yield warning("KND-D-21", message, deck.cards[slug], None, fix, (slug,))


def _swap_energy(deck: Deck, cards: _Together, out: str) -> Fix | None:
    """Unused Energy for that of the largest group of Characters that uses some."""
    number = deck.cards[out]
    groups = [bit for bit, count in enumerate(cards.types) if count]
    for bit in sorted(groups, key=lambda bit: -cards.types[bit]):
        new = _ENERGY[TYPES[bit]]
        if cards.used >> bit & 1 and min(deck.room(new), SIZE - deck.cards.get(new, 0)) >= number:
            label = f"Swap {_CARDS.many(number, out)} for {_CARDS.title(new)}"
            return Fix(SECTION, {out: -number, new: number}, label)
    return None


def _missing_energy(deck: Deck, cards: _Together) -> Iterator[Problem]:
    """KND-D-22"""
    for slug in _ENERGY.values():
        bit = _ENERGY_BIT[slug]
        if bit & cards.required & ~cards.provided:
            asking = [card for card in _CARDS.ordered(deck.cards) if _ASKS.get(card, 0) & bit]
            message = (
                f"The deck has no {_CARDS.title(slug)}; "
                f"{joined([_CARDS.title(card) for card in asking])} cannot do without it."
            )
            yield warning("KND-D-22", message, 0, 1, None, asking)


def _never_played(deck: Deck, cards: _Together) -> Iterator[Problem]:
    """KND-D-23"""
    for slug in _CARDS.ordered(deck.cards.keys() & _NEEDS.keys()):
        if why := _hopeless(deck, cards, _NEEDS[slug]):
            message = f"{_CARDS.title(slug)} can never be played: the deck has {why}."
            number = deck.cards[slug]
            fix = take_out(_CARDS, SECTION, slug, number, number)
            yield warning("KND-D-23", message, number, None, fix, (slug,))


def _too_few(cards: _Together, needs: _Needs) -> bool:
    """True if there are fewer of something than a requirement asks for, whatever it is."""
    return (
        needs.energy > cards.energy
        or (needs.type != "" and cards.types[TYPES.index(needs.type)] < needs.count)
        or needs.characters > sum(cards.types)
    )


def _hopeless(deck: Deck, cards: _Together, needs: _Needs) -> str:
    """The cards the deck lacks for a Special Card's requirement; "" if it can be fulfilled."""
    if needs.names:
        names = {_CARDS[slug].name for slug in deck.cards if slug in _TYPE_OF}
        if missing := [name for name in needs.names if name not in names]:
            return f"no {joined(missing, 'or')}"
    if needs.type:
        count = cards.types[TYPES.index(needs.type)]
        if not count:
            return f"no {needs.type.title()}"
        if count < needs.count:
            plural = "Spies" if needs.type == "spy" else f"{needs.type.title()}s"
            number = f"1 {needs.type.title()}" if count == 1 else f"{count} {plural}"
            return f"{number}, and it needs {needs.count}"
    if needs.characters > sum(cards.types):
        return f"fewer than {counted(needs.characters, 'Character')}"
    if lacking := needs.typed_energy & ~cards.provided:
        word = next(word for bit, word in enumerate(TYPES) if lacking >> bit & 1)
        return f"no {_CARDS.title(_ENERGY[word])}"
    if needs.energy > cards.energy:
        return f"fewer than {counted(needs.energy, 'Energy card')}"
    return ""


@lru_cache(maxsize=1024)
def few_characters(cards: int, characters: int) -> float:
    """The chance that an opening hand holds at most one Character.

    >>> round(few_characters(60, 20), 4)
    0.3392
    """
    hand = min(HAND, cards)
    others = cards - characters
    ways = comb(others, hand) + characters * comb(others, hand - 1)
    return ways / comb(cards, hand)


def _chance_of_few(deck: Deck) -> str:
    """The chance in KND-D-20's words."""
    characters = sum(count for slug, count in deck.cards.items() if slug in _TYPE_OF)
    return f"{100 * few_characters(deck.sizes[''], characters):.1f}%"


DECK_RULES: Final = DeckRules(
    "games.knd_ocg",
    {"unused_and_missing": _unused_and_missing},
    slots={"few_characters": _chance_of_few},
)
check_deck: Final = DECK_RULES.check_deck
