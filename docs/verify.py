#!/usr/bin/env python3
"""Check the chance of a finished Riffle match, an opened pack, a sealed or draft, or a tournament.

    python3 verify.py match.json
    python3 verify.py pack.json
    python3 verify.py packs.json
    python3 verify.py tournament.json

The files are what the match's fairness page, the pack's verify page and the tournament's page
offer. docs/fairness.md says what is checked and how; this file follows it and shares no code with
the site, so that one can be held against the other. It needs Python 3.8 or newer and nothing else.
"""

import hashlib
import hmac
import json
import sys
from collections import Counter
from fractions import Fraction
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


def expect(what, recorded, drawn):
    """Raises Wrong unless the record says what the stream gives."""
    if recorded != drawn:
        raise Wrong(f"{what}: the record says {recorded}, the seed gives {drawn}")


def require_form(record):
    if record.get("riffle") != 1:
        raise Wrong("this is not a record of form 1")


# -- matches: sections 4 to 7 ----------------------------------------------------------------------


def digest_of(data):
    """The SHA-256 of data in its one canonical spelling."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class Table:
    """Section 5: follows the events of a match by the lines of the record's reading.

    ``places`` are lists of cards: a pile with its top card first, a hand, a Discard Pile with its
    oldest card first.
    """

    DRAWING = ("deck", "dice", "pick", "pick-from", "foretell", "shuffle")

    def __init__(self, record, stream):
        self.stream = stream
        self.slugs = record["cards"]
        self.events = record["reading"]["events"]
        self.match = {**record["options"], "#mode": record["mode"], "#seats": record["seats"]}
        self.values = {}
        self.places = {}
        self.shared = set()
        self.ranks = {}
        self.foretold = None
        self.draws = 0

    def read(self, kind, values):
        if kind not in self.events:
            raise Wrong(f"an event of an unknown kind, {kind!r}")
        self.values = dict(zip(self.events[kind]["fields"], values))  # noqa: B905 - Python 3.8
        if self.foretold is not None:
            self.comes_true(kind)
        return self.events[kind]["draws"]

    def happened(self, kind, values):
        for line in self.read(kind, values):
            self.follow(line)

    def follow(self, line):
        verb, *words = self.applies(line) or [""]
        method = getattr(self, "do_" + verb.replace("-", "_"), None)
        if verb and method is None:
            raise Wrong(f"a line of an unknown kind, {line!r}")
        if verb:
            method(*words)

    def applies(self, line):
        """The words of a line whose conditions hold, else nothing."""
        words = line.split()
        while words and words[0] in ("when", "unless"):
            holds = str(self.value(words[1])) in words[2].split("|")
            words = words[3:] if holds == (words[0] == "when") else []
        return words

    # What the words of a line mean

    def value(self, word):
        """A number, a field of the event, an option, the mode or the number of seats."""
        if word.isdigit():
            return int(word)
        return self.values[word] if word in self.values else self.match[word]

    def cards(self, word):
        """The cards of a field: all of them, or some by their places, as in ``cards[0,10:20]``."""
        name, _, ranges = word.partition("[")
        value = self.value(name)
        cards = list(value) if isinstance(value, list) else [value]
        if not ranges:
            return cards
        rows = []
        for part in ranges.rstrip("]").split(","):
            ends = [int(end) if end else None for end in part.split(":")]
            rows += cards[slice(*ends)] if ":" in part else cards[ends[0] : ends[0] + 1]
        return rows

    def key(self, word):
        """``draw:seat`` is the Draw Pile of the seat; ``$slot`` the place that the field names."""
        name, *owners = word.split(":")
        if name.startswith("$"):
            name = self.value(name[1:])
        return (name, *(() if name in self.shared else map(self.value, owners)))

    def place(self, word):
        return self.places.setdefault(self.key(word), [])

    def numbers(self, word):
        """``0..60`` are the numbers from 0 to 59; without an end, up to the last card."""
        first, _, end = word.partition("..")
        value = self.value(end) if end else self.slugs
        return list(range(int(first), len(value) if isinstance(value, list) else value))

    # Draws

    def number_decks(self, events):
        """Before the first event: the cards of each deck got their numbers by a shuffle."""
        decks = []
        for kind, *values in events:
            for line in self.read(kind, values):
                verb, *words = self.applies(line) or [""]
                if verb == "deck":
                    value = self.value(words[0])
                    first = decks[-1][-1] + 1 if decks else 0
                    cards = value if isinstance(value, list) else range(first, first + value)
                    if cards and not any(card in deck for deck in decks for card in cards):
                        decks.append(sorted(cards))
        for deck in sorted(decks):
            if deck != list(range(len(self.slugs)))[deck[0] : deck[0] + len(deck)]:
                raise Wrong("the cards of a deck are not numbered one after the other")
            order = [""] * len(deck)
            for card, rank in enumerate(self.stream.shuffled(range(len(deck))), deck[0]):
                self.ranks[card] = rank
                order[rank] = self.slugs[card]
            self.draws += 1
            runs = [slug for n, slug in enumerate(order) if n == 0 or order[n - 1] != slug]
            if len(set(runs)) < len(runs):
                raise Wrong("the cards of a deck are not numbered as the seed says")

    def do_deck(self, field):
        """See number_decks."""

    def do_dice(self, field, count):
        dice = [self.stream.die() for _ in range(self.value(count))]
        expect("a roll", self.values[field], dice)
        self.draws += len(dice)

    def do_pick(self, field, count):
        expect(f"the {field}", self.values[field], self.stream.pick(self.value(count)))
        self.draws += 1

    def do_pick_from(self, field, source):
        if source.startswith("slugs:"):
            start = source.partition(":")[2]
            cards = [card for card, slug in enumerate(self.slugs) if slug.startswith(start)]
        else:
            cards = sorted(self.cards(source))
        expect(f"the {field} at random", self.values[field], cards[self.stream.pick(len(cards))])
        self.draws += 1

    def do_foretell(self, kind, place):
        """The next event is of this kind, with the card that is picked here."""
        cards = sorted(self.place(place))
        self.foretold = kind, cards[self.stream.pick(len(cards))], self.key(place)
        self.draws += 1

    def comes_true(self, kind):
        expected, card, (_place, *owner) = self.foretold
        self.foretold = None
        expect("what follows a card picked at random", kind, expected)
        expect("the seat of a card at random", [self.values["seat"]], owner)
        expect("a card at random", self.slugs[self.values["card"]], self.slugs[card])

    def do_shuffle(self, field, source="", otherwise=""):
        cards = self.cards(field)
        if ".." in source:
            before = self.numbers(source)
        elif source and not (otherwise and self.key(source) not in self.places):
            before = self.place(source)
        else:
            before = sorted(
                set(cards), key=lambda card: (self.ranks if otherwise else {}).get(card, card)
            )
        expect(f"the shuffled {field}", cards, self.stream.shuffled(before))
        self.draws += 1

    # Where cards lie

    def do_share(self, name):
        self.shared.add(name)

    def do_put(self, field, place):
        self.place(place).extend(self.cards(field))

    def do_deal(self, source, goal, rounds, first):
        pile, seats = self.place(source), self.match["#seats"]
        left = len(pile) // seats + 1 if rounds == "all" else self.value(rounds)
        for number in range(left * seats):
            if pile or rounds != "all":
                seat = (self.value(first) + number) % seats
                self.places.setdefault((goal, seat), []).append(pile.pop(0))

    def do_pass(self, count, source, goal):
        number, pile = self.value(count), self.place(source)
        self.place(goal).extend(pile[:number])
        del pile[:number]

    def do_gather(self, source, goal, first=""):
        """All cards of a place, or of those of all seats, clockwise from the first."""
        key = self.key(source)
        keys = [
            place for place in self.places if place == key or (len(key) == 1 and place[0] == key[0])
        ]
        if first:
            keys.sort(key=lambda place: (place[1] - self.value(first)) % self.match["#seats"])
        for place in keys:
            self.place(goal).extend(self.places.pop(place))

    def do_sort(self, field, kept, place, other):
        """Each card to the one place if it is among those kept, else to the other."""
        for card in self.cards(field):
            self.place(place if card in self.place(kept) else other).append(card)

    def do_clear(self, place):
        self.place(place).clear()

    def do_leave(self, field, place):
        for card in self.cards(field):
            if card in self.place(place):
                self.place(place).remove(card)

    # What is checked of it

    def do_top(self, field, place):
        cards = self.cards(field)
        expect(f"{field} on {place}", cards, self.place(place)[: len(cards)])

    def do_take(self, field, place):
        self.do_top(field, place)
        del self.place(place)[: len(self.cards(field))]

    def do_last(self, field, place):
        expect(f"{field} on {place}", self.cards(field), self.place(place)[-1:])

    def do_take_last(self, field, place):
        self.do_last(field, place)
        self.place(place).pop()

    def do_remove(self, field, place):
        if self.value(field) not in self.place(place):
            raise Wrong(f"{field} is taken from {place} and does not lie there")
        self.do_leave(field, place)

    def do_list(self, field, place):
        expect(f"{field} in {place}", self.cards(field), self.place(place))

    def do_set(self, field, place):
        expect(f"{field} in {place}", sorted(self.cards(field)), sorted(self.place(place)))

    def do_count(self, field, place):
        expect(f"{field} in {place}", self.value(field), len(self.place(place)))

    def do_empty(self, place):
        expect(f"the cards left in {place}", [], self.place(place))

    def do_is(self, field, value):
        expect(f"the {field}", self.values[field], self.value(value))


def verify(record):
    """Check a whole record; returns sentences that say what holds. Raises Wrong."""
    require_form(record)
    server_seed = bytes.fromhex(record["server_seed"])
    expect("the commitment", record["commitment"], commitment_of(server_seed))
    yield "The server's seed is the one that was committed to."
    client_seeds = record["client_seeds"]
    seed = match_seed(server_seed, client_seeds)
    yield f"The match's seed is {seed.hex()} ({len(client_seeds)} players added to it)."
    reading, events = record["reading"], record["events"]
    drawing = [
        kind
        for kind, value in reading["events"].items()
        if any(word in Table.DRAWING for line in value["draws"] for word in line.split())
    ]
    yield (
        f"It is read by {record['game']} {digest_of(reading)[:16]}, where chance is drawn by "
        f"{', '.join(drawing) or 'nothing'}."
    )
    if not events or events[0][0] not in reading["begins"]:
        raise Wrong("the record does not begin with the start of the match")
    table = Table(record, Stream(seed))
    table.number_decks(events)
    for number, (kind, *values) in enumerate(events, start=1):
        try:
            table.happened(kind, values)
        except Wrong as error:
            raise Wrong(f"event {number} ({kind}), {error}") from None
    if events[-1][0] not in reading["ends"] or table.foretold is not None:
        raise Wrong("the record stops before the end of the match")
    expect("how many bytes were drawn", record["bytes"], table.stream.used)
    if not table.draws:
        yield f"Chance decided nothing in {len(events)} events."
        return
    yield (
        f"All {table.draws} dice, shuffles and picks in {len(events)} events are what the seed "
        f"gives ({table.stream.used} bytes)."
    )


# -- packs: section 8 ------------------------------------------------------------------------------


def pack_commitment(slug, contents, server_seed):
    words = f"pack {slug}\ncontents {digest_of(contents)}\nseed {server_seed.hex()}\n"
    return hashlib.sha256(words.encode("utf-8")).hexdigest()


def pack_seed(server_seed, client_seed):
    """The server's seed, mixed with what the owner added, if anything."""
    return match_seed(server_seed, [[0, client_seed]] if client_seed else [])


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
        sheet = None
        while True:
            drawings += 1
            if sheet is None or contents["redraw"] == "slot":
                sheet = weighted(stream, slot["sheets"])
            card = weighted(stream, contents["sheets"][sheet])
            if not contents["unique"] or card not in cards:
                cards.append(card)
                break
    return cards, drawings


