"""A deck knows the house format that it is built for."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("decks", "0003_first_versions")]

    operations = [
        migrations.AddField(
            model_name="deck",
            name="house",
            field=models.ForeignKey(
                blank=True,
                help_text="The house format that its owner builds it for.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="decks.format",
            ),
        ),
    ]
