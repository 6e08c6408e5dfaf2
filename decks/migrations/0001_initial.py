"""Decks and their versions, house formats, and checks before a tournament."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import collection.models.slugs


class Migration(migrations.Migration):
    initial = True

    # What databases of before have applied, this migration's own name aside.
    replaces = [
        ("decks", "0002_versions_formats_checks"),
        ("decks", "0003_first_versions"),
        ("decks", "0004_deck_house"),
        ("decks", "0005_lists_read_by_workers"),
        ("decks", "0006_found_quickly"),
        ("decks", "0007_made_once"),
        ("decks", "0008_sheets_by_workers"),
        ("decks", "0009_keys_for_all_requests"),
    ]

    dependencies = [
        ("accounts", "__first__"),
        ("collection", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Format",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                ("game", models.SlugField()),
                ("mode", models.SlugField()),
                ("name", models.CharField(max_length=80)),
                ("summary", models.CharField(blank=True, max_length=300)),
                (
                    "listed",
                    models.BooleanField(
                        default=True, help_text="Shown to everybody who builds a deck."
                    ),
                ),
                (
                    "retired",
                    models.BooleanField(
                        default=False, help_text="No longer offered; still readable."
                    ),
                ),
                (
                    "created",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="formats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["game", "mode", "name", "pk"],
                "indexes": [
                    models.Index(fields=["game", "mode", "retired"], name="format_by_mode")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="format_has_a_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Deck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                ("game", models.SlugField()),
                ("mode", models.SlugField()),
                ("name", models.CharField(max_length=80)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "Private: only you"),
                            ("unlisted", "Unlisted: everybody with the link"),
                            ("public", "Public: everybody, and it is listed"),
                        ],
                        default="private",
                        max_length=8,
                    ),
                ),
                (
                    "typed",
                    models.TextField(
                        blank=True,
                        help_text="The list as its owner typed it, with comments; empty when it came otherwise. The entries are what counts.",
                    ),
                ),
                ("notes", models.TextField(blank=True, max_length=4000)),
                (
                    "tags",
                    models.CharField(
                        blank=True,
                        help_text="Each word between commas: “,quick,red,”.",
                        max_length=200,
                    ),
                ),
                (
                    "credit",
                    models.CharField(
                        blank=True,
                        help_text="Whose deck it was copied from, for good.",
                        max_length=160,
                    ),
                ),
                (
                    "version",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="The number of the version that the entries are; 0 for none yet.",
                    ),
                ),
                (
                    "words",
                    models.TextField(
                        blank=True,
                        default="",
                        editable=False,
                        help_text="What a public deck is found by; empty for every other.",
                    ),
                ),
                ("like_count", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "created",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "changed",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "copied_from",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="copies",
                        to="decks.deck",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "house",
                    models.ForeignKey(
                        blank=True,
                        help_text="The house format that its owner builds it for.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="decks.format",
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        blank=True, db_default="", default="", editable=False, max_length=40
                    ),
                ),
            ],
            options={
                "ordering": ["-changed", "-pk"],
                "indexes": [
                    models.Index(fields=["owner", "-changed", "-id"], name="deck_by_owner"),
                    models.Index(
                        condition=models.Q(("visibility", "public")),
                        fields=["-changed", "-id"],
                        name="deck_public",
                    ),
                    models.Index(
                        condition=models.Q(("visibility", "public")),
                        fields=["-like_count", "-id"],
                        name="deck_liked",
                    ),
                    models.Index(
                        condition=models.Q(("visibility", "public")),
                        fields=["game", "-changed", "-id"],
                        name="deck_public_by_game",
                    ),
                    models.Index(
                        condition=models.Q(("visibility", "public")),
                        fields=["game", "-like_count", "-id"],
                        name="deck_liked_by_game",
                    ),
                    models.Index(
                        condition=models.Q(("visibility", "public")),
                        fields=["game", "mode", "-changed", "-id"],
                        name="deck_public_by_mode",
                    ),
                    models.Index(
                        condition=models.Q(("visibility", "public")),
                        fields=["game", "mode", "-like_count", "-id"],
                        name="deck_liked_by_mode",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="deck_has_a_name"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("visibility__in", ["private", "unlisted", "public"])),
                        name="deck_visibility_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("token", ""), _negated=True),
                        fields=("owner", "token"),
                        name="deck_once_a_token",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FormatVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="Counts from 1.")),
                (
                    "options",
                    models.JSONField(
                        default=dict, help_text="The game's own switches for formats."
                    ),
                ),
                (
                    "restricted",
                    models.JSONField(
                        default=dict,
                        help_text="Most copies by card slug, with a line of reason; 0 bans it.",
                    ),
                ),
                (
                    "sets",
                    models.JSONField(
                        default=list, help_text="Sets that cards come from; empty: all."
                    ),
                ),
                (
                    "owned_only",
                    models.BooleanField(
                        default=False, help_text="Only cards that the player owns."
                    ),
                ),
                ("valid_from", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "note",
                    models.CharField(
                        blank=True, help_text="What is new in it, and why.", max_length=300
                    ),
                ),
                (
                    "created",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "format",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="decks.format",
                    ),
                ),
            ],
            options={
                "ordering": ["format", "-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("format", "number"), name="format_version_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                ("game", models.SlugField()),
                ("mode", models.SlugField()),
                (
                    "open",
                    models.BooleanField(
                        default=True, help_text="Players may hand in and change decks."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("idle", "Nothing to do"),
                            ("waiting", "Waiting for a worker"),
                            ("working", "Under way"),
                        ],
                        default="idle",
                        editable=False,
                        max_length=8,
                    ),
                ),
                ("total", models.PositiveIntegerField(default=0, editable=False)),
                ("done", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "touched_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, help_text="The worker's last sign."
                    ),
                ),
                ("locked_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "created",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "organiser",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deck_checks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "house",
                    models.ForeignKey(
                        blank=True,
                        help_text="The version of the house format that decks are judged by.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deck_checks",
                        to="decks.formatversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "-pk"],
                "indexes": [
                    models.Index(fields=["organiser", "-created"], name="deck_check_by_organiser"),
                    models.Index(fields=["state", "touched_at"], name="deck_check_by_state"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("locked_at__isnull", True), ("open", False), _connector="OR"
                        ),
                        name="deck_check_locked_is_closed",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SheetJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting for a worker"),
                            ("working", "Under way"),
                            ("ready", "Ready for your word"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "touched_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, help_text="The last sign of a worker."
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("total", models.PositiveIntegerField(default=0, help_text="Decks.")),
                (
                    "drawn_from",
                    models.CharField(
                        blank=True,
                        help_text="How the pile stood when drawing began.",
                        max_length=300,
                    ),
                ),
                ("file", models.FileField(blank=True, upload_to="registration/")),
                (
                    "check_of",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sheet_jobs",
                        to="decks.deckcheck",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(fields=["state", "touched_at"], name="sheet_job_by_state")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["waiting", "working"])),
                        fields=("check_of",),
                        name="sheet_job_one_under_way",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckedDeck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="The order of arrival, from 1.")),
                ("player", models.CharField(max_length=80)),
                ("name", models.CharField(max_length=80)),
                ("typed", models.TextField(blank=True)),
                ("cards", models.JSONField(default=dict, help_text="Section, card slug, count.")),
                ("unread", models.JSONField(default=list, help_text="Lines that name no card.")),
                (
                    "digest",
                    models.CharField(
                        blank=True,
                        help_text="SHA-256 of the list in its one form; none until a worker has read the list.",
                        max_length=64,
                    ),
                ),
                (
                    "report",
                    models.JSONField(help_text="The verdict, once there is one.", null=True),
                ),
                ("legal", models.BooleanField(null=True)),
                ("judged_at", models.DateTimeField(blank=True, null=True)),
                ("locked_at", models.DateTimeField(blank=True, null=True)),
                ("changed", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="checked_decks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "deck",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="checked",
                        to="decks.deck",
                    ),
                ),
                (
                    "check_of",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="decks",
                        to="decks.deckcheck",
                    ),
                ),
            ],
            options={
                "ordering": ["check_of", "number"],
                "indexes": [
                    models.Index(fields=["check_of", "judged_at"], name="checked_deck_to_do")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("check_of", "number"), name="checked_deck_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("user__isnull", False)),
                        fields=("check_of", "user"),
                        name="checked_deck_once_a_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("digest__regex", "^[0-9a-f]{64}$"),
                            models.Q(("digest", ""), ("locked_at", None)),
                            _connector="OR",
                        ),
                        name="checked_deck_digest",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("section", models.SlugField(default="main", max_length=40)),
                ("count", models.PositiveSmallIntegerField()),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="collection.card",
                    ),
                ),
                (
                    "deck",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="decks.deck",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deck entries",
                "ordering": ["section", "card__sort_number", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deck", "section", "card"), name="deck_entry_once_a_section"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("count__gte", 1), ("count__lte", 999)),
                        name="deck_entry_count",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckLike",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "deck",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="likes",
                        to="decks.deck",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deck_likes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deck", "user"), name="deck_liked_once_a_person"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DeckVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(help_text="Counts from 1; none is given twice."),
                ),
                ("mode", models.SlugField(help_text="What the deck was built for then.")),
                ("cards", models.JSONField(help_text="Section, card slug, count.")),
                ("typed", models.TextField(blank=True)),
                (
                    "note",
                    models.CharField(
                        blank=True, help_text="Its owner's name for it.", max_length=120
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "deck",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="decks.deck",
                    ),
                ),
            ],
            options={
                "ordering": ["deck", "-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("deck", "number"), name="deck_version_once")
                ],
            },
        ),
        # The code of before still reads and writes this beside the new; a later version drops it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name="deck",
                    name="deck_once_a_token",
                ),
                migrations.RemoveField(
                    model_name="deck",
                    name="token",
                ),
            ],
        ),
    ]
