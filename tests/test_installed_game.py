"""A game that is installed beside Riffle is on the site, and nothing here was changed for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "tests" / "installed_game"


def environment(place: Path) -> dict[str, str]:
    """One in which the package is installed, as an installer that leaves sources where they are."""
    about = place / "riffle_twelve-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: riffle-twelve\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[riffle.games]\ntwelve = riffle_twelve\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return kept | {"PYTHONPATH": os.pathsep.join(map(str, (place, SOURCES, ROOT)))}


@pytest.mark.slow
def test_what_is_asked_of_every_game_is_asked_of_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rules.testing", "all", "twelve"]
    env = environment(tmp_path)
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "twelve standard golden: holds" in run.stdout


@pytest.mark.browser
@pytest.mark.slow(50)
def test_an_installed_game_is_played_on_the_site(tmp_path: Path) -> None:
    """Its own process has it on the path from the start, as an environment would."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", str(SOURCES / "plays.py"), str(SOURCES / "tests")]
        + ["-m", "browser or not browser", "-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert "skipped" not in run.stdout


QUOTED = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_guide_quotes_it() -> None:
    """The code in docs/adding-a-game.md is Twelve's, and its longest file is as short as said."""
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    sources = [file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.py")]
    quotes = QUOTED.findall(guide)
    assert len(quotes) > 3
    for quote in quotes:
        assert any(quote in source for source in sources), quote
    package = SOURCES / "riffle_twelve"
    lines = {
        "Its rules are (\\d+) lines": package / "play.py",
        "its table in a browser is (\\d+)": package / "site/templates/twelve/table.html",
    }
    for words, file in lines.items():
        match = re.search(words, guide)
        assert match is not None, words
        assert len(file.read_text(encoding="utf-8").splitlines()) <= int(match[1]), file.name
