"""The addresses of the table's pages."""

from __future__ import annotations

from django.urls import path

from matches import people_views, views

app_name = "matches"
urlpatterns = [
    path("play/", views.new, name="new"),
    path("play/quick/", views.quick, name="quick"),
    path("matches/", views.mine, name="mine"),
    path("matches/<slug:slug>/", views.table, name="table"),
    path("matches/<slug:slug>/table/", views.fragment, name="fragment"),
    path("matches/<slug:slug>/play/", views.play, name="play"),
    path("matches/<slug:slug>/concede/", views.concede, name="concede"),
    path("matches/<slug:slug>/join/", views.join, name="join"),
    path("matches/<slug:slug>/leave/", views.leave, name="leave"),
    path("matches/<slug:slug>/rematch/", views.rematch, name="rematch"),
    path("matches/<slug:slug>/result/", views.result, name="result"),
    path("matches/<slug:slug>/replay/", views.replay, name="replay"),
    path("matches/<slug:slug>/moment.jpg", views.moment_picture, name="moment"),
    path("matches/<slug:slug>/fairness/", views.fairness, name="fairness"),
    path("matches/<slug:slug>/match.json", views.record, name="record"),
    path("people/<str:username>/", people_views.person, name="person"),
    path("ratings/<slug:game>/<slug:mode>/", people_views.ratings, name="ratings"),
]
