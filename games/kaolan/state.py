"""What lies on a Kaolan table (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.kaolan import events
from rules.engine.cards import CardType, load_catalog
from rules.engine.chance import Chance
from rules.engine.state import EVERYONE, State

CHARACTER: Final = 0
POWER: Final = 1
ABILITY: Final = 2
OPPORTUNITY: Final = 3
NOTHING: Final = 4
KINDS: Final = ("character", "power", "ability", "opportunity")

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
"""The other seats clockwise, by number of seats and seat (R-01)."""


class Cards:
    """The physical cards of a match, as flat tables indexed by card number.

    Where all share the cards, their order is the catalog's, copies side by side; where everybody
    brings a secret deck, each seat's cards follow in random order. Either way a number tells
    nothing about where a card lies or what else there is. ``numbers`` and ``faces`` are masks
    (bit n: number n). The tables that are asked about ``NONE`` have an entry for it at their end,
    where index -1 finds it.
    """

    __slots__ = (
        "accepts",
        "colour",
        "effect",
        "extra_limit",
        "faces",
        "kind",
        "level",
        "limit",
        "numbers",
        "opens",
        "slugs",
        "title",
        "twins",
    )

    def __init__(self, slugs: Sequence[str]) -> None:
        rows = [_row(slug) for slug in slugs]
        self.slugs = tuple(slugs)
        self.title = [row[0] for row in rows]
        self.kind = [*(row[1] for row in rows), NOTHING]
        self.colour = [row[2] for row in rows]
        # C-09, C-15, C-16: which colours of Power Cards lie under it
        self.accepts = [ANY_COLOUR if row[2] == GOLD else row[2] | GOLD for row in rows]
        self.numbers = [row[3] for row in rows]
        self.faces = [row[4] for row in rows]
        self.level = [row[5] for row in rows]
        self.limit = [row[6] for row in rows]
        self.effect = [*(row[7] for row in rows), ""]
        # what the abilities about holding cards add to their Character: places, and colours
        self.extra_limit = [2 if effect == "deep_reserves" else 0 for effect in self.effect]
        self.opens = [ANY_COLOUR if effect == "prism_heart" else 0 for effect in self.effect]
        self.twins = len(set(slugs)) < len(slugs)

    def __len__(self) -> int:
        return len(self.slugs)


@lru_cache(maxsize=1)
def catalog() -> Mapping[str, CardType]:
    """Kaolan's cards by slug."""
    return load_catalog("games.kaolan")


@lru_cache(maxsize=1)
def _order() -> Mapping[str, int]:
    return {slug: number for number, slug in enumerate(catalog())}


@lru_cache(maxsize=256)
def _row(slug: str) -> tuple[str, int, int, int, int, int, int, str]:
    card = catalog()[slug]
    return (
        card.title,
        KINDS.index(card.kind),
        1 << COLOURS.index(card.colour) if card.colour else 0,
        mask_of(card.attributes.get("numbers", ())),
        mask_of(card.attributes.get("faces", ())),
        int(card.attributes.get("level", 0)),
        int(card.attributes.get("limit", 0)),
        card.effect,
    )


