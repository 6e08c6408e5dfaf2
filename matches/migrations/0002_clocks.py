"""Clocks as data: a bank of time for each seat, people's own hours, and what running out means."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Case, F, Value, When

FORMER = {"1d": "fast", "3d": "steady", "7d": "slow"}


def name_paces(apps: Any, schema_editor: Any) -> None:
    """What has begun goes on with the times of today; a deadline that is set stays as it is."""
    match = apps.get_model("matches", "Match")
    named = [When(former_pace=old, then=Value(new)) for old, new in FORMER.items()]
    match.objects.update(pace=Case(*named, default=F("former_pace")))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_match_finished"),
        ("matches", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="OwnHours",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="own_hours",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "opens",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Minutes after midnight; empty: day and night.",
                        null=True,
                    ),
                ),
                ("closes", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "weekend",
                    models.BooleanField(
                        default=False, help_text="Saturdays and Sundays do not count."
                    ),
                ),
                (
                    "away",
                    models.TextField(blank=True, help_text="The days away (ISO), with commas."),
                ),
            ],
            options={
                "verbose_name_plural": "own hours",
            },
        ),
        migrations.RemoveConstraint(
            model_name="match",
            name="match_started_means_state",
        ),
        migrations.AddField(
            model_name="match",
            name="acts_at",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="When something is to be done next about somebody's time.",
                null=True,
            ),
        ),
        # The column keeps the older names for processes that know no others.
        migrations.AlterField(
            model_name="match",
            name="pace",
            field=models.CharField(db_column="pace", default="3d", editable=False, max_length=8),
        ),
        migrations.RenameField(model_name="match", old_name="pace", new_name="former_pace"),
        migrations.AddField(
            model_name="match",
            name="pace",
            field=models.CharField(
                choices=[
                    ("live", "Live: 10 minutes, and 15 seconds more a turn"),
                    ("fast", "Fast: 3 days, and 12 hours more a turn"),
                    ("steady", "Steady: 3 days, and a day more a turn"),
                    ("slow", "Slow: 7 days, and 36 hours more a turn"),
                    ("friends", "Among friends: no clock"),
                ],
                db_column="clock",
                db_default="",
                default="steady",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="timeout",
            field=models.CharField(
                choices=[
                    ("forfeit", "They lose the match"),
                    ("bot", "A bot plays for them until they are back"),
                    ("turn", "That turn is played for them"),
                ],
                db_default="turn",
                default="forfeit",
                help_text="What happens to a seat whose time has run out.",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="waits",
            field=models.BooleanField(
                db_default=True, default=True, help_text="It waits for people who are away."
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="asked_at",
            field=models.DateTimeField(
                blank=True, editable=False, help_text="When its turn began.", null=True
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="bank",
            field=models.DurationField(
                blank=True,
                editable=False,
                help_text="Its time when its turn began, or while others are asked.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="given_by",
            field=models.JSONField(
                db_default=models.Value([], models.JSONField()),
                default=list,
                editable=False,
                help_text="The people who have given it time in this turn.",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="late",
            field=models.BooleanField(
                db_default=False, default=False, editable=False, help_text="Its time is up."
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="stand_in",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="The bot that keeps it for its person, whose time ran out.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="wants_cancel",
            field=models.BooleanField(
                db_default=False, default=False, help_text="Its person agrees to cancel the match."
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "running")), fields=["acts_at"], name="match_by_clock"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("ply", 0), ("state__isnull", True), ("status__in", ("open", "cancelled"))
                    ),
                    models.Q(
                        ("started_at__isnull", False),
                        ("state__isnull", False),
                        ("status__in", ("running", "finished", "cancelled")),
                    ),
                    _connector="OR",
                ),
                name="match_started_means_state",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("timeout__in", ["forfeit", "bot", "turn"])),
                name="match_timeout_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("stand_in", ""), ("kind", "person"), _connector="OR"),
                name="seat_stand_in_for_a_person",
            ),
        ),
        migrations.AddConstraint(
            model_name="heartbeat",
            constraint=models.CheckConstraint(
                condition=models.Q(("pk", 1)), name="heartbeat_is_one_row"
            ),
        ),
        migrations.AddConstraint(
            model_name="ownhours",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closes__isnull", True), ("opens__isnull", True)),
                    models.Q(
                        (
                            "closes__gte",
                            django.db.models.expressions.CombinedExpression(
                                models.F("opens"), "+", models.Value(480)
                            ),
                        ),
                        ("opens__lt", 1440),
                    ),
                    models.Q(
                        ("closes__lt", models.F("opens")),
                        (
                            "opens__lte",
                            django.db.models.expressions.CombinedExpression(
                                models.F("closes"), "+", models.Value(960)
                            ),
                        ),
                    ),
                    _connector="OR",
                ),
                name="hours_are_long_enough",
            ),
        ),
        migrations.AddConstraint(
            model_name="ownhours",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("opens__isnull", True),
                    models.Q(("closes__lt", 1440), ("opens__lt", 1440)),
                    _connector="OR",
                ),
                name="hours_of_one_day",
            ),
        ),
        migrations.RunPython(name_paces, migrations.RunPython.noop),
    ]
