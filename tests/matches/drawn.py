"""What the table's script makes of an answer: parts that a page holds go where their marks are."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta"}
MARK = re.compile(r'<[gi] data-same="([^"]+)"></[gi]>')
TABLE = re.compile(r'(?=<div class="table-felt felt" id="table")|(?=\s*<ol id="news")')

Parts = dict[str, str]


class _Finder(HTMLParser):
    """Finds the elements with a mark, from tag to tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.lines = [0]
        for line in text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.open: list[tuple[str, str | None, int]] = []
        self.parts: Parts = {}
        self.feed(text)

    def here(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("data-part"), self.here()))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass  # nothing is in it, and it is no part

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag not in VOID:
            opened, mark, start = self.open.pop()
            if opened == tag:
                if mark is not None:
                    self.parts[mark] = self.text[start : self.here()] + f"</{tag}>"
                return


def parts_of(text: str) -> Parts:
    """The parts of a drawn table by their marks."""
    return _Finder(text).parts


def complete(text: str, held: Parts) -> list[str]:
    """The tables of an answer, each as a page shows it that held these parts."""
    held = dict(held)
    tables = []
    for table in TABLE.split(text):
        if table.startswith("<div"):
            tables.append(_put_together(table, held))
            held |= parts_of(tables[-1])
    return tables


def _put_together(table: str, held: Parts) -> str:
    return MARK.sub(lambda found: held[found[1]], table)
