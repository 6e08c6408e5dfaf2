"""The table as a seat sees it, made into a state on which a bot can try things out.

What the seat cannot see is filled with Normal Energy, so nothing that is tried out can depend on
it. Cards keep the numbers that they have in the view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.knd_ocg.state import NONE, RESERVE, Cards, Duel
from rules.engine.chance import Chance

View = Mapping[str, Any]

FILLER: Final = "normal-energy"


def imagined(view: View) -> Duel:
    """A state in which everything lies where the view shows it; nobody is asked yet."""
    rows = view["players"]
    counts = [_count(row) for row in rows]
    slugs = [FILLER] * sum(counts)
    for row in rows:
        for card in _seen(row):
            slugs[card["id"]] = card["slug"]
    turn = view["turn"]
    options = {
        "quiet_limit": view["quiet"]["limit"] or "off",
        "turn_cap": turn["cap"],
        "first_attack": True,
    }
    s = Duel.lay(Chance(bytes(32)), Cards(slugs), counts[0], options)
    s.placed = turn["number"] > 0
    s.turn, s.sequence, s.energy_left = turn["number"], turn["sequence"], turn["energy_left"]
    s.player = NONE if turn["seat"] is None else turn["seat"]
    s.first = NONE if turn["first"] is None else turn["first"]
    s.first_attack = turn["attacks"]
    s.once, s.used = list(turn["once"]), list(turn["used"])
    s.quiet = view["quiet"]["turns"]
    for seat, row in enumerate(rows):
        _lay(s, seat, row, range(seat * counts[0], seat * counts[0] + counts[seat]))
    if turn["picked"] is not None:
        s.energy = turn["picked"]["id"]
    return s


def _characters(row: View) -> Iterator[Mapping[str, Any]]:
    """The Characters of a seat, wherever they lie open."""
    for character in (row["active"], *row["reserve"], *row["away"]):
        if character is not None:
            yield character


def _seen(row: View) -> Iterator[Mapping[str, Any]]:
    """All cards of a seat that the view shows."""
    for character in _characters(row):
        yield character["card"]
        yield from character["energy"]
        if character["gear"] is not None:
            yield character["gear"]
    yield from row["hand"]["cards"]
    yield from row["specials"]
    yield from row["discard"]["cards"]
    yield from row["removed"]


def _count(row: View) -> int:
    """How many cards a seat has in all."""
    field = sum(
        1 + len(character["energy"]) + (character["gear"] is not None)
        for character in _characters(row)
    )
    piles = len(row["specials"]) + len(row["removed"])
    return field + piles + sum(int(row[pile]["count"]) for pile in ("discard", "hand", "deck"))


def _lay(s: Duel, seat: int, row: View, numbers: range) -> None:
    seen = {card["id"] for card in _seen(row)}
    unseen = [card for card in numbers if card not in seen]
    known = [card["id"] for card in row["hand"]["cards"]]
    more = row["hand"]["count"] - len(known)
    s.hands[seat] = known + unseen[:more]
    s.decks[seat] = unseen[more:]
    s.active[seat] = NONE if row["active"] is None else row["active"]["card"]["id"]
    for slot in range(RESERVE):
        character = row["reserve"][slot]
        s.reserve[seat][slot] = NONE if character is None else character["card"]["id"]
    s.away[seat] = [character["card"]["id"] for character in row["away"]]
    s.specials[seat] = [card["id"] for card in row["specials"]]
    s.discards[seat] = [card["id"] for card in reversed(row["discard"]["cards"])]
    s.removed[seat] = [card["id"] for card in row["removed"]]
    s.fallen[seat] = row["fallen"]
    for character in _characters(row):
        _dress(s, character)


def _dress(s: Duel, character: Mapping[str, Any]) -> None:
    """Attach a Character's cards, damage and marks."""
    card = character["card"]["id"]
    under = [energy["id"] for energy in character["energy"]]
    if character["gear"] is not None:
        under.append(character["gear"]["id"])
    if under:
        s.under[card] = tuple(under)
    if character["hp"] < character["most"]:
        s.damage[card] = character["most"] - character["hp"]
    for mark in character["marks"]:
        if mark["until"]:
            s.marks.append((card, mark["mark"], mark["amount"], card, mark["seat"], mark["until"]))
