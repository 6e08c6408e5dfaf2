"""Addresses of the catalog in the API."""

from __future__ import annotations

from django.urls import path

from collection import api

urlpatterns = [
    path("games/", api.GameList.as_view(), name="api-games"),
    path("games/<slug:slug>/", api.GameDetail.as_view(), name="api-game"),
    path("cards/", api.CardList.as_view(), name="api-cards"),
    path("cards/<slug:game>/<slug:slug>/", api.CardDetail.as_view(), name="api-card"),
]
