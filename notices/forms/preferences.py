"""The form on the page of notices: a pause, a time zone, and each channel with what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from core.zones import choices
from notices.kinds import told_kinds
from notices.models.notices import NoticeSettings, Pace
from notices.queries import Way
from notices.services.preferences import ChannelChange

_PAUSES = {
    0: "at once", 5: "5 minutes", 10: "10 minutes", 30: "30 minutes", 60: "an hour",
    180: "3 hours", 720: "12 hours", 1440: "24 hours",
}  # fmt: skip


class NoticeSettingsForm(forms.Form):
    """How somebody wants to be told. Each channel's fields begin with its slug."""

    pause = forms.TypedChoiceField(
        label="Delay before notifying me",
        coerce=int,
        help_text="If you move within this time, nothing is sent.",
    )
    time_zone = forms.ChoiceField(label="Your time zone", required=False)

    def __init__(
        self, *args: Any, prefs: NoticeSettings, ways: Sequence[Way], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.ways = ways
        self.kinds = told_kinds(staff=prefs.person.is_staff)
        pauses = dict(_PAUSES)
        pauses.setdefault(prefs.pause_minutes, f"{prefs.pause_minutes} minutes")
        self.fields["pause"].choices = sorted(pauses.items())  # type: ignore[attr-defined]
        self.fields["pause"].initial = prefs.pause_minutes
        self.fields["time_zone"].choices = [  # type: ignore[attr-defined]
            ("", "Not set: UTC"),
            *choices(self.initial.get("time_zone", "")),
        ]
        for way in ways:
            self._add(way)

    def _add(self, way: Way) -> None:
        slug, row = way.channel.slug, way.row
        self.fields[f"{slug}-pace"] = forms.ChoiceField(
            label=f"{way.channel.name}: how often",
            choices=[(pace.value, pace.label) for pace in way.channel.paces],
            initial=row.pace,
            widget=forms.RadioSelect,
        )
        if Pace.DAILY in way.channel.paces:
            self.fields[f"{slug}-hour"] = forms.TypedChoiceField(
                label="Once a day at",
                coerce=int,
                choices=[(hour, f"{hour}:00") for hour in range(24)],
                initial=row.hour,
            )
        self.fields[f"{slug}-kinds"] = forms.MultipleChoiceField(
            label=f"{way.channel.name}: which notifications",
            choices=[(kind.value, kind.label) for kind in self.kinds],
            initial=[kind.value for kind in self.kinds if kind not in row.kinds_off],
            widget=forms.CheckboxSelectMultiple,
            required=False,
        )

    def parts(self) -> list[dict[str, Any]]:
        """Each channel with its fields, for the page."""
        parts = []
        for way in self.ways:
            slug = way.channel.slug
            hour = f"{slug}-hour"
            parts.append(
                {
                    "way": way,
                    "pace": self[f"{slug}-pace"],
                    "hour": self[hour] if hour in self.fields else None,
                    "kinds": self[f"{slug}-kinds"],
                }
            )
        return parts

    def channel_changes(self) -> dict[str, ChannelChange]:
        """The changes, for the service. Kinds that are not on the page stay as they are."""
        offered = {kind.value for kind in self.kinds}
        changes = {}
        for way in self.ways:
            slug = way.channel.slug
            wanted = set(self.cleaned_data[f"{slug}-kinds"])
            change = ChannelChange(
                pace=self.cleaned_data[f"{slug}-pace"],
                kinds_off=(set(way.row.kinds_off) - offered) | (offered - wanted),
            )
            if f"{slug}-hour" in self.fields:
                change["hour"] = self.cleaned_data[f"{slug}-hour"]
            changes[slug] = change
        return changes
