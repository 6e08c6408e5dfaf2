"""Pages of tournaments: what everybody reads, what players and organisers press."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar
from pypdf import PdfReader

import rules
from accounts.models import User
from decks.services import checks
from decks.services import decks as deck_services
from notices.models import Notice
from tests.games.examples import GAME, READY_CARDS
from tests.tournaments.conftest import (
    Announce,
    lose,
    open_tables,
    play_all,
    play_round,
    players,
    settle,
)
from tournaments import pairing
from tournaments.forms import AnnounceForm
from tournaments.models import (
    Entry,
    EntryState,
    How,
    Message,
    Pairing,
    Round,
    Ruling,
    State,
    Tournament,
)
from tournaments.services import entries, rounds
from tournaments.services.rounds import round_seed

pytestmark = pytest.mark.django_db


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def filled(**changes: str) -> dict[str, str]:
    """The form of a new tournament."""
    now = timezone.now()
    return {
        "title": "Summer Cup", "about": "Be kind.", "structure": "swiss", "cut": "0",
        "closes_at": f"{now + timedelta(days=1):%Y-%m-%dT%H:%M}",
        "starts_at": f"{now + timedelta(days=2):%Y-%m-%dT%H:%M}",
        "time_control": "steady", "round_days": "10", "min_entries": "2", "listed": "on",
    } | changes  # fmt: skip


class TestAnnouncing:
    address = f"/tournaments/new/?play={GAME}/match"

    def form(self, user: User, mode: str = "match", **changes: str) -> dict[str, Any]:
        """As a browser sends it, with the mode's usual options."""
        game = rules.game(GAME)
        form = AnnounceForm(game=game, mode=game.mode(mode), user=user)
        usual = {
            bound.html_name: bound.value()
            for bound in form.option_bounds()
            if bound.value() not in (None, False)
        }
        return usual | filled(**changes)

    def test_from_the_form_over_the_preview_to_the_page(self, ada: User) -> None:
        client = client_of(ada)
        data = self.form(ada)
        preview = client.post(self.address, data | {"preview": "1"})
        assert preview.status_code == 200
        assert "not published yet" in preview.content.decode()
        assert not Tournament.objects.exists()
        back = client.post(self.address, data | {"change": "1"})
        assert 'value="Summer Cup"' in back.content.decode()
        response = client.post(self.address, data)
        tournament = Tournament.objects.get()
        assert response.status_code == 302 and response["Location"] == tournament.get_absolute_url()
        assert (tournament.round_days, tournament.listed) == (10, True)
        page = Client().get(tournament.get_absolute_url()).content.decode()
        assert "Be kind." in page and tournament.commitment in page
        copied = client.get(f"/tournaments/new/?from={tournament.slug}").content.decode()
        assert 'value="Summer Cup"' in copied and "Copied from" in copied

    def test_what_is_wrong_is_said(self, ada: User) -> None:
        client = client_of(ada)
        answer = client.post(self.address, self.form(ada, third_place="on"))
        assert answer.status_code == 422
        assert "Only single elimination" in answer.content.decode()

    def test_fields_that_the_page_hides_may_be_missing(self, ada: User) -> None:
        page = client_of(ada).get(self.address).content.decode()
        assert 'data-for="league"' in page
        data = self.form(ada, structure="ladder")
        del data["cut"]
        assert client_of(ada).post(self.address, data).status_code == 302
        assert Tournament.objects.get().cut == 0

    def test_for_the_decks_of_a_check(self, ada: User, catalog: None) -> None:
        check = checks.create_check(organiser=ada, title="Guild", game=GAME, mode="tournament")
        (player,) = players(1)
        deck = deck_services.create_deck(
            owner=player, game=GAME, mode="tournament", name="D", cards=READY_CARDS
        )
        checks.hand_in(check=check, user=player, deck=deck)
        client = client_of(ada)
        assert f"/tournaments/new/?check={check.slug}" in client.get(
            check.get_absolute_url()
        ).content.decode()  # fmt: skip
        self.address = f"/tournaments/new/?check={check.slug}"
        response = client.post(self.address, self.form(ada, "tournament"))
        assert response.status_code == 302
        tournament = Tournament.objects.get(deck_check=check)
        assert list(tournament.entries.values_list("user", flat=True)) == [player.pk]
        page = client_of(player).get(check.get_absolute_url()).content.decode()
        assert tournament.get_absolute_url() in page
        assert "You" in client_of(player).get(tournament.get_absolute_url()).content.decode()


