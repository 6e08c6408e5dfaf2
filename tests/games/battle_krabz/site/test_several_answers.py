"""Several answers in one go: a first hand, what survived a Battle; all of them or none."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.battle_krabz.rules.battle import draws
from matches import engine
from matches.errors import (
    AlreadyAnswered,
    Malformed,
    NotOffered,
    NotYourSeat,
    StalePrompt,
)
from matches.models import Match, MoveRow, Status
from matches.services.play import play_move, play_moves
from matches.services.repair import first_difference
from tests.games.battle_krabz.site.test_pages import form_of, seated
from tests.matches.conftest import stored
from tests.matches.test_pages import logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(ann: User, bob: User) -> Match:
    return seated("battle", [ann, bob], target=5)


def offered(match: Match, seat: int) -> list[str]:
    table = engine.load(match)
    return [table.notation(move) for move in table.prompts[seat].options]


def play_until_sorting(match: Match, seat: int) -> Match:
    """By chance, until this seat has several cards to sort."""
    for _ in range(400):
        match.refresh_from_db()
        table = engine.load(match)
        pending = table.prompts.get(seat)
        if pending is not None and pending.kind == "sort" and len(table.state.surviving(seat)) > 1:
            return match
        by = next(n for n in sorted(table.prompts, reverse=seat == 0) if table.prompts[n])
        prompt = table.prompts[by]
        chance = engine.bot_chance(match, by, prompt.id)
        user = match.seats.get(number=by).user
        assert user is not None
        move = prompt.options[chance.pick(len(prompt.options))]
        play_move(slug=match.slug, user=user, prompt_id=prompt.id, move=move)
    pytest.fail("Nobody ever had anything to sort.")


class TestFirstHand:
    def test_seven_picks_are_seven_moves_of_one_request(self, battle: Match, ann: User) -> None:
        picks = offered(battle, 0)[3:10]
        played = play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks)
        battle.refresh_from_db()
        rows = list(battle.moves.order_by("ply"))
        assert [row.notation for row in rows] == picks
        assert [row.prompt for row in rows] == [1, 2, 3, 4, 5, 6, 7]
        assert played.notation == picks[-1] and not played.repeated
        table = engine.load(battle)
        assert 0 not in table.prompts and len(table.state.hands[0]) == 7
        assert first_difference(battle) is None

    def test_sending_it_again_changes_nothing(self, battle: Match, ann: User) -> None:
        picks = offered(battle, 0)[:7]
        first = play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks)
        before = stored(battle)
        again = play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks)
        assert again.repeated and again.ply == first.ply
        with pytest.raises(AlreadyAnswered):
            play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks[::-1])
        assert stored(battle) == before

    @pytest.mark.parametrize(
        ("change", "refusal"),
        [
            (lambda picks: picks[:5], "You haven’t finished choosing; nothing was sent."),
            (lambda picks: [*picks[:6], picks[0]], "is not offered now"),
            (lambda picks: [*picks[:3], "pick no-such-card", *picks[4:]], "is not offered now"),
        ],
    )
    def test_all_or_none(self, change: Any, refusal: str, battle: Match, ann: User) -> None:
        picks, before = offered(battle, 0), stored(battle)
        with pytest.raises(NotOffered, match=refusal):
            play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=change(picks[:7]))
        assert stored(battle) == before and not MoveRow.objects.exists()

    def test_more_than_enough_is_refused(self, battle: Match, ann: User) -> None:
        picks = offered(battle, 0)
        with pytest.raises(NotOffered, match="Choose 7, not 8"):
            play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks[:8])
        assert not MoveRow.objects.exists()

    def test_single_moves_may_have_gone_before(self, battle: Match, ann: User) -> None:
        picks = offered(battle, 0)[:7]
        for number, move in enumerate(picks[:2], start=1):
            play_move(slug=battle.slug, user=ann, prompt_id=number, move=move)
        with pytest.raises(AlreadyAnswered, match="2 of these 7 choices were already sent"):
            play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks)
        with pytest.raises(StalePrompt):
            play_moves(slug=battle.slug, user=ann, prompt_id=5, moves=picks[2:])
        play_moves(slug=battle.slug, user=ann, prompt_id=3, moves=picks[2:])
        battle.refresh_from_db()
        assert len(engine.load(battle).state.hands[0]) == 7

    def test_nobody_else_can(self, battle: Match, stranger: User) -> None:
        with pytest.raises(NotYourSeat):
            play_moves(slug=battle.slug, user=stranger, prompt_id=1, moves=offered(battle, 0)[:7])
        with pytest.raises(Malformed):
            play_moves(slug=battle.slug, user=stranger, prompt_id=1, moves=[])

    def test_a_stale_write_does_no_harm(
        self, battle: Match, ann: User, bob: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Bob picks between Ann's reading and her writing: hers are played on what he left."""
        load = engine.load
        picks = offered(battle, 0)[:7]
        theirs = offered(battle, 1)[0]
        calls = []

        def read(match: Match) -> Any:
            calls.append(match.version)
            table = load(match)
            if len(calls) == 1:
                play_move(slug=match.slug, user=bob, prompt_id=1, move=theirs)
            return table

        monkeypatch.setattr(engine, "load", read)
        play_moves(slug=battle.slug, user=ann, prompt_id=1, moves=picks)
        battle.refresh_from_db()
        assert [row.seat for row in battle.moves.order_by("ply")] == [1, 0, 0, 0, 0, 0, 0, 0]
        assert first_difference(battle) is None


