"""Pictures that other sites show: drawn once, a few a minute for an address, one at a time."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.test import RequestFactory

from collection.drawing import sharing
from collection.errors import PicturesBusy, TooManyPictures
from tests.support.services import wait_until


def ask(key: str, address: str = "203.0.113.1", picture: Any = lambda: b"drawn") -> bytes:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    return sharing.shared_picture(request, key, picture, max_age=60)


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_an_address_has_so_many_drawn_and_reads_what_is_kept() -> None:
    for number in range(sharing.DRAWN_PER_MINUTE):
        assert ask(str(number)) == b"drawn"
    with pytest.raises(TooManyPictures):
        ask("another")
    assert ask("0", picture=pytest.fail) == b"drawn"
    assert ask("another", "203.0.113.2") == b"drawn"


def test_all_addresses_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "DRAWN_BY_ALL_PER_MINUTE", 5)
    for number in range(5):
        ask(str(number), f"203.0.113.{number}")
    with pytest.raises(TooManyPictures):
        ask("another", "203.0.113.9")


def test_one_is_drawn_and_few_wait_for_it() -> None:
    go_on, results, at_work = threading.Event(), [], []

    def slowly() -> bytes:
        at_work.append(1)
        assert go_on.wait(30)
        return b"slow"

    def run() -> None:
        results.append(ask("slow", picture=slowly))

    threads = [threading.Thread(target=run) for _ in range(1 + sharing.MAX_WAITING)]
    for thread in threads:
        thread.start()
    wait_until(lambda: sharing._places._value == 0, (), "Those that wait")
    with pytest.raises(PicturesBusy):
        ask("another")
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert results == [b"slow"] * 3 and at_work == [1], "who waited found it drawn"
    assert ask("another") == b"drawn"
