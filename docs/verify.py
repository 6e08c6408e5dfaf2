#!/usr/bin/env python3
"""Check the chance of a finished Riffle match or of an opened pack.

    python3 verify.py match.json
    python3 verify.py match.json readers.py
    python3 verify.py pack.json

The files are what the match's fairness page and the pack's verify page offer; readers.py comes
with a game that this file does not know. docs/fairness.md says what is checked and how; this file
follows it and shares no code with the site, so that one can be held against the other. It needs
Python 3.8 or newer and nothing else.
"""

import hashlib
import hmac
import json
import runpy
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


def match_seed(server_seed, client_seeds):
    """Section 4: the server's seed, mixed with what the players added."""
    lines = "".join(f"{seat}:{text}\n" for seat, text in sorted(client_seeds))
    return hmac.new(server_seed, lines.encode("utf-8"), hashlib.sha256).digest()


def expect(what, told, found):
    """``told`` is what the record says, ``found`` what the stream gives."""
    if told != found:
        raise Wrong(f"{what}: the record says {told}, the seed gives {found}")


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
    ONE_DIE = "qualification"

    def __init__(self, record, stream):
        self.record = record
        self.stream = stream
        self.seats = record["seats"]
        self.slugs = record["cards"]
        self.draws = 0
        self.raid = None
        self.hands = [set() for _ in range(self.seats)]
        self.boards = [[] for _ in range(self.seats)]
        self.piles = [[] for _ in range(self.seats)]  # the card that is drawn next is the last
        self.discards = [[] for _ in range(self.seats)]  # the newest card is the last

    def happened(self, kind, values):
        if self.raid is not None and kind != "discarded":
            raise Wrong("a card that was picked is not discarded")
        if kind in self.QUIET:
            return
        handler = getattr(self, "on_" + kind, None)
        if handler is None:
            raise Wrong(f"an event of an unknown kind, {kind!r}")
        handler(*values)

    def on_dealt(self, seat, cards):
        expect(f"the first hand of seat {seat + 1}", sorted(cards), sorted(self.hands[seat]))

    def on_board_revealed(self, seat, cards):
        expect(f"the first board of seat {seat + 1}", cards, self.boards[seat])

    def on_rolled(self, stage, seat, dice, success, *matched):
        count = 1 if stage == self.ONE_DIE else 2
        expect(f"a roll for the {stage}", dice, [self.stream.die() for _ in range(count)])
        self.draws += count

    def on_drew(self, seat, cards):
        pile = self.piles[seat]
        for card in cards:
            expect("a drawn card", card, pile.pop() if pile else None)
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
        self.discards[seat].append(card)

    def on_taken(self, seat, card, source):
        if source == "discard":
            if card not in self.discards[seat]:
                raise Wrong("a card is taken from the Discard Pile that does not lie there")
            self.discards[seat].remove(card)
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


class KaolanMatchPlay(Kaolan):
    """Section 5.1: one shared deck."""

    def places(self):
        return 1 + self.record["options"]["guards"]

    def on_match_started(self, starter, cards):
        expect("the starting seat", starter, self.stream.pick(self.seats))
        expect("the first shuffle", cards, self.stream.shuffled(range(len(self.slugs))))
        self.draws += 2
        self.share(cards[:60][::-1], [])
        order = [(starter + n) % self.seats for n in range(self.seats)]
        for _ in range(self.places()):
            for seat in order:
                self.boards[seat].append(self.piles[0].pop())
        for _ in range(4):
            for seat in order:
                self.hands[seat].add(self.piles[0].pop())

    def share(self, pile, discard):
        self.piles = [pile] * self.seats
        self.discards = [discard] * self.seats

    def on_recycled(self, cards):
        if self.piles[0]:
            raise Wrong(f"the Draw Pile is renewed although it has {len(self.piles[0])} cards")
        expect("a new shuffle", cards, self.stream.shuffled(self.discards[0]))
        self.draws += 1
        self.share(list(cards), [])


class KaolanPowerPlay(KaolanMatchPlay):
    """Section 5.2: as Match Play, with one position a board."""

    def places(self):
        return 1


