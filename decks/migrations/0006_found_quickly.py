"""Public decks are found by their words through an index, and listed by game and mode along one."""

from django.conf import settings
from django.db import migrations, models

import rules
from decks.search_index import found_by

A_BATCH = 200


def write_words(apps, schema_editor):
    """What each public deck is found by."""
    alias = schema_editor.connection.alias
    decks = apps.get_model("decks", "Deck").objects.using(alias)
    entries = apps.get_model("decks", "DeckEntry").objects.using(alias)
    known = rules.games()
    found = decks.filter(visibility="public", words="").select_related("owner").order_by("pk")
    after = 0
    while batch := list(found.filter(pk__gt=after)[:A_BATCH]):
        after = batch[-1].pk
        titles = {deck.pk: [] for deck in batch}
        for deck, game, card in (
            entries.filter(deck__in=titles)
            .order_by("pk")
            .values_list("deck_id", "deck__game", "card__slug")
        ):
            if game in known and card in known[game].catalog:
                titles[deck].append(known[game].catalog[card].title)
        for deck in batch:
            owner = deck.owner.display_name or deck.owner.username
            deck.words = found_by(deck.name, deck.tags, owner, titles[deck.pk])
        decks.bulk_update(batch, ["words"])


def public(*fields, name):
    """An index of public decks alone."""
    return migrations.AddIndex(
        model_name="deck",
        index=models.Index(
            condition=models.Q(("visibility", "public")), fields=[*fields, "-id"], name=name
        ),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0005_lists_read_by_workers"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="deck",
            name="words",
            field=models.TextField(
                blank=True,
                default="",
                editable=False,
                help_text="What a public deck is found by; empty for every other.",
            ),
        ),
        public("game", "-changed", name="deck_public_by_game"),
        public("game", "-like_count", name="deck_liked_by_game"),
        public("game", "mode", "-changed", name="deck_public_by_mode"),
        public("game", "mode", "-like_count", name="deck_liked_by_mode"),
        migrations.RunPython(write_words, migrations.RunPython.noop, elidable=True),
    ]
