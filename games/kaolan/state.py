"""The state of a Kaolan table (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.kaolan import events
from rules.engine.card_tables import CardTables, card_tables, catalog_of
from rules.engine.cards import CardType
from rules.engine.chance import Chance
from rules.engine.events import NOBODY, event_from_json, event_to_json
from rules.engine.fields import LIST, LISTS, Record, Shape, each_seat, field, record
from rules.engine.state import EVERYONE, OWNER, Elimination, Slot, Zone

CHARACTER: Final = 0
POWER: Final = 1
ABILITY: Final = 2
OPPORTUNITY: Final = 3
NOTHING: Final = 4
KINDS: Final = ("character", "power", "ability", "opportunity")

HAS_CHARACTER: Final = 1 << CHARACTER
HAS_POWER: Final = 1 << POWER
HAS_ABILITY: Final = 1 << ABILITY
HAS_OPPORTUNITY: Final = 1 << OPPORTUNITY
POWER_COLOURS: Final = len(KINDS)
"""The actions that a hand makes possible (``Cards.makes``): kinds, then colours of Power Cards."""

COLOURS: Final = ("red", "green", "blue", "gold")
GOLD: Final = 8
ANY_COLOUR: Final = 15

NONE: Final = -1
"""No card."""

HAND_LIMIT: Final = 4

MANY: Final = 99
"""More than there are seats."""

WAYS: Final = tuple(
    sum(1 for a in range(1, 7) for b in range(1, 7) if mask >> (a + b) & 1)
    for mask in range(1 << 13)
)
"""How many of the 36 rolls of two dice give one of the numbers of a mask (bit n: number n)."""


CLOCKWISE: Final = tuple(
    tuple(tuple((seat + n) % seats for n in range(1, seats)) for seat in range(seats))
    for seats in range(9)
)
"""The other seats clockwise, by number of seats and seat (KAO-R-01)."""


class Cards(CardTables):
    """The physical cards of a match, as flat tables indexed by card number.

    ``numbers`` and ``faces`` are masks (bit n: number n). The tables that are asked about ``NONE``
    have an entry for it at their end, where index -1 finds it.
    """

    package = "games.kaolan"
    game = "Kaolan"

    @classmethod
    def nicknames(cls, card: CardType) -> Iterable[str]:
        """``r7`` for a Power Card that has one number."""
        if card.kind == "power" and card.colour != "gold":
            yield f"{card.colour[0]}{card['numbers'][0]}"

    def __init__(self, slugs: Iterable[str]) -> None:
        super().__init__(slugs)
        self.kind = self.table("kind", lambda card: KINDS.index(card.kind), NOTHING)
        self.colour = self.table("colour", _colour)
        # KAO-C-09, KAO-C-15, KAO-C-16: which colours of Power Cards lie under it
        self.accepts = [ANY_COLOUR if colour == GOLD else colour | GOLD for colour in self.colour]
        self.numbers = self.table("numbers", lambda card: _mask(card, "numbers"))
        self.faces = self.table("faces", lambda card: _mask(card, "faces"))
        self.level = self.table("level", lambda card: int(card.attributes.get("level", 0)))
        self.limit = self.table("limit", lambda card: int(card.attributes.get("limit", 0)), 0)
        self.effect = self.table("effect", lambda card: card.effect, "")
        # what the abilities about holding cards add to their Character: places, and colours
        self.extra_limit = [2 if effect == "deep_reserves" else 0 for effect in self.effect]
        self.opens = [ANY_COLOUR if effect == "prism_heart" else 0 for effect in self.effect]
        # what a hand has of cards: a bit for each kind, and for Power Cards one for each colour
        self.makes = self.table("makes", _makes)
        self.twins = len(set(self.slugs)) < len(self.slugs)


def _colour(card: CardType) -> int:
    return 1 << COLOURS.index(card.colour) if card.colour else 0


def _mask(card: CardType, attribute: str) -> int:
    return mask_of(card.attributes.get(attribute, ()))


def _makes(card: CardType) -> int:
    kind = KINDS.index(card.kind)
    return 1 << kind | (_colour(card) << POWER_COLOURS if kind == POWER else 0)


def catalog() -> Mapping[str, CardType]:
    """Kaolan's cards by slug."""
    return catalog_of(Cards.package)


