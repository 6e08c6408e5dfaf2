"""What docs/verify.py needs to know of Colossal Kaiju Combat: which events draw chance.

It shares no code with the game. Every deck is numbered by a shuffle of its sorted list, then
shuffled; equal Initiative is broken by a shuffle of the seats; a card at random is picked from the
cards by number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def readers(verify: Any) -> Mapping[tuple[str, str], type]:
    """A reader for each mode; both tell the same events."""

    class Reader:
        """Follows all decks, and picks again what chance picked."""

        BEGINS = frozenset({"team_shown"})
        LAST = "match_ended"
        QUIET = frozenset(
            {
                *("team_leads", "turn_started", "thrown", "picked", "ready"),
                *("planned_away", "planning_passed", "card_played", "entered_city"),
                *("joined_team", "put_away", "selected", "action_lost", "attacked"),
                *("challenged", "accepted", "declined", "roared", "action_passed"),
                *("discarded", "healed", "returned", "combat_started", "joined_fight"),
                *("was_shown", "evolved", "chosen_to_lay", "laid", "discarded_for"),
                *("sword_passed", "no_answer", "turned_up", "worked_out", "strikes", "hit"),
                *("fury_gained", "fury_owed", "fury_claimed", "fury_stolen"),
                *("energy_gained", "moved", "swapped", "combo", "raged", "combat_ended"),
                *("scarred", "ambushed", "cleared", "buried", "knocked_out", "scars_lost"),
                *("revived", "set_aside", "destroyed", "evacuated", "glory_gained"),
                *("seat_out", "resigned", "match_ended"),
            }
        )

        def __init__(self, record: Mapping[str, Any], stream: Any) -> None:
            self.stream = stream
            self.slugs: Sequence[str] = record["cards"]
            self.seats: int = record["seats"]
            self.draws = 0
            self.decks: dict[tuple[int, str], list[int]] = {}
            self.first = 0

        def on_team_shown(self, seat: int, card: int, kaiju: int) -> None:
            """The cards of a seat: its team card, its kaiju, its combat and its planning cards."""
            self.first = card + 1 + kaiju

        def on_decks_brought(self, seat: int, combat: int, planning: int) -> None:
            """The cards of each deck got their numbers by a shuffle of the sorted list."""
            for number in (combat, planning):
                self.numbered(seat, self.slugs[self.first : self.first + number])
                self.first += number

        def numbered(self, seat: int, slugs: Sequence[str]) -> None:
            if not slugs:
                return
            places = self.stream.shuffled(range(len(slugs)))
            self.draws += 1
            deck: list[str] = [""] * len(slugs)
            for number, place in enumerate(places):
                deck[place] = slugs[number]
            runs = [slug for n, slug in enumerate(deck) if n == 0 or deck[n - 1] != slug]
            if len(set(runs)) < len(runs):
                raise verify.Wrong(
                    f"the cards of seat {seat + 1} are not numbered as the seed says"
                )

        def on_ties_broken(self, seats: Sequence[int]) -> None:
            order = self.stream.shuffled(range(self.seats))
            verify.expect("the order of equal Initiative", list(seats), order)
            self.draws += 1

        def on_shuffled(self, seat: int, deck: str, cards: Sequence[int]) -> None:
            order = self.stream.shuffled(sorted(cards))
            verify.expect(f"the {deck} deck of seat {seat + 1}", list(cards), order)
            self.draws += 1
            if self.decks.get((seat, deck)):
                raise verify.Wrong("a deck is shuffled although cards are left in it")
            self.decks[seat, deck] = list(cards)

        def on_drew_combat(self, seat: int, cards: Sequence[int]) -> None:
            self.drew(seat, "combat", cards)

        def on_drew_planning(self, seat: int, cards: Sequence[int]) -> None:
            self.drew(seat, "planning", cards)

        def drew(self, seat: int, deck: str, cards: Sequence[int]) -> None:
            lie = self.decks[seat, deck]
            verify.expect(f"what seat {seat + 1} draws", list(cards), lie[: len(cards)])
            del lie[: len(cards)]

        def on_knocked_down(self, seat: int, card: int, hand: Sequence[int]) -> None:
            self.picked(card, hand)

        def on_sabotaged(self, seat: int, card: int, hand: Sequence[int]) -> None:
            self.picked(card, hand)

        def on_hand_glimpsed(self, seat: int, other: int, card: int, hand: Sequence[int]) -> None:
            self.picked(card, hand)

        def on_spoils_taken(self, seat: int, other: int, card: int, hand: Sequence[int]) -> None:
            self.picked(card, hand)

        def picked(self, card: int, hand: Sequence[int]) -> None:
            found = sorted(hand)[self.stream.pick(len(hand))]
            verify.expect("a card picked at random", card, found)
            self.draws += 1

    return {("colossal-kaiju-combat", mode): Reader for mode in ("standard", "basic")}
