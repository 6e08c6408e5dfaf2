"""What the cards say, read from ``cards.toml`` into the form that the rules ask for.

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
    def read(cls, given: Mapping[str, int]) -> Energy:
        typed = tuple((LETTERS.index(letter), n) for letter, n in given.items() if letter != "N")
        return cls(typed, given.get("N", 0), sum(given.values()))

    def covered_by(self, letters: Sequence[int]) -> bool:
        """KND-E-03, KND-E-04, KND-E-10: each typed part by its type, and the sum of all parts."""
        if len(letters) < self.total:
            return False
        for kind, count in self.typed:  # noqa: SIM110 - asked often, and all() costs twice as much
            if letters.count(kind) < count:
                return False
        return True

    def __str__(self) -> str:
        parts = [f"{n}{LETTERS[letter]}" for letter, n in self.typed]
        return " + ".join([*parts, *([f"{self.normal}N"] if self.normal else ())])


NOTHING: Final = Energy()
CARRY_TO_RESERVE: Final = "reserve-effect"
"""What a Walkie-Talkie does."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text (KND-R-58): what to ``do``, to or by ``who``, how much, until when."""

    do: str
    who: str = ""
    amount: Any = 0
    until: str = ""
    says: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Part:
        rest = {key: value for key, value in given.items() if key not in cls.__slots__}
        return cls(
            given["do"],
            given.get("who", ""),
            given.get("amount", 0),
            given.get("until", ""),
            rest,
        )


def _parts(given: Sequence[Mapping[str, Any]]) -> tuple[Part, ...]:
    return tuple(map(Part.read, given))


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
    def read(cls, given: Mapping[str, Any]) -> Attack:
        data = dict(given)
        data["energy"] = Energy.read(given["energy"])
        data["cost"] = Energy.read(given.get("cost", {}))
        data["then"] = _parts(given.get("then", ()))
        return cls(**data)


Requires = tuple[tuple[str, Any], ...]
"""What has to hold, each word with what is said of it; of ``side`` the type and how many."""


def _requires(given: Mapping[str, Any]) -> Requires:
    """The Energy that must be attached is asked for by itself."""
    said = {word: value for word, value in given.items() if word not in ("attached", "count")}
    if "side" in given:
        said["side"] = (TYPES.index(given["side"]), given.get("count", 1))
    return tuple(said.items())


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
    def read(cls, given: Mapping[str, Any]) -> SpecialEffect:
        data = dict(given)
        data["where"] = PLACES[given["where"]]
        data["does"] = _parts(given["does"])
        data["attached"] = Energy.read(given.get("attached", {}))
        data["cost"] = Energy.read(given.get("cost", {}))
        data["needs"] = _requires(given.get("needs", {}))
        return cls(**data)

    @property
    def is_free(self) -> bool:
        """KND-R-26: without a cost it is activated once per turn."""
        return not self.cost.total and not self.cost_hp


@dataclass(frozen=True, slots=True)
class Special:
    """What a Special Card requires, costs and does; ``flag`` as KND-X-32 to KND-X-35."""

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
    given = card.attributes.get("special_effect")
    return given and SpecialEffect.read(given)


def special_of(card: CardType) -> Special | None:
    """The text of a Special Card."""
    if card.kind != "special":
        return None
    said = card.attributes
    requires = said.get("requires", {})
    return Special(
        _requires(requires),
        Energy.read(requires.get("attached", {})),
        said.get("cost", {}),
        said.get("flag", ""),
        _parts(said["does"]),
    )
