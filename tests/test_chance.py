"""The chance that tests meet is the same each time, so that what fails once can be looked at."""

from __future__ import annotations

import random
import secrets
import threading

import pytest

DRAWN: list[bytes] = []


@pytest.mark.parametrize("test", ["one", "another"])
def test_a_test_and_its_threads_draw_from_a_source_of_its_own(
    test: str, request: pytest.FixtureRequest
) -> None:
    number = request.config.getoption("--chance")
    source = random.Random(f"{number} {request.node.nodeid}")
    here = [secrets.token_bytes(8)]
    thread = threading.Thread(target=lambda: here.append(secrets.token_bytes(8)))
    thread.start()
    thread.join()
    assert here == [source.randbytes(8), source.randbytes(8)]
    DRAWN.extend(here)
    assert len(set(DRAWN)) == len(DRAWN)
