"""The state of a run of Single Play (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from games.kaolan.state import CHARACTER, NONE, Cards
from rules.engine.card_tables import card_tables
from rules.engine.events import NOBODY
from rules.engine.fields import LIST, LISTS, Shape, field
from rules.engine.state import State, Zone

PILES: Final = 4
PILE_NAMES: Final = tuple(f"pile-{n + 1}" for n in range(PILES))
OTHERS: Final = tuple(tuple(n for n in range(PILES) if n != pile) for pile in range(PILES))
"""The other piles, by pile."""

PLAYER: Final = 0
"""The only seat."""


def _no_piles() -> list[list[int]]:
    return [[] for _ in range(PILES)]


@dataclass(init=False, eq=False, slots=True)
class Solitaire(State):
    """A run of Single Play: the Master Deck against the six Booster Decks.

    The Master Deck's cards have the first numbers, the booster cards the rest (``foes`` and up).
    Piles end with their top card; ``open`` says which cards of the dealt pile (``waste``) have been
    turned up, ``listed`` which piles' Characters are still to be fought in the attack that goes on.
    """

    hidden_zones: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("stock", "waste", *PILE_NAMES), NOBODY
    )

    seats: int = field(start=1, stored=False)
    mode: str = "single"
    cards: Cards = card_tables(Cards)
    foes: int = field()
    deal_size: int = field()
    stock: list[int] = field(LIST)
    waste: list[int] = field(LIST)
    open: list[int] = field(LIST)
    piles: list[list[int]] = field(Shape(LISTS.copy, LISTS.dump, LISTS.load, _no_piles))
    own: int = NONE
    powers: list[int] = field(LIST)
    ability: int = NONE
    master_discard: list[int] = field(LIST)
    foe_discard: list[int] = field(LIST)
    listed: list[int] = field(LIST)
    forced: bool = False
    attacked: bool = False
    deals: int = 0
    passes: int = 0

    # -- facts derived from the table --------------------------------------------------------

    @property
    def score(self) -> int:
        """KAO-R-85: booster cards removed, 0 to 60."""
        return len(self.foe_discard)

    def top(self, pile: int) -> int:
        """The face-up card of a booster pile, or ``NONE``."""
        return self.piles[pile][-1] if self.piles[pile] else NONE

    def tops(self) -> list[int]:
        """The face-up cards of the booster piles, ``NONE`` where one is empty."""
        return [pile[-1] if pile else NONE for pile in self.piles]

    def top_at(self, slot: str) -> int:
        """The face-up card of the pile of this name, or ``NONE``."""
        return self.top(PILE_NAMES.index(slot))

    def face_up(self) -> int:
        """The usable card: the top of the dealt pile, or ``NONE``."""
        return self.waste[-1] if self.waste else NONE

    def characters_on_piles(self) -> list[int]:
        """The piles that show a Character."""
        kind = self.cards.kind
        return [pile for pile, card in enumerate(self.tops()) if kind[card] == CHARACTER]

    def effect_under(self) -> str:
        """The effect name of the own Character's Special Ability, or ""."""
        return self.cards.effect[self.ability]

    def effects_against(self, pile: int) -> set[str]:
        """KAO-R-77: the effects face up on the other piles; those of Special Abilities count."""
        effect, piles = self.cards.effect, self.piles
        return {effect[piles[other][-1]] for other in OTHERS[pile] if piles[other]}

    def others(self, pile: int) -> list[int]:
        """The cards face up on the other piles."""
        piles = self.piles
        return [piles[other][-1] for other in OTHERS[pile] if piles[other]]

    def numbers_against(self, pile: int) -> int:
        """KAO-R-77: all numbers face up on the other piles, as a mask."""
        numbers, piles = self.cards.numbers, self.piles
        mask = 0
        for other in OTHERS[pile]:
            if piles[other]:
                mask |= numbers[piles[other][-1]]
        return mask

    def own_numbers(self) -> int:
        """The numbers under the own Character, as a mask."""
        mask = 0
        for power in self.powers:
            mask |= self.cards.numbers[power]
        return mask

    # -- where cards lie ---------------------------------------------------------------------

    def zones(self) -> Iterator[Zone]:
        yield "stock", PLAYER, self.stock
        yield "waste", PLAYER, self.waste
        yield "own_character", PLAYER, [card for card in (self.own, self.ability) if card >= 0]
        yield "under", PLAYER, self.powers
        yield "master_discard", PLAYER, self.master_discard
        yield "foe_discard", None, self.foe_discard
        for number, pile in enumerate(self.piles):
            yield PILE_NAMES[number], None, pile
