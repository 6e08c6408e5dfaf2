"""Whom a line names with “@”."""

from __future__ import annotations

import re
from collections.abc import Collection

from accounts.models import User


def named(text: str, people: Collection[User]) -> list[User]:
    """Those of these people whom a text names with “@” and their name or username."""
    return [
        person
        for person in people
        if any(
            re.search(rf"@{re.escape(name)}(?!\w)", text, re.IGNORECASE)
            for name in {str(person), person.username}
        )
    ]
