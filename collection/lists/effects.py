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

    dealt: int = 0
    recorded: int = 0
    spare: int = 0
    wanted: int = 0
    tags: str = ""
    notes: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    copies: Sequence[Described] = ()

    @property
    def quantity(self) -> int:
        return self.dealt + self.recorded

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
    recorded: int = 0
    dealt: int = 0
    dealt_spare: int = 0
    spare: int | None = None
    wanted: int | None = None
    tags: str = ""
    notes: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    copies: dict[tuple[bool, str], Described] = field(default_factory=dict)

    def add(
        self,
        *,
        quantity: int | None,
        dealt: bool,
        spare: int | None,
        wanted: int | None,
        tags: str,
        notes: str,
        extra: Mapping[str, str],
    ) -> str:
        """Take in a line; gives a remark where it says something that cannot be kept."""
        if dealt:
            self.dealt += quantity or 0
            self.dealt_spare += spare or 0
        else:
            self.recorded += quantity or 0
        if spare is not None:
            self.spare = (self.spare or 0) + spare
        if wanted is not None:
            self.wanted = max(self.wanted or 0, wanted)
        remarks = []
        if quantity:
            described = _described(quantity, spare or 0, tags, extra, apart=self.apart)
            known = self.copies.get((dealt, described.key))
            self.copies[dealt, described.key] = _together(known, described) if known else described
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
    quantity: int, spare: int, tags: str, extra: Mapping[str, str], *, apart: bool
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
        spare=min(spare, quantity),
    )


def _together(row: Described, other: Described) -> Described:
    return replace(row, quantity=row.quantity + other.quantity, spare=row.spare + other.spare)


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
        """How many more recorded copies."""
        return self.after.recorded - self.before.recorded

    @property
    def is_new(self) -> bool:
        return self.before == NO_HOLDING and self.after != NO_HOLDING

    @property
    def changes(self) -> bool:
        return self.before != self.after

    def _overwritten(self) -> list[tuple[str, Any, Any]]:
        """What the list says of the card in place of something else: name, before, after."""
        before = {"wanted": self.before.wanted, "notes": self.before.notes, **self.before.extra}
        after = {"wanted": self.after.wanted, "notes": self.after.notes, **self.after.extra}
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
            content = [self.change, self.after.spare - self.before.spare, self._overwritten()]
        text = json.dumps([card, self.problem, *content], sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def effect(before: HoldingValues, listed: Listed, *, replaces: bool) -> Effect:
    """Compute the effect of a list on a card.

    A list that *replaces* says what there is in all: copies dealt here count towards it, those
    that its own rows call dealt excepted. Otherwise its copies come on top. Copies that a list
    calls dealt are never made by it, and none of them is more to spare for its being added.
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
        covered = max(0, before.dealt - listed.dealt)
        recorded = max(0, listed.recorded - covered)
        spare = before.spare if listed.spare is None else listed.spare
        wanted = before.wanted if listed.wanted is None else listed.wanted
        tags, too_many = said_tags or before.tags, False
    else:
        recorded = before.recorded + listed.recorded
        spare = before.spare + (listed.spare or 0) - listed.dealt_spare
        wanted = listed.wanted or before.wanted
        tags, too_many = joined_tags(before.tags, said_tags)
    quantity = before.dealt + recorded
    if quantity > MAX_COPIES:
        problem = f"That would be {quantity:,} copies (limit: {MAX_COPIES:,})."
        return Effect(before, before, problem=problem)
    extra = {**before.extra, **listed.extra, **extra_of_all}
    rows = {
        dealt: [
            _without(row, _split(tags), extra_of_all)
            for (is_dealt, _), row in listed.copies.items()
            if is_dealt == dealt
        ]
        for dealt in (False, True)
    }
    described = _copies(before, rows[False], rows[True], replaces=replaces)
    copies = settled(described, quantity, min(spare, quantity))
    if max(map(len, (extra, *(row.extra for row in copies)))) > MAX_COLUMNS:
        problem = f"More than {MAX_COLUMNS} extra columns for one card."
        return Effect(before, before, problem=problem)
    if len(copies) > MAX_ROWS:
        problem = f"More than {MAX_ROWS} different kinds of copies of this card."
        return Effect(before, before, problem=problem)
    after = HoldingValues(
        dealt=before.dealt,
        recorded=recorded,
        spare=min(spare, quantity),
        wanted=wanted,
        tags=tags,
        notes=listed.notes or before.notes,
        extra=extra,
        copies=copies,
    )
    remarks = []
    if spare > quantity:
        remarks.append(f"Only {quantity:,} of {spare:,} copies can be for trade.")
    if too_many:
        remarks.append("Tags left out: there would be too many.")
    return Effect(before, after, remark=" ".join(remarks))


def _copies(
    before: HoldingValues, recorded: list[Described], dealt: list[Described], *, replaces: bool
) -> list[Described]:
    """How the copies are described after a list: copies that it calls dealt are none of its own."""
    if not replaces:
        return [*before.copies, *recorded]
    listed = tidied(dealt)
    listed = settled(listed, min(before.dealt, counted(listed)), sum(row.spare for row in listed))
    described = tidied([*recorded, *listed])
    return [_as_kept(row, before.copies) for row in described] or list(before.copies)


def _as_kept(row: Described, before: Sequence[Described]) -> Described:
    """With what was kept with copies like these, if only some were: few files can say all of it."""
    alike = [known for known in before if known.said[:-1] == row.said[:-1]]
    return replace(row, extra={**alike[0].extra, **row.extra}) if len(alike) == 1 else row
