"""Live updates as server-sent events: "match M is now at ply N", and for a person "counts changed".

A ply is what the listener counts as one: a move that told it nothing makes its stream send nothing,
not even a heartbeat sooner or later. A stream carries nothing else; whoever hears it fetches the
view the ordinary, permission-checked way. The moves in the database are the truth and Redis is only
the bell: a process has one listener on Redis for all its streams, and every heartbeat asks the
database for what a lost bell would have said. While Redis is away the process asks the database
every few seconds instead, and each stream says so: "paused", and "resumed" when the bell is back.
A browser that cannot hold a stream asks the API for the events since its ply instead.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import signal
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import WeakKeyDictionary

import redis.asyncio
import structlog
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.db import close_old_connections
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeout
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.authentication import TokenAuthentication
from matches import bell, queries
from matches.bell import Head
from matches.errors import MatchError

logger = structlog.get_logger(__name__)

HEARTBEAT = 15.0
RECONNECT = 2.0
"""How often Redis is tried again, and the database asked meanwhile."""
SILENCE = 3.0
"""After so long a silence Redis is asked whether it is there, and may take as long to answer."""
SUBSCRIBE_PATIENCE = 2.0
"""How long a new stream waits for the listener; without Redis the heartbeat alone must do."""

_readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="live")

STILL_HERE = ": still here\n\n"
COUNTS_CHANGED = "event: counts\ndata: {}\n\n"
PAUSED = "event: paused\ndata: {}\n\n"
RESUMED = "event: resumed\ndata: {}\n\n"

ANYTHING: Head = (0, 0)
"""What a person's bell says: no more than that it rang."""
NO_NEWS: Head = (-1, -1)
"""What makes a stream look up without any news: updates pause, or go on."""


class Ear:
    """One stream's end of the hub. Only the newest news counts, so it holds one at a time.

    ``user_id`` is whose ear it is, ``version`` what it has heard of last.
    """

    def __init__(self, user_id: int | None = None) -> None:
        self.user_id = user_id
        self.version = -1
        self._news: asyncio.Queue[Head | None] = asyncio.Queue(maxsize=1)

    def tell_of(self, news: bell.News) -> None:
        """Put in where a match stands, if that is new to whose ear it is."""
        head = news.head(self.user_id)
        if head[1] > self.version:
            self.version = head[1]
            self.tell(head)

    def tell(self, news: Head | None) -> None:
        """Put news where the stream finds it; older news that it has not fetched is dropped."""
        if self._news.full() and self._news.get_nowait() is None:
            news = None  # the end stays the end
        self._news.put_nowait(news)

    def nudge(self) -> None:
        """Let the stream look up; news that it has not fetched do that too."""
        if not self._news.full():
            self._news.put_nowait(NO_NEWS)

    async def hear(self) -> Head | None:
        """The next news; None means that the stream is to end. ``TimeoutError`` at a heartbeat."""
        return await asyncio.wait_for(self._news.get(), HEARTBEAT)


