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
        label="Visibility",
        help_text="Unlisted: anyone with the link. Public: listed for everyone.",
        widget=forms.RadioSelect,
        initial=Visibility.PRIVATE,
    )
    tags = forms.CharField(
        required=False,
        label="Tags",
        help_text=f"Comma-separated, up to {tags.MAX_TAGS}.",
        widget=forms.TextInput(attrs={"autocapitalize": "off", "autocomplete": "off"}),
    )
    notes = forms.CharField(
        required=False,
        strip=False,
        label="Notes",
        help_text=(
            "Shown to everyone who can see the deck. Markdown: **bold**, # heading, * list. [[Card "
            f"name]] links to a card. Up to {services.NOTES_LENGTH:,} characters."
        ),
        widget=forms.Textarea(attrs={"rows": 10}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
