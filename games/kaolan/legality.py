"""Is this a legal Kaolan deck? Section 7 of the rules specification.

The rules are data: ``deck_rules.toml``. ``match`` and ``power`` want the shared deck that a host
brings, ``tournament`` a player's own deck; in ``single`` the decks are fixed and nothing is
checked. What data can't say stands here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.engine.deck_checks import CatalogIndex, warning
from rules.engine.deck_rules import Deck, DeckRules, fixes
from rules.engine.deck_rules.deck import UNNAMED
from rules.engine.legality import Fix, Problem

_PRISM_HEART: Final = "kao-sa-prism-heart"
_CARDS: Final = CatalogIndex("games.kaolan")
# Their colours, by card.
_CHARACTERS: Final = {slug: _CARDS[slug].colour for slug in _CARDS.of_kind("character")}
_COLOURED_POWERS: Final = {
    slug: _CARDS[slug].colour for slug in _CARDS.of_kind("power") if _CARDS[slug].colour != "gold"
}


def _powers_have_holders(deck: Deck) -> Iterator[Problem]:
    """KAO-D-14, a notice"""
    held = _colours_held(deck)
    place = "this deck" if deck.name == UNNAMED else deck.name
    for slug in deck.index.ordered(_COLOURED_POWERS.keys() & deck.cards.keys()):
        if _COLOURED_POWERS[slug] not in held:
            message = f"No Character in {place} can hold {deck.index.title(slug)}."
            yield warning("KAO-D-14", message, fix=_add_holder(deck, slug), cards=(slug,))


def _colours_held(deck: Deck) -> frozenset[str]:
    """The colours of Power Cards that something in the deck can hold (KAO-C-09, KAO-C-15)."""
    colours = {_CHARACTERS[slug] for slug in _CHARACTERS.keys() & deck.cards.keys()}
    if "gold" in colours or _PRISM_HEART in deck.cards:
        return frozenset(("red", "green", "blue"))
    return frozenset(colours)


def _add_holder(deck: Deck, slug: str) -> Fix | None:
    """A Character of the card's colour; where none may come in, another card in its place."""
    for holder, colour in _CHARACTERS.items():
        if colour == _COLOURED_POWERS[slug] and (fix := fixes.better(deck, holder, 1)):
            return fix
    return fixes.fewer(deck, slug, 0, swap=True)


DECK_RULES: Final = DeckRules("games.kaolan", {"powers_have_holders": _powers_have_holders})
MODES: Final = DECK_RULES.modes
check_deck: Final = DECK_RULES.check_deck
check_format: Final = DECK_RULES.check_format
