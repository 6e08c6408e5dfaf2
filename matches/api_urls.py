"""Addresses of matches in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from core.operations import operations
from matches.api import (
    ahead,
    clock,
    hints,
    lobby,
    lookback,
    matches,
    people,
    series,
    standing_orders,
    talk,
)

urlpatterns = [
    path("lobby/", operations(get=lobby.list_tables)),
    path("lobby/running/", operations(get=lobby.list_running)),
    path("lobby/quick/", operations(post=lobby.find_quick_match)),
    path("clock/", operations(get=clock.get_clock, patch=clock.change_clock)),
    path("clock/vacation/", operations(post=clock.book_vacation, delete=clock.cancel_vacation)),
    path("invitations/", operations(get=lobby.list_invitations)),
    path("matches/", operations(get=matches.list_matches, post=matches.create_match)),
    path("matches/<slug:slug>/", operations(get=matches.get_match), name="api-match"),
    path("matches/<slug:slug>/join/", operations(post=matches.join)),
    path("matches/<slug:slug>/leave/", operations(post=matches.leave)),
    path("matches/<slug:slug>/accept/", operations(post=lobby.accept_invitation)),
    path("matches/<slug:slug>/decline/", operations(post=lobby.decline_invitation)),
    path("matches/<slug:slug>/invite/", operations(post=lobby.invite)),
    path("matches/<slug:slug>/uninvite/", operations(post=lobby.withdraw_invitation)),
    path("matches/<slug:slug>/fill/", operations(post=lobby.fill_seat)),
    path("matches/<slug:slug>/listed/", operations(post=lobby.list_in_lobby)),
    path("matches/<slug:slug>/state/", operations(get=matches.get_state)),
    path("matches/<slug:slug>/moves/", operations(post=matches.play_move)),
    path("matches/<slug:slug>/events/", operations(get=matches.list_events)),
    path("matches/<slug:slug>/undo/", operations(post=matches.take_back)),
    path("matches/<slug:slug>/takeback/", operations(post=matches.go_back)),
    path("matches/<slug:slug>/draw/", operations(post=matches.agree_on_draw)),
    path("matches/<slug:slug>/hint/", operations(get=hints.get_hint, post=hints.ask_for_hint)),
    path(
        "matches/<slug:slug>/orders/",
        operations(
            get=standing_orders.list_orders,
            post=standing_orders.give_order,
            delete=standing_orders.cancel_all_orders,
        ),
    ),
    path(
        "matches/<slug:slug>/orders/<int:number>/", operations(delete=standing_orders.cancel_order)
    ),
    path(
        "matches/<slug:slug>/orders/ahead/",
        operations(get=ahead.list_prompts, post=ahead.plan_answer),
    ),
    path("matches/<slug:slug>/orders/ahead/dry-run/", operations(post=ahead.dry_run)),
    path("matches/<slug:slug>/concede/", operations(post=matches.concede)),
    path("matches/<slug:slug>/give-time/", operations(post=matches.give_time)),
    path("matches/<slug:slug>/return/", operations(post=matches.return_to_seat)),
    path("matches/<slug:slug>/give-up/", operations(post=matches.give_up_seat)),
    path("matches/<slug:slug>/take-over/", operations(post=matches.take_seat_over)),
    path("matches/<slug:slug>/cancel/", operations(post=matches.cancel)),
    path("matches/<slug:slug>/rematch/", operations(post=matches.rematch)),
    path("matches/<slug:slug>/series/", operations(get=series.get_series)),
    path("matches/<slug:slug>/result/", operations(get=matches.get_result)),
    path("matches/<slug:slug>/replay/", operations(get=matches.get_replay)),
    path(
        "matches/<slug:slug>/lookback/",
        operations(
            get=lookback.get_look_back,
            post=lookback.start_look_back,
            patch=lookback.share_look_back,
        ),
    ),
    path("matches/<slug:slug>/fairness/", operations(get=matches.get_fairness)),
    path("matches/<slug:slug>/record/", operations(get=matches.get_record)),
    path("matches/<slug:slug>/chat/", operations(get=talk.read_chat, post=talk.write_line)),
    path("matches/<slug:slug>/chat/read/", operations(post=talk.mark_read)),
    path("matches/<slug:slug>/chat/guests/", operations(post=talk.let_guests_write)),
    path(
        "matches/<slug:slug>/chat/mutes/<str:username>/",
        operations(put=talk.mute, delete=talk.unmute),
    ),
    path(
        "matches/<slug:slug>/comments/", operations(get=talk.list_comments, post=talk.add_comment)
    ),
    path("matches/<slug:slug>/notes/", operations(get=talk.list_notes, post=talk.add_note)),
    path("matches/<slug:slug>/notes/<int:number>/", operations(delete=talk.remove_note)),
    path("matches/<slug:slug>/reports/", operations(post=talk.report)),
    path("export/matches/", operations(get=people.export_matches)),
    path("people/<str:username>/", operations(get=people.get_person)),
    path("ratings/<slug:game>/<slug:mode>/", operations(get=people.list_ratings)),
]
