"""Addresses of the card gallery and of card pictures."""

from __future__ import annotations

from django.urls import path

from collection.views import gallery, prints, trades

app_name = "collection"
urlpatterns = [
    path("cards/", gallery.gallery, name="gallery"),
    path("cards/<slug:game>/<slug:slug>/", gallery.card, name="card"),
    path(
        "cards/<slug:game>/<slug:slug>/<slug:size>-<slug:digest>.webp",
        gallery.card_image,
        name="card_image",
    ),
    path(
        "card-backs/<slug:game>/<slug:size>-<slug:digest>.webp", gallery.card_back, name="card_back"
    ),
    # Trades
    path("trades/", trades.trades, name="trades"),
    path("trades/new/<str:username>/", trades.new, name="new_trade"),
    path("trades/<slug:slug>/", trades.trade, name="trade"),
    path("trades/<slug:slug>/accept/", trades.accept, name="accept_trade"),
    path("trades/<slug:slug>/decline/", trades.decline, name="decline_trade"),
    path("trades/<slug:slug>/cancel/", trades.cancel, name="cancel_trade"),
    # Print and play
    path("prints/", prints.prints, name="prints"),
    path("prints/new/", prints.new, name="new_print"),
    path("prints/<slug:slug>/", prints.job, name="print"),
    path("prints/<slug:slug>/cards.pdf", prints.file, name="print_file"),
    path("prints/<slug:slug>/cancel/", prints.cancel, name="cancel_print"),
    path("prints/<slug:slug>/again/", prints.again, name="print_again"),
]
