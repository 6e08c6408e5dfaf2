"""Live updates as server-sent events: "match M is now at ply N", and for a person "counts changed".

At a table, "talk" says that there is a new line of chat, to whoever may read it, and "watchers" how
many others look on (null where that is not known).

A ply is what the listener counts as one: a move that is hidden from it makes its stream send
nothing, not even a heartbeat sooner or later. A stream carries nothing else; whoever hears it
fetches the view the ordinary, permission-checked way. The moves in the database are the truth and
Redis is only the bell: a process has one listener on Redis for all its streams, and every heartbeat
asks the database for what a lost bell would have said. While Redis is away the process asks the
database every few seconds instead, and each stream says so: "paused", and "resumed" when the bell
is back. A browser that cannot hold a stream asks the API for the events since its ply instead.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import signal
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import WeakKeyDictionary

import redis.asyncio
import structlog
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeout
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.authentication import TokenAuthentication
from accounts.bell import person_channel
from accounts.errors import NotLoggedIn
from matches import bell, queries, talk, watching
from matches.bell import VisibleProgress

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
TALK = "event: talk\ndata: {}\n\n"
COUNTS_CHANGED = "event: counts\ndata: {}\n\n"
LOBBY_CHANGED = "event: lobby\ndata: {}\n\n"
PAUSED = "event: paused\ndata: {}\n\n"
RESUMED = "event: resumed\ndata: {}\n\n"

NOTHING_YET = VisibleProgress(0, 0)
ANYTHING = NOTHING_YET
"""What a person's bell says: no more than that it rang."""
WAKE = VisibleProgress(-1, -1)
"""What wakes a stream although no match moved: updates pause, or go on."""


class Subscriber:
    """One stream's end of the hub. Only the newest update counts, so it holds one at a time.

    ``user_id`` is who listens, ``version`` the last one that was put in. ``line`` is the newest
    line of chat that it knows of; ``talk`` says that the stream has not told of it yet.
    ``watcher`` is what somebody who looks on is counted by (``watching.watcher_of``), ``watchers``
    how many others do; ``counted`` says that the stream has not told of that yet.
    """

    def __init__(self, user_id: int | None = None, watcher: str | None = None) -> None:
        self.user_id = user_id
        self.watcher = watcher
        self.watchers: int | None = None
        self.counted = False
        self.version = -1
        self.line = 0
        self.talk = False
        self._pending: asyncio.Queue[VisibleProgress | None] = asyncio.Queue(maxsize=1)

    @property
    def counts(self) -> bool:
        """It is to hear how many look on."""
        return self.watcher is not None

    def notify(self, update: bell.MatchUpdate) -> None:
        """Put in where a match stands, if that is new to who listens."""
        progress = update.visible_to(self.user_id)
        if progress.version > self.version:
            self.version = progress.version
            self.put(progress)

    def notify_talk(self, line: int) -> None:
        """There is a line of chat. No move is displaced by it."""
        self.line = max(self.line, line)
        self.talk = True
        self.wake()

    def notify_watchers(self, found: int | None) -> None:
        """So many look on, this one included."""
        others = found - 1 if found and self.watcher else found
        if others != self.watchers:
            self.watchers = others
            self.counted = True
            self.wake()

    def put(self, update: VisibleProgress | None) -> None:
        """Put an update where the stream finds it, in the place of an older one."""
        if self._pending.full() and self._pending.get_nowait() is None:
            update = None  # the end stays the end
        self._pending.put_nowait(update)

    def wake(self) -> None:
        """Let the stream look up; an update that it has not fetched does that too."""
        if not self._pending.full():
            self._pending.put_nowait(WAKE)

    async def next_update(self) -> VisibleProgress | None:
        """The next update; None ends the stream. ``TimeoutError`` at a heartbeat."""
        return await asyncio.wait_for(self._pending.get(), HEARTBEAT)


