"""The addresses of the table's pages."""

from __future__ import annotations

from django.urls import path

from matches import clock_views, lesson_views, lobby_views, people_views, talk_views, views

app_name = "matches"
urlpatterns = [
    path("play/", views.new, name="new"),
    path("play/quick/", views.quick, name="quick"),
    path("play/lobby/", lobby_views.show, name="lobby"),
    path("play/lobby/quick/", lobby_views.quick_match, name="quick_match"),
    path("matches/", views.mine, name="mine"),
    path("matches/<slug:slug>/", views.table, name="table"),
    path("matches/<slug:slug>/table/", views.fragment, name="fragment"),
    path("matches/<slug:slug>/play/", views.play, name="play"),
    path("matches/<slug:slug>/take-back/", views.take_back, name="take-back"),
    path("matches/<slug:slug>/concede/", views.concede, name="concede"),
    path("matches/<slug:slug>/give-time/", clock_views.give_time, name="give-time"),
    path("matches/<slug:slug>/return/", clock_views.take_seat_back, name="return"),
    path("matches/<slug:slug>/cancel/", clock_views.cancel, name="cancel"),
    path("you/clock/", clock_views.own_clock, name="own-clock"),
    path("you/clock/zone/", clock_views.guess_zone, name="guess-zone"),
    path("you/clock/away/", clock_views.go_away, name="go-away"),
    path("you/clock/back/", clock_views.come_back, name="come-back"),
    path("matches/<slug:slug>/join/", views.join, name="join"),
    path("matches/<slug:slug>/sit/", lobby_views.sit, name="sit"),
    path("matches/<slug:slug>/accept/", lobby_views.accept, name="accept"),
    path("matches/<slug:slug>/decline/", lobby_views.decline, name="decline"),
    path("matches/<slug:slug>/invite/", lobby_views.invite, name="invite"),
    path("matches/<slug:slug>/uninvite/", lobby_views.uninvite, name="uninvite"),
    path("matches/<slug:slug>/fill/", lobby_views.fill, name="fill"),
    path("matches/<slug:slug>/listed/", lobby_views.listed, name="listed"),
    path("matches/<slug:slug>/leave/", views.leave, name="leave"),
    path("matches/<slug:slug>/rematch/", views.rematch, name="rematch"),
    path("matches/<slug:slug>/result/", views.result, name="result"),
    path("matches/<slug:slug>/replay/", views.replay, name="replay"),
    path("matches/<slug:slug>/moment.jpg", views.moment_picture, name="moment"),
    path("matches/<slug:slug>/fairness/", views.fairness, name="fairness"),
    path("matches/<slug:slug>/match.json", views.record, name="record"),
    path("calendar/<str:secret>.ics", views.calendar, name="calendar"),
    path("feed/<str:secret>.atom", views.feed, name="feed"),
    path("matches/<slug:slug>/talk/", talk_views.talk_page, name="talk"),
    path("matches/<slug:slug>/talk/say/", talk_views.say, name="say"),
    path("matches/<slug:slug>/talk/read/", talk_views.read, name="talk-read"),
    path("matches/<slug:slug>/talk/note/", talk_views.note, name="note"),
    path("matches/<slug:slug>/talk/note/remove/", talk_views.remove_note, name="remove-note"),
    path("matches/<slug:slug>/talk/mute/", talk_views.mute, name="mute"),
    path("matches/<slug:slug>/talk/guests/", talk_views.guests, name="talk-guests"),
    path("matches/<slug:slug>/talk/report/", talk_views.report, name="report"),
    path("games/<slug:game>/learn/", lesson_views.learn, name="learn"),
    path("games/<slug:game>/records/", people_views.records, name="game-records"),
    path("people/<str:username>/", people_views.person, name="person"),
    path("ratings/<slug:game>/<slug:mode>/", people_views.ratings, name="ratings"),
]
