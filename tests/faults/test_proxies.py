"""The documented proxies hold what they promise, in front of a real site behind PgBouncer.

Caddy, nginx and PgBouncer are started from the files in ``docs/deploy/``.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from django.conf import settings

from tests.faults.proxies import Caddy, Nginx, PgBouncer, Proxy, trusting_socket
from tests.games.examples import GAME
from tests.support.real_site import SITE, Server, collect_static
from tests.support.services import CHOSEN, wait_until

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MIB = 1024 * 1024
LARGEST = max(settings.BODY_LIMITS.values())
HALF_A_HEAD = f"GET / HTTP/1.1\r\nHost: {SITE}\r\n"
HALF_A_BODY = f"POST /account/login/ HTTP/1.1\r\nHost: {SITE}\r\nContent-Length: 99\r\n\r\nlogin="


class SlowSender(threading.Thread):
    """Somebody who sends half of a request; `seconds` is how long the proxy waited for the rest."""

    def __init__(self, proxy: Proxy, text: str) -> None:
        super().__init__(daemon=True)
        self.proxy, self.text = proxy, text
        self.seconds = 0.0
        self.start()

    def run(self) -> None:
        began = time.monotonic()
        with trusting_socket(self.proxy.port) as connection, contextlib.suppress(OSError):
            connection.sendall(self.text.encode())
            while connection.recv(4096):
                pass
        self.seconds = time.monotonic() - began

    def wait(self) -> None:
        self.join(60)
        assert not self.is_alive(), f"{type(self.proxy).__name__} still waits."


@dataclass
class Deployment:
    """What stands behind one another, and who began a request before the tests did."""

    proxies: dict[str, Proxy]
    bouncer: PgBouncer
    heads: dict[str, SlowSender]
    nginx_body: SlowSender
    site_log: Path


@pytest.fixture(scope="module")
def deployment(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    var = tmp_path_factory.mktemp("proxied")
    collect_static(var)
    running: list[Proxy | PgBouncer | Server] = []
    try:
        bouncer = PgBouncer(settings.DATABASES["default"]["NAME"]).start()
        running.append(bouncer)
        # Bodies get less time than on a real site, so that the test takes less.
        behind = {"DATABASE_URL": bouncer.url, "DATABASE_POOL": "0", "BODY_SECONDS": "4"}
        server = Server(var, **behind)
        running.append(server)
        proxies: dict[str, Proxy] = {}
        for kind in (Caddy, Nginx):
            proxies[kind.__name__] = kind(var / kind.__name__, server.port)
            running.append(proxies[kind.__name__])
        heads = {name: SlowSender(proxy, HALF_A_HEAD) for name, proxy in proxies.items()}
        nginx_body = SlowSender(proxies["Nginx"], HALF_A_BODY)  # it waits by itself
        server.wait()
        SlowSender(proxies["Caddy"], HALF_A_BODY)  # it hands on what comes, so the site waits
        yield Deployment(proxies, bouncer, heads, nginx_body, Path(server.log.name))
    finally:
        for process in reversed(running):
            process.stop()


@pytest.fixture(params=["Caddy", "Nginx"])
def proxy(request: pytest.FixtureRequest, deployment: Deployment) -> Proxy:
    return deployment.proxies[request.param]


def guest(proxy: Proxy) -> str:
    """The token of somebody new."""
    answer = proxy.api("/api/guests/", {})
    assert answer.status == 201, answer.body
    token: str = answer.json()["token"]
    return token


def sit_down_together(proxy: Proxy) -> tuple[str, list[str]]:
    """A match of two people: its slug and their tokens."""
    ann, bob = guest(proxy), guest(proxy)
    seats = [{"kind": "person"}, {"kind": "open"}]
    created = proxy.api("/api/matches/", {"game": GAME, "mode": "match", "seats": seats}, ann)
    assert created.status == 201, created.body
    slug = created.json()["slug"]
    joined = proxy.api(f"/api/matches/{slug}/join/", {}, bob)
    assert joined.status == 200, joined.body
    return slug, [ann, bob]


def play(proxy: Proxy, slug: str, tokens: list[str]) -> None:
    """One move of the first person who is asked."""
    for token in tokens:
        state = proxy.api(f"/api/matches/{slug}/state/", token=token)
        if prompt := state.json()["prompt"]:
            move = {"prompt": prompt["id"], "notation": prompt["options"][0]["notation"]}
            played = proxy.api(f"/api/matches/{slug}/moves/", move, token)
            assert played.status == 200, played.body
            return
    pytest.fail("Nobody is asked.")


def test_browsers_speak_http_2_and_only_https(proxy: Proxy) -> None:
    page = proxy.get("/account/login/")
    assert (page.status, page.http) == (200, "2")
    assert "max-age=31536000" in page.headers["strict-transport-security"][0]
    plain = proxy.get("/account/login/", scheme="http")
    assert plain.status in (301, 308)
    assert plain.headers["location"][0].startswith("https://")


def test_bodies_have_a_size(proxy: Proxy) -> None:
    path = "/collection/import/"
    sent = ("--data-binary", "@-", "-H", "Expect:")
    assert proxy.get(path, *sent, body=b"x" * LARGEST).status == 403, "no form's token"
    assert proxy.get(path, *sent, body=b"x" * (LARGEST + MIB)).status == 413
    # In pieces, without a word of how much is to come, as no browser sends it.
    unsaid = ("--upload-file", "-", "-X", "POST", "-H", "Expect:", "--http1.1")
    assert proxy.get(path, *unsaid, body=b"x" * (LARGEST + MIB)).status == 413
    assert proxy.get("/events/lobby/", "--data", "x" * 2).status == 413


def test_the_client_s_address_is_known_and_none_is_believed(proxy: Proxy) -> None:
    """Limits count by it. A browser that says HTTP came over HTTPS all the same."""
    client = redis.Redis.from_url(CHOSEN.redis_url)
    client.delete(*client.keys("*calls_anon*"), "nothing")
    untrue = ("X-Forwarded-For: 6.6.6.6", "X_Forwarded_For: 6.6.6.6", "X-Real-IP: 6.6.6.6")
    spoofed = [part for name in untrue for part in ("-H", name)]
    answer = proxy.get(
        "/api/games/",
        *("--interface", "127.0.0.2", "-H", "X-Forwarded-Proto: http", *spoofed),
    )
    assert answer.status == 200, answer.headers
    (key,) = client.keys("*calls_anon*")
    assert key.decode().endswith("_127.0.0.2")
    client.close()


def test_an_event_arrives_at_once(proxy: Proxy) -> None:
    slug, tokens = sit_down_together(proxy)
    command = [*proxy.curl(f"/events/matches/{slug}/"), "--no-buffer", "--include"]
    lines: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stream:
        assert stream.stdout
        reader = threading.Thread(target=lines.extend, args=(iter(stream.stdout),))
        reader.start()
        wait_until(lambda: any('"ply": 0' in line for line in lines), (), "The stream", 20)
        assert lines[0].startswith("HTTP/2 200")
        assert not any(line.startswith("content-encoding") for line in lines)
        play(proxy, slug, tokens)
        wait_until(lambda: any('"ply": 1' in line for line in lines), (), "The move’s event", 5)
        assert stream.poll() is None
        stream.terminate()
        reader.join()


def test_nothing_is_compressed_but_by_the_site(proxy: Proxy) -> None:
    accept = ("-H", "Accept-Encoding: gzip, br, zstd")
    assert proxy.get("/cards/", *accept).headers["content-encoding"] == ["gzip"], "the site does"
    for path, *headers in (
        ["/account/login/"],
        ["/cards/", "-H", "Sec-Fetch-Site: cross-site"],
    ):
        answer = proxy.get(path, *accept, *headers)
        assert answer.status == 200
        assert "content-encoding" not in answer.headers, path


def test_many_share_few_connections_to_the_database(deployment: Deployment) -> None:
    """Transactions of many requests over two connections: nothing is left in a session.

    Lists that are read piece by piece are among them, which a server-side cursor would break.
    """
    proxy = deployment.proxies["Nginx"]
    _, before = deployment.bouncer.connections()

    def visit(_: int) -> None:
        slug, tokens = sit_down_together(proxy)
        for _ in range(3):
            play(proxy, slug, tokens)
        assert proxy.api(f"/api/exports/?game={GAME}", token=tokens[0]).status == 200
        assert proxy.api("/api/export/matches/").status == 200

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(visit, range(4)))
    connections, transactions = deployment.bouncer.connections()
    assert 0 < connections <= PgBouncer.CONNECTIONS
    assert transactions - before > 100


def test_half_a_request_ends_in_time(deployment: Deployment) -> None:
    """They were begun when the proxies were, so that nobody has to wait for them here."""
    for name, head in deployment.heads.items():
        head.wait()
        assert 9 <= head.seconds < 30, (name, head.seconds)
    deployment.nginx_body.wait()
    assert 19 <= deployment.nginx_body.seconds < 40
    wait_until(lambda: refused(deployment.site_log, 408), (), "A refusal by the site", 30)


def refused(log: Path, status: int) -> bool:
    """True if the site has refused a body with this status."""
    entries = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return any(entry["event"] == "refused" and entry["status"] == status for entry in entries)


def test_errors_are_the_site_s_own(proxy: Proxy) -> None:
    """A proxy puts no page of its own in their place, and leaves their headers alone."""
    missing = proxy.get("/events/matches/nosuchmatch0/")
    assert missing.status == 404
    assert "content-security-policy" in missing.headers
    problem = proxy.api("/api/matches/nosuchmatch0/")
    assert problem.status == 404
    assert json.loads(problem.body)["status"] == 404
