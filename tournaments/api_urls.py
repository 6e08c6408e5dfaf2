"""Addresses of tournaments in the API, under ``/api/``."""

from __future__ import annotations

from django.urls import include, path

from core.operations import operations
from tournaments.api import evenings as evenings_api
from tournaments.api import ladder as ladder_api
from tournaments.api import limited
from tournaments.api import statistics as statistics_api
from tournaments.api import tournaments as api

_ORGANISING = [
    path("lock/", operations(post=api.lock)),
    path("start/", operations(post=api.start)),
    path("pair/", operations(post=api.pair)),
    path("cancel/", operations(post=api.cancel)),
    path("next-season/", operations(post=api.announce_next_season)),
    path("bots/", operations(post=api.add_bot)),
    path("messages/", operations(post=api.write_to_all)),
    path("rounds/<int:number>/end/", operations(post=api.end_round)),
    path("rounds/<int:number>/undo/", operations(post=api.take_back_pairing)),
    path("rounds/<int:number>/tables/<int:table>/result/", operations(put=api.set_result)),
    path("entries/<int:number>/remove/", operations(post=api.remove_entry)),
    path("entries/<int:number>/reinstate/", operations(post=api.reinstate_entry)),
    path("entries/<int:number>/bye/", operations(post=api.give_bye)),
]

_LADDER = [
    path(
        "ladder/challenges/",
        operations(get=ladder_api.list_challenges, post=ladder_api.challenge),
    ),
    path("ladder/challenges/<int:number>/accept/", operations(post=ladder_api.accept)),
    path("ladder/challenges/<int:number>/decline/", operations(post=ladder_api.decline)),
    path("ladder/challenges/<int:number>/withdraw/", operations(post=ladder_api.withdraw)),
    path("ladder/history/", operations(get=ladder_api.list_rank_changes)),
    path("ladder/close/", operations(post=ladder_api.close)),
]

_READING = [
    path("", operations(get=api.get_tournament, put=api.change_tournament)),
    path("entries/", operations(get=api.list_entries)),
    path("entries/<int:number>/tables/", operations(get=api.list_tables_of_entry)),
    path("mine/", operations(get=api.get_my_entry, put=api.enter, delete=api.leave)),
    path("mine/here/", operations(post=evenings_api.confirm_presence)),
    path("standings/", operations(get=api.list_standings)),
    path("rounds/", operations(get=api.list_rounds)),
    path("rounds/<int:number>/tables/", operations(get=api.list_tables)),
    path("rulings/", operations(get=api.list_rulings)),
    path("statistics/", operations(get=statistics_api.get_statistics)),
    path("whole/", operations(get=api.download_whole)),
    path("open-bracket/", operations(get=api.download_open_bracket)),
]

_LIMITED = [
    path("limited/", operations(get=limited.get_limited)),
    path("limited/open/", operations(post=limited.open_packs)),
    path("limited/picks/", operations(post=limited.pick)),
    path("limited/decks/", operations(post=limited.new_deck)),
    path("limited/deck/", operations(put=limited.submit_deck)),
    path("limited/record/", operations(get=limited.download_record)),
    path("limited/packs/<slug:pack>/record/", operations(get=limited.download_pack_record)),
]

urlpatterns = [
    path("tournaments/", operations(get=api.list_tournaments, post=api.announce_tournament)),
    path("tournaments/<slug:slug>/", include([*_READING, *_LADDER, *_ORGANISING, *_LIMITED])),
]
