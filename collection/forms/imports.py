"""The forms with which lists are brought and taken away."""

from __future__ import annotations

from typing import Any

from django import forms

from collection import examples
from collection.forms.uploads import AS_TYPED, UploadForm
from collection.lists.dialects import SITES
from collection.lists.writing import FORMATS
from collection.queries import catalog
from collection.queries.exports import WHICH
from collection.services.imports import MAX_BYTES

MAX_PASTED = 300_000
"""Letters; a longer list comes as a file."""
_PLACEHOLDER = examples.LIST.strip()


def _games() -> list[tuple[str, str]]:
    return [(game.slug, game.name) for game in catalog.games()]


class ImportForm(UploadForm):
    """A list, as a file or as text, and what is to be done with it."""

    accept = ".csv,.tsv,.txt,.json,text/csv,text/plain,application/json"
    most = MAX_BYTES
    file_help = (
        f"CSV, text or JSON, up to {MAX_BYTES // 1024 // 1024} MB: your own table, or an export of "
        f"{', '.join(dialect.name for dialect in SITES)} or Riffle."
    )
    nothing = "Choose a file or paste a list."

    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_PASTED,
        label="Or paste a list",
        help_text="One card per line with its count; or a table with headings; or JSON.",
        widget=forms.Textarea(attrs={"rows": 8, "placeholder": _PLACEHOLDER, **AS_TYPED}),
    )
    game = forms.ChoiceField(
        required=False,
        label="Default game",
        help_text="For lines that don’t name one.",
    )
    replaces = forms.ChoiceField(
        choices=[("add", "Add to my cards"), ("replace", "Replace my counts of these cards")],
        initial="add",
        label="Import mode",
        help_text="“Replace” sets the counts of the listed cards; other cards stay unchanged.",
        widget=forms.RadioSelect,
    )
    skips_bad = forms.BooleanField(
        required=False,
        label="Skip unrecognised lines",
        help_text="Otherwise you choose a card for each of them before importing.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [("", "Any game"), *_games()]  # type: ignore[attr-defined]


class ExportForm(forms.Form):
    """The cards to export, and their format."""

    format = forms.ChoiceField(
        choices=list(FORMATS.items()), initial="riffle", widget=forms.RadioSelect
    )
    which = forms.ChoiceField(choices=WHICH, initial="all", label="Cards", widget=forms.RadioSelect)
    game = forms.ChoiceField(required=False, label="Game")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["game"].choices = [("", "All games"), *_games()]  # type: ignore[attr-defined]
