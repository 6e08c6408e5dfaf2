"""The printed effects, carried out: Special Bonuses (6.2) and Power Cards (6.6).

What a card does is data (``cards.toml``): a Warrior names its condition, a Power Card lists
operations. Here is what a condition asks and what an operation does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from games.battle_krabz import events
from games.battle_krabz.state import LOSER, NONE, Krabz, Operation

PAIR: Final = 50
TRIPLE: Final = 100


# -- Special Bonuses (BKZ-R-04: only the owner's role and battle line) -----------------------------


def _attacking(s: Krabz, seat: int, card: int) -> bool:
    return seat == s.attacker


def _defending(s: Krabz, seat: int, card: int) -> bool:
    return seat != s.attacker


def _shares(table: str) -> Callable[[Krabz, int, int], bool]:
    """Another Warrior of the line has the same of something."""

    def shares(s: Krabz, seat: int, card: int) -> bool:
        values = getattr(s.cards, table)
        return any(values[other] == values[card] for other in s.line[seat] if other != card)

    return shares


def _mixed(s: Krabz, seat: int, card: int) -> bool:
    line = s.line[seat]
    return len(line) > 1 and len({s.cards.domain[warrior] for warrior in line}) == len(line)


def _partner(s: Krabz, seat: int, card: int) -> bool:
    partner = s.cards.partner[card]
    return any(s.cards.character[warrior] == partner for warrior in s.line[seat])


CONDITIONS: Final[Mapping[str, Callable[[Krabz, int, int], bool]]] = {
    "always": lambda s, seat, card: True,
    "attack": _attacking,
    "defend": _defending,
    "alone": lambda s, seat, card: len(s.line[seat]) == 1,
    "trio": lambda s, seat, card: len(s.line[seat]) == 3,
    "pack": _shares("character"),
    "kin": _shares("domain"),
    "match": _shares("colour"),
    "mixed": _mixed,
    "partner": _partner,
}


def special(s: Krabz, seat: int, card: int) -> int:
    """BKZ-C-09: the points of a deployed Warrior's Special Bonus: all or nothing."""
    cards = s.cards
    return cards.special[card] if CONDITIONS[cards.condition[card]](s, seat, card) else 0


# -- Battle Scores (BKZ-R-01) ----------------------------------------------------------------------


class Points(NamedTuple):
    """A Battle Score in its parts; ``boosted`` takes the place of ``strength`` once boosted."""

    strength: int
    boosted: int
    special: int
    domain: int
    colour: int

    @property
    def basic_score(self) -> int:
        """BKZ-B-12"""
        return self.strength + self.special + self.domain + self.colour

    @property
    def boosted_score(self) -> int:
        """BKZ-B-29"""
        return self.boosted + self.special + self.domain + self.colour


def strengths(s: Krabz, seat: int) -> list[int]:
    """BKZ-B-13: Attack Strength for the Attacker, Defence Strength for the Defender, by card."""
    return s.cards.attack if seat == s.attacker else s.cards.defence


def multiplier(s: Krabz, seat: int, card: int) -> int:
    """BKZ-R-15: by how much the seat's Booster multiplies the Warrior's strength."""
    return s.cards.times[s.booster[seat]] if card in s.boosted[seat] else 1


def points(s: Krabz, seat: int) -> Points:
    """The seat's Battle Score as its line lies now, whole lines only (BKZ-R-04)."""
    line, cards, strength = s.line[seat], s.cards, strengths(s, seat)
    basic = bonus = 0
    for card in line:
        basic += strength[card]
        if CONDITIONS[cards.condition[card]](s, seat, card):
            bonus += cards.special[card]
    boosted = basic
    for card in s.boosted[seat]:
        boosted += strength[card] * (multiplier(s, seat, card) - 1)
    return Points(basic, boosted, bonus, shared(line, cards.domain), shared(line, cards.colour))


def shared(line: list[int], table: list[str]) -> int:
    """BKZ-B-14, BKZ-B-15, BKZ-R-06: 50 for two Warriors that share it, 100 for three."""
    if len(line) < 2:
        return 0
    different = len({table[card] for card in line})
    if different == len(line):
        return 0
    return TRIPLE if different == 1 and len(line) == 3 else PAIR


def winner_of(s: Krabz) -> int:
    """BKZ-B-30: the Battle Winner by the Boosted Battle Scores, or ``NONE`` if they are equal."""
    first, second = points(s, 0).boosted_score, points(s, 1).boosted_score
    if first == second:
        return NONE
    return 0 if first > second else 1


# -- Power Cards -----------------------------------------------------------------------------------


def operations(s: Krabz, seat: int, role: int, card: int) -> tuple[Operation, ...]:
    """BKZ-C-05: what a Power Card does for the side and the role (LOSER, WINNER) of its player."""
    return s.cards.operations[card][role][s.side(seat)]


def eligible(s: Krabz, seat: int, operation: Operation) -> list[int]:
    """BKZ-R-17: the deployed Warriors that an operation may hit, in line order."""
    verb, what = operation
    if verb == "reverse":
        return s.swung[:]
    if verb == "revive":
        return [card for card in s.line[seat] if card in s.downed]
    standing = [card for card in s.line[1 - seat] if card not in s.downed]
    if what == "top-hp" and standing:
        hp = s.cards.hp
        most = max(hp[card] for card in standing)
        return [card for card in standing if hp[card] == most]
    return standing


def playable(s: Krabz, seat: int, role: int, card: int) -> bool:
    """BKZ-R-18: at least one operation has an object."""
    return any(eligible(s, seat, operation) for operation in operations(s, seat, role, card))


def hit(s: Krabz, role: int, operation: Operation, cards: list[int]) -> None:
    """BKZ-B-45: the operation changes these Warriors."""
    verb, _what = operation
    if role == LOSER:
        s.swung.extend(cards)
    revived = [card for card in cards if card in s.downed] if verb != "down" else []
    downed = [card for card in cards if card not in s.downed] if verb != "revive" else []
    for card in revived:
        s.downed.remove(card)
    s.downed.extend(downed)
    for kind, changed in ((events.DOWNED, downed), (events.REVIVED, revived)):
        for owner in (0, 1):
            own = tuple(card for card in changed if s.owner(card) == owner)
            if own:
                s.tell(kind, owner, own)


def named(s: Krabz, operation: Operation, cards: list[int]) -> Mapping[str, list[int]]:
    """For operations by Domain or colour: the Warriors by what may be named, in alphabet order."""
    table: Any = s.cards.domain if operation[1] == "domain" else s.cards.colour
    words = sorted({table[card] for card in cards})
    return {word: [card for card in cards if table[card] == word] for word in words}
