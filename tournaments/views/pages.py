"""Pages that everybody may read: the list, a tournament with its tabs, what others embed."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

import rules
from accounts.queries.people import somebody
from core.budgets import metered_view
from decks.queries import checks as check_queries
from tournaments.downloads import calendar_of, entries_pdf, feed_of, standings_csv, tournament_json
from tournaments.models import Round, Stage, State, Structure, Tournament
from tournaments.queries import access, evening, limited, pages
from tournaments.queries.round_names import THIRD_PLACE, round_names
from tournaments.queries.statistics import has_statistics
from tournaments.services.calls import page_of
from tournaments.services.entries import takes_late_entries

SHOWN = {"open": (State.ANNOUNCED,), "running": (State.RUNNING,), "over": (State.FINISHED,)}


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """Open, running and finished tournaments; those of one person with ``?player=``."""
    show = request.GET.get("show", "open")
    show = show if show in (*SHOWN, "mine") else "open"
    player = request.GET.get("player", "")
    rows = pages.tournaments(request.user)
    person = None
    if player:
        person = somebody(player[:150])
        hidden = not person.shows_matches and person.pk != request.user.pk
        rows = rows.none() if hidden else pages.tournaments_of(person.pk, request.user)
    elif show == "mine":
        mine = pages.tournaments(request.user)
        rows = mine.filter(entries__user=request.user.pk) | mine.filter(organiser=request.user.pk)
        rows = rows.distinct() if request.user.pk is not None else rows.none()
    else:
        rows = rows.filter(state__in=SHOWN[show])
    ordered = rows.order_by("starts_at" if show == "open" else "-starts_at", "-pk")
    page = Paginator(ordered, 30).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [_row(row) for row in page.object_list],
        "show": show,
        "person": person,
    }
    return render(request, "tournaments/list.html", context)


def _row(row: Tournament) -> dict[str, Any]:
    game = rules.games().get(row.game)
    return {
        "tournament": row,
        "entered": row.entered,  # type: ignore[attr-defined]
        "play": f"{game.name}, {game.mode(row.mode).name}" if game else row.game,
        "structure": pages.structure_in_words(row),
    }


def about(request: HttpRequest, tournament: Tournament, tab: str) -> dict[str, Any]:
    """The context that all pages of a tournament share."""
    game = rules.games().get(tournament.game)
    return {
        "tournament": tournament,
        "tab": tab,
        "organises": access.organises(tournament, request.user),
        "play": f"{game.name}, {game.mode(tournament.mode).name}" if game else tournament.game,
        "structure": pages.structure_in_words(tournament),
        "rounds": [] if tournament.is_ladder else pages.rounds(tournament),
        "following": pages.following(tournament) if tournament.is_league else None,
        "page_name": page_of(tournament),
        "has_statistics": tournament.state == State.FINISHED and has_statistics(tournament),
    }


@require_safe
@metered_view
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """A tournament's overview: the event, the reader's part in it, the next step."""
    return overview(request, access.tournament_of(slug))


def overview(
    request: HttpRequest,
    tournament: Tournament,
    refusal: Exception | None = None,
    status: int = 200,
) -> HttpResponse:
    """The first tab, also after a refusal."""
    entry = access.entry_of(tournament, request.user)
    context = about(request, tournament, "overview")
    paired = len(context["rounds"])
    late = entry is None and takes_late_entries(tournament, paired)
    check = tournament.deck_check
    context |= {
        "entry": entry,
        "may_enter": tournament.takes_entries or late,
        "late": late,
        "deck_choices": check_queries.suitable_decks(check, request.user) if check else [],
        "handed_in": check_queries.mine_in(check, request.user) if check else None,
        "own_tables": pages.own_tables(tournament, request.user),
        "messages_to_all": pages.messages(tournament)[:20],
        "prizes": pages.prizes_in_words(tournament),
        "options": pages.options_in_words(tournament),
        "limited_lines": limited.in_words(tournament),
        "entered": pages.entries(tournament).filter(state="entered").count(),
        "refusal": refusal,
        "presence": evening.presence(tournament, entry),
        "top": pages.entries_shown(pages.ranked(tournament)[:3], pods=tournament.pods)
        if tournament.state == State.FINISHED
        else [],
    }
    part = request.method == "GET" and bool(request.headers.get("HX-Request"))
    template = "tournaments/own_part.html" if part else "tournaments/overview.html"
    return render(request, template, context, status=status)


@require_safe
@metered_view
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Who takes part; when it is over, with what."""
    tournament = access.tournament_of(slug)
    name = request.GET.get("q", "").strip()[:150]
    page = Paginator(pages.entries(tournament, name), pages.PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    context = about(request, tournament, "players")
    context |= {"page": page, "entries": pages.entries_shown(page.object_list), "q": name}
    context["decks_shown"] = tournament.state == State.FINISHED and tournament.shows_decks
    context["seeded"] = tournament.structure == Structure.ELIMINATION or any(
        row.stage == Stage.CUT for row in context["rounds"]
    )
    return render(request, "tournaments/players.html", context)


@require_safe
@metered_view
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A player's rounds: opponents and results."""
    tournament = access.tournament_of(slug)
    entry = access.entry_by_number(tournament, number)
    (row,) = pages.entries_shown([entry], pods=tournament.pods)
    context = about(request, tournament, "players")
    labels = {each.number: each.label for each in context["rounds"]}
    context |= {
        "entry": row,
        "tables": [
            (THIRD_PLACE if each.table.for_third else labels.get(each.round), each)
            for each in pages.tables_of_entry(entry)
        ],
        "decks_shown": tournament.state == State.FINISHED and tournament.shows_decks,
    }
    return render(request, "tournaments/player.html", context)


@require_safe
@metered_view
def round_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The tables of a round; it follows along while it is played."""
    tournament = access.tournament_of(slug)
    row = access.round_of(tournament, number)
    page = Paginator(pages.tables(row), pages.TABLES_PAGE_SIZE).get_page(request.GET.get("page"))
    context = about(request, tournament, "rounds") | {
        "round": row,
        "page": page,
        "tables": pages.tables_shown(page.object_list, request.user),
    }
    context["round_name"] = round_names(tournament).of(number)
    part = bool(request.headers.get("HX-Request"))
    template = "tournaments/round_tables.html" if part else "tournaments/round.html"
    return render(request, template, context)


@require_safe
@metered_view
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody in their order, with the numbers of every tie-break."""
    tournament = access.tournament_of(slug)
    if tournament.is_ladder:
        return redirect("tournaments:ladder", slug)
    page = Paginator(pages.ranked(tournament), pages.STANDINGS_PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    done = Round.objects.filter(tournament=tournament, finished_at__isnull=False).count()
    context = about(request, tournament, "standings") | {
        "page": page,
        "entries": pages.entries_shown(page.object_list, pods=tournament.pods),
        "done": done,
    }
    return render(request, "tournaments/standings.html", context)


@require_safe
@metered_view
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """The rulings, each with its reason."""
    tournament = access.tournament_of(slug)
    context = about(request, tournament, "rulings") | {"rulings": pages.rulings(tournament)}
    return render(request, "tournaments/rulings.html", context)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@metered_view
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """The best of a tournament and its newest round, for another site's frame.

    It says nothing of the reader, and has nothing that could be pressed by mistake.
    """
    tournament = access.tournament_of(slug)
    row = Round.objects.filter(tournament=tournament).order_by("-number").first()
    context = about(request, tournament, "embed") | {
        "round": row,
        "tables": pages.tables_shown(pages.tables(row)[:30], AnonymousUser()) if row else [],
        "entries": pages.entries_shown(pages.ranked(tournament)[:16], pods=tournament.pods),
    }
    return render(request, "tournaments/embed.html", context)


@require_safe
@metered_view
def csv_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as a table for spreadsheets."""
    return standings_csv(access.tournament_of(slug))


@require_safe
@metered_view
def json_file(request: HttpRequest, slug: str) -> HttpResponse:
    """All of it as one file that can be checked."""
    return tournament_json(access.tournament_of(slug))


@require_safe
@metered_view
def pdf_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings, or the players before there are any, on paper."""
    return entries_pdf(access.tournament_of(slug))


@require_safe
@metered_view
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Its dates for a calendar."""
    return calendar_of(access.tournament_of(slug))


@require_safe
@metered_view
def feed(request: HttpRequest) -> HttpResponse:
    """The latest public tournaments for feed readers."""
    return feed_of()
