"""The state of a Colossal Kaiju Combat table (specification, section 4)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rules.engine.card_tables import NO_CARD, CardTables, card_tables, catalog_of
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.events import NOBODY, event_from_json, event_to_json
from rules.engine.fields import (
    DICT,
    LIST,
    TUPLE,
    TUPLES,
    Record,
    Shape,
    each_seat,
    field,
    record,
)
from rules.engine.state import OWNER, Elimination, Zone

ATTRIBUTES: Final = ("claws", "horns", "spikes", "teeth", "tail", "wings", "armor", "shield")
"""CKC-C-12"""

CITY: Final = -1
"""The city's side of a rampage (CKC-Y-10)."""

NOBODY_SEAT: Final = -1
"""A source of damage other than a player still in the match."""

HAND: Final = 5

PAID: Final = "paid"
BLUFF: Final = "bluff"
ILLEGAL: Final = "illegal"


@dataclass(frozen=True, slots=True)
class Print:
    """A printed card. Values that its kind does not have are 0 or empty."""

    kind: str = ""
    title: str = ""
    effect: str = ""
    amount: int = 0
    is_combat: bool = False
    is_city: bool = False
    is_character: bool = False
    # characters
    is_kaiju: bool = False
    affiliation: str = ""
    keywords: tuple[str, ...] = ()
    ferocity: int = 0
    agility: int = 0
    power: int = 0
    fortitude: int = 0
    attr: frozenset[str] = frozenset()
    glory: int = 0
    against_immune: str = ""
    cheaper: Mapping[str, int] = dataclasses.field(default_factory=dict)
    evolved: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    needs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    # team cards
    initiative: int = 0
    planning_draw: int = 0
    fury: int = 0
    fortitude_bonus: int = 0
    immune: str = ""
    scar_limit: int = 0
    healing: int = 0
    # combat cards
    icon: str = ""
    type: str = ""
    roles: tuple[str, ...] = ()
    styles: frozenset[str] = frozenset()
    red: int = 0
    blue: int = 0
    yellow: int = 0
    has_damage: bool = False
    has_toughness: bool = False
    damage: int = 0
    toughness: int = 0
    damage_icons: tuple[str, ...] = ()
    toughness_icons: tuple[str, ...] = ()
    red_icons: tuple[str, ...] = ()
    combo: bool = False
    knockdown: bool = False
    move: int = 0
    damage_effect: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    required_discards: int = 0
    optional_discards: int = 0
    discard_damage: int = 0
    bonus: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    against: frozenset[str] = frozenset()
    # city cards
    strike: int = 0
    scope: str = ""
    # scars and events
    changes: Mapping[str, int] = dataclasses.field(default_factory=dict)
    gains: frozenset[str] = frozenset()
    loses: frozenset[str] = frozenset()
    moment: str = ""
    glory_token: int = 0
    joins: int = 0
    burst: int = 0
    energy: int = 0

    def fits(self, role: str) -> bool:
        """CKC-C-08, CKC-C-22, CKC-C-30: may it be laid as ``sword`` or ``shield``?"""
        return role in self.roles

    @property
    def most_discards(self) -> int:
        """CKC-C-10: how many cards may be discarded for it at most."""
        return self.required_discards + self.optional_discards


