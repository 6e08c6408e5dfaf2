"""Pages for bringing lists of cards and for taking them away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms.boundfield import BoundWidget
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import get_text_list
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.services.guests import ensure_guest
from collection.downloads import exported
from collection.forms.imports import ExportForm, ImportForm
from collection.lists import dialects, encodings
from collection.models import ImportJob, JobState, LineVerdict
from collection.models.jobs import UNDER_WAY
from collection.queries import exports as export_queries
from collection.queries import imports as queries
from collection.services import imports as services
from core.errors import Refusal
from core.idempotency import once_per_page

SHOWN = 20
#: The kinds of lines in the order in which they need their owner.
KINDS = (
    (LineVerdict.UNKNOWN, "Choose a card"),
    (LineVerdict.BAD, "Invalid"),
    (LineVerdict.NEW, "New"),
    (LineVerdict.CHANGED, "Changed"),
    (LineVerdict.SAME, "Unchanged"),
    (LineVerdict.SKIPPED, "Skipped"),
)


@require_http_methods(["GET", "HEAD", "POST"])
def imports(request: HttpRequest) -> HttpResponse:
    """Bring a list, and look back at earlier ones."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    status = 200
    if form.is_bound:
        if form.is_valid():
            try:
                return redirect(_start(request, form))
            except Refusal as refusal:
                field = str(refusal.extra.get("field", "file"))
                form.add_error(field if field in form.fields else "file", refusal.detail)
                status = refusal.status
        else:
            status = 422
    user = request.user
    context = {
        "form": form,
        "jobs": list(queries.imports_of(user)[:SHOWN]) if user.is_authenticated else [],
        "kept": services.KEPT.days,
    }
    return render(request, "collection/imports.html", context, status=status)


def _start(request: HttpRequest, form: ImportForm) -> ImportJob:
    content, file = form.content(), form.cleaned_data["file"]
    owner = ensure_guest(request)
    return services.start_import(
        owner=owner,
        data=content.encode() if isinstance(content, str) else content,
        filename=str(file.name) if file else "",
        game=form.cleaned_data["game"],
        replaces=form.cleaned_data["replaces"] == "replace",
        skips_bad=form.cleaned_data["skips_bad"],
        once=partial(once_per_page, request, owner),
    )


@login_required
@never_cache
@require_safe
def job(request: HttpRequest, slug: str) -> HttpResponse:
    """One list: how far it is read, what it would do, what it did."""
    import_job = queries.import_of(cast(User, request.user), slug)
    if request.headers.get("HX-Request"):
        # Once there is more to see than a bar, the page is loaded whole.
        if import_job.state not in UNDER_WAY:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "collection/import_progress.html", {"job": import_job})
    return _page(request, import_job)


def _page(request: HttpRequest, job: ImportJob, refusal: Refusal | None = None) -> HttpResponse:
    context: dict[str, object] = {
        "job": job,
        "under_way": job.state in UNDER_WAY,
        "refusal": refusal,
        "kept": services.KEPT.days,
        "dialect": dialects.WORDS.get(job.dialect, ""),
        "encoding": encodings.spoken(job.encoding),
        "unit": "Entry" if job.dialect == dialects.JSON else "Line",
    }
    if job.state in (JobState.READY, JobState.DONE):
        context |= _lines(request, job)
    status = refusal.status if refusal else 200
    return render(request, "collection/import.html", context, status=status)