class KaolanTournamentPlay(Kaolan):
    """Section 5.3: a deck a seat."""

    QUIET = Kaolan.QUIET | {"pledge_changed", "prize_claimed"}

    def on_match_started(self, starter, cards):
        first = 0
        for kind, seat, *rest in self.record["events"]:
            if kind == "shuffled":
                self.numbered(seat, self.slugs[first : first + len(rest[0])])
                first += len(rest[0])
        expect("the number of cards", len(self.slugs), first)
        expect("the starting seat", starter, self.stream.pick(self.seats))
        self.draws += 1
        self.first = 0

    def numbered(self, seat, slugs):
        """The cards of a deck got their numbers by a shuffle of the sorted list."""
        places = self.stream.shuffled(range(len(slugs)))
        self.draws += 1
        deck = [None] * len(slugs)
        for number, place in enumerate(places):
            deck[place] = slugs[number]
        runs = [slug for n, slug in enumerate(deck) if n == 0 or deck[n - 1] != slug]
        if len(set(runs)) < len(runs):
            raise Wrong(f"the cards of seat {seat + 1} are not numbered as the seed says")

    def on_shuffled(self, seat, cards):
        numbers = range(self.first, self.first + len(cards))
        expect(f"the shuffle of seat {seat + 1}", cards, self.stream.shuffled(numbers))
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

    def on_match_started(self, seat, cards):
        stock = self.stream.shuffled(range(self.MASTER))
        foes = self.stream.shuffled(range(self.MASTER, len(self.slugs)))
        expect("the two shuffles", cards, stock + foes)
        self.draws += 2
        self.stock = stock[::-1]
        self.waste = []
        size = len(foes) // 4
        self.foes = {f"pile-{n + 1}": foes[n * size : (n + 1) * size][::-1] for n in range(4)}

    def on_dealt_on(self, seat, count):
        for _ in range(count):
            self.waste.append(self.stock.pop())

    def on_revealed(self, seat, card):
        expect("the card turned up", card, self.waste[-1])

    def on_matched(self, seat, card, foe, slot):
        self.used(card)
        expect("the matched card", foe, self.foes[slot][-1])

    def on_attached(self, seat, card, host):
        self.used(card)

    def on_set_aside(self, seat, card):
        self.used(card)

    def used(self, card):
        expect("the card used", card, self.waste.pop())

    def on_pile_turned(self, slot, card):
        expect(f"the card on {slot}", card, self.foes[slot][-1])

    def on_removed(self, seat, card, slot):
        expect(f"the card on {slot}", card, self.foes[slot].pop())

    def on_discarded(self, seat, card):
        if card in self.waste:
            self.waste.remove(card)

    def on_passed_through(self, seat, number):
        self.stock, self.waste = self.waste[::-1], []

    def on_run_ended(self, seat, score, reason):
        left = sum(len(pile) for pile in self.foes.values())
        expect("the score", score, len(self.slugs) - self.MASTER - left)


class BattleKrabz:
    """What both modes of Battle Krabz have in common."""

    LAST = "match_ended"

    def __init__(self, record, stream):
        self.stream = stream
        self.seats = record["seats"]
        self.numbers = len(record["cards"])
        self.options = record["options"]
        self.ranks = []  # by card number: its place in the sorted deck it came in
        self.draws = 0
        self.prepare()

    def happened(self, kind, values):
        if kind in self.QUIET:
            return
        handler = getattr(self, "on_" + kind, None)
        if handler is None:
            raise Wrong(f"an event of an unknown kind, {kind!r}")
        handler(*values)

    def number_deck(self, count):
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

    def prepare(self):
        self.stacks = {}  # (seat, stack): the top card first
        self.warriors = set()

    def on_deck_brought(self, seat, side, count, warriors):
        self.number_deck(count)

    def on_shuffled(self, seat, stack, cards):
        before = self.stacks.get((seat, stack))
        if before is None:
            before = sorted(cards, key=self.ranks.__getitem__)
        expect(f"the {stack} stack of seat {seat + 1}", cards, self.stream.shuffled(before))
        self.draws += 1
        self.stacks[seat, stack] = list(cards)
        if stack == "warrior":
            self.warriors.update(cards)

    def on_stacks_made(self, seat, warriors, supports):
        made = [len(self.stacks[seat, stack]) for stack in ("warrior", "support")]
        expect(f"the stacks of seat {seat + 1}", [warriors, supports], made)

    def on_first_attacker(self, seat, method, cards):
        if cards:
            tops = [self.stacks[other, "warrior"][0] for other in range(self.seats)]
            expect("the cards shown for the first attack", cards, tops)
        if method == "coin":
            expect("the first Attacker", seat, self.stream.pick(self.seats))
            self.draws += 1

    def on_deployed(self, seat, card, slot):
        self.warriors.add(card)

    def on_recycled(self, seat, cards):
        for card in cards:
            stack = "warrior" if card in self.warriors else "support"
            self.stacks[seat, stack].append(card)

    def on_replenished(self, seat, warriors, supports, cards, known):
        found = []
        for stack, number in (("warrior", warriors), ("support", supports)):
            lie = self.stacks[seat, stack]
            found += lie[:number]
            del lie[:number]
        expect(f"the cards that seat {seat + 1} draws", cards, found)


