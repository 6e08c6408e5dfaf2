from django.apps import AppConfig


class CollectionConfig(AppConfig):
    name = "collection"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from collection import receivers  # noqa: F401  (connects them)
        from core import trigrams
        from core.post_migrate import ensure_after_migrate

        ensure_after_migrate(self, "Card", "words", trigrams.CARDS.ensure)
