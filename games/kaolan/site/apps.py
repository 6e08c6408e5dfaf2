"""Kaolan as a Django app."""

from django.apps import AppConfig


class KaolanConfig(AppConfig):
    """Templates, static files and template tags of Kaolan."""

    name = "games.kaolan.site"
    label = "kaolan"
    verbose_name = "Kaolan"
