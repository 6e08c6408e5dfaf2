"""One call of an address that somebody gave us: over HTTPS, to a checked address, with little time.

The name is resolved once. Every address it has must be public, and the connection goes to one of
those that were checked, whatever the name would be resolved to a moment later; the certificate has
to be the name's. Nothing is followed: a redirect is an answer like any other. Of the answer its
head is read, and no more than so many bytes of it; the body is nobody's business here.
"""

from __future__ import annotations

import io
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from notices.channels import slow_hosts
from notices.channels.addresses import is_public
from notices.models.channels import LONGEST_ADDRESS

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SECONDS = 6.0
"""For a call in all, from the resolving of the name to the end of the answer's head."""
MAX_RESPONSE_BYTES = 16 * 1024
_REFUSED = "That address cannot be called: "


class CallFailed(Exception):
    """No answer came; the text says to people why."""


class NoAnswer(CallFailed):
    """The server has let us wait for as long as a call may take."""


class AddressRefused(CallFailed):
    """This address is never called, now or later."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's reply."""

    status: int

    @property
    def good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def words(self) -> str:
        """The reply in a sentence."""
        try:
            status = f"{self.status} {HTTPStatus(self.status).phrase}"
        except ValueError:
            status = str(self.status)
        if 300 <= self.status < 400:
            return f"It answered {status}. Riffle does not follow redirects: give the last address."
        return f"It answered {status}."


