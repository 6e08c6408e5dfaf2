"""Every legality rule of every game: a legal list, lists just beside it, and absurd ones.

Each game has its lists in tests/games/<game>/verdicts.py. A rule that stands in a game's README and
has none of these fails the suite. What the messages say and what the buttons do is tested with each
game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rules
from rules.engine.game import Game
from rules.engine.legality import Report
from rules.engine.numbered_rules import numbered_rules
from rules.testing import rule_ids
from tests.rules.verdicts import Bad, Cards, Cases

LEGALITY = re.compile(r"[A-Z]+-D-|HOUSE-")
"""The IDs of the rules that judge decks."""

HOUSE = "HOUSE"


def deck_rules(package: str) -> set[str]:
    return {rule for rule in numbered_rules(package) if LEGALITY.match(rule)}


def tables() -> Iterator[tuple[Game, ModuleType]]:
    """The games whose rules judge decks, and their lists."""
    for game in rules.games().values():
        folder = game.package.rpartition(".")[2]
        if (Path(__file__).parent.parent / "games" / folder / "verdicts.py").exists():
            yield game, import_module(f"tests.games.{folder}.verdicts")


CASES: dict[str, Cases] = {}
PERMITS: dict[str, Any] = {}
JUDGES: dict[str, Any] = {}
FAR: set[str] = set()
for game, table in tables():
    cases = dict(table.CASES)
    cases |= {
        f"{HOUSE}-{rule}": cases_of_rule
        for rule, cases_of_rule in getattr(table, "HOUSE_CASES", {}).items()
    }
    permits = getattr(table, "PERMITS", {})
    CASES |= cases
    PERMITS |= permits
    JUDGES |= dict.fromkeys((*cases, *permits), game.check_deck)
    JUDGES |= getattr(table, "JUDGES", {})
    FAR |= set(getattr(table, "FAR", ()))


def report(
    rule: str, mode: str, deck: Any, format: Mapping[str, Any], owned: Cards | None = None
) -> Report:
    about = {} if owned is None else {"owned": owned}
    verdict: Report = JUDGES[rule](mode, deck, format, **about)
    return verdict


every_rule = pytest.mark.parametrize("rule", CASES)


@every_rule
def test_a_legal_list(rule: str) -> None:
    cases = CASES[rule]
    reported = {
        problem.rule
        for problem in report(rule, cases.mode, cases.legal, cases.format, cases.owned).problems
    }
    assert not reported & {rule, *(bad.rule for bad in cases.just)}


@every_rule
def test_just_illegal_lists(rule: str) -> None:
    cases = CASES[rule]
    assert cases.just
    for bad in cases.just:
        assert_said(rule, cases, bad)
        if rule not in FAR and bad.found is not None and bad.allowed is not None:
            assert abs(bad.found - bad.allowed) == 1


@every_rule
def test_absurd_lists(rule: str) -> None:
    cases = CASES[rule]
    assert cases.absurd
    for bad in cases.absurd:
        assert_said(rule, cases, bad)


def assert_said(rule: str, cases: Cases, bad: Bad) -> None:
    owned = cases.owned if bad.owned is None else bad.owned
    verdict = report(rule, cases.mode, bad.deck, {**cases.format, **bad.format}, owned)
    problems = [problem for problem in verdict.problems if problem.rule == (bad.rule or rule)]
    assert len(problems) == bad.times
    assert (problems[0].found, problems[0].allowed) == (bad.found, bad.allowed)


@pytest.mark.parametrize("rule", PERMITS)
def test_what_a_rule_permits(rule: str) -> None:
    for mode, deck, others in PERMITS[rule]:
        assert {problem.rule for problem in report(rule, mode, deck, {}).problems} == others


@pytest.mark.parametrize("package", rule_ids.packages())
def test_no_rule_is_forgotten(package: str) -> None:
    ids = deck_rules(package)
    prefixes = {rule.split("-")[0] for rule in ids}
    assert ids == {rule for rule in (*CASES, *PERMITS) if rule.split("-")[0] in prefixes}
