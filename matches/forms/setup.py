"""Forms for setting up and joining. What a mode lets people choose becomes fields of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html

from accounts.models import User
from accounts.names import readable_name
from accounts.queries.friends import friends_of
from accounts.queries.people import find_person
from core.templatetags.look import rule_link
from matches.errors import IllegalDeck, NotPossible
from matches.models import Pace, Timeout
from matches.queries import seat_decks
from matches.services.setup import MatchSetup, SeatPlan, checked_client_seed
from rules.engine.game import Game, Mode, Option

TIMEOUTS = [(rule.value, rule.label) for rule in Timeout]


NO_DECK = "Choose the deck to play with."


BOTS_AFTER = [
    ("", "It waits for somebody"),
    ("5", "A bot takes it after 5 minutes"),
    ("60", "A bot takes it after an hour"),
    ("1440", "A bot takes it after a day"),
]


SHOWN_OPTIONS = 2
"""How many options of a mode are shown at once; those about decks are shown besides."""


NOBODY = ""


OPEN = "open"


PERSON = "person"


BOT = "bot:"


class Unhurried(forms.Field):
    """A field that only the whole form can demand, by what else is chosen."""

    def validate(self, value: Any) -> None:
        if value not in self.empty_values:
            super().validate(value)


class NumberOrWord(Unhurried, forms.IntegerField):
    """A number that need not be typed where a word stands in its place."""

    class Box(forms.NumberInput):
        """The browser does not insist on it either."""

        def use_required_attribute(self, initial: Any) -> bool:
            return False

    widget = Box


class DeckField(Unhurried, forms.ChoiceField):
    """Which deck to play with; whether it may be played is for the service to say.

    A deck that was legal when the page was made may not be so any more, and then its owner wants
    to read what is wrong with it.
    """

    def __init__(self, *, user: Any, game: Game, mode: Mode, whose: str) -> None:
        shared = whose == "shared"
        super().__init__(
            choices=seat_decks.deck_choices(user, game, mode),
            label="The deck for all" if shared else "Your deck",
            help_text="Everybody plays from it."
            if shared
            else "The others see it when the match is over.",
            initial=next((deck.slug for deck in game.ready_made(mode.slug)), None),
        )

    def valid_value(self, value: object) -> bool:
        return True


@dataclasses.dataclass(frozen=True, slots=True)
class OptionFields:
    """The fields of one option: its value, and the word that may stand instead of one.

    ``asks``: it may ask for decks. ``for_decks``: it says something of decks only, in a mode where
    they need not be brought.
    """

    value: forms.BoundField
    word: forms.BoundField | None
    asks: bool
    for_decks: bool

    @property
    def errors(self) -> bool:
        """Something is wrong here."""
        return bool(self.value.errors or (self.word and self.word.errors))


RATING_WITHIN = [
    ("", "Any"),
    *((within, f"Within {within} of mine") for within in (100, 200, 400)),
]


PASSED_ON = ("rating_within", "seats_pass_on")
"""Fields about people who are not there yet."""


class NewMatchForm(forms.Form):
    """A new table: who sits at it, the options of the mode, the pace.

    The deck is asked for where the chosen options ask for one. Its field is always there in a mode
    that may ask; the style sheet shows it when a choice marked ``data-asks`` is taken.
    """

    pace = forms.ChoiceField(
        choices=Pace.choices,
        initial=Pace.STEADY,
        label="Pace",
        help_text="How much time people have. What they do not use they keep for later.",
    )
    listed = forms.BooleanField(
        required=False,
        initial=True,
        label="In the lobby",
        help_text="Anybody may take an open seat. Without this, people need your link.",
    )
    timeout = forms.TypedChoiceField(
        choices=[
            ("", "As usual: of two players, that one loses; of more, a bot plays for them"),
            *TIMEOUTS,
        ],
        empty_value=None,
        required=False,
        label="If somebody’s time runs out",
    )
    waits = forms.BooleanField(
        required=False,
        initial=True,
        label="Wait for people who are away",
        help_text="Their days away do not count. Live tables never wait.",
    )
    bots_after_minutes = forms.TypedChoiceField(
        choices=BOTS_AFTER,
        coerce=int,
        empty_value=None,
        required=False,
        label="If a seat stays open",
    )
    rating_within = forms.TypedChoiceField(
        choices=RATING_WITHIN,
        coerce=int,
        empty_value=None,
        required=False,
        label="Rating of whoever sits down",
        help_text="The table then says which ratings it is for. Invited people may always come.",
    )
    seats_pass_on = forms.BooleanField(
        required=False,
        label="Seats may be passed on",
        help_text="Whoever gives up for good loses; a bot keeps the seat until somebody from the "
        "lobby takes it over, and sees its hand.",
    )
    private = forms.BooleanField(
        required=False,
        label="Private",
        help_text="Only the people at the table may watch, and those who run this site. "
        "It is not listed in the lobby.",
    )
    client_seed = forms.CharField(
        required=False,
        max_length=64,
        label="A word of your own for the seed",
        help_text="All chance comes from the seed. Whoever sits down later may add a word, too.",
    )

    def __init__(self, *args: Any, game: Game, mode: Mode, host: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game, self.mode, self.host = game, mode, host
        self.opponents = range(1, mode.seats[-1])
        self.alone = not self.opponents
        if self.alone:
            for name in ("pace", "timeout", "waits", "listed", "bots_after_minutes", *PASSED_ON):
                del self.fields[name]
        elif not game.bots:
            del self.fields["bots_after_minutes"]
        self.asks_always = mode.own_decks
        if mode.takes_decks:
            kinds = [whose for option in mode.options for whose in option.decks.values()]
            whose = "own" if mode.own_decks else kinds[0]
            self.fields["deck"] = DeckField(user=host, game=game, mode=mode, whose=whose)
        for number in self.opponents:
            self._add_seat(number, needed=number < mode.seats[0])
        for option in mode.options:
            self.fields[f"option_{option.slug}"] = _option_field(option)
            if option.word:
                self.fields[f"word_{option.slug}"] = _word_field(option)

    def _add_seat(self, number: int, *, needed: bool) -> None:
        choices = [(f"{BOT}{bot.slug}", f"Bot: {bot.name}") for bot in self.game.bots.values()]
        choices.reverse()  # the strongest first
        choices += [(OPEN, "Open: whoever comes"), (PERSON, "A person by name")]
        if not needed:
            choices.insert(0, (NOBODY, "Nobody"))
        self.fields[f"seat_{number}"] = forms.ChoiceField(
            choices=choices, required=needed, label=f"Opponent {number}", initial=choices[0][0]
        )
        self.fields[f"name_{number}"] = forms.CharField(
            required=False,
            max_length=150,
            label="Their username",
            widget=forms.TextInput(attrs={"list": "friends", "autocomplete": "off"}),
        )

    def seat_fields(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """For each opponent the kind of seat and the person's name, for the template."""
        for number in self.opponents:
            yield self[f"seat_{number}"], self[f"name_{number}"]

    def friends(self) -> list[User]:
        """Whom the host may want to invite."""
        host = self.host
        return [] if self.alone or not isinstance(host, User) else friends_of(host).friends

    def first_options(self) -> list[OptionFields]:
        """The options that are shown at once: what decks are played, and the first of the others.

        Numbers stay folded: they end a match that does not end by itself.
        """
        return [fields for fields, shown in self._options() if shown]

    def more_options(self) -> list[OptionFields]:
        """The options that are rarely changed."""
        return [fields for fields, shown in self._options() if not shown]

    @property
    def more_is_open(self) -> bool:
        """Something is wrong in the part that is folded."""
        names = ("timeout", "waits", "private", "client_seed", "bots_after_minutes", *PASSED_ON)
        folded = (self[name] for name in names if name in self.fields)
        return any(bound.errors for bound in folded) or any(
            fields.errors for fields in self.more_options()
        )

    def _options(self) -> Iterator[tuple[OptionFields, bool]]:
        shown = 0
        for option, fields in zip(self.mode.options, self.option_fields(), strict=True):
            if option.decks or option.judges:
                yield fields, True
            else:
                first = option.kind != "integer" and shown < SHOWN_OPTIONS
                shown += first
                yield fields, first

    def option_fields(self) -> Iterator[OptionFields]:
        """The fields that come from the mode."""
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
        for option in self.mode.options:
            name, word = f"option_{option.slug}", data.get(f"word_{option.slug}")
            if option.kind == "integer" and name in data and data[name] is None and not word:
                self.add_error(name, "Type a number.")
        if "deck" in data and not self.errors:
            data["deck"] = self._deck(data["deck"])
        return data

    def _deck(self, chosen: str) -> str | None:
        """The deck, if the chosen options ask for one."""
        if not self.mode.decks(self.options()):
            return None
        if not chosen:
            self.add_error("deck", NO_DECK)
        return chosen

    def _person(self, number: int, name: str) -> User | None:
        name = name.strip()
        user = find_person(name) if name else None
        if not name:
            self.add_error(f"name_{number}", "Who is it? Type a username, or leave the seat open.")
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

    def match_setup(self) -> MatchSetup[SeatPlan]:
        """The valid form as what a match is made from; what it does not ask for is as usual."""
        asked = {field.name for field in dataclasses.fields(MatchSetup)} & self.cleaned_data.keys()
        return MatchSetup(
            game=self.game.slug,
            mode=self.mode.slug,
            seats=self.seats(),
            options=self.options(),
            **{name: self.cleaned_data[name] for name in asked},
        )

    def options(self) -> dict[str, Any]:
        """The mode's options of the valid form, in the rules' own types."""
        given: dict[str, Any] = {}
        for option in self.mode.options:
            value = self.cleaned_data[f"option_{option.slug}"]
            if self.cleaned_data.get(f"word_{option.slug}"):
                value = option.word
            elif option.kind == "choice":
                value = next(one for one in option.values if str(one) == value)
            given[option.slug] = value
        return given


