"""Addresses of people in the API, under /api/."""

from __future__ import annotations

from django.urls import path

from accounts.api import data_export, people

urlpatterns = [
    path("me/", people.MeView.as_view(), name="api-me"),
    path("me/data/", data_export.OwnDataView.as_view(), name="api-own-data"),
    path("me/delete/", data_export.CloseAccountView.as_view(), name="api-delete-account"),
    path("friends/", people.FriendsView.as_view(), name="api-friends"),
    path("friends/<str:username>/", people.FriendView.as_view(), name="api-friend"),
    path("blocks/", people.BlocksView.as_view(), name="api-blocks"),
    path("blocks/<str:username>/", people.BlockView.as_view(), name="api-block"),
    path("guests/", people.GuestsView.as_view(), name="api-guests"),
]
