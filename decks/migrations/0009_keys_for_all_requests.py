"""Keys of requests are kept in one place for all that is made."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0008_sheets_by_workers"),
    ]

    operations = [
        # The old code still reads and writes the column beside the new one; it has a default of the
        # database's own. A later version drops it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="deck", name="deck_once_a_token"),
                migrations.RemoveField(model_name="deck", name="token"),
            ],
        ),
    ]
