"""Call what an owner adds to the seed of a pack a client seed.

The column keeps its name, so the database is not touched: the old code goes on beside the new. The
constraint that names it is the same in SQL.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("collection", "0008_ledger_entries"),)

    operations = (
        migrations.SeparateDatabaseAndState(
            state_operations=(
                migrations.RemoveConstraint(model_name="pack", name="pack_opened_means_cards"),
                migrations.AlterField(
                    model_name="pack",
                    name="share",
                    field=models.CharField(
                        blank=True,
                        db_column="share",
                        help_text="What its owner added to the seed on opening.",
                        max_length=64,
                    ),
                ),
                migrations.RenameField(model_name="pack", old_name="share", new_name="client_seed"),
                migrations.AddConstraint(
                    model_name="pack",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("cards__isnull", True),
                                ("client_seed", ""),
                                ("opened_at__isnull", True),
                            ),
                            models.Q(("cards__isnull", False), ("opened_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="pack_opened_means_cards",
                    ),
                ),
            ),
        ),
    )
