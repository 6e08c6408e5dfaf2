"""The pages of a match: setting up, the table, joining, the result, the replay, fairness.

The table is drawn here once, from the same view that the API gives. Its script asks for the
drawn table again after each move (``fragment``) and sends moves with the header
``Riffle-Script``; of the parts that it holds already (``Riffle-Parts``) it gets the marks alone,
and of the log what is new. Without a script every option is a button that posts the same form.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from operator import itemgetter
from typing import Any, Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string, select_template
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

import rules
from accounts.channels.models import AddressUse
from accounts.channels.secret_addresses import address_of, remembered
from accounts.errors import MembersOnly, Refusal
from accounts.models import SecretAddress, User
from accounts.queries import asking_count, friends_of
from accounts.services import ensure_guest, save_profile
from collection.downloads import attachment
from collection.errors import NotEnoughCards
from collection.queries.trades import waiting_count
from matches import (
    clock_words,
    engine,
    lessons,
    lobby,
    moment,
    people,
    queries,
    subscriptions,
    talk,
    watching,
)
from matches import orders as own_orders
from matches.errors import Malformed, MatchError, NotPossible, NotYourSeat
from matches.forms import AgreeForm, JoinForm, NewMatchForm
from matches.manual import place_of
from matches.models import Match, Pace, SeatKind, Status
from matches.ratings import speed_of, why_unrated
from matches.services import (
    cancelling,
    drawing,
    going_back,
    keeps,
    offers,
    setup,
    taking_back,
)
from matches.services import orders as ordering
from matches.services import play as playing
from matches.services import talk as talking
from matches.services.again import NewSeats
from matches.services.again import rematch as play_again
from matches.services.record import PlayedAtTable
from matches.templatetags.table import Picks
from rules.engine.game import Game, Mode
from rules.engine.table_text import TableText, WhyNot

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

RECENT = 60
"""How many plies of the log a table shows."""

MOST_STEPS = 40
"""How many earlier tables are drawn with the newest one: the last ones."""

MOMENT_KEPT = 60 * 60
"""So many seconds the picture of a moment is kept; the names on it may change."""

MOST_TOGETHER = 40
"""How many answers one request may send."""


def _from_script(request: HttpRequest) -> bool:
    return request.headers.get("Riffle-Script") == "table"


def _posted(request: HttpRequest) -> QueryDict | None:
    """What a form was sent with, even if that is nothing; None where no form was sent."""
    return request.POST if request.method == "POST" else None


def refusals(view: View[P]) -> View[P]:
    """Answer a refusal with its sentence and status: a page, or a small object for the script."""

    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except MatchError as error:
            if _from_script(request):
                data = {"code": error.code, "detail": error.detail}
                return JsonResponse(data, status=error.status)
            context = {"title": error.title, "detail": error.detail, "slug": kwargs.get("slug")}
            return render(request, "matches/refused.html", context, status=error.status)

    return answer


# -- setting up -----------------------------------------------------------------------------------


def playable(people: int = 1) -> list[tuple[Game, Mode]]:
    """All that so many can play together here."""
    return [
        (game, mode)
        for game in rules.games().values()
        for mode in game.modes.values()
        if mode.playable and mode.seats[-1] >= people
    ]


def _chosen_mode(request: HttpRequest) -> tuple[Game, Mode]:
    """The game and mode that the address names; without a name the first that can be played."""
    first_game, first_mode = playable()[0]
    game = request.GET.get("game", first_game.slug)
    mode = request.GET.get("mode")
    if mode is None:
        mode = next((m.slug for g, m in playable() if g.slug == game), first_mode.slug)
    return engine.find_mode(game, mode)


@require_http_methods(["GET", "HEAD", "POST"])
@refusals
def new(request: HttpRequest) -> HttpResponse:
    """Set up a table."""
    game, mode = _chosen_mode(request)
    form = NewMatchForm(_posted(request), game=game, mode=mode, host=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            match = setup.create_match(
                host=ensure_guest(request),
                game=game.slug,
                mode=mode.slug,
                options=form.options(),
                seats=form.seats(),
                pace=form.cleaned_data.get("pace", Pace.STEADY),
                timeout=form.cleaned_data.get("timeout") or None,
                waits=form.cleaned_data.get("waits", True),
                deck=form.cleaned_data.get("deck"),
                private=form.cleaned_data["private"],
                listed=form.cleaned_data.get("listed", False),
                bots_after=form.bot_patience(),
                rating_within=form.cleaned_data.get("rating_within"),
                seats_pass_on=form.cleaned_data.get("seats_pass_on", False),
                client_seed=form.cleaned_data["client_seed"],
            )
        except NotPossible as error:
            form.add_refusal(error)
        except (NotEnoughCards, MembersOnly) as refusal:
            form.add_error(None, refusal.detail)
        else:
            return redirect("matches:table", match.slug)
    context = {"form": form, "game": game, "mode": mode, "shelf": playable()}
    return render(request, "matches/new.html", context, status=422 if form.errors else 200)


@require_POST
@refusals
def quick(request: HttpRequest) -> HttpResponse:
    """One click: a table against a bot, or alone where that is the mode; a guest if need be."""
    game, mode = _chosen_mode(request)
    match = setup.create_match(
        host=ensure_guest(request),
        game=game.slug,
        mode=mode.slug,
        seats=[setup.SeatPlan("person" if n == 0 else "bot") for n in range(mode.seats[0])],
    )
    return redirect("matches:table", match.slug)


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """One open table of a list, as people read it."""

    table: lobby.OpenTable
    game: Game
    mode: Mode
    pace: str
    unusual: list[tuple[str, str]]
    people: list[queries.SeatInfo]
    host: User | None


def open_entries(user: Any, found: Iterable[Match]) -> list[OpenEntry]:
    """Open tables as lines of a list for somebody."""
    matches = list(found)
    return [
        _open_entry(match, table)
        for match, table in zip(matches, lobby.shown_tables(user, matches), strict=True)
    ]


def _open_entry(match: Match, table: lobby.OpenTable) -> OpenEntry:
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    taken = [seat for seat in table.seats if seat.kind != SeatKind.OPEN]
    return OpenEntry(
        table=table,
        game=game,
        mode=mode,
        pace=Pace(match.pace).label,
        unusual=[
            words
            for option, words in zip(mode.options, option_words(mode, match.options), strict=True)
            if option.slug in table.unusual
        ],
        people=taken,
        host=match.host,
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of tables."""

    match: Match
    game: Game
    mode: str
    others: list[queries.SeatInfo]
    note: str
    unread: int
    ended_unseen: bool


