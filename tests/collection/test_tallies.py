"""Counts for each part of the catalog, kept by every transfer and every new catalog."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from collection.errors import NotEnoughCards
from collection.models import Card, CardInSet, CardSet, Kind, Reason, Tally
from collection.queries.tallies import tallied, tally_differences
from collection.services import ledger, tallies
from collection.services.catalog import Synced, sync_catalog
from tests.collection.conftest import MakeGames, card
from tests.games.examples import BOX_GAME, GAME
from tests.support.sizes import sized

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def deal(user: User, key: str, **counts: int) -> None:
    cards = {Card.objects.get(slug=slug).pk: count for slug, count in counts.items()}
    moves = ledger.digital_to(user, cards)
    ledger.transfer(key=key, reason=Reason.GRANT, movements=moves)


def rarities(user: User) -> dict[tuple[str, bool], tuple[int, int, int]]:
    return {
        (part.rarity, part.retired): (amount.cards, amount.copies, amount.digital)
        for part, amount in tallied(user.pk).items()
        if part.card_set is None
    }


def sets(user: User) -> dict[str, int]:
    names = dict(CardSet.objects.values_list("pk", "slug"))
    return {
        names[part.card_set]: amount.cards
        for part, amount in tallied(user.pk).items()
        if part.card_set is not None
    }


def test_a_card_counts_for_its_rarity_and_each_of_its_sets(made_up: MakeGames, ada: User) -> None:
    made_up(card("adder", "first", "second"), card("boar"), card("crow", rarity="rare"))
    sync_catalog()
    deal(ada, "one", adder=2, boar=1)
    deal(ada, "two", adder=1, crow=1)
    assert rarities(ada) == {("common", False): (2, 4, 4), ("rare", False): (1, 1, 1)}
    assert sets(ada) == {"first": 3, "second": 1}
    assert tally_differences() == []


def test_a_refused_transfer_leaves_no_tally(made_up: MakeGames, ada: User) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    deal(ada, "one", adder=1)
    keys = {card.slug: card.pk for card in Card.objects.all()}
    moves = [
        ledger.Movement(keys["boar"], 1, Kind.DIGITAL, taker=ada.pk),
        ledger.Movement(keys["adder"], 2, Kind.DIGITAL, giver=ada.pk),
    ]
    with pytest.raises(NotEnoughCards):
        ledger.transfer(key="two", reason=Reason.GRANT, movements=moves)
    assert rarities(ada) == {("common", False): (1, 1, 1)}


def test_the_catalog_may_move_cards_between_parts(made_up: MakeGames, ada: User) -> None:
    made_up(card("adder", "first", "second"), card("boar"), card("crow"))
    sync_catalog()
    deal(ada, "one", adder=1, boar=2)
    made_up(card("adder", "second", rarity="rare"), card("crow"))
    sync_catalog()
    assert rarities(ada) == {("rare", False): (1, 1, 1), ("common", True): (1, 2, 2)}
    assert sets(ada) == {"second": 1}
    assert tally_differences() == []


def test_a_set_alone_may_change(made_up: MakeGames, ada: User) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    deal(ada, "one", adder=1)
    made_up(card("adder", "first", "second"), card("boar"))
    sync_catalog()
    assert sets(ada) == {"first": 1, "second": 1}


def test_a_new_catalog_counts_only_the_cards_that_moved(
    made_up: MakeGames, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [card(f"other-{number}") for number in range(18)]
    made_up(card("adder"), card("boar"), card("crow"), *others)
    sync_catalog()
    deal(ada, "one", adder=1, boar=2)
    before = set(Tally.objects.values_list("pk", flat=True))
    monkeypatch.setattr(tallies, "counted", None)
    assert sync_catalog().nothing_new
    assert set(Tally.objects.values_list("pk", flat=True)) == before
    new = [card(f"new-{number}") for number in range(40)]
    made_up(card("adder"), card("boar", rarity="rare"), card("crow", rarity="rare"), *others, *new)
    sync_catalog()
    rows = Tally.objects.exclude(pk__in=before).order_by("rarity")
    assert {row.pk for row in Tally.objects.all()} > before
    assert list(rows.values_list("rarity", "cards", "copies", "digital")) == [
        ("common", -1, -2, -2),
        ("rare", 1, 2, 2),
    ]
    assert rarities(ada) == {("common", False): (1, 1, 1), ("rare", False): (1, 2, 2)}
    assert tally_differences() == []


def test_where_many_cards_move_everything_is_counted_anew(made_up: MakeGames, ada: User) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    deal(ada, "one", adder=1)
    Tally.objects.update(copies=7)
    made_up(card("adder"), card("boar", rarity="rare"))
    sync_catalog()
    assert tally_differences() == []


KEYS = itertools.count()
STEPS = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 3), st.integers(-2, 2)), max_size=25
)


@pytest.mark.slow
@given(steps=STEPS, many=st.sampled_from([1, 4, 100]))
@settings(
    max_examples=sized(40, large=1000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_tallies_are_the_sums_of_holdings_whatever_comes_and_goes(
    catalog: Synced, steps: list[tuple[str, int, int]], many: int
) -> None:
    people = {name: User.objects.get_or_create(username=f"tallied-{name}")[0] for name in "ab"}
    chosen = list(Card.objects.filter(game__slug=GAME).order_by("place")[:90:30])
    chosen += list(Card.objects.filter(game__slug=BOX_GAME).order_by("place")[:1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallies, "MANY", many)
        for name, index, change in steps:
            user = people[name]
            moves = ledger.physical_of(user, {chosen[index].pk: change})
            try:
                ledger.transfer(key=f"story:{next(KEYS)}", reason=Reason.HAND, movements=moves)
            except NotEnoughCards:
                continue
    assert tally_differences() == []


MOVES = st.tuples(
    st.lists(st.integers(0, 3), max_size=4),
    st.one_of(
        st.sampled_from(["common", "rare"]).map(lambda word: {"rarity": word}),
        st.booleans().map(lambda gone: {"retired": gone}),
        st.sampled_from([None, 900]).map(lambda number: {"number": number}),
    ),
)


@pytest.mark.slow
@given(stories=st.lists(st.tuples(STEPS, st.lists(MOVES, max_size=4)), max_size=4))
@settings(
    max_examples=sized(20, large=1000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_tallies_follow_cards_wherever_they_come(
    catalog: Synced,
    stories: list[tuple[list[tuple[str, int, int]], list[tuple[list[int], dict[str, object]]]]],
) -> None:
    people = {name: User.objects.get_or_create(username=f"tallied-{name}")[0] for name in "ab"}
    chosen = [row.pk for row in Card.objects.filter(game__slug=GAME).order_by("place")[:90:25]]
    for steps, moves in stories:
        for name, index, change in steps:
            movements = ledger.physical_of(people[name], {chosen[index]: change})
            with contextlib.suppress(NotEnoughCards):
                ledger.transfer(key=f"m:{next(KEYS)}", reason=Reason.HAND, movements=movements)
        with transaction.atomic(), tallies.kept_current():
            for indexes, change_of in moves:
                cards = [chosen[index] for index in indexes]
                if "number" in change_of:
                    for printing in CardInSet.objects.filter(card__in=cards):
                        number = change_of["number"] and 900 + printing.card_id
                        CardInSet.objects.filter(pk=printing.pk).update(number=number)
                else:
                    Card.objects.filter(pk__in=cards).update(**change_of)
        assert tally_differences() == []


def test_many_rows_are_added_up(
    made_up: MakeGames, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up(card("adder"), card("boar"))
    sync_catalog()
    monkeypatch.setattr(tallies, "MANY", 10)
    most = 0
    for number in range(40):
        deal(ada, f"gift-{number}", adder=1)
        most = max(most, Tally.objects.filter(owner=ada).count())
    assert rarities(ada) == {("common", False): (1, 40, 40)}
    assert most < 12, "rows that nobody ever adds up"
    assert tally_differences() == []


def test_a_row_that_is_off_is_found_and_mended(
    made_up: MakeGames, ada: User, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up(card("adder"))
    sync_catalog()
    deal(ada, "one", adder=1)
    call_command("check_ledger")
    Tally.objects.filter(card_set=None).update(copies=7)
    with pytest.raises(CommandError, match="1 count"):
        call_command("check_ledger")
    assert "copies=7" in capsys.readouterr().err
    call_command("check_ledger", "--count")
    assert tally_differences() == []
