"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import path

from decks.views import decks as views

app_name = "decks"

urlpatterns = [
    path("decks/", views.mine, name="mine"),
    path("decks/new/", views.new, name="new"),
    path("decks/check/", views.check, name="check"),
    path(
        "decks/ready-made/<slug:game>/<slug:starter>/copy/",
        views.copy_starter,
        name="copy_starter",
    ),
    path("decks/<slug:slug>/", views.deck, name="deck"),
    path("decks/<slug:slug>/edit/", views.edit, name="edit"),
    path("decks/<slug:slug>/delete/", views.delete, name="delete"),
]
