"""Pages for organisers: announce, manage, overrule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from core.errors import NotAllowed, Refusal
from core.idempotency import once_per_page
from decks.models import DeckCheck
from decks.queries import checks as check_queries
from matches import engine
from rules.engine.game import Game, Mode
from tournaments.errors import NotPossible
from tournaments.forms import AnnounceForm, ChangeForm, initial_from, number_in, places_in, plays
from tournaments.models import Pairing, Round, State, Tournament
from tournaments.queries import access, limited, pages
from tournaments.queries.round_names import round_names
from tournaments.services import announce, entries, leagues, rounds, rulings
from tournaments.services.calls import awaited
from tournaments.services.limited_terms import limited_of
from tournaments.views.pages import about

ORGANISE_SIZE = 25
"""Tables, and players, on an organiser's page; each comes with forms."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Announce a tournament: choose the mode, fill in the form, look at it, announce it.

    ``?from=`` copies an earlier one, ``?check=`` is for the event of a deck check.
    """
    user = cast(User, request.user)
    earlier = _named(request, "from", access.tournament_of)
    check: DeckCheck | None = _named(
        request, "check", lambda slug: check_queries.own_check(user, slug)
    )
    game, mode = _mode(request, earlier, check)
    form = AnnounceForm(
        request.POST if request.method == "POST" else None,
        initial=initial_from(earlier) | ({"title": check.title} if check else {}),
        game=game, mode=mode, user=user, deck_check=check.slug if check else "",
    )  # fmt: skip
    context: dict[str, Any] = {
        "form": form, "game": game, "mode": mode, "plays": plays(), "check": check,
        "earlier": earlier, "chosen": f"{game.slug}/{mode.slug}",
    }  # fmt: skip
    if request.method != "POST" or "change" in request.POST:
        if request.method == "POST":
            form.is_valid()
        return render(request, "tournaments/new.html", context)
    if form.is_valid():
        try:
            if "preview" in request.POST:
                draft, helpers = announce.drafted(organiser=user, announcement=form.announcement())
                context |= {
                    "draft": draft, "helpers": helpers,
                    "structure": pages.structure_in_words(draft),
                    "options": pages.options_in_words(draft),
                    "prizes": pages.prizes_in_words(draft),
                    "limited_lines": limited.in_words(draft),
                }  # fmt: skip
                return render(request, "tournaments/preview.html", context)
            slug = once_per_page(
                request,
                user,
                lambda: announce.announce(organiser=user, announcement=form.announcement()).slug,
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, "Tournament announced. Share its link with your players.")
            return redirect("tournaments:tournament", slug)
    return render(request, "tournaments/new.html", context, status=422)


def _named(request: HttpRequest, name: str, read: Callable[[str], Any]) -> Any:
    """The object that the address names, if any."""
    slug = request.GET.get(name, "")[:20]
    return read(slug) if slug else None


def _mode(
    request: HttpRequest, earlier: Tournament | None, check: DeckCheck | None
) -> tuple[Game, Mode]:
    """The mode that the address asks for; else the first one."""
    known = [value for value, _ in plays()]
    for wanted in (check, earlier):
        if wanted is not None:
            return engine.find_mode(wanted.game, wanted.mode)
    play = request.GET.get("play", "")
    game, _, mode = (play if play in known else known[0]).partition("/")
    return engine.find_mode(game, mode)


@login_required
@require_http_methods(["GET", "HEAD"])
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that an organiser sees and does, on one page."""
    return _organise(request, _own(request, slug))


def _own(request: HttpRequest, slug: str) -> Tournament:
    tournament = access.tournament_of(slug)
    if not access.organises(tournament, request.user):
        raise NotAllowed("Only organisers can see this page.")
    return tournament


