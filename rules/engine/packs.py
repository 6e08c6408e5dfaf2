"""Packs: what is promised to lie in one, how it is drawn, and how likely every card is.

The contents of a pack are fixed, as plain data, before anybody opens it: slots, sheets and weights.
From these and a seed the pack follows, card by card, so that anybody can draw it again.
``docs/fairness.md`` specifies the form of the contents and every draw.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from typing import Any, Final, Generic, NamedTuple, TypeVar

from rules.engine.cards import Product
from rules.engine.chance import Chance, commitment, mix
from rules.engine.errors import BadData

FORM = 1
"""Version of the contents and of the record."""

MOST_SLOTS = 100
"""More slots, or copies of fixed cards, than any pack has."""

MOST_PACKS = 36
"""More packs than any box holds."""

REDRAWS: Final = ("sheet", "slot")
"""What is drawn again where a card is in a pack already: a card of the same sheet, which leaves the
odds of a slot's sheets as they are, or the whole slot, sheet and card."""

T = TypeVar("T")


class Weighted(Generic[T]):
    """Things with whole-number weights, in an order that matters.

    ``pick`` takes a number below the sum of the weights and counts through them in order; a single
    thing is taken without a number.
    """

    __slots__ = ("bounds", "things", "total", "weights")

    def __init__(self, pairs: Sequence[tuple[T, int]]) -> None:
        self.things = [thing for thing, _ in pairs]
        self.weights = [weight for _, weight in pairs]
        self.bounds = list(accumulate(self.weights))
        self.total = self.bounds[-1]

    def pick(self, chance: Chance) -> T:
        if len(self.things) == 1:
            return self.things[0]
        return self.things[bisect_right(self.bounds, chance.pick(self.total))]

    def odds(self) -> Iterator[tuple[T, Fraction]]:
        """Each thing with its chance."""
        for thing, weight in zip(self.things, self.weights, strict=True):
            yield thing, Fraction(weight, self.total)


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a pack: its name, and the sheets that may fill it with their weights."""

    name: str
    sheets: tuple[tuple[str, int], ...]


class Drawn(NamedTuple):
    """A card of an opened pack: the place it fills (from 0) and the sheet that it came from."""

    slot: int
    sheet: str
    card: str


class Attempt(NamedTuple):
    """A slot that was drawn; ``kept`` is false where the card lay in the pack already."""

    drawn: Drawn
    kept: bool


@dataclass(frozen=True)
class Contents:
    """The promised contents of a pack.

    Either ``slots`` that draw from ``sheets`` (with ``unique``, a card that is in the pack already
    is drawn again; ``redraw``, one of :data:`REDRAWS`, says how), or ``cards`` that are all in it,
    whatever the seed. The order of cards in a sheet and of sheets in a slot is part of the promise.

    A *box* holds sealed ``packs`` besides, or nothing else: the contents of each, and how many. Of
    those in ``choice`` whoever opens it chooses one. They are part of the promise; their own seeds
    are drawn, and promised, when they come out of the box.
    """

    game: str
    product: str
    slots: tuple[Slot, ...] = ()
    sheets: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict, hash=False)
    unique: bool = False
    redraw: str = "sheet"
    cards: tuple[tuple[str, int], ...] = ()
    packs: tuple[tuple[Contents, int], ...] = ()
    choice: tuple[Contents, ...] = ()

    @property
    def random(self) -> bool:
        return bool(self.slots)

    @property
    def box(self) -> bool:
        """True if other packs lie in it."""
        return bool(self.packs or self.choice)

    def inside(self, choice: str = "") -> list[Contents]:
        """The packs of a box, one by one, with the chosen one; raises ``BadData``."""
        chosen = [inner for inner in self.choice if inner.product == choice]
        if len(chosen) != bool(self.choice):
            raise BadData(f"Choose one of {', '.join(pack.product for pack in self.choice)}.")
        return [*chosen, *(inner for inner, count in self.packs for _ in range(count))]

    @property
    def size(self) -> int:
        """The number of cards in the pack."""
        return len(self.slots) or sum(count for _, count in self.cards)

    def to_json(self) -> dict[str, Any]:
        """Plain data in which everything whose order counts is a list."""
        boxed: dict[str, Any] = {}
        if self.packs:
            boxed["packs"] = [[inner.to_json(), count] for inner, count in self.packs]
        if self.choice:
            boxed["choice"] = [inner.to_json() for inner in self.choice]
        return boxed | {
            "form": FORM,
            "game": self.game,
            "product": self.product,
            "unique": self.unique,
            "redraw": self.redraw,
            "slots": [
                {"name": slot.name, "sheets": [list(pair) for pair in slot.sheets]}
                for slot in self.slots
            ],
            "sheets": {slug: [list(pair) for pair in cards] for slug, cards in self.sheets.items()},
            "cards": [list(pair) for pair in self.cards],
        }

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the canonical form, in hex."""
        return hashlib.sha256(canonical(self.to_json())).hexdigest()

    @cached_property
    def _drawing(self) -> list[tuple[Weighted[str], dict[str, Weighted[str]]]]:
        """For each slot its weighted sheets, and those sheets' weighted cards."""
        weighted = {slug: Weighted(cards) for slug, cards in self.sheets.items()}
        return [
            (Weighted(slot.sheets), {slug: weighted[slug] for slug, _ in slot.sheets})
            for slot in self.slots
        ]