class Hub:
    """All streams of a process (strictly: of an event loop) and their one listener on Redis."""

    def __init__(self) -> None:
        self._subscribers: defaultdict[str, set[Subscriber]] = defaultdict(set)
        self._tasks: list[asyncio.Task[None]] = []
        self._subscribed = asyncio.Event()
        self.closed = False
        self.paused = False

    async def subscribe(
        self,
        channel: str,
        user_id: int | None = None,
        chats: Sequence[str] = (),
        watcher: str | None = None,
    ) -> Subscriber:
        """A subscriber to a channel, and to those of chats; nothing that rings then is missed.

        It is to be given to `unsubscribe` at the end, with the same channels. ``watcher`` is empty
        for a player, who only hears how many look on, and None where they are not counted.
        """
        subscriber = Subscriber(user_id, watcher)
        for name in (channel, *chats):
            self._subscribers[name].add(subscriber)
        if not self._tasks:
            self._begin()
        try:
            await asyncio.wait_for(self._subscribed.wait(), SUBSCRIBE_PATIENCE)
        except TimeoutError:
            pass  # Redis is away
        except asyncio.CancelledError:
            self.unsubscribe(channel, subscriber, chats)
            raise
        if self.closed:
            subscriber.put(None)
        return subscriber

    def unsubscribe(self, channel: str, subscriber: Subscriber, chats: Sequence[str] = ()) -> None:
        """The stream is over. When nobody listens any more, Redis is let go."""
        for name in (channel, *chats):
            self._subscribers[name].discard(subscriber)
            if not self._subscribers[name]:
                del self._subscribers[name]
        if not self._subscribers:
            for task in self._tasks:
                task.cancel()
            self._tasks = []
            self._subscribed.clear()
            self.paused = False

    def close(self) -> None:
        """End all streams: the server is shutting down and would wait for them."""
        self.closed = True
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                subscriber.put(None)

    def _begin(self) -> None:
        # A context of their own: they outlive the request that happens to start them.
        nothing = contextvars.Context()
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._listen(), context=nothing),
            loop.create_task(self._look_after(), context=nothing),
            loop.create_task(self._count_on(), context=nothing),
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
                    self._notify(message["channel"].decode(), message["data"])

    def _pause(self, paused: bool) -> None:
        """Let all streams know that Redis is away, or back."""
        if paused == self.paused:
            return
        self.paused = paused
        logger.info("live_updates_paused" if paused else "live_updates_resumed")
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                subscriber.wake()

    def _notify(self, channel: str, data: bytes) -> None:
        if channel.startswith(bell.TALK_PREFIX):
            for subscriber in self._subscribers.get(channel, ()):
                subscriber.notify_talk(int(data))
            return
        update = bell.MatchUpdate.load(data) if data else None
        for subscriber in self._subscribers.get(channel, ()):
            if update is None:
                subscriber.put(ANYTHING)
            else:
                subscriber.notify(update)

    async def _look_after(self) -> None:
        """A lost bell is repaired here, a heartbeat later at most."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            await self._look()

    async def _count_on(self) -> None:
        """Say now and again who looks on here, and hear how many do in all: by the clock alone."""
        while True:
            await asyncio.sleep(watching.EVERY)
            try:
                await self.count_all()
            except Exception:  # whatever it is, it may be over in a moment
                logger.warning("watchers_not_counted", exc_info=True)

    async def count_all(self) -> None:
        """The same for all tables to which somebody listens here."""
        prefix = bell.match_channel("")
        listening = {
            name.removeprefix(prefix): [one for one in some if one.counts]
            for name, some in self._subscribers.items()
            if name.startswith(prefix)
        }
        await count_watchers({slug: some for slug, some in listening.items() if some})

    async def _look(self) -> None:
        try:
            await self._notify_from_database()
        except Exception:  # the database may be away for a while; the streams outlive that
            logger.warning("matches_not_read", exc_info=True)

    async def _notify_from_database(self) -> None:
        prefix = bell.match_channel("")
        slugs = [name.removeprefix(prefix) for name in self._subscribers if name.startswith(prefix)]
        if slugs:
            for slug, update in (await in_thread(queries.match_updates, slugs)).items():
                for subscriber in self._subscribers.get(bell.match_channel(slug), ()):
                    subscriber.notify(update)
            for (slug, room), line in (await in_thread(talk.last_lines, slugs)).items():
                for subscriber in self._subscribers.get(bell.talk_channel(slug, room), ()):
                    if line > subscriber.line:
                        subscriber.notify_talk(line)


async def count_watchers(listening: Mapping[str, Collection[Subscriber]]) -> None:
    """Count who looks on at some tables, and let those know who listen there."""
    there = {slug: {one.watcher for one in some if one.watcher} for slug, some in listening.items()}
    found = await in_thread(watching.stay, there) if there else {}
    for slug, some in listening.items():
        for subscriber in some:
            subscriber.notify_watchers(found.get(slug))


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
    """``/events/matches/<slug>/``: the ply that a match has reached, now and whenever it moves.

    ``talk`` says that there is a line of chat that this listener may read, ``watchers`` how many
    others are watching.
    """

    def admit() -> tuple[int | None, list[str], str | None]:
        viewer = _viewer(request)
        match = queries.access_match(viewer, slug)
        rooms: list[str] = [*talk.readable_rooms(match, viewer)]
        counted = watching.is_counted(match)
        watcher = watching.watcher_of(request, match, viewer) if counted else None
        return viewer.pk, rooms, watcher

    user_id, rooms, watcher = await in_thread(admit)
    return _stream(_match_stream(slug, user_id, rooms, watcher, _last_event_id(request)))


async def my_events(request: HttpRequest) -> HttpResponseBase:
    """``/events/me/``: the counts of a person (tables that wait …) may have changed."""
    user_id = await in_thread(lambda: _viewer(request).pk)
    if user_id is None:
        raise NotLoggedIn("Log in (or send a token) to hear of your own tables.")
    return _stream(_bell_stream(person_channel(user_id), COUNTS_CHANGED))


async def lobby_events(request: HttpRequest) -> HttpResponseBase:
    """``/events/lobby/``: the tables of the lobby may have changed."""
    return _stream(_bell_stream(bell.LOBBY, LOBBY_CHANGED))


async def _match_stream(
    slug: str,
    user_id: int | None,
    rooms: Sequence[str],
    watcher: str | None,
    last_ply: int | None,
) -> AsyncIterator[str]:
    _let_go_of_thread()
    channel = bell.match_channel(slug)
    chats = [bell.talk_channel(slug, room) for room in rooms]
    subscriber = await hub().subscribe(channel, user_id, chats, watcher)
    try:
        yield "retry: 1000\n\n"
        if subscriber.counts:
            await count_watchers({slug: [subscriber]})
            subscriber.counted = True
            subscriber.wake()
        found: dict[str, bell.MatchUpdate] = await in_thread(queries.match_updates, [slug])
        now, seen = found[slug].visible_to(user_id) if slug in found else NOTHING_YET
        subscriber.version = max(subscriber.version, seen)
        newest: dict[tuple[str, str], int] = await in_thread(talk.last_lines, [slug])
        lines = [line for (_, room), line in newest.items() if room in rooms]
        subscriber.line = max(subscriber.line, *lines, 0)
        # Before the first move people sit down and leave without the ply changing.
        if now == 0 or now != last_ply:
            yield _event(slug, now)
        paused = False
        while True:
            if paused != hub().paused:
                paused = not paused
                yield PAUSED if paused else RESUMED
            try:
                update = await subscriber.next_update()
            except TimeoutError:
                yield STILL_HERE
                continue
            if update is None:
                return
            if subscriber.talk:
                subscriber.talk = False
                yield TALK
            if subscriber.counted:
                subscriber.counted = False
                yield _watchers(subscriber.watchers)
            now, version = update
            if version > seen:
                seen = version
                yield _event(slug, now)
    finally:
        hub().unsubscribe(channel, subscriber, chats)


async def _bell_stream(channel: str, rang: str) -> AsyncIterator[str]:
    """A stream that says no more than that its bell rang; and so at the beginning."""
    _let_go_of_thread()
    subscriber = await hub().subscribe(channel)
    try:
        yield "retry: 1000\n\n"
        yield rang
        paused = False
        while True:
            if paused != hub().paused:
                paused = not paused
                yield PAUSED if paused else RESUMED
                if not paused:
                    yield rang
            try:
                update = await subscriber.next_update()
            except TimeoutError:
                yield STILL_HERE
                continue
            if update is None:
                return
            if update != WAKE:
                yield rang
    finally:
        hub().unsubscribe(channel, subscriber)


def _event(slug: str, ply: int) -> str:
    data = json.dumps({"match": slug, "ply": ply})
    return f"id: {ply}\nevent: ply\ndata: {data}\n\n"


def _watchers(count: int | None) -> str:
    return f"event: watchers\ndata: {json.dumps({'watchers': count})}\n\n"


def _stream(content: AsyncIterator[str]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        content,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


def _viewer(request: HttpRequest) -> queries.Viewer:
    """Whoever asks: by session as browsers do, or by token as programs do."""
    if "Authorization" in request.headers:
        try:
            found = TokenAuthentication().authenticate(Request(request))
        except AuthenticationFailed as error:
            raise NotLoggedIn(str(error.detail)) from error
        if found is not None:
            return found[0]
    user: queries.Viewer = request.user
    return user


def _last_event_id(request: HttpRequest) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isdecimal() and len(text) < 10 else None