def _organise(
    request: HttpRequest,
    tournament: Tournament,
    refusal: Refusal | None = None,
    form: ChangeForm | None = None,
) -> HttpResponse:
    row = _round_to_organise(tournament, request.GET.get("round", ""))
    show = request.GET.get("tables", "")
    tables = pages.tables(row) if row is not None else Pairing.objects.none()
    if tournament.is_ladder:  # each challenge is a round with one table
        tables = pages.open_tables(tournament)
    if show != "all":
        tables = tables.filter(decided_at=None)
    page = Paginator(tables, ORGANISE_SIZE).get_page(request.GET.get("page"))
    people = Paginator(pages.entries(tournament), ORGANISE_SIZE)
    entries_page = people.get_page(request.GET.get("people"))
    names = round_names(tournament)
    terms = limited_of(tournament)
    context = about(request, tournament, "organise") | {
        "round": row,
        "round_name": names.of(row.number if row is not None else 1),
        "round_in_text": names.in_text(row.number if row is not None else 1),
        "next_round_name": names.of(row.number + 1 if row is not None else 1),
        "next_round_in_text": names.in_text(row.number + 1 if row is not None else 1),
        "awaited": set(awaited(tournament).values_list("number", flat=True))
        if tournament.called_until is not None
        else set(),
        "builds_later": terms is not None and terms.completed_at is None,
        "built": pages.decks_built(tournament) if terms is not None else None,
        "open_round": row is not None and row.finished_at is None,
        "tables": pages.tables_shown(page.object_list, request.user),
        "page": page,
        "show": show,
        "entries": pages.entries_shown(entries_page.object_list),
        "entries_page": entries_page,
        "tally": check_queries.tally(tournament.deck_check) if tournament.deck_check else None,
        "form": form
        or (
            ChangeForm(tournament=tournament, user=cast(User, request.user))
            if tournament.state == State.ANNOUNCED
            else None
        ),
        "bots": engine.find_game(tournament.game).bots.values(),
        "refusal": refusal,
        "typed": request.POST,
    }
    status = refusal.status if refusal else 200
    return render(request, "tournaments/organise.html", context, status=status)


def _round_to_organise(tournament: Tournament, number: str) -> Round | None:
    """The round that was asked for, or the newest; of a league the first that is open."""
    rows = Round.objects.filter(tournament=tournament)
    if number.isascii() and number.isdigit():
        wanted = rows.filter(number=int(number[:4])).first()
        if wanted is not None:
            return wanted
    if tournament.is_league:
        return rows.filter(finished_at=None).order_by("number").first() or rows.last()
    return rows.order_by("-number").first()


@login_required
@require_POST
def next_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Announce the next season of a league, and go there."""
    tournament = _own(request, slug)
    try:
        new = leagues.next_season(tournament=tournament, by=cast(User, request.user))
    except Refusal as refusal:
        return _organise(request, tournament, refusal)
    messages.success(
        request, "Season announced, and last season’s players notified. Check its dates."
    )
    return redirect("tournaments:organise", new.slug)


@login_required
@require_POST
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit tournament."""
    tournament = _own(request, slug)
    user = cast(User, request.user)
    form = ChangeForm(request.POST, tournament=tournament, user=user)
    if not form.is_valid():
        error = NotPossible("Not saved. Correct the marked fields.")
        return _organise(request, tournament, error, form)
    try:
        announce.change(tournament=tournament, by=user, **form.values())
    except Refusal as refusal:
        return _organise(request, tournament, refusal, form)
    messages.success(request, "Saved.")
    return redirect("tournaments:organise", slug)


def _act(
    request: HttpRequest, slug: str, do: Callable[[Tournament, User], object], done: str
) -> HttpResponse:
    """Do it, and show the organiser's page again; a refusal stands on it."""
    tournament = _own(request, slug)
    try:
        do(tournament, cast(User, request.user))
    except Refusal as refusal:
        return _organise(request, tournament, refusal)
    messages.success(request, done)
    return redirect("tournaments:organise", slug)


@login_required
@require_POST
def lock(request: HttpRequest, slug: str) -> HttpResponse:
    """Close registration; no list changes any more."""
    packs = limited_of(access.tournament_of(slug)) is not None
    return _act(
        request,
        slug,
        lambda tournament, by: rounds.lock_lists(tournament=tournament, by=by),
        "Registration closed, packs given." if packs else "Registration closed, lists locked.",
    )


