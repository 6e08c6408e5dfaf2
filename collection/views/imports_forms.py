"""The forms with which lists are brought and taken away."""

from __future__ import annotations

from typing import Any

from django import forms

from collection.lists.writing import FORMATS
from collection.queries import catalog
from collection.queries.exports import WHICH
from collection.services.imports import MOST_BYTES

MOST_PASTED = 300_000
"""Letters; a longer list comes as a file."""
_PLACEHOLDER = "2 Red Claw\nGold 2/7\n1 Krabbi Long Legs (Silver)"


def _games() -> list[tuple[str, str]]:
    return [(game.slug, game.name) for game in catalog.games()]


class ImportForm(forms.Form):
    """A list, as a file or as text, and what is to be done with it."""

    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label="A file",
        widget=forms.FileInput(
            attrs={
                "accept": ".csv,.tsv,.txt,.json,text/csv,text/plain,application/json",
                "data-most": str(MOST_BYTES),
            }
        ),
    )
    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MOST_PASTED,
        label="Or paste a list",
        help_text="One card a line, with its count; or a table with its headings, or JSON.",
        widget=forms.Textarea(
            attrs={
                "rows": 8,
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
                "placeholder": _PLACEHOLDER,
            }
        ),
    )
    game = forms.ChoiceField(
        required=False,
        label="Names are cards of",
        help_text="Where a line does not say it itself.",
    )
    replaces = forms.ChoiceField(
        choices=[("add", "Add to my cards"), ("replace", "This is all I have of them")],
        initial="add",
        label="The list is",
        help_text="“This is all” sets the counts of the listed cards, and leaves all others alone.",
        widget=forms.RadioSelect,
    )
    skips_bad = forms.BooleanField(
        required=False,
        label="Leave out lines that are not understood",
        help_text="Otherwise nothing is imported until each of them is answered.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["game"].choices = [("", "Any game"), *_games()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not data.get("file") and not (data.get("text") or "").strip() and not self.errors:
            self.add_error("file", "Choose a file or paste a list.")
        return data

    def brought(self) -> tuple[bytes, str]:
        """The list's bytes and its file's name; a file goes before what is pasted."""
        if file := self.cleaned_data["file"]:
            # One byte more than is taken, so that the service can say that it is too much.
            return file.read(MOST_BYTES + 1), str(file.name)
        return self.cleaned_data["text"].encode(), ""


class ExportForm(forms.Form):
    """What to take away, and how it is written."""

    format = forms.ChoiceField(
        choices=list(FORMATS.items()), initial="riffle", widget=forms.RadioSelect
    )
    which = forms.ChoiceField(choices=WHICH, initial="all", label="Which", widget=forms.RadioSelect)
    game = forms.ChoiceField(required=False, label="Of")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["game"].choices = [("", "All games"), *_games()]  # type: ignore[attr-defined]
