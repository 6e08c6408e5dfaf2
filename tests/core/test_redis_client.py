"""The connections to Redis of a process: made once, and left alone while Redis is away."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from core import redis_client
from core.redis_client import Link, RedisUnavailable, link
from tests.support.services import Services

pytestmark = pytest.mark.embedded

AT_ONCE = 20


@pytest.fixture(autouse=True)
def _a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No link has been made yet."""
    monkeypatch.setattr(redis_client, "_links", {})


def start_at_once(do: Any) -> list[Any]:
    """The results of many threads that begin at the same moment."""
    barrier = threading.Barrier(AT_ONCE)
    rows: list[Any] = []

    def begin() -> None:
        barrier.wait()
        rows.append(do())

    threads = [threading.Thread(target=begin) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return rows


class Counted:
    """Counts the pools that are made and closed; making one takes a moment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made, self.closed = 0, 0
        make, close = redis.ConnectionPool.from_url, redis.ConnectionPool.disconnect

        def made(*args: Any, **kwargs: Any) -> Any:
            self.made += 1
            threading.Event().wait(0.02)  # the others come meanwhile
            return make(*args, **kwargs)

        def closed(pool: Any, *args: Any, **kwargs: Any) -> Any:
            self.closed += 1
            return close(pool, *args, **kwargs)

        monkeypatch.setattr(redis.ConnectionPool, "from_url", made)
        monkeypatch.setattr(redis.ConnectionPool, "disconnect", closed)


def test_twenty_threads_of_a_new_process_share_one_pool(
    monkeypatch: pytest.MonkeyPatch, services: Services
) -> None:
    if not services.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")
    counted = Counted(monkeypatch)
    assert start_at_once(lambda: link().answers()) == [True] * AT_ONCE
    assert (counted.made, counted.closed) == (1, 0)
    assert len(set(start_at_once(link))) == 1


def test_a_forked_process_has_its_own(services: Services) -> None:
    if not services.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")
    ours = link()
    assert ours.answers()
    with redis_client._making:  # another thread is just making one
        child = os.fork()
        if not child:
            fine = redis_client._links == {} and link() is not ours and link().answers()
            os._exit(0 if fine else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert link() is ours
    assert ours.answers()


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[socket.socket]:
    """A server that takes connections and answers nothing, as a frozen one does."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen(50)
        yield server


def test_only_the_first_call_waits(silent: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_client, "TIMEOUT", 0.05)
    away = Link(f"unix://{silent.getsockname()}")
    assert not away.answers()
    silent.close()  # whoever asked again would meet another error
    for _ in range(50):
        with pytest.raises(RedisUnavailable, match="a moment ago"), away.guarded():
            raise AssertionError("It was asked.")


def test_one_call_at_a_time_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(redis_client.time, "monotonic", lambda: now)
    away = Link("unix:///nowhere/redis.sock")
    assert not away.answers()
    rows: list[int] = []

    def ping(number: int) -> None:
        rows.append(number)
        raise redis.ConnectionError

    for moment, may_ask in ((100.1, False), (102.9, False), (103.1, True), (103.2, False)):
        now = moment
        monkeypatch.setattr(away.client, "ping", lambda moment=moment: ping(moment))
        assert not away.answers()
        assert (moment in rows) == may_ask
    now = 110.0
    monkeypatch.setattr(away.client, "ping", lambda: True)
    assert away.answers()
    now = 110.1
    assert away.answers()


def test_a_question_that_redis_refuses_is_answered_by_nobody() -> None:
    """No memory, a full disk: it is there, and the next question may be answered."""
    link_result = Link("unix:///nowhere/redis.sock")
    with pytest.raises(RedisUnavailable), link_result.guarded():
        raise redis.exceptions.OutOfMemoryError("OOM")
    with link_result.guarded():
        pass


def test_errors_of_ours_are_not_taken_for_a_silent_redis() -> None:
    link_result = Link("unix:///nowhere/redis.sock")
    with pytest.raises(ValueError, match="ours"), link_result.guarded():
        raise ValueError("ours")
    with link_result.guarded():
        pass
