"""The effect of a list on a person's holdings: before, after, and a remark.

Nothing is read or written here, so the preview and the import itself cannot differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from collection.copies import Described, counted, from_json, settled, tidied
from collection.lists.dialects import BINDER, COPIES, COPY_COLUMNS, COPY_TAGS, FOIL, KEPT, NOTE
from collection.lists.reading import MAX_COLUMNS, MAX_COPIES, MAX_VALUE_LENGTHS

MAX_ROWS = 200
"""So many descriptions of copies of one card."""
NOT_KEPT = "Not kept"
"""How a remark on what gets lost begins."""


@dataclass(frozen=True, slots=True)
class HoldingValues:
    """A person's holding of a card, with its marks and the details of its copies."""

    digital: int = 0
    physical: int = 0
    for_trade: int = 0
    wishlist: int = 0
    tags: str = ""
    notes: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    copies: Sequence[Described] = ()

    @property
    def quantity(self) -> int:
        return self.digital + self.physical

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"extra": dict(self.extra)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> HoldingValues:
        """The opposite of :meth:`as_json`."""
        return cls(**{**values, "copies": tuple(map(from_json, values["copies"]))})


NO_HOLDING = HoldingValues()


@dataclass(slots=True)
class Listed:
    """The sum of all lines of a list about one card.

    With ``apart`` a line's tags are those of its copies alone. What all copies have in common is
    said of the card, though, and so it is with columns that mean nothing here.
    """

    apart: bool = False
    physical: int = 0
    digital: int = 0
    digital_for_trade: int = 0
    for_trade: int | None = None
    wishlist: int | None = None
    tags: str = ""
    notes: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    copies: dict[tuple[bool, str], Described] = field(default_factory=dict)

    def add(
        self,
        *,
        quantity: int | None,
        digital: bool,
        for_trade: int | None,
        wishlist: int | None,
        tags: str,
        notes: str,
        extra: Mapping[str, str],
    ) -> str:
        """Take in a line; gives a remark where it says something that cannot be kept."""
        if digital:
            self.digital += quantity or 0
            self.digital_for_trade += for_trade or 0
        else:
            self.physical += quantity or 0
        if for_trade is not None:
            self.for_trade = (self.for_trade or 0) + for_trade
        if wishlist is not None:
            self.wishlist = max(self.wishlist or 0, wishlist)
        remarks = []
        if quantity:
            described = _described(quantity, for_trade or 0, tags, extra, apart=self.apart)
            known = self.copies.get((digital, described.key))
            self.copies[digital, described.key] = (
                _together(known, described) if known else described
            )
        if not (quantity and self.apart):
            for column, value in extra.items():
                if column not in KEPT and self.extra.setdefault(column, value) != value:
                    remarks.append(f"“{column}” “{value}”")
        if not (quantity and self.apart):
            self.tags, left_out = joined_tags(self.tags, tags)
            if left_out:
                remarks.append("tags (too many)")
        if notes and notes != self.notes:
            both = f"{self.notes}\n{notes}" if self.notes else notes
            if len(both) <= MAX_VALUE_LENGTHS["notes"]:
                self.notes = both
            else:
                remarks.append("notes (too long)")
        return f"{NOT_KEPT}: {', '.join(remarks)}."[:300] if remarks else ""

    def shared(self) -> tuple[list[str], dict[str, str]]:
        """Tags and other columns that all listed copies have in common."""
        rows = list(self.copies.values())
        if not rows:
            return [], {}
        extra = {
            name: value
            for name, value in rows[0].extra.items()
            if (self.apart or name in KEPT) and all(row.extra.get(name) == value for row in rows)
        }
        if not self.apart:
            return [], extra
        others = [{tag.casefold() for tag in _split(row.tags)} for row in rows]
        tags = [
            tag for tag in _split(rows[0].tags) if all(tag.casefold() in other for other in others)
        ]
        return tags, extra


def _described(
    quantity: int, for_trade: int, tags: str, extra: Mapping[str, str], *, apart: bool
) -> Described:
    """A line's copies; ``apart`` as of all lines."""
    own = {name: value for name, value in extra.items() if name not in COPIES}
    if not apart:
        own = {name: value for name, value in own.items() if name in KEPT}
        own |= json.loads(extra.get(COPY_COLUMNS, "{}"))
    return Described(
        quantity=quantity,
        condition=extra.get("condition", ""),
        language=extra.get("language", ""),
        finish=extra.get(FOIL, ""),
        binder=extra.get(BINDER, ""),
        note=extra.get(NOTE, ""),
        tags=tags if apart else extra.get(COPY_TAGS, ""),
        extra=own,
        for_trade=min(for_trade, quantity),
    )


def _together(row: Described, other: Described) -> Described:
    return replace(
        row, quantity=row.quantity + other.quantity, for_trade=row.for_trade + other.for_trade
    )


def _split(tags: str) -> list[str]:
    return [tag for tag in tags.split(", ") if tag]


def _without(row: Described, tags: Collection[str], extra: Collection[str]) -> Described:
    """The row less what is said of the card."""
    words = {tag.casefold() for tag in tags}
    return replace(
        row,
        tags=", ".join(tag for tag in _split(row.tags) if tag.casefold() not in words),
        extra={name: value for name, value in row.extra.items() if name not in extra},
    )


