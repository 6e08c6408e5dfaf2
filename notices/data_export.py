"""Notifications in the file of everything that is a person's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accounts.data_export import section, values_in_pages
from accounts.models import User
from notices.models.notices import Notice


@section("notices")
def notices(user: User) -> Iterator[dict[str, Any]]:
    """A person's notifications, as far as they are kept."""
    fields = ("kind", "match", "text", "link", "created_at")
    yield from values_in_pages(Notice.objects.filter(person=user), *fields)