def verify_pack(record):
    """Check the record of an opened pack; returns sentences that say what holds. Raises Wrong."""
    require_form(record)
    contents = record["contents"]
    if contents["form"] != 1:
        raise Wrong("these are not contents of form 1")
    server_seed = bytes.fromhex(record["server_seed"])
    pack_commitment_result = pack_commitment(record["pack"], contents, server_seed)
    expect("the commitment", record["commitment"], pack_commitment_result)
    yield f"The seed and the contents of pack {record['pack']} are those that were committed to."
    client_seed = record["client_seed"]
    seed = pack_seed(server_seed, client_seed)
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


# -- sealed and draft: section 9 -------------------------------------------------------------------


def lot(seed, *about):
    """The first 8 bytes, as a number, of SHA-256 over the seed and the words, colons between."""
    words = ":".join(map(str, about)).encode("utf-8")
    return int.from_bytes(hashlib.sha256(seed + words).digest()[:8], "big")


def pod_sizes(players, most):
    count = -(-players // most)
    return [players // count + (number < players % count) for number in range(count)]


def verify_seats(record, seed):
    """Everybody sits where the lot says."""
    seats = record["seats"]
    entries = sorted((row["entry"] for row in seats), key=lambda entry: lot(seed, "seat", entry))
    sizes = pod_sizes(len(seats), 8) if record["kind"] == "draft" else [len(seats)]
    places = [(pod, number) for pod, size in enumerate(sizes, 1) for number in range(size)]
    for (pod, number), entry in zip(places, entries):  # noqa: B905 - Python 3.8
        row = {"pod": pod, "seat": number, "entry": entry}
        if not any(all(seat[key] == row[key] for key in row) for seat in seats):
            raise Wrong(f"player {entry} does not sit at place {number + 1} of pod {pod}")


def opened_packs(record, seed):
    """The cards of each seat and round, in the order of its packs; each pack is drawn again."""
    piles = {}
    unopened = 0
    for pack in record["packs"]:
        slug = pack["pack"]
        server_seed = hmac.new(seed, f"pack:{slug}".encode(), hashlib.sha256).digest()
        commitment = pack_commitment(slug, record["contents"], server_seed)
        expect(f"the commitment of pack {slug}", pack["commitment"], commitment)
        if pack["cards"] is None:
            unopened += 1
            continue
        stream = Stream(pack_seed(server_seed, pack["client_seed"]))
        cards, _ = drawn_pack(record["contents"], stream)
        expect(f"the cards of pack {slug}", pack["cards"], cards)
        piles.setdefault((pack["pod"], pack["seat"], pack["round"]), []).extend(cards)
    return piles, unopened


def verify_picks(record, piles):
    """Every card was taken out of the pile that lay before the seat, and once."""
    sizes = Counter(row["pod"] for row in record["seats"])
    taken, picked, counts = set(), {}, Counter()
    for row in record["picks"]:
        pod, seat, turn, number = row["pod"], row["seat"], row["round"], row["pick"]
        what = f"pick {number} of round {turn} of seat {seat + 1} in pod {pod}"
        counts[(pod, seat, turn)] += 1
        expect(f"{what}, its number", number, counts[(pod, seat, turn)])
        step = 1 if turn % 2 else -1
        opener = (seat - step * (number - 1)) % sizes[pod]
        expect(f"{what}, its pile", row["opener"], opener)
        pile = piles[(pod, opener, turn)]
        expect(f"{what}, its card", row["card"], pile[row["place"]])
        if (pod, opener, turn, row["place"]) in taken:
            raise Wrong(f"{what}: that card had been taken already")
        taken.add((pod, opener, turn, row["place"]))
        picked.setdefault((pod, seat), []).append(row["card"])
    if record["complete"]:
        expect("the number of picks", len(taken), sum(map(len, piles.values())))
    return picked


def verify_limited(record):
    """Check the record of a sealed or draft tournament; returns what holds. Raises Wrong."""
    require_form(record)
    seed = bytes.fromhex(record["server_seed"])
    expect("the commitment", record["commitment"], commitment_of(seed))
    yield "The tournament's seed is the one that was committed to when it was announced."
    verify_seats(record, seed)
    yield f"All {len(record['seats'])} players sit where the lot put them."
    piles, unopened = opened_packs(record, seed)
    left = f" {unopened} packs were never opened." if unopened else ""
    yield f"The cards of {len(record['packs']) - unopened} packs are what their seeds give.{left}"
    if record["kind"] == "draft":
        held = verify_picks(record, piles)
        yield f"All {len(record['picks'])} picks came out of the pile that lay before the player."
    else:
        held = {}
        for (pod, seat, _), cards in piles.items():
            held.setdefault((pod, seat), []).extend(cards)
    basics = [card for card, copies in record["basics"].items() for _ in range(copies)]
    pools = [row for row in record["seats"] if row["pool"] is not None]
    for row in pools:
        expected = dict(Counter(basics + held.get((row["pod"], row["seat"]), [])))
        expect(f"the pool of player {row['entry']}", row["pool"], expected)
    yield f"All {len(pools)} pools are the players' cards and those that everybody was given."


# -- tournaments: section 10 -----------------------------------------------------------------------

POD_POINTS = 840
TIE_BREAKS = ("points", "opponents_win", "own_win", "opponents_own")


def table_points(places, pods):
    """3, 1 or 0 for two at a table; in pods the share of the others who are behind."""
    if not pods:
        if len(places) == 1:
            return [3]
        level = len(set(places)) == 1
        return [1 if level else 3 if place == min(places) else 0 for place in places]
    most = 2 * (len(places) - 1)
    if not most:
        return [POD_POINTS]
    return [
        (2 * sum(other > place for other in places) + places.count(place) - 1) * POD_POINTS // most
        for place in places
    ]


def tie_break_numbers(players, tables, pods):
    """For each player the exact numbers of :data:`TIE_BREAKS`, and points against each other."""
    most = POD_POINTS if pods else 3
    points = {player["number"]: player["extra_points"] for player in players}
    earned, played = dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    opponents = {number: [] for number in points}
    against = {}
    for seats in tables:
        for seat in seats:
            mine = seat["entry"]
            if mine not in points:
                continue
            points[mine] += seat["points"]
            if len(seats) > 1:
                played[mine] += 1
                earned[mine] += seat["points"]
            for other in seats:
                if other is not seat:
                    opponents[mine].append(other["entry"])
                    won = 2 * (seat["place"] < other["place"]) + (seat["place"] == other["place"])
                    pair = mine, other["entry"]
                    against[pair] = against.get(pair, 0) + won
    own = {n: Fraction(earned[n], most * played[n]) if played[n] else Fraction(0) for n in points}
    numbers = {}
    for n in points:
        met = [own[other] for other in opponents[n] if other in own]
        average = sum(met, Fraction(0)) / len(met) if met else Fraction(0)
        floored = sum((max(Fraction(1, 3), share) for share in met), Fraction(0))
        numbers[n] = (points[n], floored / len(met) if met else Fraction(0), own[n], average)
    return numbers, against


def ranking(numbers, against, seed):
    """The players in the order that their results and the lot give."""
    groups = {}
    for number, key in numbers.items():
        groups.setdefault(key, []).append(number)
    order = []
    for key in sorted(groups, reverse=True):
        tied = groups[key]
        direct = dict.fromkeys(tied, 0)
        if all((a, b) in against for a in tied for b in tied if a < b):
            direct = {a: sum(against.get((a, b), 0) for b in tied) for a in tied}
        order += sorted(tied, key=lambda number: (-direct[number], lot(seed, "standing", number)))
    return order


def circle(keys, twice, seed):
    """All pairings of a round robin by the circle method, as sorted pairs by round."""
    places = sorted(keys, key=lambda key: lot(seed, "circle", key))
    places += [None] * (len(places) % 2)
    rounds = []
    for _ in range(len(places) - 1):
        pairs = [(places[i], places[-1 - i]) for i in range(len(places) // 2)]
        rounds.append(sorted(sorted(k for k in pair if k is not None) for pair in pairs))
        places.insert(1, places.pop())
    return rounds * (2 if twice else 1)


def verify_tournament(record):
    """Check the file of a tournament that is over; returns sentences that say what holds."""
    require_form(record)
    about = record["tournament"]
    if about["seed"] is None:
        raise Wrong("its seed is published when it is over")
    seed = bytes.fromhex(about["seed"])
    expect("the commitment", about["commitment"], commitment_of(seed))
    yield "The tournament's seed is the one that was committed to."
    pods = about["structure"] == "pods"
    players = [player for player in record["players"] if player["state"] in ("entered", "dropped")]
    count = 0
    for row in record["rounds"]:
        seated = [seat["entry"] for table in row["tables"] for seat in table["seats"]]
        if len(set(seated)) < len(seated):
            raise Wrong(f"somebody sits twice in round {row['number']}")
        for table in row["tables"]:
            if table["how"]:
                count += 1
                places = [seat["place"] for seat in table["seats"]]
                points = [seat["points"] for seat in table["seats"]]
                name = f"the points of round {row['number']}, table {table['number']}"
                expect(name, points, table_points(places, pods))
    yield f"The points of all {count} tables follow from their places; nobody sat twice in a round."
    yield from _verify_lots(record, players, seed)
    main = [
        table["seats"]
        for row in record["rounds"]
        if row["stage"] == "main"
        for table in row["tables"]
        if table["how"]
    ]
    structure = about["structure"]
    if structure in ("elimination", "ladder") or about["cut"] or about["state"] != "finished":
        return
    order = []
    for division in sorted({player["division"] or 1 for player in players}):
        own = [player for player in players if (player["division"] or 1) == division]
        order += ranking(*tie_break_numbers(own, main, pods), seed)
    ranked = sorted(players, key=lambda player: player["rank"])
    expect("the final standings", [player["number"] for player in ranked], order)
    yield f"The places of all {len(order)} players follow from the tables, tie-breaks and lots."


def _verify_lots(record, players, seed):
    about, rounds = record["tournament"], record["rounds"]
    for player in players:
        if player["standing"]:
            drawn = f"{lot(seed, 'standing', player['number']):016x}"
            expect(f"the draw of player {player['number']}", player["standing"]["draw"], drawn)
    yield f"The lots of {len(players)} players are what the seed gives."
    if about["structure"] not in ("round-robin", "league"):
        return
    groups = {}
    for player in players:
        groups.setdefault(player["division"] or 1, []).append(player["number"])
    circles = [circle(keys, about["twice"], seed) for keys in groups.values()]
    # Who may be without a seat: at a live evening the absent, who may come back.
    away = {
        player["number"]
        for player in players
        if player["state"] == "dropped" or about["round_minutes"] is not None
    }
    away |= {row["entry"] for row in record["rulings"] if row["kind"] == "reinstate"}
    for row in rounds:
        number = row["number"] - 1
        pairs = [pair for each in circles if number < len(each) for pair in each[number]]
        recorded = [sorted(s["entry"] for s in table["seats"]) for table in row["tables"]]
        seated = {key for keys in recorded for key in keys}
        for pair in pairs:
            # Whoever was to meet a player without a seat has a bye.
            present = [key for key in pair if key in seated or key not in away]
            if present not in recorded and not all([key] in recorded for key in present):
                raise Wrong(f"round {row['number']} is not what the circle method gives")
    yield f"The pairings of {len(rounds)} rounds are those of the circle method."


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        record = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        kind, check = "match", verify
        if "pack" in record:
            kind, check = "pack", verify_pack
        elif "packs" in record:
            kind, check = "tournament", verify_limited
        elif "tournament" in record:
            kind, check = "tournament", verify_tournament
        for sentence in check(record):
            print(sentence)
    except Wrong as error:
        print(f"NOT AS PUBLISHED: {error}.")
        return 1
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"This record cannot be read: {error!r}.")
        return 2
    print(f"The chance of this {kind} is as published.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
