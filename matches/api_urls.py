"""Addresses of matches in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import path

from matches import api, people_api

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
    path("people/<str:username>/", people_api.PersonView.as_view(), name="api-person"),
    path("ratings/<slug:game>/<slug:mode>/", people_api.RatingsView.as_view(), name="api-ratings"),
]
