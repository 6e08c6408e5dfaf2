"""Workers that have grown too large make room for fresh ones."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from celery.concurrency import prefork, solo
from celery.worker import state

from config import memory
from config.celery import app
from config.memory import MemoryBound

pytestmark = pytest.mark.embedded


def bound(pool: type, most: int | None = 300) -> MemoryBound:
    return MemoryBound(SimpleNamespace(max_memory_per_child=most, pool_cls=pool))


@pytest.fixture(autouse=True)
def _no_worker_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "should_stop", None)


def test_every_worker_has_a_bound() -> None:
    """Celery keeps it for pools of processes; this house for a worker that is one process."""
    assert app.conf.worker_max_memory_per_child == 300_000
    assert "config.memory:MemoryBound" in app.steps["worker"]
    assert bound(solo.TaskPool).enabled
    assert not bound(prefork.TaskPool).enabled
    assert not bound(solo.TaskPool, None).enabled


@pytest.mark.parametrize(("size", "stops"), [(300, None), (301, 0)])
def test_it_ends_well_once_it_is_larger(
    monkeypatch: pytest.MonkeyPatch, size: int, stops: int | None
) -> None:
    monkeypatch.setattr(memory, "resident", lambda: size)
    bound(solo.TaskPool).look(task=None)
    assert state.should_stop is stops


def test_what_is_measured_is_in_kib() -> None:
    before = memory.resident()
    held = bytearray(50_000 * 1024)
    assert 40_000 < memory.resident() - before < 60_000
    assert held
