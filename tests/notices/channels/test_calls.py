"""Calls of addresses outside: public ones alone, over HTTPS, once resolved, short."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from notices.channels import slow_hosts
from notices.channels.addresses import is_public
from notices.channels.calls import AddressRefused, Caller, CallFailed, checked
from tests.support.outside import NAME, OTHER, PUBLIC, Outside, outside, quickly, saying

URL = f"https://{NAME}/told?table=1"

_SPECIAL = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254
168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.0.170 192.0.2.1
192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1
198.19.255.255 198.51.100.1 203.0.113.255 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::93.184.215.14 ::ffff:127.0.0.1 ::ffff:93.184.215.14 ::ffff:0:93.184.215.14
64:ff9b::93.184.215.14 64:ff9b::10.0.0.1 64:ff9b:1::10.0.0.1 100::1 100:0:0:1::1 2001::1
2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1::1 2001:2::1 2001:20::1 2001:db8::1 2002:7f00:1::1
2002:5db8:d70e::1 2620:4f:8000::1 3fff::1 4000::1 5f00::1 8000::1 fc00::1 fd12:3456::1 fe80::1
fe80::1%1 2606:4700::1%1 fec0::1 ff02::1 ff0e::1 2606:4700::5efe:127.0.0.1
2606:4700::200:5efe:10.0.0.1
localhost example.org 1 0x7f.1 127.1 0177.0.0.1 93.184.215 93.184.215.14.1
"""
_PUBLIC = """
1.1.1.1 9.255.255.255 11.0.0.0 93.184.215.14 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 198.17.255.255 198.20.0.0
223.255.255.255 2001:200::1 2001:4860:4860::8888 2003::1 2606:2800:21f:cb07:6820:80da:af6b:8b2c
2a00:1450:4001::1 3ffe::1
"""


def test_addresses_that_are_special_and_those_that_are_not() -> None:
    special, public = _SPECIAL.split(), _PUBLIC.split()
    assert len(special) > 70 and [address for address in special if is_public(address)] == []
    assert len(public) > 20 and [address for address in public if not is_public(address)] == []


@pytest.fixture
def server() -> Iterator[Outside]:
    with outside() as server_result:
        yield server_result


def test_a_call_arrives_as_it_was_meant(server: Outside) -> None:
    reply = server.caller().post(URL, b'{"a": 1}', {"Content-Type": "application/json"})
    assert reply.good and reply.status == 204
    (request,) = server.requests
    assert (request.line, request.body) == ("POST /told?table=1 HTTP/1.1", b'{"a": 1}')
    assert request.headers["host"] == NAME and request.headers["connection"] == "close"
    assert server.called == [(PUBLIC, 443)], "the address that was checked"


def test_another_port_is_named(server: Outside) -> None:
    server.caller().post(f"https://{NAME}:8443", b"", {})
    assert server.called == [(PUBLIC, 8443)]
    assert server.requests[0].headers["host"] == f"{NAME}:8443"
    assert server.requests[0].line == "POST / HTTP/1.1"


@pytest.mark.parametrize("answer", [["127.0.0.1"], [PUBLIC, "10.0.0.7"], [OTHER, "::1"]])
def test_one_special_address_of_a_name_is_enough(server: Outside, answer: list[str]) -> None:
    server.stands_for = [answer]
    with pytest.raises(AddressRefused, match="public internet"):
        server.caller().post(URL, b"", {})
    assert server.called == [] and server.requests == []


def test_a_name_that_changes_its_mind_is_asked_once(server: Outside) -> None:
    server.stands_for = [[PUBLIC], ["127.0.0.1"]]
    assert server.caller().post(URL, b"", {}).good
    assert server.resolved == [NAME] and server.called == [(PUBLIC, 443)]
    with pytest.raises(AddressRefused):
        server.caller().post(URL, b"", {})
    assert len(server.called) == 1, "and the next call checks anew"


def test_the_real_resolver_and_connection_are_held_to_it() -> None:
    # Nothing is injected: this machine's own names and numbers, in all ways of writing them.
    for host in ("localhost", "127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"):
        with pytest.raises(CallFailed):
            Caller().post(f"https://{host}:1/", b"", {})
    for host in ("127.0.0.1", "[::1]"):
        with pytest.raises(AddressRefused):
            Caller().post(f"https://{host}:1/", b"", {})


