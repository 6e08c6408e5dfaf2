"""How large a request's body may be, and the reading of bodies before a thread is given to them.

A body is read in the event loop, where waiting costs no thread. It has a size by its address, a
time that grows with what has come, and a place among the few hundred that a process reads at once;
where there is no room the one that has been coming for longest has to go, so that half-sent bodies
never keep out whole ones.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings

from config.errors import API_PREFIX, EVENTS_PREFIX

WITHOUT_BODY = {"GET", "HEAD", "OPTIONS", "TRACE"}

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Refused(Exception):
    """The body is not taken: an HTTP status and, for 413, the limit."""

    def __init__(self, status: int, limit: int = 0) -> None:
        self.status = status
        self.limit = limit


class Disconnected(Exception):
    """Whoever sent it has gone."""


def body_limit(method: str, path: str) -> int:
    """How many bytes of a body are taken there; 0 means none at all."""
    if method in WITHOUT_BODY or path.startswith(EVENTS_PREFIX):
        return 0
    for addresses, limit in settings.BODY_LIMITS.items():
        if re.fullmatch(addresses, path):
            return int(limit)
    if path.startswith(API_PREFIX):
        return settings.API_BODY_LIMIT
    return settings.PAGE_BODY_LIMIT


class Body:
    """One body; its bytes count as held until `Bodies.release`."""

    def __init__(self) -> None:
        self.file = io.BytesIO()
        self.size = 0
        self.deadline: asyncio.Timeout | None = None
        self.evicted = False


class Bodies:
    """All bodies of a process: how many are being read, and how many bytes are held."""

    def __init__(self) -> None:
        self._reading: dict[Body, None] = {}  # the oldest first
        self.held = 0

    @property
    def being_read(self) -> int:
        return len(self._reading)

    async def read(self, receive: Receive, limit: int) -> Body:
        """The whole body, to be given to `release` once it has been answered.

        Raises `Refused` (408, 413, 503) or `Disconnected`, and then holds nothing.
        """
        body = Body()
        while len(self._reading) >= settings.BODIES_AT_ONCE:
            self._evict(next(iter(self._reading)))
        self._reading[body] = None
        try:
            async with asyncio.timeout(settings.BODY_SECONDS) as body.deadline:
                await self._fill(body, body.deadline, receive, limit)
        except BaseException as error:
            self.release(body)
            if isinstance(error, TimeoutError):
                raise Refused(503 if body.evicted else 408) from None
            raise
        finally:
            self._reading.pop(body, None)
        body.file.seek(0)
        return body

    async def _fill(
        self, body: Body, deadline: asyncio.Timeout, receive: Receive, limit: int
    ) -> None:
        began = asyncio.get_running_loop().time()
        more = True
        while more:
            message = await receive()
            if body.evicted:  # between its last bytes and their being looked at
                raise Refused(503)
            if message["type"] != "http.request":
                raise Disconnected
            chunk = message.get("body", b"")
            if body.size + len(chunk) > limit:
                raise Refused(413, limit)
            self._hold(body, chunk)
            more = message.get("more_body", False)
            deadline.reschedule(began + settings.BODY_SECONDS + body.size / settings.BODY_RATE)

    def _hold(self, body: Body, chunk: bytes) -> None:
        while self.held + len(chunk) > settings.BODIES_MEMORY:
            oldest = next(iter(self._reading))
            if oldest is body:  # all the rest is whole and about to be answered
                raise Refused(503)
            self._evict(oldest)
        body.file.write(chunk)
        body.size += len(chunk)
        self.held += len(chunk)

    def _evict(self, body: Body) -> None:
        body.evicted = True
        del self._reading[body]
        self.release(body)
        if body.deadline and not body.deadline.expired():
            body.deadline.reschedule(asyncio.get_running_loop().time())

    def release(self, body: Body) -> None:
        """Its bytes are no longer needed. May be said twice."""
        self.held -= body.size
        body.size = 0
        body.file.close()
