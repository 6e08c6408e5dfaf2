"""Pages of deck checks: an organiser's piles, one pile, a player's part in it, and its papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from accounts.models import User
from collection.errors import Unacceptable
from collection.services import file_jobs
from collection.views.numbers import number
from core.budgets import metered_view
from core.errors import Refusal
from core.idempotency import once_per_page
from decks.downloads.checks import as_pdf, melee_players, sheet_of, sheets_of, verdicts_of
from decks.drawing.qr import qr_svg
from decks.errors import BadDeck, TooManyDecks
from decks.forms import plays
from decks.lists import textlist
from decks.models import CheckedDeck, CheckState, Deck, DeckCheck
from decks.queries import checks as queries
from decks.queries import decks as deck_queries
from decks.queries import formats
from decks.queries import pools as pool_queries
from decks.queries import sheets as sheet_queries
from decks.queries import verdicts as verdict_queries
from decks.queries.verdicts import Verdict, parse_suggestion
from decks.services import checks as services
from decks.services import decks as deck_services
from decks.services import sheets, uploads
from decks.views.decks import pressed_list
from rules.engine.legality import counted

HANDED_IN_SHOWN = 50


class CheckForm(forms.Form):
    """A new deck check: its title, what decks are for, and the house format."""

    title = forms.CharField(max_length=services.TITLE_LENGTH, label="Title")
    play = forms.ChoiceField(label="Game and mode")
    house = forms.ChoiceField(label="Format", required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["play"].choices = plays()  # type: ignore[attr-defined]
        self.formats = {format.slug: format for format in formats.offered(user)}
        names = dict(plays())
        self.fields["house"].choices = [  # type: ignore[attr-defined]
            ("", "Default rules of the game"),
            *(
                (slug, f"{format.name} ({names[f'{format.game}/{format.mode}']})")
                for slug, format in self.formats.items()
                if f"{format.game}/{format.mode}" in names
            ),
        ]


class EventForm(forms.Form):
    """When and where, until when decks are handed in, and who judges besides the organiser."""

    held_on = forms.DateField(
        label="Date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    place = forms.CharField(max_length=services.TITLE_LENGTH, label="Place", required=False)
    closes_at = forms.DateTimeField(
        label="Registration closes",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text="No submissions after this. In your time zone.",
    )
    judges = forms.CharField(
        label="Judges",
        required=False,
        help_text="Comma-separated usernames. They have the same rights as you.",
        widget=forms.TextInput(attrs={"autocapitalize": "off", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, check: DeckCheck, user: User, **kwargs: Any) -> None:
        names = check.judges.order_by("username").values_list("username", flat=True)
        kwargs["initial"] = {
            "held_on": check.held_on,
            "place": check.place,
            "closes_at": check.closes_at,
            "judges": ", ".join(names),
        }
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        if check.organiser_id != user.pk:
            del self.fields["judges"]

    def said(self) -> dict[str, Any]:
        """Return the arguments for ``describe_check``."""
        data = dict(self.cleaned_data)
        if "judges" in data:
            data["judges"] = [name for part in data["judges"].split(",") if (name := part.strip())]
        return data


@login_required
@require_http_methods(["GET", "POST"])
def checks(request: HttpRequest) -> HttpResponse:
    """The checks that somebody organises, the decks handed in, and a form for a new check."""
    user = cast(User, request.user)
    form = CheckForm(request.POST or None, user=user)
    status = 200
    if request.method == "POST" and form.is_valid():
        game, mode = form.cleaned_data["play"].split("/")
        house = form.formats.get(form.cleaned_data["house"])

        def make() -> str:
            return services.create_check(
                organiser=user,
                title=form.cleaned_data["title"],
                game=game,
                mode=mode,
                house=formats.present(house) if house else None,
            ).slug

        try:
            created = queries.check_of(once_per_page(request, user, make))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
            status = refusal.status
        else:
            return redirect(created)
    elif request.method == "POST":
        status = 422
    context = {
        "form": form,
        "checks": queries.checks_of(user)[:100],
        "handed_in": queries.handed_in_by(user)[:HANDED_IN_SHOWN],
    }
    return render(request, "decks/checks.html", context, status=status)


@require_safe
@metered_view
def check(request: HttpRequest, slug: str) -> HttpResponse:
    """One check: the whole pile for its organiser, one's own part of it for everybody else."""
    deck_check = queries.check_of(slug)
    if queries.organises(deck_check, request.user):
        return _pile(request, deck_check)
    return _player(request, deck_check)


