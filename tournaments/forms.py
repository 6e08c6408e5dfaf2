"""Forms of tournaments: what is announced, and what an organiser decides."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone

import rules
from accounts.models import User
from collection.queries import packs
from decks.queries import formats
from matches.forms.setup import OptionsForm, length_of, series_field
from matches.models import TimeControl
from rules.engine.game import Game, Mode
from rules.engine.limited import MAX_PACKS
from tournaments.divisions import MAX_DIVISION, MAX_MOVING, MIN_DIVISION
from tournaments.errors import NotPossible
from tournaments.models import ABOUT_LENGTH, TITLE_LENGTH, Structure, Tournament
from tournaments.models.limited import LimitedKind
from tournaments.services.announce import (
    COPIED,
    CUTS,
    MAX_DAYS,
    MAX_ENTRIES,
    MAX_MINUTES,
    MAX_ROUNDS,
    MIN_MINUTES,
    Announcement,
    Prize,
)
from tournaments.services.limited_terms import (
    MAX_BUILD_HOURS,
    MAX_PICK_HOURS,
    LimitedTerms,
    limited_of,
    offer_of,
)

PRIZE_LINES = 4
LIMITED_FIELDS = ("limited", "packs", "pick_hours", "build_hours", "keeps")


def plays() -> list[tuple[str, str]]:
    """Modes in which each plays against the others, as ``game/mode`` and their names."""
    return [
        (f"{game.slug}/{mode.slug}", f"{game.name}: {mode.name}")
        for game in rules.games().values()
        for mode in game.modes.values()
        if mode.playable and not mode.together and not mode.teams and mode.seats[-1] >= 2
    ]


def _moment(label: str, help_text: str = "", *, required: bool = True) -> forms.DateTimeField:
    return forms.DateTimeField(
        label=label,
        required=required,
        help_text=help_text,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


def _number(label: str, low: int, high: int, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=low, max_value=high, required=False, help_text=help_text
    )


def number_in(request: HttpRequest, name: str) -> int:
    """A whole number that a page's own form sends; raises ``NotPossible``."""
    text = request.POST.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise NotPossible("The form is incomplete. Reload the page.")
    return int(text)


