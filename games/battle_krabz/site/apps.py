"""Battle Krabz as a Django app."""

from django.apps import AppConfig


class BattleKrabzConfig(AppConfig):
    """Templates, static files and template tags of Battle Krabz."""

    name = "games.battle_krabz.site"
    label = "battle_krabz"
    verbose_name = "Battle Krabz"
