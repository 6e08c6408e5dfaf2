"""A look back as its reader sees it: the curve of the chances, and each decision."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

from accounts.models import Viewer
from core.serializers import INTERNAL, Doc
from matches import engine
from matches.errors import NotPossible, NotYourSeat
from matches.models import LookBack, LookBackState, Match
from matches.queries.access import require_finished, seat_of
from matches.queries.hints import played_out_by
from matches.queries.seats import SeatInfo, seat_infos
from rules import advice

MAX_TURNING_POINTS = 5
LEAST_CHANGE = 0.1
"""Turning points change the chance by this at least."""
LEAST_COST = 0.03

SEAT = "Seat {}"
"""Stands in stored sentences for the name of a player, which may change or be deleted."""

WIDTH, HEIGHT = 720, 200
"""The curve, in the units of its drawing."""

_holds: list[Callable[[Match], bool]] = []


def hold_back_while(test: Callable[[Match], bool]) -> None:
    """Let another app say for which matches of events nobody may look back yet."""
    _holds.append(test)


def is_held_back(match: Match) -> bool:
    """True while a look back could help somebody who still plays."""
    return match.in_event and any(test(match) for test in _holds)


def engine_of(match: Match) -> str:
    """By which search, adviser and rules a look back would be made today."""
    mode = engine.mode_of(match)
    adviser = advice.adviser_of(engine.game_of(match), match.mode)
    return f"{advice.VERSION} {adviser.slug} {mode.rules_version}"[:80]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, and what was found about it from what the player could know then.

    The fields ``open_…`` say how it looks in hindsight, with the hands of all open.
    """

    ply: Annotated[int, Doc("The move, as the replay counts it.")]
    played: Annotated[str, Doc("What was played, in words.")]
    best: Annotated[str, Doc("What the adviser would have played.")]
    agrees: Annotated[bool, Doc("Both are the same.")]
    options: Annotated[int, Doc("How many options there were.")]
    worlds: Annotated[int, Doc("Re-dealt tables on which both were tried.")]
    before: Annotated[float, Doc("Chance to win before: after the adviser’s move, from 0 to 1.")]
    before_margin: Annotated[float, Doc("Half the width of its 95 % interval.")]
    after: Annotated[float, Doc("Chance to win after what was played.")]
    after_margin: Annotated[float, Doc("Half the width of its 95 % interval.")]
    cost: Annotated[float, Doc("How much less what was played wins, on the same tables.")]
    cost_margin: Annotated[float, Doc("Half the width of its 95 % interval.")]
    open_best: Annotated[str, Doc("The best of a few options with all hands open.")]
    open_agrees: Annotated[bool, Doc("With all hands open what was played is the best of them.")]
    open_cost: Annotated[float, Doc("How much less what was played wins with all hands open.")]
    open_cost_margin: Annotated[float, Doc("Half the width of its 95 % interval.")]
    change: Annotated[float, Doc("Change of the chance since the decision before.")]
    turning_point: Annotated[bool, Doc("One of the largest changes that are clearer than chance.")]

    @property
    def costly(self) -> bool:
        """True if another option was clearly better."""
        return not self.agrees and self.cost > max(self.cost_margin, LEAST_COST)

    @property
    def costly_when_open(self) -> bool:
        """True if with all hands open another option was clearly better."""
        return not self.open_agrees and self.open_cost > max(self.open_cost_margin, LEAST_COST)


@dataclass(frozen=True, slots=True)
class Curve:
    """The chances over a match as points of a drawing; ``here`` is where a replay stands."""

    line: str
    band: str
    turning: list[tuple[float, float]]
    here: float | None
    width: int = WIDTH
    height: int = HEIGHT
    half: float = HEIGHT / 2


@dataclass(frozen=True, slots=True)
class LookBackShown:
    """A look back at one seat's decisions, and how far the work has come."""

    seat: Annotated[int, Doc("From 0.")]
    who: Annotated[str, Doc("The player.")]
    mine: Annotated[bool, Doc("It is about your seat.")]
    state: Annotated[str, Doc(choices=["none", *LookBackState.values])]
    shared: Annotated[bool, Doc("All who may see the match may see it.")]
    stale: Annotated[bool, Doc("Today’s rules or search would find other numbers.")]
    held_back: Annotated[bool, Doc("It has to wait for the end of a round of a tournament.")]
    by: Annotated[str, Doc("Who advises: the name of a bot.")]
    thinks: Annotated[bool, Doc("It thinks ahead; else it is the mode’s quick bot.")]
    played_out_by: Annotated[
        str,
        Doc("The quick bot that plays tables to the end for the chances; else empty."),
    ]
    decisions: Annotated[int, Doc("How many decisions the player made.")]
    total: Annotated[int, Doc("How many of them are looked at, evenly spread.")]
    done: Annotated[int, Doc("How many have been looked at so far.")]
    seconds_left: Annotated[int | None, Doc("About so long it takes yet; null where unknown.")]
    points: list[Decision]
    curve: Annotated[Curve | None, INTERNAL]

    @property
    def may_start(self) -> bool:
        """True if its reader may have the decisions looked at, for the first time or anew."""
        return self.mine and (self.state in ("none", LookBackState.FAILED) or self.stale)

    @property
    def turning_points(self) -> list[Decision]:
        """The largest changes, in the order of play."""
        return [point for point in self.points if point.turning_point]

    @property
    def agreed(self) -> int:
        """How many decisions were also the adviser's."""
        return sum(point.agrees for point in self.points)

    @property
    def better_when_open(self) -> list[Decision]:
        """The decisions in which, with all hands open, another option was clearly better."""
        return [point for point in self.points if point.costly_when_open]


