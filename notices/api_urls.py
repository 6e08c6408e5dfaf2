"""Addresses of notifications in the API, under /api/."""

from __future__ import annotations

from django.urls import path

from notices.api import hooks, notices

urlpatterns = [
    path("notices/", notices.NoticesView.as_view(), name="api-notices"),
    path("notices/seen/", notices.SeenView.as_view(), name="api-notices-seen"),
    path("notices/settings/", notices.SettingsView.as_view(), name="api-notice-settings"),
    path("hook/", hooks.HookView.as_view(), name="api-hook"),
    path("hook/test/", hooks.HookTestView.as_view(), name="api-hook-test"),
]
