"""Addresses of decks in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from core.operations import operations
from decks.api import (
    buildable,
    builder,
    checks,
    comments,
    format_files,
    formats,
    lab,
    lists,
    maybeboard,
    ready_made,
    shared,
    versions,
)
from decks.api import decks as api

urlpatterns = [
    path("decks/", operations(get=api.list_decks, post=api.create_deck)),
    path("decks/check/", operations(post=api.check_deck)),
    path("decks/tags/", operations(get=api.list_tags)),
    # A program that leaves the last slash out is understood too: a POST can't be sent on.
    path("decks/check", operations(post=api.check_deck, documented=False)),
    # Ready-made decks
    path("decks/ready-made/", operations(get=ready_made.list_ready_made)),
    path(
        "decks/ready-made/<slug:game>/<slug:starter>/copy/",
        operations(post=ready_made.copy_ready_made),
    ),
    # Building
    path("decks/buildable/", operations(get=buildable.list_buildable)),
    path(
        "decks/<slug:slug>/maybeboard/",
        operations(get=maybeboard.get_maybeboard, put=maybeboard.set_maybeboard),
    ),
    path("decks/random/", operations(post=builder.create_random_deck)),
    path("decks/<slug:slug>/cards/", operations(patch=builder.change_cards)),
    path("decks/<slug:slug>/stats/", operations(get=builder.get_shape)),
    path("decks/<slug:slug>/needs/", operations(get=builder.get_needs)),
    path("decks/<slug:slug>/wishlist/", operations(post=builder.want_missing)),
    path("decks/<slug:slug>/fill/", operations(post=builder.fill_from_owned)),
    path("decks/<slug:slug>/random/", operations(post=builder.randomise_cards)),
    # What others show, versions, likes
    path("decks/shared/", operations(get=shared.list_shared)),
    path("decks/<slug:slug>/versions/", operations(get=versions.list_versions)),
    path(
        "decks/<slug:slug>/versions/<int:number>/",
        operations(get=versions.get_version, patch=versions.name_version),
    ),
    path("decks/<slug:slug>/undo/", operations(post=versions.undo)),
    path("decks/<slug:slug>/redo/", operations(post=versions.redo)),
    path("decks/<slug:slug>/restore/", operations(post=versions.restore)),
    path("decks/<slug:slug>/compare/", operations(get=versions.compare)),
    path("decks/<slug:slug>/copy/", operations(post=shared.copy_deck)),
    path(
        "decks/<slug:slug>/comments/",
        operations(get=comments.list_comments, post=comments.add_comment),
    ),
    path("decks/<slug:slug>/comments/<int:number>/", operations(delete=comments.remove_comment)),
    path(
        "decks/<slug:slug>/comments/<int:number>/report/", operations(post=comments.report_comment)
    ),
    path(
        "decks/<slug:slug>/like/",
        operations(get=shared.get_likes, put=shared.like_deck, delete=shared.unlike_deck),
    ),
    # The lab
    path("decks/<slug:slug>/lab/", operations(get=lab.list_runs, post=lab.start_run)),
    path("lab/<slug:slug>/", operations(get=lab.get_run, delete=lab.cancel_run)),
    # In and out
    path("decks/import/", operations(post=lists.import_deck)),
    path("decks/<slug:slug>/export/", operations(get=lists.export_deck)),
    path(
        "decks/<slug:slug>/",
        operations(get=api.get_deck, patch=api.change_deck, delete=api.delete_deck),
    ),
    # House formats and deck checks
    path("formats/", operations(get=formats.list_formats, post=formats.create_format)),
    path("formats/preview/", operations(post=format_files.preview)),
    path("formats/import/", operations(post=format_files.import_format)),
    path(
        "formats/<slug:slug>/toml/",
        operations(get=format_files.export_format, put=format_files.publish_toml),
    ),
    path(
        "formats/<slug:slug>/",
        operations(
            get=formats.get_format, post=formats.publish_version, delete=formats.retire_format
        ),
    ),
    path("deck-checks/", operations(get=checks.list_checks, post=checks.create_check)),
    path("deck-checks/submitted/", operations(get=checks.list_my_submissions)),
    path("deck-checks/<slug:slug>/", operations(get=checks.get_check, patch=checks.change_check)),
    path(
        "deck-checks/<slug:slug>/decks/",
        operations(get=checks.list_submissions, post=checks.add_submissions),
    ),
    path(
        "deck-checks/<slug:slug>/mine/",
        operations(
            get=checks.get_my_submission, put=checks.submit_deck, delete=checks.withdraw_deck
        ),
    ),
    path("deck-checks/<slug:slug>/event/", operations(put=checks.describe_event)),
    path("deck-checks/<slug:slug>/tally/", operations(get=checks.get_tally)),
    path("deck-checks/<slug:slug>/recheck/", operations(post=checks.recheck)),
    path("deck-checks/<slug:slug>/sheets/", operations(get=checks.download_sheets)),
    path("deck-checks/<slug:slug>/results/", operations(get=checks.download_results)),
    path(
        "deck-checks/<slug:slug>/decks/<int:number>/",
        operations(
            get=checks.get_submission, delete=checks.remove_submission, put=checks.correct_list
        ),
    ),
    path(
        "deck-checks/<slug:slug>/decks/<int:number>/sheet/", operations(get=checks.download_sheet)
    ),
]
