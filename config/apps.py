"""Django's own apps, as this site sets them up."""

from __future__ import annotations

from importlib import import_module

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "accounts.administration.Administration"

    def ready(self) -> None:
        """Register the site's own checks too: ``config`` is no app."""
        super().ready()
        import_module("config.former_migrations")
