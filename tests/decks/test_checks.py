"""Deck checks: handing in, judging in a worker, locking, papers; who may do what."""

from __future__ import annotations

import base64
import io
import json
import re
import unicodedata
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from accounts.errors import MembersOnly
from accounts.models import User
from accounts.services.guests import create_guest
from collection.errors import TooLate, TooMany, Unacceptable
from core.errors import NotAllowed
from decks.drawing.lettering import SANS, lettered, printable
from decks.drawing.qr import qr_svg
from decks.drawing.registration import Sheet, _proof, _verdict, write_sheets
from decks.errors import BadDeck
from decks.lists.textlist import write_list
from decks.models import CheckedDeck, CheckState, Deck, DeckCheck, Format
from decks.queries import checks as queries
from decks.queries import verdicts
from decks.queries.formats import present
from decks.services import checks as services
from decks.services import decks as deck_services
from decks.services import formats
from decks.services.checks import Entry
from decks.tasks import sweep
from notices.models import Notice
from rules.engine.legality import Decklist, Report, deck_digest
from tests.games.examples import (
    CLAW,
    EXAMPLE,
    FLAME,
    GAME,
    NOT_OWNED,
    OTHER_GAME,
    OTHER_NAME,
    READY_CARDS,
    TOO_FEW_CARDS,
    UNKNOWN_CARD,
)

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]

