"""The numbered rules of a game: the lines ``- **ABC-M-16** …`` of its ``README.md``."""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

_ENTRY: Final = re.compile(r"^- \*\*([A-Z]+(?:-[A-Z]+)*-\d+)\*\* (.+)$", re.MULTILINE)


def numbered_rules(package: str) -> dict[str, str]:
    """The rules of the game in this package by ID, in the order of its README.

    Raises ``FileNotFoundError`` if it has none, ``ValueError`` if an ID stands there twice.
    """
    texts: dict[str, str] = {}
    readme = resources.files(package).joinpath("README.md")
    for rule, text in _ENTRY.findall(readme.read_text("utf-8")):
        if rule in texts:
            raise ValueError(f"{rule} stands twice in the README of {package}.")
        texts[rule] = text
    return texts
