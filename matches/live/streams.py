"""Live updates as server-sent events: "match M is now at ply N", and for a person "counts changed".

At a table, "talk" says that there is a new line of chat, to whoever may read it, and "watchers" how
many others look on (null where that is not known).

A browser holds one stream for all of its tabs: ``/events/me/`` with the tables that they show.
Programs listen to one table at ``/events/matches/<slug>/``.

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
import contextlib
import contextvars
import json
import re
import signal
import threading
from collections import defaultdict
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self
from weakref import WeakKeyDictionary

import redis.asyncio
import structlog
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from prometheus_client import Gauge
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeout
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.authentication import TokenAuthentication
from accounts.models import Viewer
from core.bell import page_channel, person_channel
from core.errors import NotLoggedIn
from matches.errors import Malformed, MatchError, NotAllowed, UnknownMatch
from matches.live import bell, watching
from matches.live.bell import VisibleProgress
from matches.queries import talk
from matches.queries.access import access_match
from matches.queries.updates import match_updates

logger = structlog.get_logger(__name__)

HEARTBEAT = 15.0
RECONNECT = 2.0
"""How often Redis is tried again, and the database asked meanwhile."""
SILENCE = 3.0
"""After so long a silence Redis is asked whether it is there, and may take as long to answer."""
SUBSCRIBE_TIMEOUT = 2.0
"""How long a new stream waits for the listener; without Redis the heartbeat alone must do."""

_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,50}")
_PAGE = re.compile(r"[a-z]{1,20}/[-a-zA-Z0-9_]{1,50}")
_readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="live")

STILL_HERE = ": still here\n\n"
COUNTS_CHANGED = "event: counts\ndata: {}\n\n"
LOBBY_CHANGED = "event: lobby\ndata: {}\n\n"
PAUSED = "event: paused\ndata: {}\n\n"
RESUMED = "event: resumed\ndata: {}\n\n"
RETRY = "retry: 1000\n\n"

NOTHING_YET = VisibleProgress(0, 0)
ANYTHING = NOTHING_YET
"""A person's update, without content."""
MAX_TABLES = 50
"""So many tables a stream carries; admitting each costs a few queries."""
MAX_PAGES = 10

OPEN_STREAMS = Gauge(
    "riffle_live_streams", "Live streams that are open", multiprocess_mode="livesum"
)


class Subscriber:
    """The newest update of one channel for one stream.

    ``user_id`` is who listens, ``version`` the last one that was put in. ``line`` is the newest
    line of chat that it knows of; ``talk`` says that the stream has not told of it yet.
    ``watcher`` is what somebody who looks on is counted by (``watching.watcher_of``; empty for a
    player, who only hears how many look on, and None where they are not counted), ``watchers``
    how many others do; ``counted`` says that the stream has not told of that yet. ``woken`` is set
    whenever there is something for the stream, which may share it among several subscribers.
    """

    def __init__(
        self,
        user_id: int | None = None,
        watcher: str | None = None,
        woken: asyncio.Event | None = None,
    ) -> None:
        self.user_id = user_id
        self.watcher = watcher
        self.woken = woken or asyncio.Event()
        self.watchers: int | None = None
        self.counted = False
        self.version = -1
        self.line = 0
        self.talk = False
        self.ended = False
        self._update: VisibleProgress | None = None

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
        """There is a line of chat."""
        self.line = max(self.line, line)
        self.talk = True
        self.woken.set()

    def notify_watchers(self, count: int | None) -> None:
        """So many look on, this one included."""
        others = count - 1 if count and self.watcher else count
        if others != self.watchers:
            self.watchers = others
            self.counted = True
            self.woken.set()

    def put(self, update: VisibleProgress) -> None:
        """Put an update where the stream finds it, in the place of an older one."""
        self._update = update
        self.woken.set()

    def take(self) -> VisibleProgress | None:
        """The update that the stream has not taken yet, if there is any."""
        update, self._update = self._update, None
        return update

    def end(self) -> None:
        """The stream is to end."""
        self.ended = True
        self.woken.set()