TEXT = write_list(READY_CARDS, GAME)
SHORT = "1 Red Claw\n1 Rde Flmae\n"


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker hears of anything."""
    monkeypatch.setattr(services, "_wake", lambda check_id: None)


@pytest.fixture
def ada(catalog: object, asleep: None) -> User:
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def ben(catalog: object) -> User:
    return User.objects.create_user("ben", display_name="Ben")


@pytest.fixture
def check(ada: User) -> DeckCheck:
    return services.create_check(organiser=ada, title="Spring Open", game=GAME, mode="tournament")


def add(check: DeckCheck, *texts: str) -> None:
    entries = [Entry(f"Player {n}", f"Deck {n}", text) for n, text in enumerate(texts, start=1)]
    services.add_decks(check=check, by=check.organiser, entries=entries)


BAN = formats.Rules(restricted={CLAW: {"most": 0}})


def _check_with_format(ada: User) -> tuple[Format, DeckCheck]:
    custom = formats.create_format(
        by=ada, game=GAME, mode="tournament", name="F", rules_of=formats.Rules()
    )
    check = services.create_check(
        organiser=ada, title="T", game=GAME, mode="tournament", house=present(custom)
    )
    return custom, check


def judged(check: DeckCheck) -> list[bool | None]:
    services.judge_check(check_id=check.pk)
    return list(queries.pile(check).values_list("legal", flat=True))


def own_deck(user: User, text: str = TEXT) -> object:
    return deck_services.create_deck(
        owner=user, game=GAME, mode="tournament", name="Wildfire", text=text, skip_unread=True
    )


class TestJudging:
    def test_a_pile_is_judged(self, check: DeckCheck) -> None:
        add(check, TEXT, SHORT)
        assert judged(check) == [True, False]
        second = queries.checked_deck(check, 2)
        broken = {problem["rule"] for problem in queries.errors(second)}
        assert {UNKNOWN_CARD, TOO_FEW_CARDS} <= broken
        assert second.unread == [{"line": 2, "text": "Rde Flmae"}]
        check.refresh_from_db()
        assert (check.state, check.done, check.total) == (CheckState.IDLE, 2, 2)

    def test_a_house_format_counts(self, ada: User, ben: User) -> None:
        custom = formats.create_format(
            by=ada,
            game=GAME,
            mode="tournament",
            name="Clawless",
            rules_of=formats.Rules(restricted={CLAW: {"most": 0}}),
        )
        check = services.create_check(
            organiser=ada, title="T", game=GAME, mode="tournament", house=present(custom)
        )
        add(check, TEXT)
        assert judged(check) == [False]
        assert queries.errors(queries.checked_deck(check, 1))[0]["rule"] == "HOUSE-01"

    def test_owned_only_asks_for_the_player_s_cards(self, ada: User, ben: User) -> None:
        custom = formats.create_format(
            by=ada,
            game=GAME,
            mode="tournament",
            name="Own cards",
            rules_of=formats.Rules(owned_only=True),
        )
        check = services.create_check(
            organiser=ada, title="T", game=GAME, mode="tournament", house=present(custom)
        )
        deck = own_deck(ben, f"{TEXT}1 Gold 6\n")  # a ready-made deck would need no owning
        services.hand_in(check=check, user=ben, deck=deck)  # type: ignore[arg-type]
        assert judged(check) == [False]
        rules_broken = {p["rule"] for p in queries.errors(queries.checked_deck(check, 1))}
        assert rules_broken == {NOT_OWNED}

    def test_a_list_without_an_account_is_said_not_to_be_held_against_own_cards(
        self, client: Client, ada: User
    ) -> None:
        custom = formats.create_format(
            by=ada,
            game=GAME,
            mode="tournament",
            name="Own cards",
            rules_of=formats.Rules(owned_only=True),
        )
        check = services.create_check(
            organiser=ada, title="T", game=GAME, mode="tournament", house=present(custom)
        )
        add(check, TEXT, SHORT)
        assert judged(check) == [True, False]
        row = queries.checked_deck(check, 1)
        assert [problem["rule"] for problem in queries.notices(row)] == ["HOUSE-03"]
        CheckedDeck.objects.filter(pk=row.pk).update(player_number="4711")
        client.force_login(ada)
        address = check.get_absolute_url()
        for page in (address, f"{address}?show=legal", f"{address}1/"):
            words = client.get(page).content.decode()
            assert "Own cards were not checked: Own cards allows only" in words
            assert "1 notice" in words and "HOUSE-03, notice" in " ".join(words.split())
        table = client.get(f"{address}verdicts.csv")
        first, second, third = (
            b"".join(
                table.streaming_content  # type: ignore[attr-defined]
            )
            .decode()
            .splitlines()
        )
        assert first.endswith(",locked,notices,player_number")
        assert second.endswith(",,HOUSE-03,4711") and ",yes,," in second
        assert third.endswith(",,HOUSE-03,") and f",no,{UNKNOWN_CARD}" in third

    def test_what_was_not_checked_stands_on_the_sheet(self) -> None:
        notice = {"rule": "HOUSE-03", "severity": "warning", "message": "Own cards were not …"}
        error = {"rule": TOO_FEW_CARDS, "severity": "error", "message": "Too few"}
        about = Sheet("E", "P", "", "Jo", "D", [], [], "0" * 64, True, [notice, error], None)
        assert _verdict(about) == "Legal, with a notice below"
        assert _verdict(replace(about, legal=False, problems=[error])) == "Not legal"
        lines = [flowable.text for flowable in _proof(about) if hasattr(flowable, "text")]
        assert lines[:2] == ["Notice, HOUSE-03: Own cards were not …", f"{TOO_FEW_CARDS}: Too few"]

    def test_a_worker_that_died_is_followed_by_another(self, check: DeckCheck) -> None:
        add(check, TEXT)
        DeckCheck.objects.update(state=CheckState.WORKING)
        assert services.judge_check(check_id=check.pk) == 0, "somebody is at it"
        DeckCheck.objects.update(touched_at=timezone.now() - services.DEAD_AFTER * 2)
        assert services.stalled_checks() == [check.pk]
        sweep()
        assert queries.tally(check).legal == 1

    def test_a_deck_handed_in_anew_is_not_judged_by_the_old_list(
        self, check: DeckCheck, ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben, SHORT))  # type: ignore[arg-type]
        report = services._report

        def meanwhile(*args: object) -> dict[str, object]:
            monkeypatch.setattr(services, "_report", report)
            services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
            return report(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(services, "_report", meanwhile)
        assert judged(check) == [True]

    @pytest.mark.django_db(transaction=True)
    def test_the_worker_is_woken(self, catalog: object) -> None:
        ada = User.objects.create_user("ada")
        check = services.create_check(organiser=ada, title="T", game=GAME, mode="tournament")
        add(check, TEXT)
        assert queries.tally(check).legal == 1


class TestHandingIn:
    def test_again_takes_the_place_of_the_first(self, check: DeckCheck, ben: User) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben, SHORT))  # type: ignore[arg-type]
        deck = own_deck(ben)
        services.hand_in(check=check, user=ben, deck=deck)  # type: ignore[arg-type]
        row = CheckedDeck.objects.get()
        assert row.cards == READY_CARDS and row.judged_at is None and row.number == 1
        assert row.digest == deck_digest(GAME, "tournament", READY_CARDS)

    def test_a_copy_is_handed_in(self, check: DeckCheck, ben: User) -> None:
        deck = own_deck(ben)
        services.hand_in(check=check, user=ben, deck=deck)  # type: ignore[arg-type]
        deck_services.delete_deck(user=ben, slug=deck.slug)  # type: ignore[attr-defined]
        assert CheckedDeck.objects.get().cards == READY_CARDS

    def test_refusals(self, check: DeckCheck, ada: User, ben: User) -> None:
        deck = own_deck(ben)
        with pytest.raises(NotAllowed):
            services.hand_in(check=check, user=ada, deck=deck)  # type: ignore[arg-type]
        guest = create_guest(address="192.0.2.1")
        with pytest.raises(MembersOnly):
            services.hand_in(check=check, user=guest, deck=deck)  # type: ignore[arg-type]
        other = deck_services.create_deck(
            owner=ben, game=GAME, mode="match", name="Shared", cards={}
        )
        with pytest.raises(Unacceptable, match="another mode"):
            services.hand_in(check=check, user=ben, deck=other)
        services.set_open(check=check, by=ada, open=False)
        with pytest.raises(TooLate, match="Registration has closed"):
            services.hand_in(check=check, user=ben, deck=deck)  # type: ignore[arg-type]

    def test_taking_out(self, check: DeckCheck, ada: User, ben: User) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        add(check, TEXT)
        with pytest.raises(NotAllowed):
            services.take_out(check=check, by=ben, number=2)
        assert services.take_out(check=check, by=ben, number=1)
        assert services.take_out(check=check, by=ada, number=2)
        assert not services.take_out(check=check, by=ada, number=2)

    def test_the_player_is_told_the_verdict_as_long_as_it_holds(
        self, client: Client, check: DeckCheck, ada: User, ben: User
    ) -> None:
        def told() -> list[tuple[str, str]]:
            open_notices = Notice.objects.open().filter(person=ben, kind="deck_check")
            return list(open_notices.values_list("text", "link"))

        address = check.get_absolute_url()
        services.hand_in(check=check, user=ben, deck=own_deck(ben, SHORT))  # type: ignore[arg-type]
        add(check, TEXT)  # of nobody who has an account
        assert told() == []
        judged(check)
        assert told() == [("Your deck “Wildfire” is not legal for Spring Open.", address)]
        client.force_login(ben)
        assert client.get(address).status_code == 200
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        assert told() == [], "that list lies there no more"
        judged(check)
        assert told() == [("Your deck “Wildfire” is legal for Spring Open.", address)]
        services.take_out(check=check, by=ada, number=1)
        assert told() == [], "nor this one"
        assert Notice.objects.filter(kind="deck_check").count() == 1, "one row, whatever it says"

    def test_verdict_and_notice_are_one_write(
        self, check: DeckCheck, ben: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]

        def fails(*args: object, **more: object) -> None:
            raise RuntimeError

        monkeypatch.setattr(services, "notify", fails)
        with pytest.raises(RuntimeError):
            judged(check)
        assert CheckedDeck.objects.get().judged_at is None, "found and judged again by the sweep"


class TestOrganising:
    def test_who_may_announce(self, ada: User) -> None:
        with pytest.raises(MembersOnly):
            services.create_check(
                organiser=create_guest(address="192.0.2.1"),
                title="T",
                game=GAME,
                mode="tournament",
            )
        with pytest.raises(BadDeck):
            services.create_check(organiser=ada, title="T", game=GAME, mode="single")
        with pytest.raises(Unacceptable, match="A title has 1"):
            services.create_check(organiser=ada, title="  ", game=GAME, mode="tournament")

    def test_only_the_organiser(self, check: DeckCheck, ben: User) -> None:
        for step in (
            lambda: services.add_decks(check=check, by=ben, entries=[Entry("P", "D", TEXT)]),
            lambda: services.set_open(check=check, by=ben, open=False),
            lambda: services.lock_check(check=check, by=ben),
            lambda: services.judge_again(check=check, by=ben),
        ):
            with pytest.raises(NotAllowed):
                step()

    def test_limits(self, check: DeckCheck, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(services, "DECKS_A_CHECK", 2)
        with pytest.raises(TooMany, match="up to 2 decks"):
            add(check, TEXT, TEXT, TEXT)
        with pytest.raises(Unacceptable, match="No deck found"):
            add(check)
        with pytest.raises(Unacceptable, match="Player 1: the list has"):
            add(check, "1 Red Claw\n" * 4000)
        assert not CheckedDeck.objects.exists()


class TestJudges:
    def test_a_slip_of_the_pen_is_mended_noted_and_told(
        self, client: Client, check: DeckCheck, ada: User, ben: User
    ) -> None:
        add(check, SHORT)
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        judged(check)
        client.force_login(ada)
        page = client.get(f"{check.get_absolute_url()}1/").content.decode()
        assert "“Rde Flmae” is" in page and f'name="rename" value="2 {FLAME}"' in page
        path = f"{check.get_absolute_url()}1/"
        assert client.post(path, {"rename": f"2 {FLAME}"}).status_code == 302
        first = queries.checked_deck(check, 1)
        assert first.cards == {"main": {CLAW: 1, FLAME: 1}} and first.unread == []
        assert (first.judged_at, first.legal) == (None, None)
        (note,) = queries.notes_of(check)
        assert note.by == ada and "Rde Flmae" in note.text and "+1 Red Flame" in note.text
        before = queries.checked_deck(check, 2)
        changed = queries.list_of(before).replace("2 Red Claw", "1 Red Claw", 1)
        changed = changed if changed != queries.list_of(before) else f"{changed}1 Red Claw\n"
        client.post(f"{check.get_absolute_url()}2/", {"text": changed, "why": "As on paper."})
        notice = Notice.objects.filter(person=ben, text__contains="corrected your decklist").get()
        assert "Red Claw" in notice.text and notice.text.endswith("As on paper.")
        client.force_login(ben)
        assert "As on paper." in client.get(check.get_absolute_url()).content.decode()
        same = queries.list_of(queries.checked_deck(check, 2))
        with pytest.raises(Unacceptable):
            services.mend_list(check=check, by=ada, number=2, text=same)
        with pytest.raises(NotAllowed):
            services.mend_list(check=check, by=ben, number=2, text="1 Red Claw")
        judged(check)
        services.lock_check(check=check, by=ada)
        with pytest.raises(TooLate):
            services.mend_list(check=check, by=ada, number=1, text="1 Red Claw")

    def test_a_list_that_is_none_at_all_is_mended_too(
        self, client: Client, check: DeckCheck, ada: User
    ) -> None:
        none_at_all = "\n".join(f"1 Rde Flmae {number}" for number in range(501))
        add(check, none_at_all, SHORT)
        judged(check)
        client.force_login(ada)
        path = check.get_absolute_url()
        assert client.post(f"{path}1/", {"text": SHORT}).status_code == 302
        assert client.post(f"{path}2/", {"text": none_at_all}).status_code == 302
        assert [row.unread[0]["line"] for row in queries.pile(check)] == [2, 1]

    def test_a_judge_overwrites_no_list_that_came_meanwhile(
        self, client: Client, check: DeckCheck, ada: User, ben: User
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben, SHORT))  # type: ignore[arg-type]
        client.force_login(ada)
        path = f"{check.get_absolute_url()}1/"
        seen = queries.checked_deck(check, 1).digest
        assert f'name="expected" value="{seen}"' in client.get(path).content.decode()
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        mended = {"text": f"{SHORT}1 Red Claw", "why": "As on paper."}
        late = client.post(path, mended | {"expected": seen})
        page = late.content.decode()
        assert late.status_code == 409 and "changed after you opened it" in page
        assert "1 Rde Flmae" in page and 'value="As on paper."' in page
        now = queries.checked_deck(check, 1).digest
        assert now != seen and f'name="expected" value="{now}"' in page
        assert client.post(path, mended | {"expected": now}).status_code == 302

    def test_hyphens_stay_and_a_title_keeps_its_own_full_stop(self, ada: User, ben: User) -> None:
        check = services.create_check(
            organiser=ada, title="Cup 27.11.", game=GAME, mode="tournament"
        )
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        judged(check)
        (notice,) = Notice.objects.open().filter(person=ben)
        assert notice.text == "Your deck “Wildfire” is legal for Cup 27.11."
        services.mend_list(check=check, by=ada, number=1, text=f"{TEXT}\n1 Half-known card\n")
        services.mend_list(check=check, by=ada, number=1, text=TEXT)
        assert [note.text for note in queries.notes_of(check)] == [
            "\N{MINUS SIGN}1 Half-known card", "+1 Half-known card",
        ]  # fmt: skip

    def test_why_a_list_was_mended_is_told_however_much_of_it_was(
        self, check: DeckCheck, ada: User, ben: User
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        others = "\n".join(f"1 Nothing so far {number}" for number in range(60))
        services.mend_list(check=check, by=ada, number=1, text=others, why="As  on paper.")
        (note,) = queries.notes_of(check)
        notice = Notice.objects.get(person=ben, text__contains="corrected your decklist")
        assert note.text.endswith("…. As on paper.") and notice.text.endswith("…. As on paper.")

    def test_a_deck_that_could_not_be_judged_says_so(
        self, client: Client, check: DeckCheck, ada: User
    ) -> None:
        add(check, SHORT)
        broken = {"legal": False, "problems": [], "broken": "This mode is gone."}
        CheckedDeck.objects.update(report=broken, legal=False, judged_at=timezone.now())
        client.force_login(ada)
        page = client.get(f"{check.get_absolute_url()}1/").content.decode()
        assert "This mode is gone." in page and "This deck is legal" not in page

    def test_many_problems_of_one_rule_take_one_line(
        self, client: Client, check: DeckCheck, ben: User
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        lines = "\n".join(f"1 Nothing so far {number}" for number in range(9))
        services.mend_list(check=check, by=check.organiser, number=1, text=f"{TEXT}{lines}")
        judged(check)
        client.force_login(ben)
        for path in ("", "1/"):
            page = client.get(f"{check.get_absolute_url()}{path}").content.decode()
            assert page.count("more like this") == 1 and "8 more like this" in page

    def test_what_was_mended_is_read_by_nobody_who_comes_after(
        self, check: DeckCheck, ada: User, ben: User
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        services.mend_list(check=check, by=ada, number=1, text=SHORT)
        services.take_out(check=check, by=ben, number=1)
        cleo = User.objects.create_user("cleo")
        row = services.hand_in(check=check, user=cleo, deck=own_deck(cleo))  # type: ignore[arg-type]
        assert row.number == 2 and not queries.notes_of(check, row.number)

    def test_what_locking_does_is_seen_before(
        self, client: Client, check: DeckCheck, ada: User
    ) -> None:
        add(check, TEXT, SHORT)
        services.add_decks(check=check, by=ada, entries=[Entry("", "", TEXT)])
        judged(check)
        client.force_login(ada)
        page = client.get(f"{check.get_absolute_url()}lock/").content.decode()
        assert "3 decklists become final" in page and "Registration closes." in page
        assert (
            "1 of them is not legal and can’t be corrected once locked." in " ".join(page.split())
            and TOO_FEW_CARDS in page
        )
        assert "3 decklists have no player name." in page and "Lock 3 decklists" in page
        check.refresh_from_db()
        assert check.locked_at is None, "looking locks nothing"

    def test_lists_are_unlocked_for_a_reason_that_players_are_told(
        self, client: Client, check: DeckCheck, ada: User, ben: User
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        judged(check)
        services.lock_check(check=check, by=ada)
        digest = queries.checked_deck(check, 1).digest
        client.force_login(ada)
        path = f"{check.get_absolute_url()}unlock/"
        assert client.post(path, {"why": " "}).status_code == 422
        assert client.post(path, {"why": "A list was lost."}).status_code == 302
        check.refresh_from_db()
        row = queries.checked_deck(check, 1)
        assert (check.locked_at, check.open, row.locked_at, row.digest) == (
            None, False, None, digest,
        )  # fmt: skip
        assert "A list was lost." in client.get(check.get_absolute_url()).content.decode()
        notice = Notice.objects.open().get(person=ben, text__contains="unlocked")
        assert notice.text.endswith("A list was lost.")
        services.lock_check(check=check, by=ada)
        with pytest.raises(DatabaseError), transaction.atomic():  # that reason was for once
            CheckedDeck.objects.filter(check_of=check).update(locked_at=None)
        with pytest.raises(NotAllowed):
            services.unlock_check(check=check, by=ben, why="Please.")

    def test_day_place_deadline_numbers_and_other_judges(
        self, client: Client, check: DeckCheck, ada: User, ben: User
    ) -> None:
        cleo = User.objects.create_user("cleo")
        client.force_login(ada)
        about = {"held_on": "2031-05-04", "place": " The  Hall ", "judges": "cleo, ada"}
        path = f"{check.get_absolute_url()}event/"
        assert client.post(path, about | {"closes_at": "2031-05-03T18:00"}).status_code == 302
        html = client.get(check.get_absolute_url()).content.decode()
        assert 'value="2031-05-04"' in html and 'value="2031-05-03T18:00"' in html, (
            "as browsers read"
        )
        client.force_login(ben)
        page = client.get(check.get_absolute_url()).content.decode()
        assert (
            "Sunday, 4 May 2031" in page
            and "The Hall" in page
            and "closes on 3 May 2031, 18:00" in page
        )
        deck = own_deck(ben)
        values = {"deck": deck.slug, "player_number": "123 45"}  # type: ignore[attr-defined]
        client.post(f"{check.get_absolute_url()}hand-in/", values)
        assert queries.checked_deck(check, 1).player_number == "123 45"
        pile = Client()
        pile.force_login(ada)
        assert "Player number 123 45" in pile.get(check.get_absolute_url()).content.decode()
        client.force_login(cleo)
        assert "123 45" in client.get(f"{check.get_absolute_url()}1/").content.decode()
        assert [listed.pk for listed in queries.checks_of(cleo)] == [check.pk]
        past = {"closes_at": "2021-05-03T18:00"}
        assert client.post(path, past).status_code == 302
        page = client.get(check.get_absolute_url()).content.decode()
        assert "Registration closed on 3 May 2021, 18:00" in page
        assert "Registration is open" not in page
        opened = '<details class="sheet sheet-tight deck-text" open>'
        organiser = Client()
        organiser.force_login(ada)
        assert ">Closed</span>" in organiser.get("/deck-checks/").content.decode()
        refused = organiser.post(path, {"judges": "nobody-here"}).content.decode()
        assert opened in refused and 'value="nobody-here"' in refused and opened not in page
        assert check.judges.get() == cleo, "only the organiser names judges"
        with pytest.raises(TooLate):
            services.hand_in(check=check, user=ben, deck=deck)  # type: ignore[arg-type]
        page = client.get(check.get_absolute_url()).content.decode()
        assert "Registration closed" in page and "Judges" not in page
        with pytest.raises(NotAllowed):
            services.describe_check(
                check=check, by=cleo, held_on=None, place="", closes_at=None, judges=["ben"]
            )
        assert client.post(path, {"held_on": "tomorrow"}).status_code == 422
        client.force_login(ben)
        assert client.post(path, past).status_code == 404


class TestLocks:
    def test_a_locked_list_never_changes(self, check: DeckCheck, ada: User, ben: User) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        services.lock_check(check=check, by=ada)
        services.lock_check(check=check, by=ada)
        with pytest.raises(TooLate):
            services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        with pytest.raises(TooLate):
            services.take_out(check=check, by=ada, number=1)
        with pytest.raises(TooLate):
            add(check, TEXT)

    @pytest.mark.parametrize(
        "change",
        [
            {"cards": {"main": {}}},
            {"player": "Somebody else"},
            {"digest": "0" * 64},
            {"typed": "other"},
            {"number": 7},
            {"locked_at": None},
        ],
    )
    def test_the_database_itself_refuses(
        self, check: DeckCheck, ada: User, change: dict[str, object]
    ) -> None:
        add(check, TEXT)
        judged(check)
        services.lock_check(check=check, by=ada)
        words = "A locked deck never changes"
        with pytest.raises(DatabaseError, match=words), transaction.atomic():
            CheckedDeck.objects.update(**change)

    def test_the_verdict_and_the_player_s_account_may_still_change(
        self, check: DeckCheck, ada: User, ben: User
    ) -> None:
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        services.lock_check(check=check, by=ada)
        assert judged(check) == [True]
        services.judge_again(check=check, by=ada)
        ben.delete()
        row = CheckedDeck.objects.get()
        assert row.user is None and row.player == "Ben"

    def test_locking_takes_the_format_as_it_is_then(self, ada: User) -> None:
        custom = formats.create_format(
            by=ada, game=GAME, mode="tournament", name="F", rules_of=formats.Rules()
        )
        check = services.create_check(
            organiser=ada, title="T", game=GAME, mode="tournament", house=present(custom)
        )
        add(check, TEXT)
        assert judged(check) == [True]
        newer = formats.publish_version(
            format=custom,
            by=ada,
            rules_of=formats.Rules(restricted={CLAW: {"most": 0}}),
        )
        check = services.lock_check(check=queries.check_of(check.slug), by=ada)
        assert check.house == newer
        assert judged(check) == [False]

    def test_what_is_shown_before_the_lock_is_what_is_locked(
        self, client: Client, ada: User, ben: User
    ) -> None:
        """A format's newer version is announced on the pages, followed, told, and only then
        locked."""
        custom, check = _check_with_format(ada)
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        assert judged(check) == [True]
        formats.publish_version(format=custom, by=ada, rules_of=BAN)
        client.force_login(ben)
        page = " ".join(client.get(check.get_absolute_url()).content.decode().split())
        assert "F, version 2</a> is in force. These results are by version 1; your deck" in page
        client.force_login(ada)
        page = " ".join(client.get(check.get_absolute_url()).content.decode().split())
        assert "F, version 2</a> is in force. These results are by version 1: recheck all" in page
        lock = f"{check.get_absolute_url()}lock/"
        page = client.get(lock).content.decode()
        assert "F, version 2 is in force. Recheck all decks first" in page
        assert "Lock 1 decklist" not in page and "not legal" not in page
        refused = client.post(lock)
        assert refused.status_code == 409 and "Recheck all decks first" in refused.text
        assert client.post(f"{check.get_absolute_url()}again/").status_code == 302
        assert client.post(lock).status_code == 409, "nobody has been told a result yet"
        assert judged(check) == [False]
        notice = Notice.objects.open().get(person=ben)
        assert notice.text == "Your deck “Wildfire” is not legal for T (F, version 2)."
        page = client.get(lock).content.decode()
        assert "1 of them is not legal" in " ".join(page.split()) and "Lock 1 decklist" in page
        assert "F, version 2 is in force. All decks are checked by it." in "".join(
            note.text for note in queries.notes_of(check)
        )
        assert client.post(lock).status_code == 302
        assert judged(check) == [False], "as shown before"

    def test_a_check_follows_its_format_until_registration_closes(
        self, client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        custom, check = _check_with_format(ada)
        add(check, TEXT)
        now = timezone.now()
        day = timedelta(days=1)
        about = {"check": check, "by": ada, "held_on": None, "place": ""}
        services.describe_check(closes_at=now + 3 * day, **about)  # type: ignore[arg-type]
        for ahead, rules_of in ((2 * day, BAN), (5 * day, formats.Rules())):
            formats.publish_version(
                format=custom, by=ada, rules_of=rules_of, valid_from=now + ahead
            )
        client.force_login(ada)
        page = client.get(check.get_absolute_url()).content.decode()
        assert "F, version 2</a> takes effect on" in page
        assert judged(check) == [True]
        seen = []
        for later in (day, 2 * day, 4 * day, 6 * day):
            monkeypatch.setattr(timezone, "now", lambda at=now + later: at)
            sweep()
            seen.append((queries.check_of(check.slug).house.number, judged(check)))  # type: ignore[union-attr]
        assert seen == [(1, [True]), (2, [False]), (2, [False]), (2, [False])]
        assert services.lock_check(check=check, by=ada).house.number == 2  # type: ignore[union-attr]

    def test_closing_by_hand_keeps_the_format_of_that_moment(self, ada: User) -> None:
        custom, check = _check_with_format(ada)
        add(check, TEXT)
        judged(check)
        services.set_open(check=check, by=ada, open=False)
        formats.publish_version(format=custom, by=ada, rules_of=BAN)
        sweep()
        add(check, TEXT)
        assert judged(check) == [True, True]
        services.set_open(check=check, by=ada, open=True)
        sweep()
        assert judged(check) == [False, False]

    def test_a_worker_that_is_overtaken_by_a_newer_format_begins_anew(
        self, ada: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        custom = formats.create_format(
            by=ada, game=GAME, mode="tournament", name="F", rules_of=formats.Rules()
        )
        check = services.create_check(
            organiser=ada, title="T", game=GAME, mode="tournament", house=present(custom)
        )
        add(check, TEXT)
        assert judged(check) == [True]
        services.judge_again(check=check, by=ada)
        ban = formats.Rules(restricted={CLAW: {"most": 0}})
        judge = verdicts.Ruling.report

        def slow(question: verdicts.Ruling, cards: Decklist) -> Report:
            report = judge(question, cards)
            if formats.publish_version(format=custom, by=ada, rules_of=ban).number == 2:
                services.lock_check(check=queries.check_of(check.slug), by=ada)
            return report

        monkeypatch.setattr(verdicts.Ruling, "report", slow)
        assert judged(check) == [False], "nothing stands that was judged by the older version"

    def test_nothing_is_locked_before_it_is_read(self, check: DeckCheck, ada: User) -> None:
        add(check, TEXT)
        with pytest.raises(TooLate, match="still being read"):
            services.lock_check(check=check, by=ada)
        judged(check)
        assert services.lock_check(check=check, by=ada).locked_at

    def test_a_list_of_too_many_lines_is_illegal_and_says_why(self, check: DeckCheck) -> None:
        add(check, "1 Red Claw\n" * 600)
        assert judged(check) == [False]
        assert "600 lines" in queries.checked_deck(check, 1).unread[0]["text"]

    def test_an_empty_pile_is_not_locked(self, check: DeckCheck, ada: User) -> None:
        with pytest.raises(Unacceptable):
            services.lock_check(check=check, by=ada)


class TestSplitting:
    def test_many_decks_in_one_text(self) -> None:
        text = f"\n== Mira: Wildfire\n{SHORT}== Jo ==\n2 Red Claw\n== Al: \n"
        assert list(queries.split_lists(text)) == [
            ("Mira", "Wildfire", SHORT.strip("\n")),
            ("Jo", "", "2 Red Claw"),
            ("Al", "", ""),
        ]

    def test_a_name_may_begin_with_the_sign_of_a_heading(self) -> None:
        text = f"== =1+1: Deck\n{SHORT}=== a=b ===\n2 Red Claw\n"
        assert list(queries.split_lists(text)) == [
            ("=1+1", "Deck", SHORT.strip("\n")),
            ("a=b", "", "2 Red Claw"),
        ]

    def test_a_text_without_names_is_one_deck(self) -> None:
        assert list(queries.split_lists(SHORT)) == [("", "", SHORT.strip("\n"))]
        assert list(queries.split_lists("\n\n")) == []

    def test_a_long_line_costs_little(self) -> None:
        """A regular expression that tries each run of blanks would take minutes."""
        text = "== a" + " " * 20_000 + "b\n1 Red Claw\n== c" + "=" * 20_000 + "d\n"
        assert [player for player, _, _ in queries.split_lists(text)] == ["a", "c"]


class TestPages:
    def test_an_organiser_s_walk(self, client: Client, ada: User) -> None:
        client.force_login(ada)
        fields = {"title": "Spring Open", "play": f"{GAME}/tournament", "house": ""}
        answer = client.post("/deck-checks/", fields, follow=True)
        assert "Spring Open" in answer.content.decode()
        check = DeckCheck.objects.get()
        address = check.get_absolute_url()
        empty = client.get(address).content.decode()
        assert "No decks yet." in empty and "sheets.pdf" not in empty
        file = SimpleUploadedFile("jo.txt", TEXT.encode())
        typed = f"== Mira: Wildfire\n{SHORT}"
        client.post(f"{address}add/", {"lists": typed, "files": [file]})
        assert [row.player for row in queries.pile(check)] == ["jo", "Mira"]
        part = client.get(address, headers={"HX-Request": "true"}).content.decode()
        assert "hx-trigger" in part and "0 of 2 checked" in part
        services.judge_check(check_id=check.pk)
        page = client.get(address).content.decode()
        assert "sheets.pdf" in page
        assert "hx-trigger" not in page and UNKNOWN_CARD in page
        illegal = client.get(f"{address}?show=illegal").content.decode()
        assert "Mira" in illegal and ">jo<" not in illegal
        assert "Rde Flmae" in client.get(f"{address}2/").content.decode()
        client.post(f"{address}lock/")
        check.refresh_from_db()
        assert check.locked_at is not None
        assert "Locked" in client.get(address).content.decode()

    def test_a_list_without_a_name_is_said_to_be_one(
        self, client: Client, check: DeckCheck
    ) -> None:
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        named = client.post(f"{address}add/", {"lists": f"== Mira\n{SHORT}"}, follow=True)
        assert "No player name" not in named.content.decode()
        assert "no player" not in named.content.decode()
        body = client.post(f"{address}add/", {"lists": SHORT}, follow=True).content.decode()
        assert "The list has no player name" in body
        assert "== Mira: Wildfire" in body
        assert body.count("No player name") == 1
        assert "No player name" in client.get(f"{address}2/").content.decode()
        assert "No player name" not in client.get(f"{address}1/").content.decode()
        files = [SimpleUploadedFile("pile.txt", f"{SHORT}\n== Jo\n{SHORT}== : x\n{SHORT}".encode())]
        two = client.post(f"{address}add/", {"files": files}, follow=True).content.decode()
        assert "2 of them have no player name" in two
        assert [row.player for row in queries.pile(check)] == [
            "Mira", "Player 2", "Player 3", "Jo", "Player 5",
        ]  # fmt: skip

    @pytest.mark.parametrize("after", ["²", "9" * 5000, "9" * 25, "-1"])
    def test_an_odd_place_is_the_beginning(
        self, client: Client, check: DeckCheck, after: str
    ) -> None:
        client.force_login(check.organiser)
        add(check, TEXT)
        address = check.get_absolute_url()
        assert "Player 1" in client.get(address, {"after": after}).content.decode()
        assert client.get(f"{address}sheets.pdf", {"after": after}).status_code == 200
        words = base64.b64encode(f"p={after}x".encode()).decode()
        for page in ("/api/deck-checks/", f"/api/deck-checks/{check.slug}/decks/"):
            assert client.get(page, {"cursor": words}).status_code == 404

    def test_a_refused_upload_keeps_what_was_typed(self, client: Client, check: DeckCheck) -> None:
        client.force_login(check.organiser)
        bad = SimpleUploadedFile("jo.txt", b"\xff\xfe\x00")
        answer = client.post(
            f"{check.get_absolute_url()}add/", {"lists": "== Mira\n1 Red Claw", "files": [bad]}
        )
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "jo.txt: Not a text file." in page and "== Mira" in page
        assert not CheckedDeck.objects.exists()

    def test_files_of_every_form_are_decks(self, client: Client, check: DeckCheck) -> None:
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        deck = own_deck(check.organiser)
        forms = {
            form: client.get(f"/decks/{deck.slug}/export/", {"format": form})  # type: ignore[attr-defined]
            for form in ("json", "cod", "code")
        }
        data = {form: answer.content for form, answer in forms.items()}
        assert all(answer.status_code == 200 for answer in forms.values())
        tts = tabletop_file()
        files = {
            "jo.json": data["json"],
            "ann.cod": data["cod"],
            "bo.txt": data["code"],
            "cy.txt": TEXT.encode("utf-16"),
            "di.dek": f"{TEXT}\n# é".encode("cp1252"),
            "ed.json": tts,
            "pile.txt": f"== Fay: Tame\n{TEXT}== Gus\n{data['code'].decode()}".encode("utf-16"),
        }
        upload = [SimpleUploadedFile(name, body) for name, body in files.items()]
        answer = client.post(f"{address}add/", {"files": upload}, follow=True)
        assert "8 decks added." in answer.content.decode()
        assert judged(check) == [True] * 8
        digest = deck_digest(GAME, "tournament", READY_CARDS)
        rows = list(queries.pile(check))
        assert {row.digest for row in rows} == {digest} and not any(row.unread for row in rows)
        assert [(row.player, row.name) for row in rows] == [
            ("jo", "Wildfire"),
            ("ann", "Wildfire"),
            ("bo", "bo"),
            ("cy", "cy"),
            ("di", "di"),
            ("ed", "Embers"),
            ("Fay", "Tame"),
            ("Gus", "Deck"),
        ]

    @pytest.mark.parametrize(
        ("name", "data", "words"),
        [
            ("a.zip", b"PK\x03\x04...", "a.zip: This is a ZIP archive"),
            ("a.json", b'{"format": "other"}', "a.json: Unknown format"),
            ("a.txt", "1 Red Claw".encode("utf-16-le"), "a.txt: Not a text"),
            ("empty.txt", b"  ", "empty.txt: The file is empty."),
            ("a.cod", b"<cockatrice_deck>", "a.cod: "),
        ],
    )
    def test_a_file_that_is_no_deck_is_named(
        self, client: Client, check: DeckCheck, name: str, data: bytes, words: str
    ) -> None:
        client.force_login(check.organiser)
        good = SimpleUploadedFile("jo.txt", TEXT.encode())
        upload = [good, SimpleUploadedFile(name, data)]
        answer = client.post(f"{check.get_absolute_url()}add/", {"files": upload})
        assert answer.status_code == 422 and words in unescape(answer.content.decode())
        assert not CheckedDeck.objects.exists()

    def test_a_deck_of_another_game_says_so(self, client: Client, check: DeckCheck) -> None:
        other = {"format": "riffle-deck", "version": 1, "game": OTHER_GAME, "mode": "battle"}
        other |= {"name": "Shore", "cards": {"main": {"krabbi-long-legs-silver": 2}}}
        client.force_login(check.organiser)
        typed = f"== Mira\n{json.dumps(other)}\n== Jo: Torn\n{{broken"
        client.post(f"{check.get_absolute_url()}add/", {"lists": typed})
        assert judged(check) == [False, False]
        mira, jo = queries.pile(check)
        assert (mira.player, mira.name) == ("Mira", "Shore")
        assert mira.typed.startswith(f"# According to the file, this deck is for {OTHER_NAME}.")
        assert mira.unread[0]["text"] == "krabbi-long-legs-silver"
        assert jo.unread == [{"line": 1, "text": "{broken"}], "nothing that was typed is lost"

    def test_a_player_who_signs_up_first_comes_back_to_the_check(
        self, client: Client, check: DeckCheck
    ) -> None:
        address = check.get_absolute_url()
        signup = f"/account/signup/?next={address}"
        assert f'href="{signup}"' in client.get(address).content.decode()
        assert f'name="next" value="{address}"' in client.get(signup).content.decode()

    def test_a_player_s_walk(self, client: Client, check: DeckCheck, ben: User) -> None:
        deck = own_deck(ben)
        client.force_login(ben)
        address = check.get_absolute_url()
        assert "Submit" in client.get(address).content.decode()
        client.post(f"{address}hand-in/", {"deck": deck.slug})  # type: ignore[attr-defined]
        services.judge_check(check_id=check.pk)
        page = client.get(address).content.decode()
        assert "Legal" in page and deck_digest(GAME, "tournament", READY_CARDS) in page
        assert client.get(f"{address}1/").status_code == 200
        client.post(f"{address}1/out/")
        assert not CheckedDeck.objects.exists()

    def test_permissions(self, client: Client, check: DeckCheck, ben: User) -> None:
        add(check, TEXT)
        address = check.get_absolute_url()
        readers = [address, f"{address}1/", f"{address}1/sheet.pdf", f"{address}sheets.pdf"]
        readers.append(f"{address}verdicts.csv")
        assert [client.get(a).status_code for a in readers] == [200, 302, 302, 302, 302]
        client.force_login(ben)
        assert [client.get(a).status_code for a in readers] == [200, 403, 403, 404, 404]
        writers = ["add/", "registration/", "lock/", "again/"]
        assert [client.post(address + word).status_code for word in writers] == [404] * 4
        assert client.post(f"{address}1/out/").status_code == 403
        assert "Player 1" not in client.get(address).content.decode()
        client.force_login(check.organiser)
        assert [client.get(a).status_code for a in readers] == [200] * 5

    def test_the_pile_s_page_needs_few_queries(
        self, client: Client, check: DeckCheck, django_assert_max_num_queries: object
    ) -> None:
        add(check, *[TEXT] * 30)
        judged(check)
        client.force_login(check.organiser)
        with django_assert_max_num_queries(9):  # type: ignore[operator]
            client.get(check.get_absolute_url())

    def test_players_are_written_for_melee_without_their_addresses(
        self, client: Client, check: DeckCheck, ben: User
    ) -> None:
        User.objects.filter(pk=ben.pk).update(email="ben@example.org", display_name="Ben van Dyk")
        ben.refresh_from_db()
        services.hand_in(check=check, user=ben, deck=own_deck(ben))  # type: ignore[arg-type]
        services.add_decks(check=check, by=check.organiser, entries=[Entry("=Jo", "", TEXT)])
        client.force_login(check.organiser)
        answer = client.get(f"{check.get_absolute_url()}melee.csv")
        rows = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
        assert rows == [
            "Email,FirstName,LastName,UserName", ",Ben van,Dyk,ben", ",'=Jo,,",
        ]  # fmt: skip

    def test_a_code_leads_players_to_the_page(self, client: Client, check: DeckCheck) -> None:
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        assert f'src="{address}qr.svg"' in client.get(address).content.decode()
        code = client.get(f"{address}qr.svg")
        assert code["Content-Type"] == "image/svg+xml"
        assert code.text == qr_svg(f"http://testserver{address}") != qr_svg("http://testserver/")
        assert "viewBox" in code.text

    def test_a_player_sees_the_result_before_a_deck_counts(
        self, client: Client, check: DeckCheck, ben: User
    ) -> None:
        client.force_login(ben)
        path = f"{check.get_absolute_url()}hand-in/"

        def post(**about: str) -> tuple[int, str]:
            response = client.post(path, about)
            return response.status_code, response.content.decode()

        status, page = post(text=SHORT, name="Mine")
        assert status == 422 and "Nothing is submitted yet." in page
        assert "Submit anyway" not in page, "a line names no card"
        (value,) = re.findall(r'name="rename" value="(2 [^"]*red-flame)"', page)
        status, page = post(text=SHORT, name="Mine", rename=value)
        assert status == 200 and "1 Red Flame" in page and "Submit anyway" in page
        assert "1 Red Flame" in post(text="1 Red Claw\n1 Red Flame", check="1")[1]
        assert not queries.mine_in(check, ben) and not Deck.objects.filter(owner=ben).exists()
        assert post(text="1 Red Claw\n1 Red Flame", name="Mine", anyway="1")[0] == 302
        mine = queries.mine_in(check, ben)
        assert mine and mine.cards == {"main": {CLAW: 1, FLAME: 1}}
        deck = own_deck(ben, "1 Red Claw")
        status, page = post(deck=deck.slug)  # type: ignore[attr-defined]
        assert status == 422 and f'value="{deck.slug}" selected' in page  # type: ignore[attr-defined]
        assert f"/decks/{deck.slug}/build/" in page  # type: ignore[attr-defined]
        status, page = post(text=TEXT, name="Legal", check="1")
        assert status == 200 and "This deck is legal." in page
        assert queries.mine_in(check, ben).name == "Mine"  # type: ignore[union-attr]
        assert post(text=TEXT, name="Legal")[0] == 302
        assert queries.mine_in(check, ben).name == "Legal"  # type: ignore[union-attr]

    def test_verdicts_hold_no_formulas(self, client: Client, check: DeckCheck) -> None:
        entries = [Entry("=HYPERLINK(1)", "+2", TEXT)]
        services.add_decks(check=check, by=check.organiser, entries=entries)
        judged(check)
        client.force_login(check.organiser)
        answer = client.get(f"{check.get_absolute_url()}verdicts.csv")
        rows = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
        assert rows[1].startswith("1,'=HYPERLINK(1),'+2,yes,,40,")


def _sheet(player: str, cards: list[tuple[int, str]] | None = None, deck: str = "D") -> Sheet:
    kinds = [("x", cards or [(1, "Red Claw")])]
    return Sheet("E", "P", "", player, deck, [("main", kinds)], [], "0" * 64, None, [], None)


def _drawn(sheet: Sheet) -> bytes:
    file = io.BytesIO()
    write_sheets([sheet], "T", file)
    return file.getvalue()


def _text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def _fonts(pdf: bytes) -> dict[str, bool]:
    """The fonts of a PDF's pages: is the file of each in it?"""
    fonts = {}
    for page in PdfReader(io.BytesIO(pdf)).pages:
        for font in page["/Resources"]["/Font"].values():
            about = font.get_object()
            fonts[str(about["/BaseFont"])] = "/FontFile2" in about.get("/FontDescriptor", {})
    return fonts