def _printed(card: CardType) -> Print:
    has: Mapping[str, Any] = card.attributes
    cost = has.get("cost", {})
    joins = has.get("joins", 0)
    return Print(
        kind=card.kind,
        title=card.title,
        effect=card.effect,
        amount=has.get("amount", 0),
        is_combat=card.kind == "combat",
        is_city=card.kind in ("location", "opponent"),  # CKC-P-07
        is_character=card.kind in ("kaiju", "ally"),
        is_kaiju=card.kind == "kaiju" or bool(has.get("is_kaiju")),
        affiliation=has.get("affiliation", ""),
        keywords=tuple(has.get("keywords", ())),
        ferocity=has.get("ferocity", 0),
        agility=has.get("agility", 0),
        power=has.get("power", 0),
        fortitude=has.get("fortitude", 0),
        attr=frozenset(has.get("attr", ())),
        glory=has.get("glory", 0),
        against_immune=has.get("against_immune", "works"),
        cheaper=has.get("cheaper", {}),
        evolved=has.get("evolved", {}),
        needs=has.get("needs", {}),
        initiative=has.get("initiative", 0),
        planning_draw=has.get("planning_draw", 0),
        fury=has["fury"] if card.kind == "team" else 0,
        fortitude_bonus=has.get("fortitude_bonus", 0),
        immune=has.get("immune", ""),
        scar_limit=has.get("scar_limit", 1),
        healing=has.get("healing", 1),
        icon=has.get("icon", ""),
        type=has.get("type", ""),
        roles=("sword", "shield") if has.get("type") == "Technique" else (has.get("icon", ""),),
        styles=frozenset(has.get("styles", ())),
        red=cost.get("red", 0),
        blue=cost.get("blue", 0),
        yellow=cost.get("yellow", 0),
        has_damage="damage" in has,
        has_toughness="toughness" in has,
        damage=has.get("damage", 0),
        toughness=has.get("toughness", 0),
        damage_icons=tuple(has.get("damage_icons", ())),
        toughness_icons=tuple(has.get("toughness_icons", ())),
        red_icons=tuple(has.get("red_icons", ())),
        combo=has.get("combo", False),
        knockdown=has.get("knockdown", False),
        move=has.get("move", 0),
        damage_effect=has.get("damage_effect", {}),
        required_discards=has.get("required_discards", 0),
        optional_discards=has.get("optional_discards", 0),
        discard_damage=has.get("discard_damage", 0),
        bonus=has.get("bonus", {}),
        against=frozenset(has.get("against", ())),
        strike=has.get("strike", 0),
        scope=has.get("scope", ""),
        changes=has.get("changes", {}),
        gains=frozenset(has.get("gains", ())),
        loses=frozenset(has.get("loses", ())),
        moment="scar" if card.kind == "scar" else has.get("moment", ""),
        glory_token=has.get("glory_token", 0),
        joins=joins if isinstance(joins, int) else 0,
        burst=has.get("burst", 0),
        energy=has.get("energy", 0),
    )


def _words(card: CardType, name: str) -> str:
    words: str = card.attributes.get(name, "")
    return words


class Cards(CardTables):
    """The physical cards of a match: ``prints`` says of each number what is printed on it.

    The cards of a seat follow one another: its team card, its kaiju, its combat cards and its
    planning cards; within the two decks in random order.
    """

    package = "games.colossal_kaiju_combat"
    game = "Colossal Kaiju Combat"

    def __init__(self, slugs: Iterable[str]) -> None:
        super().__init__(slugs)
        self.prints = self.table("print", _printed)
        self.requirements = self.table("requirement", lambda card: _words(card, "requirement"))
        self.moments = self.table("when", lambda card: _words(card, "when"))
        self.owners = self._owners()

    def _owners(self) -> list[int]:
        """The seat of each card; its team card is a seat's first. The last is nobody's."""
        owners, seat = [], -1
        for it in self.prints:
            if it.kind == "team":
                seat += 1
            owners.append(seat)
        return [*owners, NOBODY_SEAT]


class Deck(Sequence[int]):
    """A zone that is kept as a tuple: an entry of a list of them."""

    __slots__ = ("_decks", "_index")

    def __init__(self, decks: list[tuple[int, ...]], index: int) -> None:
        self._decks = decks
        self._index = index

    def __len__(self) -> int:
        return len(self._decks[self._index])

    def __iter__(self) -> Iterator[int]:
        return iter(self._decks[self._index])

    def __getitem__(self, index: Any) -> Any:
        return self._decks[self._index][index]

    def __setitem__(self, index: int, card: int) -> None:
        deck = self._decks[self._index]
        self._decks[self._index] = (*deck[:index], card, *deck[index + 1 :])


class Part(Sequence[int]):
    """A zone that is some places of a list."""

    __slots__ = ("_list", "_places")

    def __init__(self, cards: list[int], places: list[int]) -> None:
        self._list = cards
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[int]:
        return iter(self[:])

    def __getitem__(self, index: Any) -> Any:
        return [self._list[place] for place in self._places][index]

    def __setitem__(self, index: int, card: int) -> None:
        self._list[self._places[index]] = card


def catalog() -> Mapping[str, CardType]:
    """The cards of Colossal Kaiju Combat by slug."""
    return catalog_of(Cards.package)


TOLD: Final = Shape(
    "{}[:]",
    lambda rows: [event_to_json(row) for row in rows],
    lambda data: [event_from_json(row) for row in data],
    list,
)
"""Rows that begin with a word and may hold tuples."""


