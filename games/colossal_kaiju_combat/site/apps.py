"""Colossal Kaiju Combat as a Django app."""

from django.apps import AppConfig


class ColossalKaijuCombatConfig(AppConfig):
    """Templates, static files and template tags of Colossal Kaiju Combat."""

    name = "games.colossal_kaiju_combat.site"
    label = "colossal_kaiju_combat"
    verbose_name = "Colossal Kaiju Combat"
