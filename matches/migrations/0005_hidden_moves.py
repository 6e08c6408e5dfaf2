"""Say of a move whom it is hidden from, and of a match how many moves are, in those words.

The columns keep their names, so the database is not touched: the old code goes on beside the new.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("matches", "0004_untold"),)

    operations = (
        migrations.AlterField(
            model_name="match",
            name="untold",
            field=models.JSONField(
                db_column="untold",
                default=list,
                db_default=models.Value([], models.JSONField()),
                editable=False,
                help_text="How many of them were hidden from spectators, then from seat 1, and so on.",
            ),
        ),
        migrations.RenameField(model_name="match", old_name="untold", new_name="hidden_plies"),
        migrations.AlterField(
            model_name="moverow",
            name="untold",
            field=models.PositiveIntegerField(
                db_column="untold",
                default=0,
                db_default=0,
                help_text="Whom it is hidden from: bit 0 spectators, bit 1 seat 1, and so on.",
            ),
        ),
        migrations.RenameField(model_name="moverow", old_name="untold", new_name="hidden_from"),
        migrations.AlterField(
            model_name="match",
            name="moved_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the last move came that was visible to everybody.",
                null=True,
            ),
        ),
    )