@dataclass(eq=False, slots=True)
class Combat(Record):
    """A combat that is being fought.

    ``fighters`` are the starter's characters in it, ``foes`` the other player's, both in the order
    in which they joined; ``fought`` all that have been in it. Cards face down lie in ``swords``
    and ``shields``; the rows of ``sword_plans`` and ``shield_plans`` beside them say who laid each,
    at whom (of a Shield card the character whose Sword card it answers), how
    (``paid``, ``bluff``, ``illegal``), the Ferocity, Agility and Energy reserved, and how many
    cards were discarded for it. ``played`` has what was turned up: card, character, role, mark.
    ``firsts`` are characters whose “first in each combat” is over, ``hitters`` those that dealt
    damage with a combat card, ``felled`` who knocked out or destroyed what (seat, card), ``shown``
    who was shown which card of a rival's hand. ``ambush`` are the attacker and the victim of one
    that is to follow. ``toppled``: a city card has been destroyed; ``combo``: the Sword stays.
    """

    starter: int = 0
    other: int = CITY
    fighters: list[int] = field(LIST)
    foes: list[int] = field(LIST)
    fought: list[int] = field(LIST)
    sword: int = 0
    exchange: int = 0
    passes: int = 0
    stage: str = "start"
    swords: list[int] = field(LIST)
    sword_plans: list[tuple[Any, ...]] = field(TUPLES)
    shields: list[int] = field(LIST)
    shield_plans: list[tuple[Any, ...]] = field(TUPLES)
    played: list[tuple[Any, ...]] = field(TUPLES)
    ferocity: dict[int, int] = field(DICT)
    agility: dict[int, int] = field(DICT)
    energy: dict[int, int] = field(DICT)
    freed: list[int] = field(LIST)
    firsts: list[int] = field(LIST)
    hitters: list[int] = field(LIST)
    felled: list[tuple[int, ...]] = field(TUPLES)
    front_pages: list[int] = field(LIST)
    shown: list[tuple[int, ...]] = field(TUPLES)
    ambush: list[int] = field(LIST)
    toppled: bool = False
    combo: bool = False

    @property
    def is_rampage(self) -> bool:
        return self.other == CITY

    def seats(self) -> tuple[int, ...]:
        """The players that fight, the starter first."""
        return (self.starter,) if self.other == CITY else (self.starter, self.other)

    def side(self, seat: int) -> list[int]:
        """The characters of a player in this combat."""
        if seat == self.starter:
            return self.fighters
        return self.foes if seat == self.other else []

    def against(self, seat: int) -> list[int]:
        """The characters that a player's fight against; in a rampage none."""
        return self.foes if seat == self.starter else self.fighters

    def rival(self, seat: int) -> int:
        """The other side, which may be the city."""
        return self.other if seat == self.starter else self.starter


