"""Whatever several people do to their cards at the same moment: none is lost, none is made up.

Random stories of packs, trades, lists, hand counts and starters, told by several threads at once.
Afterwards every holding is the ledger's sum, none is negative, and the cards of the house are as
many as the house has given. The negative control shows that the lock is what holds this.
``tests/collection/test_ledger_stories.py`` tells such stories one step at a time.
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, models, transaction

from accounts.models import User
from collection.models import (
    Card,
    CardInSet,
    Collection,
    Holding,
    JobState,
    Kind,
    LedgerRow,
    Pack,
    Reason,
    Trade,
    TradeState,
    Visibility,
)
from collection.queries.ledger import differences
from collection.services import holdings, imports, ledger, packs, stakes, tallies, trades
from collection.services.catalog import sync_catalog
from core.errors import Refusal
from tests.games.examples import BLUE_CLAW, CLAW, GAME, GOLD_CLAW, MASTER_DECK, PACK
from tests.support.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]

PEOPLE, THREADS, TURNS, SEEDS = 3, 4, 2, 3
ALL_THAT_HAPPENS = {
    Reason.PACK,
    Reason.HAND,
    Reason.IMPORT,
    Reason.UNDO,
    Reason.TRADE,
    Reason.STARTER,
}
SLUGS = (CLAW, BLUE_CLAW, GOLD_CLAW)


class Story:
    """One thread's random doings. A refusal is an answer like any other; a crash is not."""

    def __init__(self, seed: int, people: list[User], cards: list[Card]) -> None:
        self.random: random.Random = random.Random(seed)
        self.seed = seed
        self.people = people
        self.cards = cards
        self.steps = 0

    def tell(self) -> None:
        doings = [self.gift, self.opening, self.offer, self.answer, self.by_hand, self.a_list]
        doings += [self.deck, self.new_count, self.new_catalog, self.offer, self.answer]
        doings *= TURNS
        self.random.shuffle(doings)
        for doing in doings:
            self.steps += 1
            with contextlib.suppress(Refusal):
                doing(self.random.choice(self.people))

    def gift(self, who: User) -> None:
        key = f"feast-{self.random.randrange(4)}"
        packs.grant(by=None, game=GAME, product=PACK, people=[who], key=key)

    def opening(self, who: User) -> None:
        sealed = list(Pack.objects.filter(owner=who).values_list("slug", flat=True))
        if sealed:
            packs.open_pack(slug=self.random.choice(sealed), user=who)

    def offer(self, who: User) -> None:
        other = self.random.choice([user for user in self.people if user != who])
        give, take = self.random.sample(self.cards, 2)
        trades.offer_trade(
            proposer=who,
            partner=other,
            gives={give.pk: self.random.randint(1, 2)},
            takes={take.pk: self.random.randint(1, 2)},
            token=f"{self.seed}-{self.steps}",
        )

    def answer(self, who: User) -> None:
        waiting = list(Trade.objects.filter(partner=who, state=TradeState.OPEN))
        if waiting:
            trade = self.random.choice(waiting)
            say = self.random.choice(
                [trades.accept_trade, trades.accept_trade, trades.decline_trade]
            )
            say(trade=trade, user=who)

    def by_hand(self, who: User) -> None:
        card, change = self.random.choice(self.cards), self.random.choice([-2, -1, 1, 2, 2])
        token = f"hand-{self.seed:04}-{self.steps:04}"
        holdings.count_by_hand(owner=who, card=card, token=token, change=change)

    def a_list(self, who: User) -> None:
        lines = "".join(f"{self.random.randint(1, 3)} {card.title}\n" for card in self.cards)
        replaces = self.random.random() < 0.5
        job = imports.start_import(owner=who, data=lines.encode(), game=GAME, replaces=replaces)
        if job.state == JobState.READY:
            imports.apply_import(owner=who, slug=job.slug)
            if self.random.random() < 0.3:
                imports.undo_import(owner=who, slug=job.slug)

    def new_count(self, who: User) -> None:
        tallies.count_anew()
        ledger.add_up_anew()

    def new_catalog(self, who: User) -> None:
        moved = self.random.choice(self.cards)
        with transaction.atomic(), tallies.kept_current():
            rarity = self.random.choice(["common", "rare", "epic"])
            Card.objects.filter(pk=moved.pk).update(rarity=rarity)
            number = self.random.choice([None, 900 + moved.pk])
            CardInSet.objects.filter(card=moved).update(number=number)

    def deck(self, who: User) -> None:
        holdings.take_starter(user=who, game=GAME, product=MASTER_DECK)


