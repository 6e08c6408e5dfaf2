"""Keys of requests are kept in one place for all that is made."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0008_sheets_by_workers"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="deck",
            name="deck_once_a_token",
        ),
        migrations.RemoveField(
            model_name="deck",
            name="token",
        ),
    ]
