"""A game that is installed beside Riffle is on the site, and nothing here was changed for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests" / "installed_game"
PACKAGE = "riffle_twelve"


def install(place: Path) -> None:
    """What an installer leaves behind: the package, and what the distribution says of itself."""
    shutil.copytree(
        SOURCES / PACKAGE, place / PACKAGE, ignore=shutil.ignore_patterns("__pycache__")
    )
    about = place / "riffle_twelve-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: riffle-twelve\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[riffle.games]\ntwelve = {PACKAGE}\n")


@pytest.mark.browser
@pytest.mark.slow
def test_an_installed_game_is_played_on_the_site(tmp_path: Path) -> None:
    """Its own process has it on the path from the start, as an environment would."""
    install(tmp_path)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", str(SOURCES / "plays.py"), "-m", "browser or not browser"]
        + ["-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=kept | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert "skipped" not in run.stdout
