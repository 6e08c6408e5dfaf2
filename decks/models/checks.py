"""Many decks before a tournament: handed in, judged against a format, locked."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from collection.models.slugs import SLUG_LENGTH, new_slug
from decks.models.decks import Deck
from decks.models.formats import FormatVersion


class CheckState(models.TextChoices):
    """Where the judging of a check's decks stands."""

    IDLE = "idle", "Idle"
    WAITING = "waiting", "Queued"
    WORKING = "working", "In progress"


class DeckCheck(models.Model):
    """An organiser's pile of decks for one event."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug, editable=False)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="deck_checks"
    )
    title = models.CharField(max_length=120)
    game = models.SlugField(max_length=50)
    mode = models.SlugField(max_length=50)
    house = models.ForeignKey(
        FormatVersion,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="deck_checks",
        help_text="The version of the custom format that decks are checked by.",
    )
    pooled = models.BooleanField(
        default=False, editable=False, help_text="Each deck is built from its player's own pool."
    )
    held_on = models.DateField(null=True, blank=True, help_text="The date of the event.")
    place = models.CharField(max_length=120, blank=True, default="")
    closes_at = models.DateTimeField(null=True, blank=True, help_text="No submissions after this.")
    closed_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="The moment someone closed registration."
    )
    judges = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="judged_checks",
        help_text="Judges have the same rights as the organiser.",
    )
    open = models.BooleanField(default=True, help_text="Players can submit and replace decks.")
    state = models.CharField(
        max_length=8, choices=CheckState.choices, default=CheckState.IDLE, editable=False
    )
    total = models.PositiveIntegerField(default=0, editable=False)
    done = models.PositiveIntegerField(default=0, editable=False)
    touched_at = models.DateTimeField(default=timezone.now, help_text="The worker's last sign.")
    locked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(locked_at__isnull=True) | Q(open=False),
                name="deck_check_locked_is_closed",
            ),
        ]
        indexes = [
            models.Index(fields=["organiser", "-created"], name="deck_check_by_organiser"),
            models.Index(fields=["state", "touched_at"], name="deck_check_by_state"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("decks:deck_check", args=[self.slug])

    @property
    def takes_decks(self) -> bool:
        """Players may hand in and change decks now."""
        return self.open and (self.closes_at is None or timezone.now() < self.closes_at)

    @property
    def registration_closed_at(self) -> datetime | None:
        """The moment registration closed, by deadline or by hand; None while it is open."""
        now = timezone.now()
        moments = [at for at in (self.closed_at, self.closes_at) if at is not None and at <= now]
        return min(moments, default=None)


class CheckedDeck(models.Model):
    """One player's deck in a check: a copy of the list, its hash and the verdict.

    While locked, player, list and hash never change; the database itself refuses, and lets a lock
    go only where somebody has noted why.
    """

    check_of = models.ForeignKey(
        DeckCheck, on_delete=models.CASCADE, related_name="decks", db_index=False
    )
    number = models.PositiveIntegerField(help_text="Order of submission, from 1.")
    player = models.CharField(max_length=80)
    player_number = models.CharField(max_length=20, blank=True, default="")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="checked_decks",
    )
    deck = models.ForeignKey(
        Deck, on_delete=models.SET_NULL, null=True, blank=True, related_name="checked"
    )
    pool = models.ForeignKey(
        "decks.CardPool", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    name = models.CharField(max_length=80)
    typed = models.TextField(blank=True)
    cards = models.JSONField(default=dict, help_text="Section, card slug, count.")
    unread = models.JSONField(default=list, help_text="Unrecognised lines.")
    digest = models.CharField(
        max_length=64,
        blank=True,
        help_text="SHA-256 of the normalised list; empty until a worker has read it.",
    )
    report = models.JSONField(null=True, help_text="The result; null until checked.")
    legal = models.BooleanField(null=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    locked_at = models.DateTimeField(null=True, blank=True)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["check_of_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["check_of", "number"], name="checked_deck_number"),
            models.UniqueConstraint(
                fields=["check_of", "user"],
                condition=Q(user__isnull=False),
                name="checked_deck_once_a_person",
            ),
            models.CheckConstraint(
                condition=Q(digest__regex=r"^[0-9a-f]{64}$") | Q(digest="", locked_at=None),
                name="checked_deck_digest",
            ),
        ]
        indexes = [models.Index(fields=["check_of", "judged_at"], name="checked_deck_to_do")]

    def __str__(self) -> str:
        return f"{self.player}: {self.name}"

    @property
    def nameless(self) -> bool:
        """Nobody said whose it is: it goes by its number."""
        return self.user_id is None and self.player == nameless_player(self.number)


class NoteKind(models.TextChoices):
    """A change to lists or to what they are checked by that others have to be able to see."""

    MENDED = "mended", "List corrected"
    UNLOCKED = "unlocked", "Decklists unlocked"
    FORMAT = "format", "New version of the format"


class CheckNote(models.Model):
    """A change to lists or their format, and the reason; ``by`` nobody for a format. It stays."""

    check_of = models.ForeignKey(DeckCheck, on_delete=models.CASCADE, related_name="notes")
    number = models.PositiveIntegerField(null=True, help_text="The deck's number; null for all.")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=8, choices=NoteKind.choices)
    text = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="check_note_says_why"),
        ]

    def __str__(self) -> str:
        return self.text[:60]


def nameless_player(number: int) -> str:
    """The name shown for a player whose list came without one."""
    return f"Player {number}"
