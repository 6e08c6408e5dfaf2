"""Addresses of the deck pages."""

from __future__ import annotations

from django.urls import path

from decks.views import (
    builder,
    checks,
    comments,
    format_files,
    formats,
    lab,
    lists,
    played,
    shared,
    versions,
)
from decks.views import decks as views

app_name = "decks"

urlpatterns = [
    path("decks/", views.mine, name="mine"),
    path("decks/new/text/", views.new, name="new_text"),
    path("decks/check/", views.check, name="check"),
    path("decks/ready-made/<slug:game>/<slug:starter>/", views.ready_made, name="ready_made"),
    path(
        "decks/ready-made/<slug:game>/<slug:starter>/copy/",
        views.copy_starter,
        name="copy_starter",
    ),
    # What others show, versions, likes
    path("decks/shared/", shared.shared, name="shared"),
    path("decks/with/<slug:game>/<slug:slug>/", played.card, name="played"),
    path("decks/buildable/", shared.buildable, name="buildable"),
    path("decks/<slug:slug>/about/", views.about, name="about"),
    path("decks/<slug:slug>/copy/", shared.copy, name="copy"),
    path("decks/<slug:slug>/like/", shared.like, name="like"),
    path("decks/<slug:slug>/comments/", comments.comment, name="comment"),
    path("decks/<slug:slug>/comments/<int:number>/", comments.remove, name="remove_comment"),
    path("decks/<slug:slug>/comments/<int:number>/report/", comments.report, name="report_comment"),
    path(
        "decks/<slug:slug>/preview-<slug:digest>.jpg", views.preview_picture, name="preview_picture"
    ),
    path("decks/<slug:slug>/undo/", versions.undo, name="undo"),
    path("decks/<slug:slug>/redo/", versions.redo, name="redo"),
    path("decks/<slug:slug>/restore/", versions.restore, name="restore"),
    path("decks/<slug:slug>/history/", versions.history, name="history"),
    path("decks/<slug:slug>/history/<int:number>/", versions.name, name="version"),
    path("decks/<slug:slug>/compare/", versions.compare, name="compare"),
    # The lab
    path("decks/<slug:slug>/lab/", lab.deck_lab, name="lab"),
    path("lab/<slug:slug>/", lab.lab_run, name="lab_run"),
    path("lab/<slug:slug>/cancel/", lab.cancel, name="cancel_lab"),
    # In and out
    path("decks/import/", lists.import_deck, name="import"),
    path("decks/<slug:slug>/export/", lists.export, name="export"),
    path(
        "decks/sheets/<slug:game>/<int:number>-<slug:digest>.jpg",
        lists.card_sheet,
        name="card_sheet",
    ),
    # The builder
    path("decks/new/", builder.new, name="new"),
    path("decks/<slug:slug>/build/", builder.build, name="build"),
    path("decks/<slug:slug>/shape/", builder.shape, name="shape"),
    path("decks/<slug:slug>/want/", builder.want, name="want"),
    # House formats
    path("formats/", formats.formats, name="formats"),
    path("formats/new/", formats.new, name="new_format"),
    path("formats/import/", format_files.import_format, name="import_format"),
    path("formats/preview/<slug:game>/<slug:mode>/", format_files.preview, name="preview_format"),
    path("formats/<slug:slug>/", formats.format, name="format"),
    path("formats/<slug:slug>/format.toml", format_files.export_format, name="export_format"),
    path("formats/<slug:slug>/new-version/", formats.change, name="change_format"),
    path("formats/<slug:slug>/retire/", formats.retire, name="retire_format"),
    # Deck checks
    path("deck-checks/", checks.checks, name="deck_checks"),
    path("deck-checks/<slug:slug>/", checks.check, name="deck_check"),
    path("deck-checks/<slug:slug>/add/", checks.add, name="check_add"),
    path("deck-checks/<slug:slug>/hand-in/", checks.hand_in, name="check_hand_in"),
    path("deck-checks/<slug:slug>/registration/", checks.registration, name="check_registration"),
    path("deck-checks/<slug:slug>/lock/", checks.lock, name="check_lock"),
    path("deck-checks/<slug:slug>/unlock/", checks.unlock, name="check_unlock"),
    path("deck-checks/<slug:slug>/event/", checks.event, name="check_event"),
    path("deck-checks/<slug:slug>/again/", checks.judge_again, name="check_again"),
    path("deck-checks/<slug:slug>/sheets.pdf", checks.sheets_file, name="check_sheets"),
    path("deck-checks/<slug:slug>/sheets/", checks.sheets_page, name="check_sheets_page"),
    path("deck-checks/<slug:slug>/illegal.pdf", checks.illegal_sheets, name="check_illegal_sheets"),
    path("deck-checks/<slug:slug>/melee.csv", checks.melee, name="check_melee"),
    path("deck-checks/<slug:slug>/qr.svg", checks.qr_code, name="check_qr"),
    path("deck-checks/<slug:slug>/verdicts.csv", checks.verdicts, name="check_verdicts"),
    path("deck-checks/<slug:slug>/<int:number>/", checks.deck, name="checked_deck"),
    path("deck-checks/<slug:slug>/<int:number>/sheet.pdf", checks.sheet, name="check_sheet"),
    path("deck-checks/<slug:slug>/<int:number>/out/", checks.take_out, name="check_take_out"),
    path("decks/<slug:slug>/", views.deck, name="deck"),
    path("decks/<slug:slug>/edit/", views.edit, name="edit"),
    path("decks/<slug:slug>/delete/", views.delete, name="delete"),
]
