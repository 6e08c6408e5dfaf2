"""Pages for bringing decks from elsewhere and for taking them along."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts.services.guests import ensure_guest
from collection import examples
from core.budgets import metered_view
from decks.downloads.decks import as_download
from decks.drawing.pictures import NoSuchSheet, find_sheet
from decks.errors import BadDeck, NoExport
from decks.lists import MAX_BYTES, textlist
from decks.lists.recognise import FORMS as LIST_FORMS
from decks.models import Deck
from decks.queries import decks as queries
from decks.queries import lists as exports
from decks.queries import verdicts
from decks.services import decks as deck_services
from decks.services import lists as services
from decks.services.pictures import ask_for_sheet
from decks.views.lists_forms import NEW, DeckUploadForm, KeepForm
from decks.views.once import make_deck_once
from rules.engine.legality import counted

SECONDS_TO_DRAW = 60
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A line that names no card, as it was typed, and cards that it may mean."""

    number: int
    typed: str
    suggestions: tuple[verdicts.Suggestion, ...]


@require_http_methods(["GET", "HEAD", "POST"])
@metered_view
def import_deck(request: HttpRequest) -> HttpResponse:
    """Bring a deck: read it, look at it, keep it."""
    if request.method == "POST" and "read" not in request.POST:
        return _keep(request)
    form = (
        DeckUploadForm(request.POST, request.FILES) if request.method == "POST" else _empty(request)
    )
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        try:
            imported = services.import_list(form.content(), game=data["game"], mode=data["mode"])
        except BadDeck as error:
            field = "text" if not data.get("file") else "file"
            form.add_error(field, error.problems)
        else:
            initial = {
                "name": imported.name or "Imported deck",
                "play": f"{imported.game}/{imported.mode}",
                "text": imported.text,
                "notes": imported.notes,
                "tags": ", ".join(imported.tags),
                "into": request.POST.get("into", NEW),
            }
            return _preview(
                request,
                KeepForm(initial=initial, decks=_mine(request)),
                notices=imported.notices,
                form_name=LIST_FORMS[imported.form],
            )
    context = {"form": form, "most": MAX_BYTES, "into": _into(request), "code": examples.CODE}
    return render(request, "decks/import.html", context, status=422 if form.is_bound else 200)


def _empty(request: HttpRequest) -> DeckUploadForm:
    into = _into(request)
    return DeckUploadForm(initial={"play": f"{into.game}/{into.mode}" if into else ""})


def _into(request: HttpRequest) -> Deck | None:
    """The deck of mine that a list is brought for."""
    wanted = request.POST.get("into") or request.GET.get("into", "")
    if not wanted:
        return None
    return next((deck for deck, _ in _mine(request) if deck.slug == wanted), None)


def _mine(request: HttpRequest) -> list[tuple[Deck, str]]:
    return exports.own_decks(request.user)


def _keep(request: HttpRequest) -> HttpResponse:
    """The second step: mend lines, look again, keep the deck."""
    form = KeepForm(request.POST, decks=_mine(request))
    if not form.is_valid():
        return _preview(request, form, status=422)
    data = form.cleaned_data
    if "rename" in request.POST:
        changed = request.POST.copy()
        changed["text"] = _renamed(request.POST["rename"], data)
        form = KeepForm(changed, decks=_mine(request))
        form.is_valid()
    elif "keep" in request.POST and form.reading and form.reading.unread:
        lines = counted(len(form.reading.unread), "line")
        form.add_error(
            "text", f"{lines} not recognised. Correct the list, or save them as comments."
        )
        return _preview(request, form, status=422)
    elif {"keep", "skip"} & request.POST.keys():
        user = ensure_guest(request)
        keep = partial(
            services.keep_imported,
            user=user,
            game=data["game"],
            mode=data["mode"],
            text=data["text"],
            name=data["name"],
            notes=data["notes"],
            tags=data["tags"].split(","),
            into=data["into"],
            skip_unread="skip" in request.POST,
        )
        try:
            deck = make_deck_once(request, user, keep)
        except BadDeck as error:
            form.add_error(error.field if error.field in form.fields else "text", error.problems)
            return _preview(request, form, status=422)
        messages.success(request, "Deck saved." if data["into"] else "Kept.")
        return redirect(deck)
    return _preview(request, form)


def _renamed(value: str, data: dict[str, Any]) -> str:
    """The list with a suggestion taken."""
    try:
        number, card = verdicts.parse_suggestion(value)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    sections = deck_services.sections_of(data["game"], data["mode"])
    return textlist.rename_line(data["text"], data["game"], number, card, sections)


def _preview(
    request: HttpRequest, form: KeepForm, *, status: int = 200, **known: object
) -> HttpResponse:
    """Preview a list: cards read, lines not read, and the verdict of the rules."""
    context: dict[str, Any] = {"form": form, **known}
    play, text, name = (str(form[field].value() or "") for field in ("play", "text", "name"))
    reading = form.reading
    game, _, mode = play.partition("/")
    if not form.is_bound:
        reading = deck_services.read_typed(game, mode, text)
    if reading is not None:
        context |= _read(game, mode, reading, text, name)
    return render(request, "decks/import_preview.html", context, status=status)


def _read(
    game: str, mode: str, reading: textlist.Reading, text: str, name: str
) -> dict[str, object]:
    lines = text.splitlines()
    catalog = rules.game(game).catalog
    verdict = verdicts.ruling(game, mode, name=" ".join(name.split())).verdict(reading)
    return {
        "game": game,
        "verdict": verdict,
        "groups": verdicts.group(finding for finding in verdict.findings if not finding.lines),
        "sections": [
            (queries.section_name(section), sum(counts.values()))
            for section, counts in reading.cards.items()
        ],
        "unread": [
            UnreadLine(
                line.number,
                lines[line.number - 1].strip(),
                tuple(
                    verdicts.Suggestion(line.number, card, catalog[card].title)
                    for card in line.suggestions
                ),
            )
            for line in reading.unread
        ],
    }


@require_safe
@metered_view
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """A deck as a file; without a form, the choice of them."""
    deck = queries.access_deck(request.user, slug)
    form = request.GET.get("format", "")
    if form in exports.FORMS:
        return as_download(request, deck, form)
    try:
        code = exports.exported(deck, "code", request.user, request.build_absolute_uri).text.strip()
    except NoExport as refusal:
        code, problem = "", refusal.detail
    else:
        problem = ""
    context = {"deck": deck, "forms": exports.FORMS.values(), "code": code, "problem": problem}
    return render(request, "decks/export.html", context)


@require_safe
def card_sheet(request: HttpRequest, game: str, number: int, digest: str) -> HttpResponse:
    """A sheet of card pictures. An outdated address leads to the present one."""
    try:
        sheet = find_sheet(game, number)
    except NoSuchSheet as error:
        raise Http404(str(error)) from None
    response: HttpResponse
    if digest != sheet.digest:
        response = redirect(sheet.address)
        response["Cache-Control"] = "no-cache"
        return response
    if not ask_for_sheet(sheet):
        words = "This picture is being rendered. Try again in a minute.\n"
        headers = {"Retry-After": str(SECONDS_TO_DRAW), "Cache-Control": "no-store"}
        return HttpResponse(words, content_type="text/plain", status=503, headers=headers)
    response = HttpResponse(sheet.path.read_bytes(), content_type="image/jpeg")
    response["Cache-Control"] = _FOR_EVER
    return response
