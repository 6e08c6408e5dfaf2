"""Django's own apps, as this site sets them up."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "config.administration.Administration"
