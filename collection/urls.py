"""Addresses of the card gallery and of card pictures."""

from __future__ import annotations

from django.urls import path

from collection.views import binders, cards, gallery, imports, mine, packs, prints, sets, trades

app_name = "collection"
urlpatterns = [
    # Holdings and gallery
    path("cards/", gallery.gallery, name="gallery"),
    path("cards/<slug:game>/<slug:slug>/", cards.card, name="card"),
    path("cards/<slug:game>/<slug:slug>/glance/", cards.glance, name="glance"),
    path("cards/<slug:game>/<slug:slug>/count/", cards.count, name="count"),
    path("cards/<slug:game>/<slug:slug>/mark/", cards.mark, name="mark"),
    path("cards/<slug:game>/<slug:slug>/copies/", cards.describe, name="copies"),
    path(
        "cards/<slug:game>/<slug:slug>/<slug:size>-<slug:digest>.webp",
        cards.card_image,
        name="card_image",
    ),
    path(
        "card-backs/<slug:game>/<slug:size>-<slug:digest>.webp", cards.card_back, name="card_back"
    ),
    path("sets/<slug:game>/<slug:slug>/", sets.card_set, name="set"),
    path("sets/<slug:game>/<slug:slug>/want/", sets.want_rest, name="want_rest"),
    path("collection/", mine.mine, name="mine"),
    path("collection/edit/", mine.bulk, name="bulk"),
    path("collection/starter/", mine.starter, name="starter"),
    path("collection/progress/", mine.progress, name="completion"),
    path("collection/history/", mine.history, name="history"),
    path("collection/settings/", mine.settings, name="settings"),
    path("collections/<str:username>/", mine.shelf, name="shelf"),
    # Shared binders
    path("collection/binders/", binders.binders, name="binders"),
    path("collection/binders/<slug:slug>/revoke/", binders.revoke, name="revoke_binder"),
    path("binders/<slug:slug>/", binders.binder, name="binder"),
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
    # Packs
    path("packs/", packs.packs, name="packs"),
    path("packs/gift/", packs.take_gift, name="gift"),
    path("packs/verify.py", packs.verify_script, name="verify_script"),
    path("packs/odds/<slug:game>/<slug:product>/", packs.odds, name="odds"),
    path("packs/<slug:slug>/", packs.pack, name="pack"),
    path("packs/<slug:slug>/open/", packs.open_pack, name="open_pack"),
    path("packs/<slug:slug>/verify/", packs.verify, name="pack_verify"),
    path("packs/<slug:slug>/pack.json", packs.record, name="pack_record"),
    # Import and export
    path("collection/import/", imports.imports, name="imports"),
    path("collection/import/<slug:slug>/", imports.job, name="import"),
    path("collection/import/<slug:slug>/apply/", imports.apply, name="apply_import"),
    path("collection/import/<slug:slug>/cancel/", imports.cancel, name="cancel_import"),
    path("collection/import/<slug:slug>/undo/", imports.undo, name="undo_import"),
    path(
        "collection/import/<slug:slug>/suggestions/", imports.suggestions, name="import_suggestions"
    ),
    path("collection/import/<slug:slug>/lines/<int:number>/", imports.line, name="import_line"),
    path("collection/export/", imports.export, name="export"),
    path("collection/export/file/", imports.export_file, name="export_file"),
]
