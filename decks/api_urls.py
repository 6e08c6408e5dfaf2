"""Addresses of decks in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from decks.api import decks as api

urlpatterns = [
    path("decks/", api.DecksView.as_view(), name="api-decks"),
    path("decks/check/", api.CheckView.as_view(), name="api-deck-check"),
    # A program that leaves the last slash out is understood too: a POST can't be sent on.
    path("decks/check", api.CheckView.as_view(schema=None)),
    path("decks/<slug:slug>/", api.DeckView.as_view(), name="api-deck"),
]