def mask_of(numbers: Iterable[int]) -> int:
    """The numbers as a mask: bit n for number n."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def in_catalog_order(slugs: Iterable[str]) -> list[str]:
    """The cards sorted as the catalog is, copies side by side."""
    return sorted(slugs, key=_order().__getitem__)


def _knowers(mask: int) -> int:
    """How many seats a mask of knowers names; everyone is more than any number."""
    return MANY if mask == EVERYONE else mask.bit_count()


@lru_cache(maxsize=64)
def cards_in_order(slugs: tuple[str, ...]) -> Cards:
    """The card tables for these cards in this order; shared by all matches with the same."""
    return Cards(slugs)


class Battle:
    """A Challenge that is being fought: who takes part, and how far it has come."""

    __slots__ = (
        "ambush",
        "attackers",
        "defenders",
        "escaped",
        "gone",
        "hit",
        "qualified",
        "stage",
        "truce_breaker",
    )

    def __init__(
        self, attackers: list[int], defenders: list[int], *, ambush: bool, truce_breaker: bool
    ) -> None:
        self.attackers = attackers
        self.defenders = defenders
        self.qualified: list[int] = []
        self.escaped: list[int] = []
        self.hit: list[int] = []
        self.gone: list[int] = []
        self.stage = "qualification"
        self.ambush = ambush
        self.truce_breaker = truce_breaker

    def copy(self) -> Battle:
        twin = type(self).__new__(type(self))
        twin.attackers = self.attackers[:]
        twin.defenders = self.defenders[:]
        twin.qualified = self.qualified[:]
        twin.escaped = self.escaped[:]
        twin.hit = self.hit[:]
        twin.gone = self.gone[:]
        twin.stage = self.stage
        twin.ambush = self.ambush
        twin.truce_breaker = self.truce_breaker
        return twin

    def to_data(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Battle:
        battle = cls.__new__(cls)
        for name in cls.__slots__:
            value = data[name]
            setattr(battle, name, list(value) if isinstance(value, list) else value)
        return battle


class Kaolan(State):
    """A match in one of the contest modes.

    ``board[seat]`` lists its positions: the Leader's, then the Guards' (``NONE`` is an empty one);
    in Power Play the Main Character's, then the links by level. ``powers`` and ``ability`` hold,
    by Character, what lies under it. Piles end with their top card. In modes with shared piles
    every seat's ``draw``, ``discard`` and ``removed`` are the same list.
    """

    __slots__ = (
        "ability",
        "battle",
        "board",
        "cards",
        "discard",
        "draw",
        "guards",
        "hands",
        "mode",
        "moment",
        "moments",
        "out",
        "own_piles",
        "play",
        "pledged",
        "powers",
        "prizes",
        "removed",
        "starter",
        "switched",
        "turn",
        "turn_limit",
        "turns",
    )

    def __init__(
        self,
        seats: int,
        chance: Chance,
        cards: Cards,
        *,
        mode: str,
        guards: int,
        turn_limit: int,
        own_piles: bool = False,
    ) -> None:
        super().__init__(seats, chance)
        self.cards = cards
        self.mode = mode
        self.guards = guards
        self.turn_limit = turn_limit
        self.own_piles = own_piles
        self.draw = _piles(seats, own_piles)
        self.discard = _piles(seats, own_piles)
        self.removed = _piles(seats, own_piles)
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.board = [[NONE] * (1 + guards) for _ in range(seats)]
        self.powers: list[tuple[int, ...]] = [()] * len(cards)
        self.ability = [NONE] * len(cards)
        self.play: list[int] = []
        self.prizes: list[int] = [NONE] * seats
        self.battle: Battle | None = None
        self.starter = 0
        self.turn = 0
        self.turns = 0
        self.out: list[int] = []  # in the order of elimination; moments says which share a rank
        self.moments: list[int] = []
        self.moment = 0
        self.pledged = [0] * seats  # the colour of the alliance a seat has pledged itself to
        self.switched = False

    # -- facts derived from the table --------------------------------------------------------

    def still_in(self) -> list[int]:
        """The seats that are not out, in seat order."""
        return [seat for seat in range(self.seats) if seat not in self.out]

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

    def ability_of(self, character: int) -> str:
        """The effect name of the Special Ability under a Character, or ""."""
        return self.cards.effect[self.ability[character]]

    def limit(self, character: int) -> int:
        """How many Power Cards the Character can hold now (C-10, Deep Reserves)."""
        cards = self.cards
        return cards.limit[character] + cards.extra_limit[self.ability[character]]

    def accepts(self, character: int) -> int:
        """Mask of the colours of Power Cards that the Character can hold (C-09, C-15, C-16)."""
        cards = self.cards
        return cards.accepts[character] | cards.opens[self.ability[character]]

    def free_colours(self, seat: int) -> int:
        """Mask of the colours of Power Cards that some Character of the board has room for."""
        cards, powers, ability = self.cards, self.powers, self.ability
        mask = 0
        for card in self.board[seat]:
            if cards.kind[card] == CHARACTER:
                seal = ability[card]
                if len(powers[card]) < cards.limit[card] + cards.extra_limit[seal]:
                    mask |= cards.accepts[card] | cards.opens[seal]
        return mask

    def can_hold(self, character: int, power: int) -> bool:
        """True if this Power Card may be put under the Character now (C-09, C-10)."""
        return (
            len(self.powers[character]) < self.limit(character)
            and self.cards.colour[power] & self.accepts(character) != 0
        )

    def chain_numbers(self, seat: int) -> int:
        """N(chain): the mask of all numbers under the Characters of a board."""
        mask = 0
        for character in self.characters(seat):
            mask |= self.numbers(character)
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
            here, there = hand.index(card), hand.index(best)
            hand[here], hand[there] = best, card
        return best

    def put_on_discard(self, seat: int, card: int) -> None:
        """Put a card face up on the Discard Pile of its seat."""
        self.discard[seat].append(card)
        self.tell(events.DISCARDED, seat, card)

    def discard_group(self, seat: int, character: int) -> None:
        """Discard a Character and all under it: powers in order, the ability on top (R-16)."""
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

    def zones(self) -> Iterator[tuple[str, int | None, Sequence[int]]]:
        """Every zone with its owner and its cards; a group counts as cards of its board."""
        yield "play", None, self.play
        for seat in range(self.seats if self.own_piles else 1):
            owner = seat if self.own_piles else None
            yield "draw", owner, self.draw[seat]
            yield "discard", owner, self.discard[seat]
            yield "removed", owner, self.removed[seat]
        for seat in range(self.seats):
            yield "hand", seat, self.hands[seat]
            yield "prize", seat, [card for card in self.prizes[seat : seat + 1] if card >= 0]
            yield "board", seat, [card for card in self.board[seat] if card >= 0]
            for character in self.characters(seat):
                ability = self.ability[character]
                yield "under", seat, [*self.powers[character], *([ability] if ability >= 0 else [])]

    def copy(self) -> Kaolan:
        twin = type(self).__new__(type(self))
        self.copy_frame(twin)
        twin.cards = self.cards
        twin.mode = self.mode
        twin.guards = self.guards
        twin.turn_limit = self.turn_limit
        twin.own_piles = self.own_piles
        if self.own_piles:
            twin.draw = [pile[:] for pile in self.draw]
            twin.discard = [pile[:] for pile in self.discard]
            twin.removed = [pile[:] for pile in self.removed]
        else:
            twin.draw = [self.draw[0][:]] * self.seats
            twin.discard = [self.discard[0][:]] * self.seats
            twin.removed = [self.removed[0][:]] * self.seats
        twin.hands = [hand[:] for hand in self.hands]
        twin.board = [board[:] for board in self.board]
        twin.powers = self.powers[:]
        twin.ability = self.ability[:]
        twin.play = self.play[:]
        twin.prizes = self.prizes[:]
        twin.battle = self.battle and self.battle.copy()
        twin.starter = self.starter
        twin.turn = self.turn
        twin.turns = self.turns
        twin.out = self.out[:]
        twin.moments = self.moments[:]
        twin.moment = self.moment
        twin.pledged = self.pledged[:]
        twin.switched = self.switched
        return twin

    def to_data(self) -> dict[str, Any]:
        piles = self.seats if self.own_piles else 1
        return {
            **self.frame_to_data(),
            "seats": self.seats,
            "cards": list(self.cards.slugs),
            "guards": self.guards,
            "turn_limit": self.turn_limit,
            "own_piles": self.own_piles,
            "draw": [pile[:] for pile in self.draw[:piles]],
            "discard": [pile[:] for pile in self.discard[:piles]],
            "removed": [pile[:] for pile in self.removed[:piles]],
            "hands": [hand[:] for hand in self.hands],
            "board": [board[:] for board in self.board],
            "under": [
                [host, list(powers), self.ability[host]]
                for host, powers in enumerate(self.powers)
                if powers or self.ability[host] >= 0
            ],
            "play": self.play[:],
            "prizes": self.prizes[:],
            "battle": self.battle and self.battle.to_data(),
            "starter": self.starter,
            "turn": self.turn,
            "turns": self.turns,
            "out": [list(pair) for pair in zip(self.out, self.moments, strict=True)],
            "moment": self.moment,
            "pledged": self.pledged[:],
            "switched": self.switched,
        }

    @classmethod
    def from_data(cls, mode: str, data: dict[str, Any]) -> Kaolan:
        """The state that :meth:`to_data` wrote."""
        state = cls(
            data["seats"],
            Chance(bytes(32)),
            cards_in_order(tuple(data["cards"])),
            mode=mode,
            guards=data["guards"],
            turn_limit=data["turn_limit"],
            own_piles=data["own_piles"],
        )
        state.frame_from_data(data)
        for name in ("draw", "discard", "removed"):
            for pile, cards in zip(getattr(state, name), data[name], strict=False):
                pile.extend(cards)
        state.hands = [list(hand) for hand in data["hands"]]
        state.board = [list(board) for board in data["board"]]
        for host, powers, ability in data["under"]:
            state.powers[host] = tuple(powers)
            state.ability[host] = ability
        state.play = list(data["play"])
        state.prizes = list(data["prizes"])
        state.battle = Battle.from_data(data["battle"]) if data["battle"] else None
        state.starter = data["starter"]
        state.turn = data["turn"]
        state.turns = data["turns"]
        state.out = [seat for seat, _ in data["out"]]
        state.moments = [moment for _, moment in data["out"]]
        state.moment = data["moment"]
        state.pledged = list(data["pledged"])
        state.switched = data["switched"]
        return state


def _piles(seats: int, own: bool) -> list[list[int]]:
    """A pile a seat, or one pile that all seats share (R-09)."""
    if own:
        return [[] for _ in range(seats)]
    shared: list[int] = []
    return [shared] * seats
