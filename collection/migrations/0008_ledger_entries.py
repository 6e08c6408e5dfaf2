"""What each transfer was to each of its people, added up from the ledger's rows."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ADD_UP = """
INSERT INTO collection_ledgerentry (person_id, transfer_id, lines, came, went)
SELECT person_id, transfer_id, COUNT(*), SUM(came), SUM(went)
FROM (
    SELECT taker_id AS person_id, transfer_id, "count" AS came, 0 AS went
    FROM collection_ledgerrow WHERE taker_id IS NOT NULL
    UNION ALL
    SELECT giver_id, transfer_id, 0, "count"
    FROM collection_ledgerrow WHERE giver_id IS NOT NULL
) AS sides
GROUP BY person_id, transfer_id
ORDER BY transfer_id, person_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("collection", "0007_tallies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="ledgerrow",
            name="transfer",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rows",
                to="collection.transfer",
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerrow",
            index=models.Index(fields=["transfer", "card"], name="ledger_by_transfer"),
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("lines", models.PositiveIntegerField(help_text="Rows of the ledger.")),
                ("came", models.PositiveIntegerField(help_text="Copies that the person got.")),
                ("went", models.PositiveIntegerField(help_text="Copies that the person gave.")),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ledger_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "transfer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="collection.transfer",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "ledger entries",
                "constraints": [
                    models.UniqueConstraint(fields=("person", "transfer"), name="ledger_entry_once")
                ],
            },
        ),
        migrations.RunSQL(ADD_UP, migrations.RunSQL.noop, elidable=True),
    ]
