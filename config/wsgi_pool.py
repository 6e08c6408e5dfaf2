"""Django's synchronous side in a few threads, for whole requests and whole answers alone.

Neither a slow sender nor a slow reader holds a thread: a request comes with all of its body, and
what the thread makes is sent by the event loop. Of an answer that is a file only the first piece is
read in the thread. A download (`core.downloads`) is made piece by piece while it is sent, by a
thread that all downloads of the process share and that rests as long as it works.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from asyncio import FIRST_COMPLETED
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, NamedTuple, Protocol, TypeVar
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.db import close_old_connections

from config.bodies import Body, Disconnected
from core.downloads import DownloadResponse

PIECE = 64 * 1024
IN_MEMORY = 1024 * 1024
SLICE_SECONDS = 0.05
"""A download gives way to the next one after so long, or after a piece."""
LONGEST_REST = 2.0
"""Seconds that the downloads' thread rests at most, however long it has just worked."""
WITHOUT_LENGTH = {204, 304}

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Headers = list[tuple[bytes, bytes]]
_T = TypeVar("_T")


class Busy(Exception):
    """More requests wait for a thread than is good for anybody."""


class _File:
    """As ``wsgi.file_wrapper``: says that an answer is a file, so that it need not be read here."""

    def __init__(self, file: IO[bytes], block_size: int = PIECE) -> None:
        self.file = file
        self.close = file.close

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.file.read(PIECE):
            yield piece


class Rest(Protocol):
    """The rest of a response, after its first piece."""

    async def next_piece(self) -> bytes:
        """Another piece; nothing at the end."""

    def close(self) -> None:
        """Let go of it, at its end or before."""


class _FileRest:
    """The rest of a file, read by any thread."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    async def next_piece(self) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(None, self.file.read, PIECE)

    def close(self) -> None:
        self.file.close()


class DownloadLane:
    """One thread in which the pieces of all downloads are made, one after the other in turn.

    After each piece it rests for as long as making it took: so downloads take half of one
    processor at most, and less where others want the processor, too.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="download")
        self._turn = asyncio.Lock()
        self._rests_until = 0.0

    async def run(self, work: Callable[[], _T]) -> _T:
        """Do it when it is this download's turn; no more than a slice should take."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            await asyncio.sleep(max(0.0, self._rests_until - loop.time()))
            started = loop.time()
            try:
                return await loop.run_in_executor(self._thread, work)
            finally:
                self._rests_until = loop.time() + min(loop.time() - started, LONGEST_REST)

    def end(self, work: Callable[[], None]) -> None:
        """Do it as soon as the thread is free, after a piece that is being made."""
        self._thread.submit(work)


class _DownloadRest:
    """All of a download: made piece by piece, in the lane's thread alone."""

    def __init__(self, response: DownloadResponse, lane: DownloadLane) -> None:
        self._response = response
        self._pieces = iter(response)
        self._lane = lane
        self.complete = False

    async def next_piece(self) -> bytes:
        piece = b""
        while not (piece or self.complete):
            piece = await self._lane.run(self._make)
        return piece

    def _make(self) -> bytes:
        parts: list[bytes] = []
        size, ends = 0, time.monotonic() + SLICE_SECONDS
        try:
            for part in self._pieces:
                parts.append(part)
                size += len(part)
                if size >= PIECE or time.monotonic() >= ends:
                    break
            else:
                self.complete = True
        finally:
            close_old_connections()  # the next piece may be asked for much later
        return b"".join(parts)

    def close(self) -> None:
        self._lane.end(self._response.close)


class Answer(NamedTuple):
    """An answer with its first piece; ``rest`` has the others."""

    status: int
    headers: Headers
    first: bytes
    rest: Rest | None = None

    def with_length(self) -> Answer:
        """With its length said, so that nobody takes a part of it for the whole."""
        if self.status in WITHOUT_LENGTH or any(n == b"content-length" for n, _ in self.headers):
            return self
        size = len(self.first)
        if self.rest:
            assert isinstance(self.rest, _FileRest)
            size += self.rest.file.seek(0, os.SEEK_END)
            self.rest.file.seek(0)
        return self._replace(headers=[*self.headers, (b"content-length", str(size).encode())])


class WsgiPool:
    """A WSGI application behind a number of threads and a bounded queue before them."""

    def __init__(self, wsgi: Any, threads: int, queue: int, name: str) -> None:
        self._wsgi = wsgi
        self._most = threads + queue
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._lane = DownloadLane()
        self.busy = 0

    async def answer(self, scope: Scope, body: Body | None) -> Answer:
        """The application's response. Raises `Busy` instead of letting too many wait."""
        if self.busy >= self._most:
            raise Busy
        work = self._pool.submit(self._answer, environ_of(scope, body))
        self.busy += 1
        answered = asyncio.wrap_future(work)
        answered.add_done_callback(self._one_less)
        return await asyncio.shield(answered)

    def _one_less(self, answered: asyncio.Future[Answer]) -> None:
        self.busy -= 1

    def _answer(self, environ: dict[str, Any]) -> Answer:
        status, headers = 500, []

        def start_response(line: str, named: list[tuple[str, str]], exc_info: Any = None) -> None:
            nonlocal status, headers
            status, headers = int(line[:3]), encoded(named)

        pieces = self._wsgi(environ, start_response)
        if isinstance(pieces, _File):
            first = pieces.file.read(PIECE)
            # The file may be closed in another thread, which would not let go of this one's.
            close_old_connections()
            if len(first) == PIECE:
                return Answer(status, headers, first, _FileRest(pieces.file))
            pieces.close()
            return Answer(status, headers, first)
        if isinstance(pieces, DownloadResponse) and environ["REQUEST_METHOD"] != "HEAD":
            close_old_connections()  # it is closed in another thread, as a file is
            return Answer(status, headers, b"", _DownloadRest(pieces, self._lane))
        try:
            download = isinstance(pieces, DownloadResponse)  # whose head is all that is wanted
            first, rest = (b"", None) if download else _collected(pieces)
        finally:
            getattr(pieces, "close", lambda: None)()
        answer = Answer(status, headers, first, _FileRest(rest) if rest else None)
        return answer if environ["REQUEST_METHOD"] == "HEAD" else answer.with_length()


