from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import own_parts, receivers  # noqa: F401
        from accounts.channels import telling
        from accounts.notices import channels, mail
        from accounts.notices import receivers as _  # noqa: F401

        channels.register(mail.Mail())
        telling.register()
