"""The cache: in Redis, as JSON, and in the process's own memory while Redis is away.

It holds counters (how often somebody tried to log in, asked the API, became a guest) and marks that
work is under way. While Redis is away every process counts by itself, from zero: limits hold, each
process having its own, rather than that nobody is let in or everybody is.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, cast

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from core.redis_client import RedisUnavailable, link

MAX_ENTRIES = 20_000
_COUNT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
"""


class JSONSerializer:
    """Whoever can write to Redis can make us read data, but not run code (as with pickles)."""

    def dumps(self, value: Any) -> int | bytes:
        # Redis itself counts integers up.
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class LinkedClient(RedisCacheClient):
    """Django's client on the connections that all of the process shares."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return link().client


def _guarded(name: str) -> Callable[..., Any]:
    """The cache's method on Redis, else the same on the process's own memory."""

    def method(self: Cache, *args: Any, **kwargs: Any) -> Any:
        try:
            with link().guarded():
                return getattr(super(Cache, self), name)(*args, **kwargs)
        except RedisUnavailable:
            return getattr(self.fallback, name)(*args, **kwargs)

    return method


class Cache(RedisCache):
    """Django's cache in Redis that goes on without Redis."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = params.get("OPTIONS", {}) | {"serializer": JSONSerializer}
        super().__init__(server, params | {"OPTIONS": options})
        self._class = LinkedClient
        self.fallback = LocMemCache(
            "while-redis-is-away", params | {"OPTIONS": {"MAX_ENTRIES": MAX_ENTRIES}}
        )

    def count(self, key: str, seconds: int) -> tuple[int, float]:
        """One more under this key: how many there are now, and for how many seconds they count.

        That is one question, and the time begins with the first of them.
        """
        try:
            with link().guarded() as client:
                reply = client.eval(_COUNT, 1, self.make_and_validate_key(key), seconds)
                count, milliseconds = cast("list[int]", reply)
                return count, milliseconds / 1000
        except RedisUnavailable:
            count, ends = self.fallback.get(key) or (0, time.time() + seconds)
            left = max(ends - time.time(), 0.0)
            self.fallback.set(key, (count + 1, ends), left)
            return count + 1, left

    add = _guarded("add")
    get = _guarded("get")
    set = _guarded("set")
    touch = _guarded("touch")
    delete = _guarded("delete")
    get_many = _guarded("get_many")
    has_key = _guarded("has_key")
    incr = _guarded("incr")
    set_many = _guarded("set_many")
    delete_many = _guarded("delete_many")
    clear = _guarded("clear")