def entries(user: Any, found: Iterable[Match], news: talk.News) -> list[Entry]:
    """Matches as lines of a list for somebody, with what is new to them."""
    lines = []
    for match in found:
        game = engine.game_of(match)
        names = queries.seat_infos(match, user)
        others = [info for info in names if not info.mine]
        note = _entry_note(match, names, getattr(user, "time_zone", None))
        mode, unread = game.modes[match.mode].name, news.unread.get(match.pk, 0)
        lines.append(Entry(match, game, mode, others, note, unread, match.pk in news.ended))
    return lines


def _entry_note(match: Match, seats: Sequence[queries.SeatInfo], zone: str | None) -> str:
    if match.status == Status.OPEN:
        free = sum(seat.kind == SeatKind.OPEN for seat in seats)
        return f"{free} open seat{'s' if free > 1 else ''}"
    if match.status == Status.RUNNING:
        mine = next((seat for seat in seats if seat.mine), None)
        if mine is not None and mine.waiting:
            return "" if mine.deadline_at is None else clock_words.until(mine.deadline_at, zone)
        return _waiting_line(seats)
    if note := engine.game_of(match).text.note(match.outcome or {}):
        return note
    if _is_draw(seats):
        return "A draw"
    winners = [seat for seat in seats if seat.place == 1]
    if any(seat.mine for seat in winners):
        return "You won" if len(winners) == 1 else "You shared the win"
    return " and ".join(seat.name for seat in winners) + " won"


@login_required
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """My tables: those that wait for me first, the most urgent on top."""
    user: Any = request.user
    waiting = list(queries.awaiting(user))
    awaited = {match.pk for match in waiting}
    kept = partial(lobby.is_invited, user=user)
    rest = [match for match in queries.matches_of(user)[:200] if match.pk not in awaited]
    shown = partial(entries, user, news=talk.news_of(user))
    context = {
        "awaiting": shown(waiting),
        "running": shown(m for m in rest if m.status == Status.RUNNING),
        "open": shown(m for m in rest if m.status == Status.OPEN and not kept(m)),
        "invitations": open_entries(user, lobby.invitations(user)),
        "finished": shown([m for m in rest if m.status == Status.FINISHED][:40]),
        "offers": waiting_count(user),
        "asking": asking_count(user),
    }
    return render(request, "matches/mine.html", context)


