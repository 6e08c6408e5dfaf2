"""The addresses of the table's pages."""

from __future__ import annotations

from django.urls import path

from matches.views import ahead, clock, games, hints, lessons, lobby, lookback, people, talk
from matches.views.fairness import fairness, record
from matches.views.joining import join, leave, rematch
from matches.views.my_tables import mine, next_table
from matches.views.play import concede, draw, orders, play, take_back, turn_back
from matches.views.replay import moment_picture, play_on_from, replay
from matches.views.result import result
from matches.views.setup import new, quick
from matches.views.subscriptions import calendar, feed
from matches.views.table import fragment, table

app_name = "matches"
urlpatterns = [
    path("play/", new, name="new"),
    path("play/quick/", quick, name="quick"),
    path("play/lobby/", lobby.show, name="lobby"),
    path("play/lobby/running/", lobby.running, name="running"),
    path("play/lobby/quick/", lobby.quick_match, name="quick_match"),
    path("matches/", mine, name="mine"),
    path("matches/<slug:slug>/", table, name="table"),
    path("matches/<slug:slug>/next/", next_table, name="next"),
    path("matches/<slug:slug>/table/", fragment, name="fragment"),
    path("matches/<slug:slug>/play/", play, name="play"),
    path("matches/<slug:slug>/take-back/", take_back, name="take-back"),
    path("matches/<slug:slug>/turn-back/", turn_back, name="turn-back"),
    path("matches/<slug:slug>/draw/", draw, name="draw"),
    path("matches/<slug:slug>/orders/", orders, name="orders"),
    path("matches/<slug:slug>/ahead/", ahead.conditional_moves, name="ahead"),
    path("matches/<slug:slug>/hint/", hints.hint, name="hint"),
    path("matches/<slug:slug>/concede/", concede, name="concede"),
    path("matches/<slug:slug>/give-time/", clock.give_time, name="give-time"),
    path("matches/<slug:slug>/return/", clock.take_seat_back, name="return"),
    path("matches/<slug:slug>/give-up/", lobby.give_up, name="give-up"),
    path("matches/<slug:slug>/take-over/", lobby.take_over, name="take-over"),
    path("matches/<slug:slug>/cancel/", clock.cancel, name="cancel"),
    path("you/clock/", clock.own_clock, name="own-clock"),
    path("you/clock/away/", clock.go_away, name="go-away"),
    path("you/clock/back/", clock.come_back, name="come-back"),
    path("matches/<slug:slug>/join/", join, name="join"),
    path("matches/<slug:slug>/sit/", lobby.sit, name="sit"),
    path("matches/<slug:slug>/accept/", lobby.accept, name="accept"),
    path("matches/<slug:slug>/decline/", lobby.decline, name="decline"),
    path("matches/<slug:slug>/invite/", lobby.invite, name="invite"),
    path("matches/<slug:slug>/uninvite/", lobby.uninvite, name="uninvite"),
    path("matches/<slug:slug>/fill/", lobby.fill, name="fill"),
    path("matches/<slug:slug>/listed/", lobby.listed, name="listed"),
    path("matches/<slug:slug>/leave/", leave, name="leave"),
    path("matches/<slug:slug>/rematch/", rematch, name="rematch"),
    path("matches/<slug:slug>/result/", result, name="result"),
    path("matches/<slug:slug>/replay/", replay, name="replay"),
    path("matches/<slug:slug>/lookback/", lookback.look_back, name="lookback"),
    path("matches/<slug:slug>/lookback/share/", lookback.share, name="lookback-share"),
    path("matches/<slug:slug>/play-on/", play_on_from, name="play-on"),
    path("matches/<slug:slug>/comment/", talk.comment, name="comment"),
    path("matches/<slug:slug>/moment.jpg", moment_picture, name="moment"),
    path("matches/<slug:slug>/fairness/", fairness, name="fairness"),
    path("matches/<slug:slug>/match.json", record, name="record"),
    path("calendar/<str:secret>.ics", calendar, name="calendar"),
    path("feed/<str:secret>.atom", feed, name="feed"),
    path("matches/<slug:slug>/talk/", talk.talk_page, name="talk"),
    path("matches/<slug:slug>/talk/say/", talk.say, name="say"),
    path("matches/<slug:slug>/talk/read/", talk.read, name="talk-read"),
    path("matches/<slug:slug>/talk/note/", talk.note, name="note"),
    path("matches/<slug:slug>/talk/note/remove/", talk.remove_note, name="remove-note"),
    path("matches/<slug:slug>/talk/mute/", talk.mute, name="mute"),
    path("matches/<slug:slug>/talk/guests/", talk.guests, name="talk-guests"),
    path("matches/<slug:slug>/talk/report/", talk.report, name="report"),
    path("games/<slug:game>/", games.game, name="game"),
    path("games/<slug:game>/rules/", games.rules_to_read, name="game-rules"),
    path("rules/<str:rule>/", games.one_rule, name="rule"),
    path("games/<slug:game>/records/", games.records, name="game-records"),
    path("games/<slug:game>/learn/", lessons.learn, name="learn"),
    path("people/", people.players, name="players"),
    path("people/you-played-with/", people.played_with, name="played-with"),
    path("people/<str:username>/", people.person, name="person"),
    path("ratings/<slug:game>/<slug:mode>/", people.ratings, name="ratings"),
]
