"""Django's synchronous side in a few threads, for whole requests and whole answers alone.

Neither a slow sender nor a slow reader holds a thread: a request comes with all of its body, and
what the thread makes is sent by the event loop. Of an answer that is a file only the first piece is
read in the thread; one that is made piece by piece (a list to download) goes through a temporary
file when it is long.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, NamedTuple
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.db import close_old_connections

from config.bodies import Body

PIECE = 64 * 1024
IN_MEMORY = 1024 * 1024
WITHOUT_LENGTH = {204, 304}

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


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


class Answer(NamedTuple):
    """An answer with its first piece; ``rest`` has the others."""

    status: int
    headers: Headers
    first: bytes
    rest: IO[bytes] | None = None

    def with_length(self) -> Answer:
        """With its length said, so that nobody takes a part of it for the whole."""
        if self.status in WITHOUT_LENGTH or any(n == b"content-length" for n, _ in self.headers):
            return self
        size = len(self.first)
        if self.rest:
            size += self.rest.seek(0, os.SEEK_END)
            self.rest.seek(0)
        return self._replace(headers=[*self.headers, (b"content-length", str(size).encode())])

    def next_piece(self) -> bytes:
        """Another piece of the rest; nothing at its end."""
        return self.rest.read(PIECE) if self.rest else b""

    def close(self) -> None:
        """Let go of the file."""
        if self.rest:
            self.rest.close()


class Threads:
    """A WSGI application behind a number of threads and a bounded queue before them."""

    def __init__(self, wsgi: Any, threads: int, queue: int, name: str) -> None:
        self._wsgi = wsgi
        self._most = threads + queue
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.busy = 0

    async def answer(self, scope: Scope, body: Body | None) -> Answer:
        """What the application says. Raises `Busy` instead of letting too many wait."""
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
                return Answer(status, headers, first, pieces.file)
            pieces.close()
            return Answer(status, headers, first)
        try:
            first, rest = _collected(pieces)
        finally:
            getattr(pieces, "close", lambda: None)()
        answer = Answer(status, headers, first, rest)
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


async def send_answer(answer: Answer, send: Send) -> None:
    """Send it piece by piece, and give up on who takes too long over one."""
    try:
        head = {"status": answer.status, "headers": answer.headers}
        await _send(send, {"type": "http.response.start"} | head)
        pieces = [answer.first[at : at + PIECE] for at in range(0, len(answer.first), PIECE)]
        last = b"" if answer.rest or not pieces else pieces.pop()
        for piece in pieces:
            await _send_piece(send, piece)
        if answer.rest:
            loop = asyncio.get_running_loop()
            while piece := await loop.run_in_executor(None, answer.next_piece):
                await _send_piece(send, piece)
        await _send(send, {"type": "http.response.body", "body": last})
    finally:
        answer.close()


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