# -- the table ------------------------------------------------------------------------------------


@require_GET
@never_cache
@refusals
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match; before the start, who is still missing."""
    match = queries.access_match(request.user, slug)
    if match.state is None or match.status == Status.CANCELLED:
        return _open_table(request, match)
    return _page(request, queries.table_state(match, request.user))


def _open_table(request: HttpRequest, match: Match) -> HttpResponse:
    seat = queries.seat_of(match, request.user)
    if match.status == Status.OPEN and seat is None and match.host_id != request.user.pk:
        return redirect("matches:join", match.slug)
    game = engine.game_of(match)
    free = [seat for seat in match.seats.all() if seat.kind == SeatKind.OPEN]
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "seats": queries.seat_infos(match, request.user),
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
    that one on. ``side`` is the side of the felt from which a spectator looks.
    """
    match = queries.access_match(request.user, slug)
    if match.state is None or match.status == Status.CANCELLED:
        return HttpResponse(status=204)
    state = queries.table_state(match, request.user)
    since, steps = _number(request, "since"), _number(request, "steps")
    return _fragment(request, state, since=since, steps=steps)


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 9:
        raise Malformed(f"“{name}” is the number of a move, not “{text[:20]}”.")
    return int(text)


def _fragment(
    request: HttpRequest, state: queries.TableState, *, since: int | None, steps: int | None
) -> HttpResponse:
    """The table for the script, the earlier ones before it and what has happened after it."""
    if state.seat is not None and state.match.finished:
        talking.mark_end_seen(match=state.match, user=player(request))
    first = state.ply if steps is None else max(steps, state.ply - MOST_STEPS)
    views = queries.views_from(state.match, seat=state.seat, first=first, last=state.ply - 1)
    shown = min(first, state.ply)
    told = state.ply if since is None else since
    events = queries.events_since(state, min(_recent(shown), told))
    around = _around(request, state)
    zone, side = around["zone"], around["side"]
    tables = [
        around | _felt(state, _seen_from(side, view), None, ply, events, zone)
        for ply, view in enumerate(views, first)
    ]
    view = _seen_from(side, state.view or {})
    newest = _felt(state, view, state.prompt, state.ply, events, zone)
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
    state: queries.TableState,
    *,
    refusal: str = "",
    chosen: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The whole page of a table, with its log; after a refusal with what was chosen."""
    match = state.match
    game = engine.game_of(match)
    events = queries.events_since(state, _recent(state.ply))
    context = _around(request, state)
    view = _seen_from(context["side"], state.view or {})
    context |= _felt(state, view, state.prompt, state.ply, events, context["zone"])
    if state.seat is not None and match.finished:
        talking.mark_end_seen(match=match, user=player(request))
    context |= {
        "game": game,
        "mode": game.modes[match.mode],
        "log": [one for one in events if one.text],
        "refusal": refusal,
        "chosen": chosen,
        "unread": talk.unread_count(match, request.user),
        "help_template": _own_template("help", match),
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


def _cancel_offer(state: queries.TableState) -> Offer | None:
    """For somebody who still plays at this table."""
    if state.seat is None or state.match.status != Status.RUNNING:
        return None
    seat = next(row for row in state.match.seats.all() if row.number == state.seat)
    return Offer(
        alone=cancelling.may_cancel_alone(state.match, seat) or _plays_alone(state),
        said=seat.wants_cancel,
        asking=[info.name for info in state.seats if info.wants_cancel and not info.mine],
    )


def _cancelling(state: queries.TableState) -> str:
    """Who would like to cancel, as a mark by which the page knows that this has changed."""
    return "".join(str(info.number) for info in state.seats if info.wants_cancel)


def _back_offer(state: queries.TableState) -> Offer | None:
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


def _draw_offer(state: queries.TableState) -> Offer | None:
    """The same for a draw; not where the rules know none, or a bot would have to agree."""
    if state.seat is None or state.table is None or state.match.status != Status.RUNNING:
        return None
    if not state.table.knows_draws:
        return None
    if not drawing.all_can_agree(list(state.match.seats.all()), state.table):
        return None
    return Offer(
        alone=False,
        said=state.seats[state.seat].wants_draw,
        asking=[info.name for info in state.seats if info.wants_draw and not info.mine],
    )


def _plays_alone(state: queries.TableState) -> bool:
    return sum(info.kind == SeatKind.PERSON for info in state.seats) < 2


def _around(request: HttpRequest, state: queries.TableState) -> dict[str, Any]:
    """What ``matches/table/felt.html`` shows of a table at any of its plies."""
    game = engine.game_of(state.match)
    return {
        "match": state.match,
        "game_name": game.name,
        "ply": state.ply,
        "seats": state.seats,
        "names": ["You" if info.mine else info.name for info in state.seats],
        "awaiting": queries.awaiting_count_at(state.match, request.user),
        "clocks": clock_words.lines(state.match, request.user, state.seats),
        "rules_link": _rules_link(state),
        "rules_at": _rules_at(state),
        "guide": _guide(state),
        "zone": getattr(request.user, "time_zone", None) or "",
        "back": _back_offer(state),
        "draw": _draw_offer(state),
        "cancelling": _cancelling(state),
        "orders": own_orders.orders_of(state.match, state.seat),
        "offers_mails": _offers_mails(request, state),
        "side": _side(request, state),
        "table_template": _table_template(state.match),
        "page_title": _page_title(
            state.match, game, state.seats, own_turn=state.prompt is not None
        ),
    }


def _guide(state: queries.TableState) -> lessons.Guide | None:
    """What the lesson says now, to whoever takes it."""
    if not state.match.lesson or state.seat is None or state.table is None:
        return None
    return lessons.guide(state.match, state.table, [info.name for info in state.seats])


def _lesson_end(state: queries.TableState) -> str:
    """What the lesson says of its end."""
    guide = _guide(state)
    return guide.says[0].text if guide is not None and guide.over else ""


def _side(request: HttpRequest, state: queries.TableState) -> int | None:
    """The seat from whose side of the felt a spectator looks; players have their own."""
    asked = request.GET.get("side", "")
    if state.seat is not None or not asked.isdecimal() or len(asked) > 2:
        return None
    return int(asked) - 1 if 0 < int(asked) <= len(state.seats) else None


def _seen_from(side: int | None, view: Mapping[str, Any]) -> Mapping[str, Any]:
    """A spectator's view for the side from which it is drawn; nothing is added to it."""
    return view if side is None else {**view, "side": side}


