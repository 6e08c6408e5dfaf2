"""The example client of the documents plays a whole match, as it stands, on a whole site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.examples import GAME

CLIENT = Path(__file__).resolve().parent.parent / "docs" / "play.py"


def test_it_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.browser  # with the tests that have the whole site running already
def test_it_plays_a_whole_match(site: str) -> None:
    run = subprocess.run(
        [sys.executable, "-I", CLIENT, site, GAME, "match"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    assert "The end: 1. " in run.stdout.splitlines()[-1]
