"""Packs: how they are earned, opened once, and moved along with a guest."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

import rules
from accounts.models import User
from collection.errors import NotFound, TooLate, Unacceptable
from collection.models import Card, Holding, LedgerRow, Pack, PackSource, Transfer
from collection.queries import packs as queries
from collection.queries.ledger import differences
from collection.services import ledger, packs
from collection.services.catalog import Synced
from core.errors import NotAllowed
from core.models import MatchFinished
from core.outbox import FinalSeat
from rules.engine import packs as engine
from rules.engine.chance import Chance
from tests.games.examples import (
    BOOSTERS,
    BOX_GAME,
    GAME,
    GOLD_CLAW,
    GOLD_FLAME,
    KIT_GAME,
    MASTER_DECK,
    OTHER,
    OTHER_GAME,
    OTHER_LENT,
    OTHER_PACK,
    OTHER_STARTER,
    PACK,
)

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def guest() -> User:
    return User.objects.create_user("guest-1", is_guest=True)


@pytest.fixture
def staff() -> User:
    return User.objects.create_user("olga", is_staff=True)


def gift(user: User, game: str = GAME, product: str = "", now: datetime = NOON) -> Pack:
    return packs.take_gift(user=user, game=game, product=product, now=now)[0]


# -- the daily gift -------------------------------------------------------------------------------


def test_a_gift_a_day_in_utc(catalog: Synced, ada: User) -> None:
    before_midnight = datetime(2026, 11, 21, 23, 59, 59, tzinfo=UTC)
    after = before_midnight + timedelta(seconds=1)
    first, created = packs.take_gift(user=ada, game=GAME, now=before_midnight)
    assert created and first.key == "gift:2026-11-21" and first.product == PACK
    again, created = packs.take_gift(user=ada, game=OTHER_GAME, now=before_midnight)
    assert (again, created) == (first, False), "the choice stands for the day"
    second, created = packs.take_gift(user=ada, game=OTHER_GAME, product="fd-pack-k", now=after)
    assert created and second.key == "gift:2026-11-22" and second.product == "fd-pack-k"
    assert queries.day_of(ada, before_midnight).gift == first
    assert queries.day_of(ada, after).next_gift_at == datetime(2026, 11, 23, tzinfo=UTC)


def test_midnight_is_that_of_greenwich_wherever_the_clock_hangs(catalog: Synced, ada: User) -> None:
    tokyo = datetime(2026, 11, 22, 8, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert gift(ada, now=tokyo).key == "gift:2026-11-21"


def test_guests_get_gifts_too(catalog: Synced, guest: User) -> None:
    assert gift(guest).sealed


def test_a_deck_to_choose_can_be_a_gift_once(catalog: Synced, ada: User) -> None:
    gift(ada, product=BOOSTERS[2])
    with pytest.raises(Unacceptable, match="can’t claim .*Bluewater"):
        gift(ada, product=BOOSTERS[2], now=NOON + timedelta(days=1))
    gift(ada, product=BOOSTERS[3], now=NOON + timedelta(days=1))


@pytest.mark.parametrize(
    ("game", "product", "words"),
    [
        (OTHER_GAME, OTHER_LENT, "Unknown pack"),  # lent, never owned
        (KIT_GAME, "welcome-kit", "You can’t claim"),  # packs in a box
        (BOX_GAME, "lunchbox", "You can’t claim"),  # six packs, each opened by itself
        (GAME, MASTER_DECK, "You can’t claim"),
        (GAME, OTHER_PACK, f"Packs of this game: {MASTER_DECK}"),
        ("chess", "", "Unknown game"),
    ],
)
def test_what_is_no_gift(catalog: Synced, ada: User, game: str, product: str, words: str) -> None:
    with pytest.raises(Unacceptable, match=words):
        gift(ada, game, product)
    assert not Pack.objects.exists()


# -- packs for matches ----------------------------------------------------------------------------


def finished(match: str, *people: User, game: str = GAME, at: datetime = NOON) -> list[Pack]:
    """A match ends, and its packs are handed out."""
    seats = [FinalSeat(user=person.pk, bot="", rank=1, stayed=True) for person in people]
    about = {"game": game, "mode": "match", "seats": seats, "at": at}
    return packs.match_finished(MatchFinished.objects.get_or_create(match=match, defaults=about)[0])


def test_everybody_who_stayed_gets_a_pack_of_the_game(
    catalog: Synced, ada: User, guest: User
) -> None:
    packs_given = finished("m1", ada, guest, game=OTHER_GAME)
    assert [(pack.owner, pack.product) for pack in packs_given] == [
        (ada, OTHER_PACK),
        (guest, OTHER_PACK),
    ]
    assert {pack.key for pack in packs_given} == {"match:2026-11-21:1"}
    assert {(pack.source, pack.note) for pack in packs_given} == {(PackSource.MATCH, "m1")}


def test_three_a_day_and_then_tomorrow(catalog: Synced, ada: User) -> None:
    for number in range(5):
        finished(f"m{number}", ada)
    assert [pack.note for pack in Pack.objects.order_by("pk")] == ["m0", "m1", "m2"]
    assert queries.day_of(ada, NOON).for_matches == 3
    assert queries.day_of(ada, NOON + timedelta(days=1)).for_matches == 0
    assert finished("m9", ada, at=NOON + timedelta(hours=12))[0].key == "match:2026-11-22:1"


def test_a_match_is_paid_once(catalog: Synced, ada: User) -> None:
    assert len(finished("m1", ada)) == 1
    assert finished("m1", ada) == []
    assert Pack.objects.count() == 1


def test_the_database_itself_refuses_a_second_pack_for_a_match(catalog: Synced, ada: User) -> None:
    (pack,) = finished("m1", ada)
    twin = {"owner": ada, "game": GAME, "product": PACK, "contents": {}}
    with pytest.raises(IntegrityError), transaction.atomic():
        Pack.objects.create(**twin, source=PackSource.MATCH, key="match:other", note="m1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Pack.objects.create(**twin, source=PackSource.GIFT, key=pack.key)


def test_a_match_without_people_gives_nothing(catalog: Synced) -> None:
    assert finished("m1") == []


def test_who_did_not_stay_gets_none(catalog: Synced, ada: User, guest: User) -> None:
    seats = [
        FinalSeat(user=ada.pk, bot="", rank=2, stayed=False),
        FinalSeat(user=guest.pk, bot="", rank=1, stayed=True),
        FinalSeat(user=None, bot="bot", rank=3, stayed=True),
    ]
    finished_match = MatchFinished.objects.create(match="m1", game=GAME, mode="match", seats=seats)
    assert [pack.owner for pack in packs.match_finished(finished_match)] == [guest]


def test_a_game_without_surprises_gives_none(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "first_random", lambda game: None)
    assert finished("m1", ada) == []
    assert not Pack.objects.exists()


def test_a_game_that_has_left_the_site_owes_nothing_any_more(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {slug: game for slug, game in rules.games().items() if slug != GAME}
    monkeypatch.setattr(rules, "games", lambda: others)
    assert finished("m1", ada) == []
    assert not Pack.objects.exists()


def test_a_guest_who_has_logged_in_meanwhile_gets_it_with_the_account(
    catalog: Synced, ada: User, guest: User
) -> None:
    guest.is_active, guest.merged_into = False, ada
    guest.save()
    (pack,) = finished("m1", guest)
    assert pack.owner == ada


# -- grants ---------------------------------------------------------------------------------------


def test_the_staff_gives_packs_once_a_key(
    catalog: Synced, ada: User, guest: User, staff: User
) -> None:
    def give() -> list[bool]:
        grants = packs.grant(
            by=staff, game=GAME, product=BOOSTERS[0], people=[guest, ada], key="spring",
            count=2, note="Spring festival",
        )  # fmt: skip
        return [created for _, created in grants]

    assert give() == [True] * 4
    assert give() == [False] * 4
    pack = Pack.objects.filter(owner=ada).order_by("pk")[0]
    assert (pack.key, pack.granted_by, pack.note) == ("grant:spring:1", staff, "Spring festival")


def test_nobody_else_gives_packs(catalog: Synced, ada: User) -> None:
    with pytest.raises(NotAllowed):
        packs.grant(by=ada, game=GAME, product="", people=[ada], key="k")


@pytest.mark.parametrize("change", [{"key": " "}, {"key": "a\nb"}, {"count": 0}, {"count": 1001}])
def test_grants_that_make_no_sense(catalog: Synced, ada: User, change: dict[str, object]) -> None:
    values: dict[str, object] = {"key": "k", "count": 1} | change
    with pytest.raises(Unacceptable):
        packs.grant(by=None, game=GAME, product="", people=[ada], **values)  # type: ignore[arg-type]


def test_the_command_grants(catalog: Synced, ada: User, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["grant_packs", GAME, PACK, "ada", "--key", "hello", "--count", "2"]
    call_command(*call)
    call_command(*call)
    assert "2 packs given, 0 were given before." in capsys.readouterr().out
    assert Pack.objects.filter(owner=ada, source=PackSource.GRANT).count() == 2
    with pytest.raises(CommandError, match="Unknown users: ben"):
        call_command("grant_packs", GAME, PACK, "ben", "--key", "x")
    with pytest.raises(CommandError, match="Unknown pack"):
        call_command("grant_packs", OTHER_GAME, OTHER_LENT, "ada", "--key", "x")


# -- opening --------------------------------------------------------------------------------------


def test_opening_draws_what_the_seed_says_and_deals_it(catalog: Synced, ada: User) -> None:
    pack = gift(ada, OTHER_GAME, OTHER_PACK)
    opened, now = packs.open_pack(slug=pack.slug, user=ada, client_seed=" tea ")
    assert now and opened.client_seed == "tea" and opened.cards is not None
    contents = engine.contents_of(OTHER_GAME, OTHER.products[OTHER_PACK])
    seed = engine.pack_seed(bytes(pack.server_seed), "tea")
    drawn = [drawn_card.card for drawn_card in engine.open_pack(contents, Chance(seed))]
    assert opened.cards == drawn and len(drawn) == 8
    assert pack.commitment == engine.pack_commitment(pack.slug, contents, bytes(pack.server_seed))
    held = Holding.objects.filter(owner=ada, digital=1, physical=0)
    assert sorted(held.values_list("card__slug", flat=True)) == sorted(drawn)
    transfer = Transfer.objects.get(key=f"pack:{pack.slug}")
    assert (transfer.reason, transfer.by, transfer.note) == ("pack", ada, "First Dawn Pack")
    assert differences() == []


def test_opening_again_changes_nothing(catalog: Synced, ada: User) -> None:
    pack = gift(ada)
    first, _ = packs.open_pack(slug=pack.slug, user=ada, client_seed="mine")
    again, now = packs.open_pack(slug=pack.slug, user=ada, client_seed="other")
    assert not now
    assert (again.cards, again.client_seed, again.opened_at) == (
        first.cards, first.client_seed, first.opened_at,
    )  # fmt: skip
    assert sum(LedgerRow.objects.values_list("count", flat=True)) == 5


def test_fixed_packs_open_without_chance(catalog: Synced, ada: User) -> None:
    pack = gift(ada, OTHER_GAME, OTHER_STARTER)
    opened, _ = packs.open_pack(slug=pack.slug, user=ada)
    held = dict(Holding.objects.values_list("card__slug", "digital"))
    assert held == OTHER.products[OTHER_STARTER].cards
    assert opened.cards is not None and len(opened.cards) == 56


def test_only_the_owner_opens(catalog: Synced, ada: User, staff: User) -> None:
    pack = gift(ada)
    with pytest.raises(NotFound):
        packs.open_pack(slug=pack.slug, user=staff)
    pack.refresh_from_db()
    assert pack.sealed


@pytest.mark.parametrize("client_seed", ["x" * 65, "two\nlines", "a\x00b"])
def test_a_client_seed_is_one_line(catalog: Synced, ada: User, client_seed: str) -> None:
    pack = gift(ada)
    with pytest.raises(Unacceptable, match="one line of up to 64"):
        packs.open_pack(slug=pack.slug, user=ada, client_seed=client_seed)
    pack.refresh_from_db()
    assert pack.sealed


def test_nothing_of_a_failed_opening_stays(
    catalog: Synced, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = gift(ada)

    def breaks(*args: object, **options: object) -> None:
        raise RuntimeError("the power is gone")

    with monkeypatch.context() as broken:
        broken.setattr(Pack, "save", breaks)
        with pytest.raises(RuntimeError):
            packs.open_pack(slug=pack.slug, user=ada)
    assert not LedgerRow.objects.exists() and not Holding.objects.exists()
    _, now = packs.open_pack(slug=pack.slug, user=ada)
    assert now


def test_a_card_that_the_catalog_lacks_leaves_the_pack_sealed(catalog: Synced, ada: User) -> None:
    pack = gift(ada)
    Card.objects.filter(game__slug=GAME).delete()
    with pytest.raises(TooLate, match="Nothing was opened"):
        packs.open_pack(slug=pack.slug, user=ada)


def test_a_product_that_changed_does_not_change_packs_that_were_given(
    catalog: Synced, ada: User
) -> None:
    pack = gift(ada)
    contents = queries.contents_of(pack)
    only = engine.contents_from_json(
        pack.contents | {"slots": [{"name": "one", "sheets": [["ultra", 1]]}]}
    )
    Pack.objects.update(contents=only.to_json())  # as if this had been the product that day
    opened, _ = packs.open_pack(slug=pack.slug, user=ada)
    assert opened.cards is not None and len(opened.cards) == 1
    assert contents.digest != only.digest


def test_the_log_does_not_know_the_seed(
    catalog: Synced, ada: User, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        pack = gift(ada)
        packs.open_pack(slug=pack.slug, user=ada)
    logged = caplog.text + "".join(capsys.readouterr())
    assert bytes(pack.server_seed).hex() not in logged
    assert repr(bytes(pack.server_seed)) not in logged


# -- what lies inside ------------------------------------------------------------------------------


def test_new_cards_and_duplicates(catalog: Synced, ada: User) -> None:
    first, _ = packs.open_pack(slug=gift(ada, product=BOOSTERS[0]).slug, user=ada)
    assert all(drawn_card.new for drawn_card in queries.inside(first))
    second = gift(ada, product=BOOSTERS[1], now=NOON + timedelta(days=1))
    twice = Pack.objects.get(pk=second.pk)
    twice.contents = engine.contents_from_json(
        second.contents | {"cards": [[GOLD_FLAME, 1], [GOLD_CLAW, 2]]}
    ).to_json()
    twice.save()
    opened, _ = packs.open_pack(slug=second.slug, user=ada)
    seen = [(drawn_card.card.slug, drawn_card.new) for drawn_card in queries.inside(opened)]
    assert seen == [
        (GOLD_FLAME, False),
        (GOLD_CLAW, True),
        (GOLD_CLAW, False),
    ]
    assert all(drawn_card.new for drawn_card in queries.inside(first)), (
        "as it was then, whatever came later"
    )


def test_a_card_that_was_given_away_before_is_new_again(catalog: Synced, ada: User) -> None:
    flame = Card.objects.get(slug=GOLD_FLAME)
    for key, count in (("hand:1", 1), ("hand:2", -1)):
        moves = ledger.physical_of(ada, {flame.pk: count})
        ledger.transfer(key=key, reason="hand", movements=moves)  # type: ignore[arg-type]
    opened, _ = packs.open_pack(slug=gift(ada, product=BOOSTERS[0]).slug, user=ada)
    assert all(drawn_card.new for drawn_card in queries.inside(opened))


def test_the_rarest_comes_last(catalog: Synced, ada: User) -> None:
    opened, _ = packs.open_pack(slug=gift(ada, product=BOOSTERS[0]).slug, user=ada)
    inside = queries.inside(opened)
    ranks = [drawn_card.card.rarity_rank for drawn_card in inside]
    assert ranks == sorted(ranks)
    assert inside[-1].rarity == "ultra rare" and inside[-1].special and not inside[0].special


# -- guests who have an account --------------------------------------------------------------------


def test_packs_move_with_a_guest_unless_the_account_has_had_them(
    catalog: Synced, ada: User, guest: User
) -> None:
    mine = gift(ada)
    same_day, other_day = gift(guest), gift(guest, now=NOON + timedelta(days=1))
    packs.open_pack(slug=same_day.slug, user=guest)
    packs.open_pack(slug=other_day.slug, user=guest)
    stay = packs.move_packs(guest=guest, user=ada)
    assert stay == {f"pack:{same_day.slug}"}
    assert set(Pack.objects.filter(owner=ada)) == {mine, other_day}
    assert list(Pack.objects.filter(owner=guest)) == [same_day]
    assert packs.move_packs(guest=guest, user=ada) == stay, "a second time changes nothing"


def test_sealed_packs_that_stay_dealt_nothing(catalog: Synced, ada: User, guest: User) -> None:
    gift(ada)
    gift(guest)
    assert packs.move_packs(guest=guest, user=ada) == set()
    assert Pack.objects.filter(owner=guest).count() == 1


def test_two_seats_of_one_match_are_one_pack(catalog: Synced, ada: User, guest: User) -> None:
    finished("m0", ada)
    finished("m1", ada, guest)  # the account's second pack of the day, the guest's first
    assert packs.move_packs(guest=guest, user=ada) == set()
    assert sorted(Pack.objects.filter(owner=ada).values_list("note", flat=True)) == ["m0", "m1"]


# -- who sees what ---------------------------------------------------------------------------------


def test_a_sealed_pack_gives_no_record(catalog: Synced, ada: User) -> None:
    with pytest.raises(TooLate, match="is secret"):
        queries.record_of(gift(ada))


def test_reading_a_pack_leaves_the_seed_in_the_database(catalog: Synced, ada: User) -> None:
    pack = gift(ada)
    assert "server_seed" in queries.access_pack(ada, pack.slug).get_deferred_fields()
    for read in (queries.sealed(ada), queries.opened(ada)):
        assert all("server_seed" in row.get_deferred_fields() for row in read)
