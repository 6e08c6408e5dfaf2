"""Addresses of the catalog in the API."""

from __future__ import annotations

from django.urls import path

from collection.api import catalog, prints, trades

urlpatterns = [
    path("games/", catalog.GameList.as_view(), name="api-games"),
    path("games/<slug:slug>/", catalog.GameDetail.as_view(), name="api-game"),
    path("cards/", catalog.CardList.as_view(), name="api-cards"),
    path("cards/<slug:game>/<slug:slug>/", catalog.CardDetail.as_view(), name="api-card"),
    # Trades
    path("trades/", trades.TradesView.as_view(), name="api-trades"),
    path("trades/<slug:slug>/", trades.TradeView.as_view(), name="api-trade"),
    path("trades/<slug:slug>/accept/", trades.AcceptTradeView.as_view(), name="api-accept-trade"),
    path(
        "trades/<slug:slug>/decline/", trades.DeclineTradeView.as_view(), name="api-decline-trade"
    ),
    path("trades/<slug:slug>/cancel/", trades.CancelTradeView.as_view(), name="api-cancel-trade"),
    # Print and play
    path("prints/", prints.PrintsView.as_view(), name="api-prints"),
    path("prints/<slug:slug>/", prints.PrintView.as_view(), name="api-print"),
    path("prints/<slug:slug>/cards.pdf", prints.PrintFileView.as_view(), name="api-print-file"),
]
