#!/usr/bin/env python3
"""Check the chance of a finished Riffle match or of an opened pack.

    python3 verify.py match.json fairness.py
    python3 verify.py pack.json

The files are what the match's fairness page and the pack's verify page offer: fairness.py knows
which events of a game draw chance. docs/fairness.md says what is checked and how; this file
follows it and shares no code with the site, so that one can be held against the other. It needs
Python 3.8 or newer and nothing else.
"""

import hashlib
import hmac
import json
import runpy
import sys
from functools import partial
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


# -- matches: sections 4 to 7 ----------------------------------------------------------------------

GAMES = {}


def learn(path):
    """The readers of a game's modes, from the file that comes with it (section 5)."""
    found = runpy.run_path(path)
    if "readers" not in found:
        raise ValueError(f"{path} is no fairness.py of a game")
    GAMES.update(found["readers"](sys.modules[__name__]))


def tell(reader, kind, values):
    """An event for a reader: it draws nothing (QUIET), or has a method that draws as it did."""
    if kind in reader.QUIET:
        return
    method = getattr(reader, "on_" + kind.replace("-", "_"), None)
    if method is None:
        raise Wrong(f"an event of an unknown kind, {kind!r}")
    method(*values)


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
            f"{record['game']} {record['mode']} is read by the game's own file, which the fairness "
            "page offers: python3 verify.py match.json fairness.py"
        )
    events = record["events"]
    if not events or events[0][0] not in game.BEGINS:
        raise Wrong("the record does not begin with the start of the match")
    table = game(record, Stream(seed))
    happened = getattr(table, "happened", None) or partial(tell, table)
    for number, (kind, *values) in enumerate(events, start=1):
        try:
            happened(kind, values)
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
