"""A deck's statistics: its charts, the odds of its opening hands, and such hands.

Pure: from deck lists and the game's catalog alone. Which numbers are charted says the catalog:
those that most of a game's cards have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import comb, gcd

import rules
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist

NUMBERS_CHARTED = 4
CARDS_THAT_MATTER = 10
"""A number that fewer of a game's cards have gets no chart."""
MAX_BARS = 16
USUAL_HAND = 7
MAX_HAND = 60


@dataclass(frozen=True, slots=True)
class Bar:
    """So many cards are like this."""

    label: str
    count: int
    percent: int
    """Of the longest bar of the chart, for drawing."""


@dataclass(frozen=True, slots=True)
class Chart:
    """How a deck's cards are spread over something that tells them apart.

    ``several`` where a card counts once for each number that it has.
    """

    slug: str
    title: str
    bars: tuple[Bar, ...]
    several: bool = False


def spoken(word: str) -> str:
    """A word of the catalog as people read it."""
    return word.replace("_", " ").replace("-", " ").capitalize()


def charts(game: Game, mode: Mode, cards: Decklist) -> tuple[Chart, ...]:
    """The charts of a deck, without those that would say nothing."""
    counts = _together(game, cards)
    if not counts:
        return ()
    catalog = game.catalog
    played = [card for card in catalog.values() if mode.takes(card)]
    played += [catalog[card] for card in counts]
    drawn = []
    for slug, title, nothing in (("kind", "Kind", ""), ("colour", "Colour", "No colour")):
        values = list(dict.fromkeys(getattr(card, slug) for card in played))
        if len(values) > 1:
            spread = Counter[str]()
            for card, number in counts.items():
                spread[getattr(catalog[card], slug)] += number
            rows = [(spoken(value) or nothing, spread[value]) for value in values if spread[value]]
            drawn.append(_chart(slug, title, rows))
    for slug in numbers_of(game.slug):
        spread_by_number = Counter[int]()
        several = False
        for card, number in counts.items():
            values_of_card = numbers(catalog[card].attributes.get(slug))
            several = several or len(values_of_card) > 1
            for value in values_of_card:
                spread_by_number[value] += number
        if spread_by_number:
            title = game.words.get(slug, spoken(slug))
            rows = _in_ranges(spread_by_number, step_of(game.slug, slug))
            drawn.append(_chart(slug, title, rows, several))
    return tuple(drawn)


@lru_cache
def numbers_of(game: str) -> tuple[str, ...]:
    """The numbers that most of a game's cards have, by attribute, the most common first.

    What is different on nearly every card is a card's own number and says nothing of a deck.
    """
    known: dict[str, list[tuple[int, ...]]] = {}
    for card in rules.game(game).catalog.values():
        for slug, value in card.attributes.items():
            if values := numbers(value):
                known.setdefault(slug, []).append(values)
    common = sorted(known, key=lambda slug: -len(known[slug]))
    telling = [
        slug
        for slug in common
        if len(known[slug]) >= CARDS_THAT_MATTER and 2 * len(set(known[slug])) < len(known[slug])
    ]
    return tuple(telling[:NUMBERS_CHARTED])


@lru_cache(maxsize=256)
def step_of(game: str, slug: str) -> int:
    """The step between the values that a number of a game's cards can have: 5 if all are fives."""
    values = [card.attributes.get(slug) for card in rules.game(game).catalog.values()]
    return gcd(*(number for value in values for number in numbers(value))) or 1


def numbers(value: object) -> tuple[int, ...]:
    """The numbers of an attribute: one, several, or the sum of a price in several things."""
    match value:
        case bool():
            return ()
        case int():
            return (value,)
        case tuple() if value and all(type(item) is int for item in value):
            return tuple(dict.fromkeys(value))
        case Mapping() if value and all(type(item) is int for item in value.values()):
            return (sum(value.values()),)
    return ()


