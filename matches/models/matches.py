"""Matches as stored: the start, the seats and the moves; everything else follows from them."""

from __future__ import annotations

import secrets
from datetime import datetime
from secrets import token_bytes

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from matches.clock import seat_clocks
from matches.clock.hours import Hours
from matches.models.fields import CompressedJSONField
from matches.models.series import Series

SLUG_LENGTH = 12


_SLUG_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_slug() -> str:
    """An unguessable public ID of 12 characters without easily confused ones."""
    return "".join(secrets.choice(_SLUG_CHARACTERS) for _ in range(SLUG_LENGTH))


def new_seed() -> bytes:
    """32 bytes from the operating system."""
    return token_bytes(32)


class Result(models.TextChoices):
    """How a match ended for a seat."""

    WON = "won", "Won"
    DRAWN = "drawn", "Drawn"
    LOST = "lost", "Lost"


class Status(models.TextChoices):
    """The state of a match."""

    OPEN = "open", "Waiting for players"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"
    CANCELLED = "cancelled", "Cancelled"


class TimeControl(models.TextChoices):
    """Time controls; their clocks are in :data:`matches.clock.seat_clocks.PRESETS`."""

    LIVE = seat_clocks.LIVE, "Live: 10 minutes + 15 seconds per turn"
    FAST = seat_clocks.FAST, "Correspondence, fast: 3 days + 12 hours per turn"
    STEADY = seat_clocks.STEADY, "Correspondence: 3 days + 1 day per turn"
    SLOW = seat_clocks.SLOW, "Correspondence, slow: 7 days + 36 hours per turn"
    FRIENDS = seat_clocks.FRIENDS, "No time limit"


class Timeout(models.TextChoices):
    """The rule for players who run out of time, as it is announced before they join."""

    FORFEIT = seat_clocks.Timeout.FORFEIT, "They lose the match"
    BOT = seat_clocks.Timeout.BOT, "A bot takes over until they return"
    TURN = seat_clocks.Timeout.TURN, "A default move is played for them"


class Unrated(models.TextChoices):
    """Why a match is not rated, where its mode, seats and privacy alone do not say so."""

    CASUAL = "casual", "Casual, as chosen when the table was created."
    TAKEBACK = "takeback", "This match went back to the start of a turn, so it is not rated."
    GUEST = "guest", "Matches with guests are not rated."
    EARLY = "early", "A player left before their second move, so this match is not rated."


class SeatKind(models.TextChoices):
    """The occupant of a seat."""

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
    """The index of an audience in counts and masks: 0 for spectators, then the seats."""
    return 0 if seat is None else seat + 1


