from django.db import migrations

from accounts.migrations import _readable_tokens


class Migration(migrations.Migration):
    """Processes of the version before still make readable tokens: see docs/operations.md."""

    dependencies = [("accounts", "0004_access_tokens")]

    operations = [
        migrations.RunPython(_readable_tokens.hash_them, migrations.RunPython.noop),
        migrations.RunPython(_readable_tokens.drop_them, migrations.RunPython.noop),
    ]