def _collected(pieces: Iterable[bytes]) -> tuple[bytes, IO[bytes] | None]:
    """All of an answer that only this thread can make (it may be reading the database)."""
    parts: list[bytes] = []
    size, file = 0, None
    for part in pieces:
        parts.append(part)
        size += len(part)
        if size > IN_MEMORY and len(parts) > 1:
            file = file or tempfile.TemporaryFile()  # noqa: SIM115 - closed with the answer
            file.writelines(parts)
            parts, size = [], 0
    if file is None:
        return b"".join(parts), None
    file.writelines(parts)
    file.seek(0)
    return b"", file


def encoded(headers: Iterable[tuple[str, str]]) -> Headers:
    """Headers as ASGI wants them."""
    return [
        (name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers
    ]


async def send_answer(answer: Answer, send: Send, receive: Receive | None = None) -> None:
    """Send it piece by piece, and give up on who takes too long over one.

    With ``receive``, a rest ends as soon as the reader has left: raises `Disconnected`.
    """
    rest = answer.rest
    left = asyncio.ensure_future(_left(receive)) if rest and receive else None
    try:
        if isinstance(rest, _DownloadRest):
            # A short one is sent whole. What breaks before it has begun is an error as any other.
            first = await _unless_left(rest.next_piece(), left)
            answer = answer._replace(first=first, rest=None if rest.complete else rest)
            if rest.complete:
                answer = answer.with_length()
        head = {"status": answer.status, "headers": answer.headers}
        await _send(send, {"type": "http.response.start"} | head)
        pieces = [answer.first[at : at + PIECE] for at in range(0, len(answer.first), PIECE)]
        last = b"" if answer.rest or not pieces else pieces.pop()
        for piece in pieces:
            await _send_piece(send, piece)
        if answer.rest:
            await _send_rest(answer.rest, send, left)
        await _send(send, {"type": "http.response.body", "body": last})
    finally:
        if rest:
            rest.close()
        if left:
            left.cancel()


async def _send_rest(rest: Rest, send: Send, left: asyncio.Future[None] | None) -> None:
    clock = asyncio.get_running_loop().time
    sent, waited = 0, 0.0
    while piece := await _unless_left(rest.next_piece(), left):
        began = clock()
        await _unless_left(_send_piece(send, piece), left)
        sent += len(piece)
        waited += clock() - began
        # A download holds a place, so there is a rate below which its reader has to give it up.
        too_slow = waited > settings.SEND_SECONDS + sent / settings.BODY_RATE
        if too_slow and isinstance(rest, _DownloadRest):
            raise TimeoutError


async def _left(receive: Receive) -> None:
    """Until the reader leaves."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _unless_left(work: Coroutine[Any, Any, _T], left: asyncio.Future[None] | None) -> _T:
    """The result of the work. Raises `Disconnected` if the reader leaves first."""
    working = asyncio.ensure_future(work)
    try:
        awaited: set[asyncio.Future[Any]] = {working, left} if left else {working}
        await asyncio.wait(awaited, return_when=FIRST_COMPLETED)
        if left and left.done():
            raise Disconnected
        return await working
    finally:
        working.cancel()


async def _send_piece(send: Send, piece: bytes) -> None:
    await _send(send, {"type": "http.response.body", "body": piece, "more_body": True})


async def _send(send: Send, message: dict[str, Any]) -> None:
    async with asyncio.timeout(settings.SEND_SECONDS):
        await send(message)


def environ_of(scope: Scope, body: Body | None) -> dict[str, Any]:
    """The request in WSGI's words.

    A header with an underscore would come out under the name of one with a hyphen, which a proxy
    may vouch for (``X_Forwarded_For``); none of ours has one, so they are left out.
    """
    raw_path = scope.get("raw_path") or scope["path"].encode()
    host, port = scope.get("server") or ("localhost", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(raw_path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": _File,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:
            continue
        name, value = (
            raw_name.decode("latin-1").upper().replace("-", "_"),
            raw_value.decode("latin-1"),
        )
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        if key in environ:
            value = f"{environ[key]}{'; ' if name == 'COOKIE' else ','}{value}"
        environ[key] = value
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ.pop("HTTP_CONTENT_LENGTH", None)
    if body is None:
        body = Body()
    environ["wsgi.input"] = body.file
    environ["CONTENT_LENGTH"] = str(body.size) if body.size else ""
    return environ
