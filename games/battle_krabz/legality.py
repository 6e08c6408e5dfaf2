"""Is this a legal Battle Krabz deck? Section 7 of the rules specification.

The rules are data: ``deck_rules.toml``. A list has one section, ``main``; its entries may be names
("Krabi Long Legs (Platinum)") as well as slugs. What data can't say stands here: how entries are
read (BKZ-R-03), the unchanged Starter Deck, and the decks of a match together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.battle_krabz.state import COLOURS
from rules.engine.cards import load_decks
from rules.engine.deck_checks import CatalogIndex, error
from rules.engine.deck_rules import Deck, DeckRules
from rules.engine.deck_rules.deck import read_deck
from rules.engine.legality import Decklist, Fix, Problem, Report, no_card

PACKAGE: Final = "games.battle_krabz"
SECTION: Final = "main"
TRUMP_SIZES: Final = (10, 15, 20, 30)
SIDES: Final[Mapping[str, str]] = {"K": "Krabz", "E": "Enemigos"}

_CARDS = CatalogIndex(PACKAGE)
_STARTERS = {
    "K": load_decks(PACKAGE)["starter-krabz"].cards[SECTION],
    "E": load_decks(PACKAGE)["starter-enemigos"].cards[SECTION],
}


# -- reading ---------------------------------------------------------------------------------------


def _key(text: str) -> str:
    """A card's name or slug as it is compared: words only, small, spelt right (BKZ-R-03)."""
    for mark in "()-,":
        text = text.replace(mark, " ")
    words = text.casefold().split()
    return " ".join("krabbi" if word == "krabi" else word for word in words)


_BY_NAME = {_key(card.title): slug for slug, card in _CARDS.items()} | {
    _key(slug): slug for slug in _CARDS
}
_SLUGS: Final = frozenset(_CARDS)
_LEANS: Final = tuple(
    {slug: 1 if card["side"] == "E" else -1 for slug, card in _CARDS.items() if card.kind == kind}
    for kind in ("warrior", "booster")
)
"""The Warriors, and the Boosters: 1 for a card of the Enemigos, -1 for one of the Krabz."""
_CHARACTERS: dict[str, list[str]] = {}
for _slug, _card in _CARDS.items():
    _CHARACTERS.setdefault(_key(_card.name), []).append(_slug)


def card_named(text: str) -> str:
    """The card that an entry of a list names, by slug or in any spelling (BKZ-R-03); "" for none.

    >>> card_named("Krabi Long Legs (Silver)")
    'krabbi-long-legs-silver'
    """
    return text if text in _SLUGS else _BY_NAME.get(_key(text), "")


def cards_of(decklist: Decklist) -> list[str]:
    """The cards of a legal list in the order of the catalog, copies side by side."""
    slugs: list[str] = []
    for entry, count in decklist[SECTION].items():
        slugs += [card_named(entry)] * count
    return _CARDS.ordered(slugs)


# -- what data can't say ---------------------------------------------------------------------------


def _only_cards(deck: Deck) -> Iterator[Problem]:
    """BKZ-D-01"""
    for section, entry, count in sorted(deck.foreign):
        name, _, colour = _key(entry).rpartition(" ")
        versions = _CHARACTERS.get(name, []) if colour in COLOURS else []
        message = f"{entry}: no such Battle Krabz card. Remove it."
        if versions:
            colours = ", ".join(_CARDS[slug].colour.capitalize() for slug in versions)
            message = (
                f"{_CARDS[versions[0]].name} does not exist in {colour.capitalize()}. "
                f"It comes in: {colours}. Swap or remove it."
            )
        problem = no_card("BKZ-D-01", message, section, entry, count)
        if new := next(filter(deck.room, versions), None):
            label = f"Swap for {_CARDS.title(new)}"
            problem = replace(problem, fix=Fix(section, {entry: -count, new: 1}, label))
        yield problem


