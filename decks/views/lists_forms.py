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
        label="Or paste it",
        help_text="A list with one card a line, a deck code, or what a file would hold.",
        widget=forms.Textarea(attrs={"rows": 10, "placeholder": _PLACEHOLDER, **AS_TYPED}),
    )
    play = forms.ChoiceField(
        required=False,
        label="For",
        help_text="Otherwise what it says itself, or the game whose cards it names.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["play"].choices = [("", "Find out"), *plays()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["game"], _, data["mode"] = (data.get("play") or "").partition("/")
        return data


class KeepForm(TypedList):
    """A list that was read, and where it is to be kept."""

    into = forms.ChoiceField(
        label="Keep it as",
        help_text="Of a deck that you have only the cards change, and you can undo it.",
    )
    name = forms.CharField(max_length=services.NAME_LENGTH, label="Name")
    play = forms.ChoiceField(label="For")
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
