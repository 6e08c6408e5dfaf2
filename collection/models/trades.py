"""Trades: what one person offers another, and what became of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from collection.models.catalog import Card
from collection.models.slugs import SLUG_LENGTH, new_slug


class TradeState(models.TextChoices):
    """Where an offer stands."""

    OPEN = "open", "Pending"
    ACCEPTED = "accepted", "Accepted"
    DECLINED = "declined", "Declined"
    CANCELLED = "cancelled", "Withdrawn"
    COUNTERED = "countered", "Countered"
    EXPIRED = "expired", "Expired"


class Trade(models.Model):
    """An offer: these cards of mine for those of yours. Cards move only when it is accepted."""

    slug = models.CharField(max_length=SLUG_LENGTH, default=new_slug, editable=False)
    proposer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="trades_proposed",
        db_index=False,
    )
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="trades_received",
        db_index=False,
    )
    state = models.CharField(max_length=10, choices=TradeState.choices, default=TradeState.OPEN)
    message = models.CharField(max_length=280, blank=True)
    answer_to = models.OneToOneField(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="counter",
        help_text="The offer that this one answers.",
    )
    token = models.CharField(
        max_length=40, help_text="The form it came from: sent twice, it is one offer."
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["slug"], name="trade_slug_once"),
            models.UniqueConstraint(fields=["proposer", "token"], name="trade_once_a_form"),
            models.CheckConstraint(
                condition=~Q(proposer=F("partner")), name="trade_between_two_people"
            ),
            models.CheckConstraint(
                condition=Q(state="open", settled_at__isnull=True)
                | (~Q(state="open") & Q(settled_at__isnull=False)),
                name="trade_settled_has_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["partner", "state", "-created_at"], name="trade_received"),
            models.Index(fields=["proposer", "state", "-created_at"], name="trade_proposed"),
            models.Index(fields=["expires_at"], condition=Q(state="open"), name="trade_by_expiry"),
        ]

    def __str__(self) -> str:
        return f"trade {self.slug}"

    def get_absolute_url(self) -> str:
        return reverse("collection:trade", args=[self.slug])

    @property
    def stands(self) -> bool:
        """It still waits for an answer."""
        return self.state == TradeState.OPEN and self.expires_at > timezone.now()


class TradeItem(models.Model):
    """Copies of one card that one side gives."""

    trade = models.ForeignKey(Trade, on_delete=models.CASCADE, related_name="items", db_index=False)
    from_proposer = models.BooleanField()
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="+")
    count = models.PositiveIntegerField()

    class Meta:
        ordering = ["trade_id", "-from_proposer", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["trade", "from_proposer", "card"], name="trade_item_once_a_side"
            ),
            models.CheckConstraint(condition=Q(count__gt=0), name="trade_item_is_something"),
        ]

    def __str__(self) -> str:
        return f"{self.count} of card {self.card_id}"
