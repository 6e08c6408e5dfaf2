"""Copies of a card that are told apart: what is said of them, and which of them go first.

Nothing is read or written here. A holding counts all copies of a card; some of them may be
described. Those of which nothing is said are the plain ones, and are not listed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

CONDITIONS = {
    "mint": "Mint",
    "near_mint": "Near mint",
    "excellent": "Excellent",
    "good": "Good (lightly played)",
    "played": "Played",
    "heavily_played": "Heavily played",
    "damaged": "Damaged",
}
"""From best to worst, as people read them."""
CONDITION_LETTERS = {
    "mint": "M", "near_mint": "NM", "excellent": "EX", "good": "LP", "played": "MP",
    "heavily_played": "HP", "damaged": "D",
}  # fmt: skip
LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "it": "Italian", "es": "Spanish",
    "pt": "Portuguese", "nl": "Dutch", "pl": "Polish", "cs": "Czech", "sv": "Swedish",
    "da": "Danish", "fi": "Finnish", "hu": "Hungarian", "ru": "Russian", "uk": "Ukrainian",
    "tr": "Turkish", "el": "Greek", "ja": "Japanese", "ko": "Korean",
    "zhs": "Simplified Chinese", "zht": "Traditional Chinese", "la": "Latin", "he": "Hebrew",
    "ar": "Arabic", "sa": "Sanskrit", "grc": "Ancient Greek", "ph": "Phyrexian",
}  # fmt: skip
"""By their codes, those of most readers first."""
FOIL, ETCHED = "foil", "etched"
FINISHES = {FOIL: "Foil", ETCHED: "Etched"}
"""How copies shine; other words of an imported list ("Surge Foil") are kept as they stand."""
MAX_LENGTHS = {"finish": 40, "binder": 100, "note": 500, "tags": 200}


@dataclass(frozen=True, slots=True)
class Described:
    """Copies of one card with the same details; ``for_trade`` of them are for trade."""

    quantity: int
    condition: str = ""
    language: str = ""
    finish: str = ""
    binder: str = ""
    note: str = ""
    tags: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    for_trade: int = 0

    @property
    def said(self) -> tuple[str, ...]:
        """Every detail of them, as a tuple that can be compared."""
        extra = json.dumps(dict(self.extra), ensure_ascii=False, sort_keys=True)
        words = (self.condition, self.language, self.finish, self.binder, self.note, self.tags)
        return (*words, extra if self.extra else "")

    @property
    def key(self) -> str:
        """Differs where anything differs that is said of them; "" where nothing is."""
        if not any(self.said):
            return ""
        return hashlib.sha256("\0".join(self.said).encode()).hexdigest()[:32]

    @property
    def words(self) -> list[str]:
        """Condition, language and finish as people read them: what others may see, too."""
        details = (
            CONDITIONS.get(self.condition, ""),
            LANGUAGES.get(self.language, ""),
            FINISHES.get(self.finish, self.finish),
        )
        return [word for word in details if word]

    @property
    def told(self) -> list[str]:
        """Condition, language, finish and binder, for their owner alone."""
        return [*self.words, *([self.binder] if self.binder else [])]


def from_json(values: Mapping[str, object]) -> Described:
    """The inverse of ``dataclasses.asdict``."""
    return Described(**values)  # type: ignore[arg-type]


_RANKS = {condition: rank for rank, condition in enumerate(CONDITIONS, start=1)}
_LANGUAGE_RANKS = {language: rank for rank, language in enumerate(LANGUAGES, start=1)}
_FINISH_RANKS = {"": 0, FOIL: 1, ETCHED: 2}


def _best_first(row: Described) -> tuple[object, ...]:
    return (
        _RANKS.get(row.condition, len(_RANKS) + 1),
        -_FINISH_RANKS.get(row.finish, 3),
        _LANGUAGE_RANKS.get(row.language, 0),
        row.said,
    )


def tidied(rows: Iterable[Described]) -> tuple[Described, ...]:
    """Sort, best first, and merge: each description once, no plain copies and no zeros."""
    by_key: dict[str, Described] = {}
    for row in rows:
        if row.quantity > 0 and (key := row.key):
            known = by_key.get(key)
            by_key[key] = row if known is None else _together(known, row)
    return tuple(sorted(by_key.values(), key=_best_first))


def _together(row: Described, other: Described) -> Described:
    return replace(
        row, quantity=row.quantity + other.quantity, for_trade=row.for_trade + other.for_trade
    )


def counted(rows: Iterable[Described]) -> int:
    """How many copies they are."""
    return sum(row.quantity for row in rows)


def settled(rows: Iterable[Described], quantity: int, for_trade: int) -> tuple[Described, ...]:
    """Rows that fit a holding of ``quantity`` copies, ``for_trade`` of them for trade.

    When copies have gone, it was plain ones first, then those in the worst condition that shine
    least. For trade are copies marked as such, then plain ones, then the next to go.
    """
    left = list(tidied(rows))
    too_many = counted(left) - quantity
    for number in reversed(range(len(left))):
        gone = min(max(0, too_many), left[number].quantity)
        too_many -= gone
        stays = left[number].quantity - gone
        left[number] = replace(
            left[number], quantity=stays, for_trade=min(left[number].for_trade, stays)
        )
    plain = quantity - counted(left)
    unsaid = for_trade - sum(row.for_trade for row in left)
    for number, row in enumerate(left):
        kept = min(max(0, -unsaid), row.for_trade)
        unsaid += kept
        left[number] = replace(row, for_trade=row.for_trade - kept)
    unsaid -= min(plain, max(0, unsaid))
    for number in reversed(range(len(left))):
        more = min(max(0, unsaid), left[number].quantity - left[number].for_trade)
        unsaid -= more
        left[number] = replace(left[number], for_trade=left[number].for_trade + more)
    return tidied(left)


def fewer(before: Sequence[Described], after: Iterable[Described]) -> tuple[Described, ...]:
    """Which of the copies before are not among those after."""
    stay = {row.key: row for row in after}
    gone = []
    for row in before:
        other = stay.get(row.key)
        if other is None:
            gone.append(row)
        elif other.quantity < row.quantity:
            number = row.quantity - other.quantity
            gone.append(replace(row, quantity=number, for_trade=min(row.for_trade, number)))
    return tuple(gone)


def rest(rows: Iterable[Described], quantity: int, for_trade: int) -> Described:
    """The plain copies of a holding; ``quantity`` 0 where there are none."""
    listed = tuple(rows)
    return Described(
        quantity=quantity - counted(listed),
        for_trade=for_trade - sum(row.for_trade for row in listed),
    )
