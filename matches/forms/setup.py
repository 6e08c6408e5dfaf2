"""Forms for creating and joining tables, with a field for each option of a mode."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from django import forms
from django.utils.html import format_html

from accounts.models import User
from accounts.names import readable_name
from accounts.queries.friends import friends_of
from accounts.queries.people import find_person
from core.templatetags.look import rule_link
from matches.errors import IllegalDeck, NotPossible
from matches.models import SeriesTerms, TimeControl, Timeout
from matches.models.series import MAX_FIRST_TO, MAX_MATCHES, MIN_FIRST_TO, MIN_MATCHES
from matches.queries import seat_decks
from matches.queries.people import bot_places
from matches.queries.seats import seat_label
from matches.services.setup import MatchSetup, SeatPlan, checked_client_seed
from rules.engine.bots import Bot, Thinker
from rules.engine.cards import StarterDeck
from rules.engine.game import Game, Mode, Option

TIMEOUTS = [(rule.value, rule.label) for rule in Timeout]


NO_DECK = "Choose the deck to play with."


BOTS_AFTER = [
    ("", "Keep waiting"),
    ("5", "Add a bot after 5 minutes"),
    ("60", "Add a bot after an hour"),
    ("1440", "Add a bot after a day"),
]


SHOWN_OPTIONS = 2
"""Options shown without unfolding “More”, besides those about decks."""


NOBODY = ""


OPEN = "open"


PERSON = "person"


BOT = "bot:"


class Unhurried(forms.Field):
    """A field that may be required by the form, depending on its other fields."""

    def validate(self, value: Any) -> None:
        if value not in self.empty_values:
            super().validate(value)


class NumberOrWord(Unhurried, forms.IntegerField):
    """A number that may be left empty if the option's word is chosen instead."""

    class Box(forms.NumberInput):
        """An input that browsers don't treat as required."""

        def use_required_attribute(self, initial: Any) -> bool:
            return False

    widget = Box


class DeckField(Unhurried, forms.ChoiceField):
    """The deck to play with. Its legality is checked by the service.

    A deck may have become illegal since the page was rendered; the service then says why.
    """

    def __init__(self, *, user: Any, game: Game, mode: Mode, whose: str) -> None:
        shared = whose == "shared"
        super().__init__(
            choices=seat_decks.deck_choices(user, game, mode),
            label="Shared deck" if shared else "Your deck",
            help_text="All players use it." if shared else "Other players see it after the match.",
            initial=next((deck.slug for deck in game.ready_made(mode.slug)), None),
        )

    def valid_value(self, value: object) -> bool:
        return True


@dataclasses.dataclass(frozen=True, slots=True)
class OptionFields:
    """The fields of one option: its value, and the word that may replace it.

    ``asks``: a choice may require a deck. ``for_decks``: only about decks, in a mode where decks
    are optional.
    """

    value: forms.BoundField
    word: forms.BoundField | None
    asks: bool
    for_decks: bool

    @property
    def errors(self) -> bool:
        """True if a field has errors."""
        return bool(self.value.errors or (self.word and self.word.errors))


RATING_WITHIN = [
    ("", "Any"),
    *((within, f"Within {within} points of mine") for within in (100, 200, 400)),
]


REPLACEMENT_FIELDS = ("rating_within", "allows_replacements")
"""Fields about players who may join later."""


FIRST_TO, MATCHES = "first-to-", "matches-"

SERIES_LENGTHS: list[Any] = [
    ("", "One match"),
    (
        "First to … wins",
        [
            (f"{FIRST_TO}{wins}", f"First to {wins} wins")
            for wins in range(MIN_FIRST_TO, MAX_FIRST_TO + 1)
        ],
    ),
    (
        "Number of matches",
        [
            (f"{MATCHES}{count}", f"{count} matches")
            for count in range(MIN_MATCHES, MAX_MATCHES + 1)
        ],
    ),
]


