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
    for one in (row["active"], *row["reserve"], *row["away"]):
        if one is not None:
            yield one


def _seen(row: View) -> Iterator[Mapping[str, Any]]:
    """All cards of a seat that the view shows."""
    for one in _characters(row):
        yield one["card"]
        yield from one["energy"]
        if one["gear"] is not None:
            yield one["gear"]
    yield from row["hand"]["cards"]
    yield from row["specials"]
    yield from row["discard"]["cards"]
    yield from row["removed"]


def _count(row: View) -> int:
    """How many cards a seat has in all."""
    lying = sum(1 + len(one["energy"]) + (one["gear"] is not None) for one in _characters(row))
    piles = len(row["specials"]) + len(row["removed"])
    return lying + piles + sum(int(row[pile]["count"]) for pile in ("discard", "hand", "deck"))


def _lay(s: Duel, seat: int, row: View, numbers: range) -> None:
    seen = {card["id"] for card in _seen(row)}
    unseen = [card for card in numbers if card not in seen]
    known = [card["id"] for card in row["hand"]["cards"]]
    more = row["hand"]["count"] - len(known)
    s.hands[seat] = known + unseen[:more]
    s.decks[seat] = unseen[more:]
    s.active[seat] = NONE if row["active"] is None else row["active"]["card"]["id"]
    for slot in range(RESERVE):
        one = row["reserve"][slot]
        s.reserve[seat][slot] = NONE if one is None else one["card"]["id"]
    s.away[seat] = [one["card"]["id"] for one in row["away"]]
    s.specials[seat] = [card["id"] for card in row["specials"]]
    s.discards[seat] = [card["id"] for card in reversed(row["discard"]["cards"])]
    s.removed[seat] = [card["id"] for card in row["removed"]]
    s.fallen[seat] = row["fallen"]
    for one in _characters(row):
        _dress(s, one)


def _dress(s: Duel, one: Mapping[str, Any]) -> None:
    """What lies under a Character, and what is on it."""
    card = one["card"]["id"]
    under = [energy["id"] for energy in one["energy"]]
    if one["gear"] is not None:
        under.append(one["gear"]["id"])
    if under:
        s.under[card] = tuple(under)
    if one["hp"] < one["most"]:
        s.damage[card] = one["most"] - one["hp"]
    for mark in one["marks"]:
        if mark["until"]:
            s.marks.append((card, mark["mark"], mark["amount"], card, mark["seat"], mark["until"]))