class AnnounceForm(OptionsForm):
    """A new tournament of a mode."""

    title = forms.CharField(max_length=TITLE_LENGTH, label="Title")
    about = forms.CharField(
        max_length=ABOUT_LENGTH,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Rules of conduct and other information for players.",
    )
    structure = forms.ChoiceField(choices=Structure.choices, label="Structure")
    rounds = _number(
        "Rounds", 1, MAX_ROUNDS, "Swiss and pods. Leave empty to decide by the number of players."
    )
    cut = forms.TypedChoiceField(
        choices=[(n, f"Top {n}" if n else "None") for n in CUTS],
        coerce=int,
        label="Final rounds",
        initial=0,
        help_text="Swiss: a single elimination of the top players.",
    )
    table_size = _number("Players at a table", 3, 8, "Pods only.")
    twice = forms.BooleanField(
        required=False,
        label="All players meet twice",
        help_text="Round robin (up to 8 players) and leagues.",
    )
    division_size = _number(
        "Players in a division",
        MIN_DIVISION,
        MAX_DIVISION,
        "Leagues only; 8 if empty. Everyone plays everyone else in their division.",
    )
    moving = _number(
        "Promoted and relegated",
        0,
        MAX_MOVING,
        "Leagues only; 2 if empty. How many move up and down between two divisions each season.",
    )
    third_place = forms.BooleanField(
        required=False,
        label="Third-place match",
        help_text="Single elimination and final rounds.",
    )
    opens_at = _moment("Registration opens", "Leave empty to open now.", required=False)
    closes_at = _moment("Registration closes")
    starts_at = _moment("Start", "The first round is paired at this time. In your time zone.")
    time_control = forms.ChoiceField(
        choices=TimeControl.choices, initial=TimeControl.STEADY, label="Time control"
    )
    round_days = forms.IntegerField(
        label="Days per round",
        min_value=1,
        max_value=MAX_DAYS,
        initial=14,
        help_text="Open matches are then decided by the clock, or drawn. "
        "For a league, the length of the season: all its rounds are open at once.",
    )
    round_minutes = _number(
        "Minutes per round",
        MIN_MINUTES,
        MAX_MINUTES,
        "Fill in for a live evening, for example 30; it needs the live time control. Before each "
        "round players have a minute to confirm that they are here, or they are dropped.",
    )
    min_entries = forms.IntegerField(
        label="Minimum players", min_value=2, max_value=MAX_ENTRIES, initial=4
    )
    max_entries = _number("Maximum players", 2, MAX_ENTRIES, "Later entries join the waiting list.")
    rating_from = _number("Minimum rating", 0, 5000)
    rating_to = _number("Maximum rating", 0, 5000)
    late_entry = forms.BooleanField(
        required=False,
        label="Late entries",
        help_text="Swiss and pods, until half of the rounds are paired. Missed rounds are losses.",
    )
    needs_channel = forms.BooleanField(
        required=False,
        label="Players need notifications",
        help_text="Only players whom mail, browser or webhook notifications reach can enter.",
    )
    shows_decks = forms.BooleanField(
        required=False,
        initial=True,
        label="Show deck lists at the end",
        help_text="With statistics of decks and cards. Otherwise only the organisers see lists.",
    )
    listed = forms.BooleanField(
        required=False,
        initial=True,
        label="Public",
        help_text="Listed, and anyone may spectate. Otherwise only people with the link find it, "
        "and only the players see their matches.",
    )
    format = forms.ChoiceField(
        required=False,
        label="Format",
        help_text="A custom format can require that players own their cards.",
    )
    limited = forms.ChoiceField(
        required=False,
        label="Decks",
        help_text="Sealed: each player opens packs. Draft: players pick in turn, in their time.",
    )
    packs = _number("Packs for each player", 1, MAX_PACKS)
    pick_hours = _number("Hours for a pick", 1, MAX_PICK_HOURS, "Then a bot picks; 12 if empty.")
    build_hours = _number(
        "Hours to build a deck",
        1,
        MAX_BUILD_HOURS,
        "At least, after the packs; 48 if empty.",
    )
    keeps = forms.BooleanField(required=False, label="Players keep the cards of their packs")
    helpers = forms.CharField(
        required=False,
        label="Organisers besides you",
        help_text="Usernames, separated by commas. They can do everything you can.",
        widget=forms.TextInput(attrs={"autocapitalize": "off", "autocomplete": "off"}),
    )

    def __init__(
        self, *args: Any, game: Game, mode: Mode, user: User, deck_check: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.game, self.deck_check = game, deck_check
        self.add_options(mode)
        possible = _structures(mode)
        self.fields["structure"].choices = possible  # type: ignore[attr-defined]
        if len(mode.seats) == 1 or mode.seats[-1] < 3:
            del self.fields["table_size"]
        if 2 in mode.seats:
            self.fields["series"] = series_field(game)
            self.fields["series"].label = "Each table plays"
        if mode.takes_decks and not deck_check:
            self.fields["format"].choices = [  # type: ignore[attr-defined]
                ("", "The game’s own rules"),
                *((f.slug, f.name) for f in formats.offered(user, game.slug, mode.slug)),
            ]
        else:
            del self.fields["format"]
        self._offer_limited(user)
        if not mode.takes_decks:
            del self.fields["shows_decks"]
        self.prize_lines = range(PRIZE_LINES) if user.is_staff else range(0)
        products = [("", "None"), *((p.slug, p.name) for p in packs.given_products(game.slug))]
        for number in self.prize_lines:
            self.fields[f"prize_{number}_product"] = forms.ChoiceField(
                choices=products, required=False, label=f"Prize {number + 1}"
            )
            self.fields[f"prize_{number}_first"] = _number("From place", 1, MAX_ENTRIES)
            self.fields[f"prize_{number}_last"] = _number("To place", 1, MAX_ENTRIES)
            self.fields[f"prize_{number}_count"] = _number("Packs", 1, 20)

    def _offer_limited(self, user: User) -> None:
        """Sealed and draft as far as the mode's packs make decks; not for an earlier deck check."""
        offer = offer_of(self.game, self.mode.slug)
        kinds = [] if offer is None or self.deck_check else [
            (kind, label, least) for kind, label in LimitedKind.choices
            if (least := offer.least(draft=kind == LimitedKind.DRAFT))
        ]  # fmt: skip
        if not kinds or offer is None:
            for name in LIMITED_FIELDS:
                del self.fields[name]
            return
        choice = self.fields["limited"]
        choice.choices = [  # type: ignore[attr-defined]
            ("", "Players bring decks"),
            *((kind, label) for kind, label, _ in kinds),
        ]
        product = self.game.products[offer.product].name
        needs = ", ".join(f"{label.lower()}: at least {least}" for _, label, least in kinds)
        together = f"; in a draft a multiple of {offer.pile}" if offer.pile > 1 else ""
        self.fields[
            "packs"
        ].help_text = f"{product}; {needs}{together}. Empty: as few as that. {offer.why}"
        if len(kinds) == 1:
            del self.fields["pick_hours"]
        if not user.is_staff:
            del self.fields["keeps"]

    def limited_fields(self) -> list[forms.BoundField]:
        return self.group(*LIMITED_FIELDS)

    def group(self, *names: str) -> list[forms.BoundField]:
        """These fields, those that the mode has none of left out."""
        return [self[name] for name in names if name in self.fields]

    def about_fields(self) -> list[forms.BoundField]:
        return self.group("title", "about")

    def structure_fields(self) -> list[forms.BoundField]:
        return self.group(
            "structure", "series", "rounds", "table_size", "cut", "twice", "third_place",
            "division_size", "moving",
        )  # fmt: skip

    def date_fields(self) -> list[forms.BoundField]:
        return self.group("opens_at", "closes_at", "starts_at", "time_control", "round_days",
                          "round_minutes")  # fmt: skip

    def people_fields(self) -> list[forms.BoundField]:
        return self.group(
            "min_entries", "max_entries", "format", "shows_decks", "listed", "late_entry",
            "rating_from", "rating_to", "needs_channel", "helpers",
        )  # fmt: skip

    def option_bounds(self) -> list[forms.BoundField]:
        """The mode's options."""
        return [self[name] for name in self.fields if name.startswith(("option_", "word_"))]

    def prize_fields(self) -> list[list[forms.BoundField]]:
        """Each prize's fields."""
        return [
            self.group(*(f"prize_{n}_{part}" for part in ("product", "first", "last", "count")))
            for n in self.prize_lines
        ]

    def announcement(self) -> Announcement:
        """The announcement of a valid form."""
        data = self.cleaned_data
        league = data["structure"] == Structure.LEAGUE
        return Announcement(
            title=data["title"],
            game=self.game.slug,
            mode=self.mode.slug,
            structure=data["structure"],
            closes_at=data["closes_at"],
            starts_at=data["starts_at"],
            opens_at=data["opens_at"],
            about=data["about"],
            options=self.options(),
            format=data.get("format", ""),
            deck_check=self.deck_check,
            time_control=data["time_control"],
            rounds=data["rounds"],
            cut=data["cut"] or 0,
            twice=data["twice"],
            third_place=data["third_place"],
            division_size=data["division_size"] if league else None,
            moving=data["moving"] if league else None,
            table_size=data.get("table_size") if data["structure"] == Structure.PODS else None,
            series=data.get("series"),
            round_days=data["round_days"],
            round_minutes=data["round_minutes"],
            min_entries=data["min_entries"],
            max_entries=data["max_entries"],
            rating_from=data["rating_from"],
            rating_to=data["rating_to"],
            late_entry=data["late_entry"],
            shows_decks=data.get("shows_decks", True),
            needs_channel=data["needs_channel"],
            listed=data["listed"],
            helpers=names_in(data["helpers"]),
            limited=LimitedTerms(
                kind=data["limited"],
                packs=data["packs"],
                pick_hours=data.get("pick_hours") or 12,
                build_hours=data["build_hours"] or 48,
                keeps=data.get("keeps", False),
            )
            if data.get("limited")
            else None,
            prizes=[
                Prize(
                    first=data[f"prize_{n}_first"] or 1,
                    last=data[f"prize_{n}_last"] or data[f"prize_{n}_first"] or 1,
                    product=data[f"prize_{n}_product"],
                    count=data[f"prize_{n}_count"] or 1,
                )
                for n in self.prize_lines
                if data[f"prize_{n}_product"]
            ],
        )


def names_in(text: str) -> list[str]:
    """Usernames, separated by commas."""
    return [name for part in text.split(",") if (name := part.strip())]


def _structures(mode: Mode) -> list[tuple[str, str]]:
    """The structures that a mode's number of seats allows."""
    choices = []
    for value, label in Structure.choices:
        pods = value == Structure.PODS
        if (pods and mode.seats[-1] >= 3) or (not pods and 2 in mode.seats):
            choices.append((value, label))
    return choices


def initial_from(tournament: Tournament | None) -> dict[str, Any]:
    """Initial values: the usual dates, or an earlier tournament two weeks from now."""
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    dates: dict[str, datetime] = {
        "closes_at": now + timedelta(days=7), "starts_at": now + timedelta(days=7),
    }  # fmt: skip
    if tournament is None:
        return dict(dates)
    copied = ("title", *COPIED)
    initial: dict[str, Any] = {name: getattr(tournament, name) for name in copied} | dates
    initial["format"] = tournament.format_slug
    terms = limited_of(tournament)
    if terms is not None:
        initial["limited"] = terms.kind
        for name in LIMITED_FIELDS[1:]:
            initial[name] = getattr(terms, name)
    initial["series"] = length_of(tournament.series)
    if tournament.pods:
        initial["table_size"] = tournament.table_size
    if tournament.is_league:
        initial |= {"division_size": tournament.division_size, "moving": tournament.moving}
    initial["helpers"] = ", ".join(
        tournament.helpers.order_by("username").values_list("username", flat=True)
    )
    for slug, value in tournament.options.items():
        initial[f"option_{slug}"] = value if isinstance(value, list) else str(value)
    for number, prize in enumerate(tournament.prizes[:PRIZE_LINES]):
        for part in ("product", "first", "last", "count"):
            initial[f"prize_{number}_{part}"] = prize[part]
    return initial


class ChangeForm(forms.Form):
    """The details that may change until the start."""

    title = forms.CharField(max_length=TITLE_LENGTH, label="Title")
    about = forms.CharField(
        max_length=ABOUT_LENGTH,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    closes_at = _moment("Registration closes")
    starts_at = _moment("Start", "In your time zone.")
    helpers = forms.CharField(
        required=False, label="Organisers besides you", help_text="Usernames, separated by commas."
    )

    def __init__(self, *args: Any, tournament: Tournament, user: User, **kwargs: Any) -> None:
        names = tournament.helpers.order_by("username").values_list("username", flat=True)
        kwargs["initial"] = {
            "title": tournament.title,
            "about": tournament.about,
            "closes_at": tournament.closes_at,
            "starts_at": tournament.starts_at,
            "helpers": ", ".join(names),
        }
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        if tournament.organiser_id != user.pk:
            del self.fields["helpers"]

    def values(self) -> dict[str, Any]:
        """The arguments of ``change``."""
        data = dict(self.cleaned_data)
        if "helpers" in data:
            data["helpers"] = names_in(data["helpers"])
        return data


def places_in(text: str, seats: int) -> list[int]:
    """Places chosen for the seats of a table, ``1,2``; raises ``NotPossible``."""
    parts = text.replace(" ", "").split(",")
    if len(parts) != seats or not all(part.isascii() and part.isdigit() for part in parts):
        raise NotPossible(f"Choose a place for each of the {seats} players.")
    return [int(part[:3]) for part in parts]