def gathering(name: str = "person") -> list[User]:
    """People with two of each card, which all may see, and a sealed pack."""
    rows = [User.objects.create_user(f"{name}-{number}") for number in range(PEOPLE)]
    cards = {card.pk: 2 for card in Card.objects.filter(slug__in=SLUGS)}
    for user in rows:
        Collection.objects.create(owner=user, visibility=Visibility.PUBLIC)
        moves = ledger.digital_to(user, cards)
        ledger.transfer(key=f"grant:{user.pk}", reason=Reason.GRANT, movements=moves)
    packs.grant(by=None, game=GAME, product=PACK, people=rows, key="welcome")
    return rows


@pytest.fixture
def people(db: None) -> list[User]:
    sync_catalog()
    return gathering()


def digital_in_all() -> Counter[int]:
    rows = Holding.objects.values_list("card").annotate(models.Sum("digital"))
    return Counter({card: count for card, count in rows if count})


def given_by_the_house() -> Counter[int]:
    rows = LedgerRow.objects.filter(giver=None, kind=Kind.DIGITAL).values_list("card")
    return Counter(dict(rows.annotate(models.Sum("count"))))


def none_is_negative() -> bool:
    wrong = models.Q(digital__lt=0) | models.Q(physical__lt=0)
    wrong |= models.Q(for_trade__gt=models.F("quantity"))
    return not Holding.objects.filter(wrong).exists()


@pytest.mark.slow
def test_cards_are_conserved_whatever_everybody_does(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync_catalog()
    cards = list(Card.objects.filter(slug__in=SLUGS))
    for seed in range(SEEDS):
        monkeypatch.setattr(tallies, "MANY", 1 + 20 * seed)  # added up always, often, now and then
        people = gathering(f"person-{seed}")
        stories = [Story(seed * 100 + number, people, cards) for number in range(THREADS)]
        assert at_once(*[story.tell for story in stories]) == [None] * THREADS
        assert differences() == []
        assert digital_in_all() == given_by_the_house()
        assert none_is_negative()
    opened = Pack.objects.filter(opened_at__isnull=False)
    keys = {f"pack:{slug}" for slug in opened.values_list("slug", flat=True)}
    rows = LedgerRow.objects.filter(transfer__reason=Reason.PACK)
    assert set(rows.values_list("transfer__key", flat=True)) == keys
    reasons = set(LedgerRow.objects.values_list("transfer__reason", flat=True))
    assert reasons >= ALL_THAT_HAPPENS, "stories in which not everything happens"


def swap_at_once(people: list[User], tries: int, worst: Callable[[], Any]) -> int:
    """Promise one person's last two cards to both others and let both accept at once."""
    giver, *others = people
    card = Card.objects.get(slug=SLUGS[0])
    offers = [
        trades.offer_trade(
            proposer=giver, partner=other, gives={card.pk: 2}, takes={}, token=f"{tries}{other.pk}"
        )
        for other in others
    ]
    worst()
    results = at_once(
        *[
            lambda trade=trade: trades.accept_trade(trade=trade, user=trade.partner)
            for trade in offers
        ]
    )
    assert all(isinstance(result, Trade | Refusal) for result in results), results
    return sum(isinstance(result, Trade) for result in results)


def test_cards_promised_twice_and_accepted_at_once_go_once(people: list[User]) -> None:
    assert swap_at_once(people, 1, lambda: None) == 1
    card = Card.objects.get(slug=SLUGS[0])
    counts = sorted(Holding.objects.filter(card=card).values_list("digital", flat=True))
    assert counts == [0, 2, 4]
    assert differences() == []


def test_without_the_lock_a_card_would_go_twice(
    people: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: holdings that were read before the other's commit are written over it."""
    barrier = threading.Barrier(2)
    seen: dict[tuple[int, int], Holding] = {}

    def read_too_early(keys: Any) -> dict[tuple[int, int], Holding]:
        barrier.wait(30)
        return {key: seen[key] for key in keys}

    def remember() -> None:
        card = Card.objects.get(slug=SLUGS[0])
        for user in people:
            row = Holding.objects.get(owner=user, card=card)
            seen[user.pk, card.pk] = row
        monkeypatch.setattr(ledger, "_locked", read_too_early)
        monkeypatch.setattr(stakes, "lock_people", lambda _people: None)

    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one writer at a time begin: there is no gap to show.")
    assert swap_at_once(people, 2, remember) == 2
    assert differences() != []
