#!/usr/bin/env python3
"""Check the chance of a finished Riffle match. Needs Python 3.8 or newer and nothing else.

    python3 verify.py match.json

match.json is what the match's fairness page offers. docs/fairness.md says what is checked and how;
this file follows it and shares no code with the site, so that one can be held against the other.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path

# ruff: noqa: T201


class Wrong(Exception):
    """Something does not fit."""


class Stream:
    """Section 2 and 3: bytes from the seed, and choices from bytes."""

    def __init__(self, seed):
        self.seed = seed
        self.used = 0

    def byte(self):
        block, place = divmod(self.used, 32)
        self.used += 1
        return hashlib.sha256(self.seed + block.to_bytes(8, "big")).digest()[place]

    def pick(self, n):
        if n == 1:
            return 0
        size = 1
        while 256**size < n:
            size += 1
        fair = 256**size // n * n
        while True:
            value = int.from_bytes(bytes(self.byte() for _ in range(size)), "big")
            if value < fair:
                return value % n

    def die(self):
        return self.pick(6) + 1

    def shuffled(self, cards):
        cards = list(cards)
        for place in range(len(cards) - 1, 0, -1):
            other = self.pick(place + 1)
            cards[place], cards[other] = cards[other], cards[place]
        return cards


def commitment_of(server_seed):
    """Section 4: what is published before the match begins."""
    return hashlib.sha256(server_seed).hexdigest()


def match_seed(server_seed, shares):
    """Section 4: the server's seed, mixed with what the players added."""
    lines = "".join(f"{seat}:{text}\n" for seat, text in sorted(shares))
    return hmac.new(server_seed, lines.encode("utf-8"), hashlib.sha256).digest()


def expect(what, told, found):
    """``told`` is what the record says, ``found`` what the stream gives."""
    if told != found:
        raise Wrong(f"{what}: the record says {told}, the seed gives {found}")


class KaolanMatchPlay:
    """Section 5.1: every draw of a match, in the order of its events."""

    QUIET = frozenset(
        {
            "turn_started",
            "action",
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

    def __init__(self, record, stream):
        self.stream = stream
        self.seats = record["seats"]
        self.slugs = record["cards"]
        self.places = 1 + record["options"]["guards"]
        self.pile = []  # the card that is drawn next is the last
        self.discard = []  # the newest card is the last
        self.hands = [set() for _ in range(self.seats)]
        self.boards = []
        self.raid = None
        self.draws = 0

    def happened(self, kind, values):
        if self.raid is not None and kind != "discarded":
            raise Wrong("a card that was picked is not discarded")
        if kind in self.QUIET:
            return
        handler = getattr(self, "on_" + kind, None)
        if handler is None:
            raise Wrong(f"an event of an unknown kind, {kind!r}")
        handler(*values)

    def on_match_started(self, starter, cards):
        expect("the starting seat", starter, self.stream.pick(self.seats))
        expect("the first shuffle", cards, self.stream.shuffled(range(len(self.slugs))))
        self.draws += 2
        self.pile = cards[:60][::-1]
        order = [(starter + n) % self.seats for n in range(self.seats)]
        self.boards = [[] for _ in order]
        for _ in range(self.places):
            for seat in order:
                self.boards[seat].append(self.pile.pop())
        for _ in range(4):
            for seat in order:
                self.hands[seat].add(self.pile.pop())

    def on_dealt(self, seat, cards):
        expect(f"the first hand of seat {seat + 1}", sorted(cards), sorted(self.hands[seat]))

    def on_board_revealed(self, seat, cards):
        expect(f"the first board of seat {seat + 1}", cards, self.boards[seat])

    def on_rolled(self, stage, seat, dice, success):
        count = 1 if stage == "qualification" else 2
        expect(f"a roll for the {stage}", dice, [self.stream.die() for _ in range(count)])
        self.draws += count

    def on_recycled(self, cards):
        if self.pile:
            raise Wrong(f"the Draw Pile is renewed although it has {len(self.pile)} cards")
        expect("a new shuffle", cards, self.stream.shuffled(self.discard))
        self.draws += 1
        self.pile, self.discard = list(cards), []

    def on_drew(self, seat, cards):
        for card in cards:
            expect("a drawn card", card, self.pile.pop() if self.pile else None)
            self.hands[seat].add(card)

    def on_raided(self, seat, other):
        hand = sorted(self.hands[other])
        self.raid = other, hand[self.stream.pick(len(hand))]
        self.draws += 1

    def on_discarded(self, seat, card):
        if self.raid is not None:
            other, picked = self.raid
            expect("the seat of a random discard", seat, other)
            expect("a random discard", self.slugs[card], self.slugs[picked])
            self.raid = None
        self.leaves(seat, card)
        self.discard.append(card)

    def on_taken(self, seat, card, source):
        if source == "discard":
            if card not in self.discard:
                raise Wrong("a card is taken from the Discard Pile that does not lie there")
            self.discard.remove(card)
        self.hands[seat].add(card)

    def on_replaced(self, seat, card, to):
        if to == "hand":
            self.hands[seat].add(card)

    def on_placed(self, seat, card, slot):
        self.leaves(seat, card)

    def on_attached(self, seat, card, host):
        self.leaves(seat, card)

    def on_opportunity_shown(self, seat, card):
        self.leaves(seat, card)

    def leaves(self, seat, card):
        self.hands[seat].discard(card)


GAMES = {("kaolan", "match"): KaolanMatchPlay}


def verify(record):
    """Check a whole record; returns sentences that say what holds. Raises Wrong."""
    if record.get("riffle") != 1:
        raise Wrong("this is not a record of form 1")
    server_seed = bytes.fromhex(record["server_seed"])
    expect("the commitment", record["commitment"], commitment_of(server_seed))
    yield "The server's seed is the one that was committed to."
    shares = record["shares"]
    seed = match_seed(server_seed, shares)
    yield f"The match's seed is {seed.hex()} ({len(shares)} players added to it)."
    game = GAMES.get((record["game"], record["mode"]))
    if game is None:
        raise Wrong(f"this script does not know {record['game']} {record['mode']}")
    events = record["events"]
    if not events or events[0][0] != "match_started":
        raise Wrong("the record does not begin with the start of the match")
    table = game(record, Stream(seed))
    for number, (kind, *values) in enumerate(events, start=1):
        try:
            table.happened(kind, values)
        except Wrong as error:
            raise Wrong(f"event {number}, {error}") from None
    if events[-1][0] != "match_ended":
        raise Wrong("the record stops before the end of the match")
    yield (
        f"All {table.draws} dice, shuffles and picks in {len(events)} events are what the seed "
        f"gives ({table.stream.used} bytes)."
    )


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        record = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        for sentence in verify(record):
            print(sentence)
    except Wrong as error:
        print(f"NOT AS PUBLISHED: {error}.")
        return 1
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"This record cannot be read: {error!r}.")
        return 2
    print("The chance of this match is as published.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
