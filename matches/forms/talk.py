"""Reporting a chat message."""

from __future__ import annotations

from typing import Any

from django import forms

from matches.models.talk import MAX_MESSAGE_LENGTH


class ReportForm(forms.Form):
    """The reported message or seat, and why."""

    line = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    seat = forms.IntegerField(min_value=0, max_value=63, required=False, widget=forms.HiddenInput)
    why = forms.CharField(
        label="What is wrong?",
        max_length=MAX_MESSAGE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The moderators see this, the messages around it and your name.",
    )

    def clean(self) -> dict[str, Any]:
        """Require either a message or a seat."""
        data = super().clean() or {}
        if (data.get("line") is None) == (data.get("seat") is None):
            raise forms.ValidationError(
                "Nothing is selected. Go back to the table and choose a message to report."
            )
        return data