def _add_refusal(form: forms.Form, error: NotPossible) -> None:
    if not isinstance(error, IllegalDeck):
        form.add_error(None, str(error))
        return
    for problem in error.extra["problems"]:
        if problem["severity"] == "error":
            rule = rule_link(problem["rule"])
            form.add_error("deck", format_html("{} {}", problem["message"], rule))


class QuickForm(forms.Form):
    """What to play with whoever comes: a mode, and a pace."""

    play = forms.ChoiceField(label="Game")
    pace = forms.ChoiceField(choices=Pace.choices, initial=Pace.STEADY, label="Pace")

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
        """Game, mode and pace of the valid form."""
        game, _, mode = self.cleaned_data["play"].partition("/")
        return {"game": game, "mode": mode, "pace": self.cleaned_data["pace"]}


def for_keeps_field() -> forms.BooleanField:
    """What is at stake at a table that is played for keeps, before one agrees to it."""
    return forms.BooleanField(
        label="I agree to play for keeps",
        help_text="Whoever wins may take a card of your deck for good, out of your collection "
        "into theirs. Of every card in your deck you need a copy that was dealt here; until the "
        "match is over you trade no cards of this game.",
        error_messages={"required": "Say that you agree, or look for another table."},
    )


class AgreeForm(forms.Form):
    """Asking for a rematch that is played for keeps, as the match before was."""

    agrees = for_keeps_field()