def length_of(terms: SeriesTerms | None) -> str:
    """The choice of the form that stands for these terms."""
    if terms is None:
        return ""
    return f"{MATCHES}{terms.matches}" if terms.first_to is None else f"{FIRST_TO}{terms.first_to}"


def _terms(length: str) -> SeriesTerms:
    if length.startswith(FIRST_TO):
        return SeriesTerms(first_to=int(length.removeprefix(FIRST_TO)))
    return SeriesTerms(matches=int(length.removeprefix(MATCHES)))


def series_field(game: Game) -> forms.TypedChoiceField:
    """The length of a series of this game, with what the game changes from match to match."""
    rule = game.rulebook.series_rule
    says = "The next match starts automatically; the series ends once its result is certain."
    return forms.TypedChoiceField(
        choices=SERIES_LENGTHS,
        coerce=_terms,
        empty_value=None,
        required=False,
        label="Series",
        help_text=f"{says} {rule.says}" if rule else says,
    )


class OptionsForm(forms.Form):
    """The options of a mode as fields, which :meth:`options` reads back."""

    def add_options(self, mode: Mode) -> None:
        """Add a field for each option; to be called once."""
        self.mode = mode
        for option in mode.options:
            self.fields[f"option_{option.slug}"] = _option_field(option)
            if option.word:
                self.fields[f"word_{option.slug}"] = _word_field(option)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for option in self.mode.options:
            name, word = f"option_{option.slug}", data.get(f"word_{option.slug}")
            if option.kind == "integer" and name in data and data[name] is None and not word:
                self.add_error(name, "Enter a number.")
        return data

    def options(self) -> dict[str, Any]:
        """The mode's options of the valid form, in the rules' own types."""
        options: dict[str, Any] = {}
        for option in self.mode.options:
            value = self.cleaned_data[f"option_{option.slug}"]
            if self.cleaned_data.get(f"word_{option.slug}"):
                value = option.word
            elif option.kind == "choice":
                value = next(choice for choice in option.values if str(choice) == value)
            options[option.slug] = value
        return options


