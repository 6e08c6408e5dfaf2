"""People: guests, members and bot accounts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, AnonymousUser, UserManager
from django.db import models, transaction
from django.db.models.functions import Greatest, Least, Upper
from django.utils import timezone

from accounts.names import readable_name
from core.db import CompiledQuery
from core.scopes import Scope


class People(UserManager["User"]):
    """Reads somebody by their key, as nearly every request does, with SQL that is written once."""

    use_in_migrations = False

    def get(self, *args: Any, **kwargs: Any) -> User:
        # What stands for a relation is of a class derived from this one, and has to filter.
        if type(self) is not People or args or kwargs.keys() != {"pk"}:
            return super().get(*args, **kwargs)
        rows = _of_key.rows(self.model._meta.pk.get_prep_value(kwargs["pk"]))
        if not rows:
            raise self.model.DoesNotExist("Nobody has this key.")
        return rows[0]


_of_key = CompiledQuery(lambda pk: User._base_manager.filter(pk=pk))


class User(AbstractUser):
    """A person, or a program that plays through the API; a guest has no password yet."""

    class Theme(models.TextChoices):
        AUTO = "auto", "System default"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

    class ShownPace(models.TextChoices):
        SLOW = "slow", "slowly"
        NORMAL = "normal", "step by step"
        FAST = "fast", "fast"
        ONCE = "once", "at once"

    display_name = models.CharField(
        "display name",
        max_length=40,
        blank=True,
        validators=[readable_name],
        help_text="Shown to other players.",
    )
    is_guest = models.BooleanField(default=False)
    theme = models.CharField(max_length=5, choices=Theme.choices, default=Theme.AUTO)
    time_zone = models.CharField(
        max_length=40,
        blank=True,
        help_text="As in Europe/Berlin; empty where it is not known, which stands for UTC.",
    )
    shown_pace = models.CharField(
        max_length=6,
        choices=ShownPace.choices,
        blank=True,
        help_text="How fast tables show what happens; empty where nobody has chosen.",
    )
    has_sound = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether tables make sounds; empty where nobody has chosen.",
    )
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="former_guests"
    )
    times_logged_out_everywhere = models.PositiveIntegerField(default=0, editable=False)
    is_bot = models.BooleanField(
        "played by a program",
        default=False,
        help_text="Others see it at the table and in the lobby.",
    )
    shows_record = models.BooleanField("record and ratings", default=True)
    shows_matches = models.BooleanField("recent matches", default=True)
    shows_decks = models.BooleanField("most played decks", default=True)
    deleted_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When its person deleted the account; the row stays for finished matches.",
    )
    closed = models.BooleanField(
        default=False, editable=False, help_text="All that hung on it is gone."
    )

    objects: ClassVar[People] = People()

    class Meta(AbstractUser.Meta):
        indexes = [
            # As names and addresses are looked up: case does not matter.
            models.Index(Upper("username"), name="user_by_name"),
            models.Index(Upper("email"), name="user_by_email"),
            models.Index(
                fields=["deleted_at"],
                condition=models.Q(deleted_at__isnull=False, closed=False),
                name="user_being_closed",
            ),
            models.Index(
                fields=["date_joined"],
                condition=models.Q(is_guest=True, is_active=True),
                name="user_guest_by_age",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="merged_guest_is_inactive",
                condition=models.Q(merged_into=None) | models.Q(is_active=False),
            ),
            models.CheckConstraint(
                name="known_theme", condition=models.Q(theme__in=["auto", "light", "dark"])
            ),
        ]

    _replaces_password = False

    def __str__(self) -> str:
        return self.display_name or self.username

    def set_password(self, raw_password: str | None) -> None:
        self._replaces_password |= bool(self.password) and self.has_usable_password()
        super().set_password(raw_password)

    def save(self, *args: Any, **kwargs: Any) -> None:
        # Here, because a password is changed by pages, by the administration and by commands. A
        # login that hashes the same password anew has taken _password back before it saves.
        replaced = self._replaces_password and self._password is not None  # type: ignore[attr-defined]
        self._replaces_password = False
        with transaction.atomic():
            super().save(*args, **kwargs)
            if replaced:
                self.access_tokens.all().delete()

    def get_session_auth_hash(self) -> str:
        return self._until_logged_out_everywhere(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        yield from map(self._until_logged_out_everywhere, super().get_session_auth_fallback_hash())

    def _until_logged_out_everywhere(self, session_hash: str) -> str:
        """The hash that a session must hold; Django's own until the person logs out everywhere."""
        times = self.times_logged_out_everywhere
        return f"{session_hash}.{times}" if times else session_hash


Viewer = User | AnonymousUser


class AccessToken(models.Model):
    """A program's credential. Its key is displayed once; only a digest of it is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=60)
    prefix = models.CharField(max_length=16, help_text="How the key begins, to know it by.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="token_name_once_a_person"),
            models.CheckConstraint(condition=~models.Q(name=""), name="token_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def may(self) -> list[str]:
        """The labels of the token's scopes."""
        return [str(scope.label) for scope in Scope if scope in self.scopes]


class Friendship(models.Model):
    """Two people who let each other see more; a request until its recipient accepts."""

    sender = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friend_requests_sent")
    recipient = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="friend_requests_received"
    )
    created_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Least("sender", "recipient"),
                Greatest("sender", "recipient"),
                name="friendship_once_a_pair",
            ),
            models.CheckConstraint(
                condition=~models.Q(sender=models.F("recipient")), name="friendship_of_two"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sender_id} and {self.recipient_id}"


class BlockKind(models.TextChoices):
    """The contact that a block prevents."""

    CHAT = "chat", "Chat: hide their messages"
    TABLES = "tables", "Matchmaking: never pair us"
    ALL = "all", "Everything, friend requests too"


class Block(models.Model):
    """Somebody who wants less, or nothing, to do with somebody else, who is not told."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    kind = models.CharField(max_length=6, choices=BlockKind.choices)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "other"], name="block_once_a_pair"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("other")), name="block_of_somebody_else"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["chat", "tables", "all"]), name="known_block"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} blocks {self.other_id}: {self.kind}"


class WritingBan(models.Model):
    """A moderator's word that somebody writes nothing to others until a moment."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="writing_bans")
    until = models.DateTimeField()
    by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="writing_bans_made"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-until"]
        indexes = [models.Index(fields=["user", "until"], name="writing_ban_by_end")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(until__gt=models.F("at")), name="writing_ban_lasts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} until {self.until:%Y-%m-%d %H:%M}"
