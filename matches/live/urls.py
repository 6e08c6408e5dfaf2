"""Addresses of the live streams, under ``/events/``: the only ones that need an ASGI server."""

from __future__ import annotations

from django.urls import path

from matches.live import streams

app_name = "events"
urlpatterns = [
    path("matches/<slug:slug>/", streams.match_events, name="match"),
    path("lobby/", streams.lobby_events, name="lobby"),
    path("me/", streams.my_events, name="me"),
]