def _rules_at(state: queries.TableState) -> str:
    """Where the rules speak of what is being asked, if the reader is asked."""
    prompt = state.prompt
    return place_of(state.match.game, state.match.mode, prompt.kind) if prompt else ""


def _rules_link(state: queries.TableState) -> str:
    """The rules of this mode, at what is being asked."""
    page = reverse("matches:game-rules", args=(state.match.game,))
    at = _rules_at(state)
    return f"{page}?mode={state.match.mode}{f'#{at}' if at else ''}"


def _offers_mails(request: HttpRequest, state: queries.TableState) -> bool:
    """Whether a guest waits here for people, who could be told by mail."""
    is_guest = state.seat is not None and getattr(request.user, "is_guest", False)
    people = sum(info.kind == SeatKind.PERSON for info in state.seats)
    return is_guest and people > 1 and bool(settings.MAIL_IS_SENT)


def _felt(
    state: queries.TableState,
    view: Mapping[str, Any],
    prompt: queries.TablePrompt | None,
    shown: int,
    events: Sequence[queries.SeenEvent],
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
        "waiting_line": _waiting_line(state.seats) if shown == state.ply else "",
        "may_take_back": state.may_take_back and shown == state.ply,
        "may_stand": [one for one in prompt.options if one.stands] if prompt else [],
        "lines": lines,
        "own_out": state.seat is not None and text.is_out(view, state.seat),
        "outcome_line": _outcome_line(recent) if view["outcome"] else "",
        "events": [one.event for one in recent],
        "turn_line": _turn_line(text, view, state.seats, names, zone),
    }


def _why_not(text: TableText, prompt: queries.TablePrompt | None) -> dict[str, Any] | None:
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


def _table_template(match: Match) -> list[str]:
    return [*_templates("table", match), "matches/table/plain.html"]


