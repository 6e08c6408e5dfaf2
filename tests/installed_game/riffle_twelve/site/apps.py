"""Twelve as a Django app."""

from django.apps import AppConfig


class TwelveConfig(AppConfig):
    name = "riffle_twelve.site"
    label = "riffle_twelve"
    verbose_name = "Twelve"
