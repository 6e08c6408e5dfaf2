"""The benchmarks run and print tables; nothing here looks at a time."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import pytest

from bench import __main__ as command
from bench import engine, pairings, tables
from bench.web import let_the_client_in
from core import budgets
from rules.engine.chance import Chance
from tests.games.examples import GAME_NAME
from tests.support import services
from tests.support.services import ROOT

pytestmark = pytest.mark.embedded


def test_the_engine_prints_its_tables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine, "SECONDS", 0.01)
    monkeypatch.setattr(engine, "each", partial(tables.each, seconds=0.001))
    assert command.main(["engine"]) == 0
    text = capsys.readouterr().out
    assert tables.machine() in text
    assert f"| {GAME_NAME}, Match Play " in text
    assert "noughts and crosses" in text


def test_pairings_print_their_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pairings, "ROUNDS", {9: 3})
    assert command.main(["pairings"]) == 0
    assert capsys.readouterr().out.splitlines()[-2].endswith("|         0 |")


def test_unknown_benchmarks_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "engine" in command.names()
    assert command.main(["nothing"]) == 2
    assert "There is no benchmark nothing." in capsys.readouterr().out


@pytest.mark.parametrize("name", ["capacity", "load", "scale"])
def test_where_postgresql_lacks_a_benchmark_says_so(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(services, "postgres_binaries", lambda: None)
    monkeypatch.setattr(sys, "argv", ["bench", name])
    assert command.main([name]) == 0
    assert "needs PostgreSQL's server" in capsys.readouterr().out


def test_every_benchmark_is_in_the_list() -> None:
    rows = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    assert [name for name in command.names() if f"| `{name}.py` |" not in rows] == []


def test_dear_pages_can_be_measured_again_and_again(settings: Any) -> None:
    for name in ("ALLOWED_HOSTS", "EMAIL_BACKEND"):
        setattr(settings, name, getattr(settings, name))  # are put back at the end
    settings.CPU_BUDGET = 0.0
    assert budgets.is_used_up("somebody")
    let_the_client_in()
    assert not budgets.is_used_up("somebody")


def test_a_table_lines_up() -> None:
    text = tables.table(("what", "n"), [("one", 1), ("many", 12_345), ("part", 0.5)])
    assert text.splitlines() == [
        "| what |      n |",
        "| ---- | -----: |",
        "| one  |      1 |",
        "| many | 12,345 |",
        "| part |    0.5 |",
    ]


def test_the_reference_plays_noughts_and_crosses() -> None:
    class FirstFree(Chance):
        def pick(self, n: int) -> int:
            return 0

    # 0, 2, 4 and 6 against 1, 3 and 5: the diagonal 2, 4, 6 is full at the seventh move
    assert engine.reference_match(FirstFree(bytes(32))) == 7
