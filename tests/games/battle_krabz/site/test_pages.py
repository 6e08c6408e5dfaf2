"""The tables of Battle Krabz without a script: every answer is a button, whoever looks."""

from __future__ import annotations

import hashlib
from html.parser import HTMLParser
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.battle_krabz.site.table import since_last_call
from games.battle_krabz.table_text import eliminated_words
from matches import engine
from matches.models import Match, Status
from matches.queries.seat_decks import starter_for_seat
from matches.services.setup import MatchSetup, SeatPlan, create_match, join_match
from rules.engine.chance import Chance
from tests.matches.test_pages import buttons, logged_in

pytestmark = pytest.mark.django_db

GAME = "battle-krabz"
#: The questions of each mode; the rules know no others.
QUESTIONS = {
    "battle": {
        "choose-hand", "deploy", "cut-short-reply", "boost", "boost-target", "power",
        "power-target", "sort", "replenish",
    },
    "multi": {"call"},
}  # fmt: skip


class Form(HTMLParser):
    """The fields that the form "answer" of a page would send, and the boxes to tick."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[str, Any] = {}
        self.choices: set[str] = set()
        self.boxes: list[str] = []
        self.ticked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag != "input" or "name" not in values or "disabled" in values:
            return
        name, kind = values["name"], values.get("type")
        if kind == "hidden":
            self.sent[name] = values["value"]
        elif kind == "checkbox" and values.get("form") == "answer":
            self.boxes.append(values["value"])
            if "checked" in values:
                self.ticked.append(values["value"])
        elif kind == "radio" and name.startswith("move-"):
            self.choices.add(values["value"])
            if "checked" in values:
                self.sent[name] = values["value"]


def form_of(page: Any) -> Form:
    form = Form()
    form.feed(page.content.decode())
    return form


def seated(mode: str, people: list[User], **options: Any) -> Match:
    game, played = engine.find_mode(GAME, mode)
    plans = [
        SeatPlan(user=user, deck=starter_for_seat(game, played, n) if played.own_decks else None)
        for n, user in enumerate(people)
    ]
    return create_match(
        host=people[0], setup=MatchSetup(game=GAME, mode=mode, seats=plans, options=options)
    )


@pytest.mark.parametrize("mode", QUESTIONS)
def test_every_kind_of_question_is_drawn_with_all_its_options(
    mode: str, ann: User, bob: User
) -> None:
    people = [ann, bob]
    match = seated(mode, people)
    game = engine.game_of(match)
    missing = set(QUESTIONS[mode])
    for number in range(60):
        chance = Chance(hashlib.sha256(f"{mode} {number}".encode()).digest())
        decks = [row.deck for row in match.seats.all() if row.deck]
        table = game.new_match(mode, seats=2, seed=chance.seed, options={}, decks=decks)
        while table.outcome is None and missing:
            seat, prompt = next(iter(table.prompts.items()))
            if prompt.kind in missing:
                missing.remove(prompt.kind)
                Match.objects.filter(pk=match.pk).update(state=table.dump())
                page = logged_in(people[seat]).get(match.get_absolute_url())
                form = form_of(page)
                offered = [*buttons(page).moves, *form.boxes, *form.choices]
                wanted = [table.notation(move) for move in prompt.options]
                assert sorted(offered) == sorted(wanted), prompt.kind
            table.play(seat, chance_of(prompt.options, chance))
        if not missing:
            break
    assert missing == set()


def chance_of(options: Any, chance: Chance) -> Any:
    return options[chance.pick(len(options))]


@pytest.mark.parametrize(("mode", "options"), [("battle", {"target": 3}), ("multi", {})])
@pytest.mark.slow
def test_a_whole_match_by_form_buttons(
    mode: str, options: dict[str, Any], ann: User, bob: User
) -> None:
    people = [ann, bob]
    match = seated(mode, people, **options)
    clients = [logged_in(user) for user in people]
    chance = Chance(bytes(32))
    for _ in range(600):
        match.refresh_from_db()
        if match.status != Status.RUNNING:
            break
        seat = next(iter(engine.load(match).prompts))
        page = clients[seat].get(match.get_absolute_url())
        form = form_of(page)
        if form.boxes:
            first = chance.pick(8)
            form.sent["move"] = form.boxes[first : first + 7]
        elif not form.choices:
            form.sent["move"] = chance_of(buttons(page).moves, chance)
        play = reverse("matches:play", args=(match.slug,))
        answer = clients[seat].post(play, form.sent)
        assert answer.status_code == 302, answer.content
    assert match.status == Status.FINISHED
    for name in ("table", "result", "replay"):
        page = clients[0].get(reverse(f"matches:{name}", args=(match.slug,)))
        assert page.status_code == 200


def test_nobody_is_shown_the_other_hand(ann: User, bob: User) -> None:
    match = seated("battle", [ann, bob])
    table = engine.load(match)
    own = {card["slug"] for card in table.view(0)["players"][0]["deck"]["cards"]}
    theirs = {card["slug"] for card in table.view(1)["players"][1]["deck"]["cards"]}
    text = logged_in(ann).get(match.get_absolute_url()).content.decode()
    assert all(f"/{slug}/" in text for slug in own)
    assert not any(f"/{slug}/" in text for slug in theirs - own)


@pytest.mark.parametrize("deck", ["starter-krabz", "starter-enemigos"])
def test_whoever_chooses_no_deck_gets_one_that_may_meet_the_other(
    deck: str, ann: User, bob: User
) -> None:
    """Krabz meet Enemigos: a bot, or a guest who just sits down, takes the other side."""
    for kind in ("bot", "open"):
        match = create_match(
            host=ann,
            setup=MatchSetup(
                game=GAME, mode="battle", seats=[SeatPlan("person"), SeatPlan(kind)], deck=deck
            ),
        )
        if kind == "open":
            join_match(match=match, user=bob)
        match.refresh_from_db()
        assert match.status == Status.RUNNING
        names = [row.deck_name for row in match.seats.order_by("number")]
        assert len(set(names)) == 2


def test_a_score_above_its_target_reads_as_a_score() -> None:
    assert eliminated_words({"score": 3, "target": 20}) == "3 of 20"
    assert eliminated_words({"score": 5, "target": 4}) == "5 (target 4)"


def test_rounds_of_others_are_folded_to_what_changed() -> None:
    """From the end of the round that one called oneself; without one, all that is known."""

    def one_round(caller: int, winner: int | None) -> list[dict[str, Any]]:
        reveals = [{"kind": "revealed", "seat": seat} for seat in range(3)]
        won = {"kind": "round_won", "seat": winner, "count": 3}
        end = {"kind": "round_tied"} if winner is None else won
        return [{"kind": "called", "seat": caller}, *reveals, end]

    events = [*one_round(0, 1), *one_round(1, 1), *one_round(1, None), *one_round(1, 2)]
    since = since_last_call(events, 0)
    assert (since["rounds"], since["called"]) == (3, True)
    assert since["changes"] == {0: "−3"}
    assert since_last_call(events, None)["changes"] == {0: "−4", 1: "+2", 2: "−1"}
    assert since_last_call([], 0) == {"rounds": 0, "called": False, "changes": {}}
