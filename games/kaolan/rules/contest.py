"""The decisions that a mode's chapter may take in the contest modes of Kaolan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.kaolan.state import CHARACTER, CLOCKWISE, Kaolan
from rules.engine.moves import Move

SLOTS: Final = ("leader", "guard-1", "guard-2", "guard-3")


class ContestMode:
    """Where the chapters of Match, Tournament and Power Play differ.

    What stands here holds in Match Play; the other modes' classes say what is different in them.
    """

    own_piles = False
    """True if every seat has a Draw and a Discard Pile of its own (KAO-R-09)."""

    opportunity_draws = True
    """True if the option Opportunity begins with drawing a card (KAO-M-29, KAO-P-23, KAO-R-40)."""

    has_guards = True
    """False where the board has only one position (Power Play)."""

    checks_at_end_of_turn = False
    """True if stuck players are looked for at the end of a turn (KAO-R-49, KAO-R-50)."""

    has_links = False
    """True where Characters are linked, and a link may be replaced (KAO-P-16)."""

    has_alliances = False
    """True where players may pledge themselves to their Leader's colour (KAO-R-43)."""

    last_standing = "last_standing"
    """Why the match is over when one player is left."""

    fielding: tuple[str, ...] = ("change_of_guard", "reinforcements")
    """The Opportunities that may bring a Leader Character (KAO-R-12)."""

    slots: tuple[str, ...] = SLOTS
    """The names of the positions."""

    no_place: tuple[str, str] = (
        "Your board has no card left that a Character could take the place of.",
        "KAO-M-21",
    )
    """Why a Character of the hand cannot be placed, and the rule that says so."""

    def placeable(self, s: Kaolan, seat: int, *, reinforcements: bool = False) -> list[int]:
        """The Characters in hand that have a legal position (KAO-M-18)."""
        kind = s.cards.kind
        hand = [card for card in s.hands[seat] if kind[card] == CHARACTER]
        if hand and self.positions(s, seat, hand[0], reinforcements=reinforcements):
            return hand
        return []

    def can_place(self, s: Kaolan, seat: int) -> bool:
        """True if a Character, should there be one in hand, has a position; asked in every turn."""
        board, kind = s.board[seat], s.cards.kind
        if kind[board[0]] != CHARACTER:
            return True
        fills_empty = self.own_piles
        for held in board:  # noqa: SIM110 - any() costs twice as much
            if kind[held] != CHARACTER and (held >= 0 or fills_empty):
                return True
        return False

    def positions(
        self, s: Kaolan, seat: int, card: int, *, reinforcements: bool = False
    ) -> list[int]:
        """The positions that this Character may take (KAO-M-18 to KAO-M-21): the Leader's first."""
        board, kind = s.board[seat], s.cards.kind
        if kind[board[0]] != CHARACTER:
            return [0]
        fills_empty = reinforcements or self.own_piles  # KAO-T-16
        return [
            slot
            for slot, held in enumerate(board)
            if (kind[held] != CHARACTER if held >= 0 else fills_empty)
        ]

    def settle_on(self, s: Kaolan, seat: int, card: int, slot: int) -> str:
        """Put a Character on a position; returns the position's name."""
        s.board[seat][slot] = card
        return self.slots[slot]

    def ability_hosts(self, s: Kaolan, seat: int) -> list[int]:
        """The Characters that may have a Special Ability."""
        return s.characters(seat)

    def may_challenge(self, s: Kaolan, seat: int, *, truce_breaker: bool = False) -> list[int]:
        """KAO-M-33, KAO-R-11, KAO-R-32: every player in with a Leader Character of any colour."""
        kind, board, out = s.cards.kind, s.board, s.out
        if kind[board[seat][0]] != CHARACTER:
            return []
        return [
            other
            for other in CLOCKWISE[s.seats][seat]
            if kind[board[other][0]] == CHARACTER and other not in out
        ]

    def can_challenge(self, s: Kaolan, seat: int) -> bool:
        """True if there is somebody to challenge; asked in every turn."""
        kind, board, out = s.cards.kind, s.board, s.out
        if kind[board[seat][0]] != CHARACTER:
            return False
        for other in CLOCKWISE[s.seats][seat]:
            if kind[board[other][0]] == CHARACTER and other not in out:
                return True
        return False

    def parties(self, s: Kaolan, announcer: int, challenged: int) -> tuple[list[int], list[int]]:
        """Who attacks and who defends, in order. KAO-M-32: nobody else takes part."""
        return [announcer], [challenged]

    def numbers(self, s: Kaolan, seat: int) -> int:
        """KAO-M-37, KAO-M-39, KAO-M-45: the numbers that the seat fights with, as a mask."""
        leader = s.leader(seat)
        return s.numbers(leader) if leader >= 0 else 0

    def fighting_powers(self, s: Kaolan, seat: int) -> list[int]:
        """The Power Cards that Second Wind and Thorn Hide can take from the seat."""
        leader = s.leader(seat)
        return list(s.powers[leader]) if leader >= 0 else []

    def printed_faces(self, s: Kaolan, seat: int) -> int:
        """The faces that qualify without an ability's help, as a mask (KAO-M-35)."""
        return s.cards.faces[s.leader(seat)]

    def qualifying_faces(self, s: Kaolan, seat: int) -> int:
        """The faces of one die that qualify, as a mask (KAO-M-35); Keen Eye adds the neighbours."""
        faces = self.printed_faces(s, seat)
        if s.leader_ability(seat) == "keen_eye":
            faces |= faces << 1 | faces >> 1
        return faces & 0b1111110

    def qualifies_unrolled(self, s: Kaolan, seat: int) -> str:
        """The reason that the seat needs no Qualification roll, or ""."""
        return "war_drums" if s.leader_ability(seat) == "war_drums" else ""

    def guard_numbers(self, s: Kaolan, seat: int) -> int:
        """The numbers that Pack Tactics adds to a Volley: those under the own Guard Characters."""
        mask = 0
        for guard in s.guard_characters(seat):
            mask |= s.numbers(guard)
        return mask

    def beaten(self, s: Kaolan, seat: int) -> list[int]:
        """The Characters that fall when the seat is defeated, in the order of their discard."""
        return [s.board[seat][0]]

    def pledges(self, s: Kaolan, seat: int) -> list[Move]:
        """Joining or leaving an alliance, offered after the other options of a turn."""
        return []

    def can_replace_link(self, s: Kaolan, seat: int) -> bool:
        """KAO-P-16: only where there are links."""
        return False

    def leader_changed(self, s: Kaolan, seat: int) -> None:
        """Another card lies on the Leader position now."""

    def put_away(self, s: Kaolan, seat: int) -> None:
        """KAO-R-22: what becomes of the hand of a player who is out: to the shared Discard Pile."""
        while s.hands[seat]:
            s.put_on_discard(seat, s.leave_hand(seat, s.hands[seat][0]))

    def spoils(self, s: Kaolan, winners: Sequence[int], reason: str) -> tuple[tuple[str, Any], ...]:
        """The details of the outcome beyond the ranking."""
        return ()


MODES: dict[str, ContestMode] = {}
