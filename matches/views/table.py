"""The table's page and the part of it that changes.

The table is drawn from the same view that the API gives. Its script asks for the drawn table again
after each move (``fragment``) and sends moves with the header ``Riffle-Script``; of the parts that
it has already (``Riffle-Parts``) it gets the marks alone, and of the log what is new. Without a
script every option is a button that posts the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string, select_template
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.queries.friends import friends_of
from core import budgets
from matches import engine
from matches.live import watching
from matches.models import Match, SeatKind, Status
from matches.queries import clock, lessons, lobby, talk
from matches.queries import standing_orders as own_orders
from matches.queries.access import access_match, seat_of
from matches.queries.events import SeenEvent, events_since
from matches.queries.manual import place_of
from matches.queries.seats import SeatInfo, seat_infos
from matches.queries.table import TablePrompt, TableState, table_state, views_from
from matches.queries.waiting import awaiting_count_at
from matches.services import cancelling, draws
from matches.services import talk as talking
from matches.templatetags.table import Picks
from matches.views.requests import player, query_number, refusals
from rules.engine.game import Game, Mode
from rules.engine.table_text import TableText, WhyNot

RECENT = 60
"""How many plies of the log a table shows."""


MAX_STEPS = 16
"""Earlier tables that are drawn with the newest one. Where more are missing the script (which knows
this number, too) shows the newest at once, so none of them is drawn."""


@require_GET
@never_cache
@refusals
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match; before the start, who is still missing."""
    match = access_match(request.user, slug)
    if match.state is None or match.status == Status.CANCELLED:
        return _open_table(request, match)
    return _page(request, table_state(match, request.user))


def _open_table(request: HttpRequest, match: Match) -> HttpResponse:
    seat = seat_of(match, request.user)
    if match.status == Status.OPEN and seat is None and match.host_id != request.user.pk:
        return redirect("matches:join", match.slug)
    game = engine.game_of(match)
    free = [seat for seat in match.seats.all() if seat.kind == SeatKind.OPEN]
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "seats": seat_infos(match, request.user),
        "kept": len(free) if all(seat.invited_id is not None for seat in free) else 0,
        "link": request.build_absolute_uri(reverse("matches:join", args=(match.slug,))),
        "options": option_words(game.modes[match.mode], match.options),
        "ends_at": lobby.ends_at(match),
        "hosting": match.host_id == request.user.pk and match.status == Status.OPEN,
        "called_off": cancelling.CALLED_OFF.get(match.reason),
    }
    if match.status == Status.OPEN:
        panel = talk.panel_context(match, request.user)
        talking.mark_shown(match=match, user=request.user, chat=panel["chat"])
        context |= panel
    if context["hosting"]:
        around = {seat.user_id for seat in match.seats.all()}
        around |= {seat.invited_id for seat in match.seats.all()}
        friends = friends_of(cast(User, request.user)).friends
        context["friends"] = [friend for friend in friends if friend.pk not in around]
    return render(request, "matches/open.html", context)


