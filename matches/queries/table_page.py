"""The content of a table's page, put together once; views and templates only draw it.

The page and the part of it that the script fetches after each move show the same ``TablePage``;
around it the page alone has the ``TableBar``. Templates, also those of games, read the fields of
these, and of the ``Felt`` that is drawn, by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.models import User, Viewer
from accounts.queries.people import mail_problem
from matches import engine
from matches.live import watching
from matches.models import Match, Result, SeatKind, Status
from matches.queries import ahead, clock, lessons, ratings, series, standing_orders, talk
from matches.queries.click_targets import ClickTargets
from matches.queries.events import RECENT, SeenEvent, events_since
from matches.queries.manual import place_of
from matches.queries.outcomes import conceding
from matches.queries.seats import SeatInfo, waiting_line
from matches.queries.table import TableOption, TablePrompt, TableState, views_from
from matches.queries.waiting import awaiting_count_at
from matches.services import cancelling, draws, hints, store_ply
from rules.engine.game import Game, Mode
from rules.engine.table_text import TableText, WhyNot


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that takes all players.

    The reader may do it ``alone``, has ``offered`` it, or may agree with the ``others`` who have.
    """

    alone: bool
    offered: bool
    others: list[str]


@dataclass(frozen=True)
class Felt:
    """The felt and its tray as they were after the ply ``shown``.

    ``events`` are those of the log up to there; ``lines`` tell, at an earlier ply, what happened in
    it. ``why_not`` says why what a reader clicks cannot be chosen, each time as a sentence and the
    rule that says so: ``cards`` of single cards, by number; ``others`` of all else that is no
    answer; ``there``, by verb, where a card may go that was laid elsewhere.
    """

    shown: int
    view: Mapping[str, Any]
    prompt: TablePrompt | None
    asked: bool
    question: str
    options: Sequence[TableOption]
    picks: ClickTargets
    why_not: dict[str, Any] | None
    may_stand: list[TableOption]
    may_undo: bool
    events: list[dict[str, Any]]
    lines: list[str]
    turn_line: str
    waiting_line: str
    outcome_line: str
    own_out: bool


@dataclass(frozen=True)
class TablePage:
    """A table as a viewer sees it: one ``Felt`` for each ply that is drawn, the newest last.

    ``recent`` is what happened: as much as a page's log shows, or more where that was asked for.
    ``side`` is the seat from whose side of the felt a spectator looks, ``cancelling`` a mark that
    changes with those who would like to cancel, ``no_mail`` is “guest”, “none” or “unconfirmed”
    where somebody waits for people and has no address for mails.
    """

    match: Match
    game: Game
    mode: Mode
    ply: int
    seats: list[SeatInfo]
    names: list[str]
    spectating: bool
    side: int | None
    page_title: str
    awaiting: int
    clocks: list[clock.ClockLine]
    rules_at: str
    rules_link: str
    guide: lessons.Guide | None
    back: Offer | None
    draw: Offer | None
    cancelling: str
    orders: list[standing_orders.OwnOrder]
    may_plan: bool
    no_mail: str
    felts: list[Felt]
    recent: list[SeenEvent]


@dataclass(frozen=True)
class TableBar:
    """The tools above a table; ``watchers`` is None where the number is not known.

    ``refreshes``: bots alone are asked, so without a script the page loads itself again.
    """

    log: list[SeenEvent]
    unread: int
    offer: Offer | None
    counted: bool
    watchers: int | None
    may_concede: bool
    conceding: str
    next_table: str | None
    why_unrated: str
    series: series.SeriesAt | None
    refreshes: bool
    may_hint: bool