def tabletop_file() -> bytes:
    """The legal deck on a table, by the nicknames of its cards."""
    things = [
        {"Name": "Card", "Nickname": EXAMPLE.catalog[card].title, "GMNotes": ""}
        for card, count in READY_CARDS["main"].items()
        for _ in range(count)
    ]
    table = {"Name": "Bag", "GMNotes": "", "ContainedObjects": things}
    return json.dumps({"SaveName": "Embers", "GameMode": "", "ObjectStates": [table]}).encode()


class TestPapers:
    def test_only_illegal_decks_are_printed(
        self, client: Client, check: DeckCheck, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add(check, TEXT, SHORT, TEXT, SHORT, SHORT)
        judged(check)
        monkeypatch.setattr("decks.services.sheets.AT_ONCE", 2)
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        page = client.get(address).content.decode()
        links = re.findall(rf'href="({address}illegal\.pdf\?after=\d+)"', page)
        files = [client.get(link).getvalue() for link in links]  # type: ignore[attr-defined]
        assert [len(PdfReader(io.BytesIO(file)).pages) for file in files] == [2, 1]
        assert all("Not legal" in _text(file) for file in files)

    def test_a_sheet_has_a_box_for_each_card(self) -> None:
        few, more = (
            _drawn(_sheet("P", [(1, f"Card {n}") for n in range(count)])) for count in (3, 5)
        )
        lines = [
            PdfReader(io.BytesIO(file)).pages[0].get_contents().get_data().count(b" l S")  # type: ignore[union-attr]
            for file in (few, more)
        ]
        assert lines[1] - lines[0] == 2 * (1 + 4), "the line below a card, and the sides of its box"
        assert "judge’s own count" in _text(few)

    def test_a_sheet_for_every_deck(self, client: Client, check: DeckCheck) -> None:
        add(check, TEXT, SHORT, TEXT)
        judged(check)
        client.force_login(check.organiser)
        address = check.get_absolute_url()
        answer = client.get(f"{address}sheets.pdf")
        body = answer.getvalue()  # type: ignore[attr-defined]
        assert body.startswith(b"%PDF-") and body.count(b"/Type /Page\n") == 3
        sheet = client.get(f"{address}2/sheet.pdf")
        assert 'filename="player-2-spring-open.pdf"' in sheet["Content-Disposition"]

    def test_names_are_printed_in_their_own_letters(self, check: DeckCheck) -> None:
        names = "Łukasz Ελένη Ñandú Борис Nguyễn"
        assert printable(names) == printable(unicodedata.normalize("NFD", names)) == names
        assert printable("Ada\N{ROCKET}\ue000") == "Ada\N{ROCKET}?"
        assert (
            printable("👩🏽\u200d🚀 👍🏿 ❤\ufe0f \N{MATHEMATICAL BOLD CAPITAL A}") == "👩🚀 👍 ❤ A"
        )
        services.add_decks(check=check, by=check.organiser, entries=[Entry(names, "", TEXT)])
        judged(check)
        client = Client()
        client.force_login(check.organiser)
        body = client.get(f"{check.get_absolute_url()}1/sheet.pdf").getvalue()  # type: ignore[attr-defined]
        assert names in _text(body)
        assert len(body) < 60_000

    def test_every_script_comes_along_with_the_sheet(self) -> None:
        names = "李小龍 やまだ 太郎 김철수 쌤 Ελένη"
        cards = [(2, "محمد علي"), (1, "\u3000李\u3000四")]
        body = _drawn(_sheet(unicodedata.normalize("NFD", f"{names} 🐉"), cards))
        assert names in _text(body)
        assert " 李 四" in _text(body)
        fonts = _fonts(body)
        assert all(fonts.values())  # each has its file
        assert {name.split("+")[1] for name in fonts} == {
            "DejaVuSans", "DejaVuSans-Bold", "NotoSansArabic-Regular", "RiffleHangul",
            "NotoEmoji-Regular", "DroidSansFallback",
        }  # fmt: skip
        assert len(body) < 60_000

    def test_what_is_written_from_the_right_stands_so_line_by_line(self) -> None:
        def seen(words: str, width: float = 400) -> list[str]:
            return re.sub(r"</?font[^>]*>", "", lettered(words, SANS, 9, width)).split("<br/>")

        # Letters in the forms that joining gives them; as it is seen, from the left.
        assert seen("نار") == ["\u0631\ufe8e\ufee7"]
        assert seen("אב (7) גד") == ["דג (7) בא"]
        assert seen("אב\N{LEFT-TO-RIGHT MARK} (60 cards)") == ["בא (60 cards)"]
        assert seen("Ada \N{RIGHT-TO-LEFT OVERRIDE}abc א <b>") == ["Ada abc א &lt;b&gt;"]
        lines = seen("אב גד הו זח", width=30)
        assert len(lines) > 1 and lines[0].endswith("בא") and lines[-1].startswith("חז")

    @pytest.mark.parametrize("lines", [3, 15, 40, 60])
    def test_a_deck_of_usual_length_fills_one_page(self, lines: int) -> None:
        titles = [f"Gatekeeper {number} of the Sunken Road" for number in range(lines)]
        pages = PdfReader(io.BytesIO(_drawn(_sheet("Ada", [(1, title) for title in titles])))).pages
        assert len(pages) == 1
        places: dict[str, float] = {}
        pages[0].extract_text(
            visitor_text=lambda words, page, line, *_: places.setdefault(
                words.strip(), page[5] + line[5]
            )
        )
        text = " ".join(pages[0].extract_text().split())
        assert all(title in text for title in titles)
        # Who signs does so at the foot of the page.
        assert 40 < places["Judge"] < 80

    def test_the_longest_list_fits_onto_its_pages(self) -> None:
        kinds = [("x", [(999, "The longest title that a card may well have in here " * 2)] * 500)]
        sheet = Sheet("E", "P", "", "A", "D", [("main", kinds)], ["y" * 200] * 30, "0" * 64, None,
                      [{"rule": "X-1", "message": "z" * 400}] * 30, None)  # fmt: skip
        file = io.BytesIO()
        write_sheets([sheet], "T", file)
        assert file.getvalue().startswith(b"%PDF-")

    def test_markup_in_names_is_text(self, check: DeckCheck) -> None:
        sheet = Sheet(
            "<b>E", "P", "", "A & <i>B", "D", [("main", [("x", [(1, "<para>")])])],
            ["<x"], "0" * 64, None, [], None,
        )  # fmt: skip
        file = io.BytesIO()
        write_sheets([sheet], "T", file)
        assert file.getvalue().startswith(b"%PDF-")


def test_the_digest_knows_only_what_is_in_the_deck() -> None:
    first = {"main": {"a": 1, "b": 2}, "side": {}}
    other = {"main": {"b": 2, "a": 1, "c": 0}}
    assert deck_digest("g", "m", first) == deck_digest("g", "m", other)
    assert deck_digest("g", "m", first) != deck_digest("g", "m", {"main": {"a": 2, "b": 1}})
    assert deck_digest("g", "m", first) != deck_digest("g", "n", first)
    assert deck_digest("g", "m", {"x": {"a": 1}}) != deck_digest("g", "m", {"y": {"a": 1}})


def test_a_player_pastes_a_list(client: Client, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    ben = User.objects.create_user("ben")
    house = formats.create_format(
        by=ada, game=GAME, mode="tournament", name="Club", rules_of=formats.Rules(owned_only=True)
    )
    check = services.create_check(
        organiser=ada, title="Open", game=GAME, mode="tournament", house=present(house)
    )
    client.force_login(ben)
    address = check.get_absolute_url()
    new = f"/decks/new/?play={GAME}/tournament&amp;house={house.slug}"
    assert f'href="{new}"' in client.get(address).content.decode(), "it takes the format along"
    chosen = client.get(new.replace("&amp;", "&")).content.decode()
    assert f'<option value="{house.slug}" selected>' in chosen
    wrong = client.post(f"{address}hand-in/", {"text": "1 Rde Claw", "name": "Mine"})
    assert wrong.status_code == 422 and "1 Rde Claw</textarea>" in wrong.content.decode()
    assert not queries.mine_in(check, ben)
    monkeypatch.setattr(deck_services, "DECKS_A_PERSON", 0)
    full = client.post(f"{address}hand-in/", {"text": TEXT, "name": "Mine"}).content.decode()
    assert "Delete one first." in full and TEXT.splitlines()[0] in full, "what was typed stays"
    monkeypatch.setattr(deck_services, "DECKS_A_PERSON", 1)
    client.post(f"{address}hand-in/", {"text": TEXT, "name": "Mine"})
    mine = queries.mine_in(check, ben)
    assert mine and mine.name == "Mine" and mine.deck and mine.deck.house == house
