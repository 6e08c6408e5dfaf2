"""Registration sheets of many decks are drawn by workers."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0007_made_once"),
    ]

    operations = [
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
                ("total", models.PositiveIntegerField(default=0, help_text="Decks.")),
                ("done", models.PositiveIntegerField(default=0)),
                (
                    "drawn_from",
                    models.CharField(
                        blank=True,
                        help_text="How the pile stood when drawing began.",
                        max_length=300,
                    ),
                ),
                ("problem", models.TextField(blank=True)),
                ("file", models.FileField(blank=True, upload_to="registration/")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "touched_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, help_text="The last sign of a worker."
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
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
    ]
