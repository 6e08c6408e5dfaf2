"""Names and docstrings say what they hold, in the words of the field."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from tests.test_house import pages, texts

LIMIT = 215
"""A ceiling, to be lowered whenever less is left."""

VAGUE = frozenset(
    {"one", "ones", "found", "there", "given", "told", "asked", "said", "made", "some"}
    | {"somebody", "its", "shown"}
)
RIDDLES = re.compile(
    r'^\s*"""(The same|As above|Whether|What |All that|That )'
    r"|\bis no (?!longer|t\b|more)\b|\bletters\b(?! of the alphabet)"
)


def vague_names(source: str) -> list[str]:
    stored = [
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    ]
    return [name for name in stored if name in VAGUE]


def test_names_and_docstrings_speak_plainly() -> None:
    places: Counter[str] = Counter()
    for path, source in texts():
        if path.suffix != ".py" or "migrations" in path.parts or path.name == Path(__file__).name:
            continue
        hits = len(vague_names(source))
        hits += sum(bool(RIDDLES.search(line)) for line in source.splitlines())
        if hits:
            places[str(path)] = hits
    assert sum(places.values()) <= LIMIT, places.most_common(10)


def test_vague_names_and_riddles_are_recognised() -> None:
    assert vague_names("def ask(told):\n    found = [one for one in told]") == [
        "told",
        "found",
        "one",
    ]
    assert RIDDLES.search('    """What is left."""') and RIDDLES.search("a dog is no cat")
    assert not RIDDLES.search("it is no longer there")


def test_lines_of_templates_fit_a_screen() -> None:
    long = [
        f"{path}:{number}"
        for path, text in pages()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > 140
    ]
    assert not long
