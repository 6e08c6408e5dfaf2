"""Which numbered rules a game has, and which of them a test proves.

The rules are the lines ``- **ABC-M-16** …`` of ``games/<game>/README.md``; a test proves what its
marker ``@pytest.mark.rules("ABC-M-16", …)`` names. The command reads both as text and lists them:

    python -m rules.engine.rule_ids [--all]
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

GAMES: Final = Path(__file__).resolve().parents[2] / "games"
TESTS: Final = GAMES.parent / "tests" / "games"

_ENTRY: Final = re.compile(r"^- \*\*([A-Z]+(?:-[A-Z]+)*-\d+)\*\* (.+)$", re.MULTILINE)


def rule_texts(package: str) -> dict[str, str]:
    """The numbered rules of a game by ID, in the order of its README.

    Raises ``ValueError`` if an ID stands there twice.
    """
    texts: dict[str, str] = {}
    for rule, text in _ENTRY.findall((GAMES / package / "README.md").read_text("utf-8")):
        if rule in texts:
            raise ValueError(f"{rule} stands twice in the README of {package}.")
        texts[rule] = text
    return texts


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
    """The games that have numbered rules, by folder."""
    return sorted(readme.parent.name for readme in GAMES.glob("*/README.md"))


def untested(package: str) -> list[str]:
    """The game's rules that no test proves."""
    cited = cited_rules(TESTS / package)
    return [rule for rule in rule_texts(package) if rule not in cited]


def unknown(package: str) -> list[str]:
    """IDs that tests of the game name and its README doesn't."""
    texts = rule_texts(package)
    return [rule for rule in cited_rules(TESTS / package) if rule not in texts]


def main(arguments: Sequence[str]) -> int:
    """Print, for each game, how many rules are proven and which are not; 1 if any is not."""
    failed = False
    for package in packages():
        texts, cited = rule_texts(package), cited_rules(TESTS / package)
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
