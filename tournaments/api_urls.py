"""Addresses of tournaments in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import include, path

from tournaments.api import tournaments as api

_ORGANISING = [
    path("lock/", api.LockView.as_view(), name="api-tournament-lock"),
    path("start/", api.StartView.as_view(), name="api-tournament-start"),
    path("pair/", api.PairView.as_view(), name="api-tournament-pair"),
    path("cancel/", api.CancelView.as_view(), name="api-tournament-cancel"),
    path("bots/", api.BotsView.as_view(), name="api-tournament-bots"),
    path("messages/", api.MessagesView.as_view(), name="api-tournament-messages"),
    path("rounds/<int:number>/end/", api.EndRoundView.as_view(), name="api-tournament-end-round"),
    path(
        "rounds/<int:number>/take-back/",
        api.TakeBackView.as_view(),
        name="api-tournament-take-back",
    ),
    path(
        "rounds/<int:number>/tables/<int:table>/result/",
        api.TableResultView.as_view(),
        name="api-tournament-result",
    ),
    path("entries/<int:number>/remove/", api.RemoveView.as_view(), name="api-tournament-remove"),
    path(
        "entries/<int:number>/reinstate/",
        api.ReinstateView.as_view(),
        name="api-tournament-reinstate",
    ),
    path("entries/<int:number>/bye/", api.ByeView.as_view(), name="api-tournament-bye"),
]

_READING = [
    path("", api.TournamentView.as_view(), name="api-tournament"),
    path("entries/", api.EntriesView.as_view(), name="api-tournament-entries"),
    path("mine/", api.MyEntryView.as_view(), name="api-tournament-mine"),
    path("standings/", api.StandingsView.as_view(), name="api-tournament-standings"),
    path("rounds/", api.RoundsView.as_view(), name="api-tournament-rounds"),
    path("rounds/<int:number>/tables/", api.TablesView.as_view(), name="api-tournament-tables"),
    path("rulings/", api.RulingsView.as_view(), name="api-tournament-rulings"),
    path("whole/", api.WholeView.as_view(), name="api-tournament-whole"),
]

urlpatterns = [
    path("tournaments/", api.TournamentsView.as_view(), name="api-tournaments"),
    path("tournaments/<slug:slug>/", include([*_READING, *_ORGANISING])),
]
