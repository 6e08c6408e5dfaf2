"""Addresses of notifications in the API, under /api/."""

from __future__ import annotations

from django.urls import path

from core.operations import operations
from notices.api import hooks, notices

urlpatterns = [
    path("notifications/", operations(get=notices.list_notices)),
    path("notifications/seen/", operations(post=notices.mark_seen)),
    path(
        "notifications/settings/",
        operations(get=notices.get_settings, patch=notices.change_settings),
    ),
    path("webhook/", operations(get=hooks.get_hook, put=hooks.save_hook, delete=hooks.remove_hook)),
    path("webhook/test/", operations(post=hooks.request_test)),
]
