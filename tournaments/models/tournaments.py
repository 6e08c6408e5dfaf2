"""Tournaments as the database keeps them: what was announced, who entered, rounds and results.

Points and places follow from the tables that were decided; what stands on an entry about its place
is a copy for pages, written anew after each round.
"""

from __future__ import annotations

from datetime import datetime
from secrets import token_bytes
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from collection.models.slugs import SLUG_LENGTH, new_slug
from decks.models import CheckedDeck, DeckCheck
from matches.models import Match, SeriesTerms, TimeControl

TITLE_LENGTH = 120
ABOUT_LENGTH = 4000
REASON_LENGTH = 300


def new_seed() -> bytes:
    """32 bytes from the operating system."""
    return token_bytes(32)


class Structure(models.TextChoices):
    """How it is decided who plays whom."""

    SWISS = "swiss", "Swiss"
    ROUND_ROBIN = "round-robin", "Round robin"
    ELIMINATION = "elimination", "Single elimination"
    PODS = "pods", "Pods of 3 to 8"
    LEAGUE = "league", "League season"
    LADDER = "ladder", "Ladder"


class State(models.TextChoices):
    """Where a tournament stands."""

    ANNOUNCED = "announced", "Announced"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"
    CANCELLED = "cancelled", "Cancelled"


class EntryState(models.TextChoices):
    """Where somebody who entered stands."""

    ENTERED = "entered", "Entered"
    WAITING = "waiting", "On the waiting list"
    OUT = "out", "Not admitted"
    DROPPED = "dropped", "Dropped"


