"""Batt’l Kha’os as a Django app."""

from django.apps import AppConfig


class BattlKhaosConfig(AppConfig):
    """Templates, static files and template tags of Batt’l Kha’os."""

    name = "games.battl_khaos.site"
    label = "battl_khaos"
    verbose_name = "Batt’l Kha’os"