class Hub:
    """All streams of a process (strictly: of an event loop) and their one listener on Redis."""

    def __init__(self) -> None:
        self._subscribers: defaultdict[str, set[Subscriber]] = defaultdict(set)
        self._tasks: list[asyncio.Task[None]] = []
        self._subscribed = asyncio.Event()
        self.closed = False
        self.paused = False

    def subscribe(self, subscriber: Subscriber, channels: Iterable[str]) -> None:
        """Let it hear what rings on these channels, until `unsubscribe` with the same ones."""
        for name in channels:
            self._subscribers[name].add(subscriber)
        if not self._tasks:
            self._begin()
        if self.closed:
            subscriber.end()

    async def ready(self) -> None:
        """Wait until nothing that rings is missed, or until Redis seems to be away."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._subscribed.wait(), SUBSCRIBE_TIMEOUT)

    def unsubscribe(self, subscriber: Subscriber, channels: Iterable[str]) -> None:
        """The stream is over. When nobody listens any more, Redis is let go."""
        for name in channels:
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
                subscriber.end()

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
            subscribing = True  # to subscribe, which is answered
            while True:
                message = await pubsub.get_message(timeout=SILENCE)
                if message is None:
                    if subscribing:
                        raise RedisTimeout("Redis does not answer.")
                    await pubsub.ping()
                    subscribing = True
                    continue
                subscribing = False
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
                subscriber.woken.set()

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
            await asyncio.sleep(watching.INTERVAL)
            try:
                await self.count_all()
            except Exception:  # whatever it is, it may be over in a moment
                logger.warning("watchers_not_counted", exc_info=True)

    async def count_all(self) -> None:
        """Count the watchers of all tables with subscribers in this process."""
        prefix = bell.match_channel("")
        listening = {
            name.removeprefix(prefix): [
                subscriber for subscriber in subscribers if subscriber.counts
            ]
            for name, subscribers in self._subscribers.items()
            if name.startswith(prefix)
        }
        await count_watchers({slug: counted for slug, counted in listening.items() if counted})

    async def _look(self) -> None:
        try:
            await self._notify_from_database()
        except Exception:  # the database may be away for a while; the streams outlive that
            logger.warning("matches_not_read", exc_info=True)

    async def _notify_from_database(self) -> None:
        prefix = bell.match_channel("")
        slugs = [name.removeprefix(prefix) for name in self._subscribers if name.startswith(prefix)]
        if slugs:
            for slug, update in (await in_thread(match_updates, slugs)).items():
                for subscriber in self._subscribers.get(bell.match_channel(slug), ()):
                    subscriber.notify(update)
            for (slug, room), line in (await in_thread(talk.last_lines, slugs)).items():
                for subscriber in self._subscribers.get(bell.talk_channel(slug, room), ()):
                    if line > subscriber.line:
                        subscriber.notify_talk(line)


async def count_watchers(listening: Mapping[str, Collection[Subscriber]]) -> None:
    """Count who looks on at some tables, and let those know who listen there."""
    watchers = {
        slug: {s.watcher for s in subscribers if s.watcher}
        for slug, subscribers in listening.items()
    }
    counts = await in_thread(watching.stay, watchers) if watchers else {}
    for slug, subscribers in listening.items():
        for subscriber in subscribers:
            subscriber.notify_watchers(counts.get(slug))


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


# -- what a stream listens to ---------------------------------------------------------------------


class Source:
    """One thing that a stream listens to: a table, or a bell."""

    subscriber: Subscriber
    channels: Sequence[str]

    def news(self) -> list[str]:
        """The events that the stream has not told of yet."""
        raise NotImplementedError

    def after_pause(self) -> list[str]:
        """The events to send because updates may have been missed while Redis was down."""
        return []


class Bell(Source):
    """A bell that says no more than that it rang; and so at the beginning."""

    def __init__(self, channel: str, rang: str, woken: asyncio.Event) -> None:
        self.subscriber = Subscriber(woken=woken)
        self.channels = [channel]
        self._rang = rang
        self.subscriber.put(ANYTHING)

    def news(self) -> list[str]:
        return [] if self.subscriber.take() is None else [self._rang]

    def after_pause(self) -> list[str]:
        return [self._rang]


class Table(Source):
    """A match. ``shown_ply`` is what the listener has; with ``named`` all events say the match."""

    def __init__(
        self,
        admission: Admission,
        woken: asyncio.Event,
        *,
        shown_ply: int | None = None,
        named: bool = False,
    ) -> None:
        self.slug = admission.slug
        self.rooms = admission.rooms
        self.subscriber = Subscriber(admission.user_id, admission.watcher, woken)
        talks = [bell.talk_channel(self.slug, room) for room in self.rooms]
        self.channels = [bell.match_channel(self.slug), *talks]
        self._shown_ply = shown_ply
        self._match = {"match": self.slug} if named else {}
        self._seen = NOTHING_YET.version

    def begin(self, update: bell.MatchUpdate | None, lines: Mapping[str, int]) -> list[str]:
        """Where the match stands, if the listener does not have that; ``lines`` by their rooms."""
        subscriber = self.subscriber
        now, version = update.visible_to(subscriber.user_id) if update else NOTHING_YET
        self._seen = version
        subscriber.version = max(subscriber.version, version)
        readable = [line for room, line in lines.items() if room in self.rooms]
        subscriber.line = max(subscriber.line, *readable, 0)
        # Before the first move people sit down and leave without the ply changing.
        return [_event(self.slug, now)] if now == 0 or now != self._shown_ply else []

    def news(self) -> list[str]:
        subscriber = self.subscriber
        events = []
        if subscriber.talk:
            subscriber.talk = False
            events.append(_encoded("talk", self._match))
        if subscriber.counted:
            subscriber.counted = False
            events.append(_encoded("watchers", self._match | {"watchers": subscriber.watchers}))
        update = subscriber.take()
        if update is not None and update.version > self._seen:
            self._seen = update.version
            events.append(_event(self.slug, update.ply))
        return events


@dataclass(frozen=True, slots=True)
class Admission:
    """The updates of a match that a viewer may get."""

    slug: str
    user_id: int | None
    rooms: Sequence[str]
    watcher: str | None

    @classmethod
    def to(cls, slug: str, viewer: Viewer, request: HttpRequest) -> Self:
        """Raises ``UnknownMatch`` and ``NotAllowed``, as the match's page does."""
        match = access_match(viewer, slug)
        counted = watching.is_counted(match)
        watcher = watching.watcher_of(request, match, viewer) if counted else None
        return cls(slug, viewer.pk, [*talk.readable_rooms(match, viewer)], watcher)


