"""Rules that organisers write: stored, judged everywhere alike, previewed, brought and taken."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

import rules
from accounts.models import User
from collection.errors import TooMany, Unacceptable
from core.budgets import spend
from decks.models import Format, FormatVersion
from decks.queries import decks as deck_queries
from decks.queries import format_preview
from decks.queries import formats as queries
from decks.services import builder, checks, format_files
from decks.services import formats as services
from decks.services.decks import create_deck
from decks.services.formats import Rules
from rules.engine.modes import DeckFormat
from tests.games.examples import CLAW, EXAMPLE, FLAME, GAME, OTHER_GAME, READY_CARDS

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
ADDRESS = f"/formats/new/?play={GAME}/tournament"
NO_CLAW = {"id": "H-CLAW", "cards": {"card": [CLAW]}, "most": 0, "says": "{card} stays at home."}
TWO_OF_ONE = {"copies": "name", "most": 2}
PLAYS = [
    pytest.param(game.slug, mode.slug, id=f"{game.slug}-{mode.slug}")
    for game in rules.games().values()
    for mode in game.modes.values()
    if mode.own_decks
]


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def client(client: Client, ada: User) -> Client:
    client.force_login(ada, backend=BACKEND)
    return client


@pytest.fixture
def api(ada: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(ada)
    return client


def define(by: User, *rows: dict[str, Any], **changes: Any) -> Format:
    values: dict[str, Any] = {"game": GAME, "mode": "tournament", "name": "Club night"}
    return services.create_format(by=by, rules_of=Rules(rules=rows), **(values | changes))


class TestEverywhere:
    def test_deck_page_builder_check_and_api_name_the_rule(
        self, catalog: None, client: Client, api: APIClient, ada: User
    ) -> None:
        custom = define(ada, NO_CLAW)
        deck = create_deck(
            owner=ada,
            game=GAME,
            mode="tournament",
            name="Wildfire",
            cards=READY_CARDS,
            format=custom.slug,
        )
        for address in (deck.get_absolute_url(), f"/decks/{deck.slug}/build/"):
            page = client.get(address).text
            assert "H-CLAW" in page and "Red Claw stays at home." in page
        check = checks.create_check(
            organiser=ada, title="Cup", game=GAME, mode="tournament", house=queries.present(custom)
        )
        assert check.house is not None
        body = {"game": GAME, "mode": "tournament", "deck": READY_CARDS, "format": custom.slug}
        (problem,) = api.post("/api/decks/check/", body, format="json").json()["problems"]
        assert (problem["rule"], problem["message"]) == ("H-CLAW", "Red Claw stays at home.")
        assert problem["fix"]["changes"][CLAW] == -1

    def test_decks_that_are_filled_up_or_drawn_keep_to_it(self, catalog: None, ada: User) -> None:
        custom = define(ada, {"values": "colour", "where": {"kind": "character"}, "most": 2})
        deck = builder.create_random(
            owner=ada, game=GAME, mode="tournament", name="Any", format=custom.slug
        )
        page = deck_queries.deck_page(deck)
        assert page.report is not None and page.report.legal

    def test_a_format_page_says_rules_in_plain_english(self, client: Client, ada: User) -> None:
        page = client.get(define(ada, NO_CLAW, TWO_OF_ONE).get_absolute_url()).text
        assert "At most 2 cards with the same name" in page and "No cards named Red Claw" in page
        assert "H-CLAW" in page and "H-2" in page

    def test_a_long_points_list_is_shown_whole(self, client: Client, ada: User) -> None:
        cards = list(EXAMPLE.catalog)[:9]
        points = {"points": dict.fromkeys(cards, 1), "most": 8}
        page = client.get(define(ada, points).get_absolute_url()).text
        assert "and 3 more" in page and "All points of H-1" in page
        assert all(f"{EXAMPLE.title(card)}</a>: 1" in page for card in cards)

    def test_a_page_of_many_versions_stays_cheap(
        self, client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        custom = define(ada, NO_CLAW)
        client.get(custom.get_absolute_url())
        monkeypatch.setattr(services, "MAX_VERSIONS", 1)
        with pytest.raises(TooMany, match="up to 1 versions"):
            services.publish_version(format=custom, by=ada, rules_of=Rules())
        monkeypatch.setattr("rules.engine.formats.read_rules", None)
        assert "H-CLAW" in client.get(custom.get_absolute_url()).text, "rules are read once"
        assert custom.versions.count() == 1


class TestProof:
    """A format that leaves no legal deck is refused, with what stands in the way."""

    @pytest.mark.parametrize(("game", "mode"), PLAYS)
    def test_every_game_is_asked(self, ada: User, game: str, mode: str) -> None:
        place = {"game": game, "mode": mode}
        with pytest.raises(Unacceptable, match=r"No legal deck was found that keeps H-1 \(“No car"):
            define(ada, {"cards": {}, "most": 0}, **place)
        assert not Format.objects.filter(defined_as="").exists()
        assert define(ada, {"cards": {}, "least": 1}, **place).versions.count() == 1

    def test_rules_that_only_together_leave_none_are_named_together(self, ada: User) -> None:
        few = {"cards": {"colour": ["red", "green", "blue", "gold"]}, "most": 34}
        none = {"cards": {"colour": ""}, "most": 5}
        kept = {"required": {"card": CLAW}}
        with pytest.raises(Unacceptable) as refused:
            define(ada, few, kept, none)
        sentence = str(refused.value)
        assert "H-1 (“" in sentence and "H-3 (“" in sentence and "together" in sentence
        assert "H-2" not in sentence and "save it under Decks" in sentence

    def test_a_deck_of_one_s_own_is_proof(
        self, catalog: None, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("rules.engine.game.Game.starters_for", lambda *_: [])
        monkeypatch.setattr("decks.queries.format_proof._Search._drawn", lambda *_: [])
        with pytest.raises(Unacceptable, match="No legal deck"):
            define(ada, TWO_OF_ONE)
        create_deck(owner=ada, game=GAME, mode="tournament", name="Mine", cards=READY_CARDS)
        assert define(ada, TWO_OF_ONE).versions.count() == 1

    def test_the_search_ends_when_its_time_is_over(
        self, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = itertools.count()
        monkeypatch.setattr("decks.queries.format_proof.time.thread_time", lambda: next(clock))
        monkeypatch.setattr("decks.queries.format_proof._Search._drawn", lambda *_: [])
        with pytest.raises(Unacceptable, match=r"keeps H-1 .* and H-3 .* together"):
            define(ada, *[{"cards": {}, "most": number} for number in range(1, 4)])
        assert next(clock) < 30

    def test_no_version_makes_it_so_later(self, ada: User) -> None:
        custom = define(ada, TWO_OF_ONE)
        with pytest.raises(Unacceptable, match="No legal deck"):
            services.publish_version(
                format=custom, by=ada, rules_of=Rules(rules=[{"cards": {}, "most": 1}])
            )
        assert custom.versions.count() == 1


class TestForm:
    def test_rules_come_by_a_press_and_go_again(self, client: Client) -> None:
        page = client.post(ADDRESS, {"rules": "0", "add": "singleton"}).text
        assert 'name="rule-0-measure"' in page and 'value="copies:card" selected' in page
        assert "At most 1 copy of each card." in page and "3 of 3</strong> decks legal" in page
        sent = {"rules": "1", "rule-0-measure": "copies:card", "rule-0-most": "1"}
        page = client.post(ADDRESS, sent | {"add": "blank"}).text
        assert 'name="rule-1-measure"' in page
        page = client.post(ADDRESS, sent | {"remove": "0"}).text
        assert 'name="rule-0-measure"' not in page
        page = client.post(ADDRESS, sent | {"propose": "0"}).text
        assert "{card}: {found} in the deck, {most} allowed. Take out {surplus}.</textarea>" in page
        assert not Format.objects.filter(defined_as="").exists(), "nothing is created by looking"

    def test_the_preview_is_a_fragment_and_keeps_nothing(self, client: Client) -> None:
        sent = {"rules": "1", "rule-0-measure": "cards", "rule-0-most": "0", "rule-0-named": "Claw"}
        address = f"/formats/preview/{GAME}/tournament/"
        assert "Rule 1: Line 1: no card named “Claw”." in client.post(address, sent).text
        page = client.post(address, sent | {"rule-0-named": "Red Claw"}).text
        assert "<html" not in page and "No cards named Red Claw." in page
        assert "Players read: “Red Claw is not allowed in this format: 1 in the deck" in page
        assert "H-1</span>" in re.sub(r"\s+", " ", page) or "H-1" in page
        wrong = client.post(address, sent | {"rule-0-named": "", "rule-0-most": ""}).text
        assert "Rule 1: it says no number" in wrong
        other = client.post(address, sent | {"rule-0-other": "level = "}).text
        assert "The other conditions cannot be read" in other
        large = client.post(address, sent | {"rule-0-other": f"level = {'1' * 5000}"}).text
        assert "a number that is too large" in large
        assert client.post(f"/formats/preview/{GAME}/single/", sent).status_code == 404

    def test_a_composed_rule_is_stored_and_shown_again(self, client: Client, ada: User) -> None:
        sent = {
            "name": "Few",
            "rules": "2",
            "rule-0-measure": "cards",
            "rule-0-most": "6",
            "rule-0-least": "6",
            "rule-0-is-kind": ["character"],
            "rule-0-is-colour": ["red", "green"],
            "rule-0-other": "level = { least = 2 }",
            "rule-0-says": "{found} are wrong.",
            "rule-0-notice": "on",
            "rule-1-measure": "points",
            "rule-1-most": "5",
            "rule-1-named": "3 Red Claw\n1 Red Flame",
            "rule-1-rule_id": "H-POINTS",
        }
        client.post(ADDRESS, sent, follow=True)
        version = FormatVersion.objects.get(format__defined_as="")
        filter_ = {"kind": "character", "colour": ["red", "green"], "level": {"least": 2}}
        assert version.rules == [
            {
                "id": "H-1",
                "cards": filter_,
                "exactly": 6,
                "severity": "notice",
                "says": "{found} are wrong.",
            },
            {"id": "H-POINTS", "points": {CLAW: 3, FLAME: 1}, "most": 5},
        ]
        address = f"/formats/{version.format.slug}/new-version/"
        page = client.get(address).text
        assert "level = { least = 2 }" in page and "3 Red Claw" in page and "H-POINTS" in page
        assert "{found} are wrong." in page

    def test_a_form_shows_whatever_a_rule_may_say(self, client: Client, ada: User) -> None:
        custom = define(
            ada,
            {"cards": {"kind": {"not": "power"}}, "least": 1},
            {"cards": {"card": {"not": [CLAW]}}, "least": 1},
            {"follows": {"of": {}, "column": "colour", "by": "colour"}, "severity": "notice"},
        )
        page = _tight(client.get(f"/formats/{custom.slug}/new-version/").text)
        for number, words in (
            ("0-other", "kind = { not = &quot;power&quot; }"),
            ("1-other", f"card = {{ not = [&quot;{CLAW}&quot;] }}"),
            ("2-than", "of = {"),  # PostgreSQL has an order of its own for what is in a rule
        ):
            assert re.search(rf'name="rule-{number}" value="[^"]*{re.escape(words)}', page)
        page = client.post(ADDRESS, {"rules": "0", "add": "no-above-rare"}).text
        assert 'name="rule-0-most" value="0"' in page, "none is a number, too"

    def test_a_refused_format_loses_nothing(self, client: Client) -> None:
        sent = {"name": "None", "rules": "1", "rule-0-measure": "cards", "rule-0-most": "1"}
        answer = client.post(ADDRESS, sent)
        assert answer.status_code == 422
        assert "No legal deck was found that keeps H-1" in answer.text
        assert 'value="None"' in answer.text and 'name="rule-0-most" value="1"' in answer.text

    def test_a_second_tab_replaces_no_version_unseen(self, client: Client, ada: User) -> None:
        custom = define(ada, TWO_OF_ONE)
        address = f"/formats/{custom.slug}/new-version/"
        assert 'name="follows" value="1"' in client.get(address).text
        few, fewer = (
            {"follows": "1", "rules": "1", "rule-0-measure": "copies:card", "rule-0-most": most}
            for most in ("3", "2")
        )
        for _ in range(2):
            assert client.post(address, few).status_code == 302
        answer = client.post(address, fewer | {"name": "Club night", "note": "Too many"})
        assert ">Too many</textarea>" in re.sub(r"\s*(Too many)", r"\1", answer.text)
        assert 'value="Club night"' in answer.text
        assert answer.status_code == 409 and "Version 2 was published after" in answer.text
        assert 'name="rule-0-most" value="2"' in answer.text
        assert 'name="follows" value="2"' in answer.text and custom.versions.count() == 2
        assert client.post(address, fewer | {"follows": "2"}).status_code == 302
        assert custom.versions.count() == 3


def _tight(page: str) -> str:
    return re.sub(r">\s+|\s+<", lambda space: space[0].strip(), page)


class TestFiles:
    TOML = f"""game = "{GAME}"