def canonical(data: Any) -> bytes:
    """JSON with sorted keys, no spaces and nothing escaped that need not be, in UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def contents_of(
    game: str, product: Product, products: Mapping[str, Product] | None = None
) -> Contents:
    """The contents of a pack of this product; raises ``BadData`` where it could not be opened.

    ``products`` are the game's: a box holds others of them.
    """
    others = products or {}
    for slug in (*product.packs, *product.choice):
        if slug not in others or others[slug].nested:
            raise BadData(f"{product.name} holds “{slug}”, which is no pack that a box can hold.")
    return _checked(
        Contents(
            game=game,
            product=product.slug,
            slots=tuple(Slot(slot.name, slot.sheets) for slot in product.slots),
            sheets={slug: tuple(sheet.cards.items()) for slug, sheet in product.sheets.items()},
            unique=product.unique,
            redraw=product.redraw,
            cards=tuple(product.cards.items()),
            packs=tuple(
                (contents_of(game, others[slug], others), count)
                for slug, count in product.packs.items()
            ),
            choice=tuple(contents_of(game, others[slug], others) for slug in product.choice),
        )
    )


def contents_from_json(data: Mapping[str, Any]) -> Contents:
    """Read what :meth:`Contents.to_json` wrote; raises ``BadData``."""
    try:
        if data["form"] != FORM:
            raise BadData(f"These contents have form {data['form']!r}, not {FORM}.")
        return _checked(
            Contents(
                game=str(data["game"]),
                product=str(data["product"]),
                slots=tuple(Slot(str(row["name"]), _pairs(row["sheets"])) for row in data["slots"]),
                sheets={str(slug): _pairs(cards) for slug, cards in data["sheets"].items()},
                unique=bool(data["unique"]),
                redraw=str(data["redraw"]),
                cards=_pairs(data["cards"]),
                packs=tuple(
                    (contents_from_json(inner), count) for inner, count in data.get("packs", ())
                ),
                choice=tuple(contents_from_json(inner) for inner in data.get("choice", ())),
            )
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, BadData):
            raise
        raise BadData(f"These are no contents of a pack: {error!r}.") from error


def _pairs(rows: Any) -> tuple[tuple[str, int], ...]:
    return tuple((str(thing), weight) for thing, weight in rows)


def _checked(contents: Contents) -> Contents:
    """Return the contents if they can be opened with any seed; raises ``BadData``."""
    if (contents.slots and contents.cards) or not (contents.size or contents.box):
        raise BadData(f"{contents.product} needs either slots or cards.")
    boxed = [*(inner for inner, _ in contents.packs), *contents.choice]
    if any(inner.box for inner in boxed):
        raise BadData(f"{contents.product} holds a box, which no box does.")
    if any(inner.game != contents.game for inner in boxed):
        raise BadData(f"{contents.product} holds a pack of another game.")
    counts = [count for _, count in contents.packs]
    if not all(type(count) is int and count > 0 for count in counts) or sum(counts) > MOST_PACKS:
        raise BadData(f"{contents.product} does not hold 1 to {MOST_PACKS} packs.")
    for listed in ([inner for inner, _ in contents.packs], contents.choice):
        if len({inner.product for inner in listed}) < len(listed):
            raise BadData(f"A list of {contents.product} names something twice.")
    if contents.size > MOST_SLOTS:
        raise BadData(f"{contents.product} has {contents.size} cards, more than {MOST_SLOTS}.")
    if contents.redraw not in REDRAWS:
        raise BadData(f"{contents.product} redraws a sheet or a slot, not {contents.redraw!r}.")
    lists = [contents.cards, *contents.sheets.values(), *(slot.sheets for slot in contents.slots)]
    for pairs in lists:
        things = [thing for thing, _ in pairs]
        if len(set(things)) < len(things):
            raise BadData(f"A list of {contents.product} names something twice.")
        if not all(type(weight) is int and weight > 0 for _, weight in pairs):
            raise BadData(f"A weight of {contents.product} is no whole number from 1 on.")
    earlier: list[set[str]] = []
    for slot in contents.slots:
        sheets: list[set[str]] = []
        for slug, _ in slot.sheets:
            if not contents.sheets.get(slug):
                raise BadData(f"{contents.product} has no cards on the sheet “{slug}”.")
            sheets.append({card for card, _ in contents.sheets[slug]})
        within = set().union(*sheets)
        drawn_from = [within] if contents.redraw == "slot" else sheets
        if not slot.sheets or (
            contents.unique and any(_could_run_out(cards, earlier) for cards in drawn_from)
        ):
            raise BadData(f"The slot “{slot.name}” of {contents.product} could stay empty.")
        earlier.append(within)
    return contents


def _could_run_out(cards: set[str], earlier: Sequence[set[str]]) -> bool:
    """True if earlier slots could have taken all of these cards."""
    return len(cards) <= sum(not cards.isdisjoint(taken) for taken in earlier)


# -- opening --------------------------------------------------------------------------------------


def open_pack(contents: Contents, chance: Chance) -> tuple[Drawn, ...]:
    """The cards of a pack, slot by slot. The same contents and seed give the same pack."""
    return tuple(attempt.drawn for attempt in attempts(contents, chance) if attempt.kept)


def attempts(contents: Contents, chance: Chance) -> Iterator[Attempt]:
    """Every drawing of a slot, in order, those that had to be repeated included.

    With ``redraw`` "sheet" a repeated drawing stays on the sheet of the one before it.
    """
    number = 0
    for card, count in contents.cards:
        for _ in range(count):
            yield Attempt(Drawn(number, "", card), kept=True)
            number += 1
    inside: set[str] = set()
    for place, (sheets, weighted) in enumerate(contents._drawing):
        kept = False
        sheet = ""
        while not kept:
            if not sheet or contents.redraw == "slot":
                sheet = sheets.pick(chance)
            card = weighted[sheet].pick(chance)
            kept = not contents.unique or card not in inside
            yield Attempt(Drawn(place, sheet, card), kept)
        inside.add(card)


def pack_seed(server_seed: bytes, client_seed: str) -> bytes:
    """The seed that a pack is drawn with: the server's, mixed with what its owner added."""
    return mix(server_seed, [(0, client_seed)] if client_seed else [])


