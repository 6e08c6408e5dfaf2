"""API tokens as they were stored until 0004: one a person, as it is, in ``authtoken_token``."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime

TABLE = "authtoken_token"
NAME = "First token"
SCOPES = ["read", "play", "collect", "account"]


def is_there(schema_editor: Any) -> bool:
    """Whether this database is old enough to have had them."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        return TABLE in connection.introspection.table_names(cursor)


def hash_them(apps: Any, schema_editor: Any) -> None:
    """Let each go on as a token with a digest, which may what it could. Again adds nothing."""
    if not is_there(schema_editor):
        return
    access_tokens = apps.get_model("accounts", "AccessToken").objects
    staff = set(
        apps.get_model("accounts", "User")
        .objects.filter(is_staff=True)
        .values_list("pk", flat=True)
    )
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT user_id, key, created FROM authtoken_token")
        found = cursor.fetchall()
    for user_id, key, created in found:
        digest = hashlib.sha256(key.encode()).hexdigest()
        if access_tokens.filter(digest=digest).exists():
            continue
        taken = access_tokens.filter(user_id=user_id, name=NAME).exists()
        access_tokens.create(
            user_id=user_id,
            name=f"{NAME} {key[:6]}" if taken else NAME,
            prefix=key[:6],
            digest=digest,
            scopes=[*SCOPES, "staff"] if user_id in staff else SCOPES,
            created_at=_moment(created),
        )


def _moment(stored: datetime | str) -> datetime | None:
    """SQLite has moments as text, without the zone that they are in."""
    moment = parse_datetime(stored) if isinstance(stored, str) else stored
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def drop_them(apps: Any, schema_editor: Any) -> None:
    """Take away the table of readable ones."""
    if is_there(schema_editor):
        schema_editor.execute("DROP TABLE authtoken_token")
