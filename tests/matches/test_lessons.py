"""Lessons on the site: how one begins, what is accepted, what it counts for, what stays of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

import rules
from accounts.models import User
from collection.models import Pack
from core.models import MatchFinished
from matches import engine
from matches.errors import (
    NoLesson,
    NotForOrders,
    NothingToTakeBack,
    NotPossible,
    NotYet,
    TooManyMatches,
)
from matches.models import Match, MoveRow, Result, Status
from matches.queries import export, lessons, people
from matches.queries.access import access_match
from matches.queries.records import game_record
from matches.queries.seats import seat_names
from matches.queries.table import table_state
from matches.queries.tables import visible_matches
from matches.services import lessons as lessons_services
from matches.services import setup
from matches.services.bots import run_bots
from matches.services.going_back import go_back
from matches.services.play import play_move
from matches.services.rematch import rematch
from matches.services.repair import first_difference, rebuild_snapshot
from matches.services.standing_orders.give import give_order
from matches.services.taking_back import take_back
from rules.engine.game import Game
from rules.engine.lessons import LEARNER
from tests.games.examples import GAME
from tests.matches.conftest import api
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db

GAMES = [game for game in rules.games().values() if game.lesson is not None]
each_game = pytest.mark.parametrize("game", GAMES, ids=[game.slug for game in GAMES])


def learn(user: User, game: str = GAME, **more: Any) -> Match:
    return lessons_services.learn(user=user, game=game, **more)


def standing(match: Match) -> tuple[Match, engine.Table, lessons.Guide]:
    """The table when the bot has answered, and what the lesson says there."""
    run_bots(match_id=match.pk)
    match.refresh_from_db()
    table = engine.load(match)
    guide = lessons.guide(match, table, seat_names(match))
    assert guide is not None
    return match, table, guide


def play(match: Match, user: User, answer: str) -> None:
    prompt = engine.load(match).prompts[LEARNER]
    play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=answer)


def steps_of(match: Match, user: User) -> Iterator[lessons.Guide]:
    """Each step of the script; what it means is answered afterwards."""
    while True:
        match, _, guide = standing(match)
        if not guide.answers:
            return
        yield guide
        play(match, user, guide.answers[0])


def to_the_end(match: Match, user: User) -> Match:
    """As the lesson says, then as a bot would."""
    for _ in steps_of(match, user):
        pass
    return play_on(match, user)


def play_on(match: Match, user: User) -> Match:
    """As the best bot would, to the end."""
    for _ in range(1_000):
        run_bots(match_id=match.pk)
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        table = engine.load(match)
        prompt = table.prompts[LEARNER]
        chance = engine.bot_chance(match, LEARNER, prompt.id)
        *_, best = engine.game_of(match).bots.values()
        move = best.choose(table.view(LEARNER), prompt, chance)
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    return match


@each_game
def test_one_click_seats_a_guest_and_the_next_leads_back(game: Game) -> None:
    """The page says what it is; begun it is gone on with, or begun again."""
    visitor = Client()
    address = f"/games/{game.slug}/learn/"
    page = visitor.get(address)
    assert page.status_code == 200 and not User.objects.exists()
    assert "Start the tutorial" in page.content.decode()
    first = visitor.post(address)["Location"]
    assert visitor.post(address)["Location"] == first
    again = visitor.get(address).content.decode()
    assert "Resume" in again and first in again
    second = visitor.post(address, {"again": "yes"})["Location"]
    assert second != first
    old, new = (Match.objects.get(slug=where.split("/")[2]) for where in (first, second))
    assert (old.status, new.status) == (Status.CANCELLED, Status.RUNNING)
    guest = User.objects.get()
    assert guest.is_guest and lessons.running(guest, game) == new
    assert "Tutorial: " in visitor.get("/matches/").content.decode()


@pytest.mark.slow
@each_game
def test_all_that_is_pointed_at_stands_on_the_page(game: Game, ann: User) -> None:
    """Each text and what to do are on the page without a script; each target is found on it."""
    match = learn(ann, game.slug)
    browser = logged_in(ann)
    steps = 0
    for guide in steps_of(match, ann):
        page = " ".join(browser.get(match.get_absolute_url()).content.decode().split())
        steps += 1
        assert f"Step {guide.number} of {guide.count}" in page
        for say in guide.says:
            assert text_of(say.text) in page
            for target in say.at:
                if target.keys() == {"slot"}:
                    continue  # the table's script draws a board's empty places: a browser looks
                assert re.search(selected(target), page), (say.text, target)
        assert text_of(guide.do) in page
        for answer in guide.answers:
            assert re.search(rf'data-(option|intent)="{re.escape(answer)}"', page), answer
    assert game.lesson is not None and steps == len(game.lesson.steps)


def text_of(text: str) -> str:
    return text.replace("'", "&#x27;")


def selected(target: dict[str, Any]) -> str:
    """What the table's script looks for, as a pattern over the page."""
    match target:
        case {"slot": slot, "seat": seat}:
            return rf'data-slot="{slot}" data-seat="{seat}"'
        case {"option": option}:
            return rf'data-option="{re.escape(option)}"'
        case {"hand": seat}:
            return rf'data-hand-of="{seat}"'
        case {"card": card}:
            return rf'data-card="{card}"|data-cards="[^"]*\b{card}\b'
    ((name, value),) = target.items()
    return rf'data-{name}="{value}"'


