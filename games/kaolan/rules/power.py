"""Power Play (specification, section 2.4): one chain of linked Characters each, one hit decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.kaolan.rules.board import exchangeable
from games.kaolan.rules.contest import MODES, ContestMode
from games.kaolan.rules.match import deal, shared_table
from games.kaolan.state import CHARACTER, GOLD, Kaolan
from rules.engine.chance import Chance
from rules.engine.legality import Decklist

MAIN: Final = 0
LINK: Final = 1
CHAIN: Final = 5


class PowerPlay(ContestMode):
    """Where Power Play's chapter differs."""

    has_guards = False  # KAO-P-04
    has_links = True  # KAO-P-14, KAO-P-16
    last_standing = "main_defeated"  # KAO-P-05
    fielding: tuple[str, ...] = ("reinforcements",)  # KAO-R-12: Change of Guard only draws here
    slots: tuple[str, ...] = ("main", "link")
    no_place = "Your chain has a Character of this level and colour already.", "KAO-P-15"

    def placeable(self, s: Kaolan, seat: int, *, reinforcements: bool = False) -> list[int]:
        """KAO-P-12, KAO-P-14: who may be the Main Character or has a level that the chain lacks."""
        kind, level = s.cards.kind, s.cards.level
        hand = [card for card in s.hands[seat] if kind[card] == CHARACTER]
        if s.leader(seat) < 0:
            return hand
        taken = {level[character] for character in s.characters(seat)}
        return [card for card in hand if level[card] not in taken]

    def can_place(self, s: Kaolan, seat: int) -> bool:
        return bool(self.placeable(s, seat))

    def positions(
        self, s: Kaolan, seat: int, card: int, *, reinforcements: bool = False
    ) -> list[int]:
        """KAO-P-10, KAO-P-13, KAO-P-15: the board position, or a link of a missing level."""
        if s.leader(seat) < 0:
            return [MAIN]
        level = s.cards.level
        taken = {level[character] for character in s.characters(seat)}
        return [] if level[card] in taken else [LINK]

    def settle_on(self, s: Kaolan, seat: int, card: int, slot: int) -> str:
        """KAO-P-14: links lie below the Main Character, by level."""
        board = s.board[seat]
        if slot == MAIN:
            board[MAIN] = card
        else:
            level = s.cards.level
            s.board[seat] = [board[MAIN], *sorted([*board[LINK:], card], key=level.__getitem__)]
        return self.slots[slot]

    def ability_hosts(self, s: Kaolan, seat: int) -> list[int]:
        """KAO-P-21: only the Main Character."""
        main = s.leader(seat)
        return [main] if main >= 0 else []

    def numbers(self, s: Kaolan, seat: int) -> int:
        """KAO-P-30, KAO-P-31: N(chain)."""
        return s.chain_numbers(seat)

    def fighting_powers(self, s: Kaolan, seat: int) -> list[int]:
        """KAO-R-67: from anywhere in the chain."""
        return [power for character in s.characters(seat) for power in s.powers[character]]

    def qualifying_faces(self, s: Kaolan, seat: int) -> int:
        """KAO-R-62: Keen Eye and Pack Tactics count for one Character more."""
        faces = self.printed_faces(s, seat)
        if s.leader_ability(seat) in ("keen_eye", "pack_tactics"):
            faces |= faces << 1 | 0b10
        return faces & 0b1111110

    def printed_faces(self, s: Kaolan, seat: int) -> int:
        """KAO-P-27, KAO-P-28, KAO-R-61: n or less with n Characters."""
        return (1 << len(s.characters(seat)) + 1) - 2 & 0b1111110

    def qualifies_unrolled(self, s: Kaolan, seat: int) -> str:
        """KAO-P-18, KAO-P-29: a Grandmaster does not roll."""
        return "grandmaster" if self.grandmaster(s, seat) else super().qualifies_unrolled(s, seat)

    def grandmaster(self, s: Kaolan, seat: int) -> bool:
        """KAO-P-18, KAO-R-65: five Characters of one colour; gold counts as any."""
        if len(s.board[seat]) < CHAIN:
            return False
        colours = [s.cards.colour[character] for character in s.characters(seat)]
        return len(colours) == CHAIN and any(
            all(colour in (suit, GOLD) for colour in colours) for suit in (1, 2, 4)
        )

    def guard_numbers(self, s: Kaolan, seat: int) -> int:
        """Pack Tactics raises the Qualification here (KAO-R-62)."""
        return 0

    def beaten(self, s: Kaolan, seat: int) -> list[int]:
        """KAO-P-03: the Main Character and everything linked to it."""
        return s.characters(seat)

    def can_replace_link(self, s: Kaolan, seat: int) -> bool:
        """KAO-P-16: a Character in hand of a link's level and another colour."""
        return len(s.board[seat]) > 1 and bool(exchangeable(s, seat))


MODES["power"] = PowerPlay()


def prepare(
    seats: int, chance: Chance, options: Mapping[str, Any], decks: Sequence[Decklist]
) -> Kaolan:
    """KAO-P-02, KAO-P-06 to KAO-P-09: shuffle, one board card each, the hands."""
    s = shared_table("power", seats, chance, options, decks, guards=0)
    deal(s)
    return s
