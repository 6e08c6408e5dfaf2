"""Matches as the database keeps them: the start, the seats and the moves are the truth."""

from __future__ import annotations

import secrets
from secrets import token_bytes

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from matches.clock import seat_clocks
from matches.clock.hours import Hours

SLUG_LENGTH = 12


_SLUG_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_slug() -> str:
    """A public match id that nobody can guess: 12 letters and digits, none easily confused."""
    return "".join(secrets.choice(_SLUG_LETTERS) for _ in range(SLUG_LENGTH))


def new_seed() -> bytes:
    """32 bytes from the operating system."""
    return token_bytes(32)


class Result(models.TextChoices):
    """How a match ended for a seat."""

    WON = "won", "Won"
    DRAWN = "drawn", "Drawn"
    LOST = "lost", "Lost"


class Status(models.TextChoices):
    """Where a match stands in its life."""

    OPEN = "open", "Waiting for players"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"
    CANCELLED = "cancelled", "Cancelled"


class Pace(models.TextChoices):
    """How much time people have; what each gives stands in `matches.clock.seat_clocks.PRESETS`."""

    LIVE = seat_clocks.LIVE, "Live: 10 minutes, and 15 seconds more a turn"
    FAST = seat_clocks.FAST, "Fast: 3 days, and 12 hours more a turn"
    STEADY = seat_clocks.STEADY, "Steady: 3 days, and a day more a turn"
    SLOW = seat_clocks.SLOW, "Slow: 7 days, and 36 hours more a turn"
    FRIENDS = seat_clocks.FRIENDS, "Among friends: no clock"


class Timeout(models.TextChoices):
    """What happens to a seat whose time has run out, as it is said before one sits down."""

    FORFEIT = seat_clocks.Timeout.FORFEIT, "They lose the match"
    BOT = seat_clocks.Timeout.BOT, "A bot plays for them until they are back"
    TURN = seat_clocks.Timeout.TURN, "That turn is played for them"


class SeatKind(models.TextChoices):
    """Who sits in a seat."""

    PERSON = "person", "Person"
    BOT = "bot", "Bot"
    OPEN = "open", "Open"


class Source(models.TextChoices):
    """Who made a move: the seat's person, its bot, or the clock."""

    PERSON = "person", "Person"
    BOT = "bot", "Bot"
    CLOCK = "clock", "Clock"


SECRETS = ("server_seed", "bot_secret", "state")


def audience(seat: int | None) -> int:
    """The number of an audience in counts and masks: 0 for spectators, then the seats."""
    return 0 if seat is None else seat + 1


