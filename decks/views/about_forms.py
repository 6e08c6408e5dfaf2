"""The form for what an owner says about a deck."""

from __future__ import annotations

from typing import Any

from django import forms

from decks.forms import Stamped
from decks.models import Visibility, tags
from decks.services import decks as services


class AboutForm(Stamped):
    """Who may see a deck, its tags and its notes. The service says what of it will not do."""

    visibility = forms.ChoiceField(
        choices=[("private", "Private"), ("unlisted", "Unlisted"), ("public", "Public")],
        label="Who may see it",
        help_text="Unlisted: everybody with the link. Public: it is listed as well.",
        widget=forms.RadioSelect,
        initial=Visibility.PRIVATE,
    )
    tags = forms.CharField(
        required=False,
        label="Tags",
        help_text=f"Words with commas between, at most {tags.MAX_TAGS}.",
        widget=forms.TextInput(attrs={"autocapitalize": "off", "autocomplete": "off"}),
    )
    notes = forms.CharField(
        required=False,
        strip=False,
        label="Notes",
        help_text=(
            "Whoever sees the deck reads them. Markdown: **bold**, # heading, * list; "
            f"[[Card name]] is a link to that card. At most {services.NOTES_LENGTH:,} letters."
        ),
        widget=forms.Textarea(attrs={"rows": 10}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
