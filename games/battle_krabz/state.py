"""What lies on a Battle Krabz table (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from rules.engine.cards import CardType, load_catalog
from rules.engine.chance import Chance
from rules.engine.state import State

WARRIOR: Final = 0
BOOSTER: Final = 1
POWER: Final = 2
KINDS: Final = ("warrior", "booster", "power")
COLOURS: Final = ("silver", "gold", "platinum", "saphire", "emerald", "holo")
DOMAINS: Final = ("shore", "sky", "ember", "grove", "frost")
SIDES: Final = ("K", "E")
CATEGORIES: Final = ("attack", "defence", "hp", "special")

LOSER: Final = 0
WINNER: Final = 1

NONE: Final = -1
"""No card, nobody."""

HAND: Final = 7

Operation = tuple[str, Any]
"""What a Power Card does: a verb (revive, down, reverse) and how many, or by what."""


@lru_cache(maxsize=1)
def catalog() -> Mapping[str, CardType]:
    """The cards of Battle Krabz by slug."""
    return load_catalog("games.battle_krabz")


@lru_cache(maxsize=1)
def _order() -> Mapping[str, int]:
    return {slug: number for number, slug in enumerate(catalog())}


def in_catalog_order(slugs: Sequence[str]) -> list[str]:
    """The cards sorted as the catalog is, copies side by side."""
    return sorted(slugs, key=_order().__getitem__)


class Cards:
    """The physical cards of a match, as flat tables indexed by card number.

    Where everybody brings a deck, each seat's cards follow in random order, so that a number tells
    nothing about the deck; the Trump Pack lies in the order of the catalog. ``side`` counts from 0
    (``SIDES``). ``operations`` are, of a Power Card, those of the Battle Loser and the Battle
    Winner, each for both sides (C-05).
    """

    __slots__ = (
        "attack",
        "character",
        "colour",
        "condition",
        "defence",
        "domain",
        "hp",
        "kind",
        "operations",
        "order",
        "partner",
        "reach",
        "side",
        "slugs",
        "special",
        "times",
        "title",
    )

    def __init__(self, slugs: Sequence[str]) -> None:
        types = [catalog()[slug] for slug in slugs]
        rows = [_row(slug) for slug in slugs]
        order = _order()
        self.slugs = tuple(slugs)
        self.order = [order[slug] for slug in slugs]
        self.title = [card.title for card in types]
        self.colour = [card.colour for card in types]
        self.kind = [row[0] for row in rows]
        self.side = [row[1] for row in rows]
        self.character = [row[2] for row in rows]
        self.domain = [row[3] for row in rows]
        self.attack = [row[4] for row in rows]
        self.defence = [row[5] for row in rows]
        self.hp = [row[6] for row in rows]
        self.special = [row[7] for row in rows]
        self.condition = [row[8] for row in rows]
        self.partner = [row[9] for row in rows]
        self.reach = [row[10] for row in rows]
        self.times = [row[11] for row in rows]
        self.operations = [_operations(slug) for slug in slugs]

    def __len__(self) -> int:
        return len(self.slugs)

    def with_slugs(self, changed: Mapping[int, str]) -> Cards:
        """The same cards, but some of them are others."""
        slugs = list(self.slugs)
        for card, slug in changed.items():
            slugs[card] = slug
        return Cards(slugs)


@lru_cache(maxsize=512)
def _row(slug: str) -> tuple[int, int, str, str, int, int, int, int, str, str, int, int]:
    card = catalog()[slug]
    get = card.attributes.get
    return (
        KINDS.index(card.kind),
        SIDES.index(get("side", "K")),
        card["character"],
        get("domain", ""),
        get("attack", 0),
        get("defence", 0),
        get("hp", 0),
        get("special", 0),
        get("condition", ""),
        get("partner", ""),
        get("reach", 0),
        get("times", 1),
    )


@lru_cache(maxsize=512)
def _operations(slug: str) -> tuple[tuple[tuple[Operation, ...], ...], ...]:
    """By role (LOSER, WINNER) and side: what the Power Card does."""
    card = catalog()[slug]
    if card.kind != "power":
        return ()
    if "krabz" in card.attributes:  # the bells: the same in both roles
        sides = tuple(_read(card[side]) for side in ("krabz", "enemigos"))
        return sides, sides
    return tuple((_read(card[role]),) * 2 for role in ("loser", "winner"))


def _read(rows: Sequence[Sequence[Any]]) -> tuple[Operation, ...]:
    return tuple((verb, what) for verb, what in rows)


class Krabz(State):
    """A match of Battle Mode.

    Stacks end with their top card. ``hands`` holds, while first hands are chosen, the picks so far.
    ``line`` is a seat's battle line in the order of deployment, ``boosted`` the Warriors that its
    Booster multiplies, ``downed`` all downed Warriors, ``swung`` those whose state the Battle
    Loser's Power Card has changed. ``choices`` are a seat's answers while both sort and replenish:
    1 (keep) or 0 (recycle) for each surviving card, then the Warriors to draw. ``shown`` are cards
    that all have seen, although nobody knows where they lie now (R-09). The cards of the second
    seat have the numbers from ``split``.
    """

    __slots__ = (
        "attacker",
        "battle",
        "battle_limit",
        "boosted",
        "booster",
        "cards",
        "choices",
        "cut_short",
        "decider",
        "decks",
        "downed",
        "elimination",
        "first_attacker",
        "hands",
        "line",
        "open_lists",
        "phase",
        "power",
        "proposed",
        "shown",
        "split",
        "supports",
        "swung",
        "targets",
        "tied_match",
        "ties",
        "warriors",
    )

    mode: Final = "battle"

    def __init__(
        self, chance: Chance, cards: Cards, split: int, options: Mapping[str, Any]
    ) -> None:
        super().__init__(2, chance)
        self.cards = cards
        self.split = split
        self.battle_limit: int = options["battle_limit"]
        self.cut_short: bool = options["cut_short"] == "on"
        self.first_attacker: str = options["first_attacker"]
        self.open_lists: bool = options["open_lists"] == "on"
        self.tied_match: str = options["tied_match"]
        self.targets = [0, 0]
        self.decks: list[list[int]] = [[], []]
        self.hands: list[list[int]] = [[], []]
        self.warriors: list[list[int]] = [[], []]
        self.supports: list[list[int]] = [[], []]
        self.line: list[list[int]] = [[], []]
        self.booster = [NONE, NONE]
        self.boosted: list[list[int]] = [[], []]
        self.power = [NONE, NONE]
        self.elimination: list[list[int]] = [[], []]
        self.downed: list[int] = []
        self.swung: list[int] = []
        self.choices: list[list[int]] = [[], []]
        self.shown: list[int] = []
        self.phase = "hands"
        self.battle = 0
        self.attacker = NONE
        self.proposed = False
        self.ties = 0
        self.decider = 0

    # -- facts derived from the table --------------------------------------------------------

    def owner(self, card: int) -> int:
        """The seat that brought the card."""
        return int(card >= self.split)

    def cards_of(self, seat: int) -> range:
        """The numbers of a seat's cards."""
        return range(self.split, len(self.cards)) if seat else range(self.split)

    def side(self, seat: int) -> int:
        """R-07: the side of a player is that of their Warriors."""
        kind, card = self.cards.kind, self.split if seat else 0
        while kind[card] != WARRIOR:
            card += 1
        return self.cards.side[card]

    def of_kind(self, seat: int, kind: int) -> list[int]:
        """The cards of a kind in the hand of a seat."""
        kinds = self.cards.kind
        return [card for card in self.hands[seat] if kinds[card] == kind]

    def has_warrior(self, seat: int) -> bool:
        """True if there is a Warrior in hand."""
        kind = self.cards.kind
        for card in self.hands[seat]:  # noqa: SIM110 - asked often, and any() costs twice as much
            if kind[card] == WARRIOR:
                return True
        return False

    def lost(self, seat: int) -> int:
        """P-04: how many Warriors lie in the seat's Elimination Stack."""
        kind = self.cards.kind
        return sum(1 for card in self.elimination[seat] if kind[card] == WARRIOR)

    def score(self, seat: int) -> int:
        """The seat's elimination score (B-53)."""
        return self.lost(1 - seat)

    def surviving(self, seat: int) -> list[int]:
        """The cards to be sorted, in the order in which they are asked about (R-25)."""
        booster = self.booster[seat]
        return [*self.line[seat], *([booster] if booster >= 0 else ())]

    # -- copies and storage ------------------------------------------------------------------

    def zones(self) -> Iterator[tuple[str, int | None, Sequence[int]]]:
        for seat in (0, 1):
            yield "deck", seat, self.decks[seat]
            yield "hand", seat, self.hands[seat]
            yield "warrior_stack", seat, self.warriors[seat]
            yield "support_stack", seat, self.supports[seat]
            yield "line", seat, self.line[seat]
            yield (
                "booster_slot",
                seat,
                [card for card in self.booster[seat : seat + 1] if card >= 0],
            )
            yield "power_slot", seat, [card for card in self.power[seat : seat + 1] if card >= 0]
            yield "elimination", seat, self.elimination[seat]

    def copy(self) -> Krabz:
        twin = Krabz.__new__(Krabz)
        self.copy_frame(twin)
        twin.cards = self.cards
        for name in _PLAIN:
            setattr(twin, name, getattr(self, name))
        for name in _LISTS:
            setattr(twin, name, getattr(self, name)[:])
        for name in _BY_SEAT:
            first, second = getattr(self, name)
            setattr(twin, name, [first[:], second[:]])
        return twin

    def to_data(self) -> dict[str, Any]:
        return {
            **self.frame_to_data(),
            "cards": list(self.cards.slugs),
            **{name: getattr(self, name) for name in _PLAIN},
            **{name: getattr(self, name)[:] for name in _LISTS},
            **{name: [one[:] for one in getattr(self, name)] for name in _BY_SEAT},
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Krabz:
        """The state that :meth:`to_data` wrote."""
        state = cls.__new__(cls)
        state.seats = 2
        state.frame_from_data(data)
        state.cards = cards_in_order(tuple(data["cards"]))
        for name in _PLAIN:
            setattr(state, name, data[name])
        for name in _LISTS:
            setattr(state, name, list(data[name]))
        for name in _BY_SEAT:
            first, second = data[name]
            setattr(state, name, [list(first), list(second)])
        return state


_PLAIN: Final = (
    "attacker",
    "battle",
    "battle_limit",
    "cut_short",
    "decider",
    "first_attacker",
    "open_lists",
    "phase",
    "proposed",
    "split",
    "tied_match",
    "ties",
)
_LISTS: Final = ("booster", "downed", "power", "shown", "swung", "targets")
_BY_SEAT: Final = (
    "boosted",
    "choices",
    "decks",
    "elimination",
    "hands",
    "line",
    "supports",
    "warriors",
)


@lru_cache(maxsize=64)
def cards_in_order(slugs: tuple[str, ...]) -> Cards:
    """The card tables for these cards in this order; shared by all matches with the same."""
    return Cards(slugs)


class Trumps(State):
    """A match of Multi-Player Mode.

    Piles end with their top card. ``last`` are the cards of the current or last round by seat, with
    its ``category``; they lie in the piles or the pot. ``out`` lists the seats that are out with
    the moment when they went; those of one moment share a rank. With own decks, ``starts`` has the
    first card number of each seat, else it is empty.
    """

    __slots__ = (
        "cards",
        "category",
        "ending",
        "last",
        "leader",
        "moment",
        "out",
        "piles",
        "pot",
        "round",
        "round_limit",
        "starts",
    )

    mode: Final = "multi"

    def __init__(
        self,
        seats: int,
        chance: Chance,
        cards: Cards,
        starts: Sequence[int],
        options: Mapping[str, Any],
    ) -> None:
        super().__init__(seats, chance)
        self.cards = cards
        self.starts = list(starts)
        self.ending: str = options["ending"]
        self.round_limit: int = options["round_limit"]
        self.piles: list[list[int]] = [[] for _ in range(seats)]
        self.pot: list[int] = []
        self.last = [NONE] * seats
        self.category = ""
        self.leader = 0
        self.round = 0
        self.out: list[tuple[int, int]] = []
        self.moment = 0

    def is_out(self, seat: int) -> bool:
        return any(one == seat for one, _moment in self.out)

    def clockwise(self, first: int) -> list[int]:
        """The seats that have cards, clockwise from ``first``."""
        piles = self.piles
        return [seat for seat in (*range(first, self.seats), *range(first)) if piles[seat]]

    def numbers(self, category: str) -> list[int]:
        """M-03: the printed numbers of a category, by card."""
        table: list[int] = getattr(self.cards, category)
        return table

    def zones(self) -> Iterator[tuple[str, int | None, Sequence[int]]]:
        for seat, pile in enumerate(self.piles):
            yield "pile", seat, pile
        yield "pot", None, self.pot

    def copy(self) -> Trumps:
        twin = Trumps.__new__(Trumps)
        self.copy_frame(twin)
        twin.cards = self.cards
        twin.starts = self.starts
        twin.ending = self.ending
        twin.round_limit = self.round_limit
        twin.piles = [pile[:] for pile in self.piles]
        twin.pot = self.pot[:]
        twin.last = self.last[:]
        twin.category = self.category
        twin.leader = self.leader
        twin.round = self.round
        twin.out = self.out[:]
        twin.moment = self.moment
        return twin

    def to_data(self) -> dict[str, Any]:
        return {
            **self.frame_to_data(),
            "seats": self.seats,
            "cards": list(self.cards.slugs),
            "starts": self.starts[:],
            "ending": self.ending,
            "round_limit": self.round_limit,
            "piles": [pile[:] for pile in self.piles],
            "pot": self.pot[:],
            "last": self.last[:],
            "category": self.category,
            "leader": self.leader,
            "round": self.round,
            "out": [list(pair) for pair in self.out],
            "moment": self.moment,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Trumps:
        """The state that :meth:`to_data` wrote."""
        options = {"ending": data["ending"], "round_limit": data["round_limit"]}
        cards = cards_in_order(tuple(data["cards"]))
        state = cls(data["seats"], Chance(bytes(32)), cards, data["starts"], options)
        state.frame_from_data(data)
        state.piles = [list(pile) for pile in data["piles"]]
        state.pot = list(data["pot"])
        state.last = list(data["last"])
        state.category = data["category"]
        state.leader = data["leader"]
        state.round = data["round"]
        state.out = [(seat, moment) for seat, moment in data["out"]]
        state.moment = data["moment"]
        return state
