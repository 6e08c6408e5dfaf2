"""Matches played for keeps: who may, what is at stake meanwhile, and what changes hands."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from accounts.errors import MembersOnly
from accounts.models import User
from collection.errors import NotEnoughCards
from collection.models import Card, Holding, LedgerRow, Reason, Stake, Transfer
from collection.queries.ledger import differences
from collection.services import trades
from collection.services.holdings import set_visibility
from collection.services.ledger import digital_to, transfer
from core import outbox
from core.errors import NotAllowed
from core.models import MatchFinished, UnreadMatch
from matches.errors import NotPossible
from matches.models import Match, SeatKind, Status
from matches.services import ante, open_tables
from matches.services.cancelling import cancel_match
from matches.services.play import concede
from matches.services.rematch import rematch
from matches.services.setup import SeatPlan, join_match, leave_match
from tests.games.examples import EXAMPLE, GAME
from tests.matches.conftest import MakeMatch, api
from tests.support.catalog import whole_catalog

pytestmark = pytest.mark.django_db

MODE, OPTION = next(
    (mode, option) for mode in EXAMPLE.modes.values() for option in mode.options if option.for_keeps
)
DECK = next(deck for deck in EXAMPLE.starter_decks.values() if MODE.slug in deck.modes)
CARDS = sorted({card for part in DECK.cards.values() for card in part})
KEEPS: dict[str, Any] = {"game": GAME, "mode": MODE.slug, "deck": DECK.slug}


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def deal(user: User, copies: int = 1) -> None:
    """Give somebody so many copies of each card of the deck."""
    keys = Card.objects.filter(game__slug=GAME, slug__in=CARDS).values_list("pk", flat=True)
    moves = digital_to(user, dict.fromkeys(keys, copies))
    transfer(key=f"grant:{user.pk}:{copies}", reason=Reason.GRANT, movements=moves)


@pytest.fixture
def table(make_match: MakeMatch, ann: User, bob: User) -> Match:
    """Ann waits at a table that is played for keeps, and both have the cards for it."""
    whole_catalog()
    deal(ann)
    deal(bob)
    return open_table(make_match)


def open_table(make_match: MakeMatch, **more: Any) -> Match:
    options = {OPTION.slug: OPTION.for_keeps[0]}
    seats = more.pop("seats", [SeatPlan(), SeatPlan(SeatKind.OPEN)])
    return make_match(seats=seats, options=options, **KEEPS | more)


def sit(match: Match, user: User, *, agrees: bool = True) -> None:
    join_match(match=match, user=user, deck=DECK.slug, agrees=agrees)
    match.refresh_from_db()


def digital(user: User) -> int:
    return sum(Holding.objects.filter(owner=user).values_list("digital", flat=True))


def read_all() -> None:
    for row in UnreadMatch.objects.all():
        outbox.read(row.pk)


def test_what_was_won_changes_owners_once(table: Match, ann: User, bob: User) -> None:
    sit(table, bob)
    assert Stake.objects.filter(match=table.slug).count() == 2 * len(CARDS)
    before = digital(ann), digital(bob)
    concede(slug=table.slug, user=bob)
    table.refresh_from_db()
    (lost,) = (prize for prize in table.outcome["prizes"] if prize["from"] != prize["to"])
    read_all()
    ante.settle(MatchFinished.objects.get())  # and once more
    assert (digital(ann), digital(bob)) == (before[0] + 1, before[1] - 1)
    row = LedgerRow.objects.get(transfer__reason=Reason.ANTE)
    assert (row.card.slug, row.giver, row.taker, row.count) == (lost["card"], bob, ann, 1)
    assert row.transfer.key == f"ante:{table.slug}" and not Stake.objects.exists()
    assert differences() == []
    # Match, holding and history lead to each other.
    result, card = f"/matches/{table.slug}/result/", row.card.get_absolute_url()
    page = logged_in(ann).get(result)
    assertContains(page, f'href="{card}#own"')
    assert "went from Bob to you" in " ".join(page.content.decode().split())
    for person, words in ((ann, "Won in a match"), (bob, "Lost in a match")):
        for address in (card, "/collection/history/"):
            assertContains(logged_in(person).get(address), f'<a href="{result}">{words}</a>')
    history = api(bob).get("/api/collection/history/").json()
    assert history["results"][0]["about"].endswith(f"/api/matches/{table.slug}/")


def test_without_it_nothing_moves(make_match: MakeMatch, ann: User, bob: User) -> None:
    whole_catalog()
    deal(ann)
    match = make_match(**KEEPS, options={}, seats=[SeatPlan(), SeatPlan(SeatKind.OPEN)])
    join_match(match=match, user=bob)
    assert not Stake.objects.exists()
    concede(slug=match.slug, user=bob)
    read_all()
    assert not Transfer.objects.filter(reason=Reason.ANTE).exists()
    assertNotContains(logged_in(ann).get(f"/matches/{match.slug}/result/"), "for keeps")


def test_nobody_sits_down_without_saying_so(table: Match, bob: User) -> None:
    with pytest.raises(NotPossible, match="agree first"):
        sit(table, bob, agrees=False)
    page, address = logged_in(bob), f"/matches/{table.slug}/join/"
    assertContains(page.get(address), "I agree to play for keeps")
    sent = {"deck": DECK.slug, "client_seed": ""}
    assertContains(page.post(address, sent), "Agree to play for keeps", status_code=422)
    assert api(bob).post(f"/api/matches/{table.slug}/join/", {"deck": DECK.slug}).status_code == 422
    assert page.post(address, sent | {"agrees": "on"}).status_code == 302
    table.refresh_from_db()
    assert table.status == Status.RUNNING


def test_a_rematch_is_agreed_to_anew(table: Match, ann: User, bob: User) -> None:
    """What is at stake is said before one asks for it; otherwise nothing is put at stake."""
    sit(table, bob)
    concede(slug=table.slug, user=bob)
    read_all()
    with pytest.raises(NotPossible, match="Agree to that first"):
        rematch(slug=table.slug, user=ann)
    deal(ann, 2)
    result, address = f"/matches/{table.slug}/result/", f"/matches/{table.slug}/rematch/"
    page = logged_in(ann)
    assertContains(page.get(result), "The winner may keep a card from your deck")
    assertContains(page.post(address), "Agree to that first", status_code=422)
    assert api(ann).post(f"/api/matches/{table.slug}/rematch/", {}).status_code == 422
    assert not Stake.objects.exists() and not Match.objects.filter(rematch_of=table).exists()
    assert page.post(address, {"agrees": "on"}).status_code == 302
    assert set(Stake.objects.values_list("owner", flat=True)) == {ann.pk}
    # Whoever comes second agrees at the new table's own page.
    assertNotContains(logged_in(bob).get(result), "I agree to play for keeps")
    again = rematch(slug=table.slug, user=bob)
    assert again.status == Status.OPEN
    assertContains(logged_in(bob).get(f"/matches/{again.slug}/join/"), "I agree to play for keeps")


def test_only_members_with_own_dealt_cards_play(table: Match, bob: User, stranger: User) -> None:
    with pytest.raises(NotEnoughCards, match="a digital copy of every card"):
        sit(table, stranger)
    Holding.objects.bulk_create(
        Holding(owner=stranger, card=card, physical=4)
        for card in Card.objects.filter(game__slug=GAME, slug__in=CARDS)
    )
    with pytest.raises(NotEnoughCards):
        sit(table, stranger)
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    bob.refresh_from_db()
    with pytest.raises(MembersOnly):
        sit(table, bob)
    table.refresh_from_db()
    assert table.status == Status.OPEN and table.seats.get(number=1).user is None


def test_the_same_copy_is_at_stake_once(
    make_match: MakeMatch, table: Match, ann: User, bob: User
) -> None:
    with pytest.raises(NotEnoughCards):
        open_table(make_match)
    deal(ann, 2)
    second = open_table(make_match)
    leave_match(match=second, user=ann)
    assert Stake.objects.count() == len(CARDS)
    sit(table, bob)
    cancel_match(slug=table.slug, user=bob)
    table.refresh_from_db()
    assert table.status == Status.CANCELLED and not Stake.objects.exists()


def test_a_seat_that_is_given_back_takes_its_cards_along(
    make_match: MakeMatch, ann: User, bob: User, stranger: User
) -> None:
    whole_catalog()
    deal(ann)
    deal(bob)
    table = open_table(make_match, seats=[SeatPlan(), *[SeatPlan(SeatKind.OPEN)] * 2])
    sit(table, bob)
    leave_match(match=table, user=bob)
    assert set(Stake.objects.values_list("owner", flat=True)) == {ann.pk}


def test_no_bots_and_nobody_who_was_not_asked(
    make_match: MakeMatch, table: Match, ann: User, bob: User
) -> None:
    deal(ann, 5)
    for seats in ([SeatPlan(), SeatPlan(SeatKind.BOT)], [SeatPlan(), SeatPlan(user=bob)]):
        with pytest.raises(NotPossible, match="for keeps"):
            open_table(make_match, seats=seats)
    with pytest.raises(NotPossible, match="for keeps"):
        open_tables.fill_seat(slug=table.slug, host=ann, seat=1)


def test_what_is_at_stake_is_kept_from_trades(table: Match, ann: User, bob: User) -> None:
    """And a refusal tells nothing of the deck: it is the same for every card of the game."""
    others = Card.objects.filter(game__slug=GAME).exclude(slug__in=CARDS)
    card, other = Card.objects.get(game__slug=GAME, slug=CARDS[0]), others[0]
    moves = digital_to(ann, {other.pk: 1})
    transfer(key="grant:other", reason=Reason.GRANT, movements=moves)
    set_visibility(owner=bob, visibility="public")
    names = set()
    for number, item in enumerate((card, other)):
        trade = trades.offer_trade(
            proposer=ann, partner=bob, gives={item.pk: 1}, takes={}, token=f"form-{number}"
        )
        with pytest.raises(NotAllowed) as refused:
            trades.accept_trade(trade=trade, user=bob)
        names.add(str(refused.value))
    assert len(names) == 1
    leave_match(match=table, user=ann)
    trades.accept_trade(trade=trade, user=bob)
    assert Holding.objects.get(owner=bob, card=other).digital == 1
