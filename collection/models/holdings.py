"""Who owns what, and how it came about.

The ledger is the truth: every card that comes, goes or changes hands is a row of it. A holding is
the ledger's sum for one person and one card, kept beside it so that a page needs no summing; only
``collection.services.ledger`` writes both. *Digital* copies (opened, given, won, traded) can be
traded on; for *physical* copies the site takes their owner's word.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from collection.copies import CONDITIONS, LANGUAGES, MAX_LENGTHS
from collection.models.catalog import Card, CardSet, Game

MAX_COPIES = 1_000_000
"""More copies of one card than anybody will ever count."""
MAX_TAGS = 200
MAX_NOTES = 2000
"""Maximum length of tags and notes, in characters."""


class Visibility(models.TextChoices):
    """Who may look at a collection."""

    PRIVATE = "private", "Only you"
    FRIENDS = "friends", "Your friends"
    PUBLIC = "public", "Everyone"


class Kind(models.TextChoices):
    """Digital copies come from the site; physical ones are counted by their owner."""

    DIGITAL = "digital", "Digital copy"
    PHYSICAL = "physical", "Physical copy"


class Reason(models.TextChoices):
    """Why cards moved."""

    STARTER = "starter", "Starter deck"
    PACK = "pack", "Pack opened"
    GRANT = "grant", "Gift from Riffle"
    TRADE = "trade", "Trade"
    ANTE = "ante", "Won or lost in a match"
    HAND = "hand", "Added manually"
    IMPORT = "import", "Imported list"
    UNDO = "undo", "Import undone"
    MERGE = "merge", "From your guest account"


class Collection(models.Model):
    """A person's collection settings. No row exists before they change one."""

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collection"
    )
    visibility = models.CharField(
        max_length=8, choices=Visibility.choices, default=Visibility.PRIVATE
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(visibility__in=Visibility.values), name="collection_known_visibility"
            ),
        ]

    def __str__(self) -> str:
        return f"Collection of {self.owner}"