class Hub:
    """All streams of a process (strictly: of an event loop) and their one listener on Redis."""

    def __init__(self) -> None:
        self._ears: defaultdict[str, set[Ear]] = defaultdict(set)
        self._tasks: list[asyncio.Task[None]] = []
        self._subscribed = asyncio.Event()
        self.closed = False
        self.paused = False

    async def open(self, channel: str, user_id: int | None = None) -> Ear:
        """An ear on a channel; nothing that rings after this is missed. To be given to `shut`."""
        ear = Ear(user_id)
        self._ears[channel].add(ear)
        if not self._tasks:
            self._begin()
        try:
            await asyncio.wait_for(self._subscribed.wait(), SUBSCRIBE_PATIENCE)
        except TimeoutError:
            pass  # Redis is away
        except asyncio.CancelledError:
            self.shut(channel, ear)
            raise
        if self.closed:
            ear.tell(None)
        return ear

    def shut(self, channel: str, ear: Ear) -> None:
        """The stream is over. When nobody listens any more, Redis is let go."""
        self._ears[channel].discard(ear)
        if not self._ears[channel]:
            del self._ears[channel]
        if not self._ears:
            for task in self._tasks:
                task.cancel()
            self._tasks = []
            self._subscribed.clear()
            self.paused = False

    def close(self) -> None:
        """End all streams: the server is shutting down and would wait for them."""
        self.closed = True
        for ears in self._ears.values():
            for ear in ears:
                ear.tell(None)

    def _begin(self) -> None:
        # A context of their own: they outlive the request that happens to start them.
        nothing = contextvars.Context()
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._listen(), context=nothing),
            loop.create_task(self._look_after(), context=nothing),
        ]

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError) as error:
                if not self.paused:
                    logger.warning("bell_not_heard", error=str(error))
            self._subscribed.clear()
            self._pause(True)
            await self._look()
            await asyncio.sleep(RECONNECT)

    async def _listen_once(self) -> None:
        connection = redis.asyncio.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=SILENCE,
            socket_connect_timeout=SILENCE,
            retry=Retry(NoBackoff(), 0),
        )
        async with connection, connection.pubsub() as pubsub:
            await pubsub.psubscribe(bell.PATTERN)
            asked = True  # to subscribe, which is answered
            while True:
                message = await pubsub.get_message(timeout=SILENCE)
                if message is None:
                    if asked:
                        raise RedisTimeout("Redis does not answer.")
                    await pubsub.ping()
                    asked = True
                    continue
                asked = False
                if message["type"] == "psubscribe":
                    self._pause(False)
                    self._subscribed.set()
                    await self._look()  # what rang while nobody listened
                elif message["type"] == "pmessage":
                    self._tell(message["channel"].decode(), message["data"])

    def _pause(self, paused: bool) -> None:
        """Let all streams know that Redis is away, or back."""
        if paused == self.paused:
            return
        self.paused = paused
        logger.info("live_updates_paused" if paused else "live_updates_resumed")
        for ears in self._ears.values():
            for ear in ears:
                ear.nudge()

    def _tell(self, channel: str, data: bytes) -> None:
        news = bell.News.load(data) if data else None
        for ear in self._ears.get(channel, ()):
            if news is None:
                ear.tell(ANYTHING)
            else:
                ear.tell_of(news)

    async def _look_after(self) -> None:
        """A lost bell is repaired here, a heartbeat later at most."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            await self._look()

    async def _look(self) -> None:
        try:
            await self._tell_from_database()
        except Exception:  # the database may be away for a while; the streams outlive that
            logger.warning("heads_not_read", exc_info=True)

    async def _tell_from_database(self) -> None:
        prefix = bell.match_channel("")
        slugs = [name.removeprefix(prefix) for name in self._ears if name.startswith(prefix)]
        if slugs:
            for slug, news in (await in_thread(queries.heads, slugs)).items():
                for ear in self._ears.get(bell.match_channel(slug), ()):
                    ear.tell_of(news)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
        _close_on_shutdown(loop, _hubs[loop])
    return _hubs[loop]


def _close_on_shutdown(loop: asyncio.AbstractEventLoop, its_hub: Hub) -> None:
    """A server that is told to stop waits for open streams; so they end on the same signal."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if not callable(before):
            continue

        def handle(number: int, frame: Any, before: Callable[..., Any] = before) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(its_hub.close)
            before(number, frame)

        signal.signal(number, handle)


async def in_thread(read: Callable[..., Any], *args: Any) -> Any:
    """Read from the database in one of the few threads that all streams share."""

    def read_here() -> Any:
        close_old_connections()
        try:
            return read(*args)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, read_here)


def _let_go_of_thread() -> None:
    """Give up the thread that Django keeps for a request: a stream lasts for days, idly.

    Django's synchronous middleware has run in it by now; if something needs it once more at the
    end, asgiref makes another one.
    """
    context = SyncToAsync.thread_sensitive_context.get(None)
    if context is not None:
        executor = SyncToAsync.context_to_thread_executor.pop(context, None)
        if executor is not None:
            executor.shutdown(wait=False)


