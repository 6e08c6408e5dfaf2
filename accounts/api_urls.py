"""Addresses of people in the API, under /api/."""

from __future__ import annotations

from django.urls import path

from accounts.api import data_export, people
from core.operations import operations

urlpatterns = [
    path("me/", operations(get=people.get_me, patch=people.change_me), name="api-me"),
    path("me/data/", operations(post=data_export.download_my_data)),
    path("me/delete/", operations(post=data_export.delete_my_account)),
    path("friends/", operations(get=people.list_friends)),
    path("friends/<str:username>/", operations(put=people.ask_friend, delete=people.unfriend)),
    path("blocks/", operations(get=people.list_blocks)),
    path(
        "blocks/<str:username>/", operations(put=people.block_person, delete=people.unblock_person)
    ),
    path("guests/", operations(post=people.register_guest)),
]
