"""The state of a KND: OCG table (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, Final

from games.knd_ocg.card_texts import (
    ACTIVATED,
    CARRY_TO_RESERVE,
    CONTINUOUS,
    IN_ACTIVE,
    IN_RESERVE,
    LETTERS,
    TYPES,
    Attack,
    Energy,
    SpecialEffect,
    attacks_of,
    effect_of,
    special_of,
)
from rules.engine.card_tables import NO_CARD, CardTables, card_tables, catalog_of
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.events import NOBODY
from rules.engine.fields import LIST, LISTS, TUPLES, Shape, each_seat, field
from rules.engine.state import OWNER, Slot, State, Zone

CHARACTER: Final = 0
SPECIAL: Final = 1
ENERGY: Final = 2
KINDS: Final = ("character", "special", "energy")

LEADER, DEFENDER, ATTACKER, SPY, PACIFIST = range(5)

HAND: Final = 6
RESERVE: Final = 5
FALLEN: Final = 5
"""KND-W-01: so many fallen Characters lose."""

NONE: Final = NO_CARD

# Marks on a Character, as they are stored
GROUNDED: Final = "grounded"
HIDING: Final = "hiding"
SAFE: Final = "safe"
SHUSHED: Final = "shushed"
STUCK: Final = "stuck"
STATES: Final = (GROUNDED, HIDING, SAFE, SHUSHED, STUCK)
AP: Final = "ap"
DP: Final = "dp"
DP_ZERO: Final = "dp-zero"
NO_BACKLASH: Final = "no-backlash"
SECOND_ATTACK: Final = "second-attack"
REACH_RESERVE: Final = "reach-reserve"
ALLOW_BASIC: Final = "allow-basic"

TURN: Final = "turn"
"""KND-X-21: (TT), until the end of the turn in which it was given."""
NEXT: Final = "next"
"""KND-X-21: (UYN), until the start of the next turn of the seat that gave it."""

Mark = tuple[int, str, int, int, int, str]
"""On which card, what, how much, which card gave it, which seat, until when."""


@dataclass(frozen=True, slots=True)
class Means:
    """The attacks, effect and fleeing that the cards under a Character are enough for.

    Fleeing; the places (KND-X-36) in which its Special Effect works, and in which its cost can be
    paid besides; the Special Attacks, each with its number; for which of all there is the Energy;
    what the Gear adds to AP and DP; how many of the Energy cards one Special Attack can use; how
    many the dearest one asks for that is ready.
    """

    flee: bool
    works: int
    effect: int
    attacks: tuple[tuple[int, Attack], ...]
    ready: tuple[bool, ...]
    ap: int
    dp: int
    useful: int
    dearest: int


@lru_cache(maxsize=10_000)
def means_of(slug: str, energies: tuple[int, ...], gear: tuple[str, int]) -> Means:
    """The means of a Character with Energy cards of these types and a Gear card under it."""
    flee, effect, attacks = _asks_for(slug)
    does, amount = gear
    works = 0
    if effect and effect.attached.covered_by(energies):
        works = effect.where | (IN_RESERVE if does == CARRY_TO_RESERVE else 0)
    return Means(
        flee.covered_by(energies),
        works,
        works if effect and effect.cost.covered_by(energies) else 0,
        tuple(
            (number, attack)
            for number, attack in enumerate(attacks)
            if attack.energy.covered_by(energies) and attack.cost.covered_by(energies)
        ),
        tuple(attack.energy.covered_by(energies) for attack in attacks),
        amount if does == AP else 0,
        amount if does == DP else 0,
        max([_useful(attack.energy, energies) for attack in attacks], default=0),
        max([a.energy.total for a in attacks if a.energy.covered_by(energies)], default=0),
    )


def _useful(wanted: Energy, energies: tuple[int, ...]) -> int:
    """How many of the Energy cards count towards what is wanted."""
    typed = sum([min(energies.count(kind), count) for kind, count in wanted.typed])
    return typed + min(len(energies) - typed, wanted.normal)


@cache
def _asks_for(slug: str) -> tuple[Energy, SpecialEffect | None, tuple[Attack, ...]]:
    """The parts of a Character that need Energy."""
    card = catalog()[slug]
    return Energy.read(card["flee"]), effect_of(card), attacks_of(card)


NO_GEAR: Final = ("", 0)
"""The effect of a Gear card, and how much."""


class MeansByLoad(dict[tuple[int, tuple[int, ...]], Means]):
    """Of a Character and the cards under it what they are enough for, as every question asks it."""

    def __init__(self, cards: Cards) -> None:
        super().__init__()
        self.slugs = cards.slugs
        self.energy = cards.energy
        self.gear = cards.gear

    def __missing__(self, load: tuple[int, tuple[int, ...]]) -> Means:
        card, under = load
        energies, gear = [], NO_GEAR
        for attached in under:
            if self.energy[attached] >= 0:
                energies.append(self.energy[attached])
            else:
                gear = self.gear[attached]
        energies.sort()
        means = self[load] = means_of(self.slugs[card], tuple(energies), gear)
        return means


class Cards(CardTables):
    """The physical cards of a match, as flat tables indexed by card number.

    ``type`` and ``energy`` are numbers in the order of ``LETTERS``; ``energy`` is -1 of what is
    none. ``lobs`` is true of a Character that attacks from the Reserve. ``lasting`` names what a
    continuous Special Effect does, ``gear`` what a Gear card does.
    """

    package = "games.knd_ocg"
    game = "KND: OCG"

    @classmethod
    def nicknames(cls, card: CardType) -> Iterable[str]:
        """``L`` for Leader Energy."""
        if card.kind == "energy":
            yield card["energy"].lower()

    def __init__(self, slugs: Iterable[str]) -> None:
        super().__init__(slugs)
        self.kind = self.table("kind", lambda card: KINDS.index(card.kind), NONE)
        self.type = self.table("type", _type, NONE)
        self.hp = self.table("hp", lambda card: int(card.attributes.get("hp", 0)))
        self.ap = self.table("ap", lambda card: int(card.attributes.get("ap", 0)))
        self.dp = self.table("dp", lambda card: int(card.attributes.get("dp", 0)))
        self.energy = self.table("energy", _letter)
        self.flee = self.table("flee", lambda card: Energy.read(card.attributes.get("flee", {})))
        self.attacks = self.table("attacks", attacks_of)
        self.effect = self.table("effect", effect_of, None)
        self.special = self.table("special", special_of)
        self.activated = self.table("activated", _activated, None)
        self.lasting = self.table("lasting", _lasting, "")
        self.gear = self.table("gear", _gear, NO_GEAR)
        self.lobs = self.table("lobs", _lobs, False)
        self.anybody_lobs = any(self.lobs)
        self.means = MeansByLoad(self)


def _lobs(card: CardType) -> bool:
    return any(attack.from_reserve for attack in attacks_of(card))


def _type(card: CardType) -> int:
    word = card.attributes.get("type", "")
    return TYPES.index(word) if word in TYPES else NONE


def _letter(card: CardType) -> int:
    return LETTERS.index(card["energy"]) if card.kind == "energy" else NONE


def _activated(card: CardType) -> SpecialEffect | None:
    effect = effect_of(card)
    return effect if effect and effect.kind == ACTIVATED else None


def _lasting(card: CardType) -> str:
    effect = effect_of(card)
    return effect.does[0].do if effect and effect.kind == CONTINUOUS else ""


def _gear(card: CardType) -> tuple[str, int]:
    """The effect of a Gear card on its bearer, and how much."""
    if card.attributes.get("flag") != "gear":
        return NO_GEAR
    part = card.attributes["does"][-1]
    return part["do"], part.get("amount", 0)


def catalog() -> Mapping[str, CardType]:
    """The cards of KND: OCG by slug."""
    return catalog_of(Cards.package)


UNDER: Final = Shape(
    "{}.copy()",
    lambda under: [[host, list(cards)] for host, cards in under.items()],
    lambda data: {host: tuple(cards) for host, cards in data},
    dict,
)
"""The cards under each Character that carries some, in the order of attaching."""

DAMAGE: Final = Shape(
    "{}.copy()", lambda damage: [list(pair) for pair in damage.items()], dict, dict
)


@dataclass(init=False, eq=False, slots=True)
class Duel(State):
    """A match of KND: OCG.

    Decks end with their top card, discard piles with the newest. The cards of the second seat have
    the numbers from ``split``. ``reserve`` has five places a seat. ``placed`` is true as soon as
    both set-ups are turned up. ``turn`` counts from 1, 0 is the set-up; ``player`` is whose turn it
    is. ``once`` are the names played this turn of cards marked “once”, ``used`` the Characters
    whose costless effect has been used. ``harmed`` says that the turn is not quiet (KND-R-47).
    ``chosen`` and ``energy`` are what the text that is being carried out has chosen so far,
    ``searched`` the cards that a search has found.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {
        "deck": NOBODY,
        "hand": OWNER,
        "active-unseen": OWNER,
        "reserve-unseen": OWNER,
    }

    seats: int = field(start=2, stored=False)
    cards: Cards = card_tables(Cards)
    split: int = field()
    quiet_limit: int = field()
    turn_cap: int = field()
    first_attack: bool = field()
    decks: list[list[int]] = each_seat(LIST)
    hands: list[list[int]] = each_seat(LIST)
    active: list[int] = each_seat(NONE)
    reserve: list[list[int]] = field(LISTS)
    specials: list[list[int]] = each_seat(LIST)
    discards: list[list[int]] = each_seat(LIST)
    away: list[list[int]] = each_seat(LIST)
    removed: list[list[int]] = each_seat(LIST)
    under: dict[int, tuple[int, ...]] = field(UNDER)
    damage: dict[int, int] = field(DAMAGE)
    marks: list[Mark] = field(TUPLES)
    fallen: list[int] = each_seat(0)
    placed: bool = False
    first: int = NONE
    player: int = NONE
    turn: int = 0
    sequence: str = "setup"
    energy_left: int = 0
    once: list[str] = field(LIST)
    used: list[int] = field(LIST)
    quiet: int = 0
    harmed: bool = False
    chosen: int = NONE
    energy: int = NONE
    searched: list[int] = field(LIST)

    @classmethod
    def lay(cls, chance: Chance, cards: Cards, split: int, options: Mapping[str, Any]) -> Duel:
        """A table on which nothing lies yet."""
        return cls.new(
            2,
            chance,
            mode="duel",
            cards=cards,
            split=split,
            quiet_limit=0 if options["quiet_limit"] == "off" else options["quiet_limit"],
            turn_cap=options["turn_cap"],
            first_attack=options["first_attack"],
            reserve=[[NONE] * RESERVE, [NONE] * RESERVE],
        )

    # -- facts derived from the table --------------------------------------------------------

    def owner(self, card: int) -> int:
        """The seat that brought the card."""
        return int(card >= self.split)

    def in_reserve(self, seat: int) -> list[int]:
        """The Reserve Characters, by zone."""
        row = self.reserve[seat]
        return [card for card in row if card >= 0] if NONE in row else row[:]

    def field_of(self, seat: int) -> list[int]:
        """KND-R-28: the Characters on the field, the Active one first, then Reserve 1 to 5."""
        active, reserve = self.active[seat], self.in_reserve(seat)
        return [active, *reserve] if active >= 0 else reserve

    def on_field(self, card: int) -> bool:
        """True if the Character lies in an Active or Reserve zone."""
        seat = self.owner(card)
        return card >= 0 and (self.active[seat] == card or card in self.reserve[seat])

    def free_slot(self, seat: int) -> int:
        """The free Reserve zone with the lowest number, or -1."""
        row = self.reserve[seat]
        return row.index(NONE) if NONE in row else -1

    def place_of(self, card: int) -> int:
        """KND-X-36: Active or Reserve; 0 for a Character that is not on the field."""
        seat = card >= self.split  # as owner(), without a call
        if self.active[seat] == card:
            return IN_ACTIVE
        return IN_RESERVE if card in self.reserve[seat] else 0

    def energy_under(self, card: int) -> list[int]:
        """The Energy cards under a Character, in order of attaching."""
        letter = self.cards.energy
        return [attached for attached in self.under.get(card, ()) if letter[attached] >= 0]

    def gear_under(self, card: int) -> int:
        """KND-R-34: the Gear of a Character, or no card."""
        letter = self.cards.energy
        for attached in self.under.get(card, ()):
            if letter[attached] < 0:
                return attached
        return NONE

    def hp(self, card: int) -> int:
        """KND-A-14: the current HP."""
        return self.cards.hp[card] - self.damage.get(card, 0)

    def has_mark(self, card: int, mark: str) -> bool:
        """True if the Character has the mark, whoever gave it."""
        for placed in self.marks:  # noqa: SIM110 - asked often, and any() costs twice as much
            if placed[0] == card and placed[1] == mark:
                return True
        return False

    # -- where cards lie ---------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        """Cards under a Character lie where it lies; during set-up the field is unseen."""
        field_name, row_name = ("active", "reserve") if self.placed else UNSEEN
        for seat in (0, 1):
            yield "deck", seat, self.decks[seat]
            yield "hand", seat, self.hands[seat]
            yield field_name, seat, Slot(self.active, seat)
            for slot in range(RESERVE):
                yield row_name, seat, Slot(self.reserve[seat], slot)
            yield "specials", seat, self.specials[seat]
            yield "discard", seat, self.discards[seat]
            yield "away", seat, self.away[seat]
            yield "removed", seat, self.removed[seat]
        for cards in self.under.values():
            yield "under", None, cards


UNSEEN: Final = ("active-unseen", "reserve-unseen")
