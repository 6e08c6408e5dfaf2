"""Power Play (specification, section 2.4): one chain of linked Characters each, one hit decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.kaolan.rules.book import MODES, ContestMode
from games.kaolan.rules.match import deal, shared_table
from games.kaolan.rules.turn import links_to_replace
from games.kaolan.state import CHARACTER, GOLD, Kaolan
from rules.engine.chance import Chance
from rules.engine.legality import Decklist

MAIN: Final = 0
LINK: Final = 1
CHAIN: Final = 5


class PowerPlay(ContestMode):
    """Where Power Play's chapter differs."""

    has_guards = False  # P-04
    last_standing = "main_defeated"  # P-05
    fielding = ("reinforcements",)  # Change of Guard only draws here
    slots = ("main", "link")

    def placeable(self, s: Kaolan, seat: int, *, reinforcements: bool = False) -> list[int]:
        """P-12, P-14: whoever may be the Main Character, or has a level that the chain lacks."""
        kind = s.cards.kind
        return [
            card
            for card in s.hands[seat]
            if kind[card] == CHARACTER and self.positions(s, seat, card)
        ]

    def positions(
        self, s: Kaolan, seat: int, card: int, *, reinforcements: bool = False
    ) -> list[int]:
        """P-10, P-13, P-15: the board position, or a new link of a level the chain lacks."""
        if s.leader(seat) < 0:
            return [MAIN]
        level = s.cards.level
        taken = {level[character] for character in s.characters(seat)}
        return [] if level[card] in taken else [LINK]

    def settle_on(self, s: Kaolan, seat: int, card: int, slot: int) -> str:
        """P-14: links lie below the Main Character, by level."""
        board = s.board[seat]
        if slot == MAIN:
            board[MAIN] = card
        else:
            level = s.cards.level
            s.board[seat] = [board[MAIN], *sorted([*board[LINK:], card], key=level.__getitem__)]
        return self.slots[slot]

    def ability_hosts(self, s: Kaolan, seat: int) -> list[int]:
        """P-21: only the Main Character."""
        return s.characters(seat)[:1] if s.leader(seat) >= 0 else []

    def numbers(self, s: Kaolan, seat: int) -> int:
        """P-30, P-31: N(chain)."""
        return s.chain_numbers(seat)

    def fighting_powers(self, s: Kaolan, seat: int) -> list[int]:
        """R-67: from anywhere in the chain."""
        return [power for character in s.characters(seat) for power in s.powers[character]]

    def qualifying_faces(self, s: Kaolan, seat: int) -> int:
        """P-27, P-28, R-61: n or less with n Characters; R-62: Keen Eye, Pack Tactics one more."""
        count = len(s.characters(seat))
        if s.ability_of(s.leader(seat)) in ("keen_eye", "pack_tactics"):
            count += 1
        return (1 << count + 1) - 2 & 0b1111110

    def qualifies_unrolled(self, s: Kaolan, seat: int) -> str:
        """P-18, P-29: a Grandmaster does not roll."""
        return "grandmaster" if self.grandmaster(s, seat) else super().qualifies_unrolled(s, seat)

    def grandmaster(self, s: Kaolan, seat: int) -> bool:
        """P-18, R-65: five Characters of one colour; gold counts as any."""
        colours = [s.cards.colour[character] for character in s.characters(seat)]
        return len(colours) == CHAIN and any(
            all(colour in (one, GOLD) for colour in colours) for one in (1, 2, 4)
        )

    def guard_numbers(self, s: Kaolan, seat: int) -> int:
        """Pack Tactics raises the Qualification here (R-62)."""
        return 0

    def beaten(self, s: Kaolan, seat: int) -> list[int]:
        """P-03: the Main Character and everything linked to it."""
        return s.characters(seat)

    def can_replace_link(self, s: Kaolan, seat: int) -> bool:
        """P-16: a Character in hand of a link's level and another colour."""
        kind = s.cards.kind
        return any(
            kind[card] == CHARACTER and links_to_replace(s, seat, card) for card in s.hands[seat]
        )


MODES["power"] = PowerPlay()


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Kaolan:
    """P-02, P-06 to P-09: shuffle, one board card each, the hands, the boards turned up."""
    s = shared_table("power", seats, chance, options, decks, guards=0)
    deal(s)
    return s
