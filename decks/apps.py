from django.apps import AppConfig
from django.db.models.signals import post_migrate


class DecksConfig(AppConfig):
    name = "decks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from decks import locks, search_index, signals  # noqa: F401  (connects them)

        post_migrate.connect(locks.after_migrating, sender=self)
        post_migrate.connect(search_index.after_migrating, sender=self)
