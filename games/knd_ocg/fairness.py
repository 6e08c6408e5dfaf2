"""What docs/verify.py needs to know of KND: OCG: which events draw chance. Shares no code with it.

Every deck is numbered by a shuffle of its sorted list, seat after seat; each later shuffle of a
deck begins from the order of the numbers. Besides, chance picks who goes first and what is
discarded at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SIZE = 60


def readers(verify: Any) -> dict[tuple[str, str], type]:
    class Duel:
        BEGINS = frozenset({"shuffle"})
        LAST = "end"
        QUIET = frozenset(
            """
            mulligan laid ready reveal-setup turn-start draw place move-up attach move-energy pay
            flee switch special gear effect trigger turn-end attack damage no-loss heal mark
            mark-end defeated destroyed fallen away return to-hand discard look look-through search
            recover removed resign end
            """.split()  # noqa: SIM905 - thirty-six words in a list are a page
        )

        def __init__(self, record: Mapping[str, Any], stream: Any) -> None:
            self.stream = stream
            self.draws = 0
            slugs = record["cards"]
            for first in range(0, len(slugs), SIZE):
                self.number(slugs[first : first + SIZE])

        def number(self, slugs: Sequence[str]) -> None:
            """The cards of a deck got their numbers by a shuffle of the sorted list."""
            places = self.stream.shuffled(range(len(slugs)))
            self.draws += 1
            deck = [""] * len(slugs)
            for number, place in enumerate(places):
                deck[place] = slugs[number]
            runs = [slug for n, slug in enumerate(deck) if n == 0 or deck[n - 1] != slug]
            if len(set(runs)) < len(runs):
                raise verify.Wrong("the cards of a deck are not numbered as the seed says")

        def on_shuffle(self, seat: int, cards: Sequence[int]) -> None:
            found = self.stream.shuffled(sorted(cards))
            verify.expect(f"the shuffle of seat {seat + 1}", list(cards), found)
            self.draws += 1

        def on_order(self, seat: int) -> None:
            verify.expect("who goes first", seat, self.stream.pick(2))
            self.draws += 1

        def on_discard_at_random(self, _seat: int, _card: int, held: int, place: int) -> None:
            verify.expect("the card that is discarded", place, self.stream.pick(held))
            self.draws += 1

    return {("knd-ocg", "duel"): Duel}
