"""Addresses of the catalog in the API."""

from __future__ import annotations

from django.urls import path

from collection.api import catalog

urlpatterns = [
    path("games/", catalog.GameList.as_view(), name="api-games"),
    path("games/<slug:slug>/", catalog.GameDetail.as_view(), name="api-game"),
    path("cards/", catalog.CardList.as_view(), name="api-cards"),
    path("cards/<slug:game>/<slug:slug>/", catalog.CardDetail.as_view(), name="api-card"),
]
