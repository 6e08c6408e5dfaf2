"""Cards: the catalog of a game, its products and its ready-made decks.

A game keeps them as TOML beside its rules. They are read once, when the game is first used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from rules.engine.legality import Decklist


@dataclass(frozen=True, slots=True)
class CardType:
    """A card as printed.

    ``slug`` is its ID in the game's specification; ``name`` what is printed on it; ``title`` what
    lists and messages call it, different for every card of a game ("Red Fox" where ``name`` is
    "Fox"; the same as ``name`` where nothing else is said); ``kind`` its type word (``character``,
    ``spell`` …); ``sets`` where it appears, first printing first; ``rarity`` one word
    (``common``, ``uncommon``, ``rare``, ``epic``, ``ultra``, ``legendary``); ``text`` the rules
    text ("" where there is none); ``attributes`` the numbers and words the rules need; ``effect``
    the name of the function or data row that carries the text out ("" where there is none).
    """

    slug: str
    name: str
    kind: str
    sets: tuple[str, ...]
    rarity: str
    text: str = ""
    colour: str = ""
    effect: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict, hash=False)
    title: str = ""

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name)

    def __getitem__(self, key: str) -> Any:
        try:
            return self.attributes[key]
        except KeyError:
            if key in CardType.__dataclass_fields__:
                raise KeyError(f"“{key}” is a field of every card: write card.{key}.") from None
            has = ", ".join(self.attributes) or "none"
            raise KeyError(f"{self.slug} has no attribute “{key}”; it has {has}.") from None


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards that appeared together; ``number`` orders a game's sets.

    ``code`` is the short name before collector's numbers, where the game's specification has one.
    """

    slug: str
    name: str
    number: int
    code: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A pool of a booster: every card with its weight."""

    slug: str
    cards: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PackSlot:
    """One place in a pack: which sheets feed it, with integer weights (60/40 → 60 and 40)."""

    name: str
    sheets: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Something with cards in it.

    A *fixed* product has ``cards`` (slug → copies). A *random* one has ``slots`` that draw from
    ``sheets``; with ``unique`` no card comes twice in one pack: a repeated card is drawn again from
    its sheet, or with ``redraw`` "slot" the whole slot is. ``packs`` are other products that lie in
    it (slug → how many), ``choice`` products of which whoever gets it chooses one. A ``lent``
    product is put on every table by the house and never owned. Of each group of products that
    ``starter`` names (``"Master Deck"``), a new collector gets one.
    """

    slug: str
    name: str
    description: str = ""
    cards: Mapping[str, int] = field(default_factory=dict)
    slots: tuple[PackSlot, ...] = ()
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    unique: bool = False
    redraw: str = "sheet"
    lent: bool = False
    packs: Mapping[str, int] = field(default_factory=dict)
    choice: tuple[str, ...] = ()
    starter: str = ""

    @property
    def random(self) -> bool:
        return bool(self.slots)

    @property
    def nested(self) -> bool:
        """True if other products lie in it: each of them is opened by itself."""
        return bool(self.packs or self.choice)


@dataclass(frozen=True, slots=True)
class StarterDeck:
    """A ready-made deck, the modes it is for, and its list."""

    slug: str
    name: str
    modes: tuple[str, ...]
    cards: Decklist
    description: str = ""


_NEEDED_FIELDS = ("slug", "name", "kind", "sets", "rarity")
_TEXT_FIELDS = ("slug", "name", "title", "kind", "rarity", "text", "colour", "effect")


def load_toml(package: str, name: str, *, missing_ok: bool = False) -> dict[str, Any]:
    """The TOML file ``name`` in ``package``; with ``missing_ok`` one that is not there is empty."""
    file = resources.files(package).joinpath(name)
    if missing_ok and not file.is_file():
        return {}
    return tomllib.loads(file.read_text(encoding="utf-8"))


def load_sets(package: str) -> tuple[CardSet, ...]:
    """``[[set]]`` rows of ``cards.toml``: slug, name and, where there is one, code; in order."""
    rows = load_toml(package, "cards.toml").get("set", [])
    return tuple(
        CardSet(row["slug"], row["name"], n, row.get("code", ""))
        for n, row in enumerate(rows, start=1)
    )


