"""The gallery's filters as a form: what it shows is what the address bar says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, cast

from django import forms
from django.http import QueryDict

from collection.copies import CONDITIONS, FINISHES, LANGUAGES, MAX_LENGTHS, Described
from collection.models import Visibility
from collection.models.holdings import MAX_COPIES, MAX_NOTES, MAX_TAGS
from collection.queries.catalog import Choices
from collection.queries.filters import OWNERS_SORT_CHOICES, SORT_CHOICES
from collection.queries.holdings import HAVE_CHOICES, owns_in_order
from collection.queries.keyset import OWNED_ORDERS

MAX_AT_ONCE = 999
"""So many presses on a button are one change at most."""
SEVERAL = ("kind", "colour", "rarity", "have")
"""Of these a form may let people choose several."""
COPIES = ("condition", "language", "finish", "binder")
"""Details of copies by which a person's cards can be filtered."""
VIEW_CHOICES = (("", "Pictures"), ("table", "Table"))


class Box(NamedTuple):
    """One box to tick, as a page draws it."""

    id: str
    value: str
    words: str
    ticked: bool


class SeveralField(forms.MultipleChoiceField):
    """Boxes to tick; ``nothing`` says what it means that none is.

    ``between`` joins the words of those that are.
    """

    widget = forms.CheckboxSelectMultiple
    nothing = ""
    between = " or "

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> SeveralBoxes:
        """The field in a form, which can tell what is ticked."""
        return SeveralBoxes(form, self, field_name)


class SeveralBoxes(forms.BoundField):
    """Such boxes in a form."""

    field: SeveralField

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All of them; the widget makes far more of each, and a page has dozens."""
        ticked = self.value() or ()
        choices = cast(Iterable[tuple[str, str]], self.field.choices)
        return tuple(
            Box(f"{self.auto_id}_{number}", value, words, value in ticked)
            for number, (value, words) in enumerate(choices)
        )

    @property
    def said(self) -> str:
        """The ticked choices, in words."""
        ticked = self.value() or ()
        choices = cast(Iterable[tuple[str, str]], self.field.choices)
        words = [word for value, word in choices if value in ticked]
        return self.field.between.join(words) or self.field.nothing


class GalleryForm(forms.Form):
    """Choices come from the catalog; a value that is none is ignored, not refused.

    ``usual`` is what is shown of somebody's cards where nothing is said ("all", "owned"); without
    it nobody's cards are looked at; ``copies`` names what of their copies can be asked for, with
    the ``binders`` and ``languages`` (codes) that there are. With ``several``, more than one kind,
    colour, rarity and thing that somebody has can be chosen.
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
    have = forms.ChoiceField(label="Your copies", required=False)
    condition = forms.ChoiceField(
        label="Condition", required=False, choices=[("", "Any condition"), *CONDITIONS.items()]
    )
    language = forms.ChoiceField(
        label="Language", required=False, choices=[("", "Any language"), *LANGUAGES.items()]
    )
    finish = forms.ChoiceField(
        label="Finish", required=False, choices=[("", "Any finish"), *FINISHES.items()]
    )
    binder = forms.ChoiceField(label="Binder", required=False)
    sort = forms.ChoiceField(label="Sort", required=False, choices=OWNERS_SORT_CHOICES)
    view = forms.ChoiceField(
        label="Show as", required=False, choices=VIEW_CHOICES, widget=forms.RadioSelect
    )

    def __init__(
        self,
        data: QueryDict,
        *,
        choices: Choices,
        usual: str = "",
        several: bool = False,
        copies: Collection[str] = (),
        binders: Sequence[str] = (),
        languages: Sequence[str] = (),
    ) -> None:
        super().__init__(data)
        for name in set(COPIES) - set(copies):
            del self.fields[name]
        if "binder" in copies:
            named = [(binder, binder) for binder in binders]
            self._choices("binder", named, "All binders")
        if "language" in copies:
            known = {*languages, data.get("language")}
            spoken = [(code, name) for code, name in LANGUAGES.items() if code in known]
            self._choices("language", spoken, "Any language")
        self.usual = usual
        if several:
            for name in SEVERAL:
                self.fields[name] = SeveralField(label=self.fields[name].label, required=False)
            cast(SeveralField, self.fields["have"]).between = " and "
        for name, options, nothing in (
            ("game", choices.games, "All games"),
            ("set", choices.sets, "All sets"),
            ("kind", choices.kinds, "All kinds"),
            ("colour", choices.colours, "All colours"),
            ("rarity", choices.rarities, "All rarities"),
        ):
            self._choices(name, options, nothing)
        if usual:
            words = dict(HAVE_CHOICES)
            nothing = words[usual]
            if (
                usual == "all" or not several
            ):  # “owned” and “wishlist” together are not the wishlist alone
                del words[usual]
            self._choices("have", list(words.items()), nothing)
        else:
            del self.fields["have"]
            cast(forms.ChoiceField, self.fields["sort"]).choices = [*SORT_CHOICES]
        self.data = self._settled(data)

    def _choices(self, name: str, options: list[tuple[str, str]], nothing: str) -> None:
        """Set a field's choices; ``nothing`` is the label for no choice in a select."""
        field = self.fields[name]
        if isinstance(field, SeveralField):
            field.choices, field.nothing = options, nothing
        else:
            cast(forms.ChoiceField, field).choices = [("", nothing), *options]

    def chosen(self) -> dict[str, Any]:
        """The chosen filters, without empty fields and defaults."""
        self.is_valid()
        filters = {name: value for name, value in self.cleaned_data.items() if value}
        if filters.get("sort") == "number":
            del filters["sort"]
        return filters

    def _settled(self, data: QueryDict) -> dict[str, Any]:
        """The query, completed where a filter implies another: “newest” is about owned cards."""
        query: dict[str, Any] = data.dict()
        query.setdefault("sort", "number")
        query.setdefault("view", "")
        several = [name for name in SEVERAL if isinstance(self.fields.get(name), SeveralField)]
        for name in several:
            field = cast(SeveralField, self.fields[name])
            query[name] = [value for value in data.getlist(name) if field.valid_value(value)]
        if self.usual:
            haves = query["have"] if "have" in several else [data.get("have", "")]
            haves = [have for have in haves if have]
            if query["sort"] in OWNED_ORDERS:
                if set(haves or [self.usual]) == {"all"}:
                    haves = ["owned"]
                elif not owns_in_order(haves or [self.usual]):
                    query["sort"] = "number"
            if "have" in several:
                query["have"] = haves
            else:
                query["have"] = "" if haves == [self.usual] else "".join(haves)
        return query


