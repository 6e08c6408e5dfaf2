"""Matches, their seats and their moves."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import matches.models


class Migration(migrations.Migration):
    initial = True

    # What databases of before have applied, this migration's own name aside.
    replaces = [
        ("matches", "0002_own_decks"),
        ("matches", "0003_prompts_by_seat"),
        ("matches", "0004_untold"),
        ("matches", "0005_hidden_moves"),
        ("matches", "0006_client_seed"),
    ]

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Match",
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
                        default=matches.models.new_slug, editable=False, max_length=12, unique=True
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("mode", models.CharField(max_length=40)),
                ("rules_version", models.CharField(max_length=40)),
                ("options", models.JSONField(default=dict)),
                (
                    "decks",
                    models.JSONField(
                        default=list, help_text="The shared deck, if it is played with one."
                    ),
                ),
                (
                    "pace",
                    models.CharField(
                        choices=[
                            ("live", "Live: 5 minutes a turn"),
                            ("1d", "1 day a turn"),
                            ("3d", "3 days a turn"),
                            ("7d", "7 days a turn"),
                        ],
                        default="3d",
                        max_length=8,
                    ),
                ),
                (
                    "private",
                    models.BooleanField(
                        default=False, help_text="Only people in its seats may watch."
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Waiting for players"),
                            ("running", "Running"),
                            ("finished", "Finished"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "version",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Counts the writes; every writer names the version that it read.",
                    ),
                ),
                (
                    "ply",
                    models.PositiveIntegerField(default=0, help_text="The number of moves made."),
                ),
                (
                    "hidden_plies",
                    models.JSONField(
                        db_column="untold",
                        db_default=models.Value([], models.JSONField()),
                        default=list,
                        editable=False,
                        help_text="How many of them were hidden from spectators, then from seat 1, and so on.",
                    ),
                ),
                ("server_seed", models.BinaryField(default=matches.models.new_seed)),
                ("commitment", models.CharField(editable=False, max_length=64)),
                ("bot_secret", models.BinaryField(default=matches.models.new_seed)),
                (
                    "state",
                    models.JSONField(editable=False, help_text="The engine's snapshot.", null=True),
                ),
                (
                    "opening",
                    models.JSONField(
                        default=list, editable=False, help_text="The events of the start."
                    ),
                ),
                ("outcome", models.JSONField(editable=False, null=True)),
                ("reason", models.CharField(blank=True, editable=False, max_length=40)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                (
                    "moved_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When the last move came that was visible to everybody.",
                        null=True,
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "deadline_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="The earliest deadline of a seat that is asked.",
                        null=True,
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="hosted_matches",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch_of",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rematch",
                        to="matches.match",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "matches",
                "ordering": ("-created_at", "-pk"),
                "indexes": [
                    models.Index(fields=["status", "-created_at"], name="match_by_status"),
                    models.Index(
                        condition=models.Q(("status", "running")),
                        fields=["deadline_at"],
                        name="match_by_deadline",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("finished_at__isnull", False),
                                ("outcome__isnull", False),
                                ("status", "finished"),
                            ),
                            models.Q(
                                models.Q(("status", "finished"), _negated=True),
                                ("finished_at__isnull", True),
                                ("outcome__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="match_finished_means_outcome",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("ply", 0),
                                ("state__isnull", True),
                                ("status__in", ("open", "cancelled")),
                            ),
                            models.Q(
                                ("started_at__isnull", False),
                                ("state__isnull", False),
                                ("status__in", ("running", "finished")),
                            ),
                            _connector="OR",
                        ),
                        name="match_started_means_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", models.F("ply"))),
                        name="match_version_counts_plies",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MoveRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ply", models.PositiveIntegerField(help_text="Counts from 1.")),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "prompt",
                    models.PositiveIntegerField(
                        help_text="The question answered; a concession answers none.", null=True
                    ),
                ),
                ("move", models.JSONField(help_text="Empty for a concession.", null=True)),
                ("notation", models.CharField(max_length=200)),
                (
                    "events",
                    models.JSONField(
                        default=list, help_text="All that happened, secrets included."
                    ),
                ),
                (
                    "hidden_from",
                    models.PositiveIntegerField(
                        db_column="untold",
                        db_default=0,
                        default=0,
                        help_text="Whom it is hidden from: bit 0 spectators, bit 1 seat 1, and so on.",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[("person", "Person"), ("bot", "Bot"), ("clock", "Clock")],
                        max_length=6,
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moves",
                        to="matches.match",
                    ),
                ),
            ],
            options={
                "verbose_name": "move",
                "ordering": ("match", "ply"),
                "constraints": [
                    models.UniqueConstraint(fields=("match", "ply"), name="move_once_a_ply"),
                    models.UniqueConstraint(
                        condition=models.Q(("prompt__isnull", False)),
                        fields=("match", "seat", "prompt"),
                        name="move_once_a_prompt",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ply__gte", 1)), name="move_counts_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("move__isnull", True), ("prompt__isnull", True)),
                            models.Q(("move__isnull", False), ("prompt__isnull", False)),
                            _connector="OR",
                        ),
                        name="move_answers_a_prompt",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("person", "Person"), ("bot", "Bot"), ("open", "Open")],
                        max_length=6,
                    ),
                ),
                ("bot", models.CharField(blank=True, max_length=40)),
                (
                    "client_seed",
                    models.CharField(
                        blank=True,
                        db_column="share",
                        help_text="What this player added to the seed.",
                        max_length=64,
                    ),
                ),
                (
                    "deck",
                    models.JSONField(
                        blank=True,
                        editable=False,
                        help_text="The list it plays with, as it was when its player sat down. Secret to the end.",
                        null=True,
                    ),
                ),
                ("deck_name", models.CharField(blank=True, editable=False, max_length=80)),
                (
                    "prompt",
                    models.PositiveIntegerField(
                        blank=True, help_text="The question that this seat is asked now.", null=True
                    ),
                ),
                ("deadline_at", models.DateTimeField(blank=True, null=True)),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "invited",
                    models.ForeignKey(
                        blank=True,
                        help_text="An open seat with a name on it waits for this person.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="matches.match",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("match", "number"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("prompt__isnull", False)),
                        fields=["user", "match"],
                        name="seat_awaited",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "number"), name="seat_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("user__isnull", False)),
                        fields=("match", "user"),
                        name="seat_once_a_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", "bot"),
                                ("user__isnull", True),
                                models.Q(("bot", ""), _negated=True),
                            ),
                            models.Q(("bot", ""), ("kind", "person")),
                            models.Q(("bot", ""), ("kind", "open"), ("user__isnull", True)),
                            _connector="OR",
                        ),
                        name="seat_kind_fits",
                    ),
                ],
            },
        ),
    ]
