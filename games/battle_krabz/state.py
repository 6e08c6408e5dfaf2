"""The state of a Battle Krabz table (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from rules.engine.card_tables import CardTables, card_tables, catalog_of, catalog_order
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.events import NOBODY
from rules.engine.fields import LIST, TUPLE, each_seat, field
from rules.engine.state import EVERYONE, OWNER, Elimination, Slot, State, Zone

T = TypeVar("T")

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
"""The effect of a Power Card: a verb (revive, down, reverse) and how many, or by what."""


class Cards(CardTables):
    """The physical cards of a match, as flat tables indexed by card number.

    ``side`` counts from 0 (``SIDES``). ``operations`` are, of a Power Card, those of the Battle
    Loser and the Battle Winner, each for both sides (BKZ-C-05).
    """

    package = "games.battle_krabz"
    game = "Battle Krabz"

    def __init__(self, slugs: Iterable[str]) -> None:
        super().__init__(slugs)
        order = catalog_order(self.package)
        self.order = [*map(order.__getitem__, self.slugs)]
        self.colour = self.table("colour", lambda card: card.colour)
        self.kind = self.table("kind", lambda card: KINDS.index(card.kind))
        self.side = self.table("side", lambda card: SIDES.index(card.attributes.get("side", "K")))
        self.character = self.table("character", lambda card: str(card["character"]))
        self.domain = self._attribute("domain", "")
        self.attack = self._attribute("attack", 0)
        self.defence = self._attribute("defence", 0)
        self.hp = self._attribute("hp", 0)
        self.special = self._attribute("special", 0)
        self.condition = self._attribute("condition", "")
        self.partner = self._attribute("partner", "")
        self.reach = self._attribute("reach", 0)
        self.times = self._attribute("times", 1)
        self.operations = self.table("operations", _operations)

    def _attribute(self, name: str, otherwise: T) -> list[T]:
        return self.table(name, lambda card: card.attributes.get(name, otherwise))


def catalog() -> Mapping[str, CardType]:
    """The cards of Battle Krabz by slug."""
    return catalog_of(Cards.package)


def _operations(card: CardType) -> tuple[tuple[tuple[Operation, ...], ...], ...]:
    """By role (LOSER, WINNER) and side: what the Power Card does."""
    if card.kind != "power":
        return ()
    if "krabz" in card.attributes:  # the bells: the same in both roles
        sides = tuple(_read(card[side]) for side in ("krabz", "enemigos"))
        return sides, sides
    return tuple((_read(card[role]),) * 2 for role in ("loser", "winner"))


def _read(rows: Sequence[Sequence[Any]]) -> tuple[Operation, ...]:
    return tuple((verb, what) for verb, what in rows)


@dataclass(init=False, eq=False, slots=True)
class Krabz(State):
    """A match of Battle Mode.

    Stacks end with their top card. ``hands`` holds, while first hands are chosen, the picks so far.
    ``line`` is a seat's battle line in the order of deployment, ``boosted`` the Warriors that its
    Booster multiplies, ``downed`` all downed Warriors, ``swung`` those whose state the Battle
    Loser's Power Card has changed. ``choices`` are a seat's answers while both sort and replenish:
    1 (keep) or 0 (recycle) for each surviving card, then the Warriors to draw. ``shown`` are cards
    that all have seen, although nobody knows where they lie now (BKZ-R-09). The cards of the second
    seat have the numbers from ``split``.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {
        "deck": OWNER,
        "hand": OWNER,
        "warrior_stack": NOBODY,
        "support_stack": NOBODY,
    }

    seats: int = field(start=2, stored=False)
    cards: Cards = card_tables(Cards)
    split: int = field()
    battle_limit: int = field()
    cut_short: bool = field()
    first_attacker: str = field()
    open_lists: bool = field()
    always_ask: bool = False
    tied_match: str = field()
    targets: list[int] = each_seat(0)
    decks: list[list[int]] = each_seat(LIST)
    hands: list[list[int]] = each_seat(LIST)
    warriors: list[list[int]] = each_seat(LIST)
    supports: list[list[int]] = each_seat(LIST)
    line: list[list[int]] = each_seat(LIST)
    booster: list[int] = each_seat(NONE)
    boosted: list[list[int]] = each_seat(LIST)
    power: list[int] = each_seat(NONE)
    elimination: list[list[int]] = each_seat(LIST)
    downed: list[int] = field(LIST)
    swung: list[int] = field(LIST)
    choices: list[list[int]] = each_seat(LIST)
    shown: list[int] = field(LIST)
    phase: str = "hands"
    battle: int = 0
    attacker: int = NONE
    proposed: bool = False
    ties: int = 0
    decider: int = 0

    @classmethod
    def lay(cls, chance: Chance, cards: Cards, split: int, options: Mapping[str, Any]) -> Krabz:
        """A table on which nothing lies yet."""
        return cls.new(
            2,
            chance,
            mode="battle",
            cards=cards,
            split=split,
            battle_limit=options["battle_limit"],
            cut_short=options["cut_short"] == "on",
            first_attacker=options["first_attacker"],
            open_lists=options["open_lists"] == "on",
            always_ask=options["always_ask"] == "on",
            tied_match=options["tied_match"],
        )

    # -- facts derived from the table --------------------------------------------------------

    def owner(self, card: int) -> int:
        """The seat that brought the card."""
        return int(card >= self.split)

    def cards_of(self, seat: int) -> range:
        """The numbers of a seat's cards."""
        return range(self.split, len(self.cards)) if seat else range(self.split)

    def side(self, seat: int) -> int:
        """BKZ-R-07: the side of a player is that of their Warriors."""
        kind, card = self.cards.kind, self.split if seat else 0
        while kind[card] != WARRIOR:
            card += 1
        return self.cards.side[card]

    def of_kind(self, seat: int, kind: int) -> list[int]:
        """The cards of a kind in the hand of a seat."""
        kinds = self.cards.kind
        return [card for card in self.hands[seat] if kinds[card] == kind]

    def hides_support(self, seat: int) -> bool:
        """True if the hand holds a Booster or Power Card that is not known to all."""
        kind, known = self.cards.kind, self.known
        return any(
            kind[card] != WARRIOR and known.get(card, 0) != EVERYONE for card in self.hands[seat]
        )

    def has_warrior(self, seat: int) -> bool:
        """True if there is a Warrior in hand."""
        kind = self.cards.kind
        for card in self.hands[seat]:  # noqa: SIM110 - asked often, and any() costs twice as much
            if kind[card] == WARRIOR:
                return True
        return False

    def lost(self, seat: int) -> int:
        """BKZ-P-04: how many Warriors lie in the seat's Elimination Stack."""
        kind = self.cards.kind
        return [*map(kind.__getitem__, self.elimination[seat])].count(WARRIOR)

    def score(self, seat: int) -> int:
        """The seat's elimination score (BKZ-B-53)."""
        return self.lost(1 - seat)

    def surviving(self, seat: int) -> list[int]:
        """The cards to be sorted, in the order in which they are asked about (BKZ-R-25)."""
        booster = self.booster[seat]
        return [*self.line[seat], *([booster] if booster >= 0 else ())]

    # -- where cards lie ---------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        for seat in (0, 1):
            yield "deck", seat, self.decks[seat]
            yield "hand", seat, self.hands[seat]
            yield "warrior_stack", seat, self.warriors[seat]
            yield "support_stack", seat, self.supports[seat]
            yield "line", seat, self.line[seat]
            yield "booster_slot", seat, Slot(self.booster, seat)
            yield "power_slot", seat, Slot(self.power, seat)
            yield "elimination", seat, self.elimination[seat]


