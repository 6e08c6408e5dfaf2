"""All that is somebody's, as a file: each app adds the parts that it keeps.

A part is a name and a function that gives rows, as plain data. The file is written while it is
sent, a row after the other, so that it costs no more memory for somebody who has much; a part reads
many rows with :func:`in_pages` or :func:`values_in_pages`, because the next row may be asked for
much later and in another thread.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import slugify
from rest_framework.request import Request

from accounts.downloads import DownloadResponse
from accounts.models import User

Rows = Callable[[User], Iterable[Any]]

PAGE_SIZE = 500
_M = TypeVar("_M", bound=Model)

_parts: dict[str, Rows] = {}

README = """What Riffle keeps of {name} ({username}).

Each file is a JSON array. Times are in UTC. Keys and seeds that would open something for
whoever has this file are left out: tokens, passwords, what lies in packs that are still sealed.
"""


def part(name: str) -> Callable[[Rows], Rows]:
    """Add a part to what people can download; it is the file ``<name>.json``."""

    def add(rows: Rows) -> Rows:
        assert _parts.setdefault(name, rows) is rows, f"There are two parts “{name}”."
        return rows

    return add


def in_pages(rows: QuerySet[_M], size: int = PAGE_SIZE) -> Iterator[_M]:
    """Rows by key; between two pages nothing is open in the database."""
    ordered = rows.order_by("pk")
    page = list(ordered[:size])
    yield from page
    while len(page) == size:
        page = list(ordered.filter(pk__gt=page[-1].pk)[:size])
        yield from page


def values_in_pages(rows: QuerySet[Any], *fields: str, **named: Any) -> Iterator[dict[str, Any]]:
    """Values of rows by key, read as :func:`in_pages` reads."""
    ordered = rows.order_by("pk").values("pk", *fields, **named)
    page = list(ordered[:PAGE_SIZE])
    while page:
        last = page[-1]["pk"]
        for row in page:
            del row["pk"]
            yield row
        if len(page) < PAGE_SIZE:
            return
        page = list(ordered.filter(pk__gt=last)[:PAGE_SIZE])


class _Sent:
    """A file that cannot be read or sought: what is written is taken away at once."""

    def __init__(self) -> None:
        self.at = 0
        self.waiting: list[bytes] = []

    def write(self, data: bytes) -> int:
        self.waiting.append(bytes(data))
        self.at += len(data)
        return len(data)

    def tell(self) -> int:
        return self.at

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken, self.waiting = b"".join(self.waiting), []
        return taken


def archive(user: User) -> Iterator[bytes]:
    """The ZIP file of everything that is somebody's, piece by piece."""
    sent = _Sent()
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as file:  # type: ignore[call-overload]
        file.writestr("README.txt", README.format(name=user, username=user.username))
        for name in sorted(_parts):
            with file.open(f"{name}.json", "w") as entry:
                entry.write(b"[")
                for number, row in enumerate(_parts[name](user)):
                    text = json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)
                    entry.write(f"{',' if number else ''}\n{text}".encode())
                    if len(sent.waiting) > 8:
                        yield sent.take()
                entry.write(b"\n]\n")
            yield sent.take()
    yield sent.take()


def download(request: HttpRequest | Request, user: User) -> DownloadResponse:
    """The file as an answer to whoever has proved to be the owner."""
    name = f"riffle-{slugify(user.username)}-{timezone.now():%Y-%m-%d}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return DownloadResponse(request, archive(user), "application/zip", headers)
