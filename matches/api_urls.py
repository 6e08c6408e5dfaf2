"""Addresses of matches in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from matches import api, talk_api

urlpatterns = [
    path("matches/", api.MatchesView.as_view(), name="api-matches"),
    path("matches/<slug:slug>/", api.MatchView.as_view(), name="api-match"),
    path("matches/<slug:slug>/join/", api.JoinView.as_view(), name="api-match-join"),
    path("matches/<slug:slug>/leave/", api.LeaveView.as_view(), name="api-match-leave"),
    path("matches/<slug:slug>/state/", api.StateView.as_view(), name="api-match-state"),
    path("matches/<slug:slug>/moves/", api.MovesView.as_view(), name="api-match-moves"),
    path("matches/<slug:slug>/events/", api.EventsView.as_view(), name="api-match-events"),
    path("matches/<slug:slug>/concede/", api.ConcedeView.as_view(), name="api-match-concede"),
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
    path("matches/<slug:slug>/notes/", talk_api.NotesView.as_view(), name="api-notes"),
    path("matches/<slug:slug>/notes/<int:number>/", talk_api.NoteView.as_view(), name="api-note"),
    path("matches/<slug:slug>/reports/", talk_api.ReportsView.as_view(), name="api-reports"),
]