@dataclass(init=False, eq=False, slots=True)
class Kaiju(Elimination):
    """A match.

    The cards of a seat have the numbers from ``starts`` on, its team card the first. Decks end with
    their top card; ``city`` begins with its head. ``rows`` are the present characters,
    ``set_aside`` those out of play for a while; ``scars`` pairs of a character and a scar on it.
    ``dropped`` are planning cards that are being thrown away unseen in phase 1, ``buried`` combat
    cards in a discard pile that nobody else has seen, ``down`` glory that lies face down (with
    ``down_with``, whose). ``changed`` are characters that have used what they do once a match.
    ``blows`` say who felled a card that is to be knocked out or destroyed. ``seen`` is a mask of
    the cards that have lain open.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {
        "combat_deck": NOBODY,
        "combat_hand": OWNER,
        "face_down": OWNER,
        "buried": OWNER,
        "planning_deck": NOBODY,
        "planning_hand": OWNER,
        "dropped": OWNER,
        "glory_down": NOBODY,
    }

    cards: Cards = card_tables(Cards)
    starts: tuple[int, ...] = field(TUPLE)
    claims_fury: bool = field()
    allows_illegal: bool = field()
    glory_target: int = field()
    turn_cap: int = field()
    quiet_limit: int = field()
    ties: tuple[int, ...] = field(TUPLE)
    order: list[int] = field(LIST)
    raiders: list[int] = field(LIST)
    turn: int = 0
    phase: str = "setup"
    acting: int = NO_CARD
    done: list[int] = field(LIST)
    quiet: int = 0
    stirred: bool = False
    energy: list[int] = each_seat(0)
    fury: list[int] = each_seat(0)
    pending: list[int] = each_seat(0)
    offered: list[int] = each_seat(0)
    tokens: list[int] = each_seat(0)
    rows: list[tuple[int, ...]] = field(TUPLES)
    set_aside: list[int] = field(LIST)
    active: list[int] = field(LIST)
    was_active: list[int] = field(LIST)
    chosen: list[int] = each_seat(NO_CARD)
    changed: list[int] = field(LIST)
    damage: dict[int, int] = field(DICT)
    blows: dict[int, int] = field(DICT)
    scars: list[tuple[int, ...]] = field(TUPLES)
    combat_decks: list[tuple[int, ...]] = field(TUPLES)
    combat_hands: list[list[int]] = each_seat(LIST)
    combat_discards: list[tuple[int, ...]] = field(TUPLES)
    buried: list[int] = field(LIST)
    planning_decks: list[tuple[int, ...]] = field(TUPLES)
    planning_hands: list[list[int]] = each_seat(LIST)
    planning_discards: list[tuple[int, ...]] = field(TUPLES)
    dropped: list[int] = field(LIST)
    play: list[int] = field(LIST)
    glory: list[tuple[int, ...]] = field(TUPLES)
    down: list[int] = field(LIST)
    down_with: list[int] = field(LIST)
    city: list[int] = field(LIST)
    removed: list[int] = field(LIST)
    combat: Combat | None = record(Combat)
    owing: list[int] = field(LIST)
    last: list[tuple[Any, ...]] = field(TOLD)
    seen: int = 0

    @classmethod
    def lay(
        cls,
        seats: int,
        chance: Chance,
        mode: str,
        cards: Cards,
        starts: Iterable[int],
        options: Mapping[str, Any],
    ) -> Kaiju:
        """A table on which nothing lies yet."""
        nothing: tuple[int, ...] = ()
        return cls.new(
            seats,
            chance,
            mode=mode,
            cards=cards,
            starts=tuple(starts),
            claims_fury=options["fury_mode"] == "claim",
            allows_illegal=options["illegal_cards"] == "discard",
            glory_target=options["glory_target"],
            turn_cap=options["turn_cap"],
            quiet_limit=options["quiet_limit"],
            ties=tuple(range(seats)),
            order=list(range(seats)),
            rows=[nothing] * seats,
            combat_decks=[nothing] * seats,
            planning_decks=[nothing] * seats,
            combat_discards=[nothing] * seats,
            planning_discards=[nothing] * seats,
            glory=[nothing] * seats,
        )

    # -- facts derived from the table --------------------------------------------------------

    @property
    def is_basic(self) -> bool:
        """CKC-O-02"""
        return self.mode == "basic"

    def owner(self, card: int) -> int:
        """The seat whose deck or team the card came from."""
        return self.cards.owners[card]

    def team_card(self, seat: int) -> Print:
        return self.cards.prints[self.starts[seat]]

    def rivals(self, seat: int) -> list[int]:
        """CKC-G-01, CKC-R-09: every other player still in, in initiative order."""
        return [other for other in self.order if other != seat and other not in self.out]

    def playing(self) -> list[int]:
        """The players still in, in initiative order (CKC-R-01)."""
        out = self.out
        return [seat for seat in self.order if seat not in out] if out else self.order

    def present(self) -> list[int]:
        """All present characters by CKC-R-56: initiative of their controllers, then row order."""
        return [character for seat in self.order for character in self.rows[seat]]

    def inactive(self, seat: int) -> list[int]:
        active = self.active
        return [character for character in self.rows[seat] if character not in active]

    def has_characters(self, seat: int) -> bool:
        """CKC-R-48: one that is set aside is a character left."""
        return bool(self.rows[seat]) or any(
            self.owner(character) == seat for character in self.set_aside
        )

    def head(self) -> int:
        """CKC-Y-02: the city card that is adjacent, or none."""
        return self.city[0] if self.city else NO_CARD

    def scars_on(self, character: int) -> list[int]:
        return [scar for bearer, scar in self.scars if bearer == character]

    # -- where cards lie ---------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        for seat, first in enumerate(self.starts):
            yield "team_card", seat, [first]
            yield "team_row", seat, self.rows[seat]
            yield "combat_deck", seat, Deck(self.combat_decks, seat)
            yield "combat_hand", seat, self.combat_hands[seat]
            yield "combat_discard", seat, self.combat_discards[seat]
            yield "planning_deck", seat, Deck(self.planning_decks, seat)
            yield "planning_hand", seat, self.planning_hands[seat]
            yield "planning_discard", seat, self.planning_discards[seat]
            yield "glory_pile", seat, self.glory[seat]
            yield "buried", seat, self._own(self.buried, seat)
            yield "dropped", seat, self._own(self.dropped, seat)
            yield "glory_down", seat, Part(self.down, _places(self.down_with, seat))
        yield "set_aside", None, self.set_aside
        yield "scars", None, [scar for _bearer, scar in self.scars]
        yield "play", None, self.play
        yield "city_row", None, self.city
        yield "removed", None, self.removed
        combat = self.combat
        if combat is not None:
            for seat in range(self.seats):
                yield "face_down", seat, self._own(combat.swords, seat)
                yield "face_down", seat, self._own(combat.shields, seat)
            yield "combat_row", None, [row[0] for row in combat.played]

    def _own(self, cards: list[int], seat: int) -> Part:
        """Those of one seat in a list that all share."""
        return Part(cards, _places([self.owner(card) for card in cards], seat))


def _places(owners: Iterable[int], seat: int) -> list[int]:
    return [place for place, owner in enumerate(owners) if owner == seat]
