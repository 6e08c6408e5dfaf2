"""A person's own cards: starters, counting, marks, privacy; and the sums."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import rules
from accounts.models import User
from collection.errors import NotEnoughCards, NotFound, TooLate, Unacceptable
from collection.models import Card, Collection, Holding, Kind, LedgerRow, Reason, Transfer
from collection.models.holdings import MAX_COPIES, MAX_NOTES, MAX_TAGS
from collection.queries import holdings as queries
from collection.queries.ledger import differences
from collection.services import holdings as services
from collection.services import tallies
from collection.services.catalog import Synced
from collection.services.ledger import digital_to, transfer
from tests.games.examples import (
    BOOSTERS,
    CLAW,
    EXAMPLE,
    GAME,
    GOLD_FLAME,
    MASTER_DECK,
    OTHER_GAME,
    OTHER_STARTER,
    WAR_DRUMS,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def claw(catalog: Synced) -> Card:
    return Card.objects.get(slug=CLAW)


def counted(owner: User, card: Card, token: str, **wish: int) -> tuple[int, int]:
    row = services.count_by_hand(owner=owner, card=card, token=token, **wish)
    return row.digital, row.physical


# Starter decks


def test_a_starter_deck_is_dealt_once(catalog: Synced, ada: User) -> None:
    product = EXAMPLE.products[MASTER_DECK]
    _, now = services.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    _, again = services.take_starter(user=ada, game=GAME, product=MASTER_DECK)
    assert (now, again) == (True, False)
    held = Holding.objects.filter(owner=ada).values_list("card__slug", "digital")
    assert dict(held) == dict(product.cards)
    transfer = Transfer.objects.get()
    assert (transfer.key, transfer.reason) == (
        f"starter:{ada.pk}:{GAME}:Master Deck",
        Reason.STARTER,
    )
    assert differences() == []


def test_of_each_group_there_is_one(catalog: Synced, ada: User) -> None:
    services.take_starter(user=ada, game=GAME, product=BOOSTERS[0])
    with pytest.raises(TooLate, match="Booster Deck 1: Emberfall"):
        services.take_starter(user=ada, game=GAME, product=BOOSTERS[1])
    assert Transfer.objects.count() == 1
    groups = {(starter.game, starter.group): starter.taken for starter in queries.starters(ada)}
    assert groups[GAME, "Booster Deck"] == "Booster Deck 1: Emberfall"
    assert groups[GAME, "Master Deck"] == ""


@pytest.mark.parametrize(
    ("game", "product", "refusal"),
    [
        (GAME, "none", NotFound),
        ("nowhere", MASTER_DECK, NotFound),
        (GAME, "", NotFound),
    ],
)
def test_what_is_no_product_is_not_given(
    catalog: Synced, ada: User, game: str, product: str, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        services.take_starter(user=ada, game=game, product=product)
    assert not Holding.objects.exists()


def test_lent_and_other_products_are_nobodys_start(catalog: Synced, ada: User) -> None:
    refused = [
        (slug, product.slug)
        for slug, game in rules.games().items()
        for product in game.products.values()
        if product.lent or not product.starter
    ]
    assert refused
    for game, product in refused:
        with pytest.raises(Unacceptable):
            services.take_starter(user=ada, game=game, product=product)
    assert not Transfer.objects.exists()


# Counting


def test_counting_changes_what_is_recorded_alone(claw: Card, ada: User) -> None:
    digital = digital_to(ada, {claw.pk: 2})
    transfer(key="grant:1", reason=Reason.GRANT, movements=digital)
    assert counted(ada, claw, "token-01", change=1) == (2, 1)
    assert counted(ada, claw, "token-02", change=1) == (2, 2)
    assert counted(ada, claw, "token-03", change=-1) == (2, 1)
    assert counted(ada, claw, "token-04", to=7) == (2, 7)
    assert counted(ada, claw, "token-05", to=7) == (2, 7)
    assert counted(ada, claw, "token-06", to=0) == (2, 0)
    assert set(LedgerRow.objects.values_list("transfer__reason", "kind")) == {
        (Reason.GRANT, Kind.DIGITAL),
        (Reason.HAND, Kind.PHYSICAL),
    }
    assert differences() == []


def test_a_form_that_is_sent_twice_counts_once(claw: Card, ada: User) -> None:
    assert counted(ada, claw, "same-form", change=1) == (0, 1)
    assert counted(ada, claw, "same-form", change=1) == (0, 1)
    assert counted(ada, claw, "other-form", change=1) == (0, 2)
    assert counted(ada, claw, "to-a-number", to=5) == (0, 5)
    assert counted(ada, claw, "next-form", change=1) == (0, 6)
    assert counted(ada, claw, "to-a-number", to=5) == (0, 6), "the old form came late"


def test_nothing_below_none_and_the_sentence_is_kind(claw: Card, ada: User) -> None:
    with pytest.raises(NotEnoughCards, match=r"^You have no copies of Red Claw to remove\.$"):
        counted(ada, claw, "token-01", change=-1)
    transfer(key="grant:1", reason=Reason.GRANT, movements=digital_to(ada, {claw.pk: 2}))
    with pytest.raises(NotEnoughCards, match="digital and can only leave by trade"):
        counted(ada, claw, "token-02", change=-1)
    counted(ada, claw, "token-03", change=1)
    with pytest.raises(NotEnoughCards, match="only 1 physical copy of Red Claw"):
        counted(ada, claw, "token-04", change=-2)
    row = Holding.objects.get()
    assert (row.digital, row.physical) == (2, 1)
    assert not Transfer.objects.filter(key__endswith="token-04").exists()


@pytest.mark.parametrize(
    "wish",
    [
        {"token": "short", "change": 1},
        {"token": "not a token", "change": 1},
        {"token": "x" * 65, "change": 1},
        {"token": "token-01"},
        {"token": "token-01", "change": 1, "to": 1},
        {"token": "token-01", "to": -1},
        {"token": "token-01", "to": MAX_COPIES + 1},
        {"token": "token-01", "change": 10**30},
    ],
)
def test_nonsense_is_refused(claw: Card, ada: User, wish: dict[str, int]) -> None:
    with pytest.raises(Unacceptable):
        services.count_by_hand(owner=ada, card=claw, **wish)  # type: ignore[arg-type]
    assert not LedgerRow.objects.exists()


# Marks


def test_marks_change_what_is_given_alone(claw: Card, ada: User) -> None:
    counted(ada, claw, "token-01", change=1)
    before = Holding.objects.get().updated_at
    services.mark(
        owner=ada, card=claw, wishlist=3, tags="foil, Binder ,foil,, FOIL", notes=" hm\r\n"
    )
    services.mark(owner=ada, card=claw, for_trade=1)
    row = Holding.objects.get()
    assert (row.wishlist, row.for_trade, row.tags, row.notes) == (3, 1, "foil, Binder", "hm")
    assert (row.quantity, row.missing, row.tag_list) == (1, 2, ["foil", "Binder"])
    assert row.updated_at == before, "newest first is about copies, not about notes"


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"for_trade": 1}, "for_trade"),
        ({"for_trade": -1}, "for_trade"),
        ({"wishlist": -1}, "wishlist"),
        ({"wishlist": MAX_COPIES + 1}, "wishlist"),
        ({"tags": "x" * (MAX_TAGS + 1)}, "tags"),
        ({"notes": "x" * (MAX_NOTES + 1)}, "notes"),
    ],
)
def test_marks_that_cannot_be(claw: Card, ada: User, wish: dict[str, object], field: str) -> None:
    with pytest.raises(Unacceptable) as refusal:
        services.mark(owner=ada, card=claw, **wish)  # type: ignore[arg-type]
    assert refusal.value.extra["field"] == field
    assert not Holding.objects.exists()


def test_a_guest_shows_cards_to_friends_at_most(ada: User) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True)
    services.set_visibility(owner=guest, visibility="friends")
    with pytest.raises(Unacceptable, match="Sign up to make"):
        services.set_visibility(owner=guest, visibility="public")
    with pytest.raises(Unacceptable):
        services.set_visibility(owner=ada, visibility="secret")
    services.set_visibility(owner=ada, visibility="public")
    services.set_visibility(owner=ada, visibility="private")
    assert dict(Collection.objects.values_list("owner__username", "visibility")) == {
        "guest-1": "friends",
        "ada": "private",
    }


# Sums


def test_the_sums_are_those_of_the_rows(catalog: Synced, ada: User) -> None:
    services.take_starter(user=ada, game=GAME, product=BOOSTERS[0])
    card = Card.objects.get(slug=GOLD_FLAME)
    counted(ada, card, "token-01", change=1)
    services.mark(owner=ada, card=card, wishlist=5, for_trade=1)
    gone = Card.objects.get(slug=WAR_DRUMS)
    Card.objects.filter(pk=gone.pk).update(retired=True)
    gone.printings.update(number=None)  # as the synchronisation does
    tallies.count_anew()
    totals = queries.totals(ada)
    assert (totals.cards, totals.copies, totals.digital) == (10, 11, 10)
    assert (totals.wishlist, totals.for_trade) == (3, 1)
    assert totals.games[0].owned == 9, "a retired card completes nothing"
    (game_progress,) = (game for game in queries.completion(ada) if game.slug == GAME)
    rarities = Holding.objects.filter(owner=ada, card__retired=False)
    for part in game_progress.rarities:
        assert part.owned == rarities.filter(card__rarity=part.slug).count()
    assert (game_progress.owned, game_progress.of) == (9, 97)
    sets = {part.slug: (part.owned, part.of) for part in game_progress.sets}
    assert sets["booster-1"] == (9, 10)
    owned = rarities.filter(card__sets__slug="master").count()
    assert sets["master"] == (owned, 60)


def test_percents_say_all_only_when_it_is_all() -> None:
    assert [queries.Progress("", "", owned, 300).percent for owned in (0, 1, 299, 300)] == [
        0, 0, 99, 100,
    ]  # fmt: skip
    assert queries.Progress("", "", 0, 0).percent == 0


def test_sums_cost_the_same_whatever_the_collection(catalog: Synced, ada: User) -> None:
    def asked() -> list[int]:
        counts = []
        for read in (queries.totals, queries.completion, queries.starters):
            with CaptureQueriesContext(connection) as captured:
                read(ada)  # type: ignore[operator]
            counts.append(len(captured))
        return counts

    before = asked()
    for game, product in ((GAME, MASTER_DECK), (OTHER_GAME, OTHER_STARTER)):
        services.take_starter(user=ada, game=game, product=product)
    assert asked() == before == [4, 4, 1]
