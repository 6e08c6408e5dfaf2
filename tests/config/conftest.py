"""What several tests here share."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import pytest


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Every folder is on a full disk; the list holds those that were asked about."""
    folders: list[Path] = []

    def open_full(dir: Path) -> IO[bytes]:
        folders.append(dir)
        return Path("/dev/full").open("wb")

    monkeypatch.setattr("config.disk.tempfile.TemporaryFile", open_full)
    return folders
