"""Sealed and draft through the services: packs, picks, pools, decks, secrets and the record."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from collection.errors import Unacceptable
from collection.models import Holding, Transfer
from core.errors import NotAllowed
from decks.models import CardPool, CheckedDeck
from decks.queries import pools, verdicts
from decks.services import builder
from decks.services import checks as check_services
from decks.services.decks import update_deck
from matches import engine
from notices.models import Notice
from tests.games.examples import AMBUSH, CLAW, FLAME, GAME, KEEN_EYE, NOT_OWNED, READY_CARDS
from tests.support.races import at_once
from tests.tournaments.conftest import Announce, play_all, players, settle
from tournaments import data_export
from tournaments.errors import NotNow, NotPossible
from tournaments.models import Entry, EntryState, State, Tournament
from tournaments.models.limited import DraftPick, Limited, LimitedPack, LimitedSeat
from tournaments.queries import limited as queries
from tournaments.services import announce, entries, leagues, limited, rounds
from tournaments.services.limited_terms import LimitedTerms
from tournaments.services.locking import lock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalog")]

MODE = "tournament"
EVENING = {"round_minutes": 30, "time_control": "live"}


def announced_limited(announced: Announce, kind: str, count: int, **changes: Any) -> Tournament:
    """A sealed or draft tournament with so many people and, named ``bots``, so many bots."""
    bots = changes.pop("bots", 0)
    terms = {"kind": kind, "build_hours": 1} | changes.pop("terms", {})
    tournament = announced(mode=MODE, limited=LimitedTerms(**terms), **changes)
    for person in players(count):
        entries.enter(tournament=tournament, user=person)
    for _ in range(bots):
        entries.add_bot(tournament=tournament, by=tournament.organiser)
    return tournament


def give(tournament: Tournament) -> Tournament:
    return rounds.lock_lists(tournament=tournament, by=tournament.organiser)


def person(number: int) -> User:
    return User.objects.get(username=f"p{number}")


def built_and_handed_in(tournament: Tournament, user: User) -> CheckedDeck:
    """A legal deck out of the person's pool, made in the builder and submitted."""
    deck = limited.new_deck(tournament=tournament, user=user)
    builder.fill_from_owned(user=user, slug=deck.slug)
    deck.refresh_from_db()
    return limited.hand_in(tournament=tournament, user=user, deck=deck)


def judge(tournament: Tournament) -> None:
    assert tournament.deck_check_id is not None
    check_services.judge_check(check_id=tournament.deck_check_id)


