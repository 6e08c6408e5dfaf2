"""Previews of a format that is being written, and formats as files."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from collection import examples
from collection.errors import NotFound, Unacceptable
from core.budgets import metered
from core.errors import Refusal
from decks.downloads.formats import as_toml
from decks.forms import plays
from decks.models import Format
from decks.queries import format_preview
from decks.queries import formats as queries
from decks.queries.formats import FormatRules
from decks.services import format_files as services
from decks.services.formats import Rules, checked_rules
from decks.views.formats_forms import FormatForm, initial_rules
from rules.engine.errors import BadData
from rules.engine.format_files import MAX_SIZE, FormatFile

EXAMPLE = f"""game = "{examples.GAME.slug}"
mode = "{examples.MODE.slug}"
name = "Pauper"
summary = "Commons and uncommons only."

[[rule]]
cards = {{ rarity = {{ not = ["common", "uncommon"] }} }}
most = 0
says = "{{card}} is too rare for {{format}}. Take out {{found}}."

[[rule]]
copies = "name"
most = 2
"""


def preview_context(
    request: HttpRequest, form: FormatForm, present: FormatRules | None = None
) -> dict[str, Any]:
    """A preview of the form's rules: ``preview``, or ``wrong`` with the reasons why not.

    ``present`` are the rules that a form shows to begin with.
    """
    if not form.is_bound:
        rules_of: FormatRules = present or Rules()
        name = form.initial.get("name", "")
    elif form.is_valid():
        rules_of, name = form.rules, form.cleaned_data.get("name", "")
    else:
        return {"preview": None, "wrong": _errors(form)}
    try:
        with metered(request):
            if form.is_bound:
                rules_of = checked_rules(form.game, form.mode, form.rules)
            preview = format_preview.preview(form.game, form.mode, rules_of, request.user, name)
    except (BadData, Unacceptable) as error:
        return {"preview": None, "wrong": [str(error)]}
    return {"preview": preview, "wrong": []}


def _errors(form: FormatForm) -> list[str]:
    return [
        str(message)
        for name, messages in form.errors.items()
        for message in messages
        if name != "name"
    ]


@login_required
@require_POST
def preview(request: HttpRequest, game: str, mode: str) -> HttpResponse:
    """A preview of a form that is being filled in; nothing is kept."""
    if f"{game}/{mode}" not in dict(plays()):
        raise NotFound("This mode has no decks.")
    form = FormatForm(request.POST, game=rules.game(game), mode=rules.game(game).mode(mode))
    form.fields["name"].required = False
    return render(request, "decks/format_preview.html", preview_context(request, form))


class ImportForm(forms.Form):
    """A format as TOML, typed or from a file; it stands on its own or within a format's form."""

    file = forms.FileField(required=False, label="TOML file")
    text = forms.CharField(
        required=False,
        strip=False,
        label="Or paste it",
        widget=forms.Textarea({"rows": 14, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        upload = data.get("file")
        if upload is not None:
            if upload.size > MAX_SIZE:
                raise ValidationError(f"The file has more than {MAX_SIZE:,} bytes.")
            try:
                data["text"] = upload.read().decode()
            except UnicodeDecodeError as error:
                raise ValidationError("The file is not UTF-8 text.") from error
        if not data.get("text", "").strip():
            raise ValidationError("Choose a TOML file, or paste its text.")
        return data


def version_from_toml(
    request: HttpRequest, toml: ImportForm, form: FormatForm, format: Format
) -> tuple[FormatForm, Rules] | None:
    """The form of a new version with the rules of a file in place of its own, and these rules; what
    else was typed stays. None where the file is wrong, and why is said in ``toml``."""
    if not toml.is_valid():
        return None
    try:
        with metered(request):
            rules_of = services.read_version(toml.cleaned_data["text"], format)
    except Refusal as refusal:
        toml.add_error(None, refusal.detail)
        return None
    kept = {name: form[name].value() for name in form.fields if name in form.ABOUT_THE_VERSION}
    initial = {**kept, **initial_rules(rules_of, form.game)}
    read = FormatForm(game=form.game, mode=form.mode, rows=rules_of.rules, initial=initial)
    for name in read.fields.keys() - form.fields.keys():
        del read.fields[name]
    return read, rules_of


@login_required
@require_http_methods(["GET", "POST"])
def import_format(request: HttpRequest) -> HttpResponse:
    """Read a format from TOML into the form, where it is looked at before it is created."""
    form = ImportForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            with metered(request):
                file, rules_of = services.read_file(form.cleaned_data["text"])
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
        else:
            return _filled_in(request, file, rules_of)
    if form.is_bound and not form.is_valid():
        status = 422
    return render(
        request, "decks/format_import.html", {"form": form, "example": EXAMPLE}, status=status
    )


def _filled_in(request: HttpRequest, file: FormatFile, rules_of: Rules) -> HttpResponse:
    """The form of a new format with what the file says."""
    game = rules.game(file.game)
    mode = game.mode(file.mode)
    form = FormatForm(
        game=game,
        mode=mode,
        rows=rules_of.rules,
        initial={
            "name": file.name,
            "summary": file.summary,
            "listed": True,
            **initial_rules(rules_of, game),
        },
    )
    context = {
        "form": form,
        "play": f"{game.name}: {mode.name}",
        "action": f"{reverse('decks:new_format')}?play={game.slug}/{mode.slug}",
        **preview_context(request, form, rules_of),
    }
    return render(request, "decks/format_form.html", context)


@require_safe
def export_format(request: HttpRequest, slug: str) -> HttpResponse:
    """The version of a format that holds now as TOML, or another by its ``?version=``."""
    number = request.GET.get("version", "")
    return as_toml(queries.version_of(slug, int(number[:9]) if number.isdecimal() else 0))
