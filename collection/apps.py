from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CollectionConfig(AppConfig):
    name = "collection"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from collection import search_index, signals  # noqa: F401  (connects the receivers)

        post_migrate.connect(search_index.after_migrating, sender=self)