class NewMatchForm(OptionsForm):
    """A new table: its seats, the options of the mode, the time control.

    The deck is required if the chosen options require one. In such a mode its field is always
    rendered; the style sheet shows it when a choice marked ``data-asks`` is checked.
    """

    time_control = forms.ChoiceField(
        choices=TimeControl.choices,
        initial=TimeControl.STEADY,
        label="Time control",
        help_text="Time per player. Unused time carries over.",
    )
    rated = forms.BooleanField(
        required=False,
        initial=True,
        label="Rated",
        help_text="Counts for the ratings of the players. Matches with guests or bots, and private "
        "ones, never do.",
    )
    listed = forms.BooleanField(
        required=False,
        initial=True,
        label="List in the lobby",
        help_text="Anyone can join. Otherwise players need your link.",
    )
    timeout = forms.TypedChoiceField(
        choices=[
            ("", "Default: with two players they lose; with more, a bot takes over"),
            *TIMEOUTS,
        ],
        empty_value=None,
        required=False,
        label="When a player runs out of time",
    )
    pauses_when_away = forms.BooleanField(
        required=False,
        initial=True,
        label="Allow vacation",
        help_text="Clocks pause on players’ vacation days. Never in live matches.",
    )
    bots_after_minutes = forms.TypedChoiceField(
        choices=BOTS_AFTER,
        coerce=int,
        empty_value=None,
        required=False,
        label="If a seat isn’t filled",
    )
    rating_within = forms.TypedChoiceField(
        choices=RATING_WITHIN,
        coerce=int,
        empty_value=None,
        required=False,
        label="Rating range",
        help_text="Shown in the lobby. Invited players can always join.",
    )
    allows_replacements = forms.BooleanField(
        required=False,
        label="Allow replacements",
        help_text="A player who leaves loses. A bot plays until someone takes over the seat and "
        "its hand.",
    )
    private = forms.BooleanField(
        required=False,
        label="Private",
        help_text="Only the players and the site’s staff can watch. Not listed in the lobby.",
    )
    client_seed = forms.CharField(
        required=False,
        max_length=64,
        label="Your own seed",
        help_text="Mixed into the random seed, so that no one can fix the outcome.",
    )

    def __init__(self, *args: Any, game: Game, mode: Mode, host: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game, self.mode, self.host = game, mode, host
        self.opponents = range(1, mode.seats[-1])
        self.alone = not self.opponents
        if self.alone:
            for name in (
                "time_control",
                "rated",
                "timeout",
                "pauses_when_away",
                "listed",
                "bots_after_minutes",
                *REPLACEMENT_FIELDS,
            ):
                del self.fields[name]
        else:
            if not game.bots:
                del self.fields["bots_after_minutes"]
            if not mode.rated:
                del self.fields["rated"]
            if 2 in mode.seats and not mode.together:
                self.fields["series"] = series_field(game)
        self.asks_always = mode.own_decks
        if mode.takes_decks:
            kinds = [whose for option in mode.options for whose in option.decks.values()]
            whose = "own" if mode.own_decks else kinds[0]
            self.fields["deck"] = DeckField(user=host, game=game, mode=mode, whose=whose)
        self.bot_places = bot_places(game.slug, mode.slug) if self.opponents else {}
        for number in self.opponents:
            self._add_seat(number, needed=number < mode.seats[0])
        self.add_options(mode)

    @property
    def preconstructed(self) -> list[StarterDeck]:
        """The decks that come with the game, to be looked at before one is chosen."""
        return self.game.starters_for(self.mode)

    def _add_seat(self, number: int, *, needed: bool) -> None:
        bots = [(f"{BOT}{bot.slug}", self._bot_row(bot)) for bot in self.bots()]
        choices: list[Any] = [("Bots", bots)] if bots else []
        quick = f"{BOT}{[*self.game.bots][-1]}" if self.game.bots else OPEN
        choices += [(OPEN, "Open seat"), (PERSON, "Invite a player")]
        if not needed:
            choices.insert(0, (NOBODY, "No one"))
        self.fields[f"seat_{number}"] = forms.ChoiceField(
            choices=choices,
            required=needed,
            label=seat_label(self.mode, number) if self.mode.teams else f"Opponent {number}",
            initial=quick if needed else NOBODY,
        )
        self.fields[f"name_{number}"] = forms.CharField(
            required=False,
            max_length=150,
            label="Username",
            widget=forms.TextInput(attrs={"list": "friends", "autocomplete": "off"}),
        )

    def seat_fields(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each opponent: kind of seat and username."""
        for number in self.opponents:
            yield self[f"seat_{number}"], self[f"name_{number}"]

    def _bot_row(self, bot: Bot | Thinker) -> str:
        """Name and strength, and its place on the leaderboards where it has one."""
        place = self.bot_places.get(bot.slug, "")
        return f"{bot.name}, {bot.strength}{place and f', leaderboard: {place}'}"

    def bots(self) -> list[Bot | Thinker]:
        """Who plays for the site in this mode, the strongest first."""
        return [] if self.alone else [*self.game.opponents(self.mode.slug).values()][::-1]

    def about_bots(self) -> list[tuple[Bot | Thinker, str]]:
        """The bots, and what those that think ahead have won against the next best."""
        bots = self.bots()
        rows = []
        for bot, below in zip_longest(bots, bots[1:]):
            won = ""
            if isinstance(bot, Thinker) and below is not None:
                tenths = round(bot.modes[self.mode.slug] / 10)
                matches = "nearly all" if tenths == 10 else f"about {tenths} of 10"
                won = f"In trials it won {matches} matches against {below.name}."
            rows.append((bot, won))
        return rows

    def friends(self) -> list[User]:
        """The host's friends, as suggestions for invitations."""
        host = self.host
        return [] if self.alone or not isinstance(host, User) else friends_of(host).friends

    def first_options(self) -> list[OptionFields]:
        """The options shown without unfolding: those about decks, and the first others.

        Numbers stay folded: they limit the length of matches.
        """
        return [fields for fields, shown in self._options() if shown]

    def more_options(self) -> list[OptionFields]:
        """The folded options, which are rarely changed."""
        return [fields for fields, shown in self._options() if not shown]

    @property
    def more_is_open(self) -> bool:
        """True if a folded field has errors."""
        names = (
            "timeout",
            "pauses_when_away",
            "private",
            "client_seed",
            "bots_after_minutes",
            *REPLACEMENT_FIELDS,
        )
        folded = (self[name] for name in names if name in self.fields)
        return any(bound.errors for bound in folded) or any(
            fields.errors for fields in self.more_options()
        )

    def _options(self) -> Iterator[tuple[OptionFields, bool]]:
        count = 0
        for option, fields in zip(self.mode.options, self.option_fields(), strict=True):
            if option.decks or option.judges:
                yield fields, True
            else:
                first = option.kind != "integer" and count < SHOWN_OPTIONS
                count += first
                yield fields, first

    def option_fields(self) -> Iterator[OptionFields]:
        """The fields of all options of the mode."""
        for option in self.mode.options:
            yield OptionFields(
                value=self[f"option_{option.slug}"],
                word=self[f"word_{option.slug}"] if option.word else None,
                asks=bool(option.decks),
                for_decks=option.judges and not self.asks_always,
            )

    def clean_client_seed(self) -> str:
        try:
            return checked_client_seed(self.cleaned_data["client_seed"])
        except NotPossible as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for number in self.opponents:
            if data.get(f"seat_{number}") == PERSON:
                data[f"user_{number}"] = self._person(number, data.get(f"name_{number}", ""))
        if "deck" in data and not self.errors:
            data["deck"] = self._deck(data["deck"])
        return data

    def _deck(self, chosen: str) -> str | None:
        """The chosen deck; None if the options don't require one."""
        if not self.mode.decks(self.options()):
            return None
        if not chosen:
            self.add_error("deck", NO_DECK)
        return chosen

    def _person(self, number: int, name: str) -> User | None:
        name = name.strip()
        user = find_person(name) if name else None
        if not name:
            self.add_error(f"name_{number}", "Enter a username, or leave the seat open.")
        elif user is None:
            self.add_error(f"name_{number}", f"No user named “{name}”. Check the spelling.")
        elif user == self.host:
            self.add_error(f"name_{number}", "You can’t invite yourself. You already have a seat.")
        return user

    def add_refusal(self, error: NotPossible) -> None:
        """Show why the table could not be created, with everything to fix in an illegal deck."""
        add_refusal(self, error)

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

    def match_setup(self) -> MatchSetup[SeatPlan]:
        """The setup of a match by the valid form, with defaults for fields that it lacks."""
        names = {field.name for field in dataclasses.fields(MatchSetup)} & self.cleaned_data.keys()
        return MatchSetup(
            game=self.game.slug,
            mode=self.mode.slug,
            seats=self.seats(),
            options=self.options(),
            **{name: self.cleaned_data[name] for name in names},
        )


def add_refusal(form: forms.Form, error: NotPossible) -> None:
    """Show why a table could not be created or joined; an illegal deck’s problems at its field."""
    if not isinstance(error, IllegalDeck):
        form.add_error(None, str(error))
        return
    for problem in error.extra["problems"]:
        if problem["severity"] == "error":
            rule = rule_link(problem["rule"])
            form.add_error("deck", format_html("{} {}", problem["message"], rule))


class QuickForm(forms.Form):
    """Quick match: a mode and a time control."""

    play = forms.ChoiceField(label="Game")
    time_control = forms.ChoiceField(
        choices=TimeControl.choices, initial=TimeControl.STEADY, label="Time control"
    )

    def __init__(
        self, data: Any = None, *, modes: Sequence[tuple[Game, Mode]], **kwargs: Any
    ) -> None:
        super().__init__(data, auto_id="quick_%s", **kwargs)
        self.fields["play"] = forms.ChoiceField(
            label="Game",
            choices=[
                (f"{game.slug}/{mode.slug}", f"{game.name}: {mode.name}") for game, mode in modes
            ],
        )

    def wish(self) -> dict[str, str]:
        """Game, mode and time control of the valid form."""
        game, _, mode = self.cleaned_data["play"].partition("/")
        return {"game": game, "mode": mode, "time_control": self.cleaned_data["time_control"]}


def for_keeps_field() -> forms.BooleanField:
    """The consent to play for keeps."""
    return forms.BooleanField(
        label="I agree to play for keeps",
        help_text="The winner may keep a card from your deck. You need a digital copy of every "
        "card in it, and you can’t trade cards of this game until the match is over.",
        error_messages={"required": "Agree to play for keeps, or choose another table."},
    )


class AgreeForm(forms.Form):
    """The consent to a rematch for keeps."""

    agrees = for_keeps_field()


class RematchForm(forms.Form):
    """The length of a rematch: one match, or a series."""

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["series"] = series_field(game)

    def terms(self) -> SeriesTerms | None:
        """The chosen terms; raises ``NotPossible``."""
        if not self.is_valid():
            raise NotPossible("Choose one of the lengths of a series.")
        terms: SeriesTerms | None = self.cleaned_data["series"]
        return terms


class JoinForm(forms.Form):
    """Joining an open table."""

    client_seed = forms.CharField(
        required=False,
        max_length=64,
        label="Your own seed",
        help_text="Mixed into the random seed, so that no one can fix the outcome.",
    )

    def __init__(
        self,
        *args: Any,
        game: Game,
        mode: Mode,
        options: Mapping[str, Any],
        user: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if not user.is_authenticated or user.is_guest:
            self.fields["name"] = forms.CharField(
                required=False,
                max_length=40,
                validators=[readable_name],
                initial=getattr(user, "display_name", ""),
                label="Your name",
                help_text="Shown to other players. Leave empty for a random name.",
            )
        if mode.decks(options) == "own":
            self.fields["deck"] = DeckField(user=user, game=game, mode=mode, whose="own")
        if mode.for_keeps(options):
            self.fields["agrees"] = for_keeps_field()

    def clean_deck(self) -> str:
        if not self.cleaned_data["deck"]:
            raise forms.ValidationError(NO_DECK)
        return str(self.cleaned_data["deck"])

    def add_refusal(self, error: NotPossible) -> None:
        """Show why joining was refused."""
        add_refusal(self, error)


class Choices(forms.RadioSelect):
    """Radio buttons that mark the choices that require decks."""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.requiring = {str(value): whose for value, whose in option.decks.items()}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        created = super().create_option(name, value, *args, **kwargs)
        if str(value) in self.requiring:
            created["attrs"]["data-asks"] = self.requiring[str(value)]
        return created


def _word_field(option: Option) -> forms.Field:
    """A check box for the word that may replace a number or subset."""
    whose = option.decks.get(option.word)
    marks = {"data-word": ""} | ({"data-asks": whose} if whose else {})
    return forms.BooleanField(
        required=False,
        initial=option.default == option.word,
        label=option.names.get(option.word, option.word),
        widget=forms.CheckboxInput(attrs=marks),
    )


def _option_field(option: Option) -> forms.Field:
    attributes: dict[str, Any] = {"label": option.name, "help_text": option.help}
    if option.kind == "integer":
        low, high = option.values
        named = [f"{value}: {name}" for value, name in option.names.items() if value != option.word]
        if named:
            attributes["help_text"] = f"{option.help} {', '.join(named)}."
        number = NumberOrWord if option.word else forms.IntegerField
        typed = None if option.default == option.word else option.default
        return number(min_value=low, max_value=high, initial=typed, **attributes)
    choices = [(str(value), option.names.get(value, str(value))) for value in option.values]
    if option.kind == "subset":
        return forms.MultipleChoiceField(
            choices=choices,
            required=False,
            widget=forms.CheckboxSelectMultiple,
            initial=list(option.default),
            **attributes,
        )
    return forms.ChoiceField(
        choices=choices, widget=Choices(option), initial=str(option.default), **attributes
    )