def _templates(what: str, match: Match) -> list[str]:
    """The templates of a game's own for ``what``, the best first: its mode's, then the game's."""
    return [f"{match.game}/{what}_{match.mode}.html", f"{match.game}/{what}.html"]


def _own_template(what: str, match: Match) -> Any:
    """What a game or mode brings for ``what``; None where it brings nothing."""
    try:
        return select_template(_templates(what, match))
    except TemplateDoesNotExist:
        return None


def _recent(ply: int) -> int:
    """After which ply the log begins that a table at ``ply`` shows."""
    return ply - RECENT if ply > RECENT else -1


def _question(prompt: queries.TablePrompt | None) -> str:
    """The question without the words that the tray's badge says already."""
    if prompt is None:
        return ""
    question = prompt.question.removeprefix("Your turn: ")
    return question[:1].upper() + question[1:]


def _waiting_line(seats: Sequence[queries.SeatInfo]) -> str:
    waiting = [seat for seat in seats if seat.waiting]
    names = " and ".join(seat.name for seat in waiting)
    if not waiting:
        return "The table is at rest."
    if all(seat.kind == SeatKind.BOT for seat in waiting):
        return f"{names} {'is' if len(waiting) == 1 else 'are'} thinking."
    return f"Waiting for {names}."


def _own_line(seats: Sequence[queries.SeatInfo]) -> str:
    """That the reader is asked, and whoever else is at the same moment."""
    others = [seat.name for seat in seats if seat.waiting and not seat.mine]
    if not others:
        return "Your turn"
    return f"You and {others[0] if len(others) == 1 else f'{len(others)} others'} are to move"


def _is_draw(seats: Sequence[queries.SeatInfo]) -> bool:
    """Nobody did better than anybody else."""
    return len(seats) > 1 and all(seat.place == 1 for seat in seats)


def _outcome_line(events: Sequence[queries.SeenEvent]) -> str:
    return (events[-1].text if events else "") or "The match is over."