def mask_of(numbers: Iterable[int]) -> int:
    """The numbers as a mask: bit n for number n."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def _knowers(mask: int) -> int:
    """How many seats a mask of knowers names; everyone is more than any number."""
    return MANY if mask == EVERYONE else mask.bit_count()


ROLLS: Final = Shape(
    "{}[:]",
    lambda rolls: [event_to_json(roll) for roll in rolls],
    lambda data: [event_from_json(roll) for roll in data],
    list,
)
"""Rolls are kept as they are told: the values of their events."""


@dataclass(eq=False, slots=True)
class Battle(Record):
    """A Challenge that is being fought: who takes part, how far it has come, and all its rolls.

    A roll is stage, seat, dice, success, and which cards or which ability made it one.
    """

    attackers: list[int] = field(LIST)
    defenders: list[int] = field(LIST)
    qualified: list[int] = field(LIST)
    escaped: list[int] = field(LIST)
    hit: list[int] = field(LIST)
    gone: list[int] = field(LIST)
    stage: str = "qualification"
    ambush: bool = False
    truce_breaker: bool = False
    rolls: list[tuple[Any, ...]] = field(ROLLS)


PILES: Final = Shape(
    "[one[:] for one in {0}] if self.own_piles else [{0}[0][:]] * self.seats",
    lambda piles: [pile[:] for pile in (piles[:1] if piles[0] is piles[-1] else piles)],
    LISTS.load,
)
"""A pile a seat, or one pile that is every seat's (KAO-R-09)."""