class Match(models.Model):
    """One match of a game, from the open table to the result."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    rules_version = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    decks = models.JSONField(default=list, help_text="The shared deck, if it is played with one.")
    pace = models.CharField(max_length=8, choices=Pace.choices, default=Pace.STEADY)
    timeout = models.CharField(
        max_length=8,
        choices=Timeout.choices,
        default=Timeout.FORFEIT,
        help_text="What happens to a seat whose time has run out.",
    )
    waits = models.BooleanField(default=True, help_text="It waits for people who are away.")
    private = models.BooleanField(default=False, help_text="Only people in its seats may watch.")
    listed = models.BooleanField(
        default=False,
        help_text="While it is open it stands in the lobby, and anybody may take a free seat.",
    )
    seats_pass_on = models.BooleanField(
        default=False,
        help_text="A seat that its person gave up for good may be taken by somebody else.",
    )
    rating_from = models.SmallIntegerField(
        null=True,
        blank=True,
        help_text="Whoever takes a free seat has this rating at least, as it is shown.",
    )
    rating_to = models.SmallIntegerField(null=True, blank=True, help_text="And this at most.")
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="hosted_matches",
    )
    lesson = models.CharField(
        max_length=12,
        blank=True,
        editable=False,
        help_text="A guided first match: the edition of the lesson that it goes by.",
    )
    laid = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="The prepared table that it began from, as the game lays it out.",
    )
    guests_may_write = models.BooleanField(
        default=True,
        help_text="Whether guests may write words of their own in the chat.",
    )
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch"
    )

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(
        default=0,
        help_text="Counts the writes; every writer names the version that it read.",
    )
    silent_writes = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="Counts the writes that nobody else notices: standing orders given and ended, "
        "hours that move no deadline. As the version it is compared and swapped.",
    )
    hidden_writes = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="How many of the counted writes only those at the table notice: what they offer.",
    )
    unrated = models.BooleanField(
        default=False,
        help_text="All agreed to go back to the start of a turn: it counts for no rating.",
    )
    ply = models.PositiveIntegerField(default=0, help_text="The number of moves made.")
    hidden_plies = models.JSONField(
        default=list,
        editable=False,
        help_text="How many of them were hidden from spectators, then from seat 1, and so on.",
    )
    server_seed = models.BinaryField(default=new_seed, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    bot_secret = models.BinaryField(default=new_seed, editable=False)
    state = models.JSONField(null=True, editable=False, help_text="The engine's snapshot.")
    opening = models.JSONField(default=list, editable=False, help_text="The events of the start.")
    outcome = models.JSONField(null=True, editable=False)
    reason = models.CharField(max_length=40, blank=True, editable=False)

    created_at = models.DateTimeField(default=timezone.now)
    bots_at = models.DateTimeField(
        null=True, blank=True, help_text="When bots take the seats that are open still."
    )
    reminded_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When its host was told that it has been open for long.",
    )
    started_at = models.DateTimeField(null=True, blank=True)
    moved_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last move came that was visible to everybody."
    )
    finished_at = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The earliest deadline of a seat that is asked.",
    )
    acts_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When something is to be done next about somebody's time.",
    )

    class Meta:
        verbose_name_plural = "matches"
        ordering = ("-created_at", "-pk")
        indexes = (
            models.Index(fields=("status", "-created_at"), name="match_by_status"),
            models.Index(
                fields=("deadline_at",),
                condition=Q(status="running"),
                name="match_by_deadline",
            ),
            models.Index(fields=("acts_at",), condition=Q(status="running"), name="match_by_clock"),
            models.Index(fields=("finished_at", "id"), name="match_by_end"),
            models.Index(
                fields=("bots_at",),
                condition=Q(status="open", bots_at__isnull=False),
                name="match_by_bots",
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(status="finished", outcome__isnull=False, finished_at__isnull=False)
                | (~Q(status="finished") & Q(outcome__isnull=True, finished_at__isnull=True)),
                name="match_finished_means_outcome",
            ),
            models.CheckConstraint(
                condition=Q(status__in=("open", "cancelled"), state__isnull=True, ply=0)
                | Q(
                    status__in=("running", "finished", "cancelled"),
                    state__isnull=False,
                    started_at__isnull=False,
                ),
                name="match_started_means_state",
            ),
            models.CheckConstraint(
                condition=Q(version__gte=F("ply")), name="match_version_counts_plies"
            ),
            models.CheckConstraint(
                condition=Q(timeout__in=Timeout.values), name="match_timeout_is_known"
            ),
            models.CheckConstraint(
                condition=Q(listed=False) | Q(private=False), name="match_listed_is_public"
            ),
            models.CheckConstraint(
                condition=Q(lesson="") | Q(private=True, laid__isnull=False),
                name="match_lesson_is_private",
            ),
            models.CheckConstraint(
                condition=Q(rating_from__isnull=True, rating_to__isnull=True)
                | Q(rating_from__lte=F("rating_to"), private=False),
                name="match_rating_window",
            ),
            models.CheckConstraint(
                condition=Q(seats_pass_on=False) | Q(private=False, timeout="bot"),
                name="match_seats_pass_on_in_public",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.mode} {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("matches:table", args=(self.slug,))

    @property
    def preset(self) -> seat_clocks.Clock | None:
        """The clock that it is played by; None where none runs."""
        return seat_clocks.PRESETS[self.pace]

    @property
    def finished(self) -> bool:
        """It was played to its end: from now on decks and moves are everybody's who may watch."""
        return self.status == Status.FINISHED

    @property
    def unsealed(self) -> bool:
        """Nothing will be drawn from the seed any more, so it is public.

        That is all that a match which was cancelled shows: its decks were never played.
        """
        return self.status in (Status.FINISHED, Status.CANCELLED)

    def hidden_ply_count(self, seat: int | None) -> int:
        """How many moves were hidden from a seat (None: from spectators)."""
        return int(self.hidden_plies[audience(seat)]) if self.hidden_plies else 0

    def visible_ply(self, seat: int | None) -> int:
        """How many moves were visible to a seat (None: to spectators).

        That is how this audience numbers the moves: a number that counted all of them would tell
        how far others have come who answer unseen.
        """
        return self.ply - self.hidden_ply_count(seat)