def test_the_next_address_is_tried(server: Outside) -> None:
    server.stands_for = [[OTHER, PUBLIC]]
    caller = server.caller()

    def without_six(address: str, port: int, timeout: float) -> socket.socket:
        if ":" in address:
            raise OSError(101, "Network is unreachable")
        return caller.connect(address, port, timeout)

    assert replace(caller, connect=without_six).post(URL, b"", {}).good
    server.stands_for = [[OTHER]]
    with pytest.raises(CallFailed, match="could not be reached: Network is unreachable"):
        replace(caller, connect=without_six).post(URL, b"", {})


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://hooks.example.org/", "begin with https"),
        ("ftp://hooks.example.org/", "begin with https"),
        ("//hooks.example.org/", "begin with https"),
        ("https:///path", "names no server"),
        ("https://", "names no server"),
        ("https://hooks.example.org:0/", "names no server"),
        ("https://hooks.example.org:99999/", "not written as"),
        ("https://[::1/", "not written as"),
        ("https://me:secret@hooks.example.org/", "user name or password"),
        ("https://@hooks.example.org/", "user name or password"),
        ("https://hooks.example.org/a b", "without spaces"),
        ("https://hooks.example.org/\r\nX: y", "without spaces"),
        ("https://hooks.éxample.org/", "letters a–z"),
        (f"https://hooks.example.org/{'a' * 1000}", "more than 1000"),
    ],
)
def test_addresses_that_are_refused_as_they_are_written(url: str, words: str) -> None:
    with pytest.raises(AddressRefused, match=words):
        checked(url)


def test_a_redirect_is_an_answer_and_not_followed(server: Outside) -> None:
    server.answers = [saying("302 Found", f"Location: https://{NAME}/elsewhere")]
    reply = server.caller().post(URL, b"", {})
    assert reply.status == 302 and not reply.good
    assert reply.words.startswith("It answered 302 Found. Riffle does not follow redirects")
    assert len(server.requests) == 1


def _never(link: ssl.SSLSocket) -> None:
    threading.Event().wait(5)


def _drips(link: ssl.SSLSocket) -> None:
    for letter in b"HTTP/1.1 200 OK\r\nX: " + b"a" * 1000:
        link.sendall(bytes([letter]))
        time.sleep(0.05)


def test_slow_answers_are_cut_however_they_come(server: Outside) -> None:
    for answer in (_never, _drips):
        server.answers = [answer]
        cache.clear()  # a server that was slow is not called again at once
        with pytest.raises(CallFailed, match="within 1 seconds"):
            quickly(server).post(URL, b"", {})


def test_a_slow_server_is_left_alone_for_ever_longer(
    server: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(slow_hosts, "time", SimpleNamespace(time=lambda: now))
    caller = replace(server.caller(), seconds=0.3)
    server.answers = [_never]
    for pause in (15, 30, 60, 120):
        with pytest.raises(CallFailed, match="within 0.3 seconds"):
            caller.post(URL, b"", {})
        calls = len(server.called)
        for passed in (0, pause - 1):
            now += passed
            with pytest.raises(CallFailed, match="too slow a moment ago.* again in"):
                caller.post(URL, b"", {})
        assert len(server.called) == calls, "nobody waits for it"
        now += 1
    server.answers = [saying("200 OK")]
    for _ in range(2):
        assert caller.post(URL, b"", {}).good
    server.answers = [_never]
    with pytest.raises(CallFailed, match="within 0.3 seconds"):
        caller.post(URL, b"", {})
    with pytest.raises(CallFailed, match="again in 15 seconds"):
        caller.post(URL, b"", {})


def test_an_answer_that_took_long_makes_a_slow_server(
    server: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_hosts, "SLOW", 0.0)
    assert server.caller().post(URL, b"", {}).good
    with pytest.raises(CallFailed, match="too slow a moment ago"):
        server.caller().post(URL, b"", {})
    other = URL.replace(NAME, "other.example.org")
    with pytest.raises(CallFailed, match="certificate"):
        server.caller().post(other, b"", {})


def test_a_resolver_that_never_answers_is_not_waited_for(server: Outside) -> None:
    def sleeping(host: str, port: int) -> list[str]:
        threading.Event().wait(5)
        return [PUBLIC]

    with pytest.raises(CallFailed, match="No answer came"):
        replace(quickly(server), resolve=sleeping).post(URL, b"", {})


def _endless_head(link: ssl.SSLSocket) -> None:
    link.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        link.sendall(b"X-More: " + b"a" * 1000 + b"\r\n")


def test_an_endless_head_is_cut_by_its_bytes(server: Outside) -> None:
    server.answers = [_endless_head]
    with pytest.raises(CallFailed, match="not HTTP"):
        server.caller().post(URL, b"", {})


def _endless_body(link: ssl.SSLSocket) -> None:
    link.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        link.sendall(b"a" * 65536)


def test_an_endless_body_is_not_read(server: Outside) -> None:
    server.answers = [_endless_body]
    assert server.caller().post(URL, b"", {}).good


def test_what_is_no_http_is_said_to_be_none(server: Outside) -> None:
    server.answers = [lambda link: link.sendall(b"SSH-2.0-OpenSSH_9\r\n")]
    with pytest.raises(CallFailed, match="not HTTP"):
        server.caller().post(URL, b"", {})
    server.answers = [lambda link: None]
    with pytest.raises(CallFailed):
        server.caller().post(URL, b"", {})


def test_the_certificate_has_to_be_the_names(server: Outside) -> None:
    with pytest.raises(CallFailed, match="certificate of other.example.org is not good"):
        server.caller().post("https://other.example.org/", b"", {})
    # And of an authority that machines trust.
    with pytest.raises(CallFailed, match="certificate of hooks.example.org is not good"):
        replace(server.caller(), tls=ssl.create_default_context()).post(URL, b"", {})
    assert server.requests == []
