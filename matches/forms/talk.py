"""Reporting a line of a chat."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.models.talk import MAX_MESSAGE_LENGTH


class ReportForm(forms.Form):
    """What the moderators are to look at, and why."""

    line = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    seat = forms.IntegerField(min_value=0, max_value=63, required=False, widget=forms.HiddenInput)
    why = forms.CharField(
        label="What is wrong?",
        max_length=MAX_MESSAGE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The moderators see this, the lines around it, and who you are.",
    )

    def clean(self) -> dict[str, Any]:
        """A line or a seat."""
        data = super().clean() or {}
        if (data.get("line") is None) == (data.get("seat") is None):
            raise forms.ValidationError(
                "Nothing is named to be reported. Go back to the table and choose a line there."
            )
        return data
