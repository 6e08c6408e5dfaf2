"""The state of a match of Batt'l Kha'os (specification, section 4)."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, TypeAlias, TypeVar

from games.battl_khaos.grid import beside, near
from rules.engine.card_tables import CardTables, card_tables, catalog_of, catalog_order
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.events import NOBODY
from rules.engine.fields import DICT, LIST, TUPLE, Shape, each_seat, field
from rules.engine.state import OWNER, Slot, State, Zone

T = TypeVar("T")

FIELD: Final = 0
SPECIAL: Final = 1
TOWER: Final = 2
TOKEN: Final = 3
KINDS: Final = ("field", "special", "tower", "token")
BATTLEFIELD: Final = ("field", "special")
"""The kinds of pieces in the stack."""

ORCS: Final = 1
KNIGHTS: Final = -1
NOT_ONE: Final = 0
"""Neither side: an empty corner, a neutral one, a tower without an owner."""

SIDES: Final[Mapping[int, str]] = {ORCS: "O", KNIGHTS: "K"}
SIDE_OF: Final[Mapping[str, int]] = {"O": ORCS, "K": KNIGHTS}

HAND: Final = 3
ROW: Final = 3
NONE: Final = -1
"""No card, no cell."""

Look: TypeAlias = tuple[int, ...]
"""The four corners of a tile as it lies: so many orcs, or knights as a number below 0."""


UNCHANGING: Final = Shape()
"""A value that is replaced, never changed: copies of a state share it."""

NO_TILE: Final = 99
"""Stands in each corner of a cell without a tile; larger than any unit."""


def catalog() -> Mapping[str, CardType]:
    """The pieces of Batt'l Kha'os by slug."""
    return catalog_of(Cards.package)


def printed(card: CardType) -> Look:
    """BKH-S-14, BKH-R-23, BKH-R-30: the units in the corners; specials and towers show none."""
    return tuple([_unit(word) for word in card.attributes.get("corners", "----")])


def _unit(word: str) -> int:
    return 0 if word == "-" else SIDE_OF[word[0]] * int(word[1:])


def turned(look: Look, turns: int) -> Look:
    """BKH-R-02: after so many quarter turns clockwise."""
    return tuple([look[(corner - turns) % 4] for corner in range(4)])


def looks(card: CardType) -> tuple[Look, ...]:
    """BKH-R-02: how it looks in each rotation."""
    return tuple(turned(printed(card), turns) for turns in range(4))


class Change(NamedTuple):
    """A token's change of strengths: of own units or the enemy's, how, and by how much."""

    own: bool
    how: str
    number: int


def _change(card: CardType) -> Change | None:
    attributes = card.attributes
    if "change" not in attributes:
        return None
    return Change(attributes["whose"] == "own", attributes["change"], attributes["number"])


def _turns(card: CardType) -> tuple[int, ...]:
    """BKH-R-02: the rotations with looks of their own, the smallest of each."""
    four = looks(card)
    return tuple(turns for turns in range(4) if four.index(four[turns]) == turns)


class Cards(CardTables):
    """The pieces of a match, as flat tables indexed by number: the pool, the towers, the tokens.

    ``looks`` is indexed by what lies on a cell: four times the piece, and its quarter turns; its
    last is that of a cell without a tile, where ``NONE`` finds it.
    ``in_the_box`` are the effects that any piece has: no other need be looked for on the board.
    """

    package = "games.battl_khaos"
    game = "Batt'l Kha'os"

    def __init__(self, slugs: Iterable[str]) -> None:
        super().__init__(slugs)
        self.kind = self.table("kind", lambda card: KINDS.index(card.kind))
        self.battlefield = self.table("battlefield", lambda card: card.kind in BATTLEFIELD)
        self.turns = self.table("turns", _turns)
        self.value = self._attribute("value", 0)
        self.flag = self.table("flag", lambda card: SIDE_OF.get(card.attributes.get("flag", ""), 0))
        self.effect = self.table("effect", lambda card: card.effect)
        self.in_the_box = frozenset(self.effect)
        self.on_ground = self.table(
            "ground", lambda card: card.attributes.get("lies_on") == "ground"
        )
        self.change = self.table("change", _change)
        self.looks = [look for four in self.table("looks", looks) for look in four]
        self.looks.append((NO_TILE,) * 4)

    def _attribute(self, name: str, otherwise: T) -> list[T]:
        return self.table(name, lambda card: card.attributes.get(name, otherwise))

    @classmethod
    def nicknames(cls, card: CardType) -> Iterable[str]:
        """Layouts leave out ``bkh-`` and the kind of a special tile or token."""
        short = card.slug.removeprefix("bkh-")
        return short, short.removeprefix("x-").removeprefix("p-")


@dataclass(init=False, eq=False, slots=True)
class Khaos(State):
    """A match.

    Cells are numbers (``grid.py``). ``tiles`` holds what lies on them: four times the piece, and
    its quarter turns; ``tokens`` the power tokens on tiles, ``ground`` those on cells. A hand and
    the row are three places each; ``pile`` is the stack of tiles, its top one last. ``supply`` are
    the towers that are not placed, ``ready`` the power tokens of a seat that are not used,
    ``spent`` its discarded ones; ``owners`` says whose each token is, from the number
    ``first_token``.

    ``markers`` are the control markers and values as the last phase 2 left them, by tower: what
    the next one's events are told against and its scores summed from, once they are brought up to
    date; nothing else depends on them (BKH-R-08). ``halberds`` is the cell
    of a seat's Halberd from when it is played until the enemy's next turn is over. ``hit`` is the
    cell hit by a Catapult in this turn, ``last`` are the cells filled in the newest turn.

    The rest follows from the board and is kept because counting it anew is most of a match's work:
    ``edge`` are the empty cells beside a tile, by y then x, ``by_towers`` those too near a tower
    for another, ``touched`` those on which something changed since the last phase 2 (of each, None:
    not known). Whoever writes ``tiles`` by hand calls :meth:`forget` before
    anything asks for these.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {"stack": NOBODY, "hand": OWNER}

    cards: Cards = card_tables(Cards)
    first_token: int = field()
    owners: tuple[int, ...] = field(TUPLE)
    target: int = field()
    orcs: int = field()
    hands: list[list[int]] = each_seat(LIST)
    row: list[int] = field(LIST)
    pile: list[int] = field(LIST)
    supply: list[int] = field(LIST)
    discards: list[int] = field(LIST)
    ready: list[list[int]] = each_seat(LIST)
    spent: list[list[int]] = each_seat(LIST)
    tiles: dict[int, int] = field(DICT)
    tokens: dict[int, int] = field(DICT)
    ground: dict[int, int] = field(DICT)
    markers: dict[int, int] = field(DICT)
    halberds: list[int] = each_seat(NONE)
    hit: int = NONE
    last: list[int] = field(LIST)
    turn: int = 0
    turns: int = 0
    passes: int = 0
    edge: list[int] | None = field(UNCHANGING, start=None, stored=False)
    by_towers: frozenset[int] | None = field(UNCHANGING, start=None, stored=False)
    touched: tuple[int, ...] | None = field(UNCHANGING, start=None, stored=False)

    @classmethod
    def lay(
        cls,
        mode: str,
        chance: Chance,
        pool: Iterable[str],
        towers: Iterable[str],
        tokens: Iterable[Iterable[str]],
        *,
        target: int,
        orcs: int,
    ) -> Khaos:
        """A table on which nothing lies yet but the tokens before each seat."""
        pieces = [*Cards.sorted(pool), *Cards.sorted(towers)]
        first = len(pieces)
        slugs = [list(own) for own in tokens]
        owned = [(slug, seat) for seat, own in enumerate(slugs) for slug in own]
        order = catalog_order(Cards.package)
        owned.sort(key=lambda token: (order[token[0]], token[1]))
        s = cls.new(
            2,
            chance,
            mode=mode,
            cards=Cards.in_order((*pieces, *(slug for slug, _ in owned))),
            first_token=first,
            owners=tuple(seat for _, seat in owned),
            target=target,
            orcs=orcs,
            hands=[[NONE] * HAND, [NONE] * HAND],
            row=[NONE] * ROW,
        )
        for token, (_, seat) in enumerate(owned, start=first):
            s.ready[seat].append(token)
        return s

    # -- facts derived from the table --------------------------------------------------------

    def side(self, seat: int) -> int:
        """BKH-P-06: the side that a seat plays, and its tokens work for."""
        return ORCS if seat == self.orcs else KNIGHTS

    def seat_of(self, side: int) -> int:
        """The seat that plays a side."""
        return self.orcs if side == ORCS else 1 - self.orcs

    def owner(self, token: int) -> int:
        """Whose power token it is."""
        return self.owners[token - self.first_token]

    def held(self, seat: int) -> list[int]:
        """The tiles in a hand, by slot."""
        return [card for card in self.hands[seat] if card >= 0]

    def tile(self, cell: int) -> int:
        """The tile on a cell, or ``NONE``."""
        lies = self.tiles.get(cell, NONE)
        return lies if lies < 0 else lies >> 2

    def lay_tile(self, cell: int, card: int, turns: int) -> None:
        """A tile comes to lie on an empty cell, turned so often."""
        tiles, edge = self.tiles, self.edge
        tiles[cell] = card * 4 + turns
        self.touch(cell)
        if edge is not None:
            free = edge[:]
            free.remove(cell)
            for place in beside(cell):
                if place not in tiles and place not in edge:
                    insort(free, place)
            self.edge = free
        if self.by_towers is not None and self.cards.kind[card] == TOWER:
            self.by_towers |= near(cell)

    def lift_tile(self, cell: int) -> int:
        """A tile leaves its cell; returns its number."""
        card = self.tiles.pop(cell) >> 2
        self.touch(cell)
        self.forget()
        return card

    def touch(self, cell: int) -> None:
        """Something has changed on a cell."""
        if self.touched is not None:
            self.touched += (cell,)

    def forget(self) -> None:
        """Tiles lie otherwise than ``edge`` and ``by_towers`` say."""
        self.edge = None
        self.by_towers = None

    def remember(self, later: Khaos) -> None:
        """BKH-R-37: a tile that was placed and taken back stays known until it leaves the hand."""
        for seat in (0, 1):
            for card in self.held(seat):
                if card not in later.hands[seat]:
                    self.reveal(card)

    # -- where pieces lie --------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        for seat in (0, 1):
            for slot in range(HAND):
                yield "hand", seat, Slot(self.hands[seat], slot)
            yield "ready", seat, self.ready[seat]
            yield "spent", seat, self.spent[seat]
        yield "stack", None, self.pile
        for slot in range(ROW):
            yield "row", None, Slot(self.row, slot)
        yield "supply", None, self.supply
        yield "discards", None, self.discards
        yield "board", None, [lies >> 2 for lies in self.tiles.values()]
        yield "tokens", None, list(self.tokens.values())
        yield "ground", None, list(self.ground.values())
