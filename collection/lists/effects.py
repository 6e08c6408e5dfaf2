"""What a list does to what somebody has of a card: before, after, and worth a remark.

Nothing is read or written here, so the preview and the import itself cannot differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from collection.lists.dialects import KEPT
from collection.lists.reading import LETTERS_A_VALUE, MOST_COLUMNS, MOST_COPIES

NOT_KEPT = "Not kept"
"""How a remark on what gets lost begins."""


@dataclass(frozen=True, slots=True)
class HoldingValues:
    """What somebody has of a card, and says about it."""

    dealt: int = 0
    recorded: int = 0
    spare: int = 0
    wanted: int = 0
    tags: str = ""
    notes: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)

    @property
    def quantity(self) -> int:
        return self.dealt + self.recorded

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"extra": dict(self.extra)}


NO_HOLDING = HoldingValues()


@dataclass(slots=True)
class Listed:
    """What all lines of a list together say about one card."""

    recorded: int = 0
    dealt: int = 0
    spare: int | None = None
    wanted: int | None = None
    tags: str = ""
    notes: str = ""
    extra: dict[str, str] = field(default_factory=dict)

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
        """Take in a line; gives a remark where it says something that another line said before."""
        if dealt:
            self.dealt += quantity or 0
        else:
            self.recorded += quantity or 0
        if spare is not None:
            self.spare = (self.spare or 0) + spare
        if wanted is not None:
            self.wanted = max(self.wanted or 0, wanted)
        remarks = []
        self.tags, left_out = joined_tags(self.tags, tags)
        if left_out:
            remarks.append("its tags (too many)")
        if notes and notes != self.notes:
            both = f"{self.notes}\n{notes}" if self.notes else notes
            if len(both) <= LETTERS_A_VALUE["notes"]:
                self.notes = both
            else:
                remarks.append("its notes (too long)")
        for column, value in extra.items():
            if self.extra.setdefault(column, value) != value:
                remarks.append(f"{column if column in KEPT else f'“{column}”'} “{value}”")
        if not remarks:
            return ""
        return f"{NOT_KEPT}, as a card has one of each: {', '.join(remarks)}."[:300]


def joined_tags(first: str, second: str) -> tuple[str, bool]:
    """Both, each tag once, and whether the second had to be left out."""
    if not second or not first:
        return first or second, False
    tags: dict[str, str] = {}
    for tag in f"{first}, {second}".split(", "):
        tags.setdefault(tag.casefold(), tag)
    both = ", ".join(tags.values())
    return (first, True) if len(both) > LETTERS_A_VALUE["tags"] else (both, False)


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of a card. With a ``problem`` it cannot be; a ``remark`` says what is less."""

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

    def fingerprint(self, card: int) -> int:
        """A number that differs when anything of it differs."""
        text = json.dumps([card, self.before.as_json(), self.after.as_json()], sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def effect(before: HoldingValues, listed: Listed, *, replaces: bool) -> Effect:
    """What a list does to a card.

    A list that *replaces* says what there is in all: copies dealt here count towards it, those
    that its own rows call dealt excepted. Otherwise its copies come on top. Copies that a list
    calls dealt are never made by it.
    """
    if replaces:
        covered = max(0, before.dealt - listed.dealt)
        recorded = max(0, listed.recorded - covered)
        spare = before.spare if listed.spare is None else listed.spare
        wanted = before.wanted if listed.wanted is None else listed.wanted
        tags, too_many = listed.tags or before.tags, False
    else:
        recorded = before.recorded + listed.recorded
        spare = before.spare + (listed.spare or 0)
        wanted = listed.wanted or before.wanted
        tags, too_many = joined_tags(before.tags, listed.tags)
    quantity = before.dealt + recorded
    if quantity > MOST_COPIES:
        problem = f"That would be {quantity:,} copies; nobody keeps more than {MOST_COPIES:,}."
        return Effect(before, before, problem=problem)
    extra = {**before.extra, **listed.extra}
    if len(extra) > MOST_COLUMNS:
        problem = f"That would be more than {MOST_COLUMNS} other columns kept with one card."
        return Effect(before, before, problem=problem)
    after = HoldingValues(
        dealt=before.dealt,
        recorded=recorded,
        spare=min(spare, quantity),
        wanted=wanted,
        tags=tags,
        notes=listed.notes or before.notes,
        extra=extra,
    )
    remarks = []
    if spare > quantity:
        remarks.append(f"Of {spare:,} copies that may go there will be {quantity:,}.")
    if too_many:
        remarks.append("Its tags are not taken: there would be too many.")
    return Effect(before, after, remark=" ".join(remarks))
