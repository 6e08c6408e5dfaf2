"""Which numbered rules a game has, and which of them a test proves.

A test proves what its marker ``@pytest.mark.rules("ABC-M-16", …)`` names. The command lists them:

    python -m rules.testing.rule_ids [--all]
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import rules
from rules.engine.numbered_rules import numbered_rules
from rules.testing.folders import tests_of


def cited_rules(folder: Path) -> dict[str, list[str]]:
    """Rule IDs that the markers of the tests in a folder name, each with ``file.py:line``."""
    cited: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        for rule, line in _markers(ast.parse(file.read_text("utf-8"), str(file))):
            cited.setdefault(rule, []).append(f"{file.name}:{line}")
    return cited


def _markers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rules":
            for part in (part for argument in node.args for part in ast.walk(argument)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value, node.lineno


def packages() -> list[str]:
    """The packages of the games that have numbered rules."""
    return sorted(game.package for game in rules.games().values() if has_rules(game.package))


def has_rules(package: str) -> bool:
    try:
        numbered_rules(package)
    except FileNotFoundError:
        return False
    return True


def untested(package: str) -> list[str]:
    """The game's rules that no test proves."""
    cited = cited_rules(tests_of(package))
    return [rule for rule in numbered_rules(package) if rule not in cited]


def unknown(package: str) -> list[str]:
    """IDs that tests of the game name and its README doesn't."""
    texts = numbered_rules(package)
    return [rule for rule in cited_rules(tests_of(package)) if rule not in texts]


def main(arguments: Sequence[str]) -> int:
    """Print, for each game, how many rules are proven and which are not; 1 if any is not."""
    failed = False
    for package in packages():
        texts, cited = numbered_rules(package), cited_rules(tests_of(package))
        missing, strange = untested(package), unknown(package)
        failed = failed or bool(missing or strange)
        print(f"{package}: {len(texts) - len(missing)} of {len(texts)} rules have a test")
        if "--all" in arguments:
            for rule in texts:
                print(f"  {rule}  {' '.join(cited.get(rule, ['-']))}")
        for rule in missing:
            print(f"  no test: {rule}  {texts[rule][:70]}")
        for rule in strange:
            print(f"  not in the README: {rule}  {' '.join(cited[rule])}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
