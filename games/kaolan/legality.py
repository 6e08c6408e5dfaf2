"""Is this a legal Kaolan deck? Section 7 of the rules specification, check by check.

A list has one section, ``main``. Every failed check gives a problem of its own, in the order of
the rule IDs; a check that concerns cards gives one problem a card, in the order of the catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.engine.cards import load_catalog, load_decks
from rules.engine.errors import UnknownGame
from rules.engine.legality import (
    Decklist,
    Fix,
    Problem,
    Report,
    counted,
    no_card,
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

_CATALOG = load_catalog("games.kaolan")
_ORDER = {slug: number for number, slug in enumerate(_CATALOG)}
_MASTER = frozenset(slug for slug, card in _CATALOG.items() if "master" in card.sets)
_GOLD = frozenset(slug for slug, card in _CATALOG.items() if card.colour == "gold")
_CHARACTERS = frozenset(slug for slug, card in _CATALOG.items() if card.kind == "character")
_COLOURED_POWERS = frozenset(
    slug for slug, card in _CATALOG.items() if card.kind == "power" and card.colour != "gold"
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

    What is no Kaolan card (KAO-D-01) counts for nothing else, so that the other problems are those
    that remain when it has been taken out.

    Raises ``UnknownGame`` for another mode, and ``BadData`` for a format or list that cannot be
    read: options or sections that don't exist, counts that are no whole numbers of at least 0.
    """
    options = _read_format(mode, format)
    if mode == "single":
        return Report()
    cards = read_decklist(decklist, (SECTION,)).get(SECTION, {})
    foreign = {slug: count for slug, count in cards.items() if slug not in _ORDER}
    for slug in foreign:
        del cards[slug]
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
        return Report(
            (
                Problem(
                    "KAO-D-20",
                    "error",
                    "Classic decks hold the whole Master Deck (60 cards)"
                    " and cannot have exactly 40.",
                    found=SHARED_SIZE,
                    allowed=TOURNAMENT_SIZE,
                ),
            )
        )
    return Report()


@dataclass(slots=True)
class _Deck:
    """What the checks look at: the list, sorted out, and what it is checked for."""

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
    if mode not in MODES:
        raise UnknownGame(f"Kaolan has no mode “{mode}”; it has {', '.join(MODES)}.")
    given = read_format(format, FORMAT_OPTIONS, FORMAT_OPTIONS)
    return frozenset(option for option, on in given.items() if on)


# All modes with decks


