"""The gateway: what it refuses, how it reads bodies, and that nothing stays behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser
from django.core.handlers.wsgi import WSGIRequest
from pytest_django import Settings

from config.bodies import Bodies, Disconnected, Refused, body_limit
from config.gateway import Gateway
from config.wsgi_pool import environ_of
from core.downloads import DownloadResponse

Message = dict[str, Any]


class Client:
    """Drives the application as a server does: what it receives and what it has sent."""

    def __init__(self, *bodies: bytes, gone: bool = False, headers: Iterable[Any] = ()) -> None:
        self.left: list[Message] = [
            {"type": "http.request", "body": body, "more_body": n + 1 < len(bodies) or gone}
            for n, body in enumerate(bodies)
        ]
        if gone:
            self.left.append({"type": "http.disconnect"})
        self.headers = list(headers)
        self.sent: list[Message] = []
        self.heard = asyncio.Event()

    async def receive(self) -> Message:
        if not self.left:
            await self.heard.wait()  # mostly nothing more comes
        return self.left.pop(0)

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def ask(self, app: Any, method: str = "POST", path: str = "/account/login/") -> int:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "scheme": "http",
            "server": ("testserver", 80),
            "client": ("192.0.2.1", 1),
            "headers": self.headers,
        }
        await app(scope, self.receive, self.send)
        return int(self.sent[0]["status"]) if self.sent else 0

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def header(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Says what has come, and in which thread."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["wsgi.input"].read(), environ["CONTENT_LENGTH"].encode()]


async def no_streams(scope: Any, receive: Any, send: Any) -> None:
    heard = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": heard["body"]})


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch) -> Gateway:
    monkeypatch.setattr("config.gateway.LINGER_SECONDS", 0.01)
    return Gateway(no_streams, echo)


def run(coroutine: Callable[[], Awaitable[None]]) -> None:
    async_to_sync(coroutine)()


# --- What goes through ---
def test_a_body_in_pieces_arrives_whole_and_with_its_length(gateway: Gateway) -> None:
    client = Client(b"log", b"", b"in=ada")
    assert async_to_sync(client.ask)(gateway) == 200
    assert client.body == b"login=ada9"
    assert gateway.bodies.held == gateway.bodies.being_read == gateway.pages.busy == 0


def test_health_needs_no_thread() -> None:
    gateway = Gateway(no_streams, None)
    client = Client(b"")
    assert async_to_sync(client.ask)(gateway, "GET", "/healthz") == 200
    assert client.body == b"ok\n"


def test_probes_answer_while_every_page_s_thread_is_busy(settings: Settings) -> None:
    settings.WEB_THREADS, settings.WEB_QUEUE = 1, 1
    free = threading.Event()

    def stuck(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] != "/readyz":
            free.wait()
        return echo(environ, start_response)

    gateway = Gateway(no_streams, stuck)

    async def story() -> None:
        pages = [asyncio.ensure_future(Client(b"x").ask(gateway)) for _ in range(2)]
        while gateway.pages.busy < 2:
            await asyncio.sleep(0)
        assert await Client(b"").ask(gateway, "GET", "/readyz") == 200
        late = Client(b"x")
        assert await late.ask(gateway) == 503
        assert late.header[b"retry-after"] == b"5"
        free.set()
        assert await asyncio.gather(*pages) == [200, 200]

    run(story)


def test_a_probe_that_hangs_says_so(settings: Settings) -> None:
    settings.PROBE_SECONDS = 0.01
    free = threading.Event()

    def hangs(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        free.wait()
        return echo(environ, start_response)

    gateway = Gateway(no_streams, hangs)

    async def story() -> None:
        for _ in range(20):  # more than there are threads and places in the queue
            assert await Client(b"").ask(gateway, "GET", "/readyz") == 503
        free.set()

    run(story)


# --- Sizes ---
@pytest.mark.parametrize(
    ("method", "path", "limit"),
    [
        ("GET", "/", 0),
        ("HEAD", "/api/games/", 0),
        ("POST", "/events/me/", 0),
        ("POST", "/account/login/", 64 * 1024),
        ("POST", "/people/mira/", 10 * 1024 * 1024),
        ("POST", "/api/guests/", 256 * 1024),
        ("DELETE", "/api/friends/ada/", 256 * 1024),
        ("POST", "/collection/import/", 17 * 1024 * 1024),
        ("POST", "/api/imports/", 17 * 1024 * 1024),
        ("POST", "/deck-checks/abc/add/", 17 * 1024 * 1024),
        ("POST", "/api/deck-checks/abc/decks/", 17 * 1024 * 1024),
        ("POST", "/api/deck-checks/abc/decks/1/", 256 * 1024),
        ("POST", "/decks/import/", 10 * 1024 * 1024),
        ("POST", "/api/decks/import/", 5 * 1024 * 1024),
    ],
)
def test_limits_by_address(gateway: Gateway, method: str, path: str, limit: int) -> None:
    assert body_limit(method, path) == limit
    declared = Client(headers=[(b"content-length", str(limit + 1).encode())])
    assert async_to_sync(declared.ask)(gateway, method, path) == 413
    assert declared.header[b"connection"] == b"close"
    endless = Client(b"x" * limit, b"x", b"x", headers=[(b"transfer-encoding", b"chunked")])
    assert async_to_sync(endless.ask)(gateway, method, path) == 413
    just = Client(b"x" * limit, headers=[(b"transfer-encoding", b"chunked")])
    assert async_to_sync(just.ask)(gateway, method, path) == 200
    assert gateway.bodies.held == 0


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/account/login/", b"text/html; charset=utf-8"),
        ("/api/guests/", b"application/problem+json"),
        ("/events/me/", b"application/problem+json"),
    ],
)
def test_a_refusal_is_a_page_for_people_and_a_document_for_programs(
    gateway: Gateway, path: str, kind: bytes
) -> None:
    # No database mark: a query would fail the test.
    client = Client(headers=[(b"content-length", b"99999999")])
    assert async_to_sync(client.ask)(gateway, "POST", path) == 413
    assert client.header[b"content-type"] == kind
    # With a length, servers close on bytes that nobody has read yet.
    assert b"content-length" not in client.header
    assert b"default-src 'self'" in client.header[b"content-security-policy"]
    assert b"limit here" in client.body or b"takes no request body" in client.body


def test_a_length_that_is_no_number_is_refused(gateway: Gateway) -> None:
    client = Client(b"x", headers=[(b"content-length", b"many")])
    assert async_to_sync(client.ask)(gateway) == 400


# --- Times and places ---
def test_a_body_that_stops_is_refused(gateway: Gateway, settings: Settings) -> None:
    settings.BODY_SECONDS = 0.01
    client = Client(b"half", headers=[(b"content-length", b"9")])
    client.left[0]["more_body"] = True
    assert async_to_sync(client.ask)(gateway) == 408
    assert gateway.bodies.held == gateway.bodies.being_read == 0


def test_what_has_come_buys_time(settings: Settings) -> None:
    settings.BODY_SECONDS, settings.BODY_RATE = 0.0, 1

    async def story() -> None:
        client = Client(b"x" * 3600, b"y")
        receive = client.receive
        bodies = Bodies()

        async def later() -> Message:
            await asyncio.sleep(0)
            return await receive()

        with pytest.raises(Refused):
            await bodies.read(Client().receive, 9999)
        body = await bodies.read(receive, 9999)
        assert body.size == 3601
        client.left = [{"type": "http.request", "body": b"x" * 60, "more_body": True}]
        client.left.append({"type": "http.request", "body": b"y", "more_body": False})
        settings.BODY_SECONDS = 60.0
        assert (await bodies.read(later, 9999)).size == 61

    run(story)


def test_the_oldest_gives_way_to_the_newest(settings: Settings) -> None:
    settings.BODIES_AT_ONCE = 2

    async def story() -> None:
        bodies = Bodies()
        reading = [asyncio.ensure_future(bodies.read(Client().receive, 9)) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (await bodies.read(Client(b"whole").receive, 9)).size == 5
        with pytest.raises(Refused) as refused:
            await reading[0]
        assert refused.value.status == 503
        assert not reading[1].done()
        reading[1].cancel()

    run(story)


def test_one_that_is_just_ending_gives_way_once(settings: Settings) -> None:
    """Its time is up, or its last piece has come, in the same moment as another needs its place."""
    settings.BODIES_AT_ONCE = 1

    async def story() -> None:
        bodies = Bodies()
        settings.BODY_SECONDS = 0.0
        late = asyncio.ensure_future(bodies.read(Client().receive, 9))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        settings.BODY_SECONDS = 60.0
        assert (await bodies.read(Client(b"whole").receive, 9)).size == 5
        last = asyncio.get_running_loop().create_future()
        ready = asyncio.ensure_future(bodies.read(lambda: last, 9))
        await asyncio.sleep(0)
        last.set_result({"type": "http.request", "body": b"end", "more_body": False})
        assert (await bodies.read(Client(b"whole").receive, 9)).size == 5
        for ended in (late, ready):
            with pytest.raises(Refused) as refused:
                await ended
            assert refused.value.status == 503
        assert bodies.held == 10

    run(story)


def test_bodies_share_a_memory(settings: Settings) -> None:
    settings.BODIES_MEMORY = 10

    async def story() -> None:
        bodies = Bodies()
        half = Client(b"12345678")
        half.left[0]["more_body"] = True
        slow = asyncio.ensure_future(bodies.read(half.receive, 9))
        while not bodies.held:
            await asyncio.sleep(0)
        first = await bodies.read(Client(b"abcd").receive, 9)
        assert bodies.held == 4, "the half of the slow one is no longer held"
        with pytest.raises(Refused) as refused:
            await slow
        assert refused.value.status == 503
        with pytest.raises(Refused):  # the first is whole and cannot give way
            await bodies.read(Client(b"1234567").receive, 9)
        bodies.release(first)
        bodies.release(first)
        assert bodies.held == 0

    run(story)


def test_who_leaves_frees_everything(gateway: Gateway) -> None:
    client = Client(b"half", gone=True)
    assert async_to_sync(client.ask)(gateway) == 0
    assert gateway.bodies.held == gateway.bodies.being_read == gateway.pages.busy == 0
    with pytest.raises(Disconnected):
        async_to_sync(Bodies().read)(Client(b"half", gone=True).receive, 9)


# --- Answers ---
def test_a_reader_who_does_not_read_holds_no_thread(settings: Settings) -> None:
    settings.WEB_THREADS, settings.SEND_SECONDS = 1, 60.0
    file = [b"x" * 65536] * 40

    def long_answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [])
        return iter(file if environ["PATH_INFO"] == "/long/" else [b"short"])

    gateway = Gateway(no_streams, long_answer)

    async def story() -> None:
        lazy = Client(b"")
        reads = asyncio.Event()
        began = asyncio.Event()

        async def send(message: Message) -> None:
            began.set()
            await reads.wait()
            lazy.sent.append(message)

        lazy.send = send  # type: ignore[method-assign]
        long = asyncio.ensure_future(lazy.ask(gateway, "GET", "/long/"))
        await began.wait()
        other = Client(b"")
        assert await other.ask(gateway, "GET", "/") == 200
        assert other.body == b"short"
        reads.set()
        assert await long == 200
        assert lazy.body == b"".join(file)

    run(story)


def test_a_file_is_sent_in_pieces_and_closed(tmp_path: Any) -> None:
    content = bytes(range(256)) * 1024
    path = tmp_path / "file"
    path.write_bytes(content)
    opened = []

    def file(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        start_response("200 OK", [])
        opened.append(path.open("rb"))
        return environ["wsgi.file_wrapper"](opened[-1], 4096)

    client = Client(b"")
    assert async_to_sync(client.ask)(Gateway(no_streams, file), "GET", "/file/") == 200
    assert client.body == content
    assert len(client.sent) == 6
    assert opened[0].closed


def downloading(pieces: Iterable[bytes]) -> Callable[..., Any]:
    """A page that is a download of these pieces."""

    def page(environ: dict[str, Any], start_response: Callable[..., Any]) -> DownloadResponse:
        request = WSGIRequest(environ)
        request.user = AnonymousUser()
        start_response("200 OK", [("Content-Type", "text/csv")])
        return DownloadResponse(request, pieces, "text/csv")

    return page


def test_a_short_download_is_sent_whole_with_its_length() -> None:
    client = Client(b"")
    gateway = Gateway(no_streams, downloading(iter([b"a line\n"] * 3)))
    assert async_to_sync(client.ask)(gateway, "GET", "/list/") == 200
    assert client.body == b"a line\n" * 3
    assert client.header[b"content-length"] == b"21"


def test_a_long_download_is_made_while_it_is_sent() -> None:
    line = b"x" * 40_000
    client = Client(b"")
    rows: list[int] = []
    sent_after: list[int] = []

    def lines() -> Iterator[bytes]:
        for number in range(20):
            rows.append(number)
            yield line

    async def send(message: Message) -> None:
        sent_after.append(len(rows))
        client.sent.append(message)

    client.send = send  # type: ignore[method-assign]
    gateway = Gateway(no_streams, downloading(lines()))
    assert async_to_sync(client.ask)(gateway, "GET", "/list/") == 200
    assert client.body == line * 20 and b"content-length" not in client.header
    assert sent_after[0] <= 2, "the first two lines are a piece, and the others are not made yet"


def test_the_head_of_a_download_makes_none_of_it() -> None:
    rows: list[int] = []
    client = Client(b"")
    gateway = Gateway(no_streams, downloading(rows.append(n) or b"line" for n in range(9)))
    assert async_to_sync(client.ask)(gateway, "HEAD", "/list/") == 200
    assert client.body == b"" and not rows


def test_a_download_ends_with_its_reader() -> None:
    ended = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                yield b"x" * 65536
        finally:
            ended.set()

    client = Client(b"")

    async def story() -> None:
        asking = asyncio.ensure_future(
            client.ask(Gateway(no_streams, downloading(endless())), "GET")
        )
        while len(client.sent) < 4:
            await asyncio.sleep(0.01)
        client.left.append({"type": "http.disconnect"})
        client.heard.set()
        await asyncio.wait_for(asking, 5)

    run(story)
    assert ended.wait(5)
    assert client.sent[-1]["more_body"], "and nobody takes it for the whole"


def test_a_header_with_an_underscore_cannot_pose_as_the_proxy_s() -> None:
    scope = {
        "method": "GET",
        "http_version": "1.1",
        "path": "/",
        "query_string": b"",
        "headers": [
            (b"x-forwarded-for", b"192.0.2.1"),
            (b"x_forwarded_for", b"203.0.113.9"),
            (b"cookie", b"a=1"),
            (b"cookie", b"b=2"),
        ],
    }
    environ = environ_of(scope, None)
    assert environ["HTTP_X_FORWARDED_FOR"] == "192.0.2.1"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["wsgi.input"].read() == b""


def test_streams_get_an_empty_body_and_nothing_else(gateway: Gateway) -> None:
    client = Client(b"", headers=[(b"transfer-encoding", b"chunked")])
    assert async_to_sync(client.ask)(gateway, "GET", "/events/me/") == 200
    assert client.body == b""


def test_the_site_itself_is_behind_the_door() -> None:
    from config.asgi import application

    assert isinstance(application, Gateway)
