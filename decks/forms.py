"""Forms of the deck pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.http import QueryDict

import rules
from collection import examples
from collection.forms.uploads import AS_TYPED
from decks.errors import AboutChanged, BadDeck
from decks.lists.textlist import Reading
from decks.models import Deck, Visibility
from decks.services import decks as services
from decks.services.about import FIELDS, as_typed, read_stamp, stamps, write_stamp
from rules.engine.game import Mode

_LATER = " (cannot be played yet)"
_PLACEHOLDER = f"{examples.LIST}# a comment"


def plays(game: str = "") -> list[tuple[str, str]]:
    """Choices of a mode, ``game/mode`` and its name, of one game or of all."""
    return [
        (f"{slug}/{mode.slug}", f"{game_rules.name}: {mode.name}{'' if mode.playable else _LATER}")
        for slug, game_rules in rules.games().items()
        for mode in game_rules.modes.values()
        if game in ("", slug) and services.takes_decks(mode)
    ]


def mode_of(play: str) -> Mode:
    """The mode that a choice of :func:`plays` means."""
    game, mode = play.split("/")
    return rules.game(game).mode(mode)


def known_play(wish: object, game: str = "") -> str:
    """``wish`` if a deck can be built for it, else what most people build decks for."""
    known = [value for value, _ in plays(game)]
    own = [value for value in known if mode_of(value).decks({}) == "own"]
    return str(wish) if wish in known else (own or known)[0]


@dataclass(frozen=True, slots=True)
class Clash:
    """A field that two windows changed: what was typed in this one, and what is there now."""

    name: str
    label: str
    typed: str
    now: str
    over: str


class Stamped(forms.Form):
    """A form for fields of ``decks.services.about``, which another window may change meanwhile.

    It remembers how they were seen. Where both windows changed one, its writer chooses: ``over``
    a field goes the fingerprint of what may be overwritten, or ``LEAVE``.
    """

    LEAVE = "leave"
    expected_about = forms.CharField(required=False, widget=forms.HiddenInput)

    def about(self) -> dict[str, Any]:
        """Return the arguments for ``update_deck``; the form has to be valid."""
        over = {field: self.data.get(f"over_{field}", "") for field in FIELDS}
        values = {
            field: self.cleaned_data[field]
            for field in FIELDS
            if field in self.cleaned_data and over[field] != self.LEAVE
        }
        if "tags" in values:
            values["tags"] = [values["tags"]]
        if stamp := self.cleaned_data["expected_about"]:
            chosen = {field: mark for field, mark in over.items() if mark}
            values["expected_about"] = write_stamp(read_stamp(stamp) | chosen)
        return values

    def beside(self, deck: Deck, refusal: AboutChanged) -> tuple[QueryDict, list[Clash]]:
        """The form's data with all that was changed on one side only, and what was on both."""
        data = cast(QueryDict, self.data).copy()
        seen = read_stamp(self.cleaned_data["expected_about"])
        now = stamps(deck)
        for field in FIELDS:
            if field in self.fields and field not in refusal.changed_fields:
                data[field] = as_typed(deck, field)
        data["expected_about"] = write_stamp(now | {name: seen[name] for name in refusal.clashes})
        return data, [self._clash(deck, field, now[field]) for field in refusal.clashes]

    def _clash(self, deck: Deck, field: str, over: str) -> Clash:
        typed, now = self.cleaned_data[field], as_typed(deck, field)
        words = dict(getattr(self.fields[field], "choices", ()))
        return Clash(
            field, str(self[field].label), words.get(typed, typed), words.get(now, now), over
        )


class TypedList(forms.Form):
    """A deck's list as text, and what it is for; ``reading`` is what the list says."""

    def __init__(self, *args: Any, game: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["play"].choices = plays(game)  # type: ignore[attr-defined]
        self.reading: Reading | None = None

    def clean_text(self) -> str:
        # A browser sends line ends of its own kind.
        return "\n".join(self.cleaned_data["text"].splitlines())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "play" in data:
            data["game"], data["mode"] = data["play"].split("/")
            try:
                self.reading = services.read_typed(data["game"], data["mode"], data.get("text", ""))
            except BadDeck as error:
                self.add_error("text", error.problems)
        return data


class DeckForm(TypedList, Stamped):
    """A deck: its name, what it is for, who may see it, and its list as text."""

    name = forms.CharField(max_length=services.NAME_LENGTH, label="Name")
    play = forms.ChoiceField(label="For")
    visibility = forms.ChoiceField(
        choices=[("private", "Private"), ("unlisted", "Unlisted"), ("public", "Public")],
        initial=Visibility.PRIVATE,
        label="Visibility",
        help_text="Unlisted: anyone with the link. Public: listed, too.",
        widget=forms.RadioSelect,
    )
    text = forms.CharField(
        required=False,
        strip=False,
        label="Cards",
        help_text="One card per line, with its count. Lines that begin with # are comments.",
        widget=forms.Textarea(attrs={"rows": 24, "placeholder": _PLACEHOLDER, **AS_TYPED}),
    )


class DraftForm(DeckForm):
    """A deck form that is still being typed: no field is required."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("name", "visibility"):
            self.fields[name].required = False