mode = "tournament"
name = "Pauper"

[[rule]]
copies = "name"
most = 2

[[rule]]
id = "H-RARE"
cards = {{ rarity = "rare" }}
most = 3
"""

    def test_there_and_back(self, client: Client, ada: User) -> None:
        custom = format_files.create_from_toml(by=ada, text=self.TOML)
        answer = client.get(f"/formats/{custom.slug}/format.toml")
        assert answer["Content-Disposition"] == 'attachment; filename="pauper.toml"'
        again = format_files.create_from_toml(by=ada, text=answer.text)
        assert queries.present(again).rules == queries.present(custom).rules
        assert client.get(f"/formats/{custom.slug}/format.toml?version=9").status_code == 404

    def test_nothing_of_a_file_is_cut_off(self, ada: User) -> None:
        text = self.TOML.replace("\n\n", f'\nsummary = "{"x" * 301}"\n\n', 1)
        with pytest.raises(Unacceptable, match="A description can have up to 300 characters"):
            format_files.create_from_toml(by=ada, text=text)

    def test_a_file_fills_the_form_in(self, client: Client) -> None:
        page = client.post("/formats/import/", {"text": self.TOML}).text
        assert 'value="Pauper"' in page and "H-RARE" in page and "At most 3 rare cards." in page
        assert f'action="{ADDRESS}"' in page
        assert not Format.objects.filter(defined_as="").exists()

    def test_a_new_version_from_a_file(self, client: Client, ada: User) -> None:
        custom = format_files.create_from_toml(by=ada, text=self.TOML)
        address = f"/formats/{custom.slug}/new-version/"
        typed = {"follows": "1", "name": "Pauper", "note": "Fewer", "rules": "0"}
        for text, words in (
            ("", "Choose a TOML file, or paste its text."),
            ("game = ", "Line 1: this is not TOML."),
            (self.TOML.replace("most = 3", "most = -3"), "Line 9: Rule 2 (H-RARE): most is a wh"),
            (self.TOML.replace('"tournament"', '"match"'), "for another game or mode than Pauper"),
        ):
            page = client.post(address, {**typed, "read": "1", "text": text})
            assert page.status_code == 422 and words in page.text and ">Fewer<" in _tight(page.text)
        stricter = self.TOML.replace("most = 3", "most = 1")
        page = client.post(address, {**typed, "read": "1", "text": stricter}).text
        assert 'name="rule-1-most" value="1"' in page and ">Fewer<" in _tight(page)
        assert "At most 1 rare card." in page and 'name="follows" value="1"' in page
        unread = client.post(address, {**typed, "text": stricter})
        assert unread.status_code == 422 and "Press “Read the TOML” first" in unread.text
        assert custom.versions.count() == 1, "nothing is published by reading"

    def test_a_retired_format_is_refused_with_the_reason(self, client: Client, ada: User) -> None:
        custom = format_files.create_from_toml(by=ada, text=self.TOML)
        version = queries.present(custom)
        services.retire_format(format=custom, by=ada)
        custom.refresh_from_db()
        with pytest.raises(Unacceptable, match="Pauper is retired, so it gets no new version"):
            services.publish_version(format=custom, by=ada, rules_of=Rules())
        page = client.get(f"/formats/{custom.slug}/new-version/")
        assert page.status_code == 422 and "Pauper is retired" in page.text
        typed = {"note": "Typed while it was retired in another tab", "rules": "0"}
        page = client.post(f"/formats/{custom.slug}/new-version/", typed)
        assert page.status_code == 422 and "Pauper is retired" in page.text
        assert typed["note"] in page.text
        version.format.refresh_from_db()
        with pytest.raises(Unacceptable, match="Pauper is retired. Choose another format"):
            checks.create_check(
                organiser=ada, title="Open", game=GAME, mode="tournament", house=version
            )

    def test_options_that_contradict_rules_are_named(self, ada: User) -> None:
        with pytest.raises(Unacceptable, match="keeps “Exact size” and H-1 .* together"):
            services.create_format(
                by=ada,
                game=GAME,
                mode="tournament",
                name="None",
                rules_of=Rules(options={"exact_size": True}, rules=[{"cards": {}, "least": 50}]),
            )

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "Choose a TOML file, or paste its text."),
            ("game = ", "Line 1: this is not TOML."),
            (
                f'{TOML}says = "{"x" * 241}"',
                "Line 9: Rule 2 (H-RARE): its sentence is a",
            ),
            (TOML.replace("most = 2", "most = -2"), "Line 5: Rule 1: most is a whole number"),
            (TOML.replace('"rare"', '"shiny"'), "Line 9: Rule 2 (H-RARE): no card has rarity “shi"),
            (TOML.replace(GAME, "chess"), "chess"),
            (TOML.replace('"tournament"', '""'), "The file says no game and mode"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(
        self, client: Client, text: str, words: str
    ) -> None:
        answer = client.post("/formats/import/", {"text": text})
        assert answer.status_code == 422 and words in answer.text


class TestApi:
    def test_preview(self, api: APIClient, ada: User, catalog: None) -> None:
        mine = create_deck(owner=ada, game=GAME, mode="tournament", name="Mine", cards=READY_CARDS)
        body = {"game": GAME, "mode": "tournament", "rules": [NO_CLAW]}
        answer = api.post("/api/formats/preview/", body, format="json").json()
        assert answer["rules"] == [
            {
                "rule": "H-CLAW",
                "words": "No cards named Red Claw.",
                "says": "{card} stays at home.",
                "example": "Red Claw stays at home.",
            }
        ]
        own = next(deck for deck in answer["decks"] if deck["slug"] == mine.slug)
        assert (own["legal"], own["rules"]) == (False, ["H-CLAW"])
        assert own["problem"] == "Red Claw stays at home."
        assert APIClient().post("/api/formats/preview/", body, format="json").status_code == 401
        refused = api.post("/api/formats/preview/", body | {"rules": [{}]}, format="json")
        assert refused.status_code == 422 and "Rule 1: a rule counts one of" in refused.text

    def test_rules_files_and_whose_they_are(self, api: APIClient, ada: User) -> None:
        body = {"game": GAME, "mode": "tournament", "name": "A", "rules": [TWO_OF_ONE]}
        created = api.post("/api/formats/", body, format="json").json()
        assert created["versions"][0]["rules"] == [{"id": "H-1", **TWO_OF_ONE}]
        assert created["check_format"]["house"]["rules"] == [{"id": "H-1", **TWO_OF_ONE}]
        brought = api.post("/api/formats/import/", {"toml": TestFiles.TOML}, format="json")
        assert brought.status_code == 201
        address = f"/api/formats/{brought.json()['slug']}/toml/"
        text = api.get(address).text
        stricter = {"toml": text.replace("most = 3", "most = 1"), "note": "Fewer"}
        changed = api.put(address, stricter, format="json").json()
        assert changed["version"] == 2 and changed["versions"][0]["rules"][1]["most"] == 1
        assert api.get(f"{address}?version=1").text == text
        bad = api.put(address, {"toml": "game = "}, format="json")
        assert bad.status_code == 422 and "Line 1: this is not TOML" in bad.text
        other = APIClient()
        other.force_authenticate(User.objects.create_user("ben"))
        assert other.put(address, stricter, format="json").status_code == 403
        assert other.get(address).text == APIClient().get(address).text
        assert APIClient().put(address, stricter, format="json").status_code == 401


def test_whoever_has_used_up_their_budget_proves_no_format(
    client: Client, api: APIClient, ada: User
) -> None:
    custom = define(ada, TWO_OF_ONE)
    address = f"/formats/{custom.slug}/new-version/"
    sent = {"name": "Few", "rules": "1", "rule-0-measure": "cards", "rule-0-least": "1"}
    body = {"game": GAME, "mode": "tournament", "name": "Few", "rules": [TWO_OF_ONE]}
    spend(f"person:{ada.pk}", 10_000)
    for page in (client.post(ADDRESS, sent), client.post(address, sent)):
        assert page.status_code == 429 and 'name="rule-0-least" value="1"' in page.text
    assert api.post("/api/formats/", body, format="json").status_code == 429
    published = api.post(f"/api/formats/{custom.slug}/", {"rules": []}, format="json")
    assert published.status_code == 429
    assert FormatVersion.objects.filter(format__defined_as="").count() == 1


def test_the_preview_asks_as_many_queries_whatever_the_decks(
    catalog: None, ada: User, django_assert_num_queries: Any
) -> None:
    for number in range(3):
        create_deck(owner=ada, game=GAME, mode="tournament", name=f"{number}", cards=READY_CARDS)
        with django_assert_num_queries(3):
            format_preview.own_decks(ada, GAME, "tournament")


def test_a_format_of_the_shelf_may_have_rules(
    catalog: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rules.game(OTHER_GAME)
    shelf = DeckFormat(
        "pauper", "Pauper", "", ("battle",), rules=({"copies": "character", "most": 2},)
    )
    monkeypatch.setitem(vars(game), "deck_formats", (shelf,))
    services.write_game_formats()
    version = FormatVersion.objects.get(format__game=OTHER_GAME, format__name="Pauper")
    assert version.rules == [{"id": "H-1", "copies": "character", "most": 2}]