def _only_kaolan_cards(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-01"""
    for entry, count in deck.foreign.items():
        yield no_card("KAO-D-01", f"“{entry}” is not a Kaolan card.", SECTION, entry, count)


def _only_owned_cards(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-02; ready-made decks and the plain Master Deck are exempt."""
    owned = deck.owned
    if owned is None or deck.cards in _READY_MADE:
        return
    lacking = [slug for slug, count in deck.cards.items() if count > owned.get(slug, 0)]
    for slug in _ordered(lacking):
        count, have = deck.cards[slug], max(owned.get(slug, 0), 0)
        yield Problem(
            "KAO-D-02",
            "error",
            f"{deck.name} uses {_copies_of(count, slug)}, but you own {have}.",
            cards=(slug,),
            found=count,
            allowed=have,
            fix=_take_out(deck, slug, count - have),
        )


# Sizes: shared decks and Tournament decks differ in the numbers and in the words only


def _at_least(rule: str, deck: _Deck, size: int, what: str) -> Iterator[Problem]:
    """KAO-D-03 and KAO-D-08"""
    if deck.total < size:
        yield Problem(
            rule,
            "error",
            f"{deck.name} has {counted(deck.total, 'card')}; {what} needs at least {size}.",
            found=deck.total,
            allowed=size,
            fix=_add_any(deck, size - deck.total),
        )


def _at_most(rule: str, deck: _Deck) -> Iterator[Problem]:
    """KAO-D-04 and KAO-D-09"""
    if deck.total > LARGEST:
        yield Problem(
            rule,
            "error",
            f"{deck.name} has {counted(deck.total, 'card')}; at most {LARGEST} are allowed.",
            found=deck.total,
            allowed=LARGEST,
            fix=_take_out_any(deck, deck.total - LARGEST),
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
    yield Problem(rule, "warning", message, found=deck.total)


# Cards


def _whole_master_deck(rule: str, deck: _Deck) -> Iterator[Problem]:
    """KAO-D-05 and KAO-D-19"""
    for slug in _ordered(_MASTER - deck.cards.keys()):
        yield Problem(
            rule,
            "error",
            f"{_title(slug)} from the Master Deck is missing (0 found, at least 1 needed).",
            cards=(slug,),
            found=0,
            allowed=1,
            fix=_add({slug: 1}),
        )


def _enough_characters(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-10"""
    found = sum(deck.cards[slug] for slug in _CHARACTERS & deck.cards.keys())
    if found < CHARACTERS_NEEDED:
        yield Problem(
            "KAO-D-10",
            "error",
            f"{deck.name} has {counted(found, 'Character')};"
            f" at least {CHARACTERS_NEEDED} are needed.",
            found=found,
            allowed=CHARACTERS_NEEDED,
            fix=_add_characters(deck, CHARACTERS_NEEDED - found),
        )


def _copies(rule: str, deck: _Deck) -> Iterator[Problem]:
    """KAO-D-11, and KAO-D-06 for cards that are not gold"""
    many = [slug for slug, count in deck.cards.items() if count > COPIES and slug not in _GOLD]
    for slug in _ordered(many):
        message = f"{_title(slug)}: {_copies_found(deck, slug)}, {COPIES} allowed."
        yield _too_many(rule, deck, slug, COPIES, message)


def _gold_copies(rule: str, deck: _Deck) -> Iterator[Problem]:
    """KAO-D-12, and KAO-D-06 for gold cards"""
    many = [slug for slug in _GOLD & deck.cards.keys() if deck.cards[slug] > GOLD_COPIES]
    for slug in _ordered(many):
        message = f"{_title(slug)} (gold): {_copies_found(deck, slug)}, {GOLD_COPIES} allowed."
        yield _too_many(rule, deck, slug, GOLD_COPIES, message)


def _powers_have_holders(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-14, a notice"""
    held = _colours_held(deck)
    place = "this deck" if deck.name == UNNAMED else deck.name
    for slug in _ordered(_COLOURED_POWERS & deck.cards.keys()):
        if _CATALOG[slug].colour not in held:
            yield Problem(
                "KAO-D-14",
                "warning",
                f"No Character in {place} can hold {_title(slug)}.",
                cards=(slug,),
                fix=_add_holder(deck, slug),
            )


# House options an organiser can switch on


def _no_duplicates(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-15"""
    for slug in _ordered(slug for slug, count in deck.cards.items() if count > 1):
        message = f"{_title(slug)}: {_copies_found(deck, slug)}, 1 allowed in this format."
        yield _too_many("KAO-D-15", deck, slug, 1, message)


def _exact_size(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-16"""
    missing = deck.size - deck.total
    if missing:
        yield Problem(
            "KAO-D-16",
            "error",
            f"{deck.name} has {counted(deck.total, 'card')};"
            f" this format needs exactly {deck.size}.",
            found=deck.total,
            allowed=deck.size,
            fix=_add_any(deck, missing) if missing > 0 else _take_out_any(deck, -missing),
        )


def _no_gold(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-17"""
    for slug in _ordered(_GOLD & deck.cards.keys()):
        count = deck.cards[slug]
        message = f"{_title(slug)} is gold; this format allows 0 gold cards ({count} found)."
        yield _too_many("KAO-D-17", deck, slug, 0, message)


def _master_only(deck: _Deck) -> Iterator[Problem]:
    """KAO-D-18"""
    for slug in _ordered(deck.cards.keys() - _MASTER):
        message = (
            f"{_title(slug)} comes from a booster; this format allows Master Deck cards only"
            f" ({deck.cards[slug]} found, 0 allowed)."
        )
        yield _too_many("KAO-D-18", deck, slug, 0, message)


# Words


def _title(slug: str) -> str:
    return _CATALOG[slug].title


def _copies_of(count: int, slug: str) -> str:
    return f"{count} {'copy' if count == 1 else 'copies'} of {_title(slug)}"


def _copies_found(deck: _Deck, slug: str) -> str:
    return f"{deck.cards[slug]} copies found"


def _too_many(rule: str, deck: _Deck, slug: str, allowed: int, message: str) -> Problem:
    found = deck.cards[slug]
    fix = _take_out(deck, slug, found - allowed)
    return Problem(rule, "error", message, (slug,), found, allowed, fix)


def _in_card_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: _ORDER[problem.cards[0]])


def _ordered(slugs: Iterable[str]) -> list[str]:
    return sorted(slugs, key=_ORDER.__getitem__)


# What a list can hold


def _colours_held(deck: _Deck) -> frozenset[str]:
    """The colours of Power Cards that something in the deck can hold (KAO-C-09, KAO-C-15)."""
    colours = {_CATALOG[slug].colour for slug in _CHARACTERS & deck.cards.keys()}
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
    if number < deck.cards[slug]:
        what = _copies_of(number, slug)
    elif number == 1:
        what = _title(slug)
    else:
        what = f"all {_copies_of(number, slug)}"
    return Fix(SECTION, {slug: -number}, f"Take out {what}")


def _add(changes: Mapping[str, int]) -> Fix | None:
    """Named cards while they are few enough to read on a button."""
    total = sum(changes.values())
    if not total:
        return None
    if total > 3:
        return Fix(SECTION, changes, f"Add {counted(total, 'card')}")
    names = [
        _title(slug) if count == 1 else _copies_of(count, slug) for slug, count in changes.items()
    ]
    *others, last = names
    return Fix(SECTION, changes, f"Add {', '.join(others)} and {last}" if others else f"Add {last}")


def _choose(deck: _Deck, number: int, *groups: Iterable[str]) -> dict[str, int]:
    """Up to ``number`` cards to add: of each group one copy of every card, then second copies."""
    chosen: dict[str, int] = {}
    for group in groups:
        slugs = list(group)
        for copies in range(1, COPIES + 1):
            for slug in slugs:
                new = chosen.get(slug, 0)
                if number and deck.cards.get(slug, 0) + new < copies and new < _room(deck, slug):
                    chosen[slug] = new + 1
                    number -= 1
    return chosen


def _add_any(deck: _Deck, number: int) -> Fix | None:
    """Master Deck cards first, and those that fit the deck's colours before others; a deck that
    has no colours yet becomes red and green."""
    colours = (
        _colours_held(deck)
        or frozenset(_CATALOG[slug].colour for slug in _COLOURED_POWERS & deck.cards.keys())
        or frozenset(("red", "green"))
    )
    groups: dict[tuple[bool, bool], list[str]] = {}
    for slug, card in _CATALOG.items():
        fits = deck.needs_master_deck or not card.colour or card.colour in colours
        groups.setdefault((not fits, slug not in _MASTER), []).append(slug)
    return _add(_choose(deck, number, *(groups[key] for key in sorted(groups))))


def _add_characters(deck: _Deck, number: int) -> Fix | None:
    """Characters that can hold the most of the deck's Power Cards first."""
    powers: dict[str, int] = {}
    for slug in _COLOURED_POWERS & deck.cards.keys():
        colour = _CATALOG[slug].colour
        powers[colour] = powers.get(colour, 0) + deck.cards[slug]
    candidates = sorted(
        _ordered(_CHARACTERS), key=lambda slug: -powers.get(_CATALOG[slug].colour, 0)
    )
    return _add(_choose(deck, number, candidates))


def _add_holder(deck: _Deck, slug: str) -> Fix | None:
    """A Character of the card's colour, or the card out where none may come in."""
    full = deck.total >= (deck.size if "exact_size" in deck.options else LARGEST)
    holders = [
        character
        for character in _ordered(_CHARACTERS)
        if _CATALOG[character].colour == _CATALOG[slug].colour and _room(deck, character)
    ]
    if full or not holders:
        return _take_out(deck, slug, deck.cards[slug])
    return _add({holders[0]: 1})


def _take_out_any(deck: _Deck, number: int) -> Fix:
    """Copies above what is allowed first, then second copies, then booster cards; of each the
    last of the catalog first."""
    left = dict(deck.cards)
    changes: dict[str, int] = {}

    def reduce(slug: str, keep: int) -> None:
        nonlocal number
        take = min(number, left[slug] - keep)
        if take > 0:
            left[slug] -= take
            changes[slug] = changes.get(slug, 0) - take
            number -= take

    last_first = list(reversed(_ordered(deck.cards)))
    for slug in last_first:
        reduce(slug, deck.limit(slug))
    for slug in last_first:
        reduce(slug, 1)
    for slug in sorted(last_first, key=lambda slug: slug in _MASTER):
        reduce(slug, 0)
    return Fix(SECTION, changes, f"Take out {counted(-sum(changes.values()), 'card')}")