def pack_commitment(slug: str, contents: Contents, server_seed: bytes) -> str:
    """The hash, published when a pack is given, that binds the pack, its contents and its seed."""
    words = f"pack {slug}\ncontents {contents.digest}\nseed {server_seed.hex()}\n"
    return commitment(words.encode())


# -- looking on -----------------------------------------------------------------------------------


class Pick(NamedTuple):
    """A number that was taken from the stream.

    ``values`` are the numbers as they were read, of ``size`` bytes each, from byte ``start`` on;
    all but the last were not below ``fair`` and thrown away. ``result`` is below ``n``.
    """

    n: int
    start: int
    size: int
    values: tuple[int, ...]
    fair: int
    result: int


class Step(NamedTuple):
    """One drawing of a slot with the numbers that made it: for the sheet and for the card.

    Where there was nothing to choose, a pick is ``None``.
    """

    attempt: Attempt
    sheet: Pick | None
    card: Pick | None


class _Watched(Chance):
    """A stream that remembers what was picked."""

    __slots__ = ("picks",)

    def __init__(self, seed: bytes, position: int = 0) -> None:
        super().__init__(seed, position)
        self.picks: list[Pick] = []

    def pick(self, n: int) -> int:
        start = self.position
        result = super().pick(n)
        size = ((n - 1).bit_length() + 7) >> 3
        again = Chance(self.seed, start)
        read = bytes(again.byte() for _ in range(self.position - start))
        values = [int.from_bytes(read[at : at + size], "big") for at in range(0, len(read), size)]
        span = 1 << (size << 3)
        self.picks.append(Pick(n, start, size, tuple(values), span - span % n, result))
        return result


