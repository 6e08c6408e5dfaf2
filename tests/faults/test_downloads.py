"""Downloads by the real server: made while they are read, and not a piece longer."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.downloads import MAX_PER_OWNER
from matches.models import Match
from tests.conftest import free_port
from tests.faults.endless import LINE
from tests.matches.conftest import play_on
from tests.matches.many import copies_of
from tests.support.real_site import ROOT, Server, collect_static, web_command
from tests.support.services import wait_until

pytestmark = pytest.mark.slow


class Endless:
    """The README's web server with one worker, before downloads that never end."""

    def __init__(self, var: Path) -> None:
        self.port, self.made = free_port(), var / "made"
        self.made.touch()
        program, *options = web_command()
        command = [*options[:-1], "tests.faults.endless:application", "--workers", "1"]
        environment = os.environ | {
            "MADE": str(self.made), "RIFFLE_VAR": str(var), "SEND_SECONDS": "1", "CPU_BUDGET": "60",
            "DOWNLOADS_AT_ONCE": "4",
        }  # fmt: skip
        environment.pop("SECRET_KEY", None)
        self.log = (var / "log").open("wb")
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name(program), *command, "--port", str(self.port)],
            cwd=ROOT, env=environment, stdout=self.log, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        wait_until(lambda: self.get("/page/") == 200, (OSError,), "The web server", 60)

    def get(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        status = connection.getresponse().status
        connection.close()
        return status

    @contextlib.contextmanager
    def reading(self, path: str) -> Iterator[socket.socket]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as opened:
            opened.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            yield opened

    def lines(self) -> int:
        return self.made.read_bytes().count(b".")

    def ended(self) -> int:
        return self.made.read_bytes().count(b"!")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        self.log.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endless]:
    started = Endless(tmp_path_factory.mktemp("endless"))
    try:
        yield started
    finally:
        started.stop()


def test_what_nobody_reads_any_more_is_not_made(server: Endless) -> None:
    before = server.ended()
    with server.reading("/endless/") as reader:
        while server.lines() < 20:
            assert reader.recv(64 * 1024)
    wait_until(lambda: server.ended() > before, (), "The end of the download", 5)
    lines = server.lines()
    time.sleep(0.3)
    assert server.lines() == lines


def test_a_reader_who_does_not_read_is_not_waited_for(server: Endless) -> None:
    """No more is made than the network holds, pages are answered, and the place is free again."""
    before, ended = server.lines(), server.ended()
    with server.reading("/endless/"):
        wait_until(lambda: server.lines() > before, (), "No known columns", 5)
        assert server.get("/page/") == 200
        wait_until(lambda: server.ended() > ended, (), "That the reader is given up", 15)
        assert (server.lines() - before) * len(LINE) < 30_000_000


def test_a_few_at_once_and_then_a_time_to_come_back(server: Endless) -> None:
    ended = server.ended()
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(server.reading("/endless/")) for _ in range(MAX_PER_OWNER)]
        assert all(b" 200 " in reader.recv(64 * 1024) for reader in readers)
        with server.reading("/endless/") as another:
            refused = another.recv(64 * 1024)
        assert b" 429 " in refused and b"retry-after: 10" in refused.lower()
        assert server.get("/page/") == 200
    wait_until(lambda: server.ended() == ended + len(readers), (), "The end of both", 5)
    with server.reading("/endless/") as reader:
        assert b" 200 " in reader.recv(64 * 1024)


def test_what_breaks_is_not_taken_for_the_whole(server: Endless) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", "/breaks/")
    response = connection.getresponse()
    assert response.status == 200
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        response.read()
    connection.close()


@pytest.fixture
def finished_match(transactional_db: None, match: Match) -> Match:
    return play_on(match)


@pytest.mark.services
def test_many_who_export_at_once_do_not_keep_out_others(
    finished_match: Match, tmp_path: Path
) -> None:
    """Each from an address of its own; a few are served, and a page comes in between."""
    copies_of(finished_match, 120)
    collect_static(tmp_path)
    server = Server(tmp_path)
    try:
        server.wait()
        server.by_proxy("/account/login/")  # both of its workers have begun

        def export(number: int) -> int:
            address = {"X-Forwarded-For": f"192.0.2.{number}"}
            return server.by_proxy("/api/export/matches/", **address)[0]

        with ThreadPoolExecutor(24) as pool:
            answers = [pool.submit(export, number) for number in range(24)]
            time.sleep(0.2)
            began = time.monotonic()
            assert server.by_proxy("/account/login/")[0] == 200
            waited = time.monotonic() - began
        statuses = [answer.result() for answer in answers]
        assert set(statuses) <= {200, 503} and 200 in statuses
        assert waited < 10, "it was two minutes when each held a thread"
        assert export(99) == 200, "the places are free again"
    finally:
        server.stop()