def table_page(
    state: TableState,
    user: Viewer,
    *,
    side: int | None = None,
    first: int | None = None,
    since: int | None = None,
) -> TablePage:
    """A table as ``state`` has it, which was read for ``user``.

    ``side`` is the number of a seat, from 1. The felts begin with that of the ply ``first``, for
    which the match is played again; left out, the newest is drawn alone. What happened after the
    ply ``since`` comes along, where that is more than the log shows.
    """
    match, seats, prompt, ply = state.match, state.seats, state.prompt, state.ply
    game = engine.game_of(match)
    looks_from = side - 1 if state.seat is None and side and side <= len(seats) else None
    first = ply if first is None else first
    views = views_from(match, seat=state.seat, first=first, last=ply - 1)
    recent = events_since(state, min(log_start(first), ply if since is None else since))
    out = store_ply.who_is_out(state.table) if state.table is not None else frozenset()
    rules_at = place_of(match.game, match.mode, prompt.kind) if prompt else ""
    rules_link = f"{reverse('matches:game-rules', args=(match.game,))}?mode={match.mode}"
    return TablePage(
        match=match,
        game=game,
        mode=game.modes[match.mode],
        ply=ply,
        seats=seats,
        names=["You" if info.mine else info.name for info in seats],
        spectating=state.seat is None,
        side=looks_from,
        page_title=_page_title(state, game),
        awaiting=awaiting_count_at(match, user),
        clocks=clock.lines(match, user, seats, out=out),
        rules_at=rules_at,
        rules_link=f"{rules_link}#{rules_at}" if rules_at else rules_link,
        guide=guide_of(state),
        back=_back_offer(state),
        draw=_draw_offer(state),
        cancelling="".join(str(info.number) for info in seats if info.wants_cancel),
        orders=standing_orders.orders_of(match, state.seat),
        may_plan=_may_plan(state),
        no_mail=_no_mail(state, user),
        felts=[
            _felt(state, game.text, number, view, looks_from, recent)
            for number, view in enumerate([*views, state.view or {}], first)
        ],
        recent=recent,
    )


def table_bar(state: TableState, user: Viewer, page: TablePage, watcher: str) -> TableBar:
    """The tools around ``page``; ``watcher`` is who looks on, as ``watching`` names them."""
    match, counted = state.match, watching.is_counted(state.match)
    return TableBar(
        log=[event for event in page.recent if event.text],
        unread=talk.unread_count(match, user),
        offer=_cancel_offer(state),
        counted=counted,
        watchers=watching.others(match.slug, watcher) if counted else None,
        may_concede=not (page.spectating or match.outcome or page.felts[-1].own_out),
        conceding=conceding(page.mode, len(page.seats)),
        next_table=_next_table(user, match),
        why_unrated="" if match.lesson else ratings.why_unrated(match),
        series=series.series_at(match, user),
        refreshes=_bots_think(state.seats),
        may_hint=hints.may_ask(match, state.seat),
    )


def _bots_think(seats: Sequence[SeatInfo]) -> bool:
    waiting = [seat for seat in seats if seat.waiting]
    return bool(waiting) and all(seat.kind == SeatKind.BOT for seat in waiting)


def _next_table(user: Viewer, match: Match) -> str | None:
    """The address that leads on through the tables that wait; None if no other table does."""
    if talk.next_table(user, [match.pk]) is None:
        return None
    return reverse("matches:next", args=(match.slug,))


def log_start(ply: int) -> int:
    """After which ply the log begins that a table at ``ply`` shows."""
    return ply - RECENT if ply > RECENT else -1


def guide_of(state: TableState) -> lessons.Guide | None:
    """The words of the lesson now, for the learner; None for everyone else."""
    if not state.match.lesson or state.seat is None or state.table is None:
        return None
    return lessons.guide(state.match, state.table, [info.name for info in state.seats])


def turn_line(text: TableText, view: Mapping[str, Any], seats: Sequence[SeatInfo]) -> str:
    """How far a match is, and who is to move until when."""
    if view["outcome"]:
        return text.over(view)
    at = text.progress(view)
    words = [at.step] if at.step else []
    words += [
        at.mine if seat.mine else f"{seat.name}{at.theirs}"
        for seat in seats
        if seat.number == at.seat
    ]
    own = next((seat for seat in seats if seat.mine and seat.waiting), None)
    if not words:
        words.append(waiting_line(seats).rstrip(".") if own is None else _own_line(seats))
    if own is not None and own.deadline_at is not None:
        words.append(clock.until(own.deadline_at))
    return " · ".join(words).replace(" · ", "\N{NO-BREAK SPACE}· ")  # no line begins with a dot


def _own_line(seats: Sequence[SeatInfo]) -> str:
    """Say that the reader is asked, and who else is at the same moment."""
    others = [seat.name for seat in seats if seat.waiting and not seat.mine]
    if not others:
        return "Your turn"
    return f"You and {others[0] if len(others) == 1 else f'{len(others)} others'} to move"


def _page_title(state: TableState, game: Game) -> str:
    others = ", ".join(seat.name for seat in state.seats if not seat.mine)
    title = f"{game.name} with {others} · Riffle" if others else f"{game.name} alone · Riffle"
    if state.match.finished:
        return f"Over · {title}"
    return f"● Your turn · {title}" if state.prompt is not None else title


