"""Addresses of tournaments."""

from __future__ import annotations

from django.urls import path

from tournaments.views import evenings, ladder, limited, organising, pages, statistics, taking_part

app_name = "tournaments"

urlpatterns = [
    path("tournaments/", pages.tournaments, name="list"),
    path("tournaments/feed.atom", pages.feed, name="feed"),
    path("tournaments/new/", organising.new, name="new"),
    path("tournaments/<slug:slug>/", pages.tournament, name="tournament"),
    path("tournaments/<slug:slug>/players/", pages.players, name="players"),
    path("tournaments/<slug:slug>/players/<int:number>/", pages.player, name="player"),
    path("tournaments/<slug:slug>/rounds/<int:number>/", pages.round_page, name="round"),
    path("tournaments/<slug:slug>/standings/", pages.standings, name="standings"),
    path("tournaments/<slug:slug>/rulings/", pages.rulings, name="rulings"),
    path("tournaments/<slug:slug>/ladder/", ladder.ladder, name="ladder"),
    path("tournaments/<slug:slug>/screen/", evenings.screen, name="screen"),
    path("tournaments/<slug:slug>/embed/", pages.embed, name="embed"),
    path("tournaments/<slug:slug>/standings.csv", pages.csv_file, name="csv"),
    path("tournaments/<slug:slug>/statistics/", statistics.statistics, name="statistics"),
    path("tournaments/<slug:slug>/cards.csv", statistics.cards_csv, name="cards_csv"),
    path("tournaments/<slug:slug>/report.trf", statistics.trf, name="trf"),
    path("tournaments/<slug:slug>/open-bracket.json", statistics.obf, name="obf"),
    path("tournaments/<slug:slug>/standings.pdf", pages.pdf_file, name="pdf"),
    path("tournaments/<slug:slug>/tournament.json", pages.json_file, name="json"),
    path("tournaments/<slug:slug>/calendar.ics", pages.calendar, name="calendar"),
    # What a player does
    path("tournaments/<slug:slug>/enter/", taking_part.enter, name="enter"),
    path("tournaments/<slug:slug>/here/", evenings.here, name="here"),
    path("tournaments/<slug:slug>/withdraw/", taking_part.withdraw, name="withdraw"),
    path("tournaments/<slug:slug>/drop/", taking_part.drop, name="drop"),
    # Sealed and draft
    path("tournaments/<slug:slug>/packs/", limited.packs, name="limited"),
    path("tournaments/<slug:slug>/packs/open/", limited.open_packs, name="open_packs"),
    path("tournaments/<slug:slug>/packs/pick/", limited.pick, name="pick"),
    path("tournaments/<slug:slug>/packs/build/", limited.build, name="build_deck"),
    path("tournaments/<slug:slug>/packs/submit/", limited.submit, name="submit_deck"),
    path("tournaments/<slug:slug>/packs.json", limited.record, name="packs_record"),
    path("tournaments/<slug:slug>/packs/<slug:pack>.json", limited.pack_record, name="pack_record"),
    path("tournaments/<slug:slug>/ladder/challenge/", ladder.challenge, name="challenge"),
    path("tournaments/<slug:slug>/ladder/accept/", ladder.accept, name="accept_challenge"),
    path("tournaments/<slug:slug>/ladder/decline/", ladder.decline, name="decline_challenge"),
    path("tournaments/<slug:slug>/ladder/withdraw/", ladder.withdraw, name="withdraw_challenge"),
    path("tournaments/<slug:slug>/ladder/close/", ladder.close, name="close_ladder"),
    # What an organiser does
    path("tournaments/<slug:slug>/organise/", organising.organise, name="organise"),
    path("tournaments/<slug:slug>/change/", organising.change, name="change"),
    path("tournaments/<slug:slug>/lock/", organising.lock, name="lock"),
    path("tournaments/<slug:slug>/start/", organising.start, name="start"),
    path("tournaments/<slug:slug>/end-round/", organising.end_round, name="end_round"),
    path("tournaments/<slug:slug>/result/", organising.result, name="result"),
    path("tournaments/<slug:slug>/bye/", organising.bye, name="bye"),
    path("tournaments/<slug:slug>/take-back/", organising.take_back, name="take_back"),
    path("tournaments/<slug:slug>/pair/", organising.pair, name="pair"),
    path("tournaments/<slug:slug>/remove/", organising.remove, name="remove"),
    path("tournaments/<slug:slug>/reinstate/", organising.reinstate, name="reinstate"),
    path("tournaments/<slug:slug>/bots/", organising.add_bot, name="add_bot"),
    path("tournaments/<slug:slug>/write/", organising.write, name="write"),
    path("tournaments/<slug:slug>/next-season/", organising.next_season, name="next_season"),
    path("tournaments/<slug:slug>/cancel/", organising.cancel, name="cancel"),
]