# -- the two streams ------------------------------------------------------------------------------


async def match_events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """``/events/matches/<slug>/``: the ply that a match has reached, now and whenever it moves."""

    def admit() -> int | None:
        viewer = _viewer(request)
        queries.access_match(viewer, slug)
        return viewer.pk

    try:
        user_id = await in_thread(admit)
    except (MatchError, AuthenticationFailed) as error:
        return _refusal(error)
    return _stream(_match_stream(slug, user_id, _last_event_id(request)))


async def my_events(request: HttpRequest) -> HttpResponseBase:
    """``/events/me/``: the counts of a person (tables that wait …) may have changed."""
    try:
        user_id = await in_thread(lambda: _viewer(request).pk)
    except AuthenticationFailed as error:
        return _refusal(error)
    if user_id is None:
        return _problem(401, "Log in (or send a token) to hear about your own tables.")
    return _stream(_my_stream(user_id))


async def _match_stream(slug: str, user_id: int | None, last_ply: int | None) -> AsyncIterator[str]:
    _let_go_of_thread()
    channel = bell.match_channel(slug)
    ear = await hub().open(channel, user_id)
    try:
        yield "retry: 1000\n\n"
        heads: dict[str, bell.News] = await in_thread(queries.heads, [slug])
        now, seen = heads[slug].head(user_id) if slug in heads else (0, 0)
        ear.version = max(ear.version, seen)
        # Before the first move people sit down and leave without the ply changing.
        if now == 0 or now != last_ply:
            yield _event(slug, now)
        paused = False
        while True:
            if paused != hub().paused:
                paused = not paused
                yield PAUSED if paused else RESUMED
            try:
                news = await ear.hear()
            except TimeoutError:
                yield STILL_HERE
                continue
            if news is None:
                return
            now, version = news
            if version > seen:
                seen = version
                yield _event(slug, now)
    finally:
        hub().shut(channel, ear)


async def _my_stream(user_id: int) -> AsyncIterator[str]:
    _let_go_of_thread()
    channel = bell.person_channel(user_id)
    ear = await hub().open(channel)
    try:
        yield "retry: 1000\n\n"
        yield COUNTS_CHANGED
        paused = False
        while True:
            if paused != hub().paused:
                paused = not paused
                yield PAUSED if paused else RESUMED
                if not paused:
                    yield COUNTS_CHANGED
            try:
                news = await ear.hear()
            except TimeoutError:
                yield STILL_HERE
                continue
            if news is None:
                return
            if news != NO_NEWS:
                yield COUNTS_CHANGED
    finally:
        hub().shut(channel, ear)


def _event(slug: str, ply: int) -> str:
    data = json.dumps({"match": slug, "ply": ply})
    return f"id: {ply}\nevent: ply\ndata: {data}\n\n"


def _stream(content: AsyncIterator[str]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        content,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


def _refusal(error: MatchError | AuthenticationFailed) -> HttpResponse:
    if isinstance(error, MatchError):
        return _problem(error.status, error.detail, error.title, f"/api/problems/{error.code}/")
    return _problem(401, str(error.detail))


def _problem(
    status: int, detail: str, title: str = "Not logged in", kind: str = "about:blank"
) -> JsonResponse:
    """A problem document; the streams are no part of REST framework, which makes the API's."""
    return JsonResponse(
        {"type": kind, "title": title, "status": status, "detail": detail},
        status=status,
        content_type="application/problem+json",
    )


def _viewer(request: HttpRequest) -> queries.Viewer:
    """Whoever asks: by session as browsers do, or by token as programs do."""
    if "Authorization" in request.headers:
        found = TokenAuthentication().authenticate(Request(request))
        if found is not None:
            return found[0]
    user: queries.Viewer = request.user
    return user


def _last_event_id(request: HttpRequest) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isdecimal() and len(text) < 10 else None
