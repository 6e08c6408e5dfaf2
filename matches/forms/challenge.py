"""The form of a challenge: one opponent, a mode, a time control and a deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from accounts.models import User
from decks.models import Deck
from matches.errors import NotPossible
from matches.forms.setup import add_refusal
from matches.models import TimeControl
from matches.queries.seat_decks import options_with_deck
from matches.services.setup import MatchSetup, SeatPlan
from rules.engine.game import Game, Mode


class ChallengeForm(forms.Form):
    """A challenge to a match of two. The service checks the deck."""

    play = forms.ChoiceField(label="Game")
    time_control = forms.ChoiceField(
        choices=TimeControl.choices, initial=TimeControl.STEADY, label="Time control"
    )
    deck = forms.ChoiceField(
        required=False,
        label="Your deck",
        help_text="Only for modes with decks. Your opponent chooses one, too.",
    )
    rated = forms.BooleanField(required=False, initial=True, label="Rated")

    def __init__(self, *args: Any, host: User, modes: Iterable[tuple[Game, Mode]], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.modes = {f"{game.slug}/{mode.slug}": (game, mode) for game, mode in modes}
        names = {key: f"{game.name}: {mode.name}" for key, (game, mode) in self.modes.items()}
        self.fields["play"].choices = [*names.items()]  # type: ignore[attr-defined]
        own = (
            Deck.objects.filter(owner=host)
            .order_by("name")
            .values_list("slug", "name", "game", "mode")
        )
        rows = [
            (slug, f"{name} ({names[key]})")
            for slug, name, game, mode in own
            if (key := f"{game}/{mode}") in names
        ]
        ready = [
            (deck.slug, f"{deck.name} ({names[key]})")
            for key, (game, mode) in self.modes.items()
            if mode.own_decks
            for deck in game.ready_made(mode.slug)
        ]
        groups = [("Your decks", rows), ("Preconstructed decks", ready)]
        self.fields["deck"].choices = [  # type: ignore[attr-defined]
            ("", "– a preconstructed deck –"),
            *((title, group) for title, group in groups if group),
        ]

    def match_setup(self, opponent: User) -> MatchSetup[SeatPlan]:
        """The match of the valid form. Raises ``NotPossible`` for a deck in a mode without."""
        data = self.cleaned_data
        game, mode = self.modes[data["play"]]
        deck = data["deck"] or None
        if deck is None and mode.own_decks:
            deck = next((ready.slug for ready in game.ready_made(mode.slug)), None)
        return MatchSetup(
            game=game.slug,
            mode=mode.slug,
            seats=[SeatPlan("person"), SeatPlan("open", user=opponent)],
            options=None if deck is None else options_with_deck(mode),
            time_control=data["time_control"],
            rated=data["rated"],
            deck=deck,
        )

    def add_refusal(self, error: NotPossible) -> None:
        """Show why the table could not be created."""
        add_refusal(self, error)
