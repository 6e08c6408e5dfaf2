"""The file of everything that is a person's: one section from each app (:func:`section`)."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import slugify
from rest_framework.request import Request

from accounts.models import User
from accounts.queries import tokens as tokens_queries
from accounts.queries.friends import friendships
from core.downloads import DownloadResponse

Rows = Callable[[User], Iterable[Any]]


PAGE_SIZE = 500


_M = TypeVar("_M", bound=Model)


_sections: dict[str, Rows] = {}


README = """What Riffle keeps of {name} ({username}).

Each file is a JSON array. Times are in UTC. Keys and seeds that would open something for
whoever has this file are left out: tokens, passwords, what lies in packs that are still sealed.
"""


def section(name: str) -> Callable[[Rows], Rows]:
    """Add a section to what people can download; it is the file ``<name>.json``."""

    def add(rows: Rows) -> Rows:
        assert _sections.setdefault(name, rows) is rows, f"There are two parts “{name}”."
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
        for name in sorted(_sections):
            with file.open(f"{name}.json", "w") as entry:
                entry.write(b"[")
                for number, row in enumerate(_sections[name](user)):
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


_ABOUT = (
    "username", "display_name", "email", "is_guest", "is_bot", "theme", "shown_pace", "has_sound",
    "shows_record", "shows_matches", "shows_decks", "date_joined", "last_login",
)  # fmt: skip


@section("account")
def account(user: User) -> Iterator[dict[str, Any]]:
    """The account itself and its addresses."""
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    yield {name: getattr(user, name) for name in _ABOUT} | {"addresses": list(addresses)}


@section("friends")
def friends(user: User) -> Iterator[dict[str, Any]]:
    """Friends, and questions that wait."""
    for row in friendships(user):
        other = row.recipient if row.sender_id == user.pk else row.sender
        yield {
            "username": other.username,
            "sent_by_you": row.sender_id == user.pk,
            "asked_at": row.created_at,
            "accepted_at": row.accepted_at,
        }


@section("tokens")
def tokens(user: User) -> Iterator[dict[str, Any]]:
    """API tokens without their keys."""
    fields = ("name", "prefix", "scopes", "created_at", "last_used_at", "expires_at")
    yield from tokens_queries.tokens(user).values(*fields)


@section("sessions")
def sessions(user: User) -> Iterator[dict[str, Any]]:
    """Where somebody is logged in."""
    fields = ("ip", "user_agent", "created_at", "last_seen_at")
    yield from UserSession.objects.filter(user=user).values(*fields)
