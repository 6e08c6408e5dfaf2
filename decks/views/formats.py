"""Pages of house formats: all of them, one with its versions, and the form to define one."""

from __future__ import annotations

import re
from datetime import datetime, time
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import rules
from accounts.models import User
from collection import examples
from core.errors import NotAllowed, Refusal
from core.idempotency import once_per_page
from decks.forms import plays
from decks.lists import textlist
from decks.models import Format, FormatVersion
from decks.queries import formats as queries
from decks.services import formats as services
from rules.engine.game import FormatOption, Game

_PLACEHOLDER = f"0 {examples.GAME.catalog[examples.FIRST].title} # always in every deck"


_REASON = re.compile(r"\s(?:#|//)\s*(?P<reason>.*)$")


class FormatForm(forms.Form):
    """A format: what it is called, and its rules for one mode of one game."""

    name = forms.CharField(max_length=services.NAME_LENGTH, label="Name")
    summary = forms.CharField(
        max_length=300,
        required=False,
        label="Short description",
        widget=forms.Textarea({"rows": 2}),
    )
    listed = forms.BooleanField(
        required=False, initial=True, label="List it for everyone who builds a deck"
    )
    owned_only = forms.BooleanField(
        required=False,
        label="Only cards that the player owns",
        help_text="Checked against the player’s collection. Decklists without a player account "
        "get a notice instead.",
    )
    sets = forms.MultipleChoiceField(
        required=False, label="Only cards of these sets", widget=forms.CheckboxSelectMultiple
    )
    restricted = forms.CharField(
        required=False,
        strip=False,
        label="Restricted list",
        help_text="One card per line: maximum copies, name, # reason. 0 bans the card.",
        widget=forms.Textarea(
            {
                "rows": 8,
                "spellcheck": "false",
                "placeholder": _PLACEHOLDER,
            }
        ),
    )
    valid_from = forms.DateField(
        required=False,
        label="Effective date",
        help_text="Takes effect at the start of that day in your time zone. "
        "Leave empty to publish now.",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    note = forms.CharField(
        max_length=300,
        required=False,
        label="What changed, and why",
        widget=forms.Textarea({"rows": 2}),
    )

    def __init__(self, *args: Any, game: Game, mode: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.game = game
        self.fields["sets"].choices = [  # type: ignore[attr-defined]
            (card_set.slug, card_set.name) for card_set in game.sets
        ]
        self.switches = [
            option for option in game.format_options if mode in (option.modes or game.modes)
        ]
        for option in self.switches:
            self.fields[f"option-{option.slug}"] = _field(option)

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields of the game's own options."""
        return [self[f"option-{option.slug}"] for option in self.switches]

    def clean_restricted(self) -> dict[str, dict[str, Any]]:
        """The list by card; raises ``ValidationError`` that names every bad line."""
        restricted: dict[str, dict[str, Any]] = {}
        wrong = []
        text = "\n".join(self.cleaned_data["restricted"].splitlines())
        lines = text.splitlines()
        for line in textlist.read_list(text, self.game.slug).lines:
            if line.card:
                reason = _REASON.search(lines[line.number - 1])
                restricted[line.card] = {
                    "most": line.count,
                    "reason": reason["reason"] if reason else "",
                }
            else:
                wrong.append(f"Line {line.number}: no card named “{line.name}”.")
        if wrong:
            raise forms.ValidationError(wrong)
        return restricted

    def clean_valid_from(self) -> datetime | None:
        """The beginning of the day; None for now, which is also what today means."""
        day = self.cleaned_data["valid_from"]
        today = timezone.localdate()
        if day is not None and day < today:
            raise forms.ValidationError(
                "This day is in the past. Choose a later day, or leave it empty."
            )
        if day is None or day == today:
            return None
        return timezone.make_aware(datetime.combine(day, time.min))

    @property
    def rules(self) -> services.Rules:
        """The form's values, for the service."""
        data = self.cleaned_data
        return services.Rules(
            options={option.slug: data[f"option-{option.slug}"] for option in self.switches},
            restricted=data["restricted"],
            sets=data["sets"],
            owned_only=data["owned_only"],
        )


def _field(option: FormatOption) -> forms.Field:
    about: dict[str, Any] = {"required": False, "label": option.name, "help_text": option.help}
    if option.kind == "switch":
        return forms.BooleanField(**about)
    if option.kind == "integer":
        low, high = option.values
        return forms.IntegerField(min_value=low, max_value=high, **about)
    choices = [(str(value), option.word(value)) for value in option.values]
    if option.kind == "subset":
        boxes = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=choices, widget=boxes, **about)
    values = {str(value): value for value in option.values}
    return forms.TypedChoiceField(
        choices=[("", "Any"), *choices], coerce=values.__getitem__, empty_value=None, **about
    )


@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """Official formats, listed ones, and one's own."""
    offered = []
    for format in queries.offered(request.user):
        stand = queries.history(format)
        clauses = queries.clauses(stand.present)
        offered.append({"format": format, "clauses": clauses, "next": stand.next})
    names = {slug: game.name for slug, game in rules.games().items()}
    by_game = {
        (slug, name): [row for row in offered if cast(Format, row["format"]).game == slug]
        for slug, name in names.items()
    }
    context = {
        "by_game": [(slug, name, rows) for (slug, name), rows in by_game.items() if rows],
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
    game_slug, mode = play.split("/")
    form = FormatForm(request.POST or None, game=rules.game(game_slug), mode=mode)
    status = 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data

        def make() -> str:
            return services.create_format(
                by=user,
                game=game_slug,
                mode=mode,
                name=data["name"],
                summary=data["summary"],
                listed=data["listed"],
                rules_of=form.rules,
                house="house" in request.POST,
            ).slug

        try:
            created = queries.format_of(once_per_page(request, user, make))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
            status = refusal.status
        else:
            messages.success(request, f"{created.name} created.")
            return redirect(created)
    return _form_page(request, form, None, dict(plays())[play], status)


@login_required
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish a new version of a format."""
    user = cast(User, request.user)
    house_format = queries.format_of(slug)
    if not _may_change(request, house_format):
        raise NotAllowed("Only its creator can edit a format.")
    game = rules.game(house_format.game)
    form = FormatForm(
        request.POST or None,
        game=game,
        mode=house_format.mode,
        initial=_initial(house_format, game),
    )
    del form.fields["listed"]
    if house_format.defined_as:
        del form.fields["name"], form.fields["summary"]
    else:
        form.fields["name"].required = False  # the service says what a name has to be
        form.fields["name"].help_text = "Name and description change at once, for all versions."
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            version = services.publish_version(
                format=house_format,
                by=user,
                rules_of=form.rules,
                note=form.cleaned_data["note"],
                valid_from=form.cleaned_data["valid_from"],
                name=form.cleaned_data["name"] if "name" in form.data else None,
                summary=form.cleaned_data["summary"] if "summary" in form.data else None,
            )
        except Refusal as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
        else:
            begin = timezone.localtime(version.valid_from)
            day = f"on {date_format(begin, 'j F Y')}" if begin > timezone.now() else "now"
            messages.success(request, f"Version {version.number} takes effect {day}.")
            return redirect(house_format)
    play = f"{game.name}: {game.mode(house_format.mode).name}"
    return _form_page(request, form, house_format, play, status)


def _initial(house_format: Format, game: Game) -> dict[str, Any]:
    """The newest version, be it announced only: what is published now goes on from there."""
    version = house_format.versions.all()[0]
    announced = version.valid_from > timezone.now()
    lines = [
        f"{most} {title} # {reason}".rstrip(" #")
        for _, title, most, reason in queries.restricted_cards(version)
    ]
    return {
        "name": house_format.name,
        "summary": house_format.summary,
        "restricted": "\n".join(lines),
        "sets": version.sets,
        "owned_only": version.owned_only,
        "valid_from": timezone.localtime(version.valid_from).date() if announced else None,
        **{
            f"option-{option.slug}": _as_filled_in(option, version.options[option.slug])
            for option in game.format_options
            if option.slug in version.options
        },
    }


def _as_filled_in(option: FormatOption, value: Any) -> Any:
    return list(option.usual) if option.kind == "subset" and value is True else value


def _form_page(
    request: HttpRequest, form: FormatForm, house_format: Format | None, play: str, status: int
) -> HttpResponse:
    if form.is_bound and not form.is_valid() and status == 200:
        status = 422
    announced = queries.history(house_format).announced if house_format else ()
    context = {"form": form, "format": house_format, "play": play, "announced": announced[:1]}
    return render(request, "decks/format_form.html", context, status=status)


@login_required
@require_POST
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer a format no longer."""
    house_format = queries.format_of(slug)
    services.retire_format(format=house_format, by=cast(User, request.user))
    messages.info(request, f"{house_format.name} is retired.")
    return redirect("decks:formats")
