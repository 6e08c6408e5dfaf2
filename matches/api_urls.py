"""Addresses of matches in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from matches.api import clock, lobby, matches, people, series, standing_orders, talk

urlpatterns = [
    path("lobby/", lobby.LobbyView.as_view(), name="api-lobby"),
    path("lobby/running/", lobby.RunningView.as_view(), name="api-lobby-running"),
    path("lobby/quick/", lobby.QuickView.as_view(), name="api-lobby-quick"),
    path("clock/", clock.OwnClockView.as_view(), name="api-clock"),
    path("clock/away/", clock.AwayView.as_view(), name="api-clock-away"),
    path("invitations/", lobby.InvitationsView.as_view(), name="api-invitations"),
    path("matches/", matches.MatchesView.as_view(), name="api-matches"),
    path("matches/<slug:slug>/", matches.MatchView.as_view(), name="api-match"),
    path("matches/<slug:slug>/join/", matches.JoinView.as_view(), name="api-match-join"),
    path("matches/<slug:slug>/leave/", matches.LeaveView.as_view(), name="api-match-leave"),
    path("matches/<slug:slug>/accept/", lobby.AcceptView.as_view(), name="api-match-accept"),
    path("matches/<slug:slug>/decline/", lobby.DeclineView.as_view(), name="api-match-decline"),
    path("matches/<slug:slug>/invite/", lobby.InviteView.as_view(), name="api-match-invite"),
    path("matches/<slug:slug>/uninvite/", lobby.UninviteView.as_view(), name="api-match-uninvite"),
    path("matches/<slug:slug>/fill/", lobby.FillView.as_view(), name="api-match-fill"),
    path("matches/<slug:slug>/listed/", lobby.ListedView.as_view(), name="api-match-listed"),
    path("matches/<slug:slug>/state/", matches.StateView.as_view(), name="api-match-state"),
    path("matches/<slug:slug>/moves/", matches.MovesView.as_view(), name="api-match-moves"),
    path("matches/<slug:slug>/events/", matches.EventsView.as_view(), name="api-match-events"),
    path(
        "matches/<slug:slug>/take-back/", matches.TakeBackView.as_view(), name="api-match-take-back"
    ),
    path(
        "matches/<slug:slug>/turn-back/", matches.TurnBackView.as_view(), name="api-match-turn-back"
    ),
    path("matches/<slug:slug>/draw/", matches.DrawView.as_view(), name="api-match-draw"),
    path(
        "matches/<slug:slug>/orders/", standing_orders.OrdersView.as_view(), name="api-match-orders"
    ),
    path(
        "matches/<slug:slug>/orders/<int:number>/",
        standing_orders.OrderView.as_view(),
        name="api-match-order",
    ),
    path("matches/<slug:slug>/concede/", matches.ConcedeView.as_view(), name="api-match-concede"),
    path(
        "matches/<slug:slug>/give-time/", matches.GiveTimeView.as_view(), name="api-match-give-time"
    ),
    path("matches/<slug:slug>/return/", matches.ReturnView.as_view(), name="api-match-return"),
    path("matches/<slug:slug>/give-up/", matches.GiveUpView.as_view(), name="api-match-give-up"),
    path(
        "matches/<slug:slug>/take-over/", matches.TakeOverView.as_view(), name="api-match-take-over"
    ),
    path("matches/<slug:slug>/cancel/", matches.CancelView.as_view(), name="api-match-cancel"),
    path("matches/<slug:slug>/rematch/", matches.RematchView.as_view(), name="api-match-rematch"),
    path("matches/<slug:slug>/series/", series.SeriesView.as_view(), name="api-match-series"),
    path("matches/<slug:slug>/result/", matches.ResultView.as_view(), name="api-match-result"),
    path("matches/<slug:slug>/replay/", matches.ReplayView.as_view(), name="api-match-replay"),
    path(
        "matches/<slug:slug>/fairness/", matches.FairnessView.as_view(), name="api-match-fairness"
    ),
    path("matches/<slug:slug>/record/", matches.RecordView.as_view(), name="api-match-record"),
    path("matches/<slug:slug>/chat/", talk.ChatView.as_view(), name="api-chat"),
    path("matches/<slug:slug>/chat/read/", talk.ChatReadView.as_view(), name="api-chat-read"),
    path(
        "matches/<slug:slug>/chat/guests/",
        talk.ChatGuestsView.as_view(),
        name="api-chat-guests",
    ),
    path(
        "matches/<slug:slug>/chat/mutes/<str:username>/",
        talk.ChatMuteView.as_view(),
        name="api-chat-mute",
    ),
    path("matches/<slug:slug>/comments/", talk.CommentsView.as_view(), name="api-comments"),
    path("matches/<slug:slug>/notes/", talk.NotesView.as_view(), name="api-notes"),
    path("matches/<slug:slug>/notes/<int:number>/", talk.NoteView.as_view(), name="api-note"),
    path("matches/<slug:slug>/reports/", talk.ReportsView.as_view(), name="api-reports"),
    path("export/matches/", people.ExportView.as_view(), name="api-export-matches"),
    path("people/<str:username>/", people.PersonView.as_view(), name="api-person"),
    path("ratings/<slug:game>/<slug:mode>/", people.RatingsView.as_view(), name="api-ratings"),
]
