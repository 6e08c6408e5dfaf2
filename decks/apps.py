from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from collection.post_migrate import ensure_after_migrate
        from decks import locks, receivers, search_index  # noqa: F401  (connects them)

        ensure_after_migrate(self, "CheckedDeck", "locked_at", locks.ensure)
        ensure_after_migrate(self, "Deck", "words", search_index.TRIGRAMS.ensure)