def explain(contents: Contents, seed: bytes) -> list[Step]:
    """How a pack came about, number by number."""
    chance = _Watched(seed)
    steps: list[Step] = []
    for attempt in attempts(contents, chance):
        picks = iter(chance.picks)
        slots, drawn = contents.slots, attempt.drawn
        on_its_sheet = bool(steps) and not steps[-1].attempt.kept and contents.redraw == "sheet"
        chose_sheet = bool(slots) and len(slots[drawn.slot].sheets) > 1 and not on_its_sheet
        chose_card = bool(slots) and len(contents.sheets[drawn.sheet]) > 1
        steps.append(
            Step(
                attempt,
                next(picks) if chose_sheet else None,
                next(picks) if chose_card else None,
            )
        )
        chance.picks.clear()
    return steps


# -- odds -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SlotOdds:
    """The chances of one slot, exactly.

    ``sheets`` and ``cards`` are those of a single drawing: what is published as the odds.
    ``settled`` are the chances of the card that finally lies there, after the drawings that
    ``unique`` repeats; without any they are the same as ``cards``.
    """

    name: str
    sheets: Mapping[str, Fraction]
    cards: Mapping[str, Fraction]
    settled: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class CardOdds:
    """How often a card is in a pack, exactly.

    ``drawn`` is the average number of copies by single drawings, before anything is repeated;
    ``expected`` the true average in an opened pack, and ``at_least_one`` the chance that the card
    lies in it at all.
    """

    drawn: Fraction
    expected: Fraction
    at_least_one: Fraction


@lru_cache(maxsize=64)
def slot_odds(contents: Contents) -> tuple[SlotOdds, ...]:
    """The odds of every slot, in order."""
    settled = _settled(contents)
    return tuple(
        SlotOdds(slot.name, dict(sheets.odds()), single, settled[number])
        for number, (slot, (sheets, _), single) in enumerate(
            zip(contents.slots, contents._drawing, _single(contents), strict=True)
        )
    )


def card_odds(contents: Contents) -> dict[str, CardOdds]:
    """The odds of every card that can be in the pack, in the order of the contents."""
    if not contents.random:
        return {
            card: CardOdds(Fraction(count), Fraction(count), Fraction(1))
            for card, count in contents.cards
        }
    slots = slot_odds(contents)
    by_card = {}
    for card in dict.fromkeys(card for cards in contents.sheets.values() for card, _ in cards):
        settled = [slot.settled.get(card, Fraction(0)) for slot in slots]
        expected = sum(settled, Fraction(0))
        by_card[card] = CardOdds(
            drawn=sum((slot.cards.get(card, Fraction(0)) for slot in slots), Fraction(0)),
            expected=expected,
            at_least_one=expected
            if contents.unique
            else 1 - prod((1 - p for p in settled), start=Fraction(1)),
        )
    return by_card


def _single(contents: Contents) -> list[dict[str, Fraction]]:
    """For each slot: card → its chance in one drawing."""
    slots: list[dict[str, Fraction]] = []
    for sheets, weighted in contents._drawing:
        cards: dict[str, Fraction] = {}
        for slug, share in sheets.odds():
            for card, chance in weighted[slug].odds():
                cards[card] = cards.get(card, Fraction(0)) + share * chance
        slots.append(cards)
    return slots


def _settled(contents: Contents) -> list[dict[str, Fraction]]:
    """For each slot: card → the chance that it lies there in the end.

    A drawing that is repeated until it gives a new card is a drawing among the cards that are not
    yet in the pack. What is in the pack matters only up to a class: cards with the same chances in
    every drawing. So it is enough to follow how many cards of each class are in the pack.
    """
    single = _single(contents)
    if not contents.unique:
        return single
    draws = [_draws(contents, place, cards) for place, cards in enumerate(single)]
    settled: list[dict[str, Fraction]] = [{} for _ in single]
    for places in _connected(single):
        _follow(places, draws, settled)
    return settled


