"""The physical cards of a match: which card each number is, and what the rules ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Self, TypeVar

from rules.engine.cards import CardType, load_catalog
from rules.engine.chance import Chance
from rules.engine.compiled import mypyc_attr
from rules.engine.fields import Shape, field

T = TypeVar("T")


class Said(dict[str, Any]):
    """A value for each card of a catalog, by slug; worked out when it is first read."""

    def __init__(self, catalog: Mapping[str, CardType], of: Callable[[CardType], Any]) -> None:
        super().__init__()
        self.catalog = catalog
        self.of = of

    def __missing__(self, slug: str) -> Any:
        value = self[slug] = self.of(self.catalog[slug])
        return value


_SAID: Final[dict[tuple[type, str], Said]] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class CardTables:
    """The cards of a match as flat tables, indexed by card number.

    A game's own class names the ``package`` of its catalog and makes a table for each thing that
    its rules ask of a card: ``self.hp = self.table("hp", lambda card: card["hp"])``. Cards are
    never changed, so the states of a match share them.

    A number must tell nothing. Where all share the cards, their order is the catalog's
    (:meth:`in_order`); where everybody brings a secret deck, each seat's cards follow in random
    order (:meth:`of_decks`).
    """

    package: ClassVar[str] = ""
    game: ClassVar[str] = ""
    """The game's name, for messages."""

    def __init__(self, slugs: Iterable[str]) -> None:
        self.slugs = tuple(slugs)
        self.title = self.table("title", lambda card: card.title)

    def table(self, name: str, of: Callable[[CardType], T], *none: T) -> list[T]:
        """Return ``of(card)`` for each card; called once a card of the catalog, under ``name``.

        A last entry for “no card” is where index -1 finds it.
        """
        values = _SAID.get((type(self), name))
        if values is None:
            values = _SAID[type(self), name] = Said(catalog_of(self.package), of)
        return [*map(values.__getitem__, self.slugs), *none]

    def __len__(self) -> int:
        return len(self.slugs)

    def with_slugs(self, changed: Mapping[int, str]) -> Self:
        """A copy in which some cards are others."""
        return type(self)(changed.get(card, slug) for card, slug in enumerate(self.slugs))

    @classmethod
    def nicknames(cls, card: CardType) -> Iterable[str]:
        """Further names of a card for people who lay out positions, in lower case."""
        return ()

    @classmethod
    def all_names(cls) -> Mapping[str, str]:
        """Every way to name a card, in lower case, with its slug: slugs, titles, nicknames."""
        kind: Any = cls
        return _names(kind)

    @classmethod
    def named(cls, name: str) -> str:
        """The slug of the card that goes by this name; raises ``ValueError``."""
        try:
            return cls.all_names()[name.lower()]
        except KeyError:
            raise ValueError(f"“{name}” is not a {cls.game} card.") from None

    @classmethod
    def all_named(cls, names: Iterable[str]) -> list[str]:
        """The slugs of the cards that go by these names; raises ``ValueError``."""
        return [cls.named(name) for name in names]

    @classmethod
    def in_order(cls, slugs: Iterable[str]) -> Self:
        """These cards in this order; all matches with the same share the tables."""
        kind: Any = cls
        shared: Self = _in_order(kind, tuple(slugs))
        return shared

    @classmethod
    def sorted(cls, slugs: Iterable[str]) -> list[str]:
        """The slugs as the catalog is sorted, copies side by side."""
        return sorted(slugs, key=catalog_order(cls.package).__getitem__)

    @classmethod
    def of_decks(cls, decks: Iterable[Iterable[str]], chance: Chance) -> tuple[Self, list[range]]:
        """Each seat's deck in random order, and the numbers of each seat's cards.

        The order of a list tells nothing: it is sorted before it is shuffled.
        """
        slugs: list[str] = []
        numbers = []
        for deck in decks:
            own = cls.sorted(deck)
            chance.shuffle(own)
            numbers.append(range(len(slugs), len(slugs) + len(own)))
            slugs += own
        return cls(slugs), numbers


@lru_cache(maxsize=16)
def catalog_of(package: str) -> Mapping[str, CardType]:
    """The cards of the game in this package, by slug."""
    return load_catalog(package)


@lru_cache(maxsize=16)
def catalog_order(package: str) -> Mapping[str, int]:
    """The place of each card in the catalog."""
    return {slug: number for number, slug in enumerate(catalog_of(package))}


@lru_cache(maxsize=16)
def _names(kind: type[CardTables]) -> Mapping[str, str]:
    names = {slug: slug for slug in catalog_of(kind.package)}
    for slug, card in catalog_of(kind.package).items():
        names[card.title.lower()] = slug
        names.update(dict.fromkeys(kind.nicknames(card), slug))
    return names


@lru_cache(maxsize=64)
def _in_order(kind: type[Any], slugs: tuple[str, ...]) -> Any:
    return kind(slugs)


def unfold(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Each slug as often as it is there."""
    return tuple(slug for slug, count in counts.items() for _ in range(count))


NO_CARD: Final = -1
"""Where a place for one card is empty."""


def card_tables(kind: type[CardTables]) -> Any:
    """The field of a state that holds the physical cards; their slugs are what is stored."""
    return field(Shape("{}", lambda cards: list(cards.slugs), kind.in_order))


def take_numbers(slugs: Sequence[str], first: int = 0) -> Callable[[str], int]:
    """Hands out the numbers of the cards with a slug, the lowest first; each one once.

    ``first`` is the number of the first card: a seat's cards follow those of the seats before it.
    Raises ``ValueError`` when there are no more.
    """
    free: dict[str, list[int]] = {}
    for number in range(len(slugs) - 1, -1, -1):
        free.setdefault(slugs[number], []).append(first + number)

    def take(slug: str) -> int:
        if not free.get(slug):
            raise ValueError(f"“{slug}” stands in the position too often.")
        return free[slug].pop()

    return take
