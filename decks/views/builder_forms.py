"""Forms of the builder: what a new deck is for, and what is asked about hands."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.http import QueryDict

import rules
from decks import statistics
from decks.forms import mode_of, plays
from decks.models import Format
from decks.queries.builder import Question
from decks.queries.formats import offered
from decks.services import decks as services
from rules.engine.chance import SEED_BYTES

_SEED = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
MAX_MINIMUM = 60
MAX_TURNS = 60
MAX_DRAWN = 10


class NewDeckForm(forms.Form):
    """A new deck: what it is for, and its name."""

    play = forms.ChoiceField(label="Game and mode")
    house = forms.ChoiceField(
        required=False,
        label="Format",
        help_text="Extra deck rules of an event. You can change this later.",
    )
    name = forms.CharField(
        required=False,
        max_length=services.NAME_LENGTH,
        label="Name",
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.plays = plays()
        self.formats: list[Format] = list(offered(user))
        names = dict(self.plays)
        self.fields["play"].choices = self.plays  # type: ignore[attr-defined]
        self.fields["house"].choices = [  # type: ignore[attr-defined]
            ("", "The game’s own rules"),
            *(
                (format.slug, f"{names[play]}: {format.name}")
                for format in self.formats
                if (play := f"{format.game}/{format.mode}") in names
            ),
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        chosen = next((format for format in self.formats if format.slug == data.get("house")), None)
        if chosen and "play" in data and f"{chosen.game}/{chosen.mode}" != data["play"]:
            self.add_error("house", f"{chosen.name} is a format for another mode.")
        if "play" in data:
            data["game"], data["mode"] = data["play"].split("/")
            named = f"{rules.game(data['game']).name} {mode_of(data['play']).name} deck"
            data["name"] = " ".join(data.get("name", "").split()) or named[: services.NAME_LENGTH]
        return data


def question(query: QueryDict) -> Question:
    """Read the query about a deck's hands; values that cannot be read are left out."""
    seed = query.get("seed", "")
    return Question(
        section=query.get("section", ""),
        cards=tuple(query.getlist("card")[: services.ENTRIES_A_DECK]),
        hand=_number(query.get("hand", ""), 1, statistics.MAX_HAND),
        least=_number(query.get("least", ""), 0, MAX_MINIMUM) or 1,
        seed=bytes.fromhex(seed) if _SEED.fullmatch(seed) and "another" not in query else b"",
        turns=0 if "another" in query else _number(query.get("turns", ""), 0, MAX_TURNS) or 0,
        draw=_number(query.get("draw", ""), 1, MAX_DRAWN) or 1,
    )


def _number(text: str, least: int, most: int) -> int | None:
    if text.isascii() and text.isdigit() and len(text) < 4:
        return max(least, min(most, int(text)))
    return None
