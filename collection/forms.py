"""The gallery's filters as a form: what it shows is what the address bar says."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.http import QueryDict

from collection.filters import OWNERS_SORT_CHOICES, SORT_CHOICES
from collection.models import Visibility
from collection.models.holdings import MOST_COPIES, MOST_NOTES, MOST_TAGS
from collection.queries.catalog import Choices
from collection.queries.holdings import HAVE_CHOICES
from collection.queries.keyset import OWNED_ORDERS

VIEW_CHOICES = (("", "Pictures"), ("table", "Table"))


class GalleryForm(forms.Form):
    """Choices come from the catalog; a value that is none is ignored, not refused.

    ``usual`` is what is shown of somebody's cards where nothing is said ("all", "owned"); without
    it nobody's cards are looked at.
    """

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
    have = forms.ChoiceField(label="What you have", required=False)
    sort = forms.ChoiceField(label="Order", required=False, choices=OWNERS_SORT_CHOICES)
    view = forms.ChoiceField(
        label="Show as", required=False, choices=VIEW_CHOICES, widget=forms.RadioSelect
    )

    def __init__(self, data: QueryDict, *, choices: Choices, usual: str = "") -> None:
        super().__init__(_settled(data, usual))
        for name, found, nothing in (
            ("game", choices.games, "All games"),
            ("set", choices.sets, "All sets"),
            ("kind", choices.kinds, "All kinds"),
            ("colour", choices.colours, "All colours"),
            ("rarity", choices.rarities, "All rarities"),
        ):
            self._choices(name, [("", nothing), *found])
        if usual:
            words = dict(HAVE_CHOICES)
            first = ("", words.pop(usual))
            self._choices("have", [first, *words.items()])
        else:
            del self.fields["have"]
            self._choices("sort", [*SORT_CHOICES])

    def _choices(self, name: str, found: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = found

    def chosen(self) -> dict[str, str]:
        """What is asked for and exists, without empty fields and what is usual."""
        self.is_valid()
        found = {name: value for name, value in self.cleaned_data.items() if value}
        if found.get("sort") == "number":
            del found["sort"]
        return found


def _settled(data: QueryDict, usual: str) -> dict[str, Any]:
    """What was asked for, where one wish makes another: the newest of all cards are owned ones."""
    asked: dict[str, Any] = data.dict()
    asked.setdefault("sort", "number")
    asked.setdefault("view", "")
    if asked.get("have") == usual:
        asked["have"] = ""
    have = asked.get("have") or usual
    if usual and asked["sort"] in OWNED_ORDERS:
        if have == "all":
            asked["have"] = "owned" if usual != "owned" else ""
        elif have == "missing":
            asked["sort"] = "number"
    return asked


class CountForm(forms.Form):
    """How many copies on paper: a difference from a button, or a number that was typed."""

    token = forms.CharField(max_length=64, widget=forms.HiddenInput)
    change = forms.IntegerField(required=False, min_value=-1, max_value=1, widget=forms.HiddenInput)
    to = forms.IntegerField(
        label="Copies on paper",
        required=False,
        min_value=0,
        max_value=MOST_COPIES,
        error_messages={"max_value": f"Nobody keeps more than {MOST_COPIES:,} copies of one card."},
    )


class MarkForm(forms.Form):
    """What an owner says about a card."""

    wanted = forms.IntegerField(
        label="Wanted in all",
        min_value=0,
        max_value=MOST_COPIES,
        help_text="How many copies you would like to have.",
    )
    spare = forms.IntegerField(
        label="To spare",
        min_value=0,
        max_value=MOST_COPIES,
        help_text="How many of yours may go.",
    )
    tags = forms.CharField(
        required=False, max_length=MOST_TAGS, help_text="Words with commas between."
    )
    notes = forms.CharField(
        required=False, max_length=MOST_NOTES, widget=forms.Textarea(attrs={"rows": 3})
    )


class SettingsForm(forms.Form):
    """Who may look at a collection."""

    visibility = forms.ChoiceField(
        label="Who may see your cards", choices=Visibility.choices, widget=forms.RadioSelect
    )