def _lines(request: HttpRequest, job: ImportJob) -> dict[str, object]:
    """The lines of one kind, and how many there are of each."""
    counts = queries.counts(job)
    kinds = [(kind, words, counts[kind]) for kind, words in KINDS if counts.get(kind)]
    kind_wanted = request.GET.get("show", "")
    first = next((kind for kind, _, _ in kinds), LineVerdict.NEW)
    kind_shown = next((kind for kind, _, _ in kinds if kind == kind_wanted), first)
    asked_after = request.GET.get("after", "")
    after = int(asked_after) if _is_number(asked_after) else 0
    page = queries.lines_of(job, kind_shown, after=after)
    in_the_way = counts.get(LineVerdict.UNKNOWN, 0) + counts.get(LineVerdict.BAD, 0)
    number = request.GET.get("find", "")
    words = request.GET.get("q", "")[:100].strip()
    return {
        "next": queries.next_ready(job) if job.state == JobState.DONE else None,
        "before": queries.same_file_before(job) if job.state == JobState.READY else None,
        "single": queries.single_suggestions(job) if counts.get(LineVerdict.UNKNOWN) else 0,
        "finding": int(number) if _is_number(number) and words else 0,
        "words": words,
        "cards_found": queries.found_for_line(job, words) if words and _is_number(number) else [],
        "kinds": kinds,
        "shown": kind_shown,
        "page": page,
        "after": after,
        "in_the_way": in_the_way,
        "understood": sum(counts.values()) - in_the_way - counts.get(LineVerdict.SKIPPED, 0),
        "forgotten": not kinds,
    }


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _step(
    request: HttpRequest, slug: str, do: Callable[[User], object], words: str
) -> HttpResponse:
    """Do something with a list and show it again; a refusal stands above it."""
    user = cast(User, request.user)
    import_job = queries.import_of(user, slug)
    try:
        do(user)
    except Refusal as refusal:
        return _page(request, queries.import_of(user, slug), refusal)
    if words:
        messages.success(request, words)
    return redirect(import_job)


@login_required
@require_POST
def apply(request: HttpRequest, slug: str) -> HttpResponse:
    """Do what the preview says."""
    skips_bad = True if "skips_bad" in request.POST else None
    return _step(
        request,
        slug,
        lambda user: services.apply_import(owner=user, slug=slug, skips_bad=skips_bad),
        "Imported.",
    )


@login_required
@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take it back."""
    return _step(
        request, slug, lambda user: services.undo_import(owner=user, slug=slug), "Import undone."
    )


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Throw it away."""
    response = _step(
        request, slug, lambda user: services.cancel_import(owner=user, slug=slug), "Discarded."
    )
    return redirect("collection:imports") if response.status_code == 302 else response


@login_required
@require_POST
def suggestions(request: HttpRequest, slug: str) -> HttpResponse:
    """Take every single suggestion."""

    def accept(user: User) -> None:
        number = services.accept_suggestions(owner=user, slug=slug)
        lines = "1 line has" if number == 1 else f"{number:,} lines have"
        messages.success(request, f"{lines} a card now.")

    return _step(request, slug, accept, "")


@login_required
@require_POST
def line(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say which card a line means, leave it out, or take it in again."""
    action = request.POST.get("action", "")

    def answer(user: User) -> None:
        if action == "skip":
            services.skip_line(owner=user, slug=slug, number=number)
        elif action == "back":
            services.take_back_line(owner=user, slug=slug, number=number)
        else:
            game, _, card = action.partition("/")
            services.answer_line(owner=user, slug=slug, number=number, game=game, card=card)

    response = _step(request, slug, answer, "")
    if response.status_code != 302:
        return response
    kind = LineVerdict.SKIPPED if action == "back" else request.POST.get("show", "")
    return redirect(f"{reverse('collection:import', args=[slug])}?show={kind}#lines")


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """Choose what to take away."""
    owner = cast(User, request.user)
    form = ExportForm(initial={"game": request.GET.get("game", "")})
    context = {
        "form": form,
        "formats": _formats(form),
        "cards": export_queries.holdings(owner).count(),
    }
    return render(request, "collection/export.html", context)


def _formats(form: ExportForm) -> list[tuple[BoundWidget, str]]:
    """How an export can be written, with what a site has no word for."""
    lacks = {site.slug: get_text_list(site.lacks(), "or") for site in dialects.SITES}
    return [(radio, lacks.get(radio.data["value"], "")) for radio in form["format"]]


@login_required
@require_safe
def export_file(request: HttpRequest) -> HttpResponseBase:
    """The file, written while it is sent."""
    form = ExportForm(request.GET)
    if not form.is_valid():
        context = {"form": form, "formats": _formats(form), "cards": 1}
        return render(request, "collection/export.html", context, status=422)
    data = form.cleaned_data
    return exported(request, cast(User, request.user), data["format"], data["which"], data["game"])
