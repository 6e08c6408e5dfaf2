"""Versions of decks: nothing that a deck was is lost, and undo leads to what was before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from decks.errors import (
    BadDeck,
    CannotGoBack,
    DeckChanged,
    NoFurther,
    NotYourDeck,
    TooManyNames,
    UnknownDeck,
    UnknownVersion,
)
from decks.lists.textlist import read_list
from decks.models import Deck
from decks.queries import decks as queries
from decks.queries import versions as reads
from decks.services import decks as services
from decks.services import versions
from tests.games.examples import CLAW, FLAME, GAME, RED_7
from tests.support.races import at_once

MakeDeck = Callable[..., Deck]

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def main(deck: Deck) -> dict[str, int]:
    return queries.decklist(deck).get("main", {})


def numbers(deck: Deck) -> list[int]:
    return list(deck.versions.order_by("number").values_list("number", flat=True))


def change(deck: Deck, /, **about: Any) -> Deck:
    values: dict[str, Any] = {"user": deck.owner, "slug": deck.slug, "section": "main"}
    return services.change_cards(**values | about)


def test_a_new_deck_has_its_first_version(make_deck: MakeDeck) -> None:
    deck = make_deck(text="# mine\n2 Red Claw")
    version = deck.versions.get()
    assert (deck.version, version.number, version.mode) == (1, 1, "tournament")
    assert (version.cards, version.typed) == ({"main": {CLAW: 2}}, "# mine\n2 Red Claw")


def test_only_what_is_new_is_a_version(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    services.update_deck(user=owner, slug=deck.slug, name="Cinders", notes="For the club")
    services.update_deck(user=owner, slug=deck.slug, cards={"main": {CLAW: 2, RED_7: 0}})
    assert numbers(deck) == [1]
    services.update_deck(user=owner, slug=deck.slug, text="2 Red Claw # strong")
    services.update_deck(user=owner, slug=deck.slug, mode="match")
    assert numbers(deck) == [1, 2, 3]
    versions.undo_deck(user=owner, slug=deck.slug)
    deck.refresh_from_db()
    assert (deck.mode, deck.typed, deck.name) == ("tournament", "2 Red Claw # strong", "Cinders")


def test_undo_and_redo(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    change(deck, changes={CLAW: 1})
    change(deck, changes={CLAW: -3, RED_7: 1})
    assert main(versions.undo_deck(user=owner, slug=deck.slug)) == {CLAW: 3}
    assert main(versions.undo_deck(user=owner, slug=deck.slug)) == {CLAW: 2}
    with pytest.raises(NoFurther, match="Nothing to undo"):
        versions.undo_deck(user=owner, slug=deck.slug)
    versions.redo_deck(user=owner, slug=deck.slug)
    assert main(versions.redo_deck(user=owner, slug=deck.slug)) == {RED_7: 1}
    with pytest.raises(NoFurther, match="Nothing to redo"):
        versions.redo_deck(user=owner, slug=deck.slug)
    assert numbers(deck) == [1, 2, 3]


def test_a_change_after_undo_drops_unnamed_versions_and_reuses_no_number(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck()
    change(deck, changes={CLAW: 1})
    change(deck, changes={CLAW: 1})
    versions.undo_deck(user=owner, slug=deck.slug)
    versions.undo_deck(user=owner, slug=deck.slug)
    change(deck, changes={RED_7: 1})
    assert numbers(deck) == [1, 4]
    with pytest.raises(NoFurther):
        versions.redo_deck(user=owner, slug=deck.slug)


def test_named_versions_stay_and_undo_still_leads_to_what_was_before(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck()
    change(deck, changes={CLAW: 1})
    change(deck, changes={CLAW: 1})
    versions.name_version(user=owner, slug=deck.slug, number=3, note="  Four   claws ")
    versions.undo_deck(user=owner, slug=deck.slug)
    versions.undo_deck(user=owner, slug=deck.slug)
    change(deck, changes={RED_7: 1})
    kept = {version.number: version.note for version in deck.versions.all()}
    assert kept == {1: "", 3: "Four claws", 4: "", 5: ""}
    assert main(versions.undo_deck(user=owner, slug=deck.slug)) == {CLAW: 2}


def test_restoring_an_older_version_is_a_change(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(text="# first\n2 Red Claw")
    change(deck, changes={CLAW: 1})
    change(deck, changes={RED_7: 1})
    restored = versions.restore_version(user=owner, slug=deck.slug, number=1)
    assert (main(restored), restored.typed, restored.version) == (
        {CLAW: 2},
        "# first\n2 Red Claw",
        4,
    )
    assert main(versions.undo_deck(user=owner, slug=deck.slug)) == {CLAW: 3, RED_7: 1}
    # One that was undone is reached by redoing; nothing is dropped.
    assert versions.restore_version(user=owner, slug=deck.slug, number=4).version == 4
    assert numbers(deck) == [1, 2, 3, 4]
    with pytest.raises(UnknownVersion, match="has no version 9"):
        versions.restore_version(user=owner, slug=deck.slug, number=9)


def test_a_version_with_a_card_that_has_gone_stays_where_it_is(
    make_deck: MakeDeck, owner: User
) -> None:
    deck = make_deck()
    change(deck, changes={CLAW: 1})
    deck.versions.filter(number=1).update(cards={"main": {"unicorn": 2}})
    with pytest.raises(CannotGoBack, match="“unicorn” is not a card of this game"):
        versions.undo_deck(user=owner, slug=deck.slug)
    with pytest.raises(CannotGoBack):
        versions.restore_version(user=owner, slug=deck.slug, number=1)
    deck.refresh_from_db()
    assert (deck.version, main(deck)) == (2, {CLAW: 3})


def test_a_bounded_number_of_versions_is_kept(
    make_deck: MakeDeck, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MAX_UNNAMED", 3)
    monkeypatch.setattr(versions, "MAX_NAMED", 1)
    deck = make_deck()
    versions.name_version(user=owner, slug=deck.slug, number=1, note="The first")
    for _ in range(5):
        change(deck, changes={CLAW: 1})
    assert numbers(deck) == [1, 4, 5, 6]
    with pytest.raises(TooManyNames, match="already has 1 named versions"):
        versions.name_version(user=owner, slug=deck.slug, number=5, note="Another")
    versions.name_version(user=owner, slug=deck.slug, number=1, note="")
    versions.name_version(user=owner, slug=deck.slug, number=5, note="Another")


def test_a_name_that_is_too_long(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    for note in ("x" * 121, "a\0b"):
        with pytest.raises(BadDeck, match="up to 120 characters"):
            versions.name_version(user=owner, slug=deck.slug, number=1, note=note)


# Clicks


def test_clicks_keep_the_typed_list_in_step(make_deck: MakeDeck) -> None:
    deck = make_deck(text="# beasts\n2 Red Claw # strong\n")
    changed = change(deck, changes={CLAW: -1, RED_7: 2})
    assert changed.typed == "# beasts\n1 Red Claw # strong\n2 Red 7\n"
    assert main(changed) == {CLAW: 1, RED_7: 2}
    assert change(deck, changes={CLAW: -5, RED_7: -2}).typed == "# beasts\n"


def test_a_typed_list_that_no_longer_reads_as_the_cards_is_let_go(make_deck: MakeDeck) -> None:
    deck = make_deck(text="2 Red Claw")
    Deck.objects.update(typed="2 Crimson Claw")
    changed = change(deck, changes={RED_7: 1})
    assert (changed.typed, main(changed)) == ("", {CLAW: 2, RED_7: 1})


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"changes": {"unicorn": 1}}, "deck"),
        ({"changes": {CLAW: 998}}, "deck"),
        ({"changes": {CLAW: 1000}}, "changes"),
        ({"changes": {CLAW: 1}, "section": "side"}, "section"),
        ({"changes": {CLAW: -1}, "to": "side"}, "section"),
        ({"changes": {f"c{n}": 1 for n in range(501)}}, "deck"),
    ],
)
def test_clicks_that_make_no_deck(make_deck: MakeDeck, about: dict[str, Any], field: str) -> None:
    deck = make_deck()
    with pytest.raises(BadDeck) as refused:
        change(deck, **about)
    assert refused.value.field == field
    assert (main(deck), numbers(deck)) == ({CLAW: 2}, [1])


def test_another_windows_change_is_not_overwritten(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck()
    seen = deck.version
    change(deck, changes={CLAW: 1}, expected=seen)
    values = {"user": owner, "slug": deck.slug, "expected": seen}
    for late in (
        lambda: change(deck, changes={RED_7: 1}, expected=seen),
        lambda: services.update_deck(**values, text="1 Red 7"),
        lambda: services.update_deck(**values, name="Cinders"),
        lambda: versions.undo_deck(**values),
        lambda: versions.redo_deck(**values),
        lambda: versions.restore_version(**values, number=1),
    ):
        with pytest.raises(DeckChanged, match="Nothing was overwritten") as refused:
            late()
        assert refused.value.extra == {"version": 2}
    deck.refresh_from_db()
    assert (deck.name, main(deck), numbers(deck)) == ("Embers", {CLAW: 3}, [1, 2])


@pytest.mark.parametrize(
    ("visibility", "refusal"), [("private", UnknownDeck), ("public", NotYourDeck)]
)
def test_only_the_owner_turns_back(
    make_deck: MakeDeck, stranger: User, visibility: str, refusal: type[Exception]
) -> None:
    deck = make_deck(visibility=visibility)
    change(deck, changes={CLAW: 1})
    values: dict[str, Any] = {"user": stranger, "slug": deck.slug}
    for tried in (
        lambda: versions.undo_deck(**values),
        lambda: versions.redo_deck(**values),
        lambda: versions.restore_version(**values, number=1),
        lambda: versions.name_version(**values, number=1, note="Mine"),
        lambda: services.change_cards(**values, section="main", changes={CLAW: 1}),
    ):
        with pytest.raises(refusal):
            tried()
    assert numbers(deck) == [1, 2]


# Whatever somebody does

NAMES = st.sampled_from(["", "Club evening", "Before the change"])
CHANGES = st.dictionaries(
    st.sampled_from([CLAW, FLAME, RED_7]), st.integers(-2, 2), min_size=1, max_size=2
)
STEPS = st.one_of(
    st.tuples(st.just("change"), CHANGES),
    st.tuples(st.just("type"), st.lists(st.sampled_from([CLAW, RED_7]), max_size=3)),
    st.tuples(st.just("mode"), st.sampled_from(["tournament", "match"])),
    st.tuples(st.just("undo"), st.none()),
    st.tuples(st.just("redo"), st.none()),
    st.tuples(st.just("restore"), st.integers(1, 8)),
    st.tuples(st.just("name"), st.tuples(st.integers(1, 8), NAMES)),
)


def take(deck: Deck, step: str, what: Any) -> None:
    values: dict[str, Any] = {"user": deck.owner, "slug": deck.slug}
    if step == "change":
        change(deck, changes=what)
    elif step == "type":
        services.update_deck(**values, text="# mine\n" + "\n".join(f"1 {card}" for card in what))
    elif step == "mode":
        services.update_deck(**values, mode=what)
    elif step == "undo":
        versions.undo_deck(**values)
    elif step == "redo":
        versions.redo_deck(**values)
    elif step == "restore":
        versions.restore_version(**values, number=what)
    else:
        versions.name_version(**values, number=what[0], note=what[1])


@pytest.mark.slow
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(STEPS, max_size=14))
def test_a_deck_is_always_the_version_it_points_to(
    make_deck: MakeDeck, owner: User, steps: list[tuple[str, Any]]
) -> None:
    Deck.objects.all().delete()
    deck = make_deck(text="2 Red Claw")
    for step, what in steps:
        deck.refresh_from_db()
        before, named = deck.version, set(deck.versions.exclude(note="").values_list("pk"))
        newest = max(numbers(deck))
        was = state(deck)
        try:
            take(deck, step, what)
        except (NoFurther, UnknownVersion):
            assert state(deck) == was
        deck.refresh_from_db()
        version = deck.versions.get(number=deck.version)
        assert state(deck) == (version.mode, version.typed, version.cards)
        if deck.typed:
            assert read_list(deck.typed, GAME).cards.get("main", {}) == main(deck)
        if step != "name":
            assert named <= set(deck.versions.exclude(note="").values_list("pk"))
        if deck.version > newest:
            # Something new: undo leads to what was before, and redo here again.
            now = state(deck)
            versions.undo_deck(user=owner, slug=deck.slug)
            deck.refresh_from_db()
            assert state(deck) == was
            versions.redo_deck(user=owner, slug=deck.slug)
            deck.refresh_from_db()
            assert state(deck) == now
        elif step in ("change", "type", "mode"):
            assert deck.version == before


def state(deck: Deck) -> tuple[str, str, dict[str, dict[str, int]]]:
    deck_row = Deck.objects.get(pk=deck.pk)
    return deck_row.mode, deck_row.typed, queries.decklist(deck_row)


# Several windows at once


@pytest.mark.django_db(transaction=True)
def test_clicks_from_several_windows_all_count(make_deck: MakeDeck) -> None:
    deck = make_deck()
    at_once(*[lambda: change(deck, changes={CLAW: 1})] * 6)
    deck.refresh_from_db()
    assert (main(deck), deck.version, numbers(deck)) == ({CLAW: 8}, 7, [1, 2, 3, 4, 5, 6, 7])


@pytest.mark.django_db(transaction=True)
def test_of_windows_that_expect_the_same_version_one_changes_it(make_deck: MakeDeck) -> None:
    deck = make_deck()
    done = at_once(*[lambda: change(deck, changes={CLAW: 1}, expected=1)] * 5)
    assert sum(isinstance(result, Deck) for result in done) == 1
    assert sum(isinstance(result, DeckChanged) for result in done) == 4
    assert main(deck) == {CLAW: 3}


# Modes with several sections


@pytest.mark.usefixtures("teams")
def test_a_new_mode_takes_the_cards_along(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(mode="teams", cards={"team": {CLAW: 2}, "planning": {CLAW: 1, RED_7: 3}})
    changed = services.update_deck(user=owner, slug=deck.slug, mode="tournament")
    assert queries.decklist(changed) == {"main": {CLAW: 3, RED_7: 3}}
    versions.undo_deck(user=owner, slug=deck.slug)
    deck.refresh_from_db()
    assert deck.mode == "teams"
    assert queries.decklist(deck) == {"team": {CLAW: 2}, "planning": {CLAW: 1, RED_7: 3}}


@pytest.mark.usefixtures("teams")
def test_a_new_mode_leaves_every_word_of_a_typed_list(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(mode="teams", text="2 Red Claw\n[planning]\n3 Red 7 # ours\n")
    changed = services.update_deck(user=owner, slug=deck.slug, mode="tournament")
    assert changed.typed == "2 Red Claw\n# [planning]\n3 Red 7 # ours\n"
    assert queries.decklist(changed) == {"main": {CLAW: 2, RED_7: 3}}


@pytest.mark.usefixtures("teams")
def test_a_fix_moves_cards_between_sections(make_deck: MakeDeck) -> None:
    deck = make_deck(mode="teams", text="2 Red Claw\n[planning]\n3 Red 7\n")
    moved = change(deck, section="planning", changes={RED_7: -2}, to="team")
    assert queries.decklist(moved) == {"team": {CLAW: 2, RED_7: 2}, "planning": {RED_7: 1}}
    assert moved.typed == "2 Red Claw\n2 Red 7\n[planning]\n1 Red 7\n"


# Reading


def test_two_lists_are_compared_card_by_card() -> None:
    before = {"main": {CLAW: 2, RED_7: 1}, "side": {FLAME: 1}}
    after = {"main": {CLAW: 1, RED_7: 1, FLAME: 1}}
    assert reads.compare(before, after) == [
        reads.Change("main", CLAW, 2, 1),
        reads.Change("main", FLAME, 0, 1),
        reads.Change("side", FLAME, 1, 0),
    ]
    assert reads.compare(before, before) == []


decklists = st.dictionaries(
    st.sampled_from(["main", "side"]),
    st.dictionaries(st.sampled_from([CLAW, FLAME, RED_7]), st.integers(1, 9)),
)


@given(decklists, decklists)
def test_what_differs_makes_one_list_of_the_other(
    before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]
) -> None:
    merged = {(section, card): n for section, part in before.items() for card, n in part.items()}
    for difference in reads.compare(before, after):
        assert difference.by
        merged[difference.section, difference.card] = (
            merged.get((difference.section, difference.card), 0) + difference.by
        )
    wanted = {(section, card): n for section, part in after.items() for card, n in part.items()}
    assert {key: n for key, n in merged.items() if n} == wanted


def test_a_history_says_what_each_version_changed(
    make_deck: MakeDeck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deck = make_deck()
    change(deck, changes={CLAW: -1, RED_7: 2})
    change(deck, changes={RED_7: 1})
    with django_assert_num_queries(1):
        history = reads.history(deck)
    listed = [
        [(change.title, change.change.by) for change in step.changes] for step in history.steps
    ]
    assert listed == [[("Red 7", 1)], [("Red Claw", -1), ("Red 7", 2)], []]
    assert [(step.size, step.since) for step in history.steps] == [(4, 2), (3, 1), (2, 0)]
    page = reads.history(deck, size=2)
    assert [step.version.number for step in page.steps] == [3, 2]
    assert page.steps[1].changes and page.earlier == 2
    assert [step.version.number for step in reads.history(deck, below=2).steps] == [1]
