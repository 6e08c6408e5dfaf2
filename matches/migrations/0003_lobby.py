"""The lobby, and what a table that was called off must not keep."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def forget_decks(apps: Any, schema_editor: Any) -> None:
    """Tables that were called off kept the lists their people had brought, and held a rematch."""
    cancelled = apps.get_model("matches", "Match").objects.filter(status="cancelled")
    apps.get_model("matches", "Seat").objects.filter(match__in=cancelled.values("pk")).update(
        deck=None, deck_name="", invited=None
    )
    cancelled.update(decks=[], rematch_of=None)


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_clocks")]

    operations = [
        migrations.AddField(
            "match",
            "listed",
            models.BooleanField(
                default=False,
                db_default=False,
                help_text="While it is open it stands in the lobby, and anybody may take a free "
                "seat.",
            ),
        ),
        migrations.AddField(
            "match",
            "bots_at",
            models.DateTimeField(
                null=True, blank=True, help_text="When bots take the seats that are open still."
            ),
        ),
        migrations.AddField(
            "match",
            "reminded_at",
            models.DateTimeField(
                null=True,
                blank=True,
                editable=False,
                help_text="When its host was told that it has been open for long.",
            ),
        ),
        migrations.AddIndex(
            "match",
            models.Index(
                fields=("bots_at",),
                condition=models.Q(status="open", bots_at__isnull=False),
                name="match_by_bots",
            ),
        ),
        migrations.AddConstraint(
            "match",
            models.CheckConstraint(
                condition=models.Q(listed=False) | models.Q(private=False),
                name="match_listed_is_public",
            ),
        ),
        migrations.CreateModel(
            name="QuickQueue",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("mode", models.CharField(max_length=40)),
                ("pace", models.CharField(max_length=8)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "mode", "pace"), name="quick_queue_once"
                    )
                ]
            },
        ),
        migrations.RunPython(forget_decks, migrations.RunPython.noop),
    ]
