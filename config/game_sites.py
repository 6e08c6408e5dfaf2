"""The sites of the games as Django apps, made from nothing but their packages' names.

A package with a ``site`` is an app called like the package: ``riffle_go.site`` is ``riffle_go``.
One that needs more of Django (signals, checks) brings an ``apps.py`` of its own instead.
"""

from __future__ import annotations

from importlib.util import find_spec

from django.apps import AppConfig

import rules


def installed() -> list[str]:
    """The entries of all games' sites for ``INSTALLED_APPS``."""
    return [_entry(package) for package in rules.packages() if find_spec(f"{package}.site")]


def _entry(package: str) -> str:
    if find_spec(f"{package}.site.apps"):
        return f"{package}.site"
    return f"{__name__}.{_label(package)}"


def _label(package: str) -> str:
    return package.rpartition(".")[2]


def __getattr__(label: str) -> type[AppConfig]:
    """The app of the package that is called so."""
    for package in rules.packages():
        if _label(package) == label:
            about = {"name": f"{package}.site", "label": label, "__module__": __name__}
            return type("GameSite", (AppConfig,), about)
    raise AttributeError(label)