class Together(NamedTuple):
    """Cards that come out of slots which share sheets; those of other slots never meet them.

    ``groups`` are cards of equal chances in every drawing, ``counts`` the chances of how many of
    each group lie in a pack.
    """

    groups: tuple[tuple[str, ...], ...]
    counts: Mapping[tuple[int, ...], Fraction]


@lru_cache(maxsize=64)
def together(contents: Contents) -> tuple[Together, ...]:
    """The cards of a pack by the slots that they share."""
    single = _single(contents)
    draws = [_draws(contents, place, cards) for place, cards in enumerate(single)]
    parts = []
    for places in _connected(single):
        nothing: list[dict[str, Fraction]] = [{} for _ in single]
        members, states = _follow(places, draws, nothing, unique=contents.unique)
        parts.append(Together(tuple(map(tuple, members)), states))
    return tuple(parts)


_Draws = list[tuple[Fraction, Mapping[str, Fraction]]]
"""What a slot is drawn from until a card is new: each with its share and its cards' chances."""


def _draws(contents: Contents, place: int, single: Mapping[str, Fraction]) -> _Draws:
    """The sheets of a slot, or the slot as a whole where all of it is drawn again."""
    if contents.redraw == "slot":
        return [(Fraction(1), single)]
    sheets, weighted = contents._drawing[place]
    return [(share, dict(weighted[slug].odds())) for slug, share in sheets.odds()]


def _connected(single: Sequence[Mapping[str, Fraction]]) -> list[list[int]]:
    """Slots that share cards, directly or by way of others; different groups never meet."""
    groups: list[tuple[list[int], set[str]]] = []
    for place, cards in enumerate(single):
        meeting = [group for group in groups if not group[1].isdisjoint(cards)]
        groups = [group for group in groups if group not in meeting]
        places = sorted([place, *(other for group in meeting for other in group[0])])
        groups.append((places, set(cards).union(*(group[1] for group in meeting))))
    return [places for places, _ in groups]


def _follow(
    places: Sequence[int],
    draws: Sequence[_Draws],
    settled: Sequence[dict[str, Fraction]],
    *,
    unique: bool = True,
) -> tuple[list[list[str]], dict[tuple[int, ...], Fraction]]:
    """Fill in ``settled`` for a group of slots.

    Gives the classes of cards, and the chances of how many of each lie in the group in the end.
    """
    columns = [(place, share, cards) for place in places for share, cards in draws[place]]
    classes: dict[tuple[Fraction, ...], list[str]] = {}
    for card in dict.fromkeys(card for _, _, cards in columns for card in cards):
        chances = tuple(cards.get(card, Fraction(0)) for _, _, cards in columns)
        classes.setdefault(chances, []).append(card)
    members = list(classes.values())
    states: dict[tuple[int, ...], Fraction] = {(0,) * len(members): Fraction(1)}
    for place in places:
        shares = [
            (share, [chances[column] for chances in classes])
            for column, (slot, share, _) in enumerate(columns)
            if slot == place
        ]
        filled = [Fraction(0)] * len(members)
        after: dict[tuple[int, ...], Fraction] = {}
        for state, likely in states.items():
            for share, chance_of in shares:
                left = [
                    (len(cards) - taken * unique) * chance
                    for cards, taken, chance in zip(members, state, chance_of, strict=True)
                ]
                whole = sum(left, Fraction(0))
                for number, part in enumerate(left):
                    if part:
                        reached = likely * share * part / whole
                        filled[number] += reached
                        following = (*state[:number], state[number] + 1, *state[number + 1 :])
                        after[following] = after.get(following, Fraction(0)) + reached
        states = after
        for cards, total in zip(members, filled, strict=True):
            if total:
                settled[place].update(dict.fromkeys(cards, total / len(cards)))
    return members, states


# -- the record -----------------------------------------------------------------------------------


def record(
    slug: str, contents: Contents, *, server_seed: bytes, client_seed: str, cards: Sequence[str]
) -> dict[str, Any]:
    """The record of an opened pack with which anybody can draw it again."""
    return {
        "riffle": FORM,
        "pack": slug,
        "contents": contents.to_json(),
        "commitment": pack_commitment(slug, contents, server_seed),
        "server_seed": server_seed.hex(),
        "client_seed": client_seed,
        "cards": list(cards),
    }