@each_game
def test_another_answer_is_refused_kindly(game: Game, ann: User) -> None:
    """By the page, by the script and by the API; nothing is stored, and it says what to do."""
    match = learn(ann, game.slug)
    match, table, guide = standing(match)
    prompt = table.prompts[LEARNER]
    meant = set(guide.answers)
    other = next(t for t in map(table.notation, prompt.options) if t not in meant)
    sent = {"prompt": str(prompt.id), "move": other}
    browser, address = logged_in(ann), f"/matches/{match.slug}/play/"
    page = browser.post(address, sent)
    assert page.status_code == 422 and f"Not yet. {guide.do}" in page.content.decode()
    drawn = browser.post(address, sent, headers={"Riffle-Script": "table"})
    assert drawn.status_code == 422 and drawn.json()["code"] == "not-yet"
    move = {"prompt": prompt.id, "notation": other}
    refused = api(ann).post(f"/api/matches/{match.slug}/moves/", move, format="json")
    assert refused.status_code == 422, refused.json()
    assert refused.json()["detail"] == f"Not yet. {guide.do}"
    with pytest.raises(NotYet):
        play(match, ann, other)
    assert not MoveRow.objects.filter(match=match).exists()


@pytest.mark.slow
@each_game
def test_it_can_be_replayed_and_rebuilt_and_counts_for_nothing(game: Game, ann: User) -> None:
    """To the end, as the lesson says and then as a bot would; nobody has won anything by it."""
    match = to_the_end(learn(ann, game.slug), ann)
    assert match.status == Status.FINISHED and match.private
    assert first_difference(match) is None
    assert not rebuild_snapshot(match=match)
    assert not MatchFinished.objects.exists() and not Pack.objects.exists()
    assert match not in visible_matches(Client().get("/").wsgi_request.user)
    assert game_record(game).modes == []
    assert not export.exported(ann, mine=True, since=None)
    page = people.person_shown(ann, ann)
    assert page.record == [] and page.recent == [] and not page.ratings
    with pytest.raises(NotPossible, match="no rematch"):
        rematch(slug=match.slug, user=ann)
    browser = logged_in(ann)
    result = browser.get(f"/matches/{match.slug}/result/").content.decode()
    lesson = game.lesson
    assert lesson is not None
    mine = match.seats.get(number=LEARNER)
    won = lesson.won if mine.result == Result.WON else lesson.lost
    assert text_of(won.format(other=seat_names(match)[1])) in result
    assert "against a bot" in result and "Restart tutorial" in result
    assert "Ratings" not in result and "Verify fairness" not in result
    assert browser.get(f"/matches/{match.slug}/replay/").status_code == 200


def test_that_the_table_was_prepared_is_said_plainly(ann: User) -> None:
    """There is no seal to check, beside the log or on the page; a record is refused."""
    match = learn(ann)
    browser = logged_in(ann)
    fairness = browser.get(f"/matches/{match.slug}/fairness/").content.decode()
    assert "were prepared" in fairness and match.commitment not in fairness
    table = browser.get(match.get_absolute_url()).content.decode()
    assert "This table was prepared for the tutorial" in table
    assert match.commitment[:12] not in table
    match = to_the_end(match, ann)
    refused = browser.get(f"/matches/{match.slug}/match.json")
    assert refused.status_code == 422 and "prepared" in refused.content.decode()


