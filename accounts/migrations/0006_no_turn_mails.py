"""Turn mails, which nothing sent, are not asked about; keys of requests are kept for a while."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_no_readable_tokens"),
    ]

    operations = [
        # The old code still reads and writes the column beside the new one; a later version drops it.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.AlterField(
                    model_name="user",
                    name="mail_my_turn",
                    field=models.BooleanField(default=False, db_default=False),
                ),
            ],
            state_operations=[migrations.RemoveField(model_name="user", name="mail_my_turn")],
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=80)),
                (
                    "digest",
                    models.CharField(help_text="SHA-256 of what was asked for.", max_length=64),
                ),
                (
                    "made",
                    models.CharField(
                        blank=True, help_text="What it made, by its slug.", max_length=40
                    ),
                ),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "key"), name="idempotency_key_once_a_person"
                    )
                ],
            },
        ),
    ]
