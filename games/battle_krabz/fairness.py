"""What docs/verify.py needs to know of Battle Krabz: which events draw chance.

Shares no code with the game.
"""

from __future__ import annotations

from typing import Any


def readers(verify: Any) -> dict[tuple[str, str], type]:
    class BattleKrabz:
        """What both modes of Battle Krabz have in common."""

        LAST = "match_ended"

        def __init__(self, record: dict[str, Any], stream: Any) -> None:
            self.stream = stream
            self.seats = record["seats"]
            self.numbers = len(record["cards"])
            self.options = record["options"]
            self.ranks: list[int] = []  # by card number: its place in the sorted deck it came in
            self.draws = 0
            self.prepare()

        def prepare(self) -> None:
            """What one mode follows besides."""

        def number_deck(self, count: int) -> None:
            """The sorted deck, shuffled: its cards get the next numbers in this order."""
            self.ranks.extend(self.stream.shuffled(range(count)))
            self.draws += 1

    # Everything that one mode tells is quiet in the other, where it never happens.
    KRABZ_QUIET = frozenset(
        {
            *("picked", "hand_chosen", "battle_started", "scored", "cut_short_proposed"),
            *("cut_short_declined", "booster_played", "boosted", "no_boost", "battle_won"),
            *("battle_tied", "power_played", "no_power", "revived", "downed", "eliminated"),
            *("sorted", "ready", "kept", "round_started", "called", "lead_passed", "seat_out"),
            "match_ended",
        }
    )

    class KrabzBattle(BattleKrabz):
        """Section 5.5: Battle Mode."""

        BEGINS = frozenset({"deck_brought"})
        QUIET = KRABZ_QUIET | {
            *("first_leader", "front", "revealed", "round_won", "round_tied", "resigned"),
        }

        def prepare(self) -> None:
            self.stacks: dict[tuple[int, str], list[int]] = {}  # of a seat; the top card first
            self.warriors: set[int] = set()

        def on_deck_brought(self, seat: int, side: str, count: int, warriors: int) -> None:
            self.number_deck(count)

        def on_shuffled(self, seat: int, stack: str, cards: list[int]) -> None:
            before = self.stacks.get((seat, stack))
            if before is None:
                before = sorted(cards, key=self.ranks.__getitem__)
            verify.expect(
                f"the {stack} stack of seat {seat + 1}", cards, self.stream.shuffled(before)
            )
            self.draws += 1
            self.stacks[seat, stack] = list(cards)
            if stack == "warrior":
                self.warriors.update(cards)

        def on_stacks_made(self, seat: int, warriors: int, supports: int) -> None:
            made = [len(self.stacks[seat, stack]) for stack in ("warrior", "support")]
            verify.expect(f"the stacks of seat {seat + 1}", [warriors, supports], made)

        def on_first_attacker(self, seat: int, method: str, cards: list[int]) -> None:
            if cards:
                tops = [self.stacks[other, "warrior"][0] for other in range(self.seats)]
                verify.expect("the cards shown for the first attack", cards, tops)
            if method == "coin":
                verify.expect("the first Attacker", seat, self.stream.pick(self.seats))
                self.draws += 1

        def on_deployed(self, seat: int, card: int, slot: str) -> None:
            self.warriors.add(card)

        def on_recycled(self, seat: int, cards: list[int]) -> None:
            for card in cards:
                stack = "warrior" if card in self.warriors else "support"
                self.stacks[seat, stack].append(card)

        def on_replenished(
            self, seat: int, warriors: int, supports: int, cards: list[int], known: Any
        ) -> None:
            found = []
            for stack, number in (("warrior", warriors), ("support", supports)):
                lie = self.stacks[seat, stack]
                found += lie[:number]
                del lie[:number]
            verify.expect(f"the cards that seat {seat + 1} draws", cards, found)

    class KrabzMulti(BattleKrabz):
        """Section 5.6: Multi-Player Mode."""

        BEGINS = frozenset({"shuffled"})
        QUIET = KRABZ_QUIET | {
            *(
                "deck_brought",
                "stacks_made",
                "first_attacker",
                "deployed",
                "recycled",
                "replenished",
            ),
        }

        def prepare(self) -> None:
            self.piles: list[list[int]] = [[] for _ in range(self.seats)]  # the top card first
            self.pot: list[int] = []
            self.round: list[tuple[int, int]] = []  # (seat, card), from the leader on

        def on_shuffled(self, seat: int, stack: str, cards: list[int]) -> None:
            self.draws += 1
            if stack == "pack":
                verify.expect("the pack", cards, self.stream.shuffled(range(self.numbers)))
                self.piles = [cards[one :: self.seats] for one in range(self.seats)]
                return
            size = self.numbers // self.seats
            if not self.ranks:
                for _ in range(self.seats):
                    self.number_deck(size)
            own = range(seat * size, seat * size + size)
            verify.expect(f"the pile of seat {seat + 1}", cards, self.stream.shuffled(own))
            self.piles[seat] = list(cards)

        def on_first_leader(self, seat: int) -> None:
            verify.expect("the first leader", seat, self.stream.pick(self.seats))
            self.draws += 1

        def on_front(self, seat: int, card: int) -> None:
            verify.expect(f"the front card of seat {seat + 1}", card, self.piles[seat][0])

        def on_revealed(self, seat: int, card: int, number: int) -> None:
            verify.expect(f"the card of seat {seat + 1}", card, self.piles[seat].pop(0))
            self.round.append((seat, card))

        def on_round_won(self, winner: int, count: int) -> None:
            self.round.sort(key=lambda shown: (shown[0] - winner) % self.seats)
            self.piles[winner] += [card for _, card in self.round] + self.pot
            self.round, self.pot = [], []

        def on_round_tied(self, seats: list[int], count: int) -> None:
            self.pot += [card for _, card in self.round]
            self.round = []

        def on_resigned(self, seat: int, cards: list[int]) -> None:
            verify.expect(f"the pile of seat {seat + 1}", cards, self.piles[seat])
            self.pot += self.piles[seat]
            self.piles[seat] = []

    return {("battle-krabz", "battle"): KrabzBattle, ("battle-krabz", "multi"): KrabzMulti}
