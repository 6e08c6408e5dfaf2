"""Which card a row names: by set and number, name, title or slug, told apart by colour and set.

A row that names no card, or several, gets the nearest names, so that its owner can choose. Looking
for those is the only slow thing here, so it is done once for each name and for so many names only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

import rules
from collection.lists.dialects import shining
from collection.lists.reading import Entry, Row, entries

SUGGESTIONS = 3
MAX_CHOICES = 6
"""So many cards of the same name are offered."""
SUGGESTED_NAMES = 2000
"""Nearest names are looked for so often in one list: a whole wrong list needs none."""
_NEAR = 60.0
#: What sites say of a card that does not shine; it says nothing of a card's colour.
_PLAIN = frozenset({"", "normal", "nonfoil", "non-foil", "non foil", "no", "false", "regular"})


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card that rows can name. ``printings`` are (set's slug, set's name, number there)."""

    pk: int
    game: str
    game_name: str
    slug: str
    name: str
    title: str
    colour: str = ""
    printings: tuple[tuple[str, str, int | None], ...] = ()
    retired: bool = False

    def is_in(self, wanted: str) -> bool:
        """True if it was printed in a set, given by slug, name, or ``game.slug``."""
        return any(wanted in _set_keys(self.game, *printing[:2]) for printing in self.printings)

    def other_printing(self, wanted: str) -> str:
        """The set (slug) in which it was printed, if that is said and not its first one."""
        for place, (slug, name, _) in enumerate(self.printings):
            if wanted in _set_keys(self.game, slug, name):
                return slug if place else ""
        return ""

    def has_number(self, number: int, wanted: str = "") -> bool:
        """True if it has this number, in that set or in any."""
        return any(
            number == printing[2] and (not wanted or wanted in _set_keys(self.game, *printing[:2]))
            for printing in self.printings
        )


@dataclass(frozen=True, slots=True)
class Match:
    """The card that a row names and how many copies; or what is in the way, and what is near."""

    card: KnownCard | None = None
    quantity: int | None = None
    problem: str = ""
    suggestions: tuple[KnownCard, ...] = ()


def key(words: str) -> str:
    """Normalise a name: case, spaces, kinds of apostrophes."""
    return " ".join(words.casefold().replace("’", "'").replace("`", "'").split())


def any_order(text: str) -> str:
    """Normalise a name whose words stand in any order: “Claw (red)”, “Claw, red”, “Red Claw”."""
    return " ".join(sorted(_MARKS.sub(" ", key(text)).split()))


_MARKS = re.compile(r"[()\[\],;:/–—-]")


def _set_keys(game: str, slug: str, name: str) -> tuple[str, ...]:
    return (slug, key(name), f"{game}.{slug}")


