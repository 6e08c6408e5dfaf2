"""Each seat counts its own prompts: an answer is unique by match, seat and prompt."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("matches", "0002_own_decks"),)

    operations = (
        migrations.RemoveConstraint(model_name="moverow", name="move_once_a_prompt"),
        migrations.AddConstraint(
            model_name="moverow",
            constraint=models.UniqueConstraint(
                fields=("match", "seat", "prompt"),
                condition=models.Q(prompt__isnull=False),
                name="move_once_a_prompt",
            ),
        ),
    )
