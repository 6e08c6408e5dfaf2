"""KND: OCG as a Django app."""

from django.apps import AppConfig


class KndOcgConfig(AppConfig):
    """Templates, static files and template tags of KND: OCG."""

    name = "games.knd_ocg.site"
    label = "knd_ocg"
    verbose_name = "KND: OCG"
