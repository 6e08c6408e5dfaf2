"""Pages of house formats: all of them, one with its versions, and the form to define one."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from accounts.models import User
from core.budgets import metered
from core.errors import NotAllowed, Refusal
from core.idempotency import once_per_page
from decks.errors import VersionOvertaken
from decks.forms import plays
from decks.models import Format, FormatVersion
from decks.queries import formats as queries
from decks.queries.formats import FormatRules
from decks.services import formats as services
from decks.views.format_files import ImportForm, preview_context, version_from_toml
from decks.views.formats_forms import FormatForm, initial_rules, restricted_text
from rules.engine.game import Game

FORMATS_PAGE_SIZE = 60


@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """Official formats, listed ones, and one's own, by game."""
    rows = queries.offered(request.user)
    page = Paginator(rows, FORMATS_PAGE_SIZE).get_page(request.GET.get("page"))
    offered = []
    for row in page.object_list:
        stand = queries.history(row)
        clauses = queries.clauses(stand.present)
        offered.append({"format": row, "clauses": clauses, "next": stand.next})
    by_game = [
        (slug, game.name, [row for row in offered if cast(Format, row["format"]).game == slug])
        for slug, game in rules.games().items()
    ]
    context = {
        "by_game": [row for row in by_game if row[2]],
        "page": page,
        "plays": plays(),
    }
    return render(request, "decks/formats.html", context)


@require_safe
def format(request: HttpRequest, slug: str) -> HttpResponse:
    """One format: its rules now and what they were."""
    house_format = queries.format_of(slug)
    mode = rules.game(house_format.game).mode(house_format.mode)
    stand = queries.history(house_format)
    context = {
        "format": house_format,
        "game_name": rules.game(house_format.game).name,
        "mode_name": mode.name,
        "present": _shown(stand.present),
        "announced": [_shown(version) for version in reversed(stand.announced)],
        "older": [_shown(version) for version in stand.earlier],
        "replaced": [_shown(version) for version in stand.replaced],
        "may_change": _may_change(request, house_format),
    }
    return render(request, "decks/format.html", context)


def _shown(version: FormatVersion) -> dict[str, Any]:
    return {
        "version": version,
        "clauses": queries.clauses(version),
        "restricted": queries.restricted_cards(version),
    }


def _may_change(request: HttpRequest, house_format: Format) -> bool:
    user = request.user
    if not isinstance(user, User):
        return False
    return house_format.owner_id == user.pk or (house_format.owner_id is None and user.is_staff)


