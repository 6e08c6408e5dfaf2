"""The search on the page My tables."""

from __future__ import annotations

from typing import Any

from django import forms

import rules
from matches.models import Result


def _played() -> list[tuple[str, Any]]:
    """Games, each with its modes: a game alone stands for all of them."""
    groups: list[tuple[str, Any]] = [("", "All games")]
    for game in rules.games().values():
        modes = [mode for mode in game.modes.values() if mode.playable]
        whole = [(game.slug, game.name)]
        if len(modes) > 1:
            groups.append(
                (
                    game.name,
                    [(game.slug, f"{game.name}: all modes")]
                    + [(f"{game.slug}/{mode.slug}", f"{game.name}: {mode.name}") for mode in modes],
                )
            )
        elif modes:
            groups.extend(whole)
    return groups


STATES = (
    ("", "All"),
    ("turn", "Your turn"),
    ("running", "Waiting for opponents"),
    ("open", "Not started"),
    ("finished", "Finished"),
)
FIRST_YEAR, LAST_YEAR = 2000, 2100


class TablesFilter(forms.Form):
    """Which tables to list; every field may be left empty."""

    q = forms.CharField(
        label="Opponent",
        max_length=60,
        required=False,
        widget=forms.TextInput(
            attrs={"type": "search", "autocomplete": "off", "placeholder": "Name or username"}
        ),
    )
    play = forms.ChoiceField(label="Game and mode", required=False, choices=_played)
    state = forms.ChoiceField(label="State", required=False, choices=STATES)
    result = forms.ChoiceField(
        label="Result", required=False, choices=[("", "All"), *Result.choices]
    )
    since = forms.DateField(
        label="Played from", required=False, widget=forms.DateInput({"type": "date"})
    )
    until = forms.DateField(
        label="Played to", required=False, widget=forms.DateInput({"type": "date"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def clean(self) -> dict[str, Any]:
        """Refuse dates in the wrong order."""
        data = super().clean() or {}
        since, until = data.get("since"), data.get("until")
        for name, day in (("since", since), ("until", until)):
            if day and not FIRST_YEAR <= day.year <= LAST_YEAR:
                self.add_error(name, f"Choose a year from {FIRST_YEAR} to {LAST_YEAR}.")
        if since and until and until < since:
            self.add_error("until", "This day is before the first one.")
        return data