def _in_ranges(numbers: Mapping[int, int], unit: int = 1) -> list[tuple[str, int]]:
    """Every number from the least to the greatest, in ranges where there are too many.

    All are multiples of ``unit``, and so are the ends of ranges.
    """
    least, greatest = min(numbers), max(numbers)
    steps = (size * unit for size in _steps())
    step = next(size for size in steps if greatest // size - least // size < MAX_BARS)
    spread = Counter[int]()
    for value, cards in numbers.items():
        spread[value // step] += cards
    rows = []
    for place in range(least // step, greatest // step + 1):
        first, last = max(place * step, least), min(place * step + step - unit, greatest)
        rows.append((f"{first}" if first == last else f"{first}–{last}", spread[place]))
    return rows


def _steps() -> Iterable[int]:
    """1, 2, 5, 10, 20, 50 …"""
    for power in count():
        for first in (1, 2, 5):
            yield first * 10**power


def _chart(slug: str, title: str, rows: list[tuple[str, int]], several: bool = False) -> Chart:
    most = max(number for _, number in rows)
    bars = tuple(Bar(label, number, round(100 * number / most)) for label, number in rows)
    return Chart(slug, title, bars, several)


def _together(game: Game, cards: Decklist) -> dict[str, int]:
    """Copies of each card that the game has, all sections together, in catalog order."""
    counts = Counter[str]()
    for section in cards.values():
        counts.update(section)
    return {card: counts[card] for card in game.catalog if counts[card] > 0}


# Odds


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of holding cards in a hand: ``size`` cards, ``wanted`` of them looked for.

    ``exactly[k]`` is the chance of k of them among the first ``hand``.
    """

    size: int
    wanted: int
    hand: int
    least: int
    exactly: tuple[Fraction, ...]

    @property
    def at_least(self) -> tuple[Fraction, ...]:
        """The chance of k or more, for every k."""
        return tuple(sum(self.exactly[number:], Fraction(0)) for number in range(len(self.exactly)))

    @property
    def chance(self) -> Fraction:
        """The chance that was asked for; 0 where more are asked for than can be."""
        return sum(self.exactly[self.least :], Fraction(0))

    @property
    def percent(self) -> str:
        return percent(self.chance)

    @property
    def rows(self) -> list[tuple[int, str, str]]:
        """Number of cards, the chance of exactly and of at least so many, in percent."""
        return [
            (number, percent(exact), percent(more))
            for number, (exact, more) in enumerate(zip(self.exactly, self.at_least, strict=True))
        ]


def odds(size: int, wanted: int, hand: int, least: int) -> Odds:
    """Hypergeometric odds, exact. A hand larger than the deck is the deck."""
    wanted, hand = min(wanted, size), min(hand, size)
    ways = comb(size, hand)
    exactly = tuple(
        Fraction(comb(wanted, number) * comb(size - wanted, hand - number), ways)
        for number in range(min(wanted, hand) + 1)
    )
    return Odds(size, wanted, hand, least, exactly)


def percent(chance: Fraction) -> str:
    """A chance as people read it. Only what never happens is 0 %, only what is sure 100 %."""
    if chance in (0, 1):
        return f"{100 * chance}\u00a0%"
    tenths = round(1000 * chance)
    if tenths == 0:
        return "under 0.1\u00a0%"
    if tenths == 1000:
        return "over 99.9\u00a0%"
    return f"{tenths // 10}.{tenths % 10}\u00a0%"


# Hands


def usual_hand(mode: Mode, section: str) -> int:
    """How many cards of a section are dealt to begin with; seven where nobody says."""
    return mode.hands.get(section, USUAL_HAND)


def sample_hand(cards: Mapping[str, int], hand: int, chance: Chance) -> list[str]:
    """The first cards of a shuffled section, in the order of drawing.

    One card after another is picked from those that are left, so a section of any size costs the
    same.
    """
    left = {card: cards[card] for card in sorted(cards) if cards[card] > 0}
    drawn: list[str] = []
    for _ in range(min(hand, sum(left.values()))):
        drawn.append(_copy_at(left, chance.pick(sum(left.values()))))
        left[drawn[-1]] -= 1
    return drawn


MAX_REDRAWS = 99
"""More hands in a row are not refused: the hundredth is kept as it is."""


def goldfish(
    game: Game, mode: Mode, cards: Mapping[str, int], hand: int, later: int, chance: Chance
) -> tuple[list[str], list[str], int]:
    """An opening hand, the cards drawn after it, and how often the mode's rule had it redrawn."""
    catalog = game.catalog
    needed = {card for card in cards if card in catalog and catalog[card].kind in mode.hand_needs}
    for redraws in range(MAX_REDRAWS + 1):
        drawn = sample_hand(cards, hand + later, chance)
        if not needed or redraws == MAX_REDRAWS or not needed.isdisjoint(drawn[:hand]):
            break
    return drawn[:hand], drawn[hand:], redraws


def _copy_at(counts: Mapping[str, int], place: int) -> str:
    """The card that the copy at a place is, counted from 0 through all copies."""
    for card, copies in counts.items():
        if place < copies:
            return card
        place -= copies
    raise IndexError(place)
