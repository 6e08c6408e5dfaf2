"""The form with which the staff gives packs."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.models import User
from collection.queries.packs import shelf


def _products() -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (game.name, [(f"{game.slug}/{product.slug}", product.name) for product in products])
        for game, products in shelf()
    ]


class GrantForm(forms.Form):
    """Which packs, for whom, and what for."""

    product = forms.ChoiceField(choices=_products)
    people = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 6}), help_text="Usernames, one per line."
    )
    key = forms.CharField(
        max_length=80,
        help_text="Idempotency key, such as spring-2027: each person gets the packs of a key once.",
    )
    count = forms.IntegerField(min_value=1, max_value=100, initial=1, help_text="Packs per person.")
    note = forms.CharField(
        max_length=200, required=False, help_text="A note that the recipients see."
    )

    def clean_people(self) -> list[User]:
        """Everybody who is named; a name that is unknown is said."""
        names = set(self.cleaned_data["people"].split())
        people = list(User.objects.filter(username__in=names, is_active=True))
        if missing := sorted(names - {person.username for person in people}):
            raise forms.ValidationError(f"No users named {', '.join(missing)[:200]}.")
        return people

    def asked(self) -> dict[str, Any]:
        """The arguments of ``services.packs.grant``."""
        game, _, product = self.cleaned_data["product"].partition("/")
        rest = {key: self.cleaned_data[key] for key in ("people", "key", "count", "note")}
        return {"game": game, "product": product, **rest}
