from django.apps import AppConfig


class DecksConfig(AppConfig):
    name = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from core.post_migrate import ensure_after_migrate
        from decks import receivers  # noqa: F401  (connects them)
        from decks.database import locks, search_index

        ensure_after_migrate(self, "CheckedDeck", "locked_at", locks.ensure)
        ensure_after_migrate(self, "Deck", "words", search_index.TRIGRAMS.ensure)
