"""Does a format leave any legal deck? And if none is found, which of its parts stand in the way.

Decks are tried that there are already, then what their fixes make of them, then random ones. All
of it is bounded: a format for which no deck is found in time is refused, and whoever has one may
save it first, since one's own decks are tried, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collection.errors import Unacceptable
from decks.queries.generated import mended, sample_deck
from rules.engine.chance import Chance
from rules.engine.errors import BadData, UnknownGame
from rules.engine.formats import read_once
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, Report, distance_from_legal

MAX_MENDED = 3
"""So many decks are mended by the fixes of their reports."""
MAX_FIXES = 30
"""So many fixes are made on each."""
MAX_REASON_FIXES = 60
"""So many fixes are made while looking for what stands in the way."""
MAX_SECONDS = 5.0
"""So much processor time a search may take; the one for what stands in the way, half of it."""

Format = Mapping[str, Any]
_PARTS = ("restricted", "sets", "rules")


class _Budget:
    """Fixes that may still be made, and processor time that is left."""

    def __init__(self, fixes: int, seconds: float) -> None:
        self.fixes = fixes
        self._until = time.thread_time() + seconds

    @property
    def is_spent(self) -> bool:
        return self.fixes <= 0 or time.thread_time() >= self._until


def must_leave_a_deck(game: Game, mode: Mode, format: Format, own: Sequence[Decklist]) -> None:
    """Raises ``Unacceptable`` with the reason where no legal deck is found under a format.

    ``own`` are decks that may be the proof. What the players own is left aside.
    """
    house = {key: value for key, value in format.get("house", {}).items() if key != "owned_only"}
    if not any(house.get(key) for key in _PARTS) and format.keys() <= {"house"}:
        return
    format = {**format, "house": house}
    search = _Search(game, mode, [*own, *(deck.cards for deck in game.starters_for(mode))])
    budget = _Budget(2 * MAX_MENDED * MAX_FIXES, MAX_SECONDS)
    if search.finds_one(format, budget, thorough=True):
        return
    raise Unacceptable(
        f"No legal deck was found that keeps {_in_the_way(search, format)}. If you have one, "
        "save it under Decks: your own decks are tried, too."
    )


class _Search:
    def __init__(self, game: Game, mode: Mode, decks: Sequence[Decklist]) -> None:
        self.game, self.mode, self.decks = game, mode, decks

    def finds_one(self, format: Format, budget: _Budget, *, thorough: bool = False) -> bool:
        """True if a legal deck is found. ``thorough`` draws random ones, too."""
        if self._any_legal(self.decks, format, budget, MAX_MENDED if thorough else 2):
            return True
        if not thorough or budget.is_spent:
            return False
        return self._any_legal(self._drawn(format), format, budget, MAX_MENDED)

    def _any_legal(
        self, decks: Sequence[Decklist], format: Format, budget: _Budget, most: int
    ) -> bool:
        """True if one of the decks is legal, or the fixes of its report make it so."""
        near = sorted(self._judged(decks, format, budget), key=lambda each: each[0])
        if near and not near[0][0]:
            return True
        return any(self._mended(cards, format, budget) for _, cards in near[:most])

    def _drawn(self, format: Format) -> list[Decklist]:
        """Lists that the game makes: filled up from nothing, and random ones."""
        game, mode, chance = self.game, self.mode, Chance(bytes(32))
        drawn = (
            [sample_deck(game, mode, chance)]
            if game.deck_rules is None
            else [game.fill_up(mode.slug, {}, format), game.random_deck(mode.slug, chance, format)]
        )
        return [cards for cards in drawn if cards is not None]

    def _judged(
        self, decks: Sequence[Decklist], format: Format, budget: _Budget
    ) -> Iterator[tuple[int, Decklist]]:
        for cards in decks:
            if budget.is_spent:
                return
            try:
                report = self.game.check_deck(self.mode.slug, cards, format)
            except (BadData, UnknownGame):
                continue  # a deck of one's own may be older than the rules
            yield distance_from_legal(report), cards

    def _mended(self, cards: Decklist, format: Format, budget: _Budget) -> bool:
        """True if fixes make the deck legal, each the first that its report has."""

        def judge(deck: Decklist) -> Report:
            budget.fixes -= 1
            return self.game.check_deck(self.mode.slug, deck, format)

        deck = mended(cards, judge, most=MAX_FIXES, goes_on=lambda: not budget.is_spent)
        return self.game.check_deck(self.mode.slug, deck, format).legal


def _in_the_way(search: _Search, format: Format) -> str:
    """The parts of a format that no deck keeps together, in words: as few as can be told.

    Parts are left out one after the other; those without which a deck is found are in the way. What
    could not be asked in time stays among them.
    """
    house = format["house"]
    rules = read_once(search.game, search.mode, house.get("rules") or [])
    options = [option for option in search.game.format_options if option.slug in format]
    parts = [key for key in ("restricted", "sets") if house.get(key)]
    parts += [*(option.slug for option in options), *(rule.id for rule in rules)]
    budget = _Budget(MAX_REASON_FIXES, MAX_SECONDS / 2)
    for part in list(parts):
        fewer = [each for each in parts if each != part]
        if not fewer or search.finds_one(_only(format, fewer), budget):
            continue
        if budget.is_spent:
            break
        parts = fewer
    words = {rule.id: f"{rule.id} (“{rule.plain.rstrip('.')}”)" for rule in rules}
    words |= {"restricted": "the restricted list", "sets": "the choice of sets"}
    words |= {option.slug: f"“{option.name}”" for option in options}
    *others, last = [words[part] for part in parts]
    return f"{', '.join(others)} and {last} together" if others else last


def _only(format: Format, parts: Sequence[str]) -> dict[str, Any]:
    """The format with these of its parts only."""
    house = format["house"]
    kept = {key: value for key, value in house.items() if key not in ("restricted", "sets")}
    kept |= {key: house[key] for key in ("restricted", "sets") if key in parts}
    kept["rules"] = [row for row in house.get("rules") or [] if row["id"] in parts]
    return {**{key: format[key] for key in format if key in parts}, "house": kept}
