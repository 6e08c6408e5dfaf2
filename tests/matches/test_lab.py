"""The lab as a management command, in this process and on a worker."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from matches import tasks
from matches.services import lab as spread_lab
from rules.engine import lab
from tests.conftest import Worker
from tests.games.examples import GAME

PLAN = lab.Plan(GAME, "power", ("greedy", "random"), seed="spread")


def test_results_survive_the_journey() -> None:
    for mode, bots in (("tournament", ("random", "random")), ("single", ("greedy",))):
        result = lab.play(lab.Plan(GAME, mode, bots), 3)
        assert lab.result_from_json(lab.result_to_json(result)) == result


def test_shares_together_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers may play the shares in any order, and one of them twice."""
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(tasks.play_lab_share, "apply_async", lambda args, **_: sent.append(args))
    monkeypatch.setattr(spread_lab, "SHARE", 4)
    results = spread_lab.spread(PLAN, 10)

    def play_all() -> None:
        for share in [*reversed(sent), sent[0]]:
            tasks.play_lab_share(*share)

    monkeypatch.setattr(spread_lab.time, "sleep", lambda _: play_all())
    assert list(results) == list(lab.run(PLAN, 10))
    assert len(sent) == 3


def test_nobody_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.play_lab_share, "apply_async", lambda *args, **_: None)
    monkeypatch.setattr(spread_lab, "TIMEOUT", 0)
    with pytest.raises(CommandError, match="No worker is running"):
        call_command("lab", GAME, "power", "--matches", "4", "--workers")


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("lab", GAME, "power", "--matches", "4")
    assert "4 matches" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no bot"):
        call_command("lab", GAME, "power", "--bots", "nobody")


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_real_worker_plays(live_worker: Worker, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("lab", GAME, "power", "--matches", "25", "--seed", "spread", "--workers")
    spread = capsys.readouterr().out.splitlines()
    call_command("lab", GAME, "power", "--matches", "25", "--seed", "spread")
    here = capsys.readouterr().out.splitlines()
    assert spread[2:] == here[2:]