def joined_tags(first: str, second: str) -> tuple[str, bool]:
    """Both, each tag once, and whether the second had to be left out."""
    if not second or not first:
        return first or second, False
    tags: dict[str, str] = {}
    for tag in f"{first}, {second}".split(", "):
        tags.setdefault(tag.casefold(), tag)
    both = ", ".join(tags.values())
    return (first, True) if len(both) > MAX_VALUE_LENGTHS["tags"] else (both, False)


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect on a card; with a ``problem`` it fails. A ``remark`` says what is left out."""

    before: HoldingValues
    after: HoldingValues
    problem: str = ""
    remark: str = ""

    @property
    def change(self) -> int:
        """How many more physical copies."""
        return self.after.physical - self.before.physical

    @property
    def is_new(self) -> bool:
        return self.before == NO_HOLDING and self.after != NO_HOLDING

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def _overwritten(self) -> list[tuple[str, Any, Any]]:
        """Marks of the card that the list replaces by others: name, before, after."""
        before = {"wishlist": self.before.wishlist, "notes": self.before.notes, **self.before.extra}
        after = {"wishlist": self.after.wishlist, "notes": self.after.notes, **self.after.extra}
        return sorted(
            (name, value, after[name])
            for name, value in before.items()
            if value and after[name] != value
        )

    def fingerprint(self, card: int, *, replaces: bool) -> int:
        """A number that differs when the effect of a list does.

        The effect of one that *replaces* is what there is before and after; of one that adds, what
        comes on top, and what is said of the card in place of something else.
        """
        if replaces:
            content: list[Any] = [self.before.as_json(), self.after.as_json()]
        else:
            content = [
                self.change,
                self.after.for_trade - self.before.for_trade,
                self._overwritten(),
                self.remark,
            ]
        text = json.dumps([card, self.problem, *content], sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def effect(before: HoldingValues, listed: Listed, *, replaces: bool) -> Effect:
    """Compute the effect of a list on a card.

    A list that *replaces* says what there is in all: digital copies count towards it, those
    that its own rows call digital excepted. Otherwise its copies come on top. Copies that a list
    calls digital are never made by it, and none of them becomes a copy for trade.
    """
    tags_of_all, extra_of_all = listed.shared()
    if before.quantity and not replaces:
        # Copies that were there already have not been said to be so.
        known = {tag.casefold() for tag in _split(before.tags)}
        tags_of_all = [tag for tag in tags_of_all if tag.casefold() in known]
        extra_of_all = {
            name: value for name, value in extra_of_all.items() if before.extra.get(name) == value
        }
    said_tags, _ = joined_tags(listed.tags, ", ".join(tags_of_all))
    if replaces:
        covered = max(0, before.digital - listed.digital)
        physical = max(0, listed.physical - covered)
        for_trade = before.for_trade if listed.for_trade is None else listed.for_trade
        wishlist = before.wishlist if listed.wishlist is None else listed.wishlist
        tags, too_many = said_tags or before.tags, False
    else:
        physical = before.physical + listed.physical
        for_trade = before.for_trade + (listed.for_trade or 0) - listed.digital_for_trade
        wishlist = listed.wishlist or before.wishlist
        tags, too_many = joined_tags(before.tags, said_tags)
    quantity = before.digital + physical
    if quantity > MAX_COPIES:
        problem = f"That would be {quantity:,} copies (limit: {MAX_COPIES:,})."
        return Effect(before, before, problem=problem)
    extra = {**before.extra, **listed.extra, **extra_of_all}
    rows = {
        digital: [
            _without(row, _split(tags), extra_of_all)
            for (is_digital, _), row in listed.copies.items()
            if is_digital == digital
        ]
        for digital in (False, True)
    }
    described = _copies(before, rows[False], rows[True], replaces=replaces)
    copies = settled(described, quantity, min(for_trade, quantity))
    if max(map(len, (extra, *(row.extra for row in copies)))) > MAX_COLUMNS:
        problem = f"More than {MAX_COLUMNS} extra columns for one card."
        return Effect(before, before, problem=problem)
    if len(copies) > MAX_ROWS:
        problem = f"More than {MAX_ROWS} different kinds of copies of this card."
        return Effect(before, before, problem=problem)
    after = HoldingValues(
        digital=before.digital,
        physical=physical,
        for_trade=min(for_trade, quantity),
        wishlist=wishlist,
        tags=tags,
        notes=listed.notes or before.notes,
        extra=extra,
        copies=copies,
    )
    remarks = []
    if for_trade > quantity:
        remarks.append(f"Only {quantity:,} of {for_trade:,} copies can be for trade.")
    if too_many:
        remarks.append("Tags left out: there would be too many.")
    return Effect(before, after, remark=" ".join(remarks))


def _copies(
    before: HoldingValues, physical: list[Described], digital: list[Described], *, replaces: bool
) -> list[Described]:
    """How the copies are described after a list: those that it calls digital are not its own."""
    if not replaces:
        return [*before.copies, *physical]
    listed = tidied(digital)
    for_trade = sum(row.for_trade for row in listed)
    listed = settled(listed, min(before.digital, counted(listed)), for_trade)
    described = tidied([*physical, *listed])
    return [_as_kept(row, before.copies) for row in described] or list(before.copies)


def _as_kept(row: Described, before: Sequence[Described]) -> Described:
    """With what was kept with copies like these, if only some were: few files can say all of it."""
    alike = [known for known in before if known.said[:-1] == row.said[:-1]]
    return replace(row, extra={**alike[0].extra, **row.extra}) if len(alike) == 1 else row
