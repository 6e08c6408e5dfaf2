"""A deck knows the request that made it, so that the same request makes no second one."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0006_found_quickly"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="deck",
            name="token",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                editable=False,
                help_text="The key of the request that made it, which makes nothing a second time.",
                max_length=40,
            ),
        ),
        migrations.AddConstraint(
            model_name="deck",
            constraint=models.UniqueConstraint(
                condition=models.Q(("token", ""), _negated=True),
                fields=("owner", "token"),
                name="deck_once_a_token",
            ),
        ),
    ]
