"""Files of drawings: bounded, forgotten oldest first, and no trouble when the disk is full."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from collection.drawing.drawn_files import PRUNE_EVERY, DrawnFiles
from tests.support.races import at_once

BLOCK = 4096


@pytest.fixture
def files(settings: Any, tmp_path: Path) -> DrawnFiles:
    settings.MEDIA_ROOT = tmp_path
    return DrawnFiles("pictures", 64 * BLOCK)


def lying(files: DrawnFiles) -> int:
    return sum(path.stat().st_blocks * 512 for path in files.folder.iterdir())


def test_what_is_kept_is_read_until_it_is_too_old(files: DrawnFiles) -> None:
    assert files.read("a") is None
    files.keep("a", b"drawn")
    assert files.read("a") == files.read("a", max_age=60) == b"drawn"
    (path,) = files.folder.iterdir()
    os.utime(path, (time.time() - 61,) * 2)
    assert files.read("a", max_age=60) is None and files.read("a") == b"drawn"
    files.keep("a", b"anew")
    assert files.read("a", max_age=60) == b"anew"


def test_the_oldest_go_when_there_are_too_many_bytes(files: DrawnFiles) -> None:
    for number in range(200):
        files.keep(str(number), b"x" * BLOCK)
        assert lying(files) <= files.max_bytes * (1 + 1 / PRUNE_EVERY)
    assert files.read("199") and not files.read("0")


def test_a_process_that_begins_finds_what_others_left(files: DrawnFiles) -> None:
    files.folder.mkdir(parents=True)
    for number in range(100):
        (files.folder / f"{number}.draft").write_bytes(b"x" * BLOCK)  # of a process that was killed
    files.keep("a", b"drawn")
    assert files.read("a") == b"drawn" and lying(files) <= files.max_bytes


def test_a_full_disk_is_nobody_s_trouble(
    files: DrawnFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any, **kwargs: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    files.keep("a", b"drawn")
    assert files.read("a") is None
    monkeypatch.undo()
    monkeypatch.setattr(Path, "replace", full)
    files.keep("a", b"drawn")
    assert files.read("a") is None and list(files.folder.glob("*.draft")) == []


def test_many_at_once(files: DrawnFiles) -> None:
    def draw(name: str) -> None:
        for number in range(100):
            files.keep(f"{name}{number}", b"x" * BLOCK)
            assert files.read(f"{name}{number}", 60) in (None, b"x" * BLOCK)

    results = at_once(*(lambda name=name: draw(name) for name in "abcd"))
    assert [result for result in results if isinstance(result, Exception)] == []
    assert lying(files) <= files.max_bytes * (1 + 1 / PRUNE_EVERY) + 4 * BLOCK