class TestSorting:
    def test_sorted_and_drawn_together(self, battle: Match, ann: User) -> None:
        match = play_until_sorting(battle, 0)
        table = engine.load(match)
        prompt = table.prompts[0]
        survivors = table.state.surviving(0)
        table.state.choices[0] = [0] * len(survivors)
        number, allowed = draws(table.state, 0)
        assert number and len(allowed) > 1
        moves = [*["recycle"] * len(survivors), f"take {allowed[-1]}"]
        play_moves(slug=match.slug, user=ann, prompt_id=prompt.id, moves=moves)
        match.refresh_from_db()
        pending = engine.load(match).prompts.get(0)
        assert pending is None or pending.kind not in ("sort", "replenish")


class TestPages:
    def test_the_first_hand_without_a_script(self, battle: Match, ann: User) -> None:
        client, path = logged_in(ann), battle.get_absolute_url()
        form = form_of(client.get(path))
        assert sorted(form.boxes) == sorted(offered(battle, 0)) and form.sent["together"] == "1"
        play = reverse("matches:play", args=(battle.slug,))
        refused = client.post(play, form.sent | {"move": form.boxes[:4]})
        assert refused.status_code == 422
        assert "You haven’t finished choosing" in refused.content.decode()
        assert form_of(refused).ticked == form.boxes[:4], "what was ticked stays ticked"
        none = client.post(play, form.sent)
        assert none.status_code == 400 and "Choose something first." in none.content.decode()
        done = client.post(play, form.sent | {"move": form.boxes[4:11]})
        assert done.status_code == 302
        battle.refresh_from_db()
        assert battle.ply == 7
        assert client.post(play, form.sent | {"move": form.boxes[4:11]}).status_code == 302

    def test_boosters_first_would_still_leave_room_for_a_warrior(
        self, battle: Match, ann: User
    ) -> None:
        """The page lists Warriors first, so the last pick is never forced."""
        form = form_of(logged_in(ann).get(battle.get_absolute_url()))
        supports = form.boxes[-6:]
        play = reverse("matches:play", args=(battle.slug,))
        sent = form.sent | {"move": [form.boxes[0], *supports]}
        assert logged_in(ann).post(play, sent).status_code == 302

    def test_filters(self, battle: Match, ann: User) -> None:
        page = logged_in(ann).get(battle.get_absolute_url()).content.decode()
        for name, value in (("domain", "ember"), ("domain", "frost"), ("finish", "platinum")):
            (choices,) = re.findall(f'<select [^>]*name="{name}".*?</select>', page, re.DOTALL)
            assert f'<option value="{value}">' in choices
            assert f'data-{name}="{value}"' in page
        assert 'value="emerald"' not in page, "no Krab is emerald"

    def test_sorting_without_a_script(self, battle: Match, ann: User) -> None:
        match = play_until_sorting(battle, 0)
        client = logged_in(ann)
        form = form_of(client.get(match.get_absolute_url()))
        survivors = len(engine.load(match).state.surviving(0))
        assert sorted(key for key in form.sent if key.startswith("move-")) == [
            f"move-{number}" for number in range(1, survivors + 1)
        ]
        play = reverse("matches:play", args=(match.slug,))
        assert client.post(play, form.sent).status_code == 302
        match.refresh_from_db()
        prompt = engine.load(match).prompts.get(0)
        assert match.status == Status.FINISHED or prompt is None or prompt.kind != "sort"


def test_what_will_be_drawn_is_what_the_rules_say(battle: Match, ann: User) -> None:
    """The page's table of draws against the rules, for every way to sort."""
    match = play_until_sorting(battle, 0)
    table = engine.load(match)
    page = logged_in(ann).get(match.get_absolute_url()).content.decode()
    listed = json.loads(unescape(page.split('data-draws="')[1].split('"')[0]))
    assert len(listed) == 2 ** len(table.state.surviving(0))
    for key, (number, least, most) in listed.items():
        table.state.choices[0] = [int(keep) for keep in key]
        count, allowed = draws(table.state, 0)
        assert (number, least, most) == (count, allowed[0], allowed[-1])