@require_GET
@never_cache
@refusals
def fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the table that changes.

    ``since`` adds what happened after that ply; ``steps`` the table as it was after each ply from
    that one on, if they are few. ``side`` is the side of the felt from which a spectator looks.
    """
    match = access_match(request.user, slug)
    if match.state is None or match.status == Status.CANCELLED:
        return HttpResponse(status=204)
    state = table_state(match, request.user)
    since, steps = query_number(request, "since"), query_number(request, "steps")
    return render_fragment(request, state, since=since, steps=steps)


def render_fragment(
    request: HttpRequest, state: TableState, *, since: int | None, steps: int | None
) -> HttpResponse:
    """The table for the script, the earlier ones before it and what has happened after it.

    For the earlier ones the match is played again, so they are metered, and so is a long log; who
    has used up their budget gets the newest table alone, and of the log what a page shows.
    """
    first, recent = state.ply, _recent(state.ply)
    if steps is not None and 0 < state.ply - steps <= MAX_STEPS:
        first = steps
    if first == state.ply and (since is None or since >= recent):
        return _drawn_fragment(request, state, since=since, first=first)
    if budgets.is_used_up(budgets.owner_of(request)):
        since = None if since is None else max(since, recent)
        return _drawn_fragment(request, state, since=since, first=state.ply)
    with budgets.metered(request):
        return _drawn_fragment(request, state, since=since, first=first)


def _drawn_fragment(
    request: HttpRequest, state: TableState, *, since: int | None, first: int
) -> HttpResponse:
    if state.seat is not None and state.match.finished:
        talking.mark_end_seen(match=state.match, user=player(request))
    views = views_from(state.match, seat=state.seat, first=first, last=state.ply - 1)
    told = state.ply if since is None else since
    events = events_since(state, min(_recent(first), told))
    around = page_context(request, state)
    zone, side = around["zone"], around["side"]
    tables = [
        around | felt_context(state, from_side(side, view), None, ply, events, zone)
        for ply, view in enumerate(views, first)
    ]
    view = from_side(side, state.view or {})
    newest = felt_context(state, view, state.prompt, state.ply, events, zone)
    tables.append(around | newest)
    # What one of them brings along, those after it need not bring again.
    held = set(request.headers.get("Riffle-Parts", "").split())
    drawn = [
        render_to_string("matches/table/felt.html", context | {"held": held}, request)
        for context in tables
    ]
    drawn.append(render_to_string("matches/table/clocks.html", around | {"held": held}, request))
    if state.match.lesson:
        drawn.append(render_to_string("matches/table/lesson.html", newest | around, request))
    if since is not None:
        news = [one for one in events if one.ply > since]
        drawn.append(render_to_string("matches/table/news.html", {"news": news}))
    return HttpResponse("".join(drawn))


def _page(
    request: HttpRequest,
    state: TableState,
    *,
    refusal: str = "",
    chosen: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The whole page of a table, with its log; after a refusal with what was chosen."""
    match = state.match
    game = engine.game_of(match)
    events = events_since(state, _recent(state.ply))
    context = page_context(request, state)
    view = from_side(context["side"], state.view or {})
    context |= felt_context(state, view, state.prompt, state.ply, events, context["zone"])
    if state.seat is not None and match.finished:
        talking.mark_end_seen(match=match, user=player(request))
    context |= {
        "game": game,
        "mode": game.modes[match.mode],
        "log": [one for one in events if one.text],
        "refusal": refusal,
        "chosen": chosen,
        "unread": talk.unread_count(match, request.user),
        "help_template": own_template("help", match),
        "offer": _cancel_offer(state),
        "spectating": state.seat is None,
        "counted": watching.is_counted(match),
        "watchers": _watchers(request, match),
        "may_concede": state.seat is not None and not match.outcome and not context["own_out"],
        "next_table": talk.next_table(request.user, match),
    }
    return render(request, "matches/table.html", context, status=status)


def _watchers(request: HttpRequest, match: Match) -> int | None:
    """How many others look on; None where that is not known, or nobody's business."""
    if not watching.is_counted(match):
        return None
    return watching.others(match.slug, watching.watcher_of(request, match, request.user))


@dataclass(frozen=True, slots=True)
class Offer:
    """What takes everybody: the reader may do it ``alone``, agree with those who are ``asking``, or
    has ``said`` so."""

    alone: bool
    said: bool
    asking: list[str]


def _cancel_offer(state: TableState) -> Offer | None:
    """For somebody who still plays at this table."""
    if state.seat is None or state.match.status != Status.RUNNING:
        return None
    seat = next(row for row in state.match.seats.all() if row.number == state.seat)
    return Offer(
        alone=cancelling.may_cancel_alone(state.match, seat) or _plays_alone(state),
        said=seat.wants_cancel,
        asking=[info.name for info in state.seats if info.wants_cancel and not info.mine],
    )


def _cancelling(state: TableState) -> str:
    """Who would like to cancel, as a mark by which the page knows that this has changed."""
    return "".join(str(info.number) for info in state.seats if info.wants_cancel)


def _back_offer(state: TableState) -> Offer | None:
    """The same for going back to the start of a turn; not for who plays alone, nor while guided."""
    if state.seat is None or state.table is None or state.match.status != Status.RUNNING:
        return None
    if len(state.seats) < 2 or lessons.is_guided(state.match, state.table):
        return None
    return Offer(
        alone=_plays_alone(state),
        said=state.seats[state.seat].wants_back,
        asking=[info.name for info in state.seats if info.wants_back and not info.mine],
    )


def _draw_offer(state: TableState) -> Offer | None:
    """The same for a draw; not where the rules know none, or a bot would have to agree."""
    if state.seat is None or state.table is None or state.match.status != Status.RUNNING:
        return None
    if not state.table.knows_draws:
        return None
    if not draws.all_can_agree(list(state.match.seats.all()), state.table):
        return None
    return Offer(
        alone=False,
        said=state.seats[state.seat].wants_draw,
        asking=[info.name for info in state.seats if info.wants_draw and not info.mine],
    )


