"""``pip install .`` gives the rules alone: built, installed into an empty environment, played."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.embedded]

ROOT = Path(__file__).resolve().parents[2]
PLAY = """
import doctest, sys, rules
from rules.engine.chance import Chance
from rules.engine.lab import Plan, play

for game in rules.games().values():
    for mode in game.modes.values():
        bots = ("random",) * mode.seats[0]
        result = play(Plan(game=game.slug, mode=mode.slug, bots=bots), 0)
        print(game.slug, mode.slug, len(result.shares) == len(bots) and result.moves > 0)
failed, tried = doctest.testfile(sys.argv[1], module_relative=False)
print("doctests", failed, tried > 20)
print("imported", sorted(name for name in sys.modules if name.split(".")[0] in {"django", "PIL"}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(source: Path, folder: Path) -> Path:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source, cwd=folder)
    (built,) = folder.glob("riffle_*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_of_a_game_holds_its_data_and_names_it(tmp_path: Path) -> None:
    """``docs/adding-a-game.md`` shows this file; some build tools leave out all but Python."""
    source = ROOT / "tests" / "installed_game"
    project = (source / "pyproject.toml").read_text("utf-8")
    assert project in (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    with ZipFile(build(source, tmp_path)) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "twelve = riffle_twelve" in archive.read(entry_points).decode()
    package = source / "riffle_twelve"
    files = {file for file in package.rglob("*") if file.is_file() and file.suffix != ".pyc"}
    assert {str(file.relative_to(source)) for file in files} == packed


def test_the_wheel_holds_the_rules_and_nothing_of_the_site(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        described = archive.read(metadata).decode()
    needed = [line for line in described.splitlines() if line.startswith("Requires-Dist")]
    assert all("extra ==" in line for line in needed), "installing the rules installs nothing else"
    assert {name.split("/")[0] for name in names} == {"rules", "games", metadata.split("/")[0]}
    assert not [name for name in names if "/site/" in name or "/face/" in name]
    assert {"rules/py.typed", "games/py.typed"} <= set(names)


def test_every_mode_plays_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=False)
    python = tmp_path / "empty" / "bin" / "python"
    packages = run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=tmp_path)
    with ZipFile(wheel) as archive:  # what pip does with a wheel of pure Python
        archive.extractall(packages.strip())
    out = run(python, "-c", PLAY, ROOT / "docs" / "rules.md", cwd=tmp_path).splitlines()
    played, doctests, imported = out[:-2], out[-2], out[-1]
    assert len(played) == 12 and all(line.endswith(" True") for line in played), played
    assert doctests == "doctests 0 True" and imported == "imported []"
