"""Versions know their mode, the most liked decks are found quickly, and every deck has a version.

The decks that were kept before there were versions get their first one from what they are now.
"""

from collections import defaultdict

from django.conf import settings
from django.db import migrations, models

A_BATCH = 200


def write_first_versions(apps, schema_editor):
    """Version 1 of each deck that has none."""
    decks = apps.get_model("decks", "Deck").objects.using(schema_editor.connection.alias)
    entries = apps.get_model("decks", "DeckEntry").objects.using(schema_editor.connection.alias)
    version = apps.get_model("decks", "DeckVersion")
    versions = version.objects.using(schema_editor.connection.alias)
    while batch := list(decks.filter(version=0).order_by("pk")[:A_BATCH]):
        cards = defaultdict(lambda: defaultdict(dict))
        rows = entries.filter(deck__in=[deck.pk for deck in batch]).order_by("pk")
        for deck, section, card, count in rows.values_list(
            "deck_id", "section", "card__slug", "count"
        ):
            cards[deck][section][card] = count
        versions.bulk_create(
            version(
                deck=deck,
                number=1,
                mode=deck.mode,
                cards=cards[deck.pk],
                typed=deck.typed,
                at=deck.changed,
            )
            for deck in batch
        )
        decks.filter(pk__in=[deck.pk for deck in batch]).update(version=1)


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0002_versions_formats_checks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="deckversion",
            name="mode",
            field=models.SlugField(default="", help_text="What the deck was built for then."),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="deckversion",
            name="number",
            field=models.PositiveIntegerField(help_text="Counts from 1; none is given twice."),
        ),
        migrations.AlterField(
            model_name="deck",
            name="tags",
            field=models.CharField(
                blank=True, help_text="Each word between commas: “,quick,red,”.", max_length=200
            ),
        ),
        migrations.AddIndex(
            model_name="deck",
            index=models.Index(
                condition=models.Q(("visibility", "public")),
                fields=["-like_count", "-id"],
                name="deck_liked",
            ),
        ),
        migrations.RunPython(write_first_versions, migrations.RunPython.noop, elidable=True),
    ]
