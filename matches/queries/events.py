"""The events of a match, as one reader may know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from matches import engine
from matches.models import Match, MoveRow, Source, audience
from matches.moves import ROW, columns, moves_of, opening_of, visible_moves
from matches.queries.access import require_finished
from matches.queries.seats import SeatInfo, seat_names
from matches.queries.second_person import in_second_person, names_with_reader
from matches.queries.table import TableState
from rules.engine.definition import GameDefinition
from rules.engine.events import CARD, CARDS, Event, motions_of

RECENT = 60
"""How many plies of the log a table shows."""


@dataclass(frozen=True)
class SeenEvent:
    """One event as its reader may know it; said only when somebody asks for its ``text``.

    ``ply`` counts the moves that the reader could see; in a replay it counts all. ``lead`` says
    that it was played for somebody whose time had run out, or by a standing order; ``whole`` what
    that led to.
    """

    ply: int
    event: dict[str, Any]
    game: GameDefinition
    names: Sequence[str]
    lead: str = ""
    whole: str = ""

    @property
    def kind(self) -> str:
        return str(self.event["kind"])

    @property
    def turn(self) -> bool:
        """It begins a turn."""
        return self.kind != engine.TAKEN_BACK and self.game.events[self.kind].turn

    @property
    def turning_point(self) -> bool:
        """It may decide the match: a replay marks it."""
        return self.kind in self.game.text.turning_points

    @cached_property
    def text(self) -> str:
        """Its line of the log; empty where there is nothing to say."""
        return in_second_person(self._sentence)

    @property
    def _sentence(self) -> str:
        if self.kind == engine.TAKEN_BACK:
            name = self.names[self.event["seat"]]
            if self.event.get("turn"):
                return f"Takeback: back to the start of {name}’s turn. The match is now unrated."
            return f"{name} undoes the last move."
        if self.whole:
            return self.whole
        line = self.game.narrate(self.event, self.names) or ""
        return f"{self.lead}{line}" if line else ""

    @property
    def aimed_at(self) -> list[int]:
        """The seats to which its ``seat`` does something, as far as the reader may know them."""
        if self.kind == engine.TAKEN_BACK:
            return []
        shape = self.game.events[self.kind].shape
        seats = [self.event.get(name) for name, field in shape.items() if field.shape == "seat"]
        actor = self.event.get("seat")
        return [seat for seat in seats if seat not in (None, actor) and seat >= 0]

    @property
    def cards(self) -> list[int]:
        """The numbers of the cards that its line speaks of, as far as the reader may know them."""
        if self.kind == engine.TAKEN_BACK:
            return []
        values = (
            self.event.get(name)
            for name, field in self.game.events[self.kind].shape.items()
            if field.shape in (CARD, CARDS)
        )
        lists = (value if isinstance(value, list) else [value] for value in values if value)
        return [card["id"] for cards in lists for card in cards]

    @cached_property
    def motions(self) -> list[dict[str, Any]]:
        """Which cards it moves, from where to where."""
        if self.kind == engine.TAKEN_BACK:
            return []
        return motions_of(self.game.events[self.kind], self.event)


@dataclass(frozen=True, slots=True)
class EventGroup:
    """The events of one ply, as far as the viewer may know it.

    ``ply`` counts the moves that the viewer could see. ``by_order``: a standing order made it,
    which while the match runs only its own seat is told.
    """

    ply: int
    seat: int | None
    source: str
    at: datetime | None
    events: list[dict[str, Any]]
    lines: list[str]
    by_order: bool = False


Row = tuple[int, int | None, str, datetime | None, int | None, Any, bool]
"""Of a move: its number, seat, source and time, its question, the stored events, whether a standing
order made it."""


_EVERY_MOVE = 2**31 - 1


def event_groups(
    match: Match, seat: int | None, since: int = -1, limit: int = _EVERY_MOVE
) -> list[EventGroup]:
    """List what happened after ply ``since`` as ``seat`` (None: a spectator) may know it.

    The start is ply 0: with ``since`` below that it comes first. A move of which the seat saw
    nothing is not a ply here, so that none is missing where others answered unseen.
    """
    if not match.begun:
        return []
    table, names = engine.load(match), seat_names(match)
    groups = []
    for row in _rows(match, seat, since, limit):
        seen = seen_events(match, table, row, seat, names)
        events, lines = [item.event for item in seen], [item.text for item in seen if item.text]
        groups.append(EventGroup(*row[:4], events, lines, _is_told_order(match, row, seat)))
    return groups


def events_since(state: TableState, since: int) -> list[SeenEvent]:
    """List what happened after ply ``since`` (below 0: with the start) at a table that was read."""
    if state.table is None:
        return []
    names = names_with_reader(state.seats)
    rows = _rows(state.match, state.seat, since)
    return [
        event
        for row in rows
        for event in seen_events(state.match, state.table, row, state.seat, names)
    ]


def tally(state: TableState) -> dict[str, int]:
    """Count the events of each kind, as far as everyone may know; what was undone is left out."""
    if state.table is None:
        return {}
    match = state.match
    moves, spectators = moves_of(match), 1 << audience(None)
    gone = engine.plies_taken_back(moves)
    rows: list[Row] = [start_row(match)]
    for move in moves:
        if not move.hidden_from & spectators and move.ply not in gone:
            rows.append(row_of(move))
    seen = (seen_events(match, state.table, row, None, ()) for row in rows)
    return dict(Counter(event.kind for events in seen for event in events))


def lengths(game: GameDefinition, counts: Mapping[str, int]) -> list[str]:
    """Say how long a match was, from its :func:`tally`: “27 turns”. Every page counts like this."""
    begun: Counter[str] = Counter()
    for kind, count in counts.items():
        if kind in game.events and game.events[kind].turn:
            begun[game.text.turn_words.get(kind, "turn")] += count
    return [f"{count} {word}{'s' * (count != 1)}" for word, count in begun.items()]


TIME_RAN_OUT = "Time ran out: "


BY_ORDER = "By standing order: "


def _rows(match: Match, seat: int | None, since: int, limit: int = _EVERY_MOVE) -> list[Row]:
    """The plies visible to ``seat`` after one of them, as far as the snapshot that was read.

    A move may have come in since.
    """
    first = max(since, 0)
    moves = visible_moves(match, 1 << audience(seat), first, limit)
    rows: list[Row] = [] if since >= 0 else [start_row(match)]
    return rows + [(ply, *move) for ply, move in enumerate(moves, start=first + 1)]


def row_of(move: MoveRow) -> Row:
    ply, *rest = columns(move, ("ply", *ROW))
    return (ply, *rest)


def start_row(match: Match) -> Row:
    return 0, None, "", match.started_at, None, opening_of(match), False


def _is_told_order(match: Match, row: Row, seat: int | None) -> bool:
    """True if this audience is told that a standing order made this move.

    Others would learn from it what somebody means to do; afterwards everybody may know.
    """
    return row[-1] and (match.finished or (seat is not None and seat == row[1]))


def seen_events(
    match: Match, table: engine.Table, row: Row, seat: int | None, names: Sequence[str]
) -> list[SeenEvent]:
    """The events of one ply as one audience may know them."""
    tells_order = _is_told_order(match, row, seat)
    return _events(table, row, names, lambda event: table.event_view(event, seat), tells_order)


def open_events(
    match: Match, table: engine.Table, row: Row, names: Sequence[str]
) -> list[SeenEvent]:
    """The events of one ply with all that any seat knew of them, for a match that is over."""
    require_finished(match)
    return _events(table, row, names, lambda event: _open_view(table, event), row[-1])


def _open_view(table: engine.Table, event: Event) -> dict[str, Any] | None:
    kind = table.game.events[event[0]]
    if not (kind.secret or kind.hidden or kind.private):
        return table.event_view(event, None)
    merged: dict[str, Any] = {}
    for seat in range(table.seats):
        merged |= table.event_view(event, seat) or {}
    if "cards" in merged:
        merged.pop("count", None)
    return merged or None


def _events(
    table: engine.Table,
    row: Row,
    names: Sequence[str],
    view_of: Callable[[Event], dict[str, Any] | None],
    tells_order: bool,
) -> list[SeenEvent]:
    ply, mover, source, _, prompt, events, _ = row
    if events and events[0][0] == engine.TAKEN_BACK:
        kind, by = events[0]
        turn = {"turn": True} if len(events) > 1 else {}
        return [SeenEvent(ply, {"kind": kind, "seat": by, **turn}, table.game, names)]
    views = (view_of(event) for event in engine.stored_events(events))
    late = source == Source.CLOCK
    lead = TIME_RAN_OUT if late else BY_ORDER if tells_order else ""
    seen = [
        SeenEvent(ply, view, table.game, names, lead=lead) for view in views if view is not None
    ]
    if late and prompt is None and mover is not None and seen and names:
        # The rules know a concession alone; the clock made this one.
        on_time = (event.text.replace(" conceded", " ran out of time") for event in seen)
        seen = [replace(event, whole=line) for event, line in zip(seen, on_time, strict=True)]
        seen[0] = replace(seen[0], whole=f"{TIME_RAN_OUT}{names[mover]} loses on time.")
    return seen


def who_left(match: Match, seats: Sequence[SeatInfo]) -> str:
    """“Ada conceded”, where that was the last thing in a match; else empty.

    By the rules something else decides then, such as that no one else is left; people ask what
    happened.
    """
    moves = moves_of(match, events=False)
    if not moves or moves[-1].notation != engine.CONCEDE:
        return ""
    last = moves[-1]
    name = "you" if seats[last.seat].mine else seats[last.seat].name
    return f"{name} ran out of time" if last.source == Source.CLOCK else f"{name} conceded"
