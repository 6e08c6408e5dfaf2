"""The form with which binders are shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from collection.models import BinderCards


class ShareForm(forms.Form):
    """Which binder everyone with its link sees, and how much of it."""

    binder = forms.ChoiceField(label="Binder", required=False)
    cards = forms.ChoiceField(
        label="Show", choices=BinderCards.choices, initial=BinderCards.FOR_TRADE
    )
    on_profile = forms.BooleanField(label="Link it from my profile", required=False)

    def __init__(self, *args: Any, binders: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(name, name) for name in binders]
        self.fields["binder"].choices = [*named, ("", "Whole collection")]  # type: ignore[attr-defined]
