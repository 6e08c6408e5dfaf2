"""``docs/promises.md`` names what tries each promise; what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[1]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs/promises.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
]


def test_the_list_can_be_read_in_one_go() -> None:
    assert 30 <= len(ROWS) <= 80
    assert all(len(row) == 3 and all(row) for row in ROWS)
    assert len({row[0] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_tries_a_promise_is_there(row: list[str]) -> None:
    _, result_result, tried = row
    places = re.findall(r"`([^`]+)`", result_result)
    assert places and all((ROOT / place).is_file() for place in places), result_result
    named = re.findall(r"`([^`]+)`", tried)
    assert named
    for item in named:
        path, result, test = item.partition("::")
        if result:
            source = (ROOT / path).read_text(encoding="utf-8")
            assert re.search(rf"def {test}\(", source), f"there is no {item}"
        else:
            command = re.fullmatch(r"python manage\.py (\w+)", item)
            assert command is not None and command[1] in get_commands(), item


def test_variables_are_explained_and_read() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    explained = {
        name
        for line in page.splitlines()
        if re.match(r"\| `[A-Z_]+`", line)
        for name in re.findall(r"`([A-Z_]+)`", line.split("|")[1])
    }
    files = [*(ROOT / "config").glob("*.py"), ROOT / "run.py"]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    text = r'(?:os\.environ(?:\.get|\.setdefault)?|flag|listed)[(\[]\s*"([A-Z_]+)"'
    read = set(re.findall(text, code))
    assert len(explained) > 15
    assert explained <= read, explained - read
    inner = {
        "CC",  # as every C build reads it
        "CELERY_SKIP_CHECKS",
        "DJANGO_SETTINGS_MODULE",
        "RIFFLE_WORKER",
    }  # the house's own, set by itself
    assert read - explained <= inner, read - explained
