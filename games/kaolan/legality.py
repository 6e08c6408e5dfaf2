"""Is this a legal Kaolan deck? Section 7 of the rules specification, check by check.

A list has one section, ``main``. Every failed check gives a problem of its own, in the order of
the rule IDs; a check that concerns cards gives one problem a card, in the order of the catalog.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from rules.engine.cards import load_decks
from rules.engine.deck_checks import (
    CatalogIndex,
    changes_to,
    error,
    excess,
    known_mode,
    more_than,
    no_cards,
    not_owned,
    spread,
    take_out,
    thin,
    warning,
)
from rules.engine.legality import (
    Decklist,
    Fix,
    Problem,
    Report,
    counted,
    read_decklist,
    read_format,
)

SECTION = "main"
UNNAMED = "This deck"
MODES = ("match", "tournament", "power", "single")
FORMAT_OPTIONS = ("singleton", "exact_size", "no_gold", "master_only", "classic")

SHARED_SIZE = 60
TOURNAMENT_SIZE = 40
LARGEST = 120
CHARACTERS_NEEDED = 5
COPIES = 2
GOLD_COPIES = 1

_CARDS = CatalogIndex("games.kaolan")
_MASTER = frozenset(slug for slug, card in _CARDS.items() if "master" in card.sets)
_GOLD = frozenset(slug for slug, card in _CARDS.items() if card.colour == "gold")
_CHARACTERS = frozenset(slug for slug, card in _CARDS.items() if card.kind == "character")
_COLOURED_POWERS = frozenset(
    slug for slug, card in _CARDS.items() if card.kind == "power" and card.colour != "gold"
)
_PRISM_HEART = "kao-sa-prism-heart"
_READY_MADE = tuple(dict(deck.cards[SECTION]) for deck in load_decks("games.kaolan").values())


def check_deck(
    mode: str,
    decklist: Decklist,
    format: Mapping[str, bool] | None = None,
    *,
    name: str = UNNAMED,
    owned: Mapping[str, int] | None = None,
) -> Report:
    """The verdict on a list for ``mode``.

    ``match`` and ``power`` want the shared deck that a host brings, ``tournament`` a player's own
    deck; in ``single`` the decks are fixed and nothing is checked. ``format`` switches house
    options on (``FORMAT_OPTIONS``; what is left out is off). ``owned`` says how many of each card
    the owner has; without it nobody asks. ``name`` is what the messages call the deck.

    An unknown card (KAO-D-01) counts for nothing else, so that the other problems are those
    that remain when it has been taken out.

    Raises ``UnknownGame`` for another mode, and ``BadData`` for a format or list that cannot be
    read: options or sections that don't exist, counts that are no whole numbers of at least 0.
    """
    options = _read_format(mode, format)
    if mode == "single":
        return Report()
    cards = read_decklist(decklist, (SECTION,)).get(SECTION, {})
    foreign = {slug: cards.pop(slug) for slug in [slug for slug in cards if slug not in _CARDS]}
    deck = _Deck(name, mode, cards, foreign, sum(cards.values()), options, owned)

    problems: list[Problem] = []
    problems += _only_kaolan_cards(deck)
    problems += _only_owned_cards(deck)
    if mode == "tournament":
        problems += _at_least("KAO-D-08", deck, TOURNAMENT_SIZE, "a Tournament deck")
        problems += _at_most("KAO-D-09", deck)
        problems += _enough_characters(deck)
        problems += _copies("KAO-D-11", deck)
        problems += _gold_copies("KAO-D-12", deck)
        problems += _cards_left_out(deck)
        problems += _powers_have_holders(deck)
    else:
        problems += _at_least("KAO-D-03", deck, SHARED_SIZE, "a shared Kaolan deck")
        problems += _at_most("KAO-D-04", deck)
        problems += _whole_master_deck("KAO-D-05", deck)
        problems += _in_card_order([*_copies("KAO-D-06", deck), *_gold_copies("KAO-D-06", deck)])
        problems += _cards_left_out(deck)
    if "singleton" in options:
        problems += _no_duplicates(deck)
    if "exact_size" in options:
        problems += _exact_size(deck)
    if "no_gold" in options:
        problems += _no_gold(deck)
    if "master_only" in options:
        problems += _master_only(deck)
    if "classic" in options and mode == "tournament":
        problems += _whole_master_deck("KAO-D-19", deck)
    return Report(tuple(problems))


def check_format(mode: str, format: Mapping[str, bool] | None) -> Report:
    """Can decks fulfil this format at all? Shown to the organiser who sets it up.

    Raises as :func:`check_deck` does.
    """
    options = _read_format(mode, format)
    if mode == "tournament" and options >= {"classic", "exact_size"}:
        message = "Classic decks hold the whole Master Deck (60 cards) and cannot have exactly 40."
        return Report((error("KAO-D-20", message, SHARED_SIZE, TOURNAMENT_SIZE),))
    return Report()


@dataclass(slots=True)
class _Deck:
    """The input of the checks: the list, sorted, and the format."""

    name: str
    mode: str
    cards: dict[str, int]
    foreign: dict[str, int]
    total: int
    options: frozenset[str]
    owned: Mapping[str, int] | None

    @property
    def size(self) -> int:
        """How many cards of it are played with."""
        return TOURNAMENT_SIZE if self.mode == "tournament" else SHARED_SIZE

    @property
    def needs_master_deck(self) -> bool:
        return self.mode != "tournament" or "classic" in self.options

    def limit(self, slug: str) -> int:
        """How many copies of a card the rules and the format allow."""
        if slug in _GOLD:
            return 0 if "no_gold" in self.options else GOLD_COPIES
        if "master_only" in self.options and slug not in _MASTER:
            return 0
        return 1 if "singleton" in self.options else COPIES


def _read_format(mode: str, format: Mapping[str, bool] | None) -> frozenset[str]:
    """The options that are on."""
    known_mode("Kaolan", mode, MODES)
    values = read_format(format, FORMAT_OPTIONS, FORMAT_OPTIONS)
    return frozenset(option for option, on in values.items() if on)


# All modes with decks


def _only_kaolan_cards(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-01"""
    entries = ((SECTION, entry, count) for entry, count in deck.foreign.items())
    return no_cards("KAO-D-01", entries, "“{}” is not a Kaolan card.".format)