def _turn_line(
    text: TableText,
    view: Mapping[str, Any],
    seats: Sequence[queries.SeatInfo],
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
        words.append(_own_line(seats) if asked else _waiting_line(seats).rstrip("."))
    deadline = next((seat.deadline_at for seat in seats if seat.mine and seat.waiting), None)
    if deadline is not None:
        words.append(clock_words.until(deadline, zone))
    return " · ".join(words)


def _page_title(
    match: Match, game: Game, seats: Sequence[queries.SeatInfo], *, own_turn: bool
) -> str:
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


@require_POST
@refusals
def play(request: HttpRequest, slug: str) -> HttpResponse:
    """One move: the number of the question and the notation of the answer.

    With ``together`` it is this answer and those to the questions that follow, all or none.
    """
    prompt, notation = request.POST.get("prompt", ""), request.POST.get("move", "")
    together = "together" in request.POST
    try:
        if not prompt.isdecimal() or len(prompt) > 9 or not (notation or together):
            raise Malformed("A move names the question that it answers, and the answer.")
        user, prompt_id = player(request), int(prompt)
        if together:
            played = playing.play_moves(
                slug=slug, user=user, prompt_id=prompt_id, moves=_moves(request)
            )
        else:
            played = playing.play_move(
                slug=slug, user=user, prompt_id=prompt_id, move=notation[:200]
            )
    except MatchError as error:
        if _from_script(request) or error.status in (403, 404):
            raise
        match = queries.access_match(request.user, slug)
        if match.state is None:
            raise
        state = queries.table_state(match, request.user)
        return _page(
            request, state, refusal=error.detail, chosen=_moves(request), status=error.status
        )
    return _shown(request, played)


def _sent_number(request: HttpRequest, name: str) -> int | None:
    """A number that the script adds to a move; None where it says none."""
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _moves(request: HttpRequest) -> list[str]:
    """The answers that were sent together, in the order of the questions.

    Cards that were ticked come as ``move``, answers that exclude each other as ``move-1``,
    ``move-2`` …: by their numbers, wherever they stand on the page.
    """
    sent = [
        (_place_of(name), moves[:MOST_TOGETHER])
        for name, moves in request.POST.lists()
        if name == "move" or name.startswith("move-")
    ]
    in_order = [move[:200] for _, moves in sorted(sent, key=itemgetter(0)) for move in moves]
    return in_order[:MOST_TOGETHER]


def _place_of(name: str) -> int:
    """The number of a field ``move-2``; ``move`` comes first, what has no number last."""
    number = name.removeprefix("move").removeprefix("-") or "0"
    return int(number) if number.isdecimal() and len(number) < 4 else 1000


def player(request: HttpRequest) -> Any:
    """The person of the request. Whoever is not logged in sits nowhere."""
    if not request.user.is_authenticated:
        raise NotYourSeat("You do not sit at this table. Log in if you do.")
    return request.user


@require_POST
@refusals
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back one's last answer."""
    user = player(request)
    return _shown(request, taking_back.take_back(slug=slug, user=user))


@require_POST
@refusals
def turn_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer to go back to the start of one's turn, agree to it, or decline."""
    word = request.POST.get("word", "")
    if word not in offers.Word.values:
        raise Malformed("Say whether you offer to go back, agree, or decline.")
    going_back.go_back(slug=slug, user=player(request), word=word)
    return _shown(request, None, slug)


@require_POST
@refusals
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a draw, agree to one, or decline."""
    word = request.POST.get("word", "")
    if word not in offers.Word.values:
        raise Malformed("Say whether you offer a draw, agree, or decline.")
    drawing.agree_on_draw(slug=slug, user=player(request), word=word)
    return _shown(request, None, slug)


@require_POST
@refusals
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a standing order at the question that is asked, or cancel one."""
    user, order = player(request), request.POST.get("cancel", "")
    if order:
        number = int(order) if order.isdecimal() and len(order) < 19 else 0
        ordering.cancel_orders(slug=slug, user=user, order=number)
        return _shown(request, None, slug)
    prompt, given = request.POST.get("prompt", ""), request.POST.get("give", "")
    notation = request.POST.get("notation", "")[:200] if given == "answer" else ""
    if not prompt.isdecimal() or len(prompt) > 9 or not (notation or given == "windows"):
        raise Malformed("An order names the question at which it is given, and what to answer.")
    played = ordering.give_order(slug=slug, user=user, prompt_id=int(prompt), notation=notation)
    return _shown(request, played)


def _shown(request: HttpRequest, played: PlayedAtTable | None, slug: str = "") -> HttpResponse:
    """The table after something was done there; None: without a move."""
    slug = slug if played is None else played.slug
    if not _from_script(request):
        return redirect(reverse("matches:table", args=(slug,)) + "#tray")
    if played is None:
        state = queries.table_state(queries.access_match(request.user, slug), request.user)
    else:
        state = queries.table_state(played.match, request.user, played.table)
    since, steps = (_sent_number(request, name) for name in ("ply", "steps"))
    return _fragment(request, state, since=state.ply if since is None else since, steps=steps)


@require_POST
@refusals
def concede(request: HttpRequest, slug: str) -> HttpResponse:
    """Give up."""
    playing.concede(slug=slug, user=player(request))
    match = queries.access_match(request.user, slug)
    return redirect("matches:result" if match.status == Status.FINISHED else "matches:table", slug)


# -- coming and going -----------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@refusals
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Sit down at an open table, by the link that the host sent."""
    match = queries.access_match(request.user, slug)
    if queries.seat_of(match, request.user) is not None or match.status != Status.OPEN:
        return redirect("matches:table", slug)
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    form = JoinForm(
        _posted(request), game=game, mode=mode, options=match.options, user=request.user
    )
    if request.method == "POST" and form.is_valid():
        try:
            setup.join_match(
                match=match,
                user=_named_guest(request, form.cleaned_data.get("name", "")),
                client_seed=form.cleaned_data["client_seed"],
                deck=form.cleaned_data.get("deck"),
                agrees=form.cleaned_data.get("agrees", False),
            )
        except NotPossible as error:
            form.add_refusal(error)
        except (NotEnoughCards, MembersOnly) as refusal:
            form.add_error(None, refusal.detail)
        else:
            return redirect("matches:table", slug)
    context = {
        "match": match,
        "form": form,
        "game": game,
        "mode": game.modes[match.mode],
        "seats": queries.seat_infos(match, request.user),
        "options": option_words(game.modes[match.mode], match.options),
        "pace": Pace(match.pace).label,
        "why_not": lobby.why_not(match, request.user),
    }
    return render(request, "matches/join.html", context, status=422 if form.errors else 200)


def _named_guest(request: HttpRequest, name: str) -> User:
    """The person of the request; a guest takes the name that was typed."""
    user = ensure_guest(request)
    if name and user.is_guest and name != user.display_name:
        save_profile(user=user, display_name=name, theme=user.theme)
    return user


@require_POST
@refusals
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the seat back before the start; the host calls the table off."""
    match = queries.access_match(request.user, slug)
    match = setup.leave_match(match=match, user=player(request))
    called_off = match.status == Status.CANCELLED
    messages.info(request, "The table is cancelled." if called_off else "You have left the table.")
    return redirect("matches:mine")


@require_POST
@refusals
def rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """The same people again."""
    queries.access_match(request.user, slug)
    seats = request.POST.get("seats", NewSeats.SWAP)
    agrees = "agrees" in request.POST
    again = play_again(slug=slug, user=player(request), seats=seats, agrees=agrees)
    return redirect("matches:table", again.slug)


# -- afterwards -----------------------------------------------------------------------------------


@require_GET
@never_cache
@refusals
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """Who won, and how it went."""
    match = queries.access_match(request.user, slug)
    queries.require_finished(match)
    state = queries.table_state(match, request.user)
    if state.seat is not None:
        talking.mark_end_seen(match=match, user=player(request))
    seats = state.seats
    game = engine.game_of(match)
    outcome = match.outcome or {}
    mine = next((seat for seat in seats if seat.mine), None)
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "picture": _picture_address(request, match, match.ply),
        "rating_changes": people.rating_changes(request.user, match),
        "why_unrated": why_unrated(match),
        "speed": speed_of(match),
        "view": state.view,
        "ranking": sorted(seats, key=lambda seat: (seat.place or 99, seat.number)),
        "winners": [seat for seat in seats if seat.place == 1],
        "drawn": _is_draw(seats),
        "mine": mine,
        "headline": game.text.headline(outcome, mine=mine is not None),
        "reason": queries.who_left(match, seats) or game.text.reason(outcome),
        "score": game.text.score(outcome),
        "tally": queries.tally(state),
        "fairness": queries.fairness(match),
        "lesson_end": _lesson_end(state),
        "options": option_words(game.modes[match.mode], match.options),
        "result_template": _own_template("result", match),
        "for_keeps": keeps.for_keeps(match),
        "changed_hands": keeps.changes(match) if keeps.for_keeps(match) else (),
        "agreeing": AgreeForm() if keeps.for_keeps(match) else None,
        "again": queries.rematch_of(match),
        "new_seats": NewSeats.choices if len(seats) > 1 else [],
        "names": ["You" if seat.mine else seat.name for seat in seats],
    }
    return render(request, "matches/result.html", context)


