"""The parts that checks of decks are made of, whatever the game.

A game's ``deck_rules.toml`` says its rules and its sentences. How cards are put in order and named,
and how problems and changes of a list are said, stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rules.engine.cards import CardType, load_catalog
from rules.engine.errors import UnknownGame
from rules.engine.legality import Fix, Problem, counted

Entry: TypeAlias = tuple[str, str, int]
"""A line of a list: its section, what it names, and how many."""

FEW = 3
"""So many cards are named on a button, more are counted."""


class CatalogIndex(Mapping[str, CardType]):
    """A game's cards by slug, in the order of its catalog, as messages and buttons name them."""

    def __init__(self, package: str) -> None:
        self._cards = load_catalog(package)
        self.place: Mapping[str, int] = {slug: n for n, slug in enumerate(self._cards)}
        self.title: Callable[[str], str] = {
            slug: card.title for slug, card in self._cards.items()
        }.__getitem__
        self.columns: dict[str, Mapping[str, Any]] = {}
        """Each card's value, by column, of the columns that rules ask for."""

    def __getitem__(self, slug: str) -> CardType:
        return self._cards[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, slug: object) -> bool:
        return slug in self._cards

    def of_kind(self, *kinds: str) -> tuple[str, ...]:
        """The cards of these kinds."""
        return tuple(slug for slug, card in self._cards.items() if card.kind in kinds)

    def ordered(self, slugs: Iterable[str]) -> list[str]:
        """Cards as the catalog has them, one after the other."""
        return sorted(slugs, key=self.place.__getitem__)

    def copies(self, count: int, slug: str) -> str:
        """``1 copy of Moss Krab``, ``2 copies of Moss Krab``."""
        return f"{count} {'copy' if count == 1 else 'copies'} of {self.title(slug)}"

    def many(self, count: int, slug: str) -> str:
        """``Moss Krab``, ``2 copies of Moss Krab``."""
        return self.title(slug) if count == 1 else self.copies(count, slug)

    def listed(self, counts: Mapping[str, int], noun: str = "card") -> str:
        """A few cards by name, in the order given; more of them as a number of ``noun``."""
        total = sum(counts.values())
        if total > FEW:
            return counted(total, noun)
        return joined([self.many(count, slug) for slug, count in counts.items()])


def joined(words: Sequence[str], last: str = "and") -> str:
    """``one``, ``one and two``, ``one, two and three``."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


# -- what is wrong ---------------------------------------------------------------------------------


def error(
    rule: str,
    message: str,
    found: int | None = None,
    allowed: int | None = None,
    fix: Fix | None = None,
    cards: Iterable[str] = (),
) -> Problem:
    """A problem that keeps a deck from being legal."""
    return Problem(rule, "error", message, tuple(cards), found, allowed, fix)


def warning(
    rule: str,
    message: str,
    found: int | None = None,
    allowed: int | None = None,
    fix: Fix | None = None,
    cards: Iterable[str] = (),
) -> Problem:
    """A notice: the deck is legal all the same."""
    return Problem(rule, "warning", message, tuple(cards), found, allowed, fix)


def not_owned(held: Mapping[str, int], owned: Mapping[str, int] | None) -> list[str]:
    """The cards of which a deck has more than its owner; none where nobody asks (None)."""
    if owned is None:
        return []
    return [slug for slug, count in held.items() if count > max(owned.get(slug, 0), 0)]


# -- reading ---------------------------------------------------------------------------------------


def known_mode(game: str, mode: str, modes: Sequence[str]) -> None:
    """Raises ``UnknownGame`` for a mode that the game does not have."""
    if mode not in modes:
        raise UnknownGame(f"{game} has no mode “{mode}”; it has {', '.join(modes)}.")


# -- cures -----------------------------------------------------------------------------------------


def take_out(index: CatalogIndex, section: str, slug: str, number: int, held: int) -> Fix:
    """So many copies of a card out of a section that holds ``held`` of it."""
    if number < held:
        what = index.copies(number, slug)
    else:
        what = f"all {index.copies(number, slug)}" if number > 1 else index.title(slug)
    return Fix(section, {slug: -number}, f"Take out {what}")


def change(
    index: CatalogIndex,
    section: str,
    changes: Mapping[str, int],
    listed: Callable[[Mapping[str, int]], str],
) -> Fix:
    """Cards in, out or swapped within a section, as a button; ``listed`` names them."""
    out = {slug: -changes[slug] for slug in index.ordered(changes) if changes[slug] < 0}
    into = {slug: changes[slug] for slug in index.ordered(changes) if changes[slug] > 0}
    if out and into:
        label = f"Swap {listed(out)} for {listed(into)}"
    else:
        label = f"Add {listed(into)}" if into else f"Take out {listed(out)}"
    return Fix(section, changes, label)


def changes_to(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """The cards to put in (positive) and take out (negative) to turn one list into the other."""
    slugs = dict.fromkeys((*before, *after))
    changes = {slug: after.get(slug, 0) - before.get(slug, 0) for slug in slugs}
    return {slug: change for slug, change in changes.items() if change}