class Tournament(models.Model):
    """One event, from its announcement to its prizes."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="tournaments"
    )
    helpers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="tournaments_helped",
        help_text="Who else does what the organiser does.",
    )
    title = models.CharField(max_length=TITLE_LENGTH)
    about = models.TextField(max_length=ABOUT_LENGTH, blank=True)
    game = models.SlugField(max_length=50)
    mode = models.SlugField(max_length=50)
    options = models.JSONField(default=dict, help_text="The mode's options of every table.")
    deck_check = models.OneToOneField(
        DeckCheck,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tournament",
        help_text="Where decks are submitted; none in modes without decks.",
    )
    time_control = models.CharField(
        max_length=8, choices=TimeControl.choices, default=TimeControl.STEADY
    )
    structure = models.CharField(max_length=12, choices=Structure.choices)
    rounds_planned = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Without the cut; empty: as many as the entries ask for."
    )
    cut = models.PositiveSmallIntegerField(default=0, help_text="How many play the final rounds.")
    twice = models.BooleanField(default=False, help_text="A round robin in which all meet twice.")
    division_size = models.PositiveSmallIntegerField(
        default=8, help_text="League: players per division, about."
    )
    moving = models.PositiveSmallIntegerField(
        default=2, help_text="League: so many are promoted and relegated between two divisions."
    )
    season = models.PositiveSmallIntegerField(default=1)
    previous = models.OneToOneField(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="next",
        help_text="The season of the league before this one.",
    )
    third_place = models.BooleanField(default=False, help_text="Third-place match.")
    table_size = models.PositiveSmallIntegerField(default=2)
    series_matches = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Each table plays a series of so many matches."
    )
    series_first_to = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Or a series until somebody has so many wins."
    )
    round_days = models.PositiveSmallIntegerField(default=14)
    round_minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Live evening: a round ends after so many minutes."
    )
    called_until = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Players confirm that they are present."
    )
    min_entries = models.PositiveSmallIntegerField(default=2)
    max_entries = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_from = models.SmallIntegerField(null=True, blank=True)
    rating_to = models.SmallIntegerField(null=True, blank=True)
    needs_channel = models.BooleanField(
        default=False, help_text="Players need a channel that sends tournament notifications."
    )
    shows_decks = models.BooleanField(
        default=True, help_text="Everyone sees the deck lists once it is over."
    )
    late_entry = models.BooleanField(default=False, help_text="Until half of the rounds.")
    listed = models.BooleanField(default=True, help_text="It is found without its link.")
    prizes = models.JSONField(
        default=list, help_text="Packs from the house: first and last place, product, count."
    )
    opens_at = models.DateTimeField(default=timezone.now, help_text="Registration opens.")
    closes_at = models.DateTimeField(help_text="Registration closes.")
    starts_at = models.DateTimeField(help_text="The first round is paired.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.ANNOUNCED)
    locked_at = models.DateTimeField(null=True, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    why_cancelled = models.CharField(max_length=REASON_LENGTH, blank=True)
    server_seed = models.BinaryField(default=new_seed, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-starts_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(opens_at__lte=F("closes_at")) & Q(closes_at__lte=F("starts_at")),
                name="tournament_dates_in_order",
            ),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False)
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
                name="tournament_finished_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(table_size__gte=2) & Q(table_size__lte=8), name="tournament_table_size"
            ),
        )
        indexes = (
            models.Index(fields=("state", "starts_at"), name="tournament_by_state"),
            models.Index(fields=("game", "mode", "state"), name="tournament_by_game"),
        )

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=(self.slug,))

    @property
    def pods(self) -> bool:
        """More than two sit at a table."""
        return self.structure == Structure.PODS

    @property
    def format_slug(self) -> str:
        """The custom format of its decks; empty without one."""
        house = self.deck_check.house if self.deck_check is not None else None
        return house.format.slug if house is not None else ""

    @property
    def is_evening(self) -> bool:
        """It is played live, with rounds by the clock."""
        return self.round_minutes is not None

    @property
    def is_ladder(self) -> bool:
        """Players challenge each other for their places, with an open end."""
        return self.structure == Structure.LADDER

    @property
    def is_league(self) -> bool:
        """All its rounds are open at once, in divisions."""
        return self.structure == Structure.LEAGUE

    @property
    def series(self) -> SeriesTerms | None:
        """The length of the series that each table plays; None for single matches."""
        if self.series_matches is None and self.series_first_to is None:
            return None
        return SeriesTerms(self.series_matches, self.series_first_to)

    @property
    def registration_until(self) -> datetime:
        """When registration closes, or was closed by an early lock or start."""
        moments = (self.closes_at, self.locked_at, self.started_at)
        return min(moment for moment in moments if moment is not None)

    @property
    def takes_entries(self) -> bool:
        """Registration is open now."""
        return (
            self.state == State.ANNOUNCED
            and self.locked_at is None
            and self.opens_at <= timezone.now() < self.closes_at
        )

    @property
    def over(self) -> bool:
        """Nothing more happens in it."""
        return self.state in (State.FINISHED, State.CANCELLED)


class Entry(models.Model):
    """Somebody who takes part, or wants to; a bot where the organiser has seated one."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField(help_text="The order of entering, from 1.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="tournament_entries",
    )
    bot = models.CharField(max_length=40, blank=True)
    bot_name = models.CharField(max_length=60, blank=True, help_text="The bot's name in its game.")
    deck = models.OneToOneField(
        CheckedDeck, models.SET_NULL, null=True, blank=True, related_name="entry"
    )
    state = models.CharField(max_length=8, choices=EntryState.choices, default=EntryState.ENTERED)
    why = models.CharField(
        max_length=REASON_LENGTH, blank=True, help_text="Why it is out, or dropped."
    )
    seed = models.PositiveIntegerField(null=True, blank=True)
    division = models.PositiveSmallIntegerField(null=True, blank=True)
    joined_round = models.PositiveSmallIntegerField(default=1)
    extra_points = models.PositiveIntegerField(
        default=0, help_text="Of a bye in the rounds before a late entry."
    )
    timeouts = models.PositiveSmallIntegerField(default=0)
    ready_for = models.PositiveSmallIntegerField(
        default=0, help_text="Live evening: presence is confirmed up to this round."
    )
    absent = models.BooleanField(
        default=False, help_text="Dropped because they were absent; they can come back."
    )
    rank = models.PositiveIntegerField(null=True, blank=True)
    standing = models.JSONField(default=dict, help_text="The numbers that the rank follows from.")
    entered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "entries"
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="entry_number"),
            models.UniqueConstraint(
                fields=("tournament", "user"),
                condition=Q(user__isnull=False),
                name="entry_once_a_person",
            ),
            models.CheckConstraint(
                condition=Q(bot="") | Q(user__isnull=True), name="entry_person_or_bot"
            ),
        )
        indexes = (models.Index(fields=("tournament", "rank"), name="entry_by_rank"),)

    def __str__(self) -> str:
        return f"entry {self.number} of {self.tournament_id}"


