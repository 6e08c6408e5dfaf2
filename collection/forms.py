"""The gallery's filters as a form: what it shows is what the address bar says."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from collection.filters import SORT_CHOICES
from collection.queries.catalog import Choices


class GalleryForm(forms.Form):
    """Choices come from the catalog; a value that is none is ignored, not refused."""

    q = forms.CharField(
        label="Search",
        required=False,
        max_length=100,
        widget=forms.TextInput(
            attrs={"type": "search", "placeholder": "Name or text", "autocomplete": "off"}
        ),
    )
    game = forms.ChoiceField(label="Game", required=False)
    set = forms.ChoiceField(label="Set", required=False)
    kind = forms.ChoiceField(label="Kind", required=False)
    colour = forms.ChoiceField(label="Colour", required=False)
    rarity = forms.ChoiceField(label="Rarity", required=False)
    sort = forms.ChoiceField(label="Order", required=False, choices=SORT_CHOICES)

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, found, nothing in (
            ("game", choices.games, "All games"),
            ("set", choices.sets, "All sets"),
            ("kind", choices.kinds, "All kinds"),
            ("colour", choices.colours, "All colours"),
            ("rarity", choices.rarities, "All rarities"),
        ):
            field = cast(forms.ChoiceField, self.fields[name])
            field.choices = [("", nothing), *found]

    def chosen(self) -> dict[str, str]:
        """What is asked for and exists, without empty fields."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}