@dataclass(init=False, eq=False, slots=True)
class Kaolan(Elimination):
    """A match in one of the contest modes.

    ``board[seat]`` lists its positions: the Leader's, then the Guards' (``NONE`` is an empty one);
    in Power Play the Main Character's, then the links by level. ``powers`` and ``ability`` hold,
    by Character, what lies under it. Piles end with their top card. In modes with shared piles
    every seat's ``draw``, ``discard`` and ``removed`` are the same list. ``pledged`` is the colour
    of the alliance that a seat has pledged itself to.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = {
        "hand": OWNER,
        "draw": NOBODY,
        "removed": NOBODY,
        "prize": NOBODY,
    }

    cards: Cards = card_tables(Cards)
    guards: int = field()
    turn_limit: int = field()
    own_piles: bool = field()
    draw: list[list[int]] = field(PILES)
    discard: list[list[int]] = field(PILES)
    removed: list[list[int]] = field(PILES)
    hands: list[list[int]] = each_seat(LIST)
    board: list[list[int]] = field(LISTS)
    powers: list[tuple[int, ...]] = field(LIST, stored=False)
    ability: list[int] = field(LIST, stored=False)
    play: list[int] = field(LIST)
    prizes: list[int] = each_seat(NONE)
    battle: Battle | None = record(Battle)
    starter: int = 0
    turn: int = 0
    turns: int = 0
    pledged: list[int] = each_seat(0)
    switched: bool = False

    @classmethod
    def lay(
        cls,
        seats: int,
        chance: Chance,
        cards: Cards,
        *,
        mode: str,
        guards: int,
        turn_limit: int,
        own_piles: bool = False,
    ) -> Kaolan:
        """A table on which nothing lies yet."""
        piles = {name: _piles(seats, own_piles) for name in ("draw", "discard", "removed")}
        return cls.new(
            seats,
            chance,
            cards=cards,
            mode=mode,
            guards=guards,
            turn_limit=turn_limit,
            own_piles=own_piles,
            board=[[NONE] * (1 + guards) for _ in range(seats)],
            powers=[()] * len(cards),
            ability=[NONE] * len(cards),
            **piles,
        )

    # -- facts derived from the table --------------------------------------------------------

    def opponents(self, seat: int) -> list[int]:
        """All other players still in, clockwise from ``seat``."""
        out = self.out
        return [other for other in CLOCKWISE[self.seats][seat] if other not in out]

    def is_character(self, card: int) -> bool:
        return self.cards.kind[card] == CHARACTER

    def leader(self, seat: int) -> int:
        """The seat's Leader Character, or ``NONE``."""
        card = self.board[seat][0]
        return card if self.cards.kind[card] == CHARACTER else NONE

    def guard_characters(self, seat: int) -> list[int]:
        """The Characters on the seat's Guard positions, in slot order."""
        kind = self.cards.kind
        return [card for card in self.board[seat][1:] if kind[card] == CHARACTER]

    def characters(self, seat: int) -> list[int]:
        """The Characters on the seat's board, in slot order."""
        kind = self.cards.kind
        return [card for card in self.board[seat] if kind[card] == CHARACTER]

    def leader_ability(self, seat: int) -> str:
        """The effect name of the Special Ability under the seat's Leader, or ""."""
        leader = self.board[seat][0]
        return self.cards.effect[self.ability[leader]] if leader >= 0 else ""

    def ability_of(self, character: int) -> str:
        """The effect name of the Special Ability under a Character, or ""."""
        return self.cards.effect[self.ability[character]]

    def limit(self, character: int) -> int:
        """How many Power Cards the Character can hold now (KAO-C-10, Deep Reserves)."""
        cards = self.cards
        return cards.limit[character] + cards.extra_limit[self.ability[character]]

    def accepts(self, character: int) -> int:
        """Mask of the colours of powers that it can hold (KAO-C-09, KAO-C-15, KAO-C-16)."""
        cards = self.cards
        return cards.accepts[character] | cards.opens[self.ability[character]]

    def free_colours(self, seat: int) -> int:
        """Mask of the colours of Power Cards that some Character of the board has room for."""
        cards, powers, ability = self.cards, self.powers, self.ability
        limit, extra_limit = cards.limit, cards.extra_limit
        mask = 0
        for card in self.board[seat]:
            room = limit[card]  # nothing but a Character has any
            if room and len(powers[card]) < room + extra_limit[ability[card]]:
                mask |= cards.accepts[card] | cards.opens[ability[card]]
        return mask

    def has_room(self, seat: int, colours: int) -> bool:
        """True if some Character of the board has room for one of these colours; asked often."""
        cards, powers, ability = self.cards, self.powers, self.ability
        limit, extra_limit = cards.limit, cards.extra_limit
        for card in self.board[seat]:
            room = limit[card]  # nothing but a Character has any
            if (
                room
                and len(powers[card]) < room + extra_limit[ability[card]]
                and colours & (cards.accepts[card] | cards.opens[ability[card]])
            ):
                return True
        return False

    def can_hold(self, character: int, power: int) -> bool:
        """True if this Power Card may be put under the card now (KAO-C-09, KAO-C-10)."""
        cards, ability = self.cards, self.ability[character]
        room = cards.limit[character]  # nothing but a Character has any
        return (
            room > 0
            and len(self.powers[character]) < room + cards.extra_limit[ability]
            and cards.colour[power] & (cards.accepts[character] | cards.opens[ability]) != 0
        )

    def chain_numbers(self, seat: int) -> int:
        """N(chain): the mask of all numbers under the Characters of a board."""
        numbers, powers = self.cards.numbers, self.powers
        mask = 0
        for character in self.characters(seat):
            for power in powers[character]:
                mask |= numbers[power]
        return mask

    def numbers(self, character: int) -> int:
        """N(X): the mask of all numbers under a Character."""
        numbers = self.cards.numbers
        mask = 0
        for power in self.powers[character]:
            mask |= numbers[power]
        return mask

    # -- moving cards ------------------------------------------------------------------------

    def show_chosen(self, seat: int, card: int) -> int:
        """Show a hand card to all before it leaves; returns the copy that is shown."""
        if self.cards.twins:
            card = self._best_known_twin(self.hands[seat], card)
        self.reveal(card)
        self.tell(events.CHOSEN, seat, card)
        return card

    def leave_hand(self, seat: int, card: int) -> int:
        """Take a card out of a hand, face up; returns the copy that leaves.

        Of two copies of a card the one that more seats know is shown and leaves first: nobody at
        a real table could tell them apart, so nobody may learn that there is another.
        """
        hand = self.hands[seat]
        if self.cards.twins:
            card = self._best_known_twin(hand, card)
        hand.remove(card)
        return card

    def _best_known_twin(self, hand: list[int], card: int) -> int:
        slugs, known = self.cards.slugs, self.known
        best, most = card, _knowers(known.get(card, 0))
        for twin in hand:
            if slugs[twin] == slugs[card] and _knowers(known.get(twin, 0)) > most:
                best, most = twin, _knowers(known[twin])
        if best != card:
            # the place in the hand stays with the card that stays
            here, place = hand.index(card), hand.index(best)
            hand[here], hand[place] = best, card
        return best

    def put_on_discard(self, seat: int, card: int) -> None:
        """Put a card face up on the Discard Pile of its seat."""
        self.discard[seat].append(card)
        self.tell(events.DISCARDED, seat, card)

    def discard_group(self, seat: int, character: int) -> None:
        """Discard a Character and all under it: powers in order, the ability on top (KAO-R-16)."""
        group = [character, *self.powers[character]]
        if self.ability[character] >= 0:
            group.append(self.ability[character])
        self.powers[character] = ()
        self.ability[character] = NONE
        for card in group:
            self.put_on_discard(seat, card)

    def discard_power(self, seat: int, character: int, power: int) -> None:
        """Discard one Power Card from under a Character."""
        self.powers[character] = tuple(card for card in self.powers[character] if card != power)
        self.put_on_discard(seat, power)

    def discard_ability(self, seat: int, character: int) -> None:
        """Discard the Special Ability under a Character."""
        card = self.ability[character]
        self.ability[character] = NONE
        self.put_on_discard(seat, card)

    def host_of(self, card: int) -> int:
        """The Character under which a card lies, or ``NONE``."""
        for host, powers in enumerate(self.powers):
            if card in powers or self.ability[host] == card:
                return host
        return NONE

    def owner_of(self, character: int) -> int:
        """The seat on whose board a Character lies."""
        for seat, board in enumerate(self.board):
            if character in board:
                return seat
        raise ValueError(f"card {character} lies on no board")

    # -- copies and storage ------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        """Every zone with its owner and its cards; a group counts as cards of its board."""
        yield "play", None, self.play
        for seat in range(self.seats if self.own_piles else 1):
            owner = seat if self.own_piles else None
            yield "draw", owner, self.draw[seat]
            yield "discard", owner, self.discard[seat]
            yield "removed", owner, self.removed[seat]
        for seat in range(self.seats):
            yield "hand", seat, self.hands[seat]
            yield "prize", seat, Slot(self.prizes, seat)
            yield "board", seat, [card for card in self.board[seat] if card >= 0]
            for character in self.characters(seat):
                ability = self.ability[character]
                yield "under", seat, [*self.powers[character], *([ability] if ability >= 0 else [])]

    def to_data(self) -> dict[str, Any]:
        data, ability = Elimination.to_data(self), self.ability
        data["under"] = [
            [host, list(powers), ability[host]]
            for host, powers in enumerate(self.powers)
            if powers or ability[host] >= 0
        ]
        return data

    def read(self, data: Mapping[str, Any]) -> None:
        Elimination.read(self, data)
        self.powers = [()] * len(self.cards)
        self.ability = [NONE] * len(self.cards)
        for host, powers, ability in data["under"]:
            self.powers[host] = tuple(powers)
            self.ability[host] = ability
        if not self.own_piles:
            self.draw *= self.seats
            self.discard *= self.seats
            self.removed *= self.seats


def _piles(seats: int, own: bool) -> list[list[int]]:
    """A pile a seat, or one pile that all seats share (KAO-R-09)."""
    if own:
        return [[] for _ in range(seats)]
    shared: list[int] = []
    return [shared] * seats
