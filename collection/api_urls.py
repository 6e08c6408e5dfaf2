"""Addresses of the catalog in the API."""

from __future__ import annotations

from django.urls import path

from collection.api import binders, catalog, history, holdings, imports, packs, prints, trades
from core.operations import operations

urlpatterns = [
    path("games/", operations(get=catalog.list_games)),
    path("games/<slug:slug>/", operations(get=catalog.get_game)),
    path("cards/", catalog.CardList.as_view()),
    path("cards/<slug:game>/<slug:slug>/", operations(get=catalog.get_card)),
    # Holdings and gallery
    path("collection/", holdings.MyCollection.as_view()),
    path("collection/summary/", operations(get=holdings.get_summary)),
    path(
        "collection/starter/", operations(get=holdings.list_starters, post=holdings.claim_starter)
    ),
    path(
        "collection/settings/",
        operations(get=holdings.get_settings, patch=holdings.change_settings),
    ),
    path("collection/history/", operations(get=history.list_history)),
    path("collection/<str:username>/", holdings.CollectionOf.as_view()),
    path(
        "collection/<slug:game>/<slug:slug>/",
        operations(get=holdings.get_holding, patch=holdings.change_holding),
    ),
    path(
        "collection/<slug:game>/<slug:slug>/copies/",
        operations(get=holdings.get_copies, put=holdings.set_copies),
    ),
    path(
        "collection/<slug:game>/<slug:slug>/history/", operations(get=history.list_history_of_card)
    ),
    # Shared binders
    path("binders/", operations(get=binders.list_binders, post=binders.share_binder)),
    path("binders/<slug:slug>/", operations(get=binders.get_binder, delete=binders.revoke_binder)),
    path("binders/<slug:slug>/cards/", binders.BinderCardList.as_view()),
    path("people/<str:username>/binders/", operations(get=binders.list_of_person)),
    # Trades
    path("trades/", operations(get=trades.list_trades, post=trades.propose_trade)),
    path("trades/partners/", operations(get=trades.find_partners)),
    path("trades/<slug:slug>/", operations(get=trades.get_trade), name="api-trade"),
    path("trades/<slug:slug>/accept/", operations(post=trades.accept_trade)),
    path("trades/<slug:slug>/decline/", operations(post=trades.decline_trade)),
    path("trades/<slug:slug>/cancel/", operations(post=trades.cancel_trade)),
    # Print and play
    path("prints/", operations(get=prints.list_prints, post=prints.create_print)),
    path("prints/<slug:slug>/", operations(get=prints.get_print, delete=prints.cancel_print)),
    path(
        "prints/<slug:slug>/cards.pdf", operations(get=prints.download_print), name="api-print-file"
    ),
    # Packs
    path("packs/", operations(get=packs.list_packs)),
    path("packs/daily/", operations(get=packs.get_daily_pack, post=packs.claim_daily_pack)),
    path("packs/grant/", operations(post=packs.grant_packs)),
    path("packs/odds/<slug:game>/<slug:product>/", operations(get=packs.get_odds), name="api-odds"),
    path("packs/<slug:slug>/", operations(get=packs.get_pack), name="api-pack"),
    path("packs/<slug:slug>/open/", operations(post=packs.open_pack)),
    path("packs/<slug:slug>/record/", operations(get=packs.get_record)),
    # Import and export
    path("imports/", operations(get=imports.list_imports, post=imports.create_import)),
    path("imports/<slug:slug>/", operations(get=imports.get_import), name="api-import"),
    path("imports/<slug:slug>/lines/", operations(get=imports.list_lines)),
    path("imports/<slug:slug>/lines/<int:number>/", operations(post=imports.answer_line)),
    path("imports/<slug:slug>/suggestions/", operations(post=imports.accept_suggestions)),
    path("imports/<slug:slug>/apply/", operations(post=imports.apply_import)),
    path("imports/<slug:slug>/cancel/", operations(post=imports.cancel_import)),
    path("imports/<slug:slug>/undo/", operations(post=imports.undo_import)),
    path("exports/", operations(get=imports.export_cards)),
]
