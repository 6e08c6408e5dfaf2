"""The forms with which a deck is brought: first what it is, then what becomes of it."""

from __future__ import annotations

from typing import Any

from django import forms

from decks.errors import BadDeck
from decks.forms import plays
from decks.lists import MOST_BYTES
from decks.models import Deck
from decks.services import decks as services
from decks.textlist import Reading

NEW = "new"
_PLACEHOLDER = "2 Red Claw\n1 Gold 2/7 (Emberfall) 12\n\nkaolan1:CnRvdXJuYW1lbnQ…"
_LIST = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class BringForm(forms.Form):
    """A deck from elsewhere, as a file or as text."""

    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label="A file",
        widget=forms.FileInput(
            attrs={
                "accept": ".txt,.dec,.cod,.json,text/plain,application/json,application/xml",
                "data-most": str(MOST_BYTES),
            }
        ),
    )
    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        label="Or paste it",
        help_text="A list with one card a line, a deck code, or what a file would hold.",
        widget=forms.Textarea(attrs={"rows": 10, "placeholder": _PLACEHOLDER, **_LIST}),
    )
    play = forms.ChoiceField(
        required=False,
        label="For",
        help_text="Otherwise what it says itself, or the game whose cards it names.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["play"].choices = [("", "Find out"), *plays()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("file") and not (data.get("text") or "").strip() and not self.errors:
            self.add_error("file", "Choose a file or paste a deck.")
        data["game"], _, data["mode"] = (data.get("play") or "").partition("/")
        return data

    def brought(self) -> bytes | str:
        """What was brought; a file goes before what is pasted."""
        if file := self.cleaned_data["file"]:
            # One byte more than is taken, so that the reader can say that it is too much.
            return bytes(file.read(MOST_BYTES + 1))
        return str(self.cleaned_data["text"])


class KeepForm(forms.Form):
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
        widget=forms.Textarea(attrs={"rows": 18, **_LIST}),
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
        self.label_suffix = ""
        self.reading: Reading | None = None
        self.fields["play"].choices = plays()  # type: ignore[attr-defined]
        self.fields["into"].choices = [  # type: ignore[attr-defined]
            (NEW, "A new deck"),
            *((deck.slug, f"{deck.name} ({meant})") for deck, meant in decks),
        ]

    def clean_text(self) -> str:
        # A browser sends line ends of its own kind.
        return "\n".join(self.cleaned_data["text"].splitlines())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("into") == NEW:
            data["into"] = ""
        if "play" in data:
            data["game"], data["mode"] = data["play"].split("/")
            try:
                self.reading = services.read_typed(data["game"], data["mode"], data.get("text", ""))
            except BadDeck as error:
                self.add_error("text", error.problems)
        return data