class BulkForm(forms.Form):
    """One change to the cards that are ticked, or to all of a page."""

    change = forms.ChoiceField(
        choices=[
            ("wishlist", "Wishlist quantity"),
            ("for_trade", "For trade"),
            ("binder", "Binder"),
            ("condition", "Condition"),
        ],
        label="Change",
    )
    value = forms.CharField(
        required=False, max_length=MAX_LENGTHS["binder"], strip=True, label="Number or binder"
    )
    condition = forms.ChoiceField(
        required=False, choices=[("", "Not specified"), *CONDITIONS.items()], label="Condition"
    )

    def new_value(self) -> str:
        """The value that goes with the chosen change."""
        values = self.cleaned_data
        name = "condition" if values["change"] == "condition" else "value"
        return str(values[name])


class CountForm(forms.Form):
    """How many copies on paper: a difference from a button, or a number that was typed."""

    token = forms.CharField(max_length=64, widget=forms.HiddenInput)
    change = forms.IntegerField(
        required=False, min_value=-MAX_AT_ONCE, max_value=MAX_AT_ONCE, widget=forms.HiddenInput
    )
    total = forms.IntegerField(required=False, min_value=0, max_value=MAX_COPIES)
    to = forms.IntegerField(
        label="Physical copies",
        required=False,
        min_value=0,
        max_value=MAX_COPIES,
        error_messages={"max_value": f"Limit: {MAX_COPIES:,} copies of one card."},
    )


class MarkForm(forms.Form):
    """An owner's marks on a card."""

    wishlist = forms.IntegerField(
        label="Wishlist quantity",
        min_value=0,
        max_value=MAX_COPIES,
        help_text="How many copies you want in total.",
    )
    for_trade = forms.IntegerField(
        label="For trade",
        min_value=0,
        max_value=MAX_COPIES,
        help_text="Copies you would trade away.",
    )
    tags = forms.CharField(required=False, max_length=MAX_TAGS, help_text="Comma-separated.")
    notes = forms.CharField(
        required=False, max_length=MAX_NOTES, widget=forms.Textarea(attrs={"rows": 3})
    )


class CopiesForm(forms.Form):
    """Details of some copies of a card; ``key`` says which of them are meant."""

    token = forms.CharField(max_length=64, widget=forms.HiddenInput)
    key = forms.CharField(required=False, max_length=32, widget=forms.HiddenInput)
    count = forms.IntegerField(label="Copies", min_value=1, max_value=MAX_COPIES)
    condition = forms.ChoiceField(
        required=False, choices=[("", "Not specified"), *CONDITIONS.items()], label="Condition"
    )
    language = forms.ChoiceField(
        required=False, choices=[("", "Not specified"), *LANGUAGES.items()], label="Language"
    )
    finish = forms.ChoiceField(
        required=False, choices=[("", "Plain"), *FINISHES.items()], label="Finish"
    )
    binder = forms.CharField(required=False, max_length=MAX_LENGTHS["binder"], label="Binder")
    note = forms.CharField(
        required=False,
        max_length=MAX_LENGTHS["note"],
        label="Note",
        help_text="Binders and notes are only visible to you.",
    )

    def __init__(self, *args: Any, finish: str = "", binders: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        field = cast(forms.ChoiceField, self.fields["finish"])
        if finish and finish not in FINISHES:
            field.choices = [("", "Plain"), *FINISHES.items(), (finish, finish)]
        if binders:
            self.fields["binder"].widget.attrs["list"] = "own-binders"
        self.fields["binder"].widget.attrs["autocomplete"] = "off"

    def described(self) -> Described:
        """Return the described copies."""
        values = self.cleaned_data
        names = ("condition", "language", "finish", "binder", "note")
        return Described(values["count"], **{name: values[name] for name in names})


class SettingsForm(forms.Form):
    """Who may look at a collection."""

    visibility = forms.ChoiceField(
        label="Who can see your collection", choices=Visibility.choices, widget=forms.RadioSelect
    )