class KrabzMulti(BattleKrabz):
    """Section 5.6: Multi-Player Mode."""

    BEGINS = frozenset({"shuffled"})
    QUIET = KRABZ_QUIET | {
        *("deck_brought", "stacks_made", "first_attacker", "deployed", "recycled", "replenished"),
    }

    def prepare(self):
        self.piles = [[] for _ in range(self.seats)]  # the top card first
        self.pot = []
        self.round = []  # (seat, card), from the leader on

    def on_shuffled(self, seat, stack, cards):
        self.draws += 1
        if stack == "pack":
            expect("the pack", cards, self.stream.shuffled(range(self.numbers)))
            self.piles = [cards[one :: self.seats] for one in range(self.seats)]
            return
        size = self.numbers // self.seats
        if not self.ranks:
            for _ in range(self.seats):
                self.number_deck(size)
        own = range(seat * size, seat * size + size)
        expect(f"the pile of seat {seat + 1}", cards, self.stream.shuffled(own))
        self.piles[seat] = list(cards)

    def on_first_leader(self, seat):
        expect("the first leader", seat, self.stream.pick(self.seats))
        self.draws += 1

    def on_front(self, seat, card):
        expect(f"the front card of seat {seat + 1}", card, self.piles[seat][0])

    def on_revealed(self, seat, card, number):
        expect(f"the card of seat {seat + 1}", card, self.piles[seat].pop(0))
        self.round.append((seat, card))

    def on_round_won(self, winner, count):
        self.round.sort(key=lambda shown: (shown[0] - winner) % self.seats)
        self.piles[winner] += [card for _, card in self.round] + self.pot
        self.round, self.pot = [], []

    def on_round_tied(self, seats, count):
        self.pot += [card for _, card in self.round]
        self.round = []

    def on_resigned(self, seat, cards):
        expect(f"the pile of seat {seat + 1}", cards, self.piles[seat])
        self.pot += self.piles[seat]
        self.piles[seat] = []


GAMES = {
    ("kaolan", "match"): KaolanMatchPlay,
    ("kaolan", "power"): KaolanPowerPlay,
    ("kaolan", "tournament"): KaolanTournamentPlay,
    ("kaolan", "single"): KaolanSinglePlay,
    ("battle-krabz", "battle"): KrabzBattle,
    ("battle-krabz", "multi"): KrabzMulti,
}


def verify(record):
    """Check a whole record; returns sentences that say what holds. Raises Wrong."""
    if record.get("riffle") != 1:
        raise Wrong("this is not a record of form 1")
    server_seed = bytes.fromhex(record["server_seed"])
    expect("the commitment", record["commitment"], commitment_of(server_seed))
    yield "The server's seed is the one that was committed to."
    client_seeds = record["client_seeds" if "client_seeds" in record else "shares"]
    seed = match_seed(server_seed, client_seeds)
    yield f"The match's seed is {seed.hex()} ({len(client_seeds)} players added to it)."
    game = GAMES.get((record["game"], record["mode"]))
    if game is None:
        raise Wrong(
            f"this script does not know {record['game']} {record['mode']}: give it the file with "
            "the game's readers as well, python3 verify.py match.json readers.py"
        )
    events = record["events"]
    if not events or events[0][0] not in game.BEGINS:
        raise Wrong("the record does not begin with the start of the match")
    table = game(record, Stream(seed))
    for number, (kind, *values) in enumerate(events, start=1):
        try:
            table.happened(kind, values)
        except Wrong as error:
            raise Wrong(f"event {number}, {error}") from None
    if events[-1][0] != game.LAST:
        raise Wrong("the record stops before the end of the match")
    if not table.draws:
        yield f"Chance decided nothing in {len(events)} events."
        return
    yield (
        f"All {table.draws} dice, shuffles and picks in {len(events)} events are what the seed "
        f"gives ({table.stream.used} bytes)."
    )


