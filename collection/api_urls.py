"""Addresses of the catalog in the API."""

from __future__ import annotations

from django.urls import path

from collection.api import catalog, history, holdings, imports, packs, prints, trades

urlpatterns = [
    path("games/", catalog.GameList.as_view(), name="api-games"),
    path("games/<slug:slug>/", catalog.GameDetail.as_view(), name="api-game"),
    path("cards/", catalog.CardList.as_view(), name="api-cards"),
    path("cards/<slug:game>/<slug:slug>/", catalog.CardDetail.as_view(), name="api-card"),
    # Holdings and gallery
    path("collection/", holdings.MyCollection.as_view(), name="api-collection"),
    path("collection/summary/", holdings.SummaryView.as_view(), name="api-summary"),
    path("collection/starter/", holdings.StarterView.as_view(), name="api-starter"),
    path("collection/settings/", holdings.SettingsView.as_view(), name="api-settings"),
    path("collection/history/", history.HistoryView.as_view(), name="api-history"),
    path("collection/<str:username>/", holdings.CollectionOf.as_view(), name="api-collection-of"),
    path("collection/<slug:game>/<slug:slug>/", holdings.HoldingView.as_view(), name="api-holding"),
    path(
        "collection/<slug:game>/<slug:slug>/copies/",
        holdings.CopiesView.as_view(),
        name="api-copies",
    ),
    path(
        "collection/<slug:game>/<slug:slug>/history/",
        history.CardHistoryView.as_view(),
        name="api-card-history",
    ),
    # Trades
    path("trades/", trades.TradesView.as_view(), name="api-trades"),
    path("trades/partners/", trades.PartnersView.as_view(), name="api-trade-partners"),
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
    # Packs
    path("packs/", packs.PacksView.as_view(), name="api-packs"),
    path("packs/gift/", packs.GiftView.as_view(), name="api-gift"),
    path("packs/grant/", packs.GrantView.as_view(), name="api-grant-packs"),
    path("packs/odds/<slug:game>/<slug:product>/", packs.OddsView.as_view(), name="api-odds"),
    path("packs/<slug:slug>/", packs.PackView.as_view(), name="api-pack"),
    path("packs/<slug:slug>/open/", packs.OpenPackView.as_view(), name="api-open-pack"),
    path("packs/<slug:slug>/record/", packs.PackRecordView.as_view(), name="api-pack-record"),
    # Import and export
    path("imports/", imports.ImportsView.as_view(), name="api-imports"),
    path("imports/<slug:slug>/", imports.ImportView.as_view(), name="api-import"),
    path("imports/<slug:slug>/lines/", imports.ImportLinesView.as_view(), name="api-import-lines"),
    path(
        "imports/<slug:slug>/lines/<int:number>/",
        imports.ImportLineView.as_view(),
        name="api-import-line",
    ),
    path(
        "imports/<slug:slug>/suggestions/",
        imports.AcceptSuggestionsView.as_view(),
        name="api-import-suggestions",
    ),
    path("imports/<slug:slug>/apply/", imports.ApplyImportView.as_view(), name="api-apply-import"),
    path(
        "imports/<slug:slug>/cancel/", imports.CancelImportView.as_view(), name="api-cancel-import"
    ),
    path("imports/<slug:slug>/undo/", imports.UndoImportView.as_view(), name="api-undo-import"),
    path("exports/", imports.ExportView.as_view(), name="api-exports"),
]
