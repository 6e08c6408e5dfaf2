"""The first layer of each request, in the event loop: pure ASGI, without a thread.

It answers ``/healthz`` itself, reads bodies (`config.bodies`) and refuses those that are too large,
too slow or not wanted; only a whole request is given to a thread (`config.wsgi_pool`) or to the
streams. docs/decisions/0007-a-gateway-before-the-threads.md says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpResponse

from config import errors, health, metrics
from config.bodies import WITHOUT_BODY, Bodies, Body, Disconnected, Refused, body_limit
from config.compiled_engine import engine_build
from config.errors import EVENTS_PREFIX
from config.wsgi_pool import Answer, Busy, Receive, Scope, Send, WsgiPool, encoded, send_answer

log = structlog.get_logger("riffle.gateway")

App = Callable[[Any, Any, Any], Awaitable[None]]

PROBES = {"/readyz", "/metrics"}
LINGER_SECONDS = 2.0


class Gateway:
    """The whole site as one ASGI application."""

    def __init__(self, events: App, wsgi: Any) -> None:
        self._events = events
        self.bodies = Bodies()
        self.pages = WsgiPool(wsgi, settings.WEB_THREADS, settings.WEB_QUEUE, "page")
        # Of their own, so that they answer while every page's thread is busy.
        self.probes = WsgiPool(wsgi, 2, 8, "probe")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"] == "/healthz":
            await send_answer(_answer(health.healthz()), send)
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = None
        try:
            if _may_have_body(scope):
                body = await self._read(scope, receive)
            if scope["path"].startswith(EVENTS_PREFIX):
                await self._events(scope, _after_body(receive) if body else receive, send)
            else:
                await send_answer(await self._page(scope, body), send, receive)
        except Refused as refused:
            await send_answer(_refusal(scope, refused), _then_drain(scope, receive, send))
        except Busy:
            await send_answer(_refusal(scope, Refused(503)), send)
        except (Disconnected, OSError) as gone:  # a reader's time being up is an OSError, too
            log.info("other side gone", path=scope["path"], error=repr(gone))
        finally:
            if body:
                self.bodies.release(body)

    async def _read(self, scope: Scope, receive: Receive) -> Body:
        limit = body_limit(scope["method"], scope["path"])
        if _length(scope) > limit:
            raise Refused(413, limit)
        return await self.bodies.read(receive, limit)

    async def _page(self, scope: Scope, body: Body | None) -> Answer:
        if scope["path"] not in PROBES:
            return await self.pages.answer(scope, body)
        try:
            async with asyncio.timeout(settings.PROBE_SECONDS):
                return await self.probes.answer(scope, body)
        except (TimeoutError, Busy):
            return _answer(health.not_in_time())


def _may_have_body(scope: Scope) -> bool:
    """In HTTP/1 a request without these headers has none, and most requests are such."""
    if scope["method"] not in WITHOUT_BODY or not scope["http_version"].startswith("1"):
        return True
    return any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"])


def _length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            try:
                return int(value)
            except ValueError:
                raise Refused(400) from None
    return 0


def _after_body(receive: Receive) -> Receive:
    """The channel after an (empty) body has been read; it then tells only of a disconnect."""
    body_sent = False

    async def next_message() -> dict[str, Any]:
        nonlocal body_sent
        if body_sent:
            return await receive()
        body_sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return next_message


def _answer(response: HttpResponse) -> Answer:
    return Answer(response.status_code, encoded(response.items()), response.content).with_length()


def _refusal(scope: Scope, refused: Refused) -> Answer:
    method = metrics.method_label(scope["method"])
    metrics.REQUESTS.labels(method, "gateway", refused.status).inc()
    log.info("refused", method=method, path=scope["path"], status=refused.status)
    answer = _answer(errors.at_the_door(scope["path"], refused.status, refused.limit))
    return answer._replace(first=b"") if method == "HEAD" else answer


def _then_drain(scope: Scope, receive: Receive, send: Send) -> Send:
    """Sends a whole answer before its end, and in between throws away what is still coming.

    A connection that is closed on bytes nobody has read is reset, and a browser that is still
    sending would show that instead of the answer.
    """

    async def send_it(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            # Without a length, or the server takes the answer for ended with its last byte.
            headers = [line for line in message["headers"] if line[0] != b"content-length"]
            message["headers"] = [*headers, (b"connection", b"close")]
        elif not message.get("more_body"):
            await send(message | {"more_body": True})
            # Who waits to be told to go on has sent nothing yet.
            if not any(name == b"expect" for name, _ in scope["headers"]):
                await _drain(receive)
            message = {"type": "http.response.body", "body": b""}
        await send(message)

    return send_it


async def _drain(receive: Receive) -> None:
    left = max(settings.BODY_LIMITS.values())
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    return
    except TimeoutError:
        pass


async def _lifespan(receive: Receive, send: Send) -> None:
    """Nothing to start or stop, but servers ask."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            log.info("web_started", engine=engine_build())
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
