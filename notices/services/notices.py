"""Owing notices and withdrawing them, in the transaction of what they tell of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from core.background import after_commit, enqueue
from core.bell import ring_for
from notices.kinds import WAITING_KINDS, Kind
from notices.models.notices import Notice
from notices.reminders import next_reminder

_MATTER = ("person", "kind", "match", "key")
_NEWS = (
    "text", "link", "created_at", "since", "due_at", "reminders", "planned", "seen_at",
    "withdrawn_at",
)  # fmt: skip
_TIMES = ("deadline_at", "remind_at")


class Turn(NamedTuple):
    """Somebody who is asked at a table now, or has answered; and until when they may take.

    Nothing is sent before ``earliest``.
    """

    person: int
    text: str
    is_asked: bool = True
    deadline: datetime | None = None
    earliest: datetime | None = None


def notify(
    people: Iterable[int],
    kind: Kind,
    *,
    text: str | Mapping[int, str],
    link: str,
    match: str = "",
    key: str = "",
    due: datetime | None = None,
    deadline: datetime | None = None,
) -> None:
    """Write what these people are to be told, in the caller's transaction.

    There is one row for each person, kind, match and key. Where it is there already and says the
    same, only its deadline changes, so this can be repeated; with another text, or after it was
    withdrawn, it is new again. ``due`` is when channels may send it (None: as the kind and the
    person's own pause say); the page shows it at once. ``link`` is an address of this site.
    ``text`` is for all of them, or has each person's by their key.
    """
    now = timezone.now()
    if due is None and kind not in WAITING_KINDS:
        due = now
    rows = [
        _notice(
            person, kind, now, text if isinstance(text, str) else text[person], link,
            match=match, key=key, due=due, deadline=deadline,
        )
        for person in sorted(set(people))
    ]  # fmt: skip
    _write(rows)
    people_ids = [row.person_id for row in rows]
    after_commit(ring_for, people_ids)
    if due is not None and due <= now:
        after_commit(_send, people_ids)


def tell_turns(match: str, turns: Collection[Turn], *, link: str) -> None:
    """Who is asked at a table now, and who no longer is, in one statement.

    To be called where that changes, not for each question of a turn.
    """
    now, kind = timezone.now(), Kind.YOUR_TURN
    rows = [
        _notice(turn.person, kind, now, turn.text, link, match=match, deadline=turn.deadline)
        for turn in sorted(turns)
    ]
    for row, turn in zip(rows, sorted(turns), strict=True):
        row.withdrawn_at = None if turn.is_asked else now
        row.since = max(now, turn.earliest or now)
    _write(rows)


def retract(
    kind: Kind, *, match: str = "", key: str = "", people: Iterable[int] | None = None
) -> None:
    """Withdraw notifications that are no longer true: they leave the page and are not sent.

    Without a key all of the match are meant, without people everybody's.
    """
    if not match and not key:
        raise ValueError("Say of which match, or of which key.")
    rows = Notice.objects.open().filter(kind=kind)
    if match:
        rows = rows.filter(match=match)
    if key:
        rows = rows.filter(key=key)
    if people is not None:
        rows = rows.filter(person__in=list(people))
    rows.update(withdrawn_at=timezone.now())


def _notice(
    person: int,
    kind: Kind,
    now: datetime,
    text: str,
    link: str,
    *,
    match: str = "",
    key: str = "",
    due: datetime | None = None,
    deadline: datetime | None = None,
) -> Notice:
    return Notice(
        person_id=person,
        kind=kind,
        match=match,
        key=key,
        text=text,
        link=link,
        created_at=now,
        since=now,
        due_at=due,
        deadline_at=deadline,
        remind_at=next_reminder(now, deadline, now) if kind == Kind.YOUR_TURN else None,
    )


def _write(rows: Sequence[Notice]) -> None:
    """Insert, or renew what is there. The rows come by person, so that writers never cross."""
    if not rows:
        return
    fields = _fields()
    values = [
        field.get_db_prep_save(getattr(row, field.attname), connection)
        for row in rows
        for field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(rows)), values)


@cache
def _fields() -> list[Any]:
    fields = {field.name: field for field in Notice._meta.concrete_fields}
    return [fields[name] for name in (*_MATTER, *_NEWS, *_TIMES)]


@cache
def _statement(rows: int) -> str:
    """Names from the model alone. Django's own upsert knows no condition."""
    table = Notice._meta.db_table
    quote = connection.ops.quote_name
    columns = {field.name: quote(field.column) for field in _fields()}
    row = f"({', '.join(['%s'] * len(columns))})"
    is_news = " OR ".join(
        (
            f"{table}.{columns['withdrawn_at']} IS NOT NULL",
            f"excluded.{columns['withdrawn_at']} IS NOT NULL",
            f"{table}.{columns['text']} <> excluded.{columns['text']}",
        )
    )
    sets = [
        f"{columns[name]} = CASE WHEN {is_news} THEN excluded.{columns[name]}"
        f" ELSE {table}.{columns[name]} END"
        for name in _NEWS
    ]
    sets += [f"{columns[name]} = excluded.{columns[name]}" for name in _TIMES]
    return (
        f"INSERT INTO {table} ({', '.join(columns.values())})"  # noqa: S608
        f" VALUES {', '.join([row] * rows)}"
        f" ON CONFLICT ({', '.join(columns[name] for name in _MATTER)})"
        f" DO UPDATE SET {', '.join(sets)}"
    )


def _send(people: Sequence[int]) -> None:
    for person in people:
        enqueue("notices.tasks.send_notices", person)