@pytest.mark.usefixtures("contexts")
def test_only_its_learner_sees_it(
    ann: User, bob: User, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even who may look at private matches is told what the lesson says."""
    match = learn(ann)
    assert logged_in(bob).get(match.get_absolute_url()).status_code == 403
    page = logged_in(staff).get(match.get_absolute_url())
    assert page.status_code == 200 and page.context["guide"] is None
    monkeypatch.setitem(vars(rules.game(GAME)), "lesson", None)
    with pytest.raises(NoLesson):
        learn(ann)
    assert Client().get("/games/no-such-game/learn/").status_code == 404


def test_no_order_answers_for_the_learner(ann: User) -> None:
    match = learn(ann)
    prompt = engine.load(match).prompts[LEARNER]
    with pytest.raises(NotForOrders, match="tutorials"):
        give_order(slug=match.slug, user=ann, prompt_id=prompt.id, notation="pass")
    page = logged_in(ann).get(match.get_absolute_url()).content.decode()
    assert 'popovertarget="orders"' not in page and 'popovertarget="back"' not in page


def test_nothing_is_taken_back_while_it_guides(ann: User) -> None:
    match = learn(ann)
    refused = 0
    for _ in steps_of(match, ann):
        assert not table_state(access_match(ann, match.slug), ann).may_undo
        refused += 1
        with pytest.raises(NothingToTakeBack):
            take_back(slug=match.slug, user=ann)
        with pytest.raises(NothingToTakeBack):
            go_back(slug=match.slug, user=ann, word="offer")
    assert refused > 1
    match.refresh_from_db()
    assert not lessons.is_guided(match, engine.load(match))


def test_hints_come_once_and_the_script_ends_with_a_word(ann: User) -> None:
    """At the first question after the script; a page that is loaded again says the same."""
    match = learn(ann)
    for _ in steps_of(match, ann):
        pass
    match, table, free = standing(match)
    assert free.asked and free.step is None and free == standing(match)[2]
    assert free.says[-1].text.startswith("Now you play on your own.")
    seen: list[str] = []
    while table.outcome is None:
        prompt = table.prompts[LEARNER]
        seen += [say.text for say in standing(match)[2].says]
        play(match, ann, table.notation(prompt.options[0]))
        match, table, _ = standing(match)
    assert len(seen) == len(set(seen))


def test_a_lesson_that_was_changed_is_played_on_without_it(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match keeps the table that it began from; beginning it again takes the new one."""
    match = learn(ann)
    lesson = engine.game_of(match).lesson
    assert lesson is not None
    table = {**lesson.table, "draw": list(reversed(lesson.table["draw"]))}
    monkeypatch.setitem(engine.game_of(match).__dict__, "lesson", replace(lesson, table=table))
    page = logged_in(ann).get(match.get_absolute_url()).content.decode()
    assert "This tutorial has changed." in page
    play(match, ann, "pass")  # nothing is meant any more
    match = play_on(match, ann)
    assert first_difference(match) is None
    assert learn(ann).lesson != match.lesson


def test_too_many_matches(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lesson counts as a match that is not over; one under way is found all the same."""
    begun = learn(ann, GAMES[0].slug)
    monkeypatch.setattr(setup, "MAX_MATCHES", 1)
    assert learn(ann, GAMES[0].slug) == begun
    with pytest.raises(TooManyMatches):
        learn(ann, GAMES[1].slug)
    assert learn(ann, GAMES[0].slug, afresh=True) != begun


def test_every_door_to_it() -> None:
    """From the start page, from the game's own, and from the help of any table."""
    visitor = Client()
    for game in GAMES:
        for page in ("/", f"/games/{game.slug}/"):
            assert f'href="/games/{game.slug}/learn/"' in visitor.get(page).content.decode()
    table = visitor.post(f"/play/quick/?game={GAME}")["Location"]
    assert f'href="/games/{GAME}/learn/"' in visitor.get(table).content.decode()
