"""Forms for a person's hours and vacation."""

from __future__ import annotations

from typing import Any

from django import forms

from core.zones import choices


class TimeBox(forms.TimeInput):
    """The browser's native input for a time of day."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


class DayBox(forms.DateInput):
    """The browser's native input for a date."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class HoursForm(forms.Form):
    """The hours in which a person's clocks run."""

    zone = forms.ChoiceField(label="Time zone")
    opens = forms.TimeField(required=False, label="Runs from", widget=TimeBox())
    closes = forms.TimeField(
        required=False,
        label="Runs until",
        widget=TimeBox(),
        help_text="At least 8 hours; may span midnight. Leave empty for day and night.",
    )
    weekend = forms.BooleanField(
        required=False, label="Pause on weekends", help_text="Saturday and Sunday."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = choices(self.initial.get("zone", ""))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if (data.get("opens") is None) != (data.get("closes") is None) and not self.errors:
            missing = "closes" if data.get("closes") is None else "opens"
            self.add_error(missing, "Enter both times, or neither.")
        return data


class AwayForm(forms.Form):
    """A period of vacation."""

    first = forms.DateField(label="First day", widget=DayBox())
    last = forms.DateField(label="Last day", widget=DayBox())