def _only_owned_cards(deck: _Deck) -> Iterable[Problem]:
    """KAO-D-02; ready-made decks and the plain Master Deck are exempt."""
    owned = deck.owned or {}
    lacking = not_owned(deck.cards, deck.owned)
    if not lacking or deck.cards in _READY_MADE:
        return ()
    return _excess(
        "KAO-D-02",
        deck,
        lacking,
        lambda slug: max(owned.get(slug, 0), 0),
        lambda slug, copies, have: (
            f"{deck.name} uses {_CARDS.copies(copies, slug)}, but you own {have}."
        ),
    )


# Sizes: shared decks and Tournament decks differ in the numbers and in the words only


def _at_least(rule: str, deck: _Deck, size: int, what: str) -> Iterator[Problem]:
    """KAO-D-03 and KAO-D-08"""
    if deck.total < size:
        yield error(
            rule,
            f"{deck.name} has {counted(deck.total, 'card')}; {what} needs at least {size}.",
            deck.total,
            size,
            _add_any(deck, size - deck.total),
        )


def _at_most(rule: str, deck: _Deck) -> Iterator[Problem]:
    """KAO-D-04 and KAO-D-09"""
    if deck.total > LARGEST:
        yield error(
            rule,
            f"{deck.name} has {counted(deck.total, 'card')}; at most {LARGEST} are allowed.",
            deck.total,
            LARGEST,
            _take_out_any(deck, deck.total - LARGEST),
        )