class Catalog:
    """Everything that cards may be called, in one game or in all of them."""

    def __init__(self, cards: Iterable[KnownCard]) -> None:
        self._games: dict[str, str] = {}
        self._names: dict[str, list[KnownCard]] = {}
        self._sets: dict[str, list[KnownCard]] = {}
        self._colours: set[str] = set()
        self._coloured: dict[str, list[KnownCard]] = {}
        for card in cards:
            if card.colour:
                self._colours.add(key(card.colour))
                self._coloured.setdefault(any_order(f"{card.name} {card.colour}"), []).append(card)
            self._games |= {card.game: card.game, key(card.game_name): card.game}
            for name in {card.slug, key(card.name), key(card.title)}:
                self._names.setdefault(name, []).append(card)
            sets = {
                name for printing in card.printings for name in _set_keys(card.game, *printing[:2])
            }
            for name in sets:
                self._sets.setdefault(name, []).append(card)
        self._titles: dict[str, tuple[list[str], list[list[KnownCard]]]] = {}
        self._nearest: dict[tuple[str, str], tuple[KnownCard, ...]] = {}

    def match(self, row: Row, game: str = "") -> Match:
        """Find the card of a row; ``game`` is meant where the row names none."""
        if row.typed:
            return self._match_typed(row, self._games.get(key(row.game), game))
        if row.game:
            meant = self._games.get(key(row.game))
            if meant is None:
                return Match(problem=f"Unknown game “{row.game[:60]}”.", quantity=row.quantity)
            game = meant
        wanted = key(row.set) or key(row.set_name)
        if not row.name:
            return self._match_number(row, game, wanted)
        cards = self._called(row.name, game)
        if not cards:
            return self._unknown(row.name, game, row.quantity)
        narrowed, problem = self._narrow(cards, row, wanted)
        return self._decide(cards, narrowed, problem, row.quantity)

    def _match_typed(self, row: Row, game: str) -> Match:
        elsewhere: Match | None = None
        for entry in entries(row.name):
            cards = self._called(entry.name, game)
            left = [card for card in cards if _fits(card, entry)]
            if left:
                return self._decide(cards, left, "", entry.count)
            if cards:
                elsewhere = Match(
                    quantity=entry.count,
                    problem=_no_fit(cards, entry),
                    suggestions=tuple(cards[:MAX_CHOICES]),
                )
        return elsewhere or self._unknown(entry.name, game, entry.count)

    def _match_number(self, row: Row, game: str, wanted: str) -> Match:
        """A row without a name: its set and its number say it all."""
        number = row.card_number
        assert number is not None
        if not wanted:
            return Match(
                problem="Add the set: a number alone doesn’t identify a card.",
                quantity=row.quantity,
            )
        here = [card for card in self._sets.get(wanted, []) if game in ("", card.game)]
        cards = [card for card in here if card.has_number(number, wanted)]
        if not cards:
            set_name = (row.set or row.set_name)[:60]
            return Match(problem=f"No card number {number} in “{set_name}”.", quantity=row.quantity)
        narrowed = _with_finish(cards, row.finish)
        return self._decide(cards, narrowed, _no_finish(cards, row.finish), row.quantity)

    def _narrow(self, cards: list[KnownCard], row: Row, wanted: str) -> tuple[list[KnownCard], str]:
        """Cards of a name, told apart by all else that a row says; or what it says wrong."""
        left = _with_finish(cards, row.finish)
        if not left and len(cards) == 1 and key(row.finish) not in self._colours:
            left = cards
        if not left:
            return [], _no_finish(cards, row.finish)
        title = _shared_name(left)
        if wanted:
            known = left
            left = [card for card in known if card.is_in(wanted)]
            if not left:
                return [], f"{title} is not in “{(row.set or row.set_name)[:60]}”."
        if row.card_number is not None:
            known = left
            left = [card for card in known if card.has_number(row.card_number, wanted)]
            if not left:
                return [], f"{title} does not have number {row.card_number} there."
        return left, ""

    def _decide(
        self, cards: list[KnownCard], left: list[KnownCard], problem: str, quantity: int | None
    ) -> Match:
        if len(left) > 1:
            current = [card for card in left if not card.retired]
            left = current if len(current) == 1 else left
        if len(left) == 1:
            return Match(card=left[0], quantity=quantity)
        if not problem:
            problem = f"{len(left)} cards are named “{left[0].name}”. Choose one."
        return Match(
            quantity=quantity, problem=problem, suggestions=tuple((left or cards)[:MAX_CHOICES])
        )

    def _called(self, name: str, game: str) -> list[KnownCard]:
        """The cards of this name, else of this name and colour, else as their game reads it."""
        for cards in (self._names.get(key(name)), self._coloured.get(any_order(name))):
            if called := [card for card in cards or () if game in ("", card.game)]:
                return called
        return [
            card
            for slug, definition in rules.games().items()
            if game in ("", slug) and (spelt := definition.named(name))
            for card in self._names.get(spelt, ())
            if card.game == slug and card.slug == spelt
        ]

    def _unknown(self, name: str, game: str, quantity: int | None) -> Match:
        return Match(
            quantity=quantity,
            problem=f"No card named “{name[:100]}”.",
            suggestions=self.nearest(name, game),
        )

    def nearest(self, words: str, game: str = "") -> tuple[KnownCard, ...]:
        """The cards whose names are most like this, the likest first."""
        wanted = (key(words), game)
        if wanted not in self._nearest:
            if len(self._nearest) >= SUGGESTED_NAMES:
                return ()
            self._nearest[wanted] = self._look(*wanted)
        return self._nearest[wanted]

    def _look(self, words: str, game: str) -> tuple[KnownCard, ...]:
        if game not in self._titles:
            named = {
                name: [card for card in cards if game in ("", card.game) and not card.retired]
                for name, cards in self._names.items()
            }
            named = {name: cards for name, cards in named.items() if cards}
            self._titles[game] = (list(named), list(named.values()))
        names, cards = self._titles[game]
        # By letters, and by words in any order: “Fox Red” is “Red Fox” to a reader.
        near = [
            each
            for scorer in (fuzz.ratio, fuzz.token_sort_ratio)
            for each in process.extract(
                words, names, scorer=scorer, limit=SUGGESTIONS, score_cutoff=_NEAR
            )
        ]
        near.sort(key=lambda each: -each[1])
        nearest = [card for _, _, place in near for card in cards[place]]
        return tuple(dict.fromkeys(nearest))[:SUGGESTIONS]


def _fits(card: KnownCard, entry: Entry) -> bool:
    """True if the brackets behind a typed name hold its colour, or a set it is in."""
    tag = key(entry.tag)
    if not tag:
        return True
    if entry.number is not None:
        return card.is_in(tag) and card.has_number(entry.number, tag)
    return tag == key(card.colour) or card.is_in(tag)


def shines(finish: str, card: KnownCard) -> str:
    """How a copy shines, where a word for a finish says that rather than what card it is."""
    return "" if key(finish) == key(card.colour) else shining(finish)


def written_finish(finish: str, card: KnownCard) -> str:
    """A word for a finish that says neither that a copy shines nor the card's colour."""
    return "" if _has_finish(card, finish) or shining(finish) else finish


def _with_finish(cards: Sequence[KnownCard], finish: str) -> list[KnownCard]:
    """The cards of a colour; of a copy that shines all of them, unless that is a colour here."""
    left = [card for card in cards if _has_finish(card, finish)]
    return left or (list(cards) if shining(finish) else [])


def _has_finish(card: KnownCard, finish: str) -> bool:
    word = key(finish)
    return word in _PLAIN or word == key(card.colour)


def _no_finish(cards: Sequence[KnownCard], finish: str) -> str:
    if any(_has_finish(card, finish) for card in cards):
        return ""
    colours = sorted({card.colour for card in cards if card.colour})
    words = ", ".join(colours) if colours else "none"
    return f"“{finish[:40]}” is not a colour of {_shared_name(cards)}. Colours: {words}."


def _no_fit(cards: Sequence[KnownCard], entry: Entry) -> str:
    name, tag = _shared_name(cards), entry.tag[:60]
    if entry.number is not None:
        return f"{name} does not have number {entry.number} in “{tag}”."
    return f"“{tag}” is neither a colour nor a set of {name}."


def _shared_name(cards: Sequence[KnownCard]) -> str:
    return cards[0].title if len(cards) == 1 else cards[0].name
