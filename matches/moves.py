"""The moves of a match, as rows or in its archive: every reader of finished matches asks here.

An archive is compressed JSON; no byte of what was stored is lost.
"""

from __future__ import annotations

import json
import lzma
import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.db import CompiledQuery
from matches.models import Match, MatchArchive, MoveRow, Source

ALONE, AFTER_SAMPLE = 1, 2
"""Formats of an archive: a whole stream of LZMA, or what follows :data:`_BEGINNING`."""

_COLUMNS = ("seat", "hidden_from", "source", "by_order")
_TOGETHER = ("notation", "move", "events")
"""They name the same cards, so they are packed side by side, move by move."""
NAMES = (*_COLUMNS, *_TOGETHER, "prompt", "at")
_FILTERS = [{"id": lzma.FILTER_LZMA1, "preset": 9, "dict_size": 1 << 20, "pb": 0}]
_COMPRESSED = Path(__file__).with_name("archive_beginning.lzma").read_bytes()
"""Records of all modes, cut after twelve moves. Archives are unreadable without it, so it never
changes (docs/decisions/0031)."""
_SAMPLE = lzma.decompress(_COMPRESSED, lzma.FORMAT_RAW, filters=_FILTERS)
_BEGINNING = _COMPRESSED[:-32]
"""How the compressed sample begins, whatever follows it: a record leaves it out."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

Columns = tuple[Any, ...]

ROW = ("seat", "source", "at", "prompt", "events", "by_order")
"""The columns that tables, logs and replays show of a move."""

_visible_rows = CompiledQuery(
    lambda match, ply, bit, first, most: (
        MoveRow.objects.filter(match=match, ply__lte=ply)
        .with_bit_clear(bit)
        .values_list(*ROW)[first : first + most]
    )
)


def moves_of(match: Match, *, events: bool = True) -> list[MoveRow]:
    """All moves of a match as far as it was read, in order.

    Without ``events`` those of unarchived moves are deferred. Archived moves have no primary key.
    """
    if not match.archived:
        stored = MoveRow.objects.filter(match=match, ply__lte=match.ply).order_by("ply")
        rows = list(stored if events else stored.defer("events"))
        if rows or not match.ply:
            return rows
        # It was archived after it was read.
    return _unpacked_moves(match)


def moves_of_each(matches: Sequence[Match]) -> dict[int, list[MoveRow]]:
    """The moves of several matches by primary key, without their events; one query.

    Load the matches with ``select_related("archive")``, or each archive costs another one.
    """
    stored = MoveRow.objects.filter(match__in=[row for row in matches if not row.archived])
    moves: dict[int, list[MoveRow]] = {match.pk: [] for match in matches}
    for row in stored.defer("events").order_by("match_id", "ply"):
        moves[row.match_id].append(row)
    for match in matches:
        if match.ply and not moves[match.pk]:
            moves[match.pk] = _unpacked_moves(match)
    return moves


def visible_moves(match: Match, bit: int, first: int, limit: int) -> list[Columns]:
    """The :data:`ROW` of moves that the audience with this bit sees, from the ``first`` on."""
    if not match.archived:
        rows: list[Columns] = _visible_rows.rows(match.pk, match.ply, bit, first, limit)
        if rows or first or not match.finished:
            return rows
        # It was archived after it was read.
    visible = [row for row in _unpacked_moves(match) if not row.hidden_from & bit]
    return [columns(row, ROW) for row in visible[first : first + limit]]


def columns(row: MoveRow, names: Iterable[str]) -> Columns:
    """These columns of a move, as ``values_list`` gives them."""
    return tuple(getattr(row, name) for name in names)


def lost_on_time(moves: Iterable[MoveRow]) -> list[int]:
    """The seats that ran out of time, for which the rules know a concession alone."""
    return [
        row.seat
        for row in moves
        if row.source == Source.CLOCK and row.prompt is None and row.move is None
    ]


def state_of(match: Match) -> Any:
    """The engine's snapshot; None before the start."""
    if match.state is None and match.finished:
        return _content_of(match).get("state")
    return match.state


