"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import path

from decks.views import decks as views
from decks.views import formats, shared, versions

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
    # What others show, versions, likes
    path("decks/shared/", shared.shared, name="shared"),
    path("decks/<slug:slug>/about/", views.about, name="about"),
    path("decks/<slug:slug>/copy/", shared.copy, name="copy"),
    path("decks/<slug:slug>/like/", shared.like, name="like"),
    path("decks/<slug:slug>/undo/", versions.undo, name="undo"),
    path("decks/<slug:slug>/redo/", versions.redo, name="redo"),
    path("decks/<slug:slug>/restore/", versions.restore, name="restore"),
    path("decks/<slug:slug>/history/", versions.history, name="history"),
    path("decks/<slug:slug>/history/<int:number>/", versions.name, name="version"),
    path("decks/<slug:slug>/compare/", versions.compare, name="compare"),
    # House formats
    path("formats/", formats.formats, name="formats"),
    path("formats/new/", formats.new, name="new_format"),
    path("formats/<slug:slug>/", formats.format, name="format"),
    path("formats/<slug:slug>/new-version/", formats.change, name="change_format"),
    path("formats/<slug:slug>/retire/", formats.retire, name="retire_format"),
    path("decks/<slug:slug>/", views.deck, name="deck"),
    path("decks/<slug:slug>/edit/", views.edit, name="edit"),
    path("decks/<slug:slug>/delete/", views.delete, name="delete"),
]