def checked(url: str) -> SplitResult:
    """The parts of an address that may be called, as far as that shows; ``AddressRefused``."""
    if len(url) > LONGEST_ADDRESS:
        raise AddressRefused(f"{_REFUSED}it has more than {LONGEST_ADDRESS} characters.")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise AddressRefused(f"{_REFUSED}write it with the letters a–z, without spaces.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressRefused(f"{_REFUSED}it is not written as an address is.") from error
    if parts.scheme != "https":
        raise AddressRefused(f"{_REFUSED}it has to begin with https://")
    if not parts.hostname or port == 0:
        raise AddressRefused(f"{_REFUSED}it names no server.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused(f"{_REFUSED}it holds a user name or password, which are not sent.")
    return parts


def resolve(host: str, port: int) -> Sequence[str]:
    """All addresses of a name, by the system's resolver."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


def connect(address: str, port: int, timeout: float) -> socket.socket:
    """A connection to an address in figures, which nothing resolves again."""
    return socket.create_connection((address, port), timeout)


@dataclass(frozen=True)
class Caller:
    """Calls addresses outside; what it stands on can be given to it."""

    resolve: Callable[[str, int], Sequence[str]] = resolve
    connect: Callable[[str, int, float], socket.socket] = connect
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS
    most_bytes: int = MAX_RESPONSE_BYTES

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send ``body`` and say what came back; ``CallFailed`` where nothing did.

        A server that was slow a moment ago is not called, which is a ``CallFailed`` as well.
        """
        parts = checked(url)
        host = str(parts.hostname)
        pause = slow_hosts.pause_of(host)
        if pause.left:
            raise CallFailed(
                f"{host} was too slow a moment ago. It is called again in {_words(pause.left)}."
            )
        began = time.monotonic()
        timed_out = False
        try:
            return self._post(parts, body, headers)
        except NoAnswer:
            timed_out = True
            raise
        finally:
            slow = timed_out or time.monotonic() - began >= slow_hosts.SLOW
            slow_hosts.note(host, pause, slow=slow)

    def _post(self, parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> Reply:
        host, port = str(parts.hostname), parts.port or 443
        until = _Deadline(self.seconds)
        target = parts.path or "/"
        if parts.query:
            target = f"{target}?{parts.query}"
        try:
            with self._connected(host, port, until) as link:
                return _ask(
                    _Bounded(link, until, self.most_bytes), host, port, target, body, headers
                )
        except TimeoutError as error:
            raise NoAnswer(f"No answer came within {self.seconds:g} seconds.") from error
        except ssl.SSLCertVerificationError as error:
            raise CallFailed(
                f"The certificate of {host} is not good: {error.verify_message}."
            ) from error
        except ssl.SSLError as error:
            raise CallFailed(f"{host} does not speak HTTPS there as it should.") from error
        except HTTPException as error:
            raise CallFailed(f"What {host} answered is not HTTP.") from error
        except OSError as error:
            raise CallFailed(
                f"{host} could not be reached: {error.strerror or 'the connection broke off'}."
            ) from error

    def _connected(self, host: str, port: int, until: _Deadline) -> ssl.SSLSocket:
        last: OSError = TimeoutError()
        for address in self._addresses(host, port, until):
            try:
                plain = self.connect(address, port, until.left())
            except OSError as error:  # such as IPv6 on a machine that has none
                last = error
                continue
            try:
                plain.settimeout(until.left())
                return self.tls.wrap_socket(plain, server_hostname=host)
            except BaseException:
                plain.close()
                raise
        raise last

    def _addresses(self, host: str, port: int, until: _Deadline) -> Sequence[str]:
        """The current addresses of a name. Raises ``AddressRefused`` if any is not public."""
        try:
            addresses = _in_time(lambda: self.resolve(host, port), until)
        except (socket.gaierror, UnicodeError) as error:
            raise CallFailed(f"No server is called {host}.") from error
        if not addresses:
            raise CallFailed(f"No server is called {host}.")
        if not all(map(is_public, addresses)):
            raise AddressRefused(
                f"{host} stands for an address that is not of the public internet. Only public "
                "servers are called."
            )
        return addresses


def _words(seconds: int) -> str:
    if seconds < 60:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    minutes = -(-seconds // 60)
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


class _Deadline:
    """A moment until which all must be done."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _in_time(do: Callable[[], Sequence[str]], until: _Deadline) -> Sequence[str]:
    """The resolver's answer; it knows no time of its own, so nobody waits for its thread."""
    answers: queue.SimpleQueue[Sequence[str] | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(do())
        except Exception as error:
            answers.put(error)

    threading.Thread(target=run, daemon=True, name="resolver").start()
    try:
        answer = answers.get(timeout=until.left())
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise answer
    return answer


class _Bounded:
    """As much of a socket as HTTP needs; it has so long and gives so many bytes."""

    def __init__(self, link: ssl.SSLSocket, until: _Deadline, most_bytes: int) -> None:
        self._link, self._until, self._most_bytes = link, until, most_bytes

    def sendall(self, data: Any) -> None:
        rest = memoryview(data)
        while rest:
            self._link.settimeout(self._until.left())
            rest = rest[self._link.send(rest) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._link, self._until, self._most_bytes))

    def close(self) -> None:
        """Whoever opened the connection closes it."""


class _Reader(io.RawIOBase):
    """The bytes that come over a connection."""

    def __init__(self, link: ssl.SSLSocket, until: _Deadline, room: int) -> None:
        self._link, self._until, self._room = link, until, room

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        into = memoryview(buffer)[: self._room]
        if not into:
            raise HTTPException("more than is read")
        self._link.settimeout(self._until.left())
        count = self._link.recv_into(into)
        self._room -= count
        return count


class _Connection(HTTPConnection):
    """Says the host's name as HTTPS does, over a connection that is there."""

    default_port = 443


def _ask(
    link: _Bounded, host: str, port: int, target: str, body: bytes, headers: Mapping[str, str]
) -> Reply:
    connection = _Connection(host, port)
    connection.sock = link
    connection.request(
        "POST", target, body, {"User-Agent": "Riffle", "Connection": "close", **headers}
    )
    return Reply(connection.getresponse().status)


@cache
def outside() -> Caller:
    """Everything that Riffle calls for its users goes through this one."""
    return Caller()
