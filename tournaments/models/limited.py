"""Sealed and draft: what was announced, who sits where, packs, and who took what.

The pile that somebody picks from follows from the picks made so far
(``rules.engine.limited.opener_of``); only its deadline is stored.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from decks.models import CardPool


class LimitedKind(models.TextChoices):
    """Where the cards of a tournament's decks come from."""

    SEALED = "sealed", "Sealed"
    DRAFT = "draft", "Draft"


class Limited(models.Model):
    """The announced terms of a tournament with decks out of packs, and how far it has come."""

    tournament = models.OneToOneField(
        "tournaments.Tournament", models.CASCADE, related_name="limited"
    )
    kind = models.CharField(max_length=6, choices=LimitedKind.choices)
    product = models.CharField(max_length=60)
    contents = models.JSONField(help_text="The pack's contents, as promised when announced.")
    basics = models.JSONField(default=dict, help_text="Cards that everybody may use besides.")
    format = models.JSONField(default=dict, help_text="The game's options that judge the decks.")
    packs = models.PositiveSmallIntegerField(help_text="Number for each player.")
    pile = models.PositiveSmallIntegerField(
        default=1, help_text="Draft: so many packs are opened together and passed on."
    )
    pick_hours = models.PositiveSmallIntegerField(default=12)
    build_hours = models.PositiveSmallIntegerField(default=48)
    keeps = models.BooleanField(default=False, help_text="Players keep the cards of their packs.")
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    completed_at = models.DateTimeField(null=True, blank=True, editable=False)
    granted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(completed_at__isnull=True) | Q(opened_at__isnull=False),
                name="limited_opened_before_complete",
            ),
            models.CheckConstraint(
                condition=Q(pile__gte=1) & Q(packs__gte=1), name="limited_has_packs"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.tournament_id}"

    @property
    def draft(self) -> bool:
        """Piles are passed on; otherwise everybody opens packs of their own."""
        return self.kind == LimitedKind.DRAFT

    @property
    def rounds(self) -> int:
        """How many piles each drafter opens, one after the other."""
        return self.packs // self.pile


class LimitedSeat(models.Model):
    """A player's place in a pod, or their packs of a sealed tournament."""

    limited = models.ForeignKey(Limited, models.CASCADE, related_name="seats")
    entry = models.OneToOneField("tournaments.Entry", models.CASCADE, related_name="limited_seat")
    pod = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveIntegerField(help_text="The seat in the pod, from 0.")
    client_seed = models.CharField(max_length=64, blank=True)
    due_at = models.DateTimeField(
        null=True, blank=True, help_text="When a bot makes the pick that the seat has to make now."
    )
    pool = models.OneToOneField(
        CardPool, models.SET_NULL, null=True, blank=True, related_name="limited_seat"
    )

    class Meta:
        ordering = ("limited_id", "pod", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("limited", "pod", "number"), name="limited_seat_number"
            ),
        )
        indexes = (
            models.Index(
                fields=("due_at",), condition=Q(due_at__isnull=False), name="limited_seat_due"
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.number + 1} of pod {self.pod} of {self.limited_id}"


class LimitedPack(models.Model):
    """A pack of a tournament. Its seed follows from the tournament's, which was committed to when
    it was announced."""

    seat = models.ForeignKey(LimitedSeat, models.CASCADE, related_name="packs")
    slug = models.CharField(max_length=40, unique=True)
    round_number = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveSmallIntegerField(help_text="In its pile, from 1.")
    commitment = models.CharField(max_length=64)
    cards = models.JSONField(null=True, help_text="Card slugs by slot, once it is opened.")

    class Meta:
        ordering = ("seat_id", "round_number", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("seat", "round_number", "number"), name="limited_pack_number"
            ),
        )

    def __str__(self) -> str:
        return self.slug


class DraftPick(models.Model):
    """A card that somebody took. ``place`` is the card's in its pile, counted through its packs."""

    seat = models.ForeignKey(LimitedSeat, models.CASCADE, related_name="picks")
    opener = models.ForeignKey(LimitedSeat, models.CASCADE, related_name="+")
    round_number = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(help_text="In the round, from 1.")
    place = models.PositiveSmallIntegerField()
    card = models.CharField(max_length=80)
    by_bot = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ("seat_id", "round_number", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("seat", "round_number", "number"), name="draft_pick_once"
            ),
            models.UniqueConstraint(
                fields=("opener", "round_number", "place"), name="draft_card_once"
            ),
        )

    def __str__(self) -> str:
        return f"pick {self.round_number}.{self.number} of seat {self.seat_id}"
