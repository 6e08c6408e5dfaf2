"""The first moment of a site: many sit down at once in processes that have answered nobody yet.

Whatever a process makes once (links to Redis, the list of games) is made while others ask for it.
A write that was stored must never be answered with an error.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults.sites import Answer, Person, Site

pytestmark = pytest.mark.slow

AT_ONCE = 20


def test_all_who_sit_down_at_once_get_a_table(whole_site: Site) -> None:
    together = threading.Barrier(AT_ONCE)

    def sit_down(_: int) -> Answer:
        person = Person(whole_site)
        home = person.get("/")
        assert home.status == 200, home.body
        together.wait()
        return person.post("/play/quick/", home)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        tables = list(pool.map(sit_down, range(AT_ONCE)))
    assert [table.status for table in tables] == [200] * AT_ONCE
    assert len({table.url for table in tables}) == AT_ONCE