def _starter_only(deck: Deck) -> Iterator[Problem]:
    """BKZ-D-24"""
    if deck.cards in _STARTERS.values():
        return
    own = _side(deck.cards)
    fitting = [side for side in sorted(SIDES, key=lambda side: side != own) if _fits(side, deck)]
    side = (*fitting, own)[0]
    starter = _STARTERS[side]
    missing = [slug for slug in _CARDS.ordered(starter) if slug not in deck.cards]
    strange = [
        slug for slug in _CARDS.ordered(deck.cards) if deck.cards[slug] > starter.get(slug, 0)
    ]
    message = "Not an unchanged Starter Deck."
    if missing:
        message += f" Missing: {', '.join(map(_CARDS.title, missing))}."
    if strange:
        message += f" Not part of it: {', '.join(map(_CARDS.title, strange))}."
    if not fitting:
        message += " Neither Starter Deck meets what else is asked here, so no deck can be legal."
    surplus = {slug: starter.get(slug, 0) - deck.cards[slug] for slug in strange}
    changes = dict.fromkeys(missing, 1) | deck.by_entry(SECTION, surplus)
    fix = Fix(SECTION, changes, f"Make it the Starter Deck {SIDES[side]}") if fitting else None
    yield error("BKZ-D-24", message, None, None, fix, (*missing, *strange))


def _fits(side: str, deck: Deck) -> bool:
    """True if this side's Starter Deck meets all that the format asks for."""
    lists = {SECTION: _STARTERS[side]}
    starter = read_deck(deck.active.format_rules, lists, deck.name, deck.owned)
    return all(problem.severity != "error" for problem in DECK_RULES.judged(starter))


def _side(cards: Mapping[str, int]) -> str:
    """The side of a deck's Warriors; without any, of its Boosters."""
    for leans in _LEANS:
        own = [leans[slug] * count for slug, count in cards.items() if slug in leans]
        if own:
            return "E" if sum(own) > 0 else "K"
    return "K"


DECK_RULES: Final = DeckRules(
    PACKAGE, {"only_cards": _only_cards, "starter_only": _starter_only}, named=card_named
)
check_deck: Final = DECK_RULES.check_deck


# -- the decks of a match --------------------------------------------------------------------------


def check_table(
    mode: str,
    decks: Sequence[Decklist],
    options: Mapping[str, Any],
    names: Sequence[str] | None = None,
) -> Report:
    """The verdict on a match's decks, one a seat: each alone, then together (BKZ-D-10, BKZ-D-11).

    The messages begin with the seat's name where they are about one seat's deck.
    """
    names = names or [f"Seat {seat + 1}" for seat in range(len(decks))]
    option = "target" if mode == "battle" else "trump_size"
    problems: list[Problem] = []
    too_few: list[Problem] = []
    for deck, name in zip(decks, names, strict=True):
        for problem in check_deck(mode, deck, {option: options[option]}).problems:
            problem = replace(problem, message=f"{name}: {problem.message}")
            if problem.rule == "BKZ-D-06":
                too_few.append(replace(problem, rule="BKZ-D-11"))
            else:
                problems.append(problem)
    if mode == "battle" and options["factions"] != "any":
        problems += _opposed(decks)
    return Report((*problems, *too_few))


def _by_slug(entries: Mapping[str, int]) -> Mapping[str, int]:
    """A section with its entries under the slugs of the cards that they name."""
    if entries.keys() <= _SLUGS:
        return entries
    cards: dict[str, int] = {}
    for entry, count in entries.items():
        if slug := card_named(entry):
            cards[slug] = cards.get(slug, 0) + count
    return cards


def _opposed(decks: Sequence[Decklist]) -> Iterator[Problem]:
    """BKZ-D-10"""
    sides = [_side(_by_slug(deck.get(SECTION, {}))) for deck in decks]
    if len(set(sides)) < len(sides):
        message = (
            f"Both decks are {SIDES[sides[0]]}. Standard Battle Mode needs one Krabz deck and "
            "one Enemigos deck. Choose another deck, or allow any factions."
        )
        yield error("BKZ-D-10", message)
