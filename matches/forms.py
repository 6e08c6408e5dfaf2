"""Forms of the table's pages. What a mode lets people choose becomes fields of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms

from accounts.models import User
from matches import brought
from matches.errors import IllegalDeck, NotPossible
from matches.models import Pace
from matches.services import SeatPlan, checked_share
from rules.engine.game import Game, Mode, Option

NOBODY = ""
OPEN = "open"
PERSON = "person"
BOT = "bot:"


class DeckField(forms.ChoiceField):
    """Which deck to play with; whether it may be played is for the service to say.

    A deck that was legal when the page was made may not be so any more, and then its owner wants
    to read what is wrong with it.
    """

    def __init__(self, *, user: Any, game: Game, mode: Mode) -> None:
        super().__init__(
            choices=brought.choices(user, game, mode),
            label="Your deck",
            help_text="The others see it when the match is over.",
            initial=next(iter(brought.ready_made(game, mode))).slug,
        )

    def valid_value(self, value: object) -> bool:
        return True


class NewMatchForm(forms.Form):
    """A new table: who sits at it, the options of the mode, the pace."""

    pace = forms.ChoiceField(choices=Pace.choices, initial=Pace.THREE_DAYS, label="Pace")
    private = forms.BooleanField(
        required=False,
        label="Private",
        help_text="Only the people at the table may watch.",
    )
    share = forms.CharField(
        required=False,
        max_length=64,
        label="A word of your own for the shuffle",
        help_text="It is mixed into the seed, so that nobody else alone decides the cards.",
    )

    def __init__(self, *args: Any, game: Game, mode: Mode, host: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game, self.mode, self.host = game, mode, host
        self.opponents = range(1, mode.seats[-1])
        self.alone = not self.opponents
        if self.alone:
            del self.fields["pace"]
        if mode.own_decks:
            self.fields["deck"] = DeckField(user=host, game=game, mode=mode)
        for number in self.opponents:
            self._add_seat(number, needed=number < mode.seats[0])
        for option in mode.options:
            self.fields[f"option_{option.slug}"] = _option_field(option)

    def _add_seat(self, number: int, *, needed: bool) -> None:
        choices = [(f"{BOT}{bot.slug}", f"Bot: {bot.name}") for bot in self.game.bots.values()]
        choices.reverse()  # the strongest first
        choices += [(OPEN, "Open: whoever has the link"), (PERSON, "A person by name")]
        if not needed:
            choices.insert(0, (NOBODY, "Nobody"))
        self.fields[f"seat_{number}"] = forms.ChoiceField(
            choices=choices, required=needed, label=f"Opponent {number}", initial=choices[0][0]
        )
        self.fields[f"name_{number}"] = forms.CharField(
            required=False, max_length=150, label="Their user name"
        )

    def seat_fields(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """For each opponent the kind of seat and the person's name, for the template."""
        for number in self.opponents:
            yield self[f"seat_{number}"], self[f"name_{number}"]

    def option_fields(self) -> Iterator[forms.BoundField]:
        """The fields that come from the mode."""
        for option in self.mode.options:
            yield self[f"option_{option.slug}"]

    def clean_share(self) -> str:
        try:
            return checked_share(self.cleaned_data["share"])
        except NotPossible as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for number in self.opponents:
            if data.get(f"seat_{number}") == PERSON:
                data[f"user_{number}"] = self._person(number, data.get(f"name_{number}", ""))
        return data

    def _person(self, number: int, name: str) -> User | None:
        name = name.strip()
        user = User.objects.filter(username__iexact=name, is_active=True).first() if name else None
        if not name:
            self.add_error(f"name_{number}", "Who is it? Type a user name, or leave the seat open.")
        elif user is None:
            self.add_error(f"name_{number}", f"Nobody here is called “{name}”.")
        elif user == self.host:
            self.add_error(f"name_{number}", "That is you. You have a seat already.")
        return user

    def add_refusal(self, error: NotPossible) -> None:
        """Show why the table could not be set up; a deck with all that has to be mended."""
        _add_refusal(self, error)

    def seats(self) -> list[SeatPlan]:
        """The seats of the valid form, the host's first."""
        plans = [SeatPlan("person")]
        for number in self.opponents:
            kind = self.cleaned_data.get(f"seat_{number}", NOBODY)
            if kind.startswith(BOT):
                plans.append(SeatPlan("bot", bot=kind.removeprefix(BOT)))
            elif kind == PERSON:
                plans.append(SeatPlan("open", user=self.cleaned_data[f"user_{number}"]))
            elif kind == OPEN:
                plans.append(SeatPlan("open"))
        return plans

    def options(self) -> dict[str, Any]:
        """The mode's options of the valid form, in the rules' own types."""
        given: dict[str, Any] = {}
        for option in self.mode.options:
            value = self.cleaned_data[f"option_{option.slug}"]
            if option.kind == "choice":
                value = next(one for one in option.values if str(one) == value)
            given[option.slug] = value
        return given


def _add_refusal(form: forms.Form, error: NotPossible) -> None:
    if not isinstance(error, IllegalDeck):
        form.add_error(None, str(error))
        return
    for problem in error.extra["problems"]:
        if problem["severity"] == "error":
            form.add_error("deck", problem["message"])


class JoinForm(forms.Form):
    """Sitting down at an open table."""

    share = forms.CharField(
        required=False,
        max_length=64,
        label="A word of your own for the shuffle",
        help_text="It is mixed into the seed, so that nobody else alone decides the cards.",
    )

    def __init__(self, *args: Any, game: Game, mode: Mode, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if mode.own_decks:
            self.fields["deck"] = DeckField(user=user, game=game, mode=mode)

    def add_refusal(self, error: NotPossible) -> None:
        """Show why nobody could sit down like this."""
        _add_refusal(self, error)


def _option_field(option: Option) -> forms.Field:
    about: dict[str, Any] = {"label": option.name, "help_text": option.help}
    if option.kind == "integer":
        low, high = option.values
        return forms.IntegerField(min_value=low, max_value=high, initial=option.default, **about)
    choices = [(str(one), option.names.get(one, str(one))) for one in option.values]
    if option.kind == "subset":
        return forms.MultipleChoiceField(
            choices=choices,
            required=False,
            widget=forms.CheckboxSelectMultiple,
            initial=list(option.default),
            **about,
        )
    return forms.ChoiceField(
        choices=choices, widget=forms.RadioSelect, initial=str(option.default), **about
    )
