"""Which responses are compressed, and which are not."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Iterator

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from config.middleware import Compression

TEXT = "the same words again and again " * 40


def answered(response: HttpResponse, path: str = "/cards/", **headers: str) -> HttpResponse:
    request = RequestFactory().get(path, headers={"Accept-Encoding": "gzip, br"} | headers)
    result: HttpResponse = Compression(lambda _: response)(request)
    return result


@pytest.mark.django_db
def test_a_page_comes_compressed(client: Client) -> None:
    plain = client.get("/no-such-page/")
    small = client.get("/no-such-page/", headers={"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip" and "Accept-Encoding" in small["Vary"]
    assert int(small["Content-Length"]) == len(small.content) < len(plain.content)
    assert gzip.decompress(small.content).startswith(b"<!doctype html>")
    assert not plain.has_header("Content-Encoding")


def test_style_sheets_and_scripts_come_compressed(client: Client) -> None:
    """Also where no build has compressed them, as on the site of `make run`."""
    for path in ("/static/css/components.css", "/static/js/table/main.js", "/static/img/icons.svg"):
        small = client.get(path, headers={"Accept-Encoding": "gzip"})
        plain = b"".join(client.get(path).streaming_content)  # type: ignore[attr-defined]
        sent = b"".join(small.streaming_content)  # type: ignore[attr-defined]
        assert gzip.decompress(sent) == plain and len(sent) < 0.5 * len(plain), path


@pytest.mark.parametrize(
    "kind", ["text/html; charset=utf-8", "application/json", "application/problem+json", "text/csv"]
)
def test_text_is_compressed(kind: str) -> None:
    response = answered(HttpResponse(TEXT, content_type=kind))
    assert gzip.decompress(response.content).decode() == TEXT


def test_a_length_of_chance_is_added() -> None:
    """Else the length of a page would say whether a guess in it repeats a secret of it."""
    lengths = {len(answered(HttpResponse(TEXT)).content) for _ in range(40)}
    assert len(lengths) > 3


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_site_asked_for_stays_as_it_is(site: str) -> None:
    assert answered(HttpResponse(TEXT), **{"Sec-Fetch-Site": site}).content == TEXT.encode()
    own = answered(HttpResponse(TEXT), **{"Sec-Fetch-Site": "same-origin"})
    assert own["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        "/you/token/",
        "/you/notices/hook/",
        "/api/guests/",
        "/api/webhook/",
        "/account/login/",
        "/admin/login/",
    ],
)
def test_addresses_with_secrets_stay_as_they_are(path: str) -> None:
    assert answered(HttpResponse(TEXT), path).content == TEXT.encode()


@pytest.mark.parametrize("kind", ["image/png", "application/pdf", "text/event-stream"])
def test_what_is_no_text_or_a_stream_stays_as_it_is(kind: str) -> None:
    assert answered(HttpResponse(TEXT, content_type=kind)).content == TEXT.encode()


def test_a_list_made_line_by_line_is_compressed() -> None:
    def lines() -> Iterator[str]:
        yield from (TEXT, TEXT)

    response = answered(StreamingHttpResponse(lines(), content_type="text/csv"))
    assert gzip.decompress(b"".join(response)).decode() == TEXT * 2


def test_a_list_is_compressed_while_it_is_made() -> None:
    """A piece comes out after some lines, not at the end of all of them."""
    count = 0

    def lines() -> Iterator[str]:
        nonlocal count
        for _ in range(2000):
            count += 1
            yield secrets.token_hex(512)

    pieces = iter(answered(StreamingHttpResponse(lines(), content_type="text/csv")))
    next(pieces)  # gzip's own first bytes
    next(pieces)
    assert count < 200
