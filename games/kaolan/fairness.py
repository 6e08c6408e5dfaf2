"""What docs/verify.py needs to know of Kaolan: which events draw chance.

Shares no code with the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def readers(verify: Any) -> dict[tuple[str, str], type]:
    class Kaolan:
        """Section 5: what all modes of Kaolan share. Every draw, in the order of the events."""

        BEGINS = frozenset({"match_started"})
        QUIET = frozenset(
            {
                "turn_started",
                "action",
                "chosen",
                "challenge_announced",
                "qualified",
                "escaped",
                "defeated",
                "rose_again",
                "stepped_up",
                "swapped",
                "hand_shown",
                "eliminated",
                "resigned",
                "turn_ended",
                "match_ended",
            }
        )
        LAST = "match_ended"
        ONE_DIE: str | None = "qualification"

        def __init__(self, record: dict[str, Any], stream: Any) -> None:
            self.record = record
            self.stream = stream
            self.seats = record["seats"]
            self.slugs = record["cards"]
            self.draws = 0
            self.raid: tuple[int, int] | None = None
            self.hands: list[set[int]] = [set() for _ in range(self.seats)]
            self.boards: list[list[int]] = [[] for _ in range(self.seats)]
            self.piles: list[list[int]] = [[] for _ in range(self.seats)]  # the next is the last
            self.discards: list[list[int]] = [[] for _ in range(self.seats)]

        def happened(self, kind: str, values: Sequence[Any]) -> None:
            if self.raid is not None and kind != "discarded":
                raise verify.Wrong("a card that was picked is not discarded")
            verify.tell(self, kind, values)

        def on_dealt(self, seat: int, cards: list[int]) -> None:
            verify.expect(
                f"the first hand of seat {seat + 1}", sorted(cards), sorted(self.hands[seat])
            )

        def on_board_revealed(self, seat: int, cards: list[int]) -> None:
            verify.expect(f"the first board of seat {seat + 1}", cards, self.boards[seat])

        def on_rolled(
            self, stage: str | None, seat: int, dice: list[int], success: bool, *matched: Any
        ) -> None:
            count = 1 if stage == self.ONE_DIE else 2
            verify.expect(
                f"a roll for the {stage}", dice, [self.stream.die() for _ in range(count)]
            )
            self.draws += count

        def on_drew(self, seat: int, cards: list[int]) -> None:
            pile = self.piles[seat]
            for card in cards:
                verify.expect("a drawn card", card, pile.pop() if pile else None)
                self.hands[seat].add(card)

        def on_raided(self, seat: int, other: int) -> None:
            hand = sorted(self.hands[other])
            self.raid = other, hand[self.stream.pick(len(hand))]
            self.draws += 1

        def on_discarded(self, seat: int, card: int) -> None:
            if self.raid is not None:
                other, picked = self.raid
                verify.expect("the seat of a random discard", seat, other)
                verify.expect("a random discard", self.slugs[card], self.slugs[picked])
                self.raid = None
            self.leaves(seat, card)
            self.discards[seat].append(card)

        def on_taken(self, seat: int, card: int, source: str) -> None:
            if source == "discard":
                if card not in self.discards[seat]:
                    raise verify.Wrong(
                        "a card is taken from the Discard Pile that does not lie there"
                    )
                self.discards[seat].remove(card)
            self.hands[seat].add(card)

        def on_replaced(self, seat: int, card: int, to: str) -> None:
            if to == "hand":
                self.hands[seat].add(card)

        def on_placed(self, seat: int, card: int, slot: str) -> None:
            self.leaves(seat, card)

        def on_attached(self, seat: int, card: int, host: int) -> None:
            self.leaves(seat, card)

        def on_opportunity_shown(self, seat: int, card: int) -> None:
            self.leaves(seat, card)

        def leaves(self, seat: int, card: int) -> None:
            self.hands[seat].discard(card)

    class KaolanMatchPlay(Kaolan):
        """Section 5.1: one shared deck."""

        def places(self) -> int:
            return 1 + int(self.record["options"]["guards"])

        def on_match_started(self, starter: int, cards: list[int]) -> None:
            verify.expect("the starting seat", starter, self.stream.pick(self.seats))
            verify.expect("the first shuffle", cards, self.stream.shuffled(range(len(self.slugs))))
            self.draws += 2
            self.share(cards[:60][::-1], [])
            order = [(starter + n) % self.seats for n in range(self.seats)]
            for _ in range(self.places()):
                for seat in order:
                    self.boards[seat].append(self.piles[0].pop())
            for _ in range(4):
                for seat in order:
                    self.hands[seat].add(self.piles[0].pop())

        def share(self, pile: list[int], discard: list[int]) -> None:
            self.piles = [pile] * self.seats
            self.discards = [discard] * self.seats

        def on_recycled(self, cards: list[int]) -> None:
            if self.piles[0]:
                raise verify.Wrong(
                    f"the Draw Pile is renewed although it has {len(self.piles[0])} cards"
                )
            verify.expect("a new shuffle", cards, self.stream.shuffled(self.discards[0]))
            self.draws += 1
            self.share(list(cards), [])

    class KaolanPowerPlay(KaolanMatchPlay):
        """Section 5.2: as Match Play, with one position a board."""

        def places(self) -> int:
            return 1

    class KaolanTournamentPlay(Kaolan):
        """Section 5.3: a deck a seat."""

        QUIET = Kaolan.QUIET | {"pledge_changed", "prize_claimed"}

        def on_match_started(self, starter: int, cards: list[int]) -> None:
            first = 0
            for kind, seat, *rest in self.record["events"]:
                if kind == "shuffled":
                    self.numbered(seat, self.slugs[first : first + len(rest[0])])
                    first += len(rest[0])
            verify.expect("the number of cards", len(self.slugs), first)
            verify.expect("the starting seat", starter, self.stream.pick(self.seats))
            self.draws += 1
            self.first = 0

        def numbered(self, seat: int, slugs: list[str]) -> None:
            """The cards of a deck got their numbers by a shuffle of the sorted list."""
            places = self.stream.shuffled(range(len(slugs)))
            self.draws += 1
            deck = [""] * len(slugs)
            for number, place in enumerate(places):
                deck[place] = slugs[number]
            runs = [slug for n, slug in enumerate(deck) if n == 0 or deck[n - 1] != slug]
            if len(set(runs)) < len(runs):
                raise verify.Wrong(
                    f"the cards of seat {seat + 1} are not numbered as the seed says"
                )

        def on_shuffled(self, seat: int, cards: list[int]) -> None:
            numbers = range(self.first, self.first + len(cards))
            verify.expect(f"the shuffle of seat {seat + 1}", cards, self.stream.shuffled(numbers))
            self.draws += 1
            self.first += len(cards)
            piles = [cards[start : start + 10] for start in range(0, 40, 10)]
            leader, guard, other_guard, _prize = (pile[0] for pile in piles)
            self.boards[seat] = [leader, guard, other_guard]
            self.hands[seat] = {pile[1] for pile in piles}
            self.piles[seat] = [card for pile in piles for card in pile[2:]][::-1]

    class KaolanSinglePlay(Kaolan):
        """Section 5.4: the Master Deck against the booster piles."""

        QUIET = frozenset({"attack", "battle", "defeated", "resigned"})
        LAST = "run_ended"
        ONE_DIE = None
        MASTER = 60

        def on_match_started(self, seat: int, cards: list[int]) -> None:
            stock = self.stream.shuffled(range(self.MASTER))
            foes = self.stream.shuffled(range(self.MASTER, len(self.slugs)))
            verify.expect("the two shuffles", cards, stock + foes)
            self.draws += 2
            self.stock = stock[::-1]
            self.waste: list[int] = []
            size = len(foes) // 4
            self.foes = {f"pile-{n + 1}": foes[n * size : (n + 1) * size][::-1] for n in range(4)}

        def on_dealt_on(self, seat: int, count: int) -> None:
            for _ in range(count):
                self.waste.append(self.stock.pop())

        def on_revealed(self, seat: int, card: int) -> None:
            verify.expect("the card turned up", card, self.waste[-1])

        def on_matched(self, seat: int, card: int, foe: int, slot: str) -> None:
            self.used(card)
            verify.expect("the matched card", foe, self.foes[slot][-1])

        def on_attached(self, seat: int, card: int, host: int) -> None:
            self.used(card)

        def on_set_aside(self, seat: int, card: int) -> None:
            self.used(card)

        def used(self, card: int) -> None:
            verify.expect("the card used", card, self.waste.pop())

        def on_pile_turned(self, slot: str, card: int) -> None:
            verify.expect(f"the card on {slot}", card, self.foes[slot][-1])

        def on_removed(self, seat: int, card: int, slot: str) -> None:
            verify.expect(f"the card on {slot}", card, self.foes[slot].pop())

        def on_discarded(self, seat: int, card: int) -> None:
            if card in self.waste:
                self.waste.remove(card)

        def on_passed_through(self, seat: int, number: int) -> None:
            self.stock, self.waste = self.waste[::-1], []

        def on_run_ended(self, seat: int, score: int, reason: str) -> None:
            left = sum(len(pile) for pile in self.foes.values())
            verify.expect("the score", score, len(self.slugs) - self.MASTER - left)

    return {
        ("kaolan", "match"): KaolanMatchPlay,
        ("kaolan", "power"): KaolanPowerPlay,
        ("kaolan", "tournament"): KaolanTournamentPlay,
        ("kaolan", "single"): KaolanSinglePlay,
    }
