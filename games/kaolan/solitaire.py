"""What lies on the table in Single Play (specification, section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from games.kaolan.state import CHARACTER, NONE, Cards, cards_in_order
from rules.engine.chance import Chance
from rules.engine.state import State

PILES: Final = 4
PILE_NAMES: Final = tuple(f"pile-{n + 1}" for n in range(PILES))
PLAYER: Final = 0
"""The only seat."""


class Solitaire(State):
    """A run of Single Play: the Master Deck against the six Booster Decks.

    The Master Deck's cards have the first numbers, the booster cards the rest (``foes`` and up).
    Piles end with their top card; ``open`` says which cards of the dealt pile (``waste``) have been
    turned up, ``listed`` which piles' Characters are still to be fought in the attack that goes on.
    """

    __slots__ = (
        "ability",
        "attacked",
        "cards",
        "deal_size",
        "deals",
        "foe_discard",
        "foes",
        "forced",
        "listed",
        "master_discard",
        "mode",
        "open",
        "own",
        "passes",
        "piles",
        "powers",
        "stock",
        "waste",
    )

    def __init__(self, chance: Chance, cards: Cards, foes: int, deal_size: int) -> None:
        super().__init__(1, chance)
        self.mode = "single"
        self.cards = cards
        self.foes = foes
        self.deal_size = deal_size
        self.stock: list[int] = []
        self.waste: list[int] = []
        self.open: list[int] = []
        self.piles: list[list[int]] = [[] for _ in range(PILES)]
        self.own = NONE
        self.powers: list[int] = []
        self.ability = NONE
        self.master_discard: list[int] = []
        self.foe_discard: list[int] = []
        self.listed: list[int] = []
        self.forced = False
        self.attacked = False
        self.deals = 0
        self.passes = 0

    # -- facts derived from the table --------------------------------------------------------

    @property
    def score(self) -> int:
        """R-85: booster cards removed, 0 to 60."""
        return len(self.foe_discard)

    def top(self, pile: int) -> int:
        """The face-up card of a booster pile, or ``NONE``."""
        return self.piles[pile][-1] if self.piles[pile] else NONE

    def top_at(self, slot: str) -> int:
        """The face-up card of the pile of this name, or ``NONE``."""
        return self.top(PILE_NAMES.index(slot))

    def face_up(self) -> int:
        """The usable card: the top of the dealt pile, or ``NONE``."""
        return self.waste[-1] if self.waste else NONE

    def characters_on_piles(self) -> list[int]:
        """The piles that show a Character."""
        kind = self.cards.kind
        return [pile for pile in range(PILES) if kind[self.top(pile)] == CHARACTER]

    def effect_under(self) -> str:
        """The effect name of the own Character's Special Ability, or ""."""
        return self.cards.effect[self.ability]

    def effects_against(self, pile: int) -> set[str]:
        """R-77: the Special Abilities face up on the other piles."""
        effect = self.cards.effect
        return {effect[self.top(other)] for other in range(PILES) if other != pile} - {""}

    def numbers_against(self, pile: int) -> int:
        """R-77: all numbers face up on the other piles, as a mask."""
        mask = 0
        for other in range(PILES):
            if other != pile and self.piles[other]:
                mask |= self.cards.numbers[self.piles[other][-1]]
        return mask

    def own_numbers(self) -> int:
        """The numbers under the own Character, as a mask."""
        mask = 0
        for power in self.powers:
            mask |= self.cards.numbers[power]
        return mask

    # -- copies and storage ------------------------------------------------------------------

    def zones(self) -> Iterator[tuple[str, int | None, Sequence[int]]]:
        yield "stock", PLAYER, self.stock
        yield "waste", PLAYER, self.waste
        yield "own_character", PLAYER, [card for card in (self.own, self.ability) if card >= 0]
        yield "under", PLAYER, self.powers
        yield "master_discard", PLAYER, self.master_discard
        yield "foe_discard", None, self.foe_discard
        for number, pile in enumerate(self.piles):
            yield f"pile-{number + 1}", None, pile

    def copy(self) -> Solitaire:
        twin = type(self).__new__(type(self))
        self.copy_frame(twin)
        for name in _PLAIN:
            setattr(twin, name, getattr(self, name))
        for name in _LISTS:
            setattr(twin, name, getattr(self, name)[:])
        twin.cards = self.cards
        twin.piles = [pile[:] for pile in self.piles]
        return twin

    def to_data(self) -> dict[str, Any]:
        return {
            **self.frame_to_data(),
            "cards": list(self.cards.slugs),
            **{name: getattr(self, name) for name in _PLAIN},
            **{name: getattr(self, name)[:] for name in _LISTS},
            "piles": [pile[:] for pile in self.piles],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Solitaire:
        """The state that :meth:`to_data` wrote."""
        cards = cards_in_order(tuple(data["cards"]))
        state = cls(Chance(bytes(32)), cards, data["foes"], data["deal_size"])
        state.frame_from_data(data)
        for name in _PLAIN:
            setattr(state, name, data[name])
        for name in _LISTS:
            setattr(state, name, list(data[name]))
        state.piles = [list(pile) for pile in data["piles"]]
        return state


_PLAIN: Final = (
    "mode",
    "foes",
    "deal_size",
    "own",
    "ability",
    "forced",
    "attacked",
    "deals",
    "passes",
)
_LISTS: Final = (
    "stock",
    "waste",
    "open",
    "powers",
    "master_discard",
    "foe_discard",
    "listed",
)