def _pile(
    request: HttpRequest,
    deck_check: DeckCheck,
    refusal: Refusal | None = None,
    typed: str = "",
    event: EventForm | None = None,
) -> HttpResponse:
    show = request.GET.get("show", "")
    after = number(request.GET.get("after", "")) or 0
    rows = list(queries.pile(deck_check, show, after)[: queries.PAGE_SIZE + 1])
    page = rows[: queries.PAGE_SIZE]
    context = _about(deck_check) | {
        "tally": queries.tally(deck_check),
        "rows": [
            {"deck": row, "errors": queries.errors(row), "notices": queries.notices(row)}
            for row in page
        ],
        "more": page[-1].number if len(rows) > len(page) else None,
        "show": show,
        "working": deck_check.state != CheckState.IDLE,
        "refusal": refusal,
        "typed": typed,
        "most": services.DECKS_A_CHECK,
        "sheets_at_once": sheets.AT_ONCE,
    }
    part = bool(request.headers.get("HX-Request")) and request.method == "GET"
    if not part:
        context["event"] = event or EventForm(check=deck_check, user=cast(User, request.user))
        context["notes"] = queries.notes_of(deck_check)
        context["format_change"] = queries.format_change(deck_check)
        if context["tally"].illegal:
            context["illegal_from"] = queries.illegal_batches(deck_check, sheets.AT_ONCE)
        context["why"] = request.POST.get("why", "")
    template = "decks/check_pile.html" if part else "decks/check_page.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def _player(
    request: HttpRequest,
    deck_check: DeckCheck,
    refusal: Refusal | None = None,
    dry: DryRun | None = None,
) -> HttpResponse:
    mine = queries.mine_in(deck_check, request.user)
    context = _about(deck_check) | {
        "mine": mine,
        "problems": queries.problems(mine) if mine else [],
        "decks": queries.suitable_decks(deck_check, request.user) if deck_check.takes_decks else [],
        "notes": queries.notes_of(deck_check, mine.number) if mine else [],
        "format_change": queries.format_change(deck_check),
        "player_number": request.POST.get("player_number", mine.player_number if mine else ""),
        "refusal": refusal,
        "dry": dry,
        "chosen": request.POST.get("deck", ""),
        "typed": (dry.text if dry else "") or request.POST.get("text", ""),
        "typed_name": request.POST.get("name", ""),
        "working": deck_check.state != CheckState.IDLE and mine is not None and not mine.judged_at,
    }
    status = refusal.status if refusal else 200
    if dry is not None and not dry.asked_for:
        status = 422
    return render(request, "decks/check_player.html", context, status=status)


def _about(deck_check: DeckCheck) -> dict[str, Any]:
    game = rules.game(deck_check.game)
    return {
        "check": deck_check,
        "game_name": game.name,
        "mode_name": game.mode(deck_check.mode).name,
    }


@login_required
@require_POST
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Put lists on the pile: from files, or from one text with a line ``== Player`` for each."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    typed = request.POST.get("lists", "")
    try:
        entries = [*_from_files(request, deck_check), *uploads.from_text(deck_check, typed)]

        def make() -> str:
            return str(services.add_decks(check=deck_check, by=user, entries=entries))

        count = int(once_per_page(request, user, make))
    except Refusal as refusal:
        return _pile(request, deck_check, refusal, typed)
    messages.success(request, f"{counted(count, 'deck')} added.")
    if nameless := sum(not entry.player.strip() for entry in entries):
        subject = "The list" if len(entries) == 1 else "One of them"
        whose = f"{subject} has no player name and goes"
        if nameless > 1:
            whose = f"{nameless} of them have no player name and go"
        messages.warning(
            request,
            f"{whose} by a number for now. To name the player, put a heading such as “== Mira: "
            "Wildfire” above the list, and withdraw the nameless one.",
        )
    return redirect(deck_check)


def _from_files(request: HttpRequest, deck_check: DeckCheck) -> Iterator[services.Entry]:
    files = request.FILES.getlist("files")
    if len(files) > uploads.FILES_AT_ONCE:
        raise Unacceptable(
            f"Up to {uploads.FILES_AT_ONCE} files at once; one file can hold several decks."
        )
    for file in files:
        data = file.read(uploads.MAX_BYTES + 1)
        yield from uploads.from_file(deck_check, str(file.name or "deck"), data)


@login_required
@require_POST
@metered_view
def hand_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Register a deck of one's own."""
    user = cast(User, request.user)
    deck_check = queries.check_of(slug)
    about: dict[str, Any] = {"check": deck_check, "user": user}
    about["player_number"] = request.POST.get("player_number")
    try:
        dry = _dry_run(request, deck_check)
        if dry.stops:
            return _player(request, deck_check, dry=dry)
        if text := dry.text:
            about |= {"text": text, "name": request.POST.get("name", "")}
            number = once_per_page(
                request, user, lambda: str(services.hand_in_list(**about).number)
            )
            row = queries.checked_deck(deck_check, int(number))
        else:
            row = services.hand_in(deck=cast(Deck, dry.deck), **about)
    except (BadDeck, TooManyDecks) as error:
        return _player(request, deck_check, Unacceptable(str(error)))
    except Refusal as refusal:
        return _player(request, deck_check, refusal)
    messages.success(request, f"{row.name} submitted.")
    return redirect(deck_check)