@require_GET
@refusals
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """A finished match move by move, from the eyes of any seat."""
    match = queries.access_match(request.user, slug)
    ply, eyes = _number(request, "ply") or 0, _number(request, "seat") or 0
    return replay_page(request, match, ply=ply, eyes=eyes)


def replay_page(
    request: HttpRequest, match: Match, *, ply: int, eyes: int, refusal: Refusal | None = None
) -> HttpResponse:
    """One moment of a match that is over, seen by everybody (0) or by a seat, counted from 1.

    After a comment was refused it comes with the words that were written.
    """
    seat = eyes - 1 if eyes else None
    state = queries.replay_state(match, ply=ply, seat=seat, recent=RECENT)
    comments = talk.comments(match, request.user)
    names = [info.name for info in state.seats]
    game = engine.game_of(match)
    # The script keeps the list of moves while it shows one move after the other.
    keeps_moves = request.headers.get("Riffle-Script") == "replay"
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "view": state.view,
        "moves": [] if keeps_moves else queries.replay_lines(match, seat=state.seat),
        "comments": [line for line in comments if line.ply == ply],
        "commented": Counter(line.ply for line in comments),
        "may_comment": queries.seat_of(match, request.user) is not None,
        "silent": talk.silence_of(match, request.user),
        "refusal": "" if refusal is None else refusal.detail,
        "written": "" if refusal is None else request.POST.get("text", ""),
        "picture": _picture_address(request, match, ply),
        "ply": ply,
        "shown": ply,
        "plies": state.plies,
        "seats": state.seats,
        "seat_number": eyes,
        "names": names,
        "lines": state.lines,
        "picks": Picks(),
        "replaying": True,
        "news": [one for one in state.events if one.ply == ply],
        "previous": max(ply - 1, 0),
        "following": min(ply + 1, state.plies),
        "here": request.build_absolute_uri(
            reverse("matches:replay", args=(match.slug,)) + f"?ply={ply}&seat={eyes}"
        ),
        "events": [one.event for one in state.events],
        "outcome_line": "",
        "table_template": _table_template(match),
        "turn_line": _turn_line(game.text, state.view, state.seats, names),
    }
    status = 200 if refusal is None else refusal.status
    return render(request, "matches/replay.html", context, status=status)


