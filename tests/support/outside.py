"""A server outside: HTTPS on this machine under a public name, with a certificate of our own.

The caller under test is given what it stands on: a resolver that says what the test wants, an
authority that signed the certificate, and a way from the public address to this machine.
"""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from notices.channels.calls import Caller

NAME = "hooks.example.org"
PUBLIC = "93.184.215.14"
OTHER = "2606:2800:21f:cb07:6820:80da:af6b:8b2c"


@cache
def _authority() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    return key, _certificate("Nobody's authority", key, key, None)


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    issuer: x509.Certificate | None,
) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    add_extension = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if issuer:
        names = x509.SubjectAlternativeName([x509.DNSName(name)])
        add_extension = add_extension.add_extension(names, critical=False)
    return add_extension.sign(signer, hashes.SHA256())


def authority_pem() -> bytes:
    """The certificate of our authority."""
    _, certificate = _authority()
    return certificate.public_bytes(serialization.Encoding.PEM)


@cache
def trusting() -> ssl.SSLContext:
    """What the caller believes: our authority and nobody else's."""
    return ssl.create_default_context(cadata=authority_pem().decode())


def server_pem(name: str) -> bytes:
    """A certificate for this name, signed by our authority, and its key."""
    key, authority = _authority()
    own = ec.generate_private_key(ec.SECP256R1())
    certificate = _certificate(name, own, key, authority)
    return certificate.public_bytes(serialization.Encoding.PEM) + own.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@cache
def _speaking_for(name: str) -> ssl.SSLContext:
    """A server's own side, for this name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        chain = Path(folder, "chain.pem")
        chain.write_bytes(server_pem(name))
        context.load_cert_chain(chain)
    return context


@dataclass(frozen=True)
class Request:
    """What the server was asked."""

    line: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[ssl.SSLSocket], None]


def saying(head: str, *more: str) -> Answer:
    """An answer with this first line, and more lines of its head."""
    text = "\r\n".join([f"HTTP/1.1 {head}", "Content-Length: 0", *more, "", ""])
    return lambda link: link.sendall(text.encode())


@dataclass
class Outside:
    """The server: what it was asked, what it answers next (the last answer stays)."""

    port: int
    answers: list[Answer] = field(default_factory=lambda: [saying("204 No Content")])
    requests: list[Request] = field(default_factory=list)
    called: list[tuple[str, int]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    stands_for: list[Sequence[str]] = field(default_factory=lambda: [[PUBLIC]])
    """What the resolver says, time after time; the last stays."""
    answers_to: Callable[[str], Answer] | None = None
    """What it answers by the request's first line, where that matters."""
    seconds: float = 20

    def caller(self) -> Caller:
        """One that finds this server where a public one would be."""
        return Caller(
            resolve=self._resolve, connect=self._connect, tls=trusting(), seconds=self.seconds
        )

    def _resolve(self, host: str, port: int) -> Sequence[str]:
        self.resolved.append(host)
        return self.stands_for.pop(0) if len(self.stands_for) > 1 else self.stands_for[0]

    def _connect(self, address: str, port: int, timeout: float) -> socket.socket:
        assert ipaddress.ip_address(address), "figures, which nothing resolves again"
        self.called.append((address, port))
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def serve(self, plain: socket.socket, name: str) -> None:
        try:
            with _speaking_for(name).wrap_socket(plain, server_side=True) as link:
                request = _read(link)
                self.requests.append(request)
                self._answer(request)(link)
        except OSError:  # the caller has had enough, or does not trust us
            pass

    def _answer(self, request: Request) -> Answer:
        if self.answers_to is not None:
            return self.answers_to(request.line)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def _read(link: ssl.SSLSocket) -> Request:
    with link.makefile("rb") as file:
        line = file.readline().decode().strip()
        headers = {}
        while text := file.readline().decode().strip():
            name, _, value = text.partition(": ")
            headers[name.lower()] = value
        return Request(line, headers, file.read(int(headers.get("content-length", 0))))


@contextmanager
def outside(name: str = NAME) -> Iterator[Outside]:
    """A server that answers until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        outside_result = Outside(door.getsockname()[1])

        def run() -> None:
            while True:
                try:
                    plain, _ = door.accept()
                except OSError:
                    return
                threading.Thread(
                    target=outside_result.serve, args=(plain, name), daemon=True
                ).start()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            yield outside_result
        finally:
            door.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def quickly(server: Outside) -> Caller:
    """A caller with a second only, for answers that never end."""
    return replace(server.caller(), seconds=1.0)