@dataclass(frozen=True, slots=True)
class DryRun:
    """The result of a deck that a player is about to submit: their own ``deck``, or a ``text``.

    ``stops`` is true if it is shown before anything is submitted.
    """

    verdict: Verdict
    deck: Deck | None
    text: str
    stops: bool
    asked_for: bool
    """The player pressed a button that only checks."""

    @property
    def may_go_on(self) -> bool:
        """False while lines of the list name no card: those cannot be submitted."""
        return not self.verdict.reading.unread


def _dry_run(request: HttpRequest, deck_check: DeckCheck) -> DryRun:
    """Check what was sent by the format that the lists will lock with; nothing is kept.

    Submitting a legal deck goes on at once, another one after "anyway".
    """
    user = cast(User, request.user)
    game, mode = deck_check.game, deck_check.mode
    deck, text, name = None, request.POST.get("text", "").strip(), request.POST.get("name", "")
    if text:
        if {"rename", "fix"} & request.POST.keys():
            text = pressed_list(request, text, game, mode)
        typed = text
    else:
        deck = deck_queries.access_deck(user, request.POST.get("deck", ""))
        name = deck.name
        typed = textlist.write_list(deck_queries.decklist(deck), game)
    reading = deck_services.read_typed(game, mode, typed)
    called = " ".join(name.split())
    if deck_check.pooled:
        ruling: verdict_queries.Ruling = pool_queries.ruling_in(deck_check, user, called)
    else:
        format = formats.rules_format(queries.version_to_lock(deck_check))
        ruling = verdict_queries.ruling(game, mode, format, name=called, player=user)
    verdict = ruling.verdict(reading)
    asked_for = bool({"check", "rename", "fix"} & request.POST.keys())
    fits = deck is None or (deck.game, deck.mode) == (game, mode)
    stops = asked_for or (not verdict.report.legal and "anyway" not in request.POST)
    stops = stops and fits and deck_check.takes_decks
    return DryRun(verdict, deck, text, stops, asked_for)


