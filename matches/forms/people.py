"""The search on the pages of players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from matches.models import Speed
from rules.engine.game import Game, Mode


class PlayersFilter(forms.Form):
    """Whom to list; without a game, everybody by name."""

    q = forms.CharField(
        label="Name",
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    play = forms.ChoiceField(label="Rated in", required=False)
    speed = forms.ChoiceField(label="Speed", required=False, choices=Speed.choices)

    def __init__(self, *args: Any, modes: Iterable[tuple[Game, Mode]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        modes = list(modes)
        self.fields["play"].choices = [  # type: ignore[attr-defined]
            ("", "All games"),
            *((f"{game.slug}/{mode.slug}", f"{game.name}: {mode.name}") for game, mode in modes),
        ]
        if not modes:
            del self.fields["play"], self.fields["speed"]
