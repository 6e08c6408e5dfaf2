"""The cache: JSON in Redis, and each process's own memory while Redis is away."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.test import Client

from config.cache import JSONSerializer
from core.redis_client import link
from tests.support.services import Services

pytestmark = pytest.mark.embedded


@pytest.fixture(autouse=True)
def _needs_redis(services: Services) -> None:
    if not services.has_redis:
        pytest.skip("Needs a Redis or Valkey server.")


@pytest.fixture
def away(settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock"


VALUES = [0, 7, -3, True, False, None, 1.5, "", "words", [1.25, 2.5], {"a": [1, None]}]


@pytest.mark.parametrize("value", VALUES)
def test_what_goes_in_comes_out(value: Any) -> None:
    cache.set("key", value, 60)
    assert cache.get("key", "nothing") == value
    assert type(cache.get("key", "nothing")) is type(value)


def test_redis_holds_no_pickles() -> None:
    for number, value in enumerate(VALUES):
        cache.set(f"key-{number}", value, 60)
    client = link().client
    stored = [client.get(key) for key in client.keys("riffle:*")]
    assert len(stored) == len(VALUES)
    for text in stored:
        json.loads(text)  # type: ignore[arg-type]


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("A pickle was opened.",)


def test_a_pickle_is_not_opened() -> None:
    with pytest.raises(ValueError):
        JSONSerializer().loads(pickle.dumps(Evil()))
    with pytest.raises(TypeError):
        cache.set("key", Evil(), 60)


@pytest.mark.usefixtures("away")
def test_everything_goes_on_without_redis() -> None:
    cache.clear()
    assert cache.get("key", "nothing") == "nothing"
    assert cache.add("key", 1, 60)
    assert not cache.add("key", 2, 60)
    assert cache.incr("key") == 2
    assert cache.decr("key") == 1
    with pytest.raises(ValueError):
        cache.incr("another")
    cache.set("key", [1.5], 60)
    assert cache.touch("key", 60)
    assert "key" in cache
    cache.set_many({"a": 1, "b": 2}, 60)
    assert cache.get_many(["a", "b", "c"]) == {"a": 1, "b": 2}
    cache.delete_many(["a"])
    assert cache.get("a") is None
    assert cache.delete("b")
    assert cache.get_or_set("c", lambda: 3, 60) == 3


def test_what_was_counted_without_redis_does_not_come_up_later(settings: Any) -> None:
    redis_url = settings.REDIS_URL
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    cache.set("key", 5, 60)
    settings.REDIS_URL = redis_url
    assert cache.get("key") is None


@pytest.mark.django_db
@pytest.mark.usefixtures("away")
def test_passwords_cannot_be_guessed_without_end_while_redis_is_away(client: Client) -> None:
    cache.clear()
    guess = {"login": "ann", "password": "not-hers"}
    answers = [client.post("/account/login/", guess).status_code for _ in range(40)]
    assert 500 not in answers
    text = client.post("/account/login/", guess).content.decode()
    assert answers[-1] == 429 or "Too many" in text


@pytest.mark.django_db
@pytest.mark.usefixtures("away")
def test_guests_are_counted_while_redis_is_away(client: Client) -> None:
    from accounts.services.guests import GUESTS_PER_HOUR

    cache.clear()
    answers = [client.post("/api/guests/").status_code for _ in range(GUESTS_PER_HOUR + 1)]
    assert answers == [201] * GUESTS_PER_HOUR + [429]
    cache.clear()


def test_a_restarted_redis_is_used_at_once(services: Services) -> None:
    """Connections from before are dead; nobody notices."""
    cache.set("key", "kept", 60)
    link().client.client_kill_filter(skipme=False)
    assert cache.get("key") == "kept"
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url("unix:///nowhere/redis.sock").ping()


def counts_up_to_its_end() -> None:
    assert [cache.count("calls", 60)[0] for _ in range(3)] == [1, 2, 3]
    _, left = cache.count("calls", 600)
    assert 0 < left <= 60
    assert cache.count("others", 60)[0] == 1


def test_a_counter_ends_when_its_first_count_does() -> None:
    counts_up_to_its_end()
    (key,) = link().client.keys("riffle:*calls")
    link().client.expire(key, 0)
    assert cache.count("calls", 600) == (1, pytest.approx(600, abs=60))


@pytest.mark.usefixtures("away")
def test_a_counter_counts_without_redis() -> None:
    cache.clear()
    counts_up_to_its_end()