# -- packs: section 8 ------------------------------------------------------------------------------


def contents_digest(contents):
    """The hash of what was promised to be in the pack, in its one canonical spelling."""
    spelled = json.dumps(contents, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(spelled.encode("utf-8")).hexdigest()


def pack_commitment(slug, contents, server_seed):
    words = f"pack {slug}\ncontents {contents_digest(contents)}\nseed {server_seed.hex()}\n"
    return hashlib.sha256(words.encode("utf-8")).hexdigest()


def weighted(stream, pairs):
    """One of the things, each as often as its weight says."""
    if len(pairs) == 1:
        return pairs[0][0]
    number = stream.pick(sum(weight for _, weight in pairs))
    for thing, weight in pairs:
        if number < weight:
            return thing
        number -= weight
    raise AssertionError("a number below the sum of the weights always meets a thing")


def drawn_pack(contents, stream):
    """The cards of the pack, and how many drawings it took."""
    cards = [card for card, count in contents["cards"] for _ in range(count)]
    drawings = 0
    for slot in contents["slots"]:
        while True:
            drawings += 1
            sheet = weighted(stream, slot["sheets"])
            card = weighted(stream, contents["sheets"][sheet])
            if not contents["unique"] or card not in cards:
                cards.append(card)
                break
    return cards, drawings


def verify_pack(record):
    """Check the record of an opened pack; returns sentences that say what holds. Raises Wrong."""
    if record.get("riffle") != 1:
        raise Wrong("this is not a record of form 1")
    contents = record["contents"]
    if contents["form"] != 1:
        raise Wrong("these are not contents of form 1")
    server_seed = bytes.fromhex(record["server_seed"])
    made = pack_commitment(record["pack"], contents, server_seed)
    expect("the commitment", record["commitment"], made)
    yield f"The seed and the contents of pack {record['pack']} are those that were committed to."
    client_seed = record["client_seed" if "client_seed" in record else "share"]
    seed = match_seed(server_seed, [[0, client_seed]] if client_seed else [])
    added = f"{'with' if client_seed else 'without'} a client seed of its owner"
    yield f"The pack's seed is {seed.hex()} ({added})."
    stream = Stream(seed)
    cards, drawings = drawn_pack(contents, stream)
    expect("the number of cards", len(record["cards"]), len(cards))
    for place, card in enumerate(cards):
        expect(f"card {place + 1}", record["cards"][place], card)
    if contents["slots"]:
        yield (
            f"All {len(cards)} cards of {contents['product']} are what the seed gives "
            f"({drawings} drawings, {stream.used} bytes)."
        )
    elif cards:
        yield f"All {len(cards)} cards of {contents['product']} are in it; nothing is drawn."
    boxed = sum(count for _, count in contents.get("packs", [])) + ("choice" in contents)
    if boxed:
        yield f"It is a box: {boxed} packs came out of it, each with a record of its own."


def learn(path):
    """The readers of another game, from the file that comes with it (docs/fairness.md)."""
    made = runpy.run_path(path)["readers"](sys.modules[__name__])
    for mode in made:
        if mode in GAMES:
            raise Wrong(f"{path} has another reader for {mode[0]} {mode[1]}")
    GAMES.update(made)


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__)
        return 2
    try:
        for path in arguments[1:]:
            learn(path)
        record = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        pack = "pack" in record
        for sentence in (verify_pack if pack else verify)(record):
            print(sentence)
    except Wrong as error:
        print(f"NOT AS PUBLISHED: {error}.")
        return 1
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"This record cannot be read: {error!r}.")
        return 2
    print(f"The chance of this {'pack' if pack else 'match'} is as published.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