@login_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Pair the first round now."""
    return _act(
        request,
        slug,
        lambda tournament, by: rounds.start(tournament=tournament, by=by),
        "Tournament started.",
    )


@login_required
@require_POST
def end_round(request: HttpRequest, slug: str) -> HttpResponse:
    """End the open round now."""
    return _act(
        request,
        slug,
        lambda tournament, by: rounds.end_round(
            tournament=tournament, by=by, number=number_in(request, "round"),
            reason=request.POST.get("reason", ""),
        ),
        "Round ended.",
    )  # fmt: skip


@login_required
@require_POST
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """Decide a table."""

    def do(tournament: Tournament, by: User) -> object:
        number, table = number_in(request, "round"), number_in(request, "table")
        seats = access.pairing_of(tournament, number, table).seats.count()
        return rulings.set_result(
            tournament=tournament, by=by, round_number=number, table=table,
            places=places_in(",".join(request.POST.getlist("places")), seats),
            reason=request.POST.get("reason", ""),
        )  # fmt: skip

    return _act(request, slug, do, "Result saved.")


@login_required
@require_POST
def bye(request: HttpRequest, slug: str) -> HttpResponse:
    """Give somebody a bye in the open round."""
    return _act(
        request,
        slug,
        lambda tournament, by: rulings.give_bye(
            tournament=tournament, by=by, number=number_in(request, "entry"),
            reason=request.POST.get("reason", ""),
        ),
        "Bye given.",
    )  # fmt: skip


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the newest pairing back."""
    return _act(
        request,
        slug,
        lambda tournament, by: rulings.take_back_pairing(
            tournament=tournament, by=by, round_number=number_in(request, "round"),
            reason=request.POST.get("reason", ""),
        ),
        "Pairing undone. Correct results, then pair the round again.",
    )  # fmt: skip


@login_required
@require_POST
def pair(request: HttpRequest, slug: str) -> HttpResponse:
    """Pair the next round."""
    return _act(
        request,
        slug,
        lambda tournament, by: rulings.pair_again(tournament=tournament, by=by),
        "Round paired.",
    )


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Take somebody out."""
    return _act(
        request,
        slug,
        lambda tournament, by: entries.remove(
            tournament=tournament, by=by, number=number_in(request, "entry"),
            reason=request.POST.get("reason", ""),
        ),
        "Player removed and notified.",
    )  # fmt: skip


@login_required
@require_POST
def reinstate(request: HttpRequest, slug: str) -> HttpResponse:
    """Put somebody back."""
    return _act(
        request,
        slug,
        lambda tournament, by: entries.reinstate(
            tournament=tournament, by=by, number=number_in(request, "entry"),
            reason=request.POST.get("reason", ""),
        ),
        "Player reinstated.",
    )  # fmt: skip


@login_required
@require_POST
def add_bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a place to a bot."""
    return _act(
        request,
        slug,
        lambda tournament, by: once_per_page(
            request,
            by,
            lambda: str(
                entries.add_bot(
                    tournament=tournament, by=by, bot=request.POST.get("bot", "")
                ).number
            ),
        ),
        "Bot added.",
    )


@login_required
@require_POST
def write(request: HttpRequest, slug: str) -> HttpResponse:
    """Write to all players."""
    return _act(
        request,
        slug,
        lambda tournament, by: once_per_page(
            request,
            by,
            lambda: str(
                announce.write_to_all(
                    tournament=tournament, by=by, text=request.POST.get("text", "")
                ).pk
            ),
        ),
        "Message sent.",
    )


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel the tournament."""
    return _act(
        request,
        slug,
        lambda tournament, by: announce.cancel(
            tournament=tournament, by=by, why=request.POST.get("reason", "")
        ),
        "Tournament cancelled. Its players are notified.",
    )
