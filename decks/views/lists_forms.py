"""The forms with which a deck is brought: first what it is, then what becomes of it."""

from __future__ import annotations

from typing import Any

from django import forms

from collection import examples
from collection.forms.uploads import AS_TYPED, UploadForm
from decks.forms import TypedList, plays
from decks.lists import MAX_BYTES
from decks.models import Deck
from decks.services import decks as services

NEW = "new"
_PLACEHOLDER = f"{examples.LIST}\n{examples.CODE}"


class DeckUploadForm(UploadForm):
    """A deck from elsewhere, as a file or as text."""

    accept = ".txt,.dec,.cod,.json,text/plain,application/json,application/xml"
    most = MAX_BYTES
    nothing = "Choose a file or paste a deck."

    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        label="Or paste a deck",
        help_text="One card per line, a deck code, or the contents of a file.",
        widget=forms.Textarea(attrs={"rows": 10, "placeholder": _PLACEHOLDER, **AS_TYPED}),
    )
    play = forms.ChoiceField(
        required=False,
        label="Game and mode",
        help_text="Detected from the list if you don’t choose one.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["play"].choices = [("", "Detect"), *plays()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["game"], _, data["mode"] = (data.get("play") or "").partition("/")
        return data


class KeepForm(TypedList):
    """A list that was read, and where it is to be kept."""

    into = forms.ChoiceField(
        label="Save as",
        help_text="An existing deck only changes its cards; you can undo that.",
    )
    name = forms.CharField(max_length=services.NAME_LENGTH, label="Name")
    play = forms.ChoiceField(label="Game and mode")
    text = forms.CharField(
        required=False,
        strip=False,
        label="Cards",
        widget=forms.Textarea(attrs={"rows": 18, **AS_TYPED}),
    )
    notes = forms.CharField(
        required=False,
        max_length=services.NOTES_LENGTH,
        label="Notes",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    tags = forms.CharField(required=False, max_length=500, widget=forms.HiddenInput)

    def __init__(self, *args: Any, decks: list[tuple[Deck, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["into"].choices = [  # type: ignore[attr-defined]
            (NEW, "A new deck"),
            *((deck.slug, f"{deck.name} ({meant})") for deck, meant in decks),
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data.get("into") == NEW:
            data["into"] = ""
        return data