def _plays_alone(state: TableState) -> bool:
    return sum(info.kind == SeatKind.PERSON for info in state.seats) < 2


def page_context(request: HttpRequest, state: TableState) -> dict[str, Any]:
    """What ``matches/table/felt.html`` shows of a table at any of its plies."""
    game = engine.game_of(state.match)
    return {
        "match": state.match,
        "game_name": game.name,
        "ply": state.ply,
        "seats": state.seats,
        "names": ["You" if info.mine else info.name for info in state.seats],
        "awaiting": awaiting_count_at(state.match, request.user),
        "clocks": clock.lines(state.match, request.user, state.seats),
        "rules_link": _rules_link(state),
        "rules_at": _rules_at(state),
        "guide": _guide(state),
        "zone": getattr(request.user, "time_zone", ""),
        "back": _back_offer(state),
        "draw": _draw_offer(state),
        "cancelling": _cancelling(state),
        "orders": own_orders.orders_of(state.match, state.seat),
        "offers_mails": _offers_mails(request, state),
        "side": _side(request, state),
        "table_template": table_template(state.match),
        "page_title": _page_title(
            state.match, game, state.seats, own_turn=state.prompt is not None
        ),
    }


def _guide(state: TableState) -> lessons.Guide | None:
    """What the lesson says now, to whoever takes it."""
    if not state.match.lesson or state.seat is None or state.table is None:
        return None
    return lessons.guide(state.match, state.table, [info.name for info in state.seats])


def lesson_end(state: TableState) -> str:
    """What the lesson says of its end."""
    guide = _guide(state)
    return guide.says[0].text if guide is not None and guide.over else ""


def _side(request: HttpRequest, state: TableState) -> int | None:
    """The seat from whose side of the felt a spectator looks; players have their own."""
    asked = request.GET.get("side", "")
    if state.seat is not None or not asked.isdecimal() or len(asked) > 2:
        return None
    return int(asked) - 1 if 0 < int(asked) <= len(state.seats) else None


def from_side(side: int | None, view: Mapping[str, Any]) -> Mapping[str, Any]:
    """A spectator's view for the side from which it is drawn; nothing is added to it."""
    return view if side is None else {**view, "side": side}


def _rules_at(state: TableState) -> str:
    """Where the rules speak of what is being asked, if the reader is asked."""
    prompt = state.prompt
    return place_of(state.match.game, state.match.mode, prompt.kind) if prompt else ""


def _rules_link(state: TableState) -> str:
    """The rules of this mode, at what is being asked."""
    page = reverse("matches:game-rules", args=(state.match.game,))
    at = _rules_at(state)
    return f"{page}?mode={state.match.mode}{f'#{at}' if at else ''}"


def _offers_mails(request: HttpRequest, state: TableState) -> bool:
    """Whether a guest waits here for people, who could be told by mail."""
    is_guest = state.seat is not None and getattr(request.user, "is_guest", False)
    people = sum(info.kind == SeatKind.PERSON for info in state.seats)
    return is_guest and people > 1 and bool(settings.MAIL_IS_SENT)


def felt_context(
    state: TableState,
    view: Mapping[str, Any],
    prompt: TablePrompt | None,
    shown: int,
    events: Sequence[SeenEvent],
    zone: str | None,
) -> dict[str, Any]:
    """What it shows of the table as it was after the ply ``shown``."""
    text = engine.game_of(state.match).text
    names = [info.name for info in state.seats]
    recent = [one for one in events if _recent(shown) < one.ply <= shown]
    lines = []
    if shown < state.ply:
        lines = [one.text for one in recent if one.ply == shown and one.text][-3:]
    return {
        "view": view,
        "shown": shown,
        "prompt": prompt,
        "asked": prompt is not None,
        "question": _question(prompt),
        "options": prompt.options if prompt else [],
        "picks": Picks.of(prompt),
        "why_not": _why_not(text, prompt),
        "waiting_line": waiting_line(state.seats) if shown == state.ply else "",
        "may_take_back": state.may_take_back and shown == state.ply,
        "may_stand": [one for one in prompt.options if one.stands] if prompt else [],
        "lines": lines,
        "own_out": state.seat is not None and text.is_out(view, state.seat),
        "outcome_line": _outcome_line(recent) if view["outcome"] else "",
        "events": [one.event for one in recent],
        "turn_line": turn_line(text, view, state.seats, names, zone),
    }