@login_required
@require_POST
def take_out(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a deck off the pile."""
    deck_check = queries.check_of(slug)
    services.take_out(check=deck_check, by=cast(User, request.user), number=number)
    messages.info(request, "Deck withdrawn.")
    return redirect(deck_check)


@login_required
@require_POST
def registration(request: HttpRequest, slug: str) -> HttpResponse:
    """Open or close registration."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    services.set_open(check=deck_check, by=user, open=request.POST.get("open") == "1")
    return redirect(deck_check)


@login_required
@require_POST
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """Say when and where the event is, until when decks are handed in, and who judges."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    form = EventForm(request.POST, check=deck_check, user=user)
    if form.is_valid():
        try:
            services.describe_check(check=deck_check, by=user, **form.said())
        except Refusal as refusal:
            return _pile(request, deck_check, refusal, event=form)
        messages.success(request, "Saved.")
        return redirect(deck_check)
    return _pile(
        request,
        deck_check,
        Unacceptable("Not saved yet. Correct the marked fields."),
        event=form,
    )


@login_required
@require_POST
def unlock(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the lists change again, for a reason."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    try:
        services.unlock_check(check=deck_check, by=user, why=request.POST.get("why", ""))
    except Refusal as refusal:
        return _pile(request, deck_check, refusal)
    messages.success(request, "Decklists unlocked. The players are notified.")
    return redirect(deck_check)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def lock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what locking the lists would do; a POST locks them."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    if request.method != "POST":
        context = _about(deck_check) | {"locking": queries.locking(deck_check)}
        return render(request, "decks/check_lock.html", context)
    try:
        services.lock_check(check=deck_check, by=user, as_shown=True)
    except Refusal as refusal:
        return _pile(request, deck_check, refusal)
    messages.success(request, "Decklists locked.")
    return redirect(deck_check)


@login_required
@require_POST
def judge_again(request: HttpRequest, slug: str) -> HttpResponse:
    """Judge all decks by the rules as they are now."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    services.judge_again(check=deck_check, by=user)
    return redirect(deck_check)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def deck(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One deck of the pile, for its player and the judges, who may mend it (POST)."""
    deck_check = queries.check_of(slug)
    row = queries.readable_deck(deck_check, request.user, number)
    if request.method != "POST":
        return _checked_deck(request, deck_check, row)
    typed, pressed = request.POST.get("text", ""), request.POST.get("rename")
    try:
        services.mend_list(
            check=deck_check,
            by=cast(User, request.user),
            number=number,
            text=typed if pressed is None else _renamed(deck_check, row, pressed),
            why=request.POST.get("why", ""),
            expected=request.POST.get("expected"),
        )
    except Refusal as refusal:
        return _checked_deck(request, deck_check, row, refusal, typed)
    messages.success(request, "List corrected. The change is logged.")
    return redirect("decks:checked_deck", slug, number)


def _renamed(deck_check: DeckCheck, row: CheckedDeck, pressed: str) -> str:
    """The list with the card of a suggestion in the line that it is for."""
    try:
        line, card = parse_suggestion(pressed)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    sections = rules.game(deck_check.game).mode(deck_check.mode).sections
    return textlist.rename_line(queries.list_of(row), deck_check.game, line, card, sections)


def _checked_deck(
    request: HttpRequest,
    deck_check: DeckCheck,
    row: CheckedDeck,
    refusal: Refusal | None = None,
    typed: str = "",
) -> HttpResponse:
    judges = queries.organises(deck_check, request.user)
    context = _about(deck_check) | {
        "judges": judges,
        "mends": judges and not deck_check.locked_at,
        "text": typed or queries.list_of(row),
        "why": request.POST.get("why", ""),
        "suggestions": queries.suggestions(deck_check, row) if judges else [],
        "notes": queries.notes_of(deck_check, row.number),
        "refusal": refusal,
        "row": row,
        "parts": queries.list_by_kind(row, deck_check.game),
        "problems": queries.problems(row),
        "notices": queries.notices(row),
    }
    status = refusal.status if refusal else 200
    return render(request, "decks/checked_deck.html", context, status=status)


@login_required
@require_safe
@metered_view
def sheet(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The registration sheet of one deck."""
    deck_check = queries.check_of(slug)
    return sheet_of(deck_check, queries.readable_deck(deck_check, request.user, number))


@login_required
@require_safe
@metered_view
def sheets_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The registration sheets of all decks, in one file: few at once, many once they are drawn."""
    deck_check = queries.own_check(request.user, slug)
    if queries.tally(deck_check).total <= sheets.AT_ONCE:
        return sheets_of(deck_check, queries.pile(deck_check), deck_check.title)
    job = sheet_queries.latest_job(deck_check)
    if job is None or not sheets.is_current(deck_check, job):
        return redirect("decks:check_sheets_page", slug)
    return as_pdf(job.file.open("rb"), deck_check.title)


@login_required
@require_safe
@metered_view
def illegal_sheets(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The registration sheets of decks that are not legal, from a deck's number on."""
    deck_check = queries.own_check(request.user, slug)
    after = number(request.GET.get("after", "")) or 0
    rows = queries.pile(deck_check, "illegal", after)[: sheets.AT_ONCE]
    return sheets_of(deck_check, rows, f"{deck_check.title} not legal")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheets_page(request: HttpRequest, slug: str) -> HttpResponse:
    """How far the sheets of all decks are; htmx asks for the part that changes. POST begins."""
    user = cast(User, request.user)
    deck_check = queries.own_check(user, slug)
    total = queries.tally(deck_check).total
    if request.method == "POST" and total > sheets.AT_ONCE:
        sheets.start_sheets(check=deck_check, by=user)
    if request.method == "POST":
        return redirect("decks:check_sheets_page", slug)
    job = sheet_queries.latest_job(deck_check)
    context = _about(deck_check) | {
        "job": job,
        "total": total,
        "at_once": total <= sheets.AT_ONCE,
        "is_current": job is not None and sheets.is_current(deck_check, job),
        "kept": file_jobs.KEPT.days,
    }
    part = bool(request.headers.get("HX-Request"))
    template = "decks/sheets_state.html" if part else "decks/sheets.html"
    return render(request, template, context)


@require_safe
@metered_view
def qr_code(request: HttpRequest, slug: str) -> HttpResponse:
    """A QR code that leads players to the page where they submit their decks."""
    deck_check = queries.check_of(slug)
    address = request.build_absolute_uri(deck_check.get_absolute_url())
    return HttpResponse(qr_svg(address), content_type="image/svg+xml")


@login_required
@require_safe
def melee(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The players as a table that Melee imports."""
    return melee_players(request, queries.own_check(request.user, slug))


@login_required
@require_safe
def verdicts(request: HttpRequest, slug: str) -> HttpResponseBase:
    """All verdicts as a table for spreadsheets."""
    deck_check = queries.own_check(request.user, slug)
    return verdicts_of(request, deck_check)
