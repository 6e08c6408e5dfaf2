"""House formats: who defines them, what they say, and decks judged by them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.utils import timezone

import rules
from accounts.errors import MembersOnly
from accounts.models import User
from accounts.services.guests import create_guest
from collection.errors import NotFound, Unacceptable
from core.errors import NotAllowed
from decks.errors import BadDeck
from decks.models import Deck, Format, FormatVersion
from decks.queries import formats as queries
from decks.services import formats as services
from decks.services.decks import create_deck, takes_decks
from decks.services.formats import Rules
from decks.views import formats as format_views
from rules.engine.legality import Problem, Report
from tests.games.examples import (
    CLAW,
    EXAMPLE,
    FLAME,
    GAME,
    GAME_NAME,
    LARGE_SET,
    OTHER,
    OTHER_GAME,
    OTHER_PLAIN,
    OTHER_TOO_FEW_CARDS,
    OTHER_WRONG_SIZE,
    READY_CARDS,
)

pytestmark = pytest.mark.django_db

_GAMES = dict(rules.games())
BOOSTER_SETS = [card_set.slug for card_set in EXAMPLE.sets if card_set.slug != LARGE_SET]
_WITH_DECKS = [game.slug for game in _GAMES.values() if any(map(takes_decks, game.modes.values()))]


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada", display_name="Ada")


def define(by: User, rules_of: Rules | None = None, **changes: object) -> Format:
    values: dict[str, object] = {
        "by": by,
        "game": GAME,
        "mode": "tournament",
        "name": "Highland",
        "rules_of": rules_of or Rules({"singleton": True}, {CLAW: {"most": 0, "reason": "Dull"}}),
    }
    return services.create_format(**(values | changes))  # type: ignore[arg-type]


def problems(format: Format) -> set[str]:
    taken = queries.rules_format(queries.present(queries.format_of(format.slug)))
    report = EXAMPLE.check_deck("tournament", READY_CARDS, taken)
    return {problem.rule for problem in report.problems}


def ticked(page: str) -> list[str]:
    """The colours that are chosen in the form."""
    return re.findall(r'name="option-plain_shells" value="(\w+)"[^>]* checked', page)


class TestDefining:
    def test_a_format_judges_decks(self, ada: User) -> None:
        assert problems(define(ada)) == {"HOUSE-01"}
        assert problems(define(ada, Rules(sets=BOOSTER_SETS))) == {"HOUSE-02"}
        assert problems(define(ada, Rules())) == set()

    def test_options_off_say_nothing(self, ada: User) -> None:
        custom = define(ada, Rules({"singleton": False, "exact_size": True}))
        assert queries.present(custom).options == {"exact_size": True}

    @pytest.mark.parametrize(
        ("rules_of", "words"),
        [
            (Rules({"no_such": True}), "no format option “no_such”"),
            (Rules({"singleton": 3}), "switched on or off"),
            (Rules(restricted={"no-card": {"most": 1}}), f"no card of {GAME_NAME}"),
            (Rules(restricted={CLAW: {"most": -1}}), "say 0 to 1,000"),
            (Rules(restricted={CLAW: {"most": 10**30}}), "say 0 to 1,000"),
            (Rules(restricted={CLAW: {"most": 1, "reason": "x" * 201}}), "up to 200 characters"),
            (Rules(restricted={CLAW: {}}), "most"),
            (Rules(sets=["nowhere"]), "Sets are some of"),
        ],
    )
    def test_nonsense(self, ada: User, rules_of: Rules, words: str) -> None:
        with pytest.raises(Unacceptable, match=words):
            define(ada, rules_of)
        assert not Format.objects.filter(defined_as="").exists()

    def test_numbers_have_limits(self, ada: User) -> None:
        custom = define(ada, Rules({"set_size": 56}), game=OTHER_GAME, mode="battle")
        assert queries.present(custom).options == {"set_size": 56}
        with pytest.raises(Unacceptable, match="a whole number from 1 to 300"):
            define(ada, Rules({"set_size": 0}), game=OTHER_GAME, mode="battle")

    def test_options_of_another_game_have_values(self, ada: User) -> None:
        other = {"game": OTHER_GAME, "mode": "battle"}
        multi = other | {"mode": "multi"}
        rules: dict[str, object] = {"target": 20, "plain_shells": ["emerald", "silver"]}
        custom = define(ada, Rules(rules), **other)
        version = queries.present(custom)
        assert version.options == {"target": 20, "plain_shells": ["silver", "emerald"]}
        assert [clause.words for clause in queries.clauses(version)] == [
            "Winning target: 20",
            "Plain Shells: Silver, Emerald",
        ]
        few = {"main": {"krabbi-long-legs-silver": 1, "krabbi-long-legs-gold": 1}}
        taken = queries.rules_format(version)
        report = OTHER.check_deck("battle", few, taken)
        assert {OTHER_TOO_FEW_CARDS, OTHER_PLAIN} == {problem.rule for problem in report.errors}
        plain = define(ada, Rules({"plain_shells": ["gold", "silver"]}), **other)
        assert queries.present(plain).options == {"plain_shells": True}
        (clause,) = queries.clauses(queries.present(plain))
        assert clause.words == "Plain Shells: Silver, Gold"
        trumps = define(ada, Rules({"trump_size": 20}), **multi)
        taken = queries.rules_format(queries.present(trumps))
        report = OTHER.check_deck("multi", few, taken)
        sized = next(problem for problem in report.errors if problem.rule == OTHER_WRONG_SIZE)
        assert sized.allowed == 20
        for options, mode, words in (
            ({"target": 76}, other, "a whole number from 1 to 75"),
            ({"target": 20}, multi, "no format option “target”. Options: trump_size, doubles"),
            ({"trump_size": 12}, multi, "one of 10, 15, 20, 30"),
            ({"plain_shells": ["red"]}, other, "takes some of silver, gold"),
        ):
            with pytest.raises(Unacceptable, match=words):
                define(ada, Rules(options), **mode)

    def test_who_may(self, ada: User) -> None:
        with pytest.raises(MembersOnly):
            define(create_guest(address="192.0.2.1"))
        with pytest.raises(NotAllowed):
            define(ada, house=True)
        with pytest.raises(BadDeck):
            define(ada, mode="single")
        ada.is_staff = True
        ada.save()
        assert define(ada, house=True).owner is None


class TestVersions:
    def test_a_new_version_leaves_the_old_one(self, ada: User) -> None:
        custom = define(ada)
        second = services.publish_version(
            format=custom, by=ada, rules_of=Rules({"exact_size": True}), note="Shorter"
        )
        assert second.number == 2 and queries.present(queries.format_of(custom.slug)) == second
        first = FormatVersion.objects.get(format=custom, number=1)
        assert first.options == {"singleton": True} and CLAW in first.restricted

    def test_publishing_the_same_again_changes_nothing(self, ada: User) -> None:
        custom = define(ada)
        same = Rules({"singleton": True}, {CLAW: {"most": 0, "reason": "Dull"}})
        assert services.publish_version(format=custom, by=ada, rules_of=same).number == 1

    def test_a_version_counts_from_its_day(
        self, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A set rotation is announced: until the day comes, decks are judged as before."""
        custom = define(ada, Rules())
        day = timezone.now() + timedelta(days=30)
        second = services.publish_version(
            format=custom, by=ada, rules_of=Rules(sets=BOOSTER_SETS), valid_from=day
        )
        assert second.valid_from == day
        assert queries.present(custom).number == 1 and problems(custom) == set()
        assert queries.history(custom).next == second
        at = partial(monkeypatch.setattr, timezone, "now")
        at(lambda: day - timedelta(microseconds=1))
        assert queries.present(custom).number == 1 and problems(custom) == set()
        at(lambda: day)
        assert queries.present(custom).number == 2 and problems(custom) == {"HOUSE-02"}
        stand = queries.history(custom)
        assert (stand.present, stand.announced) == (second, ())
        assert [version.number for version in stand.earlier] == [1]

    def test_versions_that_hold_one_after_the_other_and_one_that_is_overtaken(
        self, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        custom, now = define(ada, Rules()), timezone.now()
        days = [now + timedelta(days=days) for days in (0, 10, 30, 20)]
        for number, day in enumerate(days[1:], start=2):
            services.publish_version(
                format=custom,
                by=ada,
                rules_of=Rules(restricted={CLAW: {"most": number}}),
                valid_from=day,
            )
        stand = queries.history(custom)
        assert [version.number for version in stand.announced] == [4, 2]
        assert [version.number for version in stand.replaced] == [3], (
            "the fourth holds before it would"
        )
        assert stand.next == FormatVersion.objects.get(format=custom, number=2)
        for after, number in ((0, 1), (11, 2), (21, 4), (31, 4)):
            moment = now + timedelta(days=after, hours=1)
            monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
            assert queries.present(custom).number == number

    def test_days_that_cannot_be(self, ada: User) -> None:
        custom, now = define(ada), timezone.now()
        for day, words in (
            (now - timedelta(days=1), "now or on a later day"),
            (now + timedelta(days=800), "up to two years ahead"),
        ):
            with pytest.raises(Unacceptable, match=words):
                services.publish_version(format=custom, by=ada, rules_of=Rules(), valid_from=day)
        assert custom.versions.count() == 1

    def test_announcing_the_same_again_changes_nothing_and_sooner_does(self, ada: User) -> None:
        custom, day = define(ada), timezone.now() + timedelta(days=30)
        rotated = partial(
            services.publish_version, format=custom, by=ada, rules_of=Rules(sets=["master"])
        )
        assert [rotated(valid_from=day).number for _ in range(2)] == [2, 2]
        assert rotated(valid_from=day - timedelta(days=1)).number == 3
        assert rotated().number == 4 and queries.present(custom).number == 4
        assert rotated(valid_from=day).number == 4, "it holds already"

    def test_only_its_owner_changes_it(self, ada: User) -> None:
        custom = define(ada)
        ben = User.objects.create_user("ben", is_staff=True)
        with pytest.raises(NotAllowed):
            services.publish_version(format=custom, by=ben, rules_of=Rules())
        with pytest.raises(NotAllowed):
            services.retire_format(format=custom, by=ben)
        services.retire_format(format=custom, by=ada)
        assert list(queries.offered(ada, GAME)) == []
        assert queries.format_of(custom.slug) == custom

    def test_unlisted_ones_are_offered_to_their_owner_alone(self, ada: User) -> None:
        custom = define(ada, listed=False)
        assert list(queries.offered(ada, GAME, "tournament")) == [custom]
        assert list(queries.offered(User.objects.create_user("ben"), GAME)) == []
        assert list(queries.offered(ada, GAME, "match")) == []


class TestPages:
    FIELDS = {
        "name": "Highland",
        "option-singleton": "on",
        "restricted": "0 Red Claw # always there\n2 Red Flame\n",
        "sets": ["master"],
        "listed": "on",
    }

    def test_defining_and_reading(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        page = client.get(f"/formats/new/?play={GAME}/tournament").content.decode()
        assert "No duplicates" in page and "Emberfall" in page
        answer = client.post(f"/formats/new/?play={GAME}/tournament", self.FIELDS, follow=True)
        page = answer.content.decode()
        assert "No duplicates" in page and "banned" in page and "always there" in page
        version = FormatVersion.objects.get(format__defined_as="")
        assert version.restricted[FLAME] == {"most": 2, "reason": ""}
        assert version.sets == ["master"]
        assert "Highland" in client.get("/formats/").content.decode()

    def test_the_list_has_pages(
        self, client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(format_views, "FORMATS_PAGE_SIZE", 2)
        names = [f"Format {number}" for number in range(3)]
        for name in names:
            define(ada, name=name)
        last = -(-queries.offered(ada).count() // 2)
        pages = [
            client.get("/formats/", {"page": number}).content.decode()
            for number in range(1, last + 1)
        ]
        assert all(sum(name in page for page in pages) == 1 for name in names)
        assert "page=2" in pages[0] and "Next" not in pages[-1]

    def test_a_bad_line_is_named_and_nothing_is_lost(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        fields = self.FIELDS | {"restricted": "1 Red Clam\n0 Red Flame"}
        answer = client.post(f"/formats/new/?play={GAME}/tournament", fields)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "Line 1: no card named “Red Clam”." in page
        assert "0 Red Flame" in page and 'value="Highland"' in page
        assert not Format.objects.filter(defined_as="").exists()

    def test_a_new_version_starts_from_the_present_one(self, client: Client, ada: User) -> None:
        custom = define(ada)
        client.force_login(ada)
        address = f"/formats/{custom.slug}/new-version/"
        page = client.get(address).content.decode()
        assert "0 Red Claw # Dull" in page and "checked" in page
        client.post(address, {"restricted": "1 Red Claw", "note": "Not so dull"})
        page = client.get(custom.get_absolute_url()).content.decode()
        assert "version 2" in page and "Not so dull" in page and "Version 1" in page

    def test_name_and_description_change_with_a_version(self, client: Client, ada: User) -> None:
        custom = define(ada)
        client.force_login(ada)
        address = f"/formats/{custom.slug}/new-version/"
        assert f'value="{custom.name}"' in client.get(address).content.decode()
        about = {"name": " Spring  Club ", "summary": "No Claw before May."}
        client.post(address, about | {"restricted": "1 Red Claw"})
        custom.refresh_from_db()
        assert (custom.name, custom.summary) == ("Spring Club", "No Claw before May.")
        assert queries.present(queries.format_of(custom.slug)).number == 2
        assert client.post(address, {"name": " "}).status_code == 422
        custom.refresh_from_db()
        assert custom.name == "Spring Club"
        Format.objects.filter(pk=custom.pk).update(defined_as="club")
        page = client.get(address).content.decode()
        assert 'name="name"' not in page and 'name="summary"' not in page
        with pytest.raises(Unacceptable, match="The game defines the name"):
            services.publish_version(format=custom, by=ada, rules_of=Rules(), name="Other")

    def test_the_form_has_values_for_options(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        address = f"/formats/new/?play={OTHER_GAME}/battle"
        fields = {"name": "Shells", "option-target": "20", "option-plain_shells": ["gold", "holo"]}
        page = client.post(address, fields | {"option-target": "80"}).content.decode()
        assert (
            "less than or equal to 75" in page and not Format.objects.filter(defined_as="").exists()
        )
        assert ticked(page) == ["gold", "holo"]
        page = client.post(address, fields, follow=True).content.decode()
        assert "Winning target: 20" in page and "Plain Shells: Gold, Holo" in page
        custom = Format.objects.get(defined_as="")
        page = client.get(f"/formats/{custom.slug}/new-version/").content.decode()
        assert 'value="20"' in page and ticked(page) == ["gold", "holo"]
        client.post(
            f"/formats/{custom.slug}/new-version/", {"option-plain_shells": ["gold", "silver"]}
        )
        assert queries.present(custom).options == {"plain_shells": True}
        page = client.get(f"/formats/{custom.slug}/new-version/").content.decode()
        assert ticked(page) == ["silver", "gold"], "simply on, it is the two usual colours"

        address = f"/formats/new/?play={OTHER_GAME}/multi"
        client.post(address, {"name": "Trumps", "option-trump_size": "30"})
        trumps = Format.objects.get(name="Trumps")
        assert queries.present(trumps).options == {"trump_size": 30}
        page = client.get(f"/formats/{trumps.slug}/new-version/").content.decode()
        assert '<option value="30" selected>' in page
        client.post(f"/formats/{trumps.slug}/new-version/", {"option-trump_size": ""})
        assert queries.present(trumps).options == {}

    def test_a_day_stays_what_it_was_where_the_sun_rises_early(
        self, client: Client, ada: User
    ) -> None:
        custom = define(ada)
        client.force_login(ada)
        client.cookies["riffle_zone"] = "Pacific/Auckland"
        address = f"/formats/{custom.slug}/new-version/"
        day = timezone.localdate() + timedelta(days=40)
        client.post(address, {"sets": ["master"], "valid_from": str(day)})
        assert f'value="{day}"' in client.get(address).content.decode()

    def test_announcing_a_version(
        self, client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        custom = define(ada)
        client.force_login(ada)
        address = f"/formats/{custom.slug}/new-version/"
        today = timezone.localdate()
        for day, words in (
            (today - timedelta(days=1), "This day is in the past."),
            (today + timedelta(days=1000), "up to two years ahead"),
            ("soon", "Enter a valid date."),
        ):
            late = client.post(address, {"sets": ["master"], "valid_from": str(day)})
            assert late.status_code == 422 and words in late.content.decode()
        day = today + timedelta(days=40)
        written_day = f"{day:%-d %B %Y}"
        body = {"sets": ["master"], "valid_from": str(day)}
        page = client.post(address, body, follow=True).content.decode()
        assert f"Version 2 takes effect on {written_day}." in page
        assert (
            "Takes effect on <time" in page
            and written_day in page
            and "Only cards of Master Deck" in page
        )
        assert "version 1, from" in page, "which holds for the time being"
        assert f"New rules from {written_day}" in client.get("/formats/").content.decode()
        form = client.get(address).content.decode()
        assert f"Version 2 takes effect on {written_day}" in form and f'value="{day}"' in form
        page = client.post(address, {"valid_from": str(today)}, follow=True).content.decode()
        page = " ".join(page.split())
        assert "Version 3 takes effect now." in page and "never took effect" in page

    def test_a_check_and_a_deck_are_judged_by_what_holds_on_their_day(
        self, client: Client, ada: User, catalog: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        custom = define(ada, Rules())
        day = timezone.now() + timedelta(days=5)
        ban = Rules(restricted={CLAW: {"most": 0}})
        services.publish_version(format=custom, by=ada, rules_of=ban, valid_from=day)
        deck = create_deck(
            owner=ada, game=GAME, mode="tournament", name="W", cards=READY_CARDS, format=custom.slug
        )
        client.force_login(ada)

        def verdict() -> tuple[bool, int]:
            answer = client.get(f"/api/decks/{deck.slug}/").json()
            return answer["report"]["legal"], answer["format"]["version"]

        body = {"title": "T", "game": GAME, "mode": "tournament", "format": custom.slug}
        before = client.post("/api/deck-checks/", body, "application/json").json()
        assert verdict() == (True, 1) and before["format_version"] == 1
        monkeypatch.setattr(timezone, "now", lambda: day)
        assert verdict() == (False, 2)
        assert (
            client.post("/api/deck-checks/", body, "application/json").json()["format_version"] == 2
        )
        kept = client.get(f"/api/deck-checks/{before['slug']}/").json()
        assert kept["format_version"] == 1, "until the sweep has its decks checked again"

    def test_strangers_read_and_change_nothing(self, client: Client, ada: User) -> None:
        custom = define(ada)
        address = custom.get_absolute_url()
        assert client.get(address).status_code == 200
        assert client.get(f"{address}new-version/").status_code == 302
        client.force_login(User.objects.create_user("ben"))
        assert client.get(f"{address}new-version/").status_code == 403
        assert client.post(f"{address}retire/").status_code == 403
        assert client.get("/formats/none/").status_code == 404
        with pytest.raises(NotFound):
            queries.format_of("none")

    def test_a_mode_without_decks_has_no_form(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        assert client.get(f"/formats/new/?play={GAME}/single").status_code == 302


def test_the_text_editor_s_verdict_knows_the_deck_s_format(
    client: Client, ada: User, catalog: None
) -> None:
    custom = define(ada)
    deck = create_deck(owner=ada, game=GAME, mode="tournament", name="Wild", cards=READY_CARDS)
    Deck.objects.filter(pk=deck.pk).update(house=custom)
    client.force_login(ada)
    assert "HOUSE-01" in client.get(f"/decks/{deck.slug}/edit/").content.decode()
    typed = {"play": f"{GAME}/tournament", "text": "1 Red Claw", "deck": deck.slug}
    assert "HOUSE-01" in client.post("/decks/check/", typed).content.decode()
    del typed["deck"]
    assert "HOUSE-01" not in client.post("/decks/check/", typed).content.decode()
    client.force_login(User.objects.create_user("ben"))
    answer = client.post("/decks/check/", typed | {"deck": deck.slug})
    assert answer.status_code == 404 and b"HOUSE-01" not in answer.content


class TestTheGameHasTheLastWord:
    """Options that each are fine may leave no deck together; the game says so."""

    BOTH = {"classic": True, "exact_size": True}
    SENTENCE = "Classic decks hold the whole Master Deck (60 cards) and cannot have exactly 40."

    @pytest.fixture
    def client(self, client: Client, ada: User) -> Client:
        client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def test_a_format_that_no_deck_fulfils_is_not_defined(self, ada: User) -> None:
        with pytest.raises(Unacceptable) as refused:
            define(ada, Rules(self.BOTH))
        assert str(refused.value) == self.SENTENCE
        assert not Format.objects.filter(defined_as="").exists()
        assert define(ada, Rules({"classic": True})).versions.count() == 1

    def test_no_version_makes_it_so_later(self, ada: User) -> None:
        format = define(ada, Rules({"classic": True}))
        with pytest.raises(Unacceptable, match="cannot have exactly 40"):
            services.publish_version(format=format, by=ada, rules_of=Rules(self.BOTH))
        later = timezone.now() + timedelta(days=9)
        with pytest.raises(Unacceptable, match="cannot have exactly 40"):
            services.publish_version(
                format=format, by=ada, rules_of=Rules(self.BOTH), valid_from=later
            )
        assert format.versions.count() == 1

    def test_pages_say_it_above_what_was_filled_in(self, client: Client, ada: User) -> None:
        fields = {
            "name": "Both",
            "option-classic": "on",
            "option-exact_size": "on",
            "restricted": "0 Red Claw",
        }
        answer = client.post(f"/formats/new/?play={GAME}/tournament", fields)
        page = answer.content.decode()
        assert answer.status_code == 422 and self.SENTENCE in page and "0 Red Claw" in page
        format = define(ada, Rules({"classic": True}))
        answer = client.post(f"/formats/{format.slug}/new-version/", fields)
        assert answer.status_code == 422 and self.SENTENCE in answer.content.decode()
        assert Format.objects.filter(defined_as="").count() == format.versions.count() == 1

    def test_the_api_says_it_too(self, client: Client, ada: User) -> None:
        body = {"game": GAME, "mode": "tournament", "name": "Both", "options": self.BOTH}
        refused = client.post("/api/formats/", body, content_type="application/json")
        assert (refused.status_code, refused.json()["detail"]) == (422, self.SENTENCE)
        format = define(ada, Rules({"classic": True}))
        refused = client.post(
            f"/api/formats/{format.slug}/", {"options": self.BOTH}, content_type="application/json"
        )
        assert (refused.status_code, refused.json()["detail"]) == (422, self.SENTENCE)

    @pytest.mark.parametrize("game", sorted(_WITH_DECKS))
    def test_every_game_with_decks_is_asked(
        self, ada: User, monkeypatch: pytest.MonkeyPatch, game: str
    ) -> None:
        game_definition = rules.game(game)
        mode = next(mode.slug for mode in game_definition.modes.values() if takes_decks(mode))
        never = Report((Problem("X-01", "error", "Nobody can build this."),))
        questions: list[object] = []
        mine = replace(
            game_definition, judge_format=lambda mode, format: questions.append(format) or never
        )
        monkeypatch.setattr(rules, "games", lambda: {**_GAMES, game: mine})
        with pytest.raises(Unacceptable, match="Nobody can build this."):
            define(ada, Rules(), game=game, mode=mode)
        assert len(questions) == 1