def _picture_address(request: HttpRequest, match: Match, ply: int) -> str:
    """The address of the picture of a moment; empty where others may not look."""
    if match.private:
        return ""
    path = reverse("matches:moment", args=(match.slug,))
    return request.build_absolute_uri(f"{path}?ply={ply}")


@require_safe
@refusals
def moment_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a moment of a finished match, as a spectator saw it (JPEG, 1200 × 630)."""
    match = queries.access_match(request.user, slug)
    queries.require_finished(match, "There are pictures of a match when it is over.")
    asked = _number(request, "ply")
    ply = match.ply if asked is None else asked
    key = f"moment:{match.slug}:{ply}"
    kept = cache.get(key)
    if kept is None:
        state = queries.replay_state(match, ply=ply, seat=None, recent=1)
        kept = base64.b64encode(moment.picture(state)).decode()
        cache.set(key, kept, MOMENT_KEPT)
    answer = HttpResponse(base64.b64decode(kept), content_type="image/jpeg")
    answer["Cache-Control"] = f"{'private' if match.private else 'public'}, max-age={MOMENT_KEPT}"
    return answer


@require_GET
@refusals
def fairness(request: HttpRequest, slug: str) -> HttpResponse:
    """The sealed seed, and at the end everything that is needed to check the chance."""
    match = queries.access_match(request.user, slug)
    game = engine.game_of(match)
    facts = queries.fairness(match)
    client_seeds = dict(facts.client_seeds)
    context = {
        "match": match,
        "game": game,
        "mode": game.modes[match.mode],
        "fairness": facts,
        "script": reverse("collection:verify_script"),
        "client_seeds": [
            (info.name, client_seeds.get(info.number, ""))
            for info in queries.seat_infos(match, request.user)
        ],
    }
    return render(request, "matches/fairness.html", context)


@require_GET
@never_cache
@refusals
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The file of a finished match for the stand-alone script."""
    match = queries.access_match(request.user, slug)
    return HttpResponse(
        json.dumps(queries.fairness_record(match), ensure_ascii=False, indent=1),
        content_type="application/json",
        headers=attachment(f"match-{match.slug}.json"),
    )


# -- for calendars and feed readers ---------------------------------------------------------------


@require_safe
def calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """The deadlines of whoever was given this address."""
    address = _secret_address(AddressUse.CALENDAR, secret)
    found = subscriptions.deadlines(address.person)
    said = remembered(address, lambda before, now: subscriptions.revised(found, before, now))
    text = subscriptions.calendar(found, said)
    return _unless_known(request, text, "text/calendar; charset=utf-8", said.changed_at)


@require_safe
def feed(request: HttpRequest, secret: str) -> HttpResponse:
    """The tables of whoever was given this address."""
    address = _secret_address(AddressUse.FEED, secret)
    found = subscriptions.entries(address.person)
    said = remembered(address, lambda before, now: subscriptions.told(found, address.person))
    text = subscriptions.feed(found, address.person, said)
    return _unless_known(request, text, "application/atom+xml; charset=utf-8", said.changed_at)


def _secret_address(use: AddressUse, secret: str) -> SecretAddress:
    address = address_of(use, secret)
    if address is None:
        raise Http404("There is nothing under this address (any more).")
    return address


def _unless_known(
    request: HttpRequest, text: bytes, content_type: str, changed_at: datetime
) -> HttpResponse:
    """The text, or only that it is still what the other side has."""
    tag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    changed = int(changed_at.timestamp())
    headers = {
        "Cache-Control": "private, no-cache",
        "X-Robots-Tag": "noindex",
        "ETag": tag,
        "Last-Modified": http_date(changed),
    }
    answer = HttpResponse(text, content_type=content_type, headers=headers)
    return get_conditional_response(request, tag, changed, answer) or answer
