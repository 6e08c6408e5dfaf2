"""Reads of what decks were: their versions, and what differs between two lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Max, Min

import rules
from core.serializers import Doc, component, from_row
from decks.errors import UnknownVersion
from decks.models import Deck, DeckVersion
from decks.queries.decks import in_order, section_name
from rules.engine.legality import Decklist

VERSIONS_SHOWN = 30


@component("Difference")
@dataclass(frozen=True, slots=True)
class Change:
    """A card whose number is not the same."""

    section: str
    card: Annotated[str, Doc("The card’s slug.")]
    before: int
    after: int

    @property
    def by(self) -> int:
        """How many more copies there are after."""
        return self.after - self.before

    @property
    def minus(self) -> int:
        """How many fewer there are; a page writes a proper minus sign before it."""
        return -self.by


def compare(before: Decklist, after: Decklist) -> list[Change]:
    """List the cards, by section, whose counts differ between two lists."""
    return [change for change in every(before, after) if change.by]


def every(before: Decklist, after: Decklist) -> list[Change]:
    """Every card of either list with both counts."""
    return [
        Change(section, card, old.get(card, 0), new.get(card, 0))
        for section in dict.fromkeys([*before, *after])
        for old, new in [(before.get(section, {}), after.get(section, {}))]
        for card in dict.fromkeys([*old, *new])
    ]


@dataclass(frozen=True, slots=True)
class Named:
    """A change with the words for its card and section."""

    change: Change
    title: str
    section: str


def named(deck: Deck, changes: Iterable[Change]) -> list[Named]:
    """Changes in the order of the deck's sections and of the catalog, with words."""
    game = rules.games().get(deck.game)
    catalog = game.catalog if game else {}
    place = {card: number for number, card in enumerate(catalog)}
    changes = list(changes)
    parts = in_order({change.section for change in changes}, deck)
    several = len(parts) > 1 or (game is not None and len(_sections(deck)) > 1)
    ordered = sorted(
        changes,
        key=lambda change: (
            parts.index(change.section),
            place.get(change.card, len(place)),
            change.card,
        ),
    )
    return [
        Named(
            change,
            catalog[change.card].title if change.card in catalog else change.card,
            section_name(change.section) if several else "",
        )
        for change in ordered
    ]


def _sections(deck: Deck) -> tuple[str, ...]:
    mode = rules.game(deck.game).modes.get(deck.mode)
    return mode.sections if mode else ()


@dataclass(frozen=True, slots=True)
class Step:
    """A version with what it changed; ``since`` is the number of the one before (0: the first)."""

    version: DeckVersion
    size: int
    changes: list[Named]
    since: int
    mode_changed: bool


@dataclass(frozen=True, slots=True)
class History:
    """Versions, latest first; ``earlier`` is the number below which there are more (0: none)."""

    steps: list[Step]
    earlier: int = 0


def history(deck: Deck, below: int | None = None, size: int = VERSIONS_SHOWN) -> History:
    """The versions of a deck, those below a number where one is given, in one query."""
    rows = deck.versions.order_by("-number")
    if below is not None:
        rows = rows.filter(number__lt=below)
    # One more tells what the last one changed, and whether there are more.
    versions = list(rows[: size + 1])
    page = versions[:size]
    steps = [
        _step(deck, version, before)
        for version, before in zip(page, [*versions[1:], None], strict=False)
    ]
    return History(steps, page[-1].number if len(versions) > size else 0)


def _step(deck: Deck, version: DeckVersion, before: DeckVersion | None) -> Step:
    return Step(
        version=version,
        size=count(version.cards),
        changes=named(deck, compare(before.cards, version.cards)) if before else [],
        since=before.number if before else 0,
        mode_changed=before is not None and before.mode != version.mode,
    )


def since(deck: Deck, number: int) -> Step | None:
    """The version that a deck is with all that changed since another; None where either is not
    kept (any more)."""
    kept = {
        version.number: version
        for version in deck.versions.filter(number__in=[number, deck.version])
    }
    before, now = kept.get(number), kept.get(deck.version)
    return _step(deck, now, before) if before and now else None


def count(cards: Decklist) -> int:
    """How many cards there are in a list."""
    return sum(sum(counts.values()) for counts in cards.values())


def version_of(deck: Deck, number: int) -> DeckVersion:
    """A version of a deck; raises ``UnknownVersion``."""
    version = deck.versions.filter(number=number).first()
    if version is None:
        raise UnknownVersion(f"“{deck.name}” has no version {number}.")
    return version


def undo_and_redo(deck: Deck) -> tuple[bool, bool]:
    """Is there something to undo, and something to redo?"""
    ends = deck.versions.aggregate(first=Min("number"), last=Max("number"))
    if ends["first"] is None:
        return False, False
    return ends["first"] < deck.version, ends["last"] > deck.version


@component("Version")
@dataclass(frozen=True, slots=True)
class VersionShown:
    """A deck as it was."""

    number: Annotated[int, Doc("Counts from 1; never reused.")]
    note: Annotated[str, Doc("The name that its owner gave it.")]
    at: datetime
    mode: Annotated[str, Doc("The deck’s mode at the time.")]
    size: Annotated[int, Doc("The number of cards at the time.")]
    deck: Decklist


def versions_shown(rows: Iterable[DeckVersion]) -> list[VersionShown]:
    """Versions as the API tells them."""
    return [from_row(VersionShown, row, size=count(row.cards), deck=row.cards) for row in rows]
