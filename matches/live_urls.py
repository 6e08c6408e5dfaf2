"""Addresses of the live streams, under ``/events/``: the only ones that need an ASGI server."""

from __future__ import annotations

from django.urls import path

from matches import live

app_name = "events"
urlpatterns = [
    path("matches/<slug:slug>/", live.match_events, name="match"),
    path("lobby/", live.lobby_events, name="lobby"),
    path("me/", live.my_events, name="me"),
]
