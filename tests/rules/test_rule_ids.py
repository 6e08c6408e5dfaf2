"""The list of rules with and without a test."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rules.engine.numbered_rules import numbered_rules
from rules.testing import rule_ids
from tests.games.examples import EXAMPLE

PACKAGES = rule_ids.packages()


def test_there_is_a_game_with_rules() -> None:
    assert EXAMPLE.package in PACKAGES


@pytest.mark.parametrize("package", PACKAGES)
def test_every_rule_has_a_test(package: str) -> None:
    assert rule_ids.untested(package) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_rule_that_a_test_names_stands_in_the_readme(package: str) -> None:
    assert rule_ids.unknown(package) == []


# -- the command, on a game made for it --------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with two rules; its tests lie beside it."""
    (tmp_path / "demo").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "demo" / "__init__.py").touch()
    (tmp_path / "demo" / "README.md").write_text(
        "# Demo\n\n- **DEM-A-01** First.\n- **DEM-A-02** Second.\n- no rule\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "demo", raising=False)
    monkeypatch.setattr(rule_ids, "packages", lambda: ["demo"])
    return tmp_path


def write_test(game: Path, text: str) -> None:
    (game / "tests" / "test_demo.py").write_text(text, "utf-8")


def test_the_command_lists_what_is_missing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_test(game, '@pytest.mark.rules("DEM-A-01", "DEM-A-09")\ndef test_it(): ...\n')
    assert rule_ids.main(["--all"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "demo: 1 of 2 rules have a test",
        "  DEM-A-01  test_demo.py:1",
        "  DEM-A-02  -",
        "  no test: DEM-A-02  Second.",
        "  not in the README: DEM-A-09  test_demo.py:1",
    ]


def test_markers_on_parameters_count_and_words_in_comments_do_not(game: Path) -> None:
    write_test(
        game,
        '# pytest.mark.rules("DEM-A-01")\n'
        'CASES = [pytest.param(1, marks=pytest.mark.rules(*("DEM-A-02",)))]\n',
    )
    assert rule_ids.untested("demo") == ["DEM-A-01"]


def test_the_command_is_content_when_all_is_proven(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_test(game, '@pytest.mark.rules("DEM-A-01", "DEM-A-02")\ndef test_it(): ...\n')
    assert rule_ids.main([]) == 0
    assert capsys.readouterr().out == "demo: 2 of 2 rules have a test\n"


def test_a_rule_that_stands_twice_is_refused(game: Path) -> None:
    readme = game / "demo" / "README.md"
    readme.write_text(readme.read_text("utf-8") + "- **DEM-A-01** Again.\n", "utf-8")
    with pytest.raises(ValueError, match="DEM-A-01 stands twice"):
        numbered_rules("demo")
