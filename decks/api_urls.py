"""Addresses of decks in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from decks.api import builder, checks, comments, formats, lists, ready_made, shared, versions
from decks.api import decks as api

urlpatterns = [
    path("decks/", api.DecksView.as_view(), name="api-decks"),
    path("decks/check/", api.CheckView.as_view(), name="api-deck-check"),
    path("decks/tags/", api.TagsView.as_view(), name="api-deck-tags"),
    # A program that leaves the last slash out is understood too: a POST can't be sent on.
    path("decks/check", api.CheckView.as_view(schema=None)),
    # Ready-made decks
    path("decks/ready-made/", ready_made.ReadyMadeView.as_view(), name="api-decks-ready-made"),
    path(
        "decks/ready-made/<slug:game>/<slug:starter>/copy/",
        ready_made.CopyReadyMadeView.as_view(),
        name="api-deck-ready-made-copy",
    ),
    # Building
    path("decks/random/", builder.RandomView.as_view(), name="api-deck-random"),
    path("decks/<slug:slug>/cards/", builder.CardsView.as_view(), name="api-deck-cards"),
    path("decks/<slug:slug>/shape/", builder.ShapeView.as_view(), name="api-deck-shape"),
    path("decks/<slug:slug>/needs/", builder.NeedsView.as_view(), name="api-deck-needs"),
    path("decks/<slug:slug>/wants/", builder.WantsView.as_view(), name="api-deck-wants"),
    path("decks/<slug:slug>/fill/", builder.FillView.as_view(), name="api-deck-fill"),
    path(
        "decks/<slug:slug>/random/", builder.RandomCardsView.as_view(), name="api-deck-random-cards"
    ),
    # What others show, versions, likes
    path("decks/shared/", shared.SharedView.as_view(), name="api-decks-shared"),
    path("decks/<slug:slug>/versions/", versions.VersionsView.as_view(), name="api-deck-versions"),
    path(
        "decks/<slug:slug>/versions/<int:number>/",
        versions.VersionView.as_view(),
        name="api-deck-version",
    ),
    path("decks/<slug:slug>/undo/", versions.UndoView.as_view(), name="api-deck-undo"),
    path("decks/<slug:slug>/redo/", versions.RedoView.as_view(), name="api-deck-redo"),
    path("decks/<slug:slug>/restore/", versions.RestoreView.as_view(), name="api-deck-restore"),
    path("decks/<slug:slug>/compare/", versions.CompareView.as_view(), name="api-deck-compare"),
    path("decks/<slug:slug>/copy/", shared.CopyView.as_view(), name="api-deck-copy"),
    path("decks/<slug:slug>/comments/", comments.CommentsView.as_view(), name="api-deck-comments"),
    path(
        "decks/<slug:slug>/comments/<int:number>/",
        comments.CommentView.as_view(),
        name="api-deck-comment",
    ),
    path(
        "decks/<slug:slug>/comments/<int:number>/report/",
        comments.CommentReportView.as_view(),
        name="api-deck-comment-report",
    ),
    path("decks/<slug:slug>/like/", shared.LikeView.as_view(), name="api-deck-like"),
    # In and out
    path("decks/import/", lists.ImportView.as_view(), name="api-deck-import"),
    path("decks/<slug:slug>/export/", lists.ExportView.as_view(), name="api-deck-export"),
    path("decks/<slug:slug>/", api.DeckView.as_view(), name="api-deck"),
    # House formats and deck checks
    path("formats/", formats.FormatsView.as_view(), name="api-formats"),
    path("formats/<slug:slug>/", formats.FormatView.as_view(), name="api-format"),
    path("deck-checks/", checks.DeckChecksView.as_view(), name="api-deck-checks"),
    path("deck-checks/handed-in/", checks.HandedInView.as_view(), name="api-deck-checks-handed-in"),
    path("deck-checks/<slug:slug>/", checks.DeckCheckView.as_view(), name="api-deck-check-event"),
    path("deck-checks/<slug:slug>/decks/", checks.PileView.as_view(), name="api-deck-check-pile"),
    path(
        "deck-checks/<slug:slug>/mine/",
        checks.MyCheckedDeckView.as_view(),
        name="api-deck-check-mine",
    ),
    path("deck-checks/<slug:slug>/event/", checks.EventView.as_view(), name="api-deck-check-about"),
    path("deck-checks/<slug:slug>/tally/", checks.TallyView.as_view(), name="api-deck-check-tally"),
    path("deck-checks/<slug:slug>/again/", checks.AgainView.as_view(), name="api-deck-check-again"),
    path(
        "deck-checks/<slug:slug>/sheets/", checks.SheetsView.as_view(), name="api-deck-check-sheets"
    ),
    path(
        "deck-checks/<slug:slug>/verdicts/",
        checks.VerdictsView.as_view(),
        name="api-deck-check-verdicts",
    ),
    path(
        "deck-checks/<slug:slug>/decks/<int:number>/",
        checks.OnPileView.as_view(),
        name="api-deck-check-on-pile",
    ),
    path(
        "deck-checks/<slug:slug>/decks/<int:number>/sheet/",
        checks.SheetView.as_view(),
        name="api-deck-check-sheet",
    ),
]