class Holding(models.Model):
    """How many copies of one card a person has, wants, and has for trade."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="holdings",
        db_index=False,  # two indexes begin with it; SQLite would choose the least useful one
    )
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="holdings")
    digital = models.PositiveIntegerField(default=0, help_text="Digital copies.")
    physical = models.PositiveIntegerField(default=0, help_text="Physical copies.")
    quantity = models.GeneratedField(
        expression=F("digital") + F("physical"),
        output_field=models.PositiveIntegerField(),
        db_persist=True,
    )
    described = models.PositiveIntegerField(
        default=0,
        help_text="Copies with details, in rows of their own; the others are plain.",
    )
    for_trade = models.PositiveIntegerField(default=0, help_text="Copies for trade.")
    wishlist = models.PositiveIntegerField(
        default=0, help_text="How many copies the owner wants in total."
    )
    tags = models.CharField(max_length=MAX_TAGS, blank=True, help_text="Comma-separated.")
    notes = models.TextField(max_length=MAX_NOTES, blank=True)
    extra = models.JSONField(
        default=dict,
        blank=True,
        help_text="Unknown columns of an imported list; included in exports.",
    )
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "card"], name="holding_once_a_card"),
            models.CheckConstraint(
                condition=Q(digital__gte=0), name="holding_digital_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(physical__gte=0), name="holding_physical_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(for_trade__lte=F("digital") + F("physical")),
                name="holding_for_trade_is_owned",
            ),
            models.CheckConstraint(
                condition=Q(described__lte=F("digital") + F("physical")),
                name="holding_described_is_owned",
            ),
        ]
        indexes = [
            # All that a wall and the sums ask of a collection: its rows themselves, which lie
            # wherever they were written, are not read for that.
            models.Index(
                fields=[
                    "owner",
                    "card",
                    "quantity",
                    "digital",
                    "wishlist",
                    "for_trade",
                    "updated_at",
                ]
                + ["described"],
                name="holding_seen_at_a_glance",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} of card {self.card_id} for person {self.owner_id}"

    @property
    def missing(self) -> int:
        """How many copies the wishlist still lacks."""
        return max(0, self.wishlist - self.digital - self.physical)

    @property
    def tag_list(self) -> list[str]:
        """The tags one by one."""
        return [tag for tag in self.tags.split(", ") if tag]


class DescribedCopies(models.Model):
    """Copies of a holding of which the same is said: condition, language, finish, binder, note.

    The holding's count stays the one truth. These rows never count more copies than it does, for
    its ``described`` is their sum and no more than it has; ``collection.services.copies`` alone
    writes both, together, while the holding is locked.
    """

    holding = models.ForeignKey(
        Holding, on_delete=models.CASCADE, related_name="copies", db_index=False
    )
    key = models.CharField(max_length=32, help_text="Differs where any detail differs.")
    quantity = models.PositiveIntegerField()
    for_trade = models.PositiveIntegerField(default=0, help_text="How many of these are for trade.")
    condition = models.CharField(max_length=16, blank=True, choices=list(CONDITIONS.items()))
    language = models.CharField(max_length=3, blank=True, choices=list(LANGUAGES.items()))
    finish = models.CharField(
        max_length=MAX_LENGTHS["finish"], blank=True, help_text="foil, etched, or another word."
    )
    binder = models.CharField(max_length=MAX_LENGTHS["binder"], blank=True)
    note = models.CharField(max_length=MAX_LENGTHS["note"], blank=True)
    tags = models.CharField(
        max_length=MAX_LENGTHS["tags"], blank=True, help_text="Besides those of the card."
    )
    extra = models.JSONField(
        default=dict,
        blank=True,
        help_text="Unknown columns of an imported list for these copies; included in exports.",
    )

    class Meta:
        verbose_name_plural = "described copies"
        constraints = [
            models.UniqueConstraint(fields=["holding", "key"], name="copies_described_once"),
            models.CheckConstraint(condition=Q(quantity__gt=0), name="copies_are_some"),
            models.CheckConstraint(condition=~Q(key=""), name="copies_say_something"),
            models.CheckConstraint(
                condition=Q(for_trade__lte=F("quantity")), name="copies_for_trade_are_owned"
            ),
            models.CheckConstraint(
                condition=Q(condition__in=["", *CONDITIONS]), name="copies_known_condition"
            ),
            models.CheckConstraint(
                condition=Q(language__in=["", *LANGUAGES]), name="copies_known_language"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} of holding {self.holding_id}"


class Tally(models.Model):
    """How much of some part of the catalog came to a person, or left them.

    A part is a game's cards of one rarity, current or retired, or a set. What somebody has of it
    is the sum over its rows. Every transfer adds rows of its own and changes none, so that nobody
    waits for anybody; where there are many, they are added up into one.
    ``collection.services.tallies`` alone writes them.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="tallies",
        db_index=False,  # the index below begins with it
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    card_set = models.ForeignKey(
        CardSet, on_delete=models.CASCADE, null=True, related_name="+", db_index=False
    )
    rarity = models.CharField(max_length=20, blank=True, help_text="Empty for a set.")
    retired = models.BooleanField(default=False)
    cards = models.IntegerField(help_text="Different cards.")
    copies = models.IntegerField(help_text="All copies.")
    digital = models.IntegerField(help_text="Digital copies.")

    class Meta:
        verbose_name_plural = "tallies"
        indexes = [
            models.Index(
                fields=["owner", "game", "rarity", "retired", "card_set"]
                + ["cards", "copies", "digital"],
                name="tally_at_a_glance",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cards:+} cards for person {self.owner_id}"


class Transfer(models.Model):
    """Cards that moved together, for one reason. Its key makes doing it twice impossible."""

    key = models.CharField(max_length=120)
    reason = models.CharField(max_length=10, choices=Reason.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="transfers_made",
        help_text="Who did it; nobody where the site did.",
    )
    note = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["key"], name="transfer_once")]

    def __str__(self) -> str:
        return self.key


class LedgerRow(models.Model):
    """Copies of one card that went from one person to another; no giver means from outside."""

    transfer = models.ForeignKey(
        Transfer,
        on_delete=models.PROTECT,
        related_name="rows",
        db_index=False,  # an index below begins with it
    )
    card = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="ledger_rows")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    count = models.PositiveIntegerField()
    giver = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="ledger_given",
        db_index=False,
    )
    taker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="ledger_taken",
        db_index=False,
    )

    class Meta:
        ordering = ["transfer_id", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(count__gt=0), name="ledger_row_moves_something"),
            models.CheckConstraint(condition=~Q(giver=F("taker")), name="ledger_row_changes_hands"),
        ]
        indexes = [
            models.Index(fields=["giver", "card"], name="ledger_by_giver"),
            models.Index(fields=["taker", "card"], name="ledger_by_taker"),
            models.Index(fields=["transfer", "card"], name="ledger_by_transfer"),
        ]

    def __str__(self) -> str:
        return f"{self.count} of card {self.card_id}: {self.giver_id} → {self.taker_id}"


class LedgerEntry(models.Model):
    """The changes of a transfer for one person: their rows of the ledger, added up.

    Written with the rows, so that a page of somebody's history needs no grouping of all of them.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="ledger_entries",
        db_index=False,  # the constraint below has an index that begins with it
    )
    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    lines = models.PositiveIntegerField(help_text="Rows of the ledger.")
    came = models.PositiveIntegerField(help_text="Copies that the person got.")
    went = models.PositiveIntegerField(help_text="Copies that the person gave.")

    class Meta:
        verbose_name_plural = "ledger entries"
        constraints = [
            models.UniqueConstraint(fields=["person", "transfer"], name="ledger_entry_once"),
        ]

    def __str__(self) -> str:
        return f"+{self.came} −{self.went} for person {self.person_id}"
