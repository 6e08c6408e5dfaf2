"""The rulebook holds every rule."""

from __future__ import annotations

from rules.engine.numbered_rules import numbered_rules


def test_the_readme_holds_all_rules_of_all_modes_in_order() -> None:
    families = {"C": [(1, 22)], "M": [(1, 45)], "T": [(1, 40)], "P": [(1, 32)], "S": [(1, 33)]}
    families |= {"R": [(1, 34), (40, 53), (60, 67), (70, 88)], "D": [(1, 20)]}
    assert list(numbered_rules("games.kaolan")) == [
        f"KAO-{family}-{number:02}"
        for family, spans in families.items()
        for first, last in spans
        for number in range(first, last + 1)
    ]
