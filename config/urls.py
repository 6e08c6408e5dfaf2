"""Where every address of the site leads (the probes' ones are in config.middleware)."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config import pages, problems
from core.openapi import DOCUMENT_RENDERERS, DocumentMadeOnce

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
handler429 = "config.errors.too_many"  # allauth's

APPS = ("matches", "decks", "collection", "tournaments", "notices", "accounts")
"""Tried in this order: those first whose addresses are asked for most."""
urlpatterns: list[URLPattern | URLResolver] = [
    path("", pages.home, name="home"),
    path("games.css", pages.game_hues, name="game-hues"),
    path("style/", pages.style, name="style"),
    path("privacy/", pages.legal, {"kind": "privacy"}, name="privacy"),
    path("terms/", pages.legal, {"kind": "terms"}, name="terms"),
    path("admin/", admin.site.urls),
    path(
        "api/schema/",
        SpectacularAPIView.as_view(
            generator_class=DocumentMadeOnce, renderer_classes=DOCUMENT_RENDERERS
        ),
        name="api-schema",
    ),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("api/problems/<slug:kind>/", problems.explain, name="problem"),
    *(path("api/", include(f"{app}.api_urls")) for app in APPS),
    path("events/", include("matches.live.urls")),
    *(path("", include(f"{app}.urls")) for app in APPS),
]