# -- the streams ----------------------------------------------------------------------------------


async def match_events(request: HttpRequest, slug: str) -> HttpResponseBase:
    """``/events/matches/<slug>/``: the ply that a match has reached, now and whenever it moves.

    ``talk`` says that there is a line of chat that this listener may read, ``watchers`` how many
    others are watching.
    """
    admission = await in_thread(lambda: Admission.to(slug, _viewer(request), request))
    woken = asyncio.Event()
    table = Table(admission, woken, shown_ply=_last_event_id(request))
    return _response(_stream([table], woken))


async def my_events(request: HttpRequest) -> HttpResponseBase:
    """``/events/me/``: the counts of a person (tables that wait …) may have changed.

    With ``?match=<slug>:<ply>`` it also carries what happens at that table, which the listener has
    up to that ply; the ply may be left out, and the parameter come several times. With ``?lobby=1``
    it says that the tables of the lobby may have changed, with ``?page=tournament/<slug>`` that
    this page may have. All work without logging in, too. All events of tables say of which match;
    ``refused`` names a match that this listener may not hear.
    """
    shown_plies = _shown_plies(request)
    pages = _pages(request)

    def admit() -> tuple[int | None, list[Admission], list[str]]:
        viewer = _viewer(request)
        admissions: list[Admission] = []
        refusals: dict[str, MatchError] = {}
        for slug in shown_plies:
            try:
                admissions.append(Admission.to(slug, viewer, request))
            except (UnknownMatch, NotAllowed) as error:
                refusals[slug] = error
        if viewer.pk is None and not admissions and not pages and "lobby" not in request.GET:
            for refusal in refusals.values():
                raise refusal
            raise NotLoggedIn("Log in (or send a token) to hear of your own tables.")
        return viewer.pk, admissions, [*refusals]

    user_id, admissions, refused = await in_thread(admit)
    woken = asyncio.Event()
    sources: list[Source] = []
    if user_id is not None:
        sources.append(Bell(person_channel(user_id), COUNTS_CHANGED, woken))
    if "lobby" in request.GET:
        sources.append(Bell(bell.LOBBY, LOBBY_CHANGED, woken))
    for page in pages:
        sources.append(Bell(page_channel(page), _encoded("page", {"page": page}), woken))
    for admission in admissions:
        sources.append(Table(admission, woken, shown_ply=shown_plies[admission.slug], named=True))
    return _response(_stream(sources, woken, refused))