@login_required
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Define a format for the mode that the address names (``?play=game/mode``)."""
    user = cast(User, request.user)
    play = request.GET.get("play", "")
    if play not in dict(plays()):
        return redirect("decks:formats")
    game_slug, mode_slug = play.split("/")
    game = rules.game(game_slug)
    data = request.POST if request.method == "POST" else None
    form = FormatForm(data, game=game, mode=game.mode(mode_slug))
    if data is not None and form.act(data):
        return _form_page(request, form, None, 200)
    status = 200
    if data is not None and form.is_valid():
        about = form.cleaned_data

        def make() -> str:
            return services.create_format(
                by=user,
                game=game_slug,
                mode=mode_slug,
                name=about["name"],
                summary=about["summary"],
                listed=about["listed"],
                rules_of=form.rules,
                house="house" in request.POST,
            ).slug

        try:
            with metered(request):
                created = queries.format_of(once_per_page(request, user, make))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
            status = refusal.status
        else:
            messages.success(request, f"{created.name} created.")
            return redirect(created)
    return _form_page(request, form, None, status)


@login_required
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish a new version of a format."""
    user = cast(User, request.user)
    house_format = queries.format_of(slug)
    if not _may_change(request, house_format):
        raise NotAllowed("Only its creator can edit a format.")
    if request.method == "GET":
        services.must_be_offered(house_format)  # what was typed meanwhile stays in the form
    game = rules.game(house_format.game)
    data = request.POST if request.method == "POST" else None
    version = house_format.versions.all()[0]
    form = FormatForm(
        data,
        game=game,
        mode=game.mode(house_format.mode),
        rows=version.rules,
        initial=_initial(house_format, game),
    )
    del form.fields["listed"]
    if house_format.defined_as:
        del form.fields["name"], form.fields["summary"]
    else:
        form.fields["name"].required = False  # the service says what a name has to be
        form.fields["name"].help_text = "Name and description change at once, for all versions."
    unread = data is not None and bool(data.get("text", "").strip() or request.FILES)
    reads = data is not None and "read" in data
    toml = ImportForm(data, request.FILES) if unread or reads else ImportForm()
    if reads:
        if (read := version_from_toml(request, toml, form, house_format)) is None:
            form.acted = True
            return _form_page(request, form, house_format, 422, toml)
        return _form_page(request, read[0], house_format, 200, ImportForm(), read[1])
    if data is not None and form.act(data):
        return _form_page(request, form, house_format, 200, toml)
    status = 200
    if unread:
        form.add_error(
            None, "Press “Read the TOML” first, or leave TOML empty to publish this form."
        )
    if data is not None and form.is_valid():
        try:
            with metered(request):
                version = services.publish_version(
                    format=house_format,
                    by=user,
                    rules_of=form.rules,
                    note=form.cleaned_data["note"],
                    valid_from=form.cleaned_data["valid_from"],
                    name=form.cleaned_data["name"] if "name" in form.data else None,
                    summary=form.cleaned_data["summary"] if "summary" in form.data else None,
                    follows=form.cleaned_data["follows"],
                )
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
            if isinstance(refusal, VersionOvertaken):
                again = request.POST.copy()
                again["follows"] = str(refusal.number)
                form.data = again
        else:
            begin = timezone.localtime(version.valid_from)
            day = f"on {date_format(begin, 'j F Y')}" if begin > timezone.now() else "now"
            messages.success(request, f"Version {version.number} takes effect {day}.")
            return redirect(house_format)
    return _form_page(request, form, house_format, status, toml)


def _initial(house_format: Format, game: Game) -> dict[str, Any]:
    """The newest version, be it announced only: what is published now goes on from there."""
    version = house_format.versions.all()[0]
    announced = version.valid_from > timezone.now()
    restricted = queries.restricted_cards(version)
    return {
        **initial_rules(version, game),
        "follows": version.number,
        "name": house_format.name,
        "summary": house_format.summary,
        "restricted": restricted_text((most, title, why) for _, title, most, why in restricted),
        "valid_from": timezone.localtime(version.valid_from).date() if announced else None,
    }


def _form_page(
    request: HttpRequest,
    form: FormatForm,
    house_format: Format | None,
    status: int,
    toml: ImportForm | None = None,
    read: FormatRules | None = None,
) -> HttpResponse:
    """The form, with what its rules would do; only its rules where a button of them was pressed.

    ``toml`` is the form within it that reads a file, ``read`` the rules that were read.
    """
    if form.is_bound and not form.acted and not form.is_valid() and status == 200:
        status = 422
    announced = queries.history(house_format).announced if house_format else ()
    context: dict[str, Any] = {
        "form": form,
        "format": house_format,
        "play": f"{form.game.name}: {form.mode.name}",
        "announced": announced[:1],
        "toml": toml,
    }
    if form.is_bound and not form.acted:
        # The form itself says what is wrong, each where it stands.
        context["wrong"] = ["Correct what the form names to see what it does."]
    else:
        present = house_format.versions.all()[0] if house_format else None
        context |= preview_context(request, form, read or present)
    partial = form.acted and request.headers.get("HX-Request")
    template = "decks/format_composer.html" if partial else "decks/format_form.html"
    return render(request, template, context, status=status)


@login_required
@require_POST
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a format no longer."""
    house_format = queries.format_of(slug)
    services.retire_format(format=house_format, by=cast(User, request.user))
    messages.info(request, f"{house_format.name} is retired.")
    return redirect("decks:formats")