class Seat(models.Model):
    """A place at the table, counted from 0."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=SeatKind.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitations",
        help_text="An open seat with a name on it waits for this person.",
    )
    bot = models.CharField(max_length=40, blank=True)
    client_seed = models.CharField(
        max_length=64,
        blank=True,
        help_text="What this player added to the seed.",
    )
    deck = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="The list it plays with, as it was when its player sat down. Secret to the end.",
    )
    deck_name = models.CharField(max_length=80, blank=True, editable=False)
    prompt = models.PositiveIntegerField(
        null=True, blank=True, help_text="The question that this seat is asked now."
    )
    deadline_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When its turn began."
    )
    bank = models.DurationField(
        null=True,
        blank=True,
        editable=False,
        help_text="Its time when its turn began, or while others are asked.",
    )
    late = models.BooleanField(default=False, editable=False, help_text="Its time is up.")
    stand_in = models.CharField(
        max_length=40,
        blank=True,
        help_text="The bot that keeps it for its person, whose time ran out.",
    )
    given_up_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats_given_up",
        help_text="The first person here, who gave it up for good: it is their rating that loses.",
    )
    given_up_at = models.DateTimeField(null=True, blank=True, editable=False)
    given_by = models.JSONField(
        default=list,
        editable=False,
        help_text="The people who have given it time in this turn.",
    )
    wants_cancel = models.BooleanField(
        default=False, help_text="Its person agrees to cancel the match."
    )
    wants_back = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Its person agrees to go back to the start of a turn, which is after this ply.",
    )
    wants_draw = models.BooleanField(default=False, help_text="Its person agrees to a draw.")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    result = models.CharField(max_length=5, choices=Result.choices, blank=True, editable=False)

    own_hours: Hours | None = None
    """Those of its person, where they were read with it (``queries.seats_of``)."""

    class Meta:
        ordering = ("match", "number")
        constraints = (
            models.UniqueConstraint(fields=("match", "number"), name="seat_once"),
            models.UniqueConstraint(
                fields=("match", "user"),
                condition=Q(user__isnull=False),
                name="seat_once_a_person",
            ),
            models.CheckConstraint(
                condition=(Q(kind="bot", user__isnull=True) & ~Q(bot=""))
                | Q(kind="person", bot="")
                | Q(kind="open", user__isnull=True, bot=""),
                name="seat_kind_fits",
            ),
            models.CheckConstraint(
                condition=Q(stand_in="") | Q(kind="person"), name="seat_stand_in_for_a_person"
            ),
            models.CheckConstraint(
                condition=Q(given_up_by__isnull=True) | Q(kind="person", given_up_at__isnull=False),
                name="seat_given_up_at_a_time",
            ),
        )
        indexes = (
            models.Index(
                fields=("user", "match"),
                condition=Q(prompt__isnull=False),
                name="seat_awaited",
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.number + 1} of {self.match_id}"

    @property
    def vacant(self) -> bool:
        """Given up for good, and kept by a bot for whoever comes."""
        return self.user_id is None and self.given_up_at is not None and bool(self.stand_in)


class MoveQuerySet(models.QuerySet["MoveRow"]):
    """Moves as one audience knows them."""

    def visible_to(self, seat: int | None) -> MoveQuerySet:
        """Those that were visible to a seat (None: to spectators), in their order.

        The first of them is this audience's move 1, and so on.
        """
        return self.with_bit_clear(1 << audience(seat))

    def with_bit_clear(self, bit: int) -> MoveQuerySet:
        """The same, of the audience that has this bit of ``hidden_from``."""
        return self.alias(hidden=F("hidden_from").bitand(bit)).filter(hidden=0).order_by("ply")


class MoveRow(models.Model):
    """One ply: an answer to a prompt, a concession, an agreed draw, or that answers are taken back.

    Never changed, never removed: what was taken back stands before the row that says so.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="moves")
    ply = models.PositiveIntegerField(help_text="Counts from 1.")
    seat = models.PositiveSmallIntegerField()
    prompt = models.PositiveIntegerField(
        null=True, help_text="The question answered; concessions and take-backs answer none."
    )
    move = models.JSONField(
        null=True,
        help_text="Empty for a concession; `back_to` a ply takes answers back; `agreed` is a draw.",
    )
    notation = models.CharField(max_length=200)
    events = models.JSONField(default=list, help_text="All that happened, secrets included.")
    hidden_from = models.PositiveIntegerField(
        default=0,
        help_text="Whom it is hidden from: bit 0 spectators, bit 1 seat 1, and so on.",
    )
    source = models.CharField(max_length=6, choices=Source.choices)
    by_order = models.BooleanField(
        default=False,
        help_text="A standing order of its person made it; while the match runs nobody else knows.",
    )
    at = models.DateTimeField(default=timezone.now)

    objects = MoveQuerySet.as_manager()

    class Meta:
        verbose_name = "move"
        ordering = ("match", "ply")
        constraints = (
            models.UniqueConstraint(fields=("match", "ply"), name="move_once_a_ply"),
            models.UniqueConstraint(
                fields=("match", "seat", "prompt"),
                condition=Q(prompt__isnull=False),
                name="move_once_a_prompt",
            ),
            models.CheckConstraint(condition=Q(ply__gte=1), name="move_counts_from_one"),
            models.CheckConstraint(
                condition=Q(prompt__isnull=True) | Q(move__isnull=False),
                name="move_answers_a_prompt",
            ),
        )

    def __str__(self) -> str:
        return f"{self.ply}. {self.notation}"
