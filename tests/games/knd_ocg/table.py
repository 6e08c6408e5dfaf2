"""Short words for tests of KND: OCG: a table laid out, and what can be read off it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.testing import Position, position

Seat = Mapping[str, Any]


def duel(a: Seat, b: Seat, **layout: Any) -> Position:
    """A table in A's turn 7, in the Play Sequence with one Energy card still to play."""
    return position("knd-ocg", "duel", seats=[dict(a), dict(b)], **layout)


def seat_of(t: Position, seat: int, viewer: int | None = None) -> dict[str, Any]:
    """A seat's row in what ``viewer`` (None: a spectator) sees."""
    row: dict[str, Any] = t.match.view(viewer)["players"][seat]
    return row


def characters(t: Position, seat: int) -> dict[str, dict[str, Any]]:
    """The Characters of a seat on the field, by slug."""
    row = seat_of(t, seat)
    places = [row["active"], *row["reserve"]]
    return {character["card"]["slug"]: character for character in places if character}


def hp(t: Position, seat: int, slug: str) -> int:
    """The current HP of a Character."""
    points: int = characters(t, seat)[slug]["hp"]
    return points


def active(t: Position, seat: int) -> str | None:
    """The slug of a seat's Active Character."""
    character = seat_of(t, seat)["active"]
    return character and str(character["card"]["slug"])


def reserve(t: Position, seat: int) -> list[str | None]:
    """The slugs in a seat's Reserve, zone by zone."""
    return [character and character["card"]["slug"] for character in seat_of(t, seat)["reserve"]]


def marks(t: Position, seat: int, slug: str) -> set[str]:
    """The words of all marks on a Character."""
    return {mark["mark"] for mark in characters(t, seat)[slug]["marks"]}


def under(t: Position, seat: int, slug: str) -> list[str]:
    """The Energy under a Character, a letter each."""
    energy = characters(t, seat)[slug]["energy"]
    return [letter(card["slug"]) for card in energy]


def letter(slug: str) -> str:
    """``L`` for Leader Energy."""
    return slug[0].upper()


def hand(t: Position, seat: int) -> list[str]:
    """The slugs in a seat's hand."""
    return [card["slug"] for card in seat_of(t, seat, seat)["hand"]["cards"]]


def discard(t: Position, seat: int) -> list[str]:
    """The slugs of a discard pile, newest on top."""
    return [card["slug"] for card in seat_of(t, seat)["discard"]["cards"]]


def fallen(t: Position) -> list[int]:
    """Both Fallen tallies."""
    return [seat_of(t, 0)["fallen"], seat_of(t, 1)["fallen"]]


def deck_count(t: Position, seat: int) -> int:
    points: int = seat_of(t, seat)["deck"]["count"]
    return points


def offered(t: Position, by: int | None = None) -> set[str]:
    """The options offered, without the numbers of the cards."""
    return {_plain(text) for text in t.offered(by)}


def verbs(t: Position, by: int | None = None) -> set[str]:
    """The verbs of what is offered."""
    return {text.partition(" ")[0] for text in t.offered(by)}


def attacks(t: Position) -> set[str]:
    """The attacks that are offered."""
    return {
        text for text in offered(t) if text.partition(" ")[0] in ("basic", "attack1", "attack2")
    }


def _plain(text: str) -> str:
    return " ".join(word.partition("~")[0] for word in text.split())


def go(t: Position, *moves: str, by: int | None = None) -> Position:
    """Play moves without the numbers of cards; of equal cards any one."""
    for text in moves:
        full = next((character for character in t.offered(by) if _plain(character) == text), text)
        t.take(full, by=by)
    return t


def told(t: Position) -> list[str]:
    """The kinds of events that the last move brought about."""
    return [event[0] for event in t.events]


def lines(t: Position, seat: int | None = None) -> list[str]:
    """The lines of the log of the last move."""
    sentences = (t.match.narrate(event, seat) for event in t.events)
    return [line for line in sentences if line]


def ended(t: Position) -> tuple[tuple[int, ...], str]:
    """The winners and the reason."""
    assert t.match.outcome is not None
    return t.match.outcome.winners, t.match.outcome.reason


def times(slug: str, number: int) -> list[str]:
    return [slug] * number


def energies(text: str) -> list[str]:
    """``2L 1D`` as a list: L, L, D."""
    return [part[1] for part in text.split() for _ in range(int(part[0]))]