@dataclass(init=False, eq=False, slots=True)
class Trumps(Elimination):
    """A match of Multi-Player Mode.

    Piles end with their top card. ``last`` are the cards of the current or last round by seat, with
    its ``category``; they lie in the piles or the pot. With own decks, ``starts`` has the first
    card number of each seat, else it is empty.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {"pile": NOBODY}

    cards: Cards = card_tables(Cards)
    starts: tuple[int, ...] = field(TUPLE)
    ending: str = field()
    round_limit: int = field()
    piles: list[list[int]] = each_seat(LIST)
    pot: list[int] = field(LIST)
    last: list[int] = each_seat(NONE)
    category: str = ""
    leader: int = 0
    round: int = 0

    @classmethod
    def lay(
        cls,
        seats: int,
        chance: Chance,
        cards: Cards,
        starts: Iterable[int],
        options: Mapping[str, Any],
    ) -> Trumps:
        """A table on which nothing lies yet."""
        return cls.new(
            seats,
            chance,
            mode="multi",
            cards=cards,
            starts=tuple(starts),
            ending=options["ending"],
            round_limit=options["round_limit"],
        )

    def brought_by(self, card: int) -> int:
        """The seat whose deck the card is from, or ``NONE`` with the common pack."""
        return max((seat for seat, first in enumerate(self.starts) if first <= card), default=NONE)

    def clockwise(self, first: int) -> list[int]:
        """The seats that have cards, clockwise from ``first``."""
        piles, seats = self.piles, self.seats
        return [seat % seats for seat in range(first, first + seats) if piles[seat % seats]]

    def numbers(self, category: str) -> list[int]:
        """BKZ-M-03: the printed numbers of a category, by card."""
        table: list[int] = getattr(self.cards, category)
        return table

    def zones(self) -> Iterator[Zone]:
        for seat, pile in enumerate(self.piles):
            yield "pile", seat, pile
        yield "pot", None, self.pot
