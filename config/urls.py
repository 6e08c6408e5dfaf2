"""Where every address of the site leads (the probes' ones are in config.middleware)."""

from __future__ import annotations

from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config import problems

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    path("api/problems/<slug:kind>/", problems.explain, name="problem"),
    path("events/", include("matches.live_urls")),
]
for app in ("accounts", "collection", "decks", "matches"):
    if find_spec(f"{app}.api_urls"):
        urlpatterns.append(path("api/", include(f"{app}.api_urls")))
    if find_spec(f"{app}.urls"):
        urlpatterns.append(path("", include(f"{app}.urls")))