def _why_not(text: TableText, prompt: TablePrompt | None) -> dict[str, Any] | None:
    """Why what a reader clicks cannot be chosen: each time a sentence, and the rule that says so.

    ``cards``: of single cards, by number; ``others``: of all else that is no answer; ``there``: by
    verb, where a card may go that was laid elsewhere.
    """
    if prompt is None:
        return None
    now = text.not_now.get(prompt.kind) or WhyNot("That is not what you are asked now.", "")
    verbs = {option.move["verb"] for option in prompt.options}
    rows = prompt.outlook.get("why_not", ())
    return {
        "cards": {row["card"]: [row["says"], row["rule"]] for row in rows},
        "others": [now.sentence, now.rule],
        "there": {
            verb: [said.sentence, said.rule]
            for verb, said in text.not_there.items()
            if verb in verbs
        },
    }


def table_template(match: Match) -> list[str]:
    return [*_templates("table", match), "matches/table/plain.html"]


def _templates(what: str, match: Match) -> list[str]:
    """The templates of a game's own for ``what``, the best first: its mode's, then the game's."""
    return [f"{match.game}/{what}_{match.mode}.html", f"{match.game}/{what}.html"]


def own_template(what: str, match: Match) -> Any:
    """What a game or mode brings for ``what``; None where it brings nothing."""
    try:
        return select_template(_templates(what, match))
    except TemplateDoesNotExist:
        return None


def _recent(ply: int) -> int:
    """After which ply the log begins that a table at ``ply`` shows."""
    return ply - RECENT if ply > RECENT else -1


def _question(prompt: TablePrompt | None) -> str:
    """The question without the words that the tray's badge says already."""
    if prompt is None:
        return ""
    question = prompt.question.removeprefix("Your turn: ")
    return question[:1].upper() + question[1:]


def waiting_line(seats: Sequence[SeatInfo]) -> str:
    waiting = [seat for seat in seats if seat.waiting]
    names = " and ".join(seat.name for seat in waiting)
    if not waiting:
        return "The table is at rest."
    if all(seat.kind == SeatKind.BOT for seat in waiting):
        return f"{names} {'is' if len(waiting) == 1 else 'are'} thinking."
    return f"Waiting for {names}."


def _own_line(seats: Sequence[SeatInfo]) -> str:
    """That the reader is asked, and whoever else is at the same moment."""
    others = [seat.name for seat in seats if seat.waiting and not seat.mine]
    if not others:
        return "Your turn"
    return f"You and {others[0] if len(others) == 1 else f'{len(others)} others'} are to move"


def is_draw(seats: Sequence[SeatInfo]) -> bool:
    """Nobody did better than anybody else."""
    return len(seats) > 1 and all(seat.place == 1 for seat in seats)


def _outcome_line(events: Sequence[SeenEvent]) -> str:
    return (events[-1].text if events else "") or "The match is over."


def turn_line(
    text: TableText,
    view: Mapping[str, Any],
    seats: Sequence[SeatInfo],
    names: Sequence[str],
    zone: str | None = None,
) -> str:
    if view["outcome"]:
        return text.over(view)
    at = text.progress(view)
    whose = next((seat for seat in seats if seat.number == at.seat), None)
    words = [at.step] if at.step else []
    if whose is not None:
        words.append(at.mine if whose.mine else f"{names[whose.number]}{at.theirs}")
    if not words:
        asked = any(seat.mine and seat.waiting for seat in seats)
        words.append(_own_line(seats) if asked else waiting_line(seats).rstrip("."))
    deadline = next((seat.deadline_at for seat in seats if seat.mine and seat.waiting), None)
    if deadline is not None:
        words.append(clock.until(deadline, zone))
    return " · ".join(words)


def _page_title(match: Match, game: Game, seats: Sequence[SeatInfo], *, own_turn: bool) -> str:
    others = ", ".join(seat.name for seat in seats if not seat.mine)
    title = f"{game.name} with {others} · Riffle" if others else f"{game.name} alone · Riffle"
    if match.status == Status.FINISHED:
        return f"Over · {title}"
    return f"● Your turn · {title}" if own_turn else title


def option_words(mode: Mode, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The options of a match as people read them."""
    words = []
    for option in mode.options:
        value = options.get(option.slug, option.default)
        if isinstance(value, (list, tuple)):
            text = ", ".join(option.names.get(one, str(one)) for one in value) or "none"
        else:
            text = str(option.names.get(value, value))
        words.append((option.name, text))
    return words