class Match(models.Model):
    """One match of a game, from the open table to the result."""

    slug = models.CharField(max_length=SLUG_LENGTH, default=new_slug, editable=False)
    game = models.CharField(max_length=40)
    mode = models.CharField(max_length=40)
    rules_version = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    decks = models.JSONField(
        default=list, help_text="The shared deck of a mode with one deck for all."
    )
    time_control = models.CharField(
        max_length=8, choices=TimeControl.choices, default=TimeControl.STEADY
    )
    timeout = models.CharField(
        max_length=8,
        choices=Timeout.choices,
        default=Timeout.FORFEIT,
        help_text="What happens when a player runs out of time.",
    )
    pauses_when_away = models.BooleanField(default=True, help_text="Clocks pause during vacation.")
    private = models.BooleanField(default=False, help_text="Only its players may watch.")
    listed = models.BooleanField(
        default=False,
        help_text="Listed in the lobby while open; anyone may join.",
    )
    allows_replacements = models.BooleanField(
        default=False,
        help_text="A replacement may take over the seat of a player who leaves.",
    )
    rating_from = models.SmallIntegerField(
        null=True,
        blank=True,
        help_text="The lowest rating of players who join uninvited.",
    )
    rating_to = models.SmallIntegerField(
        null=True, blank=True, help_text="The highest rating of players who join uninvited."
    )
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="hosted_matches",
        db_index=False,
    )
    in_event = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="An event counts its result: the people at the table cannot cancel it.",
    )
    lesson = models.CharField(
        max_length=12,
        blank=True,
        editable=False,
        help_text="The edition of the lesson, if the match is one.",
    )
    initial_position = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="A lesson’s prepared table, in the game’s own format.",
    )
    guests_may_write = models.BooleanField(
        default=True,
        help_text="Guests may type messages in the chat, not only use quick chat.",
    )
    rematch_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematches", db_index=False
    )
    series = models.ForeignKey(
        Series,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
        db_index=False,
        editable=False,
    )
    series_number = models.PositiveSmallIntegerField(
        null=True, blank=True, editable=False, help_text="Which match of its series, from 1."
    )
    seats_swapped = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="The players of the series sit the other way round than in its first match.",
    )

    among_people = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Two people at least sat there at its start.",
    )
    server_seed = models.BinaryField(default=new_seed, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    bot_secret = models.BinaryField(default=new_seed, editable=False)
    archived = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Its start, state and moves lie in its archive.",
    )
    opening_events = CompressedJSONField(
        default=list, editable=False, help_text="The events of the start."
    )
    outcome = models.JSONField(null=True, editable=False)
    reason = models.CharField(max_length=40, blank=True, editable=False)

    created_at = models.DateTimeField(default=timezone.now)
    bots_join_at = models.DateTimeField(
        null=True, blank=True, help_text="When bots take the open seats."
    )
    reminded_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When the host was reminded of the open table.",
    )
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)

    # What a move changes stands side by side: PostgreSQL logs all that lies between the first and
    # the last byte that differ (docs/decisions/0037).
    version = models.PositiveIntegerField(
        default=0,
        help_text="Counts the writes; each writer names the version that it read.",
    )
    silent_writes = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="Counts the writes that nobody else notices: standing orders, and hours that "
        "move no deadline. Compared and swapped like the version.",
    )
    hidden_writes = models.PositiveIntegerField(
        default=0,
        editable=False,
        help_text="The number of writes that only players notice: offers.",
    )
    unrated = models.CharField(
        max_length=8,
        choices=Unrated.choices,
        blank=True,
        help_text="Why it is not rated; empty for matches that may count.",
    )
    ply = models.PositiveIntegerField(default=0, help_text="The number of moves.")
    hidden_plies = models.JSONField(
        default=list,
        editable=False,
        help_text="The numbers of moves hidden from spectators, seat 1, seat 2 and so on.",
    )
    state = CompressedJSONField(
        null=True,
        editable=False,
        help_text="The engine’s snapshot; null before the start and once archived.",
    )
    moved_at = models.DateTimeField(
        null=True, blank=True, help_text="The time of the last move that was visible to all."
    )
    active_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="The ten minutes in which it was moved last.",
    )
    deadline_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The earliest deadline of all seats.",
    )
    clock_check_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When the clocks have to be checked, if not later: a move alone never sets it "
        "to a later time.",
    )
    bots_asked_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Since when a bot has been asked to move, to the second; null while none is.",
    )

    class Meta:
        verbose_name_plural = "matches"
        ordering = ("-created_at", "-pk")
        # Few moves change a column that stands in an index or its condition (decision 37): so
        # PostgreSQL writes the match anew on its own page and touches no index. All ascend, though
        # the newest are read first: an index that grows at its end has full pages.
        indexes = (
            models.Index(fields=("host",), condition=Q(host__isnull=False), name="match_by_host"),
            models.Index(
                fields=("status", "id"), condition=~Q(status="finished"), name="match_by_status"
            ),
            models.Index(fields=("game", "id"), name="match_by_game"),
            models.Index(fields=("id",), condition=Q(status="finished"), name="match_finished"),
            models.Index(
                fields=("game", "id"),
                condition=Q(status="finished"),
                name="match_finished_by_game",
            ),
            models.Index(
                fields=("-created_at",), condition=Q(status="open"), name="match_open_by_age"
            ),
            models.Index(
                fields=("clock_check_at",), condition=Q(status="running"), name="match_by_clock"
            ),
            models.Index(
                fields=("bots_asked_at",),
                condition=Q(status="running", bots_asked_at__isnull=False),
                name="match_by_bots_asked",
            ),
            models.Index(
                fields=("finished_at", "id"),
                condition=Q(status="finished"),
                name="match_by_end",
            ),
            models.Index(
                fields=("game", "mode", "finished_at", "id"),
                condition=Q(status="finished", private=False),
                name="match_public_by_mode",
            ),
            models.Index(
                fields=("active_at", "id"),
                condition=Q(status="running", private=False),
                name="match_public_running",
            ),
            models.Index(
                fields=("finished_at", "id"),
                condition=Q(status="finished", archived=False),
                name="match_unarchived_by_end",
            ),
            models.Index(
                fields=("bots_join_at",),
                condition=Q(status="open", bots_join_at__isnull=False),
                name="match_by_bots",
            ),
        )
        constraints = (
            # Not unique=True: that would add an index for prefixes, which nobody searches by.
            models.UniqueConstraint(fields=("slug",), name="match_slug_once"),
            models.UniqueConstraint(
                fields=("rematch_of",),
                condition=Q(rematch_of__isnull=False),
                name="match_one_rematch",
            ),
            models.CheckConstraint(
                condition=Q(status="finished", outcome__isnull=False, finished_at__isnull=False)
                | (~Q(status="finished") & Q(outcome__isnull=True, finished_at__isnull=True)),
                name="match_finished_means_outcome",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=("open", "cancelled"), state__isnull=True, ply=0, archived=False
                )
                | Q(
                    status__in=("running", "finished", "cancelled"),
                    state__isnull=False,
                    started_at__isnull=False,
                    archived=False,
                )
                | Q(
                    status="finished",
                    state__isnull=True,
                    started_at__isnull=False,
                    archived=True,
                ),
                name="match_started_means_state",
            ),
            models.CheckConstraint(
                condition=Q(version__gte=F("ply")), name="match_version_counts_plies"
            ),
            models.UniqueConstraint(
                fields=("series", "series_number"),
                condition=Q(series__isnull=False),
                name="match_once_in_a_series",
            ),
            models.CheckConstraint(
                condition=Q(series__isnull=True, series_number__isnull=True, seats_swapped=False)
                | Q(series__isnull=False, series_number__gte=1),
                name="match_numbered_in_its_series",
            ),
            models.CheckConstraint(
                condition=Q(timeout__in=Timeout.values), name="match_timeout_is_known"
            ),
            models.CheckConstraint(
                condition=Q(listed=False) | Q(private=False), name="match_listed_is_public"
            ),
            models.CheckConstraint(
                condition=Q(lesson="") | Q(private=True, initial_position__isnull=False),
                name="match_lesson_is_private",
            ),
            models.CheckConstraint(
                condition=Q(rating_from__isnull=True, rating_to__isnull=True)
                | Q(rating_from__lte=F("rating_to"), private=False),
                name="match_rating_window",
            ),
            models.CheckConstraint(
                condition=Q(allows_replacements=False) | Q(private=False, timeout="bot"),
                name="match_with_replacements_is_public",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.mode} {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("matches:table", args=(self.slug,))

    @property
    def preset(self) -> seat_clocks.Clock | None:
        """The clock of its time control; None without a time limit."""
        return seat_clocks.PRESETS[self.time_control]

    def set_moved(self, now: datetime) -> None:
        """Note a move that all see."""
        self.moved_at = now
        self.active_at = now.replace(minute=now.minute // 10 * 10, second=0, microsecond=0)

    @property
    def begun(self) -> bool:
        """True once dealt, whatever came of it."""
        return self.started_at is not None

    @property
    def finished(self) -> bool:
        """True once played to its end; then anyone who may watch sees its decks and moves."""
        return self.status == Status.FINISHED

    @property
    def seeds_public(self) -> bool:
        """True once nothing more is drawn from the seeds.

        Cancelled matches reveal nothing else: their decks stay secret.
        """
        return self.status in (Status.FINISHED, Status.CANCELLED)

    def hidden_ply_count(self, seat: int | None) -> int:
        """The number of moves hidden from a seat (None: from spectators)."""
        return int(self.hidden_plies[audience(seat)]) if self.hidden_plies else 0

    def visible_ply(self, seat: int | None) -> int:
        """The number of moves visible to a seat (None: to spectators).

        Audiences number only the moves that they see: a count of all moves would reveal how far
        seats are that answer unseen.
        """
        return self.ply - self.hidden_ply_count(seat)


class Seat(models.Model):
    """A place at the table, counted from 0."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=SeatKind.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
        db_index=False,
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitations",
        db_index=False,
        help_text="The person for whom an open seat is reserved.",
    )
    bot = models.CharField(max_length=40, blank=True)
    client_seed = models.CharField(
        max_length=64,
        blank=True,
        help_text="The client seed of this player.",
    )
    deck = CompressedJSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="The deck as it was when its player joined. Secret until the end.",
    )
    deck_name = models.CharField(max_length=80, blank=True, editable=False)
    prompt = models.PositiveIntegerField(
        null=True, blank=True, help_text="The number of the seat’s open prompt."
    )
    deadline_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When its turn began."
    )
    time_bank = models.DurationField(
        null=True,
        blank=True,
        editable=False,
        help_text="Time left when its turn began, or while it is not its turn.",
    )
    flag_fallen = models.BooleanField(default=False, editable=False, help_text="Out of time.")
    substitute_bot = models.CharField(
        max_length=40,
        blank=True,
        help_text="The bot that plays for its absent person.",
    )
    resigned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="resigned_seats",
        db_index=False,
        help_text="The first person, if they left: the loss is theirs.",
    )
    resigned_seat_at = models.DateTimeField(null=True, blank=True, editable=False)
    time_given_by = models.JSONField(
        default=list,
        editable=False,
        help_text="The people who have given it time during this turn.",
    )
    wants_cancel = models.BooleanField(default=False, help_text="Agrees to cancel the match.")
    wants_takeback = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Agrees to a takeback to just after this ply.",
    )
    wants_draw = models.BooleanField(default=False, help_text="Agrees to a draw.")
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    result = models.CharField(max_length=5, choices=Result.choices, blank=True, editable=False)
    finished_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When its match ended.",
    )

    own_hours: Hours | None = None
    """The hours of its person, if they were loaded with the seat (``queries.access.seats_of``)."""

    class Meta:
        ordering = ("match_id", "number")
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
                condition=Q(substitute_bot="") | Q(kind="person"),
                name="seat_substitute_for_a_person",
            ),
            models.CheckConstraint(
                condition=Q(resigned_by__isnull=True)
                | Q(kind="person", resigned_seat_at__isnull=False),
                name="seat_resigned_at_a_time",
            ),
        )
        # A move changes no column that stands in an index or its condition (but for a substitute
        # bot): so PostgreSQL writes the seat anew on its own page and touches no index.
        indexes = (
            models.Index(
                fields=("user", "match"),
                condition=Q(rank__isnull=True, user__isnull=False),
                name="seat_without_rank",
            ),
            models.Index(
                fields=("match",),
                condition=Q(user=None, resigned_seat_at__isnull=False, rank=None)
                & Q(substitute_bot__gt=""),
                name="seat_vacant",
            ),
            models.Index(
                fields=("user", "match"),
                condition=Q(user__isnull=False),
                name="seat_newest_of_user",
            ),
            models.Index(
                fields=("user", "finished_at", "match"),
                condition=Q(user__isnull=False, finished_at__isnull=False),
                name="seat_latest_of_user",
            ),
            models.Index(
                fields=("invited",), condition=Q(invited__isnull=False), name="seat_invited"
            ),
            models.Index(
                fields=("resigned_by",),
                condition=Q(resigned_by__isnull=False),
                name="seat_resigned",
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.number + 1} of {self.match_id}"

    @property
    def vacant(self) -> bool:
        """True if its person left and a bot plays until a replacement joins."""
        return (
            self.user_id is None and self.resigned_seat_at is not None and bool(self.substitute_bot)
        )


class MoveQuerySet(models.QuerySet["MoveRow"]):
    """Moves, filtered by what an audience sees."""

    def visible_to(self, seat: int | None) -> MoveQuerySet:
        """The moves visible to a seat (None: to spectators), in order.

        The first is the audience's move 1, and so on.
        """
        return self.with_bit_clear(1 << audience(seat))

    def with_bit_clear(self, bit: int) -> MoveQuerySet:
        """The moves visible to the audience with this bit of ``hidden_from``, in order."""
        return self.alias(hidden=F("hidden_from").bitand(bit)).filter(hidden=0).order_by("ply")


class MoveRow(models.Model):
    """One ply: an answer to a prompt, a concession, an agreed draw, or a takeback.

    Never changed: undone moves stay, followed by the row of the takeback. Only the archive takes
    their place (``matches.moves`` reads both).
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField(help_text="Counts from 1.")
    seat = models.PositiveSmallIntegerField()
    prompt = models.PositiveIntegerField(
        null=True, help_text="The answered prompt; null for concessions and takebacks."
    )
    move = models.JSONField(
        null=True,
        help_text="Null for a concession; `back_to` a ply is a takeback; `agreed` is a draw.",
    )
    notation = models.CharField(max_length=200)
    events = models.JSONField(default=list, help_text="All events, secrets included.")
    hidden_from = models.PositiveIntegerField(
        default=0,
        help_text="Audiences it is hidden from: bit 0 spectators, bit 1 seat 1, and so on.",
    )
    source = models.CharField(max_length=6, choices=Source.choices)
    by_order = models.BooleanField(
        default=False,
        help_text="Made by a standing order; only its person knows while the match runs.",
    )
    at = models.DateTimeField(default=timezone.now)

    objects = MoveQuerySet.as_manager()

    class Meta:
        verbose_name = "move"
        ordering = ("match_id", "ply")
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