def _cards_left_out(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-07 and KAO-D-13, notices"""
    surplus = deck.total - deck.size
    if surplus <= 0:
        return
    rule = "KAO-D-07"
    message = f"{counted(surplus, 'randomly chosen card')} will be left out at the start."
    if deck.mode == "tournament":
        rule = "KAO-D-13"
        message += f" Exactly {deck.size} cards are always all used."
    yield warning(rule, message, deck.total)


# Cards


def _whole_master_deck(rule: str, deck: _Deck) -> Iterator[Problem]:
    """KAO-D-05 and KAO-D-19"""
    for slug in _CARDS.ordered(_MASTER - deck.cards.keys()):
        title = _CARDS.title(slug)
        message = f"{title} from the Master Deck is missing (0 found, at least 1 needed)."
        yield error(rule, message, 0, 1, _add({slug: 1}), (slug,))


def _enough_characters(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-10"""
    characters = sum(deck.cards[slug] for slug in _CHARACTERS & deck.cards.keys())
    if characters < CHARACTERS_NEEDED:
        yield error(
            "KAO-D-10",
            f"{deck.name} has {counted(characters, 'Character')};"
            f" at least {CHARACTERS_NEEDED} are needed.",
            characters,
            CHARACTERS_NEEDED,
            _add_characters(deck, CHARACTERS_NEEDED - characters),
        )


def _copies(rule: str, deck: _Deck) -> Iterable[Problem]:
    """KAO-D-11, and KAO-D-06 for cards that are not gold"""
    many = [slug for slug in more_than(deck.cards, COPIES) if slug not in _GOLD]
    return _excess(rule, deck, many, COPIES, _copies_found(""))


def _gold_copies(rule: str, deck: _Deck) -> Iterable[Problem]:
    """KAO-D-12, and KAO-D-06 for gold cards"""
    many = [slug for slug in _GOLD & deck.cards.keys() if deck.cards[slug] > GOLD_COPIES]
    return _excess(rule, deck, many, GOLD_COPIES, _copies_found(" (gold)"))


def _powers_have_holders(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-14, a notice"""
    held = _colours_held(deck)
    place = "this deck" if deck.name == UNNAMED else deck.name
    for slug in _CARDS.ordered(_COLOURED_POWERS & deck.cards.keys()):
        if _CARDS[slug].colour not in held:
            message = f"No Character in {place} can hold {_CARDS.title(slug)}."
            yield warning("KAO-D-14", message, fix=_add_holder(deck, slug), cards=(slug,))


# House options an organiser can switch on


def _no_duplicates(deck: _Deck) -> Iterable[Problem]:
    """KAO-D-15"""
    say = _copies_found("", " in this format")
    return _excess("KAO-D-15", deck, more_than(deck.cards, 1), 1, say)


def _exact_size(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-16"""
    missing = deck.size - deck.total
    if missing:
        yield error(
            "KAO-D-16",
            f"{deck.name} has {counted(deck.total, 'card')};"
            f" this format needs exactly {deck.size}.",
            deck.total,
            deck.size,
            _add_any(deck, missing) if missing > 0 else _take_out_any(deck, -missing),
        )


def _no_gold(deck: _Deck) -> Iterable[Problem]:
    """KAO-D-17"""
    return _excess(
        "KAO-D-17",
        deck,
        _GOLD & deck.cards.keys(),
        0,
        lambda slug, copies, most: (
            f"{_CARDS.title(slug)} is gold; this format allows {most} gold cards ({copies} found)."
        ),
    )


def _master_only(deck: _Deck) -> Iterable[Problem]:
    """KAO-D-18"""
    return _excess(
        "KAO-D-18",
        deck,
        deck.cards.keys() - _MASTER,
        0,
        lambda slug, copies, most: (
            f"{_CARDS.title(slug)} comes from a booster;"
            f" this format allows Master Deck cards only ({copies} found, {most} allowed)."
        ),
    )


# Words


def _excess(
    rule: str,
    deck: _Deck,
    slugs: Collection[str],
    allowed: int | Callable[[str], int],
    say: Callable[[str, int, int], str],
) -> Iterable[Problem]:
    if not slugs:
        return ()

    def out(slug: str, number: int) -> Fix:
        return _take_out(deck, slug, number)

    return excess(_CARDS, rule, slugs, deck.cards, allowed, say, out)


def _copies_found(what: str, where: str = "") -> Callable[[str, int, int], str]:
    return lambda slug, copies, most: (
        f"{_CARDS.title(slug)}{what}: {copies} copies found, {most} allowed{where}."
    )


def _in_card_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: _CARDS.place[problem.cards[0]])


# What a list can hold


def _colours_held(deck: _Deck) -> frozenset[str]:
    """The colours of Power Cards that something in the deck can hold (KAO-C-09, KAO-C-15)."""
    colours = {_CARDS[slug].colour for slug in _CHARACTERS & deck.cards.keys()}
    if "gold" in colours or _PRISM_HEART in deck.cards:
        return frozenset(("red", "green", "blue", "gold"))
    return frozenset(colours)


def _room(deck: _Deck, slug: str) -> int:
    """How many more copies of a card may come in: by copies, by the format, by what is owned."""
    most = deck.limit(slug)
    if deck.owned is not None:
        most = min(most, deck.owned.get(slug, 0))
    return max(0, most - deck.cards.get(slug, 0))


# Fixes: changes that a page offers as a button. Where there is a choice of cards to add, it keeps
# to the copies, to the format and to what is owned.


def _take_out(deck: _Deck, slug: str, number: int) -> Fix:
    return take_out(_CARDS, SECTION, slug, number, deck.cards[slug])


def _add(changes: Mapping[str, int]) -> Fix | None:
    return Fix(SECTION, changes, f"Add {_CARDS.listed(changes)}") if changes else None


def _choose(deck: _Deck, number: int, *groups: Iterable[str]) -> dict[str, int]:
    """Up to ``number`` cards to add: of each group one copy of every card, then second copies."""
    chosen: dict[str, int] = {}
    for group in groups:
        number = spread(group, number, deck.cards, partial(_room, deck), chosen)
    return chosen


def _add_any(deck: _Deck, number: int) -> Fix | None:
    """Master Deck cards first, and those that fit the deck's colours before others; a deck that
    has no colours yet becomes red and green."""
    colours = (
        _colours_held(deck)
        or frozenset(_CARDS[slug].colour for slug in _COLOURED_POWERS & deck.cards.keys())
        or frozenset(("red", "green"))
    )
    groups: dict[tuple[bool, bool], list[str]] = {}
    for slug, card in _CARDS.items():
        fits = deck.needs_master_deck or not card.colour or card.colour in colours
        groups.setdefault((not fits, slug not in _MASTER), []).append(slug)
    return _add(_choose(deck, number, *(groups[key] for key in sorted(groups))))


def _add_characters(deck: _Deck, number: int) -> Fix | None:
    """Characters that can hold the most of the deck's Power Cards first."""
    powers: dict[str, int] = {}
    for slug in _COLOURED_POWERS & deck.cards.keys():
        colour = _CARDS[slug].colour
        powers[colour] = powers.get(colour, 0) + deck.cards[slug]
    candidates = sorted(
        _CARDS.ordered(_CHARACTERS), key=lambda slug: -powers.get(_CARDS[slug].colour, 0)
    )
    return _add(_choose(deck, number, candidates))


def _add_holder(deck: _Deck, slug: str) -> Fix | None:
    """A Character of the card's colour, or the card out where none may come in."""
    full = deck.total >= (deck.size if "exact_size" in deck.options else LARGEST)
    holders = [
        character
        for character in _CARDS.ordered(_CHARACTERS)
        if _CARDS[character].colour == _CARDS[slug].colour and _room(deck, character)
    ]
    if full or not holders:
        return _take_out(deck, slug, deck.cards[slug])
    return _add({holders[0]: 1})


def _take_out_any(deck: _Deck, number: int) -> Fix:
    """Copies above what is allowed first, then second copies, then booster cards; of each the
    last of the catalog first."""
    left = dict(deck.cards)
    last_first = _CARDS.ordered(deck.cards)[::-1]
    rest = thin(left, last_first, number, deck.limit)
    rest = thin(left, last_first, rest, 1)
    thin(left, sorted(last_first, key=_MASTER.__contains__), rest, 0)
    return Fix(SECTION, changes_to(deck.cards, left), f"Take out {counted(number, 'card')}")
