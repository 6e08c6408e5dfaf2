from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from core.post_migrate import ensure_after_migrate
        from matches import receivers  # noqa: F401  (connects the receivers)
        from matches.database import fill_factor

        ensure_after_migrate(self, "Seat", "rank", fill_factor.ensure)
