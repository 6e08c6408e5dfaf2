"""Moves know whom they told nothing, and matches how many those were, for each audience.

Matches that run already count all their moves for everybody, as before, until
``manage.py rebuild_matches`` has worked it out. The database knows the defaults, so that the old
code goes on beside the new tables.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("matches", "0003_prompts_by_seat"),)

    operations = (
        migrations.AddField(
            model_name="match",
            name="untold",
            field=models.JSONField(
                default=list,
                db_default=models.Value([], models.JSONField()),
                editable=False,
                help_text="How many of them told spectators nothing, then seat 1, and so on.",
            ),
        ),
        migrations.AddField(
            model_name="moverow",
            name="untold",
            field=models.PositiveIntegerField(
                default=0,
                db_default=0,
                help_text="Whom it told nothing: bit 0 spectators, bit 1 seat 1, and so on.",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="moved_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the last move came that everybody was told of.",
                null=True,
            ),
        ),
    )
