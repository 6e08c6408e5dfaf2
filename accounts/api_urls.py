"""Addresses of people in the API, under /api/."""

from __future__ import annotations

from django.urls import path

from accounts import api, own_data_api
from accounts.channels import api as channels
from accounts.notices import api as notices

urlpatterns = [
    path("me/", api.MeView.as_view(), name="api-me"),
    path("me/data/", own_data_api.OwnDataView.as_view(), name="api-own-data"),
    path("me/delete/", own_data_api.CloseAccountView.as_view(), name="api-delete-account"),
    path("friends/", api.FriendsView.as_view(), name="api-friends"),
    path("friends/<str:username>/", api.FriendView.as_view(), name="api-friend"),
    path("blocks/", api.BlocksView.as_view(), name="api-blocks"),
    path("blocks/<str:username>/", api.BlockView.as_view(), name="api-block"),
    path("notices/", notices.NoticesView.as_view(), name="api-notices"),
    path("notices/seen/", notices.SeenView.as_view(), name="api-notices-seen"),
    path("notices/settings/", notices.SettingsView.as_view(), name="api-notice-settings"),
    path("guests/", api.GuestsView.as_view(), name="api-guests"),
    path("hook/", channels.HookView.as_view(), name="api-hook"),
    path("hook/test/", channels.HookTestView.as_view(), name="api-hook-test"),
]
