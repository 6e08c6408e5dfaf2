"""Edits of a deck's name, notes and tags that two windows make at once.

A page or program that shows a deck is given a stamp: a fingerprint of each of these fields. It
comes back with the change and tells what was changed here, what elsewhere, and what in both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from decks.models import Deck, tags

FIELDS = ("name", "visibility", "tags", "notes")
_SIGNS = 12


def stamps(deck: Deck) -> dict[str, str]:
    """The fingerprint of each field as it is now."""
    return {field: fingerprint(field, getattr(deck, field)) for field in FIELDS}


def write_stamp(stamps: Mapping[str, str]) -> str:
    """Fingerprints as they go out and come back."""
    return ".".join(stamps.get(field, "") for field in FIELDS)


def read_stamp(stamp: str) -> dict[str, str]:
    """The fingerprint of each field; one that is not there fits no value."""
    return dict(zip(FIELDS, stamp.split("."), strict=False))


def fingerprint(field: str, value: str) -> str:
    """A few signs that are others for every other value."""
    return hashlib.sha256(f"{field} {value}".encode()).hexdigest()[:_SIGNS]


@dataclass(frozen=True, slots=True)
class Merged:
    """The edited fields, sorted: those to write, and those that were changed on both sides.

    What is in neither was given as it had been seen, so whatever it is now stays.
    """

    changes: dict[str, str]
    clashes: tuple[str, ...]


def merge(deck: Deck, values: Mapping[str, str], seen: Mapping[str, str]) -> Merged:
    """Lay what was ``given`` by somebody who had ``seen`` these fingerprints beside what is."""
    changes = {
        field: value
        for field, value in values.items()
        if fingerprint(field, value) != seen.get(field)
    }
    clashes = tuple(
        field
        for field, value in changes.items()
        if (now := getattr(deck, field)) != value and fingerprint(field, now) != seen.get(field)
    )
    return Merged(changes, clashes)


def as_typed(deck: Deck, field: str) -> str:
    """A field as a form shows it."""
    value: str = getattr(deck, field)
    return ", ".join(tags.of(value)) if field == "tags" else value
