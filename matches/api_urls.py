"""Addresses of matches in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from matches import api, clock_api, lobby_api, order_api, people_api, talk_api

urlpatterns = [
    path("lobby/", lobby_api.LobbyView.as_view(), name="api-lobby"),
    path("lobby/running/", lobby_api.RunningView.as_view(), name="api-lobby-running"),
    path("lobby/quick/", lobby_api.QuickView.as_view(), name="api-lobby-quick"),
    path("clock/", clock_api.OwnClockView.as_view(), name="api-clock"),
    path("clock/away/", clock_api.AwayView.as_view(), name="api-clock-away"),
    path("invitations/", lobby_api.InvitationsView.as_view(), name="api-invitations"),
    path("matches/", api.MatchesView.as_view(), name="api-matches"),
    path("matches/<slug:slug>/", api.MatchView.as_view(), name="api-match"),
    path("matches/<slug:slug>/join/", api.JoinView.as_view(), name="api-match-join"),
    path("matches/<slug:slug>/leave/", api.LeaveView.as_view(), name="api-match-leave"),
    path("matches/<slug:slug>/accept/", lobby_api.AcceptView.as_view(), name="api-match-accept"),
    path("matches/<slug:slug>/decline/", lobby_api.DeclineView.as_view(), name="api-match-decline"),
    path("matches/<slug:slug>/invite/", lobby_api.InviteView.as_view(), name="api-match-invite"),
    path(
        "matches/<slug:slug>/uninvite/", lobby_api.UninviteView.as_view(), name="api-match-uninvite"
    ),
    path("matches/<slug:slug>/fill/", lobby_api.FillView.as_view(), name="api-match-fill"),
    path("matches/<slug:slug>/listed/", lobby_api.ListedView.as_view(), name="api-match-listed"),
    path("matches/<slug:slug>/state/", api.StateView.as_view(), name="api-match-state"),
    path("matches/<slug:slug>/moves/", api.MovesView.as_view(), name="api-match-moves"),
    path("matches/<slug:slug>/events/", api.EventsView.as_view(), name="api-match-events"),
    path("matches/<slug:slug>/take-back/", api.TakeBackView.as_view(), name="api-match-take-back"),
    path("matches/<slug:slug>/turn-back/", api.TurnBackView.as_view(), name="api-match-turn-back"),
    path("matches/<slug:slug>/draw/", api.DrawView.as_view(), name="api-match-draw"),
    path("matches/<slug:slug>/orders/", order_api.OrdersView.as_view(), name="api-match-orders"),
    path(
        "matches/<slug:slug>/orders/<int:number>/",
        order_api.OrderView.as_view(),
        name="api-match-order",
    ),
    path("matches/<slug:slug>/concede/", api.ConcedeView.as_view(), name="api-match-concede"),
    path("matches/<slug:slug>/give-time/", api.GiveTimeView.as_view(), name="api-match-give-time"),
    path("matches/<slug:slug>/return/", api.ReturnView.as_view(), name="api-match-return"),
    path("matches/<slug:slug>/give-up/", api.GiveUpView.as_view(), name="api-match-give-up"),
    path("matches/<slug:slug>/take-over/", api.TakeOverView.as_view(), name="api-match-take-over"),
    path("matches/<slug:slug>/cancel/", api.CancelView.as_view(), name="api-match-cancel"),
    path("matches/<slug:slug>/rematch/", api.RematchView.as_view(), name="api-match-rematch"),
    path("matches/<slug:slug>/result/", api.ResultView.as_view(), name="api-match-result"),
    path("matches/<slug:slug>/replay/", api.ReplayView.as_view(), name="api-match-replay"),
    path("matches/<slug:slug>/fairness/", api.FairnessView.as_view(), name="api-match-fairness"),
    path("matches/<slug:slug>/record/", api.RecordView.as_view(), name="api-match-record"),
    path("matches/<slug:slug>/chat/", talk_api.ChatView.as_view(), name="api-chat"),
    path("matches/<slug:slug>/chat/read/", talk_api.ChatReadView.as_view(), name="api-chat-read"),
    path(
        "matches/<slug:slug>/chat/guests/",
        talk_api.ChatGuestsView.as_view(),
        name="api-chat-guests",
    ),
    path(
        "matches/<slug:slug>/chat/mutes/<str:username>/",
        talk_api.ChatMuteView.as_view(),
        name="api-chat-mute",
    ),
    path("matches/<slug:slug>/comments/", talk_api.CommentsView.as_view(), name="api-comments"),
    path("matches/<slug:slug>/notes/", talk_api.NotesView.as_view(), name="api-notes"),
    path("matches/<slug:slug>/notes/<int:number>/", talk_api.NoteView.as_view(), name="api-note"),
    path("matches/<slug:slug>/reports/", talk_api.ReportsView.as_view(), name="api-reports"),
    path("export/matches/", people_api.ExportView.as_view(), name="api-export-matches"),
    path("people/<str:username>/", people_api.PersonView.as_view(), name="api-person"),
    path("ratings/<slug:game>/<slug:mode>/", people_api.RatingsView.as_view(), name="api-ratings"),
]
