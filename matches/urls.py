"""The addresses of the table's pages."""

from __future__ import annotations

from django.urls import path

from matches import clock_views, views

app_name = "matches"
urlpatterns = [
    path("play/", views.new, name="new"),
    path("play/quick/", views.quick, name="quick"),
    path("matches/", views.mine, name="mine"),
    path("matches/<slug:slug>/", views.table, name="table"),
    path("matches/<slug:slug>/table/", views.fragment, name="fragment"),
    path("matches/<slug:slug>/play/", views.play, name="play"),
    path("matches/<slug:slug>/concede/", views.concede, name="concede"),
    path("matches/<slug:slug>/give-time/", clock_views.give_time, name="give-time"),
    path("matches/<slug:slug>/return/", clock_views.take_seat_back, name="return"),
    path("matches/<slug:slug>/cancel/", clock_views.cancel, name="cancel"),
    path("you/clock/", clock_views.own_clock, name="own-clock"),
    path("you/clock/zone/", clock_views.guess_zone, name="guess-zone"),
    path("you/clock/away/", clock_views.go_away, name="go-away"),
    path("you/clock/back/", clock_views.come_back, name="come-back"),
    path("matches/<slug:slug>/join/", views.join, name="join"),
    path("matches/<slug:slug>/leave/", views.leave, name="leave"),
    path("matches/<slug:slug>/rematch/", views.rematch, name="rematch"),
    path("matches/<slug:slug>/result/", views.result, name="result"),
    path("matches/<slug:slug>/replay/", views.replay, name="replay"),
    path("matches/<slug:slug>/fairness/", views.fairness, name="fairness"),
    path("matches/<slug:slug>/match.json", views.record, name="record"),
]