def newest_felt(state: TableState, text: TableText) -> Felt:
    """The felt alone, as it is now; of a match that is over, its final board."""
    recent = events_since(state, log_start(state.ply))
    return _felt(state, text, state.ply, state.view or {}, None, recent)


def _felt(
    state: TableState,
    text: TableText,
    shown: int,
    view: Mapping[str, Any],
    side: int | None,
    events: Sequence[SeenEvent],
) -> Felt:
    newest, start = shown == state.ply, log_start(shown)
    prompt = state.prompt if newest else None
    recent = [event for event in events if start < event.ply <= shown]
    question = prompt.question.removeprefix("Your turn: ") if prompt else ""  # the badge says it
    outcome_line = ""
    if view["outcome"]:
        outcome_line = (recent[-1].text if recent else "") or "The match is over."
        if not any(seat.mine and seat.result == Result.WON for seat in state.seats):
            outcome_line = outcome_line.replace("!", ".")
    return Felt(
        shown=shown,
        # A spectator sees no more from a side than from none.
        view=view if side is None else {**view, "side": side},
        prompt=prompt,
        asked=prompt is not None,
        question=question[:1].upper() + question[1:],
        options=prompt.options if prompt else [],
        picks=ClickTargets.of(prompt),
        why_not=None if prompt is None else _why_not(text, prompt),
        may_stand=[option for option in prompt.options if option.stands] if prompt else [],
        may_undo=state.may_undo and newest,
        events=[event.event for event in recent],
        lines=[]
        if newest
        else [event.text for event in recent if event.ply == shown and event.text][-3:],
        turn_line=turn_line(text, view, state.seats),
        waiting_line=waiting_line(state.seats) if newest else "",
        outcome_line=outcome_line,
        own_out=state.seat is not None and text.is_out(view, state.seat),
    )


def _why_not(text: TableText, prompt: TablePrompt) -> dict[str, Any]:
    now = text.not_now.get(prompt.kind) or WhyNot("That is not an answer to your prompt.", "")
    verbs = {option.move["verb"] for option in prompt.options}
    return {
        "cards": {
            row["card"]: [row["says"], row["rule"]] for row in prompt.outlook.get("why_not", ())
        },
        "others": [now.sentence, now.rule],
        "there": {
            verb: [why.sentence, why.rule] for verb, why in text.not_there.items() if verb in verbs
        },
    }


def _may_plan(state: TableState) -> bool:
    table = _plays_at(state)
    if table is None or state.seat is None:
        return False
    return ahead.may_plan(state.match, table, state.seat)


def _cancel_offer(state: TableState) -> Offer | None:
    if _plays_at(state) is None or state.match.in_event:
        return None
    seat = next(row for row in state.match.seats.all() if row.number == state.seat)
    alone = cancelling.may_cancel_alone(state.match, seat) or _plays_alone(state)
    return _offer(state, lambda info: info.wants_cancel, alone=alone)


def _back_offer(state: TableState) -> Offer | None:
    """Going back to the start of a turn; not for who plays alone, nor while guided."""
    table = _plays_at(state)
    if table is None or len(state.seats) < 2 or lessons.is_guided(state.match, table):
        return None
    return _offer(state, lambda info: info.wants_takeback, alone=_plays_alone(state))


def _draw_offer(state: TableState) -> Offer | None:
    """A draw; not where the rules know none, or a bot would have to agree."""
    table = _plays_at(state)
    if table is None or not table.knows_draws:
        return None
    if not draws.all_can_agree(list(state.match.seats.all()), table):
        return None
    return _offer(state, lambda info: info.wants_draw, alone=False)


def _plays_at(state: TableState) -> engine.Table | None:
    """The table at which the reader still plays."""
    plays = state.seat is not None and state.match.status == Status.RUNNING
    return state.table if plays else None


def _no_mail(state: TableState, user: Viewer) -> str:
    """Why a player who waits for people is sent no mail; empty if one comes, or none is sent."""
    waits = state.seat is not None and state.prompt is None and not state.match.finished
    if not waits or not isinstance(user, User) or _plays_alone(state):
        return ""
    return mail_problem(user) if settings.MAIL_IS_SENT else ""


def _plays_alone(state: TableState) -> bool:
    return sum(info.kind == SeatKind.PERSON for info in state.seats) < 2


def _offer(state: TableState, wants: Callable[[SeatInfo], bool], *, alone: bool) -> Offer:
    wishing = [info for info in state.seats if wants(info)]
    return Offer(
        alone=alone,
        offered=any(info.mine for info in wishing),
        others=[info.name for info in wishing if not info.mine],
    )
