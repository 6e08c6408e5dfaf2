"""Tallies, counted from the holdings that there are; an index that knows where a card stands."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, F, Sum


def count(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    tally = apps.get_model("collection", "Tally")
    held = apps.get_model("collection", "Holding").objects.filter(quantity__gt=0).order_by()
    sums = {"cards": Count("pk"), "copies": Sum("quantity"), "n": Sum("dealt")}
    owner, game = F("owner_id"), F("card__game_id")
    by_rarity = held.values(
        person=owner, game=game, word=F("card__rarity"), gone=F("card__retired")
    ).annotate(**sums)
    printed = held.filter(card__printings__number__isnull=False)
    by_set = printed.values(
        person=owner, game=game, a_set=F("card__printings__card_set_id")
    ).annotate(**sums)
    for rows in (by_rarity, by_set):
        tally.objects.bulk_create(
            (
                tally(
                    owner_id=row["person"],
                    game_id=row["game"],
                    card_set_id=row.get("a_set"),
                    rarity=row.get("word", ""),
                    retired=row.get("gone", False),
                    cards=row["cards"],
                    copies=row["copies"],
                    dealt=row["n"],
                )
                for row in rows.iterator()
            ),
            batch_size=1000,
        )


class Migration(migrations.Migration):
    dependencies = [
        ("collection", "0006_holding_at_a_glance"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                fields=["id"],
                include=("game", "place", "name_place", "rarity_place", "retired"),
                name="card_by_key",
            ),
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rarity",
                    models.CharField(blank=True, help_text="Empty for a set.", max_length=20),
                ),
                ("retired", models.BooleanField(default=False)),
                ("cards", models.IntegerField(help_text="Different cards.")),
                ("copies", models.IntegerField(help_text="All copies.")),
                ("dealt", models.IntegerField(help_text="Copies dealt here.")),
                (
                    "card_set",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="collection.cardset",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="collection.game",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "tallies",
                "indexes": [
                    models.Index(
                        fields=[
                            "owner",
                            "game",
                            "rarity",
                            "retired",
                            "card_set",
                            "cards",
                            "copies",
                            "dealt",
                        ],
                        name="tally_at_a_glance",
                    )
                ],
            },
        ),
        migrations.RunPython(count, migrations.RunPython.noop, elidable=True),
    ]
