"""The texts of the cards, read from ``cards.toml`` into the form that the rules ask for.

The head of ``cards.toml`` describes the keys. Nothing is worked out here: what a word such as
``shush`` does stands in ``effects.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules.engine.cards import CardType

LETTERS: Final = "LDASPN"
TYPES: Final = ("leader", "defender", "attacker", "spy", "pacifist")
NORMAL: Final = 5

IN_ACTIVE: Final = 1
IN_RESERVE: Final = 2
PLACES: Final = {"active": IN_ACTIVE, "reserve": IN_RESERVE, "either": IN_ACTIVE | IN_RESERVE}

ACTIVATED: Final = "activated"
CONTINUOUS: Final = "continuous"
TRIGGERED: Final = "triggered"


@dataclass(frozen=True, slots=True, eq=False)
class Energy:
    """So many Energy cards of each type, and ``normal`` of any (KND-E-10, KND-F-10).

    Each is made once, for the card that asks for it.
    """

    typed: tuple[tuple[int, int], ...] = ()
    normal: int = 0
    total: int = 0

    @classmethod
    def read(cls, table: Mapping[str, int]) -> Energy:
        typed = tuple((LETTERS.index(letter), n) for letter, n in table.items() if letter != "N")
        return cls(typed, table.get("N", 0), sum(table.values()))

    def covered_by(self, energies: Sequence[int]) -> bool:
        """KND-E-03, KND-E-04, KND-E-10: each typed part by its type, and the sum of all parts."""
        if len(energies) < self.total:
            return False
        for kind, count in self.typed:  # noqa: SIM110 - asked often, and all() costs twice as much
            if energies.count(kind) < count:
                return False
        return True

    def __str__(self) -> str:
        parts = [f"{n}{LETTERS[letter]}" for letter, n in self.typed]
        return " + ".join([*parts, *([f"{self.normal}N"] if self.normal else ())])

    @property
    def words(self) -> str:
        """“2 Leader Energy and 1 of any kind”."""
        parts = [f"{n} {TYPES[letter].capitalize()} Energy" for letter, n in self.typed]
        if self.normal:
            parts.append(f"{self.normal} of any kind" if parts else f"{self.normal} Energy")
        return " and ".join(parts)


NOTHING: Final = Energy()
OWN_KEYS: Final = ("do", "who", "amount", "until")
CARRY_TO_RESERVE: Final = "reserve-effect"
"""The effect of a Walkie-Talkie."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text (KND-R-58): what to ``do``, to or by ``who``, how much, until when."""

    do: str
    who: str = ""
    amount: Any = 0
    until: str = ""
    says: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Part:
        rest = {key: value for key, value in table.items() if key not in OWN_KEYS}
        return cls(
            table["do"],
            table.get("who", ""),
            table.get("amount", 0),
            table.get("until", ""),
            rest,
        )


def _parts(tables: Sequence[Mapping[str, Any]]) -> tuple[Part, ...]:
    return tuple(map(Part.read, tables))


@dataclass(frozen=True, slots=True)
class Attack:
    """A Special Attack (KND-A-20 to KND-A-27)."""

    name: str
    energy: Energy
    form: str
    on: str
    plus: int = 0
    equals: str = ""
    amount: Any = 0
    per: str = ""
    most: int = 0
    if_shushed: int = 0
    ignores: str = ""
    cost: Energy = NOTHING
    needs: Mapping[str, Any] = field(default_factory=dict, hash=False)
    from_reserve: bool = False
    then: tuple[Part, ...] = ()

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Attack:
        data = dict(table)
        data["energy"] = Energy.read(table["energy"])
        data["cost"] = Energy.read(table.get("cost", {}))
        data["then"] = _parts(table.get("then", ()))
        return cls(**data)


Requires = tuple[tuple[str, Any], ...]
"""Conditions, each word with its value; of ``side`` the type and how many."""


def _requires(table: Mapping[str, Any]) -> Requires:
    """The Energy that must be attached is asked for by itself."""
    words = {word: value for word, value in table.items() if word not in ("attached", "count")}
    if "side" in table:
        words["side"] = (TYPES.index(table["side"]), table.get("count", 1))
    return tuple(words.items())


@dataclass(frozen=True, slots=True)
class SpecialEffect:
    """A Special Effect (KND-X-01 to KND-X-03)."""

    name: str
    kind: str
    where: int
    does: tuple[Part, ...]
    on: str = ""
    attached: Energy = NOTHING
    cost: Energy = NOTHING
    cost_hp: int = 0
    needs: Requires = ()

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> SpecialEffect:
        data = dict(table)
        data["where"] = PLACES[table["where"]]
        data["does"] = _parts(table["does"])
        data["attached"] = Energy.read(table.get("attached", {}))
        data["cost"] = Energy.read(table.get("cost", {}))
        data["needs"] = _requires(table.get("needs", {}))
        return cls(**data)

    @property
    def is_free(self) -> bool:
        """KND-R-26: without a cost it is activated once per turn."""
        return not self.cost.total and not self.cost_hp


@dataclass(frozen=True, slots=True)
class Special:
    """The requirement, cost and effect of a Special Card; ``flag`` as KND-X-32 to KND-X-35."""

    requires: Requires
    attached: Energy
    cost: Mapping[str, Any]
    flag: str
    does: tuple[Part, ...]


def attacks_of(card: CardType) -> tuple[Attack, ...]:
    """The Special Attacks of a Character."""
    return tuple(map(Attack.read, card.attributes.get("attacks", ())))


def effect_of(card: CardType) -> SpecialEffect | None:
    """The Special Effect of a Character that has one."""
    table = card.attributes.get("special_effect")
    return table and SpecialEffect.read(table)


def special_of(card: CardType) -> Special | None:
    """The text of a Special Card."""
    if card.kind != "special":
        return None
    attributes = card.attributes
    requires = attributes.get("requires", {})
    return Special(
        _requires(requires),
        Energy.read(requires.get("attached", {})),
        attributes.get("cost", {}),
        attributes.get("flag", ""),
        _parts(attributes["does"]),
    )