class JoinForm(forms.Form):
    """Sitting down at an open table."""

    client_seed = forms.CharField(
        required=False,
        max_length=64,
        label="A word of your own for the seed",
        help_text="All chance comes from the seed: with your word in it nobody alone decides it.",
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
                label="Your name at the table",
                help_text="The others see it. Without one you get a friendly name.",
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
        """Show why nobody could sit down like this."""
        _add_refusal(self, error)


class Choices(forms.RadioSelect):
    """Radio buttons that say which of them ask for decks."""

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.asking = {str(value): whose for value, whose in option.decks.items()}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        made = super().create_option(name, value, *args, **kwargs)
        if str(value) in self.asking:
            made["attrs"]["data-asks"] = self.asking[str(value)]
        return made


def _word_field(option: Option) -> forms.Field:
    """The word that may stand in place of a number or subset, as a box to tick."""
    whose = option.decks.get(option.word)
    marks = {"data-word": ""} | ({"data-asks": whose} if whose else {})
    return forms.BooleanField(
        required=False,
        initial=option.default == option.word,
        label=option.names.get(option.word, option.word),
        widget=forms.CheckboxInput(attrs=marks),
    )


def _option_field(option: Option) -> forms.Field:
    about: dict[str, Any] = {"label": option.name, "help_text": option.help}
    if option.kind == "integer":
        low, high = option.values
        named = [f"{value}: {name}" for value, name in option.names.items() if value != option.word]
        if named:
            about["help_text"] = f"{option.help} {', '.join(named)}."
        number = NumberOrWord if option.word else forms.IntegerField
        typed = None if option.default == option.word else option.default
        return number(min_value=low, max_value=high, initial=typed, **about)
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
        choices=choices, widget=Choices(option), initial=str(option.default), **about
    )