async def lobby_events(request: HttpRequest) -> HttpResponseBase:
    """``/events/lobby/``: the tables of the lobby may have changed."""
    woken = asyncio.Event()
    return _response(_stream([Bell(bell.LOBBY, LOBBY_CHANGED, woken)], woken))


async def _stream(
    sources: Sequence[Source], woken: asyncio.Event, refused: Iterable[str] = ()
) -> AsyncIterator[str]:
    """The new events of several sources from now on; ``woken`` is set by them."""
    _let_go_of_thread()
    OPEN_STREAMS.inc()
    try:
        for source in sources:
            hub().subscribe(source.subscriber, source.channels)
        await hub().ready()
        yield RETRY
        for slug in refused:
            yield _encoded("refused", {"match": slug})
        for event in await _beginning([source for source in sources if isinstance(source, Table)]):
            yield event
        paused = False
        woken.set()
        while True:
            if paused != hub().paused:
                paused = not paused
                yield PAUSED if paused else RESUMED
                for source in () if paused else sources:
                    for event in source.after_pause():
                        yield event
            try:
                await asyncio.wait_for(woken.wait(), HEARTBEAT)
            except TimeoutError:
                yield STILL_HERE
                continue
            woken.clear()
            for source in sources:
                if source.subscriber.ended:
                    return
                for event in source.news():
                    yield event
    finally:
        OPEN_STREAMS.dec()
        for source in sources:
            hub().unsubscribe(source.subscriber, source.channels)


async def _beginning(tables: Sequence[Table]) -> list[str]:
    """Where tables stand when their stream begins."""
    if not tables:
        return []
    slugs = [table.slug for table in tables]
    counted = {table.slug: [table.subscriber] for table in tables if table.subscriber.counts}
    if counted:
        await count_watchers(counted)
        for (subscriber,) in counted.values():
            subscriber.counted = True
    updates: dict[str, bell.MatchUpdate] = await in_thread(match_updates, slugs)
    newest: dict[tuple[str, str], int] = await in_thread(talk.last_lines, slugs)
    events: list[str] = []
    for table in tables:
        lines = {room: line for (slug, room), line in newest.items() if slug == table.slug}
        events.extend(table.begin(updates.get(table.slug), lines))
    return events


def _shown_plies(request: HttpRequest) -> dict[str, int | None]:
    """The matches that ``?match=`` names, with the plies that the listener has."""
    plies: dict[str, int | None] = {}
    for text in request.GET.getlist("match"):
        slug, _, ply = text.partition(":")
        if not _SLUG.fullmatch(slug) or not (ply == "" or _is_ply(ply)):
            raise Malformed("A match is named as ?match=<slug> or ?match=<slug>:<ply>.")
        plies[slug] = int(ply) if ply else None
    if len(plies) > MAX_TABLES:
        raise Malformed(f"One stream carries at most {MAX_TABLES} matches.")
    return plies


def _pages(request: HttpRequest) -> list[str]:
    """The pages that ``?page=`` names. Their bells say no more than that they rang."""
    pages = list(dict.fromkeys(request.GET.getlist("page")))
    if len(pages) > MAX_PAGES or not all(map(_PAGE.fullmatch, pages)):
        raise Malformed(f"A stream carries up to {MAX_PAGES} pages, as ?page=tournament/<slug>.")
    return pages


def _event(slug: str, ply: int) -> str:
    data = json.dumps({"match": slug, "ply": ply})
    return f"id: {ply}\nevent: ply\ndata: {data}\n\n"


def _encoded(name: str, data: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def _response(content: AsyncIterator[str]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        content,
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


def _viewer(request: HttpRequest) -> Viewer:
    """Whoever asks: by session as browsers do, or by token as programs do."""
    if "Authorization" in request.headers:
        try:
            authenticated = TokenAuthentication().authenticate(Request(request))
        except AuthenticationFailed as error:
            raise NotLoggedIn(str(error.detail)) from error
        if authenticated is not None:
            return authenticated[0]
    user: Viewer = request.user
    return user


def _last_event_id(request: HttpRequest) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if _is_ply(text) else None


def _is_ply(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
