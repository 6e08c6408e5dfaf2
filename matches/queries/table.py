"""A table as one viewer sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import Viewer
from matches import engine
from matches.models import Match, Status, audience
from matches.moves import moves_of
from matches.queries import lessons
from matches.queries.access import seat_of
from matches.queries.seats import SeatInfo, seat_infos
from rules.engine.moves import Prompt, move_to_json, stands


@dataclass(frozen=True, slots=True)
class TableOption:
    """One option of a prompt: words for the button, notation, and JSON to send.

    ``preview`` is what it would lead to, where the game can tell the asked seat. ``stands``: it
    means the same each time, so that it can be ordered for good.
    """

    label: str
    notation: str
    move: dict[str, Any]
    preview: dict[str, Any] | None = None
    stands: bool = False


@dataclass(frozen=True, slots=True)
class TablePrompt:
    """A seat's open prompt; ``outlook`` lists possible plays, as the rules provide them.

    ``window``: it is a chance that may be let pass, as all others until the seat is aimed at.
    """

    id: int
    kind: str
    question: str
    options: list[TableOption]
    outlook: dict[str, Any]
    window: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """A table as one viewer sees it.

    ``seat`` is None for a spectator, ``table`` and ``view`` are None before the start. ``ply``
    counts the moves that this viewer could see. ``may_undo``: the viewer's last answer.
    """

    match: Match
    table: engine.Table | None
    seat: int | None
    ply: int
    view: dict[str, Any] | None
    prompt: TablePrompt | None
    seats: list[SeatInfo]
    may_undo: bool = False


def table_state(match: Match, user: Viewer, table: engine.Table | None = None) -> TableState:
    """The table as ``user`` may see it; ``match`` comes from :func:`access_match`.

    ``table`` is the match as the engine plays it, where it has been loaded before.
    """
    seat = seat_of(match, user)
    infos = seat_infos(match, user)
    if not match.begun:
        return TableState(match, None, seat, 0, None, None, infos)
    if table is None:
        table = engine.load(match)
    may_be_asked = seat is not None and match.status != Status.CANCELLED
    prompt = table.prompts.get(seat) if may_be_asked and seat is not None else None
    return TableState(
        match=match,
        table=table,
        seat=seat,
        ply=match.visible_ply(seat),
        view=table.view(seat),
        prompt=None if prompt is None else _prompt(table, prompt, [info.name for info in infos]),
        seats=infos,
        may_undo=seat is not None and table.can_undo(seat) and not lessons.is_guided(match, table),
    )


def _prompt(table: engine.Table, prompt: Prompt, names: Sequence[str]) -> TablePrompt:
    return TablePrompt(
        id=prompt.id,
        kind=prompt.kind,
        question=table.question(prompt, names),
        options=[
            TableOption(
                table.label(move, names),
                table.notation(move),
                move_to_json(move),
                table.preview(prompt, move),
                stands(move),
            )
            for move in prompt.options
        ],
        outlook=table.outlook(prompt),
        window=table.window(prompt) in prompt.options,
    )


def views_from(match: Match, *, seat: int | None, first: int, last: int) -> list[dict[str, Any]]:
    """The views of ``seat`` after each of the plies ``first`` to ``last``, as it counts them.

    All come from one replay, also while the match runs. The seat must be the viewer's own (or
    None): this is for looking again at what one has seen.
    """
    if first > last:
        return []
    moves = moves_of(match, events=False)
    tables = engine.replayed(
        match, list(match.seats.all()), [(row.seat, row.move) for row in moves]
    )
    views: list[dict[str, Any]] = []
    ply = -1  # the start, which is hidden from nobody, is ply 0
    for table, mask in zip(tables, (0, *(row.hidden_from for row in moves)), strict=True):
        if mask & 1 << audience(seat):
            continue
        ply += 1
        if ply >= first:
            views.append(table.view(seat))
        if ply == last:
            break
    return views
