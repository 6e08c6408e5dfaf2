"""What a new match is made from is declared once; form and API both make it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from accounts.models import User
from matches import engine
from matches.api.matches import NewMatch
from matches.forms.setup import FIRST_TO, NewMatchForm
from matches.models import Match, TimeControl, Timeout
from matches.models.series import SeriesTerms
from matches.services.setup import MatchSetup, SeatPlan
from tests.games.examples import GAME
from tests.matches.conftest import api

CHOSEN = {
    "time_control": TimeControl.SLOW,
    "timeout": Timeout.BOT,
    "pauses_when_away": False,
    "rated": True,
    "private": False,
    "listed": True,
    "bots_after_minutes": 60,
    "rating_within": 200,
    "allows_replacements": True,
    "client_seed": "a word",
    "series": SeriesTerms(first_to=2),
}


def form_of(ann: User, **data: Any) -> NewMatchForm:
    game, mode = engine.find_mode(GAME, "match")
    blank = NewMatchForm(game=game, mode=mode, host=ann)
    usual = {name: field.initial for name, field in blank.fields.items() if field.initial}
    return NewMatchForm(usual | data, game=game, mode=mode, host=ann)


@pytest.mark.django_db
def test_the_form_makes_of_each_field_what_it_is_named_for(ann: User) -> None:
    typed = {"seat_1": "open", "pauses_when_away": "", "series": f"{FIRST_TO}2"}
    form = form_of(ann, **CHOSEN | typed)
    assert form.is_valid(), form.errors
    match_setup = form.match_setup()
    assert match_setup.seats == [SeatPlan("person"), SeatPlan("open")]
    assert {name: getattr(match_setup, name) for name in CHOSEN} == CHOSEN
    rest = {"game", "mode", "seats", "options", "deck"}
    assert {field.name for field in fields(MatchSetup)} == CHOSEN.keys() | rest, "add it to CHOSEN"


@pytest.mark.django_db
def test_what_a_form_does_not_ask_for_is_as_usual(ann: User) -> None:
    form = form_of(ann, seat_1="open", timeout="", bots_after_minutes="", rating_within="")
    assert form.is_valid(), form.errors
    match_setup = form.match_setup()
    usual = MatchSetup(GAME, "match", match_setup.seats, options=match_setup.options, listed=True)
    assert replace(match_setup, seats=usual.seats) == usual


@pytest.mark.django_db
def test_what_programs_send_is_the_same_declaration(ann: User) -> None:
    assert [field.name for field in fields(NewMatch)] == [
        field.name for field in fields(MatchSetup)
    ]
    seats = [{"kind": "person"}, {"kind": "open"}]
    body = {"game": GAME, "mode": "match", "seats": seats, **CHOSEN, "series": None}
    answer = api(ann).post("/api/matches/", body, format="json")
    assert answer.status_code == 201, answer.content
    match = Match.objects.get(slug=answer.json()["slug"])
    stored = (
        "time_control",
        "timeout",
        "pauses_when_away",
        "private",
        "listed",
        "allows_replacements",
    )
    assert {name: getattr(match, name) for name in stored} == {
        name: CHOSEN[name] for name in stored
    }
    assert (match.bots_join_at - match.created_at).total_seconds() == 3600  # type: ignore[operator]
    assert (match.rating_from, match.rating_to) == (1300, 1700)
    assert match.seats.get(number=0).client_seed == "a word"
