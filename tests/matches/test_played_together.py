"""Modes in which all, or teams, win or lose as one: what is said of the end, and how it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

import rules
from accounts.models import User
from core.models import MatchFinished
from matches import engine
from matches.errors import NotAllowed, NotPossible, UnknownMode
from matches.models import Match, RatingChange, Result, Status
from matches.queries import people, ratings
from matches.queries import talk as chats
from matches.queries.ratings import Strength
from matches.services import notices, talk, tallies
from matches.services import ratings as ratings_services
from matches.services.play import play_move
from matches.services.setup import MatchSetup, SeatPlan, create_match
from notices.models import Notice
from rules.engine import events
from rules.engine.bots import RANDOM
from rules.engine.game import Game, Mode
from rules.engine.moves import Move
from rules.engine.rulebook import Rulebook
from rules.engine.state import State
from tests.matches.conftest import person
from tests.matches.together import Table

pytestmark = pytest.mark.django_db

BOOK: Rulebook[Rope] = Rulebook()
HOLD, SLIP = BOOK.move("hold", "Hold"), BOOK.move("slip", "Slip")
ENDED = BOOK.event("match_ended", events.flag("won"), says="It is over.")


@dataclass(init=False, eq=False, slots=True)
class Rope(State):
    """One answers for all."""


@BOOK.prompt("Hold or slip?")
def grip(s: Rope, seat: int) -> Sequence[Move]:
    return [HOLD, SLIP]


@grip.answer
def gripped(s: Rope, seat: int, move: Move) -> None:
    end(s, move == HOLD)


def end(s: Rope, won: bool) -> None:
    everybody = tuple(range(s.seats))
    if s.seats == 4:
        s.end([(0, 2), (1, 3)] if won else [(1, 3), (0, 2)], "rope")
        return s.tell(ENDED, won)
    s.end([everybody], "rope", winners=everybody if won else ())
    return s.tell(ENDED, won)


class Ropes(Table):
    def start(self, mode: Mode, seats: int, chance: Any, options: Any, decks: Any) -> Any:
        s = Rope.new(seats, chance)
        s.ask(0, grip)
        return s

    def load(self, mode: Mode, data: dict[str, Any]) -> Any:
        return Rope.load(data, mode.slug)

    def concede(self, s: Any, seat: int) -> None:
        end(s, False)

    def view(self, s: Any, seat: int | None) -> dict[str, Any]:
        return {}


TOGETHER = Mode(
    "rope", "Rope", "All hold it.", range(2, 4), together=True, ends_for_all=True, quiet=True
)
TUG = Mode("tug", "Tug", "Two against two.", range(4, 5), teams=2, ends_for_all=True)
GAME = Game(
    slug="rope",
    name="Ropes",
    summary="All hold on.",
    package="tests",
    modes={"rope": TOGETHER, "tug": TUG},
    rulebook=BOOK,
    table=Ropes(),
    bots={"random": RANDOM},
)
vars(GAME).update(catalog={}, sets=(), products={}, starter_decks={})


@pytest.fixture
def rope(monkeypatch: pytest.MonkeyPatch, ann: User, bob: User) -> Match:
    games = {**rules.games(), GAME.slug: GAME}
    monkeypatch.setattr(rules, "games", lambda: games)
    seats = [SeatPlan(user=ann), SeatPlan(user=bob)]
    return create_match(host=ann, setup=MatchSetup(game="rope", mode="rope", seats=seats))


def over(rope: Match, ann: User, move: str) -> Match:
    play_move(slug=rope.slug, user=ann, prompt_id=1, move=move)
    rope.refresh_from_db()
    assert rope.status == Status.FINISHED
    return rope


@pytest.mark.parametrize(
    ("move", "title", "note", "told", "counts"),
    [
        ("hold", "You win!", "Won", "You won Rope", (1, 0, 0)),
        ("slip", "You lost", "Lost", "You lost Rope", (0, 0, 1)),
    ],
)
def test_all_have_won_or_all_have_lost(
    rope: Match, ann: User, bob: User, move: str, title: str, note: str, told: str, counts: Any
) -> None:
    over(rope, ann, move)
    notices.tell_end(MatchFinished.objects.get(match=rope.slug))
    tallies.recount()
    assert any(told in notice.text for notice in Notice.objects.filter(person=bob))
    for user in (ann, bob):
        client = Client()
        client.force_login(user)
        page = client.get(f"{rope.get_absolute_url()}result/").content.decode()
        assert f"<h1>{title}</h1>" in page and "A draw" not in page
        assert "ranking-place" not in page and "Ann" in page and "Bob" in page
        assert "Rope is played together, so it is not rated." in page
        assert "/ratings/rope/" not in page
        assert f">{note}<" in client.get("/matches/").content.decode()
        person = people.person_shown(user, user)
        assert person.record is not None and person.recent is not None
        assert [(item.won, item.drawn, item.lost) for item in person.record] == [counts]
        assert person.recent[0].standing == note
    watching = Client().get(f"{rope.get_absolute_url()}result/").content.decode()
    assert f"<h1>Ann and Bob {'win.' if move == 'hold' else 'lost'}</h1>" in watching


def test_it_has_no_ladder(rope: Match, ann: User) -> None:
    with pytest.raises(UnknownMode, match="not rated"):
        people.require_rated("rope", "rope")
    assert Client().get("/ratings/rope/rope/").status_code == 404
    with pytest.raises(NotPossible, match="can’t have a rating range"):
        create_match(
            host=ann,
            setup=MatchSetup(
                game="rope",
                mode="rope",
                seats=[SeatPlan(user=ann), SeatPlan("open")],
                rating_within=100,
            ),
        )
    over(rope, ann, "hold")
    assert not ratings.rated_matches().filter(pk=rope.pk).exists()


def test_nobody_at_the_table_writes_while_it_runs(rope: Match, ann: User, stranger: User) -> None:
    for text in ("Red!", chats.COURTESIES[0]):
        with pytest.raises(NotAllowed, match="without a word"):
            talk.say(match=rope, user=ann, text=text)
    assert chats.chat(rope, ann).silent
    talk.say(match=rope, user=stranger, text="I know.")
    over(rope, ann, "hold")
    talk.say(match=rope, user=ann, text="Well done.")
    assert not chats.chat(rope, ann).silent


def test_conceding_says_that_all_lose(rope: Match, ann: User) -> None:
    client = Client()
    client.force_login(ann)
    page = client.get(rope.get_absolute_url()).content.decode()
    assert "The match ends and all of you lose." in page


def result(
    ranking: Sequence[tuple[int, ...]], winners: tuple[int, ...] | None = None
) -> list[Result]:
    seats = sum(map(len, ranking))
    state = Rope.new(seats, None)  # type: ignore[arg-type]
    state.end(ranking, "end", winners=winners)
    rivals = Mode("rivals", "Rivals", "", range(1, 9))
    table = engine.Table(GAME, rivals, {}, state)
    return [engine.result_of(table, seat) for seat in range(seats)]


def test_rivals_win_draw_and_lose() -> None:
    won, drawn, lost = Result.WON, Result.DRAWN, Result.LOST
    assert result([(1,), (0,)]) == [lost, won]
    assert result([(0, 1), (2,)]) == [won, won, lost]
    assert result([(0, 1)]) == result([(0, 1)], ()) == [drawn, drawn]
    assert result([(0, 1), (2,)], ()) == [drawn, drawn, lost]
    assert result([(0,)]) == [won]
    assert result([(0,)], ()) == [lost]


@pytest.mark.parametrize("move", ["hold", "slip"])
def test_a_team_wins_or_loses_as_one(rope: Match, ann: User, bob: User, move: str) -> None:
    hosting = Client()
    hosting.force_login(ann)
    new = hosting.get("/play/?game=rope&mode=tug").content.decode()
    assert all(f"Seat {n} · Team {team}" in new for n, team in ((1, 1), (2, 2), (3, 1), (4, 2)))
    open_to = [SeatPlan(user=ann), *[SeatPlan("open")] * 3]
    table = create_match(host=ann, setup=MatchSetup(game="rope", mode="tug", seats=open_to))
    assert "Seat 4 · Team 2" in hosting.get(table.get_absolute_url()).content.decode()
    people_at = [ann, bob, person("Cy"), person("Dee")]
    seats = [SeatPlan(user=user) for user in people_at]
    setup = MatchSetup(game="rope", mode="tug", seats=seats, rated=True)
    tug = over(create_match(host=ann, setup=setup), ann, move)
    first, second = ([0, 2], [1, 3]) if move == "hold" else ([1, 3], [0, 2])
    assert [seat.rank for seat in tug.seats.all()] == [1 if n in first else 2 for n in range(4)]
    notices.tell_end(MatchFinished.objects.get(match=tug.slug))
    ratings_services.read_match(MatchFinished.objects.get(match=tug.slug))
    mu = dict(RatingChange.objects.filter(match=tug).values_list("seat", "mu"))
    assert mu[first[0]] == mu[first[1]] > Strength().mu > mu[second[0]] == mu[second[1]]
    for teams, verb, word in ((first, "won", "Won"), (second, "lost", "Lost")):
        partner, user = (people_at[n] for n in teams)
        texts = Notice.objects.filter(person=user).values_list("text", flat=True)
        against = " and ".join(str(people_at[n]) for n in range(4) if n not in teams)
        line = f"You {verb} Ropes (Tug) with {partner} against {against}"
        assert any(text.startswith(line) for text in texts), list(texts)
        recent = people.person_shown(user, user).recent[0]
        assert (recent.standing, recent.company) == (word, f"with {partner} against {against}")
    client = Client()
    client.force_login(people_at[first[0]])
    page = client.get(f"{tug.get_absolute_url()}result/").content.decode()
    assert "win!</h1>" in page and "share" not in page
    assert ">You won<" in client.get("/matches/").content.decode()
    watching = Client().get(f"{tug.get_absolute_url()}result/").content.decode()
    names = " and ".join(str(people_at[n]) for n in first)
    assert f"<h1>{names} win.</h1>" in watching