def start(tournament: Tournament) -> Tournament:
    limited.play_bots(tournament_id=tournament.pk)
    judge(tournament)
    with pytest.MonkeyPatch.context() as patch:
        moment = timezone.now() + timedelta(hours=3)
        patch.setattr(timezone, "now", lambda: moment)
        assert rounds.start_by_clock(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING, tournament.why_cancelled
    settle(tournament)
    return tournament


def verified(record: dict[str, Any], folder: Path) -> str:
    """The output of ``docs/verify.py`` for a record."""
    file = folder / "record.json"
    file.write_text(json.dumps(record))
    script = Path(settings.BASE_DIR) / "docs" / "verify.py"
    done = subprocess.run(
        [sys.executable, str(script), str(file)], capture_output=True, text=True, check=False
    )
    return done.stdout


def worker_dies_after(picks: int, tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pick that is on its way when the worker dies leaves no trace."""
    take = limited._take

    def take_or_die(*args: Any, **kwargs: Any) -> DraftPick:
        row = take(*args, **kwargs)
        if DraftPick.objects.count() > picks:
            raise KeyboardInterrupt
        return row

    monkeypatch.setattr(limited, "_take", take_or_die)
    with pytest.raises(KeyboardInterrupt):
        limited.play_bots(tournament_id=tournament.pk)
    monkeypatch.setattr(limited, "_take", take)
    assert DraftPick.objects.count() == picks


def over(tournament: Tournament) -> Tournament:
    tournament.state, tournament.finished_at = State.FINISHED, timezone.now()
    tournament.save()
    return tournament


@pytest.mark.slow
def test_a_draft_of_eight_bots_is_played_and_checked(
    announced: Announce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = give(announced_limited(announced, "draft", 0, bots=8))
    assert "At least 1 hour to build a deck" in queries.in_words(tournament)
    worker_dies_after(99, tournament, monkeypatch)
    start(tournament)
    assert limited.play_bots(tournament_id=tournament.pk) == 0, "a task that comes twice"
    seats = LimitedSeat.objects.filter(limited__tournament=tournament)
    assert seats.count() == 8 and not seats.filter(pool=None).exists()
    assert DraftPick.objects.count() == 8 * 30
    decks = CheckedDeck.objects.filter(check_of=tournament.deck_check)
    assert decks.count() == 8 and all(deck.legal for deck in decks)
    for deck in decks.select_related("pool"):
        assert deck.pool is not None and not verdicts.outside(deck.pool.cards, deck.cards)
    table = tournament.rounds.get().pairings.first()
    assert table is not None and table.match is not None
    brought = [seat.deck for seat in table.match.seats.order_by("number")]
    assert all(cards in [deck.cards for deck in decks] for cards in brought)
    with pytest.raises(NotNow):
        queries.record(tournament)
    record = queries.record(over(tournament))
    output = verified(record, tmp_path)
    assert "All 240 picks came out of the pile that lay before the player." in output
    assert "The chance of this tournament is as published." in output
    for spoilt in ("place", "opener"):
        wrong = json.loads(json.dumps(record))
        wrong["picks"][3][spoilt] = (wrong["picks"][3][spoilt] + 1) % 8
        assert "NOT AS PUBLISHED" in verified(wrong, tmp_path)
    wrong = json.loads(json.dumps(record))
    wrong["packs"][0]["cards"][0] = wrong["packs"][0]["cards"][1]
    assert "NOT AS PUBLISHED: the cards of pack" in verified(wrong, tmp_path)


def test_a_sealed_tournament_of_eight(announced: Announce, tmp_path: Path) -> None:
    tournament = give(announced_limited(announced, "sealed", 2, bots=6))
    assert CardPool.objects.filter(owner=None).count() == 6
    first, second = person(1), person(2)
    seen = queries.limited_shown(tournament, first)
    assert seen.sealed_packs and seen.pool is None
    assert all(pack.cards is None and len(pack.commitment) == 64 for pack in seen.packs_shown)
    pool = limited.open_own_packs(tournament=tournament, user=first, client_seed="my own words")
    # A double click, or another tab with another seed, opens nothing anew.
    assert limited.open_own_packs(tournament=tournament, user=first, client_seed="x") == pool
    seen = queries.limited_shown(tournament, first)
    assert sum(len(pack.cards or ()) for pack in seen.packs_shown) == 30
    assert sum(card.count for card in seen.pool or ()) == 90
    pack = LimitedPack.objects.filter(seat__entry__user=first)[0]
    output = verified(queries.pack_record(tournament, first, pack.slug), tmp_path)
    assert "with a client seed of its owner" in output and "as published" in output
    limited.open_own_packs(tournament=tournament, user=second)
    for user in (first, second):
        built_and_handed_in(tournament, user)
    start(tournament)
    assert Entry.objects.filter(tournament=tournament, state=EntryState.ENTERED).count() == 8
    output = verified(queries.record(over(tournament)), tmp_path)
    assert "The cards of 48 packs are what their seeds give." in output
    assert "All 8 pools are" in output and "as published" in output
    assert not Holding.objects.exists(), "the cards are lent"


def test_a_deck_with_cards_outside_the_pool_is_refused_by_name(announced: Announce) -> None:
    tournament = give(announced_limited(announced, "sealed", 2))
    user = person(1)
    with pytest.raises(NotNow, match="not complete"):
        limited.new_deck(tournament=tournament, user=user)
    pool = limited.open_own_packs(tournament=tournament, user=user)
    deck = limited.new_deck(tournament=tournament, user=user)
    assert deck.pool == pool
    # A ready-made deck, which the game lets pass whoever owns its cards.
    pool.cards = {CLAW: 2}
    pool.save()
    update_deck(user=user, slug=deck.slug, cards=READY_CARDS)
    deck.refresh_from_db()
    surplus = verdicts.outside(pool.cards, READY_CARDS)
    report = verdicts.ruling_of(deck).report(READY_CARDS)
    assert surplus and not report.legal
    assert {card for problem in report.errors for card in problem.cards} >= set(surplus)
    assert any(problem.rule == "HOUSE-04" for problem in report.errors)
    title = engine.find_game(GAME).catalog[next(iter(surplus))].title
    with pytest.raises(Unacceptable, match="Not in your pool") as refusal:
        limited.hand_in(tournament=tournament, user=user, deck=deck)
    assert title in str(refusal.value)
    # What an organiser types for somebody is judged by the same pool, or by none.
    assert tournament.deck_check is not None
    limited.open_own_packs(tournament=tournament, user=person(2))
    handed = built_and_handed_in(tournament, person(2))
    typed = check_services.Entry("Mira", "Wildfire", "2 Red Claw")
    check_services.add_decks(check=tournament.deck_check, by=tournament.organiser, entries=[typed])
    judge(tournament)
    handed.refresh_from_db()
    other = CheckedDeck.objects.exclude(pk=handed.pk).get()
    assert handed.legal and other.legal is False
    assert {NOT_OWNED, "HOUSE-04"} & {row["rule"] for row in (other.report or {})["problems"]}


def test_picks_are_made_once_in_turn_and_seen_by_nobody_else(announced: Announce) -> None:
    tournament = give(announced_limited(announced, "draft", 3))
    turns = {n: queries.limited_shown(tournament, person(n)).turn for n in (1, 2, 3)}
    assert all(turn is not None and turn.round == turn.pick == 1 for turn in turns.values())
    turn = turns[1]
    assert turn is not None
    assert Notice.objects.filter(
        person=person(1), text=f"Your turn to pick in {tournament.title}."
    ).exists()
    before = queries.limited_shown(tournament, person(2))
    assert before.waiting_for == 3
    about = {"tournament": tournament, "user": person(1), "round_number": 1, "number": 1}
    choice = limited.pick(**about, place=4)
    assert choice.card == turn.cards[4].card
    # A second press, on another card, changes nothing.
    assert limited.pick(**about, place=5) == choice and DraftPick.objects.count() == 1
    after = queries.limited_shown(tournament, person(2))
    assert (after.turn, after.picks, after.packs_shown) == (
        before.turn, before.picks, before.packs_shown,
    ) and after.waiting_for == 2  # fmt: skip
    mine = queries.limited_shown(tournament, person(1))
    assert mine.turn is None and [card.card for card in mine.picks] == [choice.card]
    assert not Notice.objects.filter(
        person=person(1), text=f"Your turn to pick in {tournament.title}.", withdrawn_at=None
    ).exists()
    with pytest.raises(NotNow):
        limited.pick(**about | {"number": 2}, place=0)
    with pytest.raises(NotPossible, match="not in the pile"):
        limited.pick(**about | {"user": person(2)}, place=99)
    organiser = queries.limited_shown(tournament, tournament.organiser)
    assert organiser.turn is None and not organiser.picks and not organiser.packs_shown
    pack = LimitedPack.objects.filter(seat__entry__user=person(1))[0]
    for reader in (person(1), person(2), tournament.organiser):
        with pytest.raises(Exception, match="Pack not found"):
            queries.pack_record(tournament, reader, pack.slug)


def test_a_bot_picks_at_the_deadline_and_for_who_left(
    announced: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = give(announced_limited(announced, "draft", 3, terms={"pick_hours": 2}))
    entries.withdraw(tournament=tournament, user=person(3))
    assert Entry.objects.get(user=person(3)).state == EntryState.OUT
    limited.play_bots(tournament_id=tournament.pk)
    picks = DraftPick.objects.filter(by_bot=True)
    assert set(picks.values_list("seat__entry__user", flat=True)) == {person(3).pk}
    assert limited.play_bots(tournament_id=tournament.pk) == 0, "others have their time"
    now = timezone.now() + timedelta(hours=3)
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert limited.sweep(now) == 1
    limited.play_bots(tournament_id=tournament.pk)
    assert DraftPick.objects.filter(seat__entry__user=person(1), by_bot=True).exists()


@pytest.mark.slow
def test_the_clock_gives_packs_waits_for_the_draft_and_starts(
    announced: Announce, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = announced_limited(announced, "draft", 2, bots=2, terms={"build_hours": 5})
    moment = [tournament.starts_at + timedelta(minutes=1)]
    monkeypatch.setattr(timezone, "now", lambda: moment[0])
    assert rounds.sweep()["packs"] == 1
    tournament.refresh_from_db()
    assert tournament.state == State.ANNOUNCED and tournament.locked_at is not None
    assert not rounds.start_by_clock(tournament_id=tournament.pk)
    with pytest.raises(NotNow, match="draft is not over"):
        rounds.start(tournament=tournament, by=tournament.organiser)
    for _ in range(40):
        moment[0] += timedelta(hours=13)
        limited.play_bots(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    terms = tournament.limited
    assert terms.completed_at is not None
    assert tournament.starts_at == terms.completed_at + timedelta(hours=5)
    for number in (1, 2):
        built_and_handed_in(tournament, person(number))
    judge(tournament)
    moment[0] += timedelta(hours=5)
    assert rounds.start_by_clock(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


def test_too_few_players_get_no_packs(announced: Announce) -> None:
    tournament = announced_limited(announced, "sealed", 1)
    with pytest.raises(NotNow, match="needs 2 players"):
        give(tournament)
    Tournament.objects.update(
        opens_at=timezone.now() - timedelta(hours=2), closes_at=timezone.now() - timedelta(hours=1)
    )
    assert rounds.give_packs_by_clock(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == State.CANCELLED and not LimitedPack.objects.exists()


def test_cards_that_are_kept_are_granted_once(announced: Announce, ada: User) -> None:
    terms = {"kind": "sealed", "keeps": True}
    with pytest.raises(NotAllowed, match="Only staff"):
        announced(mode=MODE, limited=LimitedTerms(**terms))
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    ada.refresh_from_db()
    tournament = give(announced_limited(announced, "sealed", 2, rounds=1, terms={"keeps": True}))
    for number in (1, 2):
        limited.open_own_packs(tournament=tournament, user=person(number))
        built_and_handed_in(tournament, person(number))
    start(tournament)
    play_all(tournament)
    assert Transfer.objects.filter(key__startswith="limited:").count() == 2
    for number in (1, 2):
        rows = Holding.objects.filter(owner=person(number))
        assert sum(row.digital for row in rows) == 30, "the Master Deck is only lent"
    limited.grant_kept(tournament)
    assert Transfer.objects.filter(key__startswith="limited:").count() == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mode": "match", "options": {}}, "not offered as a sealed"),
        ({"limited": LimitedTerms("sealed", packs=2)}, "6 to 16 packs"),
        ({"limited": LimitedTerms("draft", packs=7)}, "multiple of 3"),
        ({"limited": LimitedTerms("draft", pick_hours=0)}, "1 to 72 hours"),
        ({"limited": LimitedTerms("cube")}, "not a kind of event"),
        ({"late_entry": True}, "Late entries are not possible"),
        ({"structure": "ladder"}, "Players enter a ladder at any time"),
        (EVENING | {"limited": LimitedTerms("draft")}, "can’t be played as a live evening"),
        (EVENING, "48 hours to build their decks"),
        ({"format": "open"}, "no custom format"),
    ],
)
def test_what_cannot_be_announced(announced: Announce, changes: dict[str, Any], words: str) -> None:
    wanted: dict[str, Any] = {"mode": MODE, "limited": LimitedTerms("sealed")}
    with pytest.raises(NotPossible, match=words):
        announced(**wanted | changes)


def test_a_bot_takes_what_its_deck_lacks() -> None:
    game, mode = engine.find_mode(GAME, MODE)
    ruling = verdicts.pool_ruling(GAME, MODE, {}, {})
    ability, character = KEEN_EYE, CLAW
    picks = [ability, ability, AMBUSH, FLAME]
    # A third copy helps nothing; five Characters are needed.
    assert pools.best_pick(game, mode, ruling, picks, [ability, character], 0) == 1


def test_nobody_loses_the_announced_time_to_build(announced: Announce) -> None:
    tournament = give(announced_limited(announced, "sealed", 2))
    first, second = person(1), person(2)
    for user in (first, second):
        limited.open_own_packs(tournament=tournament, user=user)
    built_and_handed_in(tournament, first)
    judge(tournament)
    with pytest.raises(NotNow, match="still build their decks"):
        rounds.start(tournament=tournament, by=tournament.organiser)
    closes = tournament.closes_at
    with pytest.raises(NotPossible, match="announced hours"):
        announce.change(
            tournament=tournament, by=tournament.organiser, title="Cup", about="",
            closes_at=closes, starts_at=closes + timedelta(minutes=5),
        )  # fmt: skip
    built_and_handed_in(tournament, second)
    judge(tournament)
    started = rounds.start(tournament=tournament, by=tournament.organiser)
    assert started.state == State.RUNNING


def test_a_cancelled_draft_asks_nobody_any_more(announced: Announce, tmp_path: Path) -> None:
    tournament = give(announced_limited(announced, "draft", 2))
    limited.pick(tournament=tournament, user=person(1), round_number=1, number=1, place=0)
    announce.cancel(tournament=tournament, by=tournament.organiser, why="Rain.")
    tournament.refresh_from_db()
    seen = queries.limited_shown(tournament, person(2))
    assert seen.turn is None and seen.waiting_for == 0
    assert not Notice.objects.open().filter(text__startswith="Your pick").exists()
    with pytest.raises(NotNow):
        limited.pick(tournament=tournament, user=person(2), round_number=1, number=1, place=0)
    output = verified(queries.record(tournament), tmp_path)
    assert "All 1 picks" in output and "as published" in output


def test_picks_and_pools_are_in_ones_own_data(announced: Announce) -> None:
    draft = give(announced_limited(announced, "draft", 2))
    choice = limited.pick(tournament=draft, user=person(1), round_number=1, number=1, place=0)
    (row,) = data_export.tournament_picks(person(1))
    assert row["card"] == choice.card and row["tournament_slug"] == draft.slug
    assert not list(data_export.tournament_picks(person(2)))
    (pool,) = data_export.tournament_pools(person(2))
    assert pool["cards"] is None and pool["tournament_slug"] == draft.slug


def test_the_next_season_is_drafted_again(announced: Announce) -> None:
    terms = {"pick_hours": 5, "packs": 9}
    tournament = announced_limited(announced, "draft", 2, structure="league", terms=terms)
    new = leagues.next_season(tournament=over(tournament), by=tournament.organiser)
    assert (new.limited.kind, new.limited.pick_hours, new.limited.packs) == ("draft", 5, 9)


def test_whoever_is_out_neither_picks_nor_comes_back_without_packs(announced: Announce) -> None:
    tournament = announced_limited(announced, "draft", 4)
    ada = tournament.organiser
    entries.remove(tournament=tournament, by=ada, number=4, reason="Rude.")
    assert not entries.withdraw(tournament=tournament, user=person(4))
    assert Entry.objects.get(user=person(4)).state == EntryState.OUT
    give(tournament)
    entries.remove(tournament=tournament, by=ada, number=3, reason="Rude, too.")
    assert not Notice.objects.open().filter(person=person(3), key__endswith=":pick").exists()
    assert not Notice.objects.open().filter(person=person(3), key__endswith=":packs").exists()
    about = {"tournament": tournament, "round_number": 1, "number": 1, "place": 0}
    with pytest.raises(NotPossible, match="You are out"):
        limited.pick(user=person(3), **about)
    with pytest.raises(NotNow, match="packs have been handed out"):
        entries.reinstate(tournament=tournament, by=ada, number=4, reason="Sorry.")
    entries.reinstate(tournament=tournament, by=ada, number=3, reason="Sorry.")
    assert limited.pick(user=person(3), **about).seat.entry.number == 3


def test_no_organiser_ends_the_time_to_build_in_the_deck_check(announced: Announce) -> None:
    tournament = give(announced_limited(announced, "sealed", 2, bots=1))
    check, ada = tournament.deck_check, tournament.organiser
    assert check is not None
    limited.play_bots(tournament_id=tournament.pk)
    judge(tournament)
    soon = timezone.now() + timedelta(minutes=1)
    for close in (
        lambda: check_services.lock_check(check=check, by=ada, as_shown=True),
        lambda: check_services.set_open(check=check, by=ada, open=False),
        lambda: check_services.describe_check(
            check=check, by=ada, held_on=None, place="", closes_at=soon
        ),
    ):
        with pytest.raises(Unacceptable, match="until the tournament starts"):
            close()
    limited.open_own_packs(tournament=tournament, user=person(1))
    assert built_and_handed_in(tournament, person(1)).name


def test_nothing_moves_the_hour_of_a_sealed_evening(announced: Announce) -> None:
    now = timezone.now()
    tournament = announced_limited(
        announced, "sealed", 2, starts_at=now + timedelta(hours=3), **EVENING
    )
    dates = {"closes_at": now + timedelta(hours=2), "starts_at": tournament.starts_at}
    with pytest.raises(NotPossible, match="1 hour to build"):
        announce.change(
            tournament=tournament, by=tournament.organiser, title="Cup", about="", **dates
        )
    give(tournament)
    tournament.refresh_from_db()
    assert tournament.starts_at == now + timedelta(hours=3)
    limited.open_own_packs(tournament=tournament, user=person(1))
    built_and_handed_in(tournament, person(1))
    asked_for = Notice.objects.open().filter(key__endswith=":deck")
    assert [row.person for row in asked_for] == [person(2)], "nobody is reminded of what is done"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_whoever_waited_for_the_lock_knows_that_the_packs_are_given(announced: Announce) -> None:
    """Otherwise a player who withdraws at that moment takes their seat and packs out of the pod."""
    tournament = announced_limited(announced, "draft", 0)
    is_locked = threading.Event()

    def give_packs() -> None:
        with transaction.atomic():
            lock(tournament.pk)
            is_locked.set()
            time.sleep(0.5)  # the other waits for the lock by now
            Limited.objects.update(opened_at=timezone.now())

    def withdraw() -> bool:
        is_locked.wait(30)
        with transaction.atomic():
            return lock(tournament.pk).limited.opened_at is not None

    assert at_once(give_packs, withdraw) == [None, True]