def look_back_shown(
    match: Match, user: Viewer, seat: int | None = None, *, here: int | None = None
) -> LookBackShown:
    """The look back at a seat's decisions; without a seat the reader's own, or a shared one.

    Raises ``NotFinished``, ``NotPossible`` and ``NotYourSeat`` for one that is not shared.
    """
    require_finished(match, "You can look back at a match once it is over.")
    infos = seat_infos(match, user)
    if seat is not None and not 0 <= seat < len(infos):
        raise NotPossible(f"This match has {len(infos)} seats; seat {seat + 1} does not exist.")
    own = seat_of(match, user)
    rows = {row.seat: row for row in LookBack.objects.filter(match=match).order_by("seat")}
    if seat is None:
        seat = own if own is not None else next((n for n in rows if rows[n].shared), None)
    row = None if seat is None else rows.get(seat)
    if seat is None or (seat != own and not (row and row.shared)):
        raise NotYourSeat("No look back at these decisions has been shared.")
    return _shown(match, infos, row, infos[seat], here)


def stored_look_back(
    match: Match, user: Viewer, seat: int | None, *, here: int
) -> LookBackShown | None:
    """A finished look back that the reader may see at a replay; None where there is none."""
    if seat is None:
        return None
    rows = LookBack.objects.filter(match=match, seat=seat, state=LookBackState.DONE)
    if seat != seat_of(match, user):
        rows = rows.filter(shared=True)
    row = rows.first()
    if row is None:
        return None
    infos = seat_infos(match, user)
    return _shown(match, infos, row, infos[row.seat], here)


def _shown(
    match: Match, infos: Sequence[SeatInfo], row: LookBack | None, info: SeatInfo, here: int | None
) -> LookBackShown:
    game = engine.game_of(match)
    current = engine_of(match)
    slug = (current if row is None else row.engine).split(" ")[1]
    adviser = game.player(slug)
    points = [] if row is None else decisions(_with_names(row.points, infos))
    return LookBackShown(
        seat=info.number,
        who=info.name,
        mine=info.mine,
        state="none" if row is None else row.state,
        shared=row is not None and row.shared,
        stale=row is not None and row.engine != current,
        held_back=row is None and is_held_back(match),
        by=slug if adviser is None else adviser.name,
        thinks=slug in game.thinkers,
        played_out_by=played_out_by(game, match.mode),
        decisions=0 if row is None else row.decisions,
        total=0 if row is None else len(row.plies),
        done=0 if row is None else row.done,
        seconds_left=_seconds_left(row),
        points=points,
        curve=curve(match, points, info.number, here) if points else None,
    )


def _with_names(
    points: Sequence[dict[str, Any]], infos: Sequence[SeatInfo]
) -> list[dict[str, Any]]:
    """Stored points with the players' names of today in their sentences."""
    names = {SEAT.format(info.number + 1): info.name for info in infos}
    seat = re.compile(SEAT.format(r"\d+"))

    def named(sentence: str) -> str:
        return seat.sub(lambda match: names.get(match[0], match[0]), sentence)

    texts = ("played", "best", "open_best")
    return [point | {key: named(point[key]) for key in texts} for point in points]


def _seconds_left(row: LookBack | None) -> int | None:
    if row is None or not row.done or row.state != LookBackState.WORKING:
        return None
    return round(row.seconds / row.done * (len(row.plies) - row.done)) + 1


def decisions(stored: Sequence[dict[str, Any]]) -> list[Decision]:
    """Stored points with the change since the one before, and the turning points marked."""
    changes = [
        now["after"] - earlier["after"] for earlier, now in pairwise([_first(stored), *stored])
    ]
    clear = [
        n
        for n, change in enumerate(changes)
        if abs(change) >= LEAST_CHANGE and abs(change) > stored[n]["after_margin"]
    ]
    turning = sorted(clear, key=lambda n: -abs(changes[n]))[:MAX_TURNING_POINTS]
    return [
        Decision(change=round(changes[n], 4), turning_point=n in turning, **point)
        for n, point in enumerate(stored)
    ]


def _first(stored: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Where the curve begins: the chance before the first decision."""
    return {"after": stored[0]["before"]} if stored else {"after": 0.5}


def curve(match: Match, points: Sequence[Decision], seat: int, here: int | None) -> Curve:
    """The chances after each decision, and at last how the match ended."""
    plies = max(1, match.ply)

    def at(ply: int, chance: float) -> tuple[float, float]:
        return round(ply / plies * WIDTH, 1), round((1 - chance) * HEIGHT, 1)

    line = [at(0, points[0].before), *(at(point.ply, point.after) for point in points)]
    line.append(at(plies, _final_share(match, seat)))
    upper = [at(point.ply, min(1, point.after + point.after_margin)) for point in points]
    lower = [at(point.ply, max(0, point.after - point.after_margin)) for point in points]
    return Curve(
        line=_as_points(line),
        band=_as_points([*upper, *reversed(lower)]),
        turning=[at(point.ply, point.after) for point in points if point.turning_point],
        here=None if here is None else round(here / plies * WIDTH, 1),
    )


def _as_points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def _final_share(match: Match, seat: int) -> float:
    outcome = match.outcome or {}
    if not outcome.get("winners"):
        return 0.5
    return engine.mode_of(match).shares(outcome["winners"], sum(map(len, outcome["ranking"])))[seat]