class Stage(models.TextChoices):
    """Which part of a tournament a round belongs to."""

    MAIN = "main", "Round"
    CUT = "cut", "Final rounds"


class Round(models.Model):
    """All tables that are played at the same time."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(help_text="Counts from 1, the final rounds too.")
    stage = models.CharField(max_length=4, choices=Stage.choices, default=Stage.MAIN)
    attempt = models.PositiveSmallIntegerField(
        default=1, help_text="It was paired so often; each time with another lot."
    )
    together = models.BooleanField(
        default=False, help_text="Other rounds are open at the same time, as in a league."
    )
    paired_at = models.DateTimeField(default=timezone.now)
    deadline_at = models.DateTimeField()
    half_told_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_told_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="round_number"),
            models.UniqueConstraint(
                fields=("tournament",),
                condition=Q(finished_at__isnull=True, together=False),
                name="round_one_at_a_time",
            ),
        )
        indexes = (
            models.Index(
                fields=("deadline_at",),
                condition=Q(finished_at__isnull=True),
                name="round_by_deadline",
            ),
        )

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament_id}"


class How(models.TextChoices):
    """By what a table was decided."""

    MATCH = "match", "Played"
    BYE = "bye", "Bye"
    CLOCK = "clock", "Decided by the clock at the end of the round"
    DRAW = "draw", "A draw at the end of the round"
    CANCELLED = "cancelled", "A draw: the match was cancelled"
    DROPPED = "dropped", "A player dropped out"
    RULING = "ruling", "Decided by the organisers"


class Pairing(models.Model):
    """Who sits together in a round, and why. With one player it is a bye."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    number = models.PositiveIntegerField(help_text="The table, from 1.")
    reason = models.CharField(max_length=REASON_LENGTH)
    for_third = models.BooleanField(default=False)
    match = models.OneToOneField(
        Match,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="pairing",
        help_text="Of a series its first match.",
    )
    how = models.CharField(max_length=9, choices=How.choices, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("round_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("round", "number"), name="pairing_number"),
            models.CheckConstraint(
                condition=Q(how="", decided_at__isnull=True)
                | (~Q(how="") & Q(decided_at__isnull=False)),
                name="pairing_decided_somehow",
            ),
        )
        indexes = (
            models.Index(
                fields=("round",), condition=Q(decided_at__isnull=True), name="pairing_open"
            ),
        )

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round_id}"


class PairingSeat(models.Model):
    """One player at a table of a round."""

    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="seats")
    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(help_text="The seat, from 0.")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.PositiveIntegerField(null=True, blank=True)
    wins = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Matches won in the table's series."
    )

    class Meta:
        ordering = ("pairing_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("pairing", "number"), name="pairing_seat_once"),
            models.UniqueConstraint(fields=("round", "entry"), name="pairing_seat_once_a_round"),
        )

    def __str__(self) -> str:
        return f"seat {self.number + 1} of table {self.pairing_id}"


class RulingKind(models.TextChoices):
    """A public decision of an organiser."""

    RESULT = "result", "Result"
    BYE = "bye", "Bye"
    DROP = "drop", "Removed"
    REINSTATE = "reinstate", "Reinstated"
    TAKE_BACK = "take-back", "Pairing undone"
    END_ROUND = "end-round", "Round ended"


