"""People are read by their key in a cheaper way; nothing changes in the database."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0012_browser_tests")]

    operations = [migrations.AlterModelManagers(name="user", managers=[])]
