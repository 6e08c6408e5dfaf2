from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from notices import data_export, receivers  # noqa: F401
        from notices.channels import mail, registry
        from notices.channels import receivers as instant

        registry.register(mail.Mail())
        instant.register()