def load_catalog(package: str) -> dict[str, CardType]:
    """``[[card]]`` rows of ``cards.toml``; keys that are no field of a card become attributes.

    Raises ``ValueError`` when a row lacks a field that every card has, when two cards share a slug
    or a title (a text list could not tell them apart), or when a card names a set that is not
    among the file's ``[[set]]`` rows.
    """
    data = load_toml(package, "cards.toml")
    sets = {row["slug"] for row in data.get("set", [])}
    catalog: dict[str, CardType] = {}
    titles: set[str] = set()
    for row in data["card"]:
        where = f"{package}: card {row.get('slug', len(catalog) + 1)} in cards.toml"
        if missing := [key for key in _NEEDED_FIELDS if key not in row]:
            raise ValueError(f"{where} has no {', '.join(missing)}.")
        if unknown := [name for name in row["sets"] if name not in sets]:
            raise ValueError(f"{where} is in an unknown set: {', '.join(unknown)}.")
        known = {key: row[key] for key in _TEXT_FIELDS if key in row}
        extra = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in row.items()
            if key not in _TEXT_FIELDS and key != "sets"
        }
        card = CardType(sets=tuple(row["sets"]), attributes=extra, **known)
        if card.slug in catalog:
            raise ValueError(f"{where} stands there twice.")
        if card.title.casefold() in titles:
            raise ValueError(f"{where} has the title of another card: {card.title}.")
        catalog[card.slug] = card
        titles.add(card.title.casefold())
    return catalog


def load_products(package: str) -> dict[str, Product]:
    """``[[product]]`` rows of ``products.toml``, if there is one.

    Raises ``ValueError`` when a product holds another that is not there.
    """
    products: dict[str, Product] = {}
    for row in load_toml(package, "products.toml", missing_ok=True).get("product", []):
        sheets = {
            slug: Sheet(slug, cards if isinstance(cards, dict) else dict.fromkeys(cards, 1))
            for slug, cards in row.get("sheets", {}).items()
        }
        slots = tuple(
            PackSlot(slot["name"], tuple((s, int(w)) for s, w in slot["sheets"].items()))
            for slot in row.get("slots", [])
        )
        products[row["slug"]] = Product(
            slug=row["slug"],
            name=row["name"],
            description=row.get("description", ""),
            cards=_counts(row.get("cards", {})),
            slots=slots,
            sheets=sheets,
            unique=bool(row.get("unique", False)),
            redraw=row.get("redraw", "sheet"),
            lent=bool(row.get("lent", False)),
            packs=_counts(row.get("packs", {})),
            choice=tuple(row.get("choice", ())),
            starter=row.get("starter", ""),
        )
    for product in products.values():
        if unknown := sorted({*product.packs, *product.choice} - set(products)):
            raise ValueError(
                f"{package}: product {product.slug} in products.toml holds an unknown one: "
                f"{', '.join(unknown)}."
            )
    return products


def load_decks(package: str) -> dict[str, StarterDeck]:
    """``[[deck]]`` rows of ``decks.toml``, if there is one; ``[deck.cards]``: by section."""
    decks: dict[str, StarterDeck] = {}
    for row in load_toml(package, "decks.toml", missing_ok=True).get("deck", []):
        decks[row["slug"]] = StarterDeck(
            slug=row["slug"],
            name=row["name"],
            modes=tuple(row["modes"]),
            cards={section: _counts(cards) for section, cards in row["cards"].items()},
            description=row.get("description", ""),
        )
    return decks


def _counts(cards: Mapping[str, int] | Sequence[str]) -> dict[str, int]:
    """A count for each slug, from a table of counts or a list of slugs."""
    if isinstance(cards, Mapping):
        return {slug: int(count) for slug, count in cards.items()}
    counts: dict[str, int] = {}
    for slug in cards:
        counts[slug] = counts.get(slug, 0) + 1
    return counts
