from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from collection.migrated import after_migrating
        from decks import locks, search_index, signals  # noqa: F401  (connects them)

        after_migrating(self, "CheckedDeck", "locked_at", locks.ensure)
        after_migrating(self, "Deck", "words", search_index.TRIGRAMS.ensure)