def test_a_player_enters_withdraws_and_drops(announced: Announce, ada: User) -> None:
    tournament = announced()
    first, *others = players(3)
    client = client_of(first)
    address = tournament.get_absolute_url()
    for _ in range(2):
        assert client.post(f"{address}enter/").status_code == 302
    assert Entry.objects.count() == 1
    client.post(f"{address}withdraw/")
    assert not Entry.objects.exists()
    client.post(f"{address}enter/")
    for user in others:
        entries.enter(tournament=tournament, user=user)
    organiser = client_of(ada)
    assert organiser.post(f"{address}start/").status_code == 302
    settle(tournament)
    assert client.post(f"{address}withdraw/").status_code == 409
    page = client.get(address).content.decode()
    assert "Your match this round" in page or "Bye" in page
    client.post(f"{address}drop/")
    assert Entry.objects.get(user=first).state == EntryState.DROPPED


def test_every_tab_and_file(running: Announce) -> None:
    tournament = running(5, rounds=2)
    play_round(tournament)
    address = tournament.get_absolute_url()
    for path in ("", "players/", "rounds/1/", "rounds/2/", "standings/", "rulings/", "embed/"):
        assert Client().get(address + path).status_code == 200, path
    assert Client().get(f"{address}rounds/3/").status_code == 404
    embed = Client().get(f"{address}embed/")
    assert "frame-ancestors *" in embed["Content-Security-Policy"]
    assert "X-Frame-Options" not in embed
    part = Client().get(f"{address}rounds/2/", headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="tables" data-follow')
    before = json.loads(Client().get(f"{address}tournament.json").content)
    assert before["tournament"]["seed"] is None
    play_all(tournament)
    rows = list(
        csv.DictReader(io.StringIO(Client().get(f"{address}standings.csv").content.decode()))
    )
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert float(rows[0]["opponents_win"]) >= 0.3333 and rows[0]["decided_by"]
    assert all(len(row["random_draw"]) == 16 for row in rows) and "draw" not in rows[0]
    pdf = PdfReader(io.BytesIO(Client().get(f"{address}standings.pdf").content))
    assert "Player 1" in pdf.pages[0].extract_text()
    events = Calendar.from_ical(Client().get(f"{address}calendar.ics").content).walk("VEVENT")
    assert len(events) == 4
    tournament.refresh_from_db()
    moments = {str(event["SUMMARY"]): event["DTSTART"].dt for event in events}
    assert tournament.started_at is not None and tournament.finished_at is not None
    began, ended = (
        moment.replace(microsecond=0) for moment in (tournament.started_at, tournament.finished_at)
    )
    assert moments["Spring Open: Start"] == began
    assert moments["Spring Open: Registration closes"] <= began, "an early start closes it"
    assert moments["Spring Open: End of round 2"] == ended, "it ended before its time"
    assert "Swiss, 2 rounds. Started " in Client().get("/tournaments/feed.atom").content.decode()
    assert tournament.title in Client().get("/tournaments/feed.atom").content.decode()
    listed = Client().get("/tournaments/?show=over").content.decode()
    assert tournament.title in listed
    assert tournament.title in Client().get("/tournaments/?player=p1").content.decode()


def test_a_match_leads_to_its_tournament(running: Announce, ada: User) -> None:
    tournament = running(4)
    first, second = open_tables(tournament)
    lose(first)
    settle(tournament)
    rounds.end_round(tournament=tournament, by=ada, number=1, reason="All agree.")
    for table, path in ((first, "result/"), (second, "")):
        assert table.match is not None
        page = Client().get(f"/matches/{table.match.slug}/{path}").content.decode()
        assert f"{tournament.get_absolute_url()}rounds/1/" in page


def test_everybody_can_check_the_lots_afterwards(running: Announce) -> None:
    tournament = play_all(running(5, rounds=2))
    export = json.loads(Client().get(f"{tournament.get_absolute_url()}tournament.json").content)
    seed = bytes.fromhex(export["tournament"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == export["tournament"]["commitment"]
    everybody = [pairing.Player(row["number"]) for row in export["players"]]
    tables = pairing.swiss(everybody, seed=round_seed(seed, 1, 1))
    assert [
        [seat["entry"] for seat in table["seats"]] for table in export["rounds"][0]["tables"]
    ] == [list(table.players) for table in tables]
    assert [table["reason"] for table in export["rounds"][0]["tables"]] == [
        table.reason for table in tables
    ]


class TestOrganising:
    def act(self, user: User, tournament: Tournament, what: str, **data: Any) -> int:
        address = f"{tournament.get_absolute_url()}{what}/"
        return client_of(user).post(address, data).status_code

    def test_only_organisers(self, running: Announce, ada: User) -> None:
        tournament = running(2)
        stranger = User.objects.create_user("sam")
        actions = (
            "lock", "start", "end-round", "result", "bye", "take-back", "pair", "remove",
            "reinstate", "bots", "write", "cancel", "change",
        )  # fmt: skip
        for action in actions:
            assert self.act(stranger, tournament, action, reason="x") == 403, action
            assert Client().post(f"{tournament.get_absolute_url()}{action}/").status_code == 302
        assert not Ruling.objects.exists() and not Message.objects.exists()
        tournament.helpers.add(stranger)
        assert self.act(stranger, tournament, "write", text="Welcome.") == 302
        assert Notice.objects.filter(text="Spring Open: Welcome.").count() == 2
        assert "Welcome." in Client().get(tournament.get_absolute_url()).content.decode()

    def test_a_result_is_overruled_and_stays_visible(self, running: Announce, ada: User) -> None:
        tournament = running(4)
        table = open_tables(tournament)[0]
        low, high = sorted(table.seats.all(), key=lambda seat: seat.entry.number)
        play_round(tournament)
        places = "1,2" if high.number == 0 else "2,1"
        data = {"round": 1, "table": table.number, "places": places}
        assert self.act(ada, tournament, "result", **data) == 422  # without a reason
        assert self.act(ada, tournament, "result", **data, reason="A slip.") == 302
        assert self.act(ada, tournament, "result", **data, reason="A slip.") == 302
        ruling = Ruling.objects.get()
        assert ruling.before == f"Player {low.entry.number} won."
        assert ruling.after == f"Player {high.entry.number} won."
        page = Client().get(f"{tournament.get_absolute_url()}rulings/").content.decode()
        assert "A slip." in page and ruling.after in page
        assert Entry.objects.get(pk=high.entry_id).standing["points"] == 3

    def test_a_pairing_is_taken_back_and_made_anew(self, running: Announce, ada: User) -> None:
        tournament = running(6)
        play_round(tournament)
        before = [table.match for table in open_tables(tournament)]
        for _ in range(2):
            assert self.act(ada, tournament, "take-back", round=2, reason="Wrong result.") == 302
        assert Ruling.objects.count() == 1 and Round.objects.count() == 1
        for match in before:
            assert match is not None
            match.refresh_from_db()
            assert match.status == "cancelled"
        for _ in range(2):
            assert self.act(ada, tournament, "pair") == 302
        settle(tournament)
        again = Round.objects.get(number=2)
        assert again.attempt == 2 and len(open_tables(tournament)) == 3
        assert self.act(ada, tournament, "take-back", round=1, reason="x") == 409

    def test_put_back_with_a_bye(self, running: Announce, ada: User) -> None:
        tournament = running(5)
        entry = Entry.objects.get(tournament=tournament, number=5)
        assert self.act(ada, tournament, "remove", entry=5, reason="Rude.") == 302
        settle(tournament)
        assert Notice.objects.filter(person=entry.user, text__contains="Rude.").exists()
        assert self.act(ada, tournament, "reinstate", entry=5, reason="A mistake.") == 302
        entry.refresh_from_db()
        assert entry.state == EntryState.ENTERED
        play_round(tournament)
        play_all(tournament)
        assert Entry.objects.get(pk=entry.pk).rank is not None

    def test_before_the_start(self, announced: Announce, ada: User) -> None:
        tournament = announced()
        assert self.act(ada, tournament, "start") == 409
        for _ in range(2):
            assert self.act(ada, tournament, "bots") == 302
        assert Entry.objects.filter(bot="").count() == 0
        later = timezone.now() + timedelta(days=3)
        moment = f"{later:%Y-%m-%dT%H:%M}"
        changed = {"title": "Autumn", "about": "", "closes_at": moment, "starts_at": moment}
        assert self.act(ada, tournament, "change", **changed) == 302
        tournament.refresh_from_db()
        assert tournament.title == "Autumn"
        page = client_of(ada).get(f"{tournament.get_absolute_url()}organise/").content.decode()
        assert "Close registration" in page and "Start now" in page
        assert " Starts " in Client().get("/tournaments/feed.atom").content.decode()
        assert self.act(ada, tournament, "cancel", reason="Rain.") == 302
        feed = Client().get("/tournaments/feed.atom").content.decode()
        assert "Cancelled: Autumn" in feed and " Starts " not in feed
        tournament.refresh_from_db()
        assert (tournament.state, tournament.why_cancelled) == (State.CANCELLED, "Rain.")
        assert self.act(ada, tournament, "cancel", reason="Rain.") == 302

    def test_the_round_is_ended_from_the_page(self, running: Announce, ada: User) -> None:
        tournament = running(2, rounds=1)
        page = client_of(ada).get(f"{tournament.get_absolute_url()}organise/").content.decode()
        assert "End round" in page and "Decide table 1" in page
        assert self.act(ada, tournament, "end-round", round=1, reason="All agree.") == 302
        tournament.refresh_from_db()
        assert tournament.state == State.FINISHED
        assert Round.objects.get().pairings.get().how == How.DRAW


def test_a_large_tournament_costs_as_many_queries_as_a_small_one(
    announced: Announce, django_assert_max_num_queries: Any
) -> None:
    small, large = announced(), announced()
    for tournament, count in ((small, 20), (large, 2000)):
        Entry.objects.bulk_create(
            Entry(tournament=tournament, number=number, bot="b", rank=number)
            for number in range(1, count + 1)
        )  # fmt: skip
    for tournament in (small, large):
        for path in ("", "players/", "standings/"):
            with django_assert_max_num_queries(16):
                answer = Client().get(tournament.get_absolute_url() + path)
            assert len(answer.content) < 150_000


def test_a_player_s_rounds(running: Announce) -> None:
    tournament = running(5, rounds=2, cut=4, third_place=True)
    address = tournament.get_absolute_url()
    me = client_of(User.objects.get(username="p1"))
    assert 'rounds/1/">Round 1</a>, ends' in me.get(address).content.decode()
    play_all(tournament)
    nobody = Client()
    data = nobody.get(f"/api/tournaments/{tournament.slug}/entries/1/tables/").json()
    assert [row["round"] for row in data] == [1, 2, 3, 4]
    assert all(row["table"]["seats"][row["seat"]]["entry"] == 1 for row in data)
    page = nobody.get(f"{address}players/1/").content.decode()
    assert page.count(">Won<") + page.count("<td>Bye") == 4 and "Place 1" in page
    assert "Lost" in nobody.get(f"{address}players/5/").content.decode()
    assert nobody.get(f"{address}players/6/").status_code == 404
    for number in (1, 5):
        for tab in ("players", "standings"):
            assert f"{address}players/{number}/" in nobody.get(f"{address}{tab}/").content.decode()
    assert "Semifinals" in nobody.get(f"{address}rounds/3/").content.decode()
    assert ">Final</h2>" in nobody.get(f"{address}rounds/4/").content.decode()
    assert "<h2>Final</h2>" in nobody.get(f"{address}embed/").content.decode()
    third = Pairing.objects.get(for_third=True)
    loser = third.seats.get(place=2).entry.number
    page = nobody.get(f"{address}players/{loser}/").content.decode()
    assert "Third-place match" in page and "Semifinals" in page and ">Final<" not in page
    texts = set(Notice.objects.filter(kind="tournament").values_list("text", flat=True))
    assert any(text.startswith("Final of Spring Open: you play ") for text in texts)
    assert any(text.startswith("Third-place match of Spring Open: ") for text in texts)
    assert third.match is not None
    of_match = nobody.get(f"/matches/{third.match.slug}/result/").content.decode()
    assert "Third-place match of Spring Open" in of_match
    standings = nobody.get(f"{address}standings/").content.decode()
    assert standings.count('<tr class="event-ties">') == 5, "tie-breaks, as a phone shows them"
    assert "Decided by final rounds." in standings
    hits = nobody.get(f"{address}players/", {"q": "player 3"}).content.decode()
    assert "Player 3" in hits and "Player 2" not in hits
    assert "No player’s name contains" in nobody.get(f"{address}players/?q=x%26").content.decode()