def opening_of(match: Match) -> Any:
    """The events of the start."""
    return match.opening_events or (_content_of(match).get("opening", []) if match.finished else [])


def pack(match: Match, moves: Sequence[MoveRow]) -> MatchArchive:
    """The archive of a finished match with its start, its state and all of its moves, unsaved."""
    times = [(row.at - _EPOCH) // _MICROSECOND for row in moves]
    unit = math.gcd(1_000, *times)
    record: dict[str, Any] = {name: [getattr(row, name) for row in moves] for name in _COLUMNS}
    record["moves"] = [columns(row, _TOGETHER) for row in moves]
    record["prompt"] = _steps(record["seat"], [row.prompt for row in moves])
    record["unit"] = unit  # of the times, in microseconds
    record["at"] = [(now - before) // unit for before, now in zip([0, *times], times, strict=False)]
    record["opening"] = match.opening_events
    record["state"] = match.state
    data = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    stream = _compressed(_SAMPLE + data)
    if stream.startswith(_BEGINNING):
        rest = stream.removeprefix(_BEGINNING)
        return MatchArchive(match=match, format=AFTER_SAMPLE, record=rest)
    # Another version of liblzma may find another way to say the same.
    return MatchArchive(match=match, format=ALONE, record=_compressed(data))


def _compressed(data: bytes) -> bytes:
    return lzma.compress(data, lzma.FORMAT_RAW, filters=_FILTERS)


def unpack(archive: MatchArchive) -> dict[str, Any]:
    """The opposite of :func:`pack`: start and state, and the columns of the moves by name."""
    beginnings = {ALONE: (b"", b""), AFTER_SAMPLE: (_BEGINNING, _SAMPLE)}
    if archive.format not in beginnings:
        raise ValueError(
            f"The archive of match {archive.match_id} has the unknown format {archive.format}."
        )
    beginning, sample = beginnings[archive.format]
    stream = beginning + bytes(archive.record)
    data = lzma.decompress(stream, lzma.FORMAT_RAW, filters=_FILTERS).removeprefix(sample)
    content: dict[str, Any] = json.loads(data)
    for place, name in enumerate(_TOGETHER):
        content[name] = [row[place] for row in content["moves"]]
    last: dict[int, int] = {}
    for ply, (seat, step) in enumerate(zip(content["seat"], content["prompt"], strict=True)):
        if step is not None:
            last[seat] = content["prompt"][ply] = last.get(seat, 0) + step
    now, unit = _EPOCH, content["unit"] * _MICROSECOND
    content["at"] = [now := now + step * unit for step in content["at"]]
    return content


def _steps(seats: Sequence[int], prompts: Sequence[int | None]) -> list[int | None]:
    """How far each prompt is from the seat's last one: mostly 1, which takes no room."""
    last: dict[int, int] = {}
    steps: list[int | None] = []
    for seat, prompt in zip(seats, prompts, strict=True):
        steps.append(None if prompt is None else prompt - last.get(seat, 0))
        last[seat] = last.get(seat, 0) if prompt is None else prompt
    return steps


def _content_of(match: Match) -> dict[str, Any]:
    """The content of its archive, unpacked once a loaded match; empty without an archive."""
    try:
        archive = match.archive
    except MatchArchive.DoesNotExist:
        return {}
    if archive.content is None:
        archive.content = unpack(archive)
    return archive.content


def _unpacked_moves(match: Match) -> list[MoveRow]:
    content = _content_of(match)
    rows = zip(*(content.get(name, ()) for name in NAMES), strict=True)
    return [
        MoveRow(match=match, ply=ply, **dict(zip(NAMES, row, strict=True)))
        for ply, row in enumerate(rows, 1)
    ]
