"""Call what a player adds to the seed a client seed. The column keeps its name, as in 0005."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("matches", "0005_hidden_moves"),)

    operations = (
        migrations.AlterField(
            model_name="seat",
            name="share",
            field=models.CharField(
                blank=True,
                db_column="share",
                help_text="What this player added to the seed.",
                max_length=64,
            ),
        ),
        migrations.RenameField(model_name="seat", old_name="share", new_name="client_seed"),
    )