class Ruling(models.Model):
    """Something that an organiser overruled, and the reason. It never changes."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rulings")
    kind = models.CharField(max_length=9, choices=RulingKind.choices)
    round_number = models.PositiveSmallIntegerField(null=True)
    table_number = models.PositiveIntegerField(null=True)
    entry = models.ForeignKey(Entry, models.SET_NULL, null=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=REASON_LENGTH)
    before = models.CharField(max_length=REASON_LENGTH, blank=True)
    after = models.CharField(max_length=REASON_LENGTH, blank=True)
    details = models.JSONField(default=list, help_text="Pairings that were undone.")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-pk",)
        constraints = (models.CheckConstraint(condition=~Q(reason=""), name="ruling_says_why"),)

    def __str__(self) -> str:
        return self.reason[:60]


class ChallengeState(models.TextChoices):
    """The stage that a challenge has reached, or how it ended."""

    OPEN = "open", "Waiting for a reply"
    PLAYING = "playing", "In progress"
    WON = "won", "Won by the challenger"
    LOST = "lost", "Won by the challenged player"
    DRAWN = "drawn", "Drawn"
    DECLINED = "declined", "Declined"
    EXPIRED = "expired", "Not answered in time"
    WITHDRAWN = "withdrawn", "Withdrawn"
    VOID = "void", "Void"


LIVE_CHALLENGES = (ChallengeState.OPEN, ChallengeState.PLAYING)


class Challenge(models.Model):
    """A player of a ladder challenges another for a place."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="challenges")
    number = models.PositiveIntegerField(help_text="In the ladder, from 1.")
    challenger = models.ForeignKey(Entry, models.CASCADE, related_name="challenges_made")
    challenged = models.ForeignKey(Entry, models.CASCADE, related_name="challenges_received")
    challenger_rank = models.PositiveIntegerField(help_text="When the challenge was made.")
    challenged_rank = models.PositiveIntegerField(help_text="When the challenge was made.")
    state = models.CharField(
        max_length=9, choices=ChallengeState.choices, default=ChallengeState.OPEN
    )
    pairing = models.OneToOneField(
        Pairing, models.SET_NULL, null=True, blank=True, related_name="challenge"
    )
    made_at = models.DateTimeField(default=timezone.now)
    answer_by = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("tournament_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="challenge_number"),
            models.UniqueConstraint(
                fields=("challenger",),
                condition=Q(state__in=("open", "playing")),
                name="challenge_one_made_at_a_time",
            ),
            models.UniqueConstraint(
                fields=("challenged",),
                condition=Q(state__in=("open", "playing")),
                name="challenge_one_received_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state__in=("open", "playing"), ended_at__isnull=True)
                | (~Q(state__in=("open", "playing")) & Q(ended_at__isnull=False)),
                name="challenge_ended_at_a_time",
            ),
        )
        indexes = (
            models.Index(
                fields=("answer_by",), condition=Q(state="open"), name="challenge_by_answer"
            ),
        )

    def __str__(self) -> str:
        return f"challenge {self.number} of {self.tournament_id}"


class RankChange(models.Model):
    """An entry of a ladder got another place. It never changes."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rank_changes")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="rank_changes")
    before = models.PositiveIntegerField(null=True, help_text="Null: not on the ladder before.")
    after = models.PositiveIntegerField(null=True, help_text="Null: off the ladder.")
    challenge = models.ForeignKey(Challenge, models.SET_NULL, null=True, related_name="changes")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=("tournament", "-id"), name="rank_change_by_ladder"),)

    def __str__(self) -> str:
        return f"{self.before} to {self.after}"


class Statistics(models.Model):
    """Decks and cards by results, worked out once when a tournament is over."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="statistics")
    data = models.JSONField()

    class Meta:
        verbose_name_plural = "statistics"

    def __str__(self) -> str:
        return f"statistics of {self.tournament_id}"


class Message(models.Model):
    """A message of the organisers to all players."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="messages")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    text = models.CharField(max_length=1000)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.text[:60]


def name_of(entry: Entry) -> str:
    """The name of an entry on pages; bots have their own."""
    if entry.bot:
        return f"{entry.bot_name or entry.bot} (bot {entry.number})"
    return str(entry.user) if entry.user is not None else "Deleted user"


Standing = dict[str, Any]
"""The stored numbers of an entry: those of ``scoring.Standing``, shares as decimals."""
