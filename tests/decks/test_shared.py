"""Decks among people: copies with credit, likes, tags, and finding what others show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

import rules
from accounts.models import User
from accounts.services.guests import merge_guest
from accounts.services.profile import save_profile
from collection.models import Card
from collection.services.catalog import sync_catalog
from collection.signals import cards_renamed
from decks.database import search_index
from decks.errors import BadDeck, OwnDeck, TooManyDecks, UnknownDeck
from decks.models import Deck, DeckLike, tags
from decks.queries import decks as queries
from decks.queries import shared
from decks.queries.shared import DeckSearch, shared_decks, shared_page
from decks.services import decks as services
from decks.services import versions
from tests.games.examples import CLAW, EXAMPLE, GAME, OTHER_GAME, READY_CARDS, RED_7
from tests.support.races import at_once

MakeDeck = Callable[..., Deck]

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


# Copies


def test_a_copy_gives_credit(make_deck: MakeDeck, owner: User, stranger: User) -> None:
    deck = make_deck(
        text="# secret plan\n2 Red Claw", visibility="public", notes="Mine", tags=["red"]
    )
    copy = services.copy_deck(user=stranger, slug=deck.slug)
    assert (copy.owner, copy.name, copy.visibility) == (stranger, "Embers", "private")
    assert (copy.copied_from, copy.credit) == (deck, "Embers by mira")
    assert (copy.typed, copy.notes, copy.tags, copy.version) == ("", "", "", 1)
    assert queries.decklist(copy) == {"main": {CLAW: 2}}
    services.delete_deck(user=owner, slug=deck.slug)
    copy.refresh_from_db()
    assert (copy.copied_from, copy.credit) == (None, "Embers by mira")


def test_a_copy_of_ones_own_takes_everything_along(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(text="# plan\n2 Red Claw", notes="Mine", tags=["red"], name="x" * 80)
    copy = services.copy_deck(user=owner, slug=deck.slug)
    assert (copy.typed, copy.notes, copy.credit) == ("# plan\n2 Red Claw", "Mine", "")
    assert (copy.name, queries.deck_page(copy).tags) == ("x" * 73 + " (copy)", ["red"])
    assert services.copy_deck(user=owner, slug=deck.slug, name=" Other  one ").name == "Other one"


def test_what_may_not_be_seen_may_not_be_copied_or_liked(
    make_deck: MakeDeck, stranger: User
) -> None:
    deck = make_deck()
    with pytest.raises(UnknownDeck):
        services.copy_deck(user=stranger, slug=deck.slug)
    with pytest.raises(UnknownDeck):
        services.like_deck(user=stranger, slug=deck.slug, on=True)
    assert not DeckLike.objects.exists()


def test_copies_count_as_decks(
    make_deck: MakeDeck, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = make_deck()
    monkeypatch.setattr(services, "DECKS_A_PERSON", 1)
    with pytest.raises(TooManyDecks):
        services.copy_deck(user=owner, slug=deck.slug)


# Likes


def test_a_like_counts_once_and_can_be_taken_back(make_deck: MakeDeck, stranger: User) -> None:
    deck = make_deck(visibility="unlisted")
    for on, count in ((True, 1), (True, 1), (False, 0), (False, 0), (True, 1)):
        assert services.like_deck(user=stranger, slug=deck.slug, on=on).like_count == count
    deck.refresh_from_db()
    assert deck.like_count == DeckLike.objects.count() == 1


def test_nobody_likes_their_own_deck(make_deck: MakeDeck, owner: User) -> None:
    with pytest.raises(OwnDeck):
        services.like_deck(user=owner, slug=make_deck(visibility="public").slug, on=True)


@pytest.mark.django_db(transaction=True)
def test_likes_count_right_when_many_come_at_once(make_deck: MakeDeck, owner: User) -> None:
    deck = make_deck(visibility="public")
    people = [User.objects.create_user(f"person-{n}") for n in range(3)]

    def like(user: User) -> Callable[[], Deck]:
        return lambda: services.like_deck(user=user, slug=deck.slug, on=True)

    def change() -> Deck:
        values: dict[str, Any] = {"user": owner, "slug": deck.slug, "section": "main"}
        return services.change_cards(**values, changes={CLAW: 1})

    done = at_once(*[like(user) for user in people for _ in range(2)], change, change)
    assert not [result for result in done if isinstance(result, Exception)]
    deck.refresh_from_db()
    assert deck.like_count == DeckLike.objects.count() == 3


def test_a_guest_who_logs_in_keeps_the_likes(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True)
    both, theirs, guests = (make_deck(visibility="public") for _ in range(3))
    Deck.objects.filter(pk=guests.pk).update(owner=guest)
    for user, deck in ((guest, both), (stranger, both), (guest, theirs), (stranger, guests)):
        services.like_deck(user=user, slug=deck.slug, on=True)
    merge_guest(guest=guest, user=stranger)
    counts = {deck.pk: deck.like_count for deck in Deck.objects.all()}
    # A deck that has become one's own is liked no longer.
    assert counts == {both.pk: 1, theirs.pk: 1, guests.pk: 0}
    assert set(DeckLike.objects.values_list("user", "deck")) == {
        (stranger.pk, both.pk),
        (stranger.pk, theirs.pk),
    }


# Notes and tags


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("", []),
        (" Quick,  RED  deck ,#quick", ["quick", "red deck"]),
        (",,;\n", []),
        ("Straße", ["strasse"]),
    ],
)
def test_tags_have_one_form(typed: str, read: list[str]) -> None:
    assert tags.read_tags(typed) == read


@given(st.lists(st.text(max_size=20), max_size=6))
def test_what_is_kept_of_tags_reads_back(typed: list[str]) -> None:
    read = tags.read_tags(",".join(typed))
    assert tags.of(tags.stored(read)) == read
    assert tags.read_tags(",".join(read)) == read
    for tag in read:
        assert tags.asked(tag) in tags.stored(read)


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"tags": [f"tag {n}" for n in range(11)]}, "tags"),
        ({"tags": ["x" * 19]}, "tags"),
        ({"notes": "x" * 4001}, "notes"),
        ({"notes": "a\0b"}, "notes"),
    ],
)
def test_notes_and_tags_have_their_limits(
    make_deck: MakeDeck, owner: User, about: dict[str, Any], field: str
) -> None:
    deck = make_deck(notes="x" * 4000, tags=[f"{n}" * 18 for n in range(10)])
    with pytest.raises(BadDeck) as refused:
        services.update_deck(user=owner, slug=deck.slug, **about)
    assert refused.value.field == field
    deck.refresh_from_db()
    assert len(deck.notes) == 4000 and len(queries.deck_page(deck).tags) == 10


# Finding


def names(**wish: str) -> list[str]:
    return [page.deck.name for page in shared_page(DeckSearch(**wish)).pages]


def test_public_decks_are_found_by_what_they_are(make_deck: MakeDeck, stranger: User) -> None:
    make_deck(name="Embers", visibility="public", tags=["quick"])
    make_deck(name="Slow burn", visibility="public", mode="match", cards={"main": {RED_7: 1}})
    make_deck(name="Otto’s", visibility="public", owner=stranger, tags=["quickest"], cards={})
    make_deck(name="Embers unlisted", visibility="unlisted", tags=["quick"])
    make_deck(name="Embers private", tags=["quick"])
    assert names() == ["Otto’s", "Slow burn", "Embers"]
    assert names(words="embers") == ["Embers"]
    assert names(words="red claw") == ["Embers"]
    assert names(words="MIRA") == ["Slow burn", "Embers"]
    assert names(words="mira quick") == ["Embers"]
    assert names(tag="quick") == ["Embers"]
    assert names(tag="Quickest") == ["Otto’s"]
    assert names(tag="a,b") == []
    assert names(mode="match") == ["Slow burn"]
    assert names(game=OTHER_GAME) == []
    assert names(words="\0 embers") == ["Embers"]


def test_short_words_begin_a_word_and_single_signs_are_one(make_deck: MakeDeck) -> None:
    make_deck(name="Embers", visibility="public", cards={"main": {RED_7: 1}})
    make_deck(name="Œuf d’été (2.0)", visibility="public", cards={}, tags=["no 71 luck"])
    assert names(words="7") == ["Embers"]
    assert names(words="em") == ["Embers"]
    assert names(words="ers") == ["Embers"]
    assert names(words="rs") == []
    assert names(words="ETE") == ["Œuf d’été (2.0)"]
    assert names(words="2.0 (luck)") == ["Œuf d’été (2.0)"]
    assert names(words="71") == ["Œuf d’été (2.0)"]
    assert names(words="%") == names(words="\"'*") == []
    assert names(words=" ") == names()


@pytest.mark.parametrize("few", [0, 2000])
def test_many_decks_are_found_like_few(
    make_deck: MakeDeck, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(shared, "FEW", few)
    for number in range(3):
        make_deck(name=f"Embers {number}", visibility="public", tags=["quick", f"n{number}"])
    make_deck(name="Embers private", tags=["quick"])
    make_deck(name="Embers shared", visibility="public", mode="match", tags=["quick"])
    make_deck(name="Other", visibility="public", tags=["quicker"])
    three = ["Embers 2", "Embers 1", "Embers 0"]
    assert names(words="embers", mode="tournament") == three
    assert names(words="embers", game=GAME, mode="tournament", sort="likes") == three
    assert names(words="embers", tag="quick") == ["Embers shared", *three]
    assert names(tag="quick", mode="match") == ["Embers shared"]
    assert names(words="embers", tag="n1") == ["Embers 1"]
    assert names(words="red claw", game=OTHER_GAME) == []
    page = shared_page(DeckSearch(words="embers"), size=2)
    assert [row.deck.name for row in page.pages] == ["Embers shared", "Embers 2"]
    after = shared_page(DeckSearch(words="embers"), page.after, size=2)
    assert [row.deck.name for row in after.pages] == ["Embers 1", "Embers 0"]


def test_a_deck_is_found_by_what_it_is_now(
    make_deck: MakeDeck, owner: User, stranger: User
) -> None:
    deck = make_deck(name="Embers", cards={"main": {RED_7: 1}})
    about: dict[str, Any] = {"user": owner, "slug": deck.slug}
    assert names(words="embers") == []
    services.update_deck(**about, visibility="public")
    assert names(words="embers") == ["Embers"]
    services.change_cards(**about, section="main", changes={CLAW: 1})
    assert names(words="claw") == ["Embers"]
    versions.undo_deck(**about)
    assert names(words="claw") == []
    versions.redo_deck(**about)
    assert names(words="claw") == ["Embers"]
    services.update_deck(**about, name="Cinders", tags=["slow"])
    assert (names(words="embers"), names(words="slow")) == ([], ["Cinders"])
    save_profile(user=owner, display_name="Zoë", theme=owner.theme)
    assert (names(words="mira"), names(words="zoe")) == ([], ["Cinders"])
    services.update_deck(**about, visibility="unlisted")
    assert names(words="cinders") == names(words="zoe") == []
    deck.refresh_from_db()
    assert deck.words == ""


@pytest.fixture
def rename(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give cards other names, as an update does."""

    def rename(**names: str) -> None:
        catalog = dict(EXAMPLE.catalog)
        for slug, name in names.items():
            catalog[slug] = replace(catalog[slug], name=name, title=name)
        renamed = replace(EXAMPLE)
        vars(renamed)["catalog"] = catalog
        games = dict(rules.games()) | {GAME: renamed}
        monkeypatch.setattr(rules, "games", lambda: games)

    return rename


def test_a_deck_is_found_by_the_new_title_of_a_card(
    make_deck: MakeDeck, rename: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "DECKS_AT_ONCE", 2)
    holding = [f"Holds {number}" for number in range(5)]
    for name in holding:
        make_deck(name=name, visibility="public")
    private = make_deck(name="Hidden")
    make_deck(name="Without", visibility="public", cards={"main": {RED_7: 1}})
    rename(**{CLAW: "Pincer"})
    sync_catalog()
    assert sorted(names(words="pincer")) == holding
    assert names(words="claw") == []
    private.refresh_from_db()
    assert private.words == ""


def test_new_titles_reach_decks_although_an_update_was_interrupted(
    make_deck: MakeDeck, rename: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_deck(visibility="public")
    rename(**{CLAW: "Pincer"})
    with monkeypatch.context() as broken:
        broken.setattr(versions, "_words", lambda *about: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sync_catalog()
    assert Card.objects.get(slug=CLAW).title == "Red Claw"
    sync_catalog()
    assert names(words="pincer") == ["Embers"]


def test_new_titles_are_written_in_few_queries(
    make_deck: MakeDeck, rename: Callable[..., None], catalog: None
) -> None:
    for number in range(12):
        make_deck(name=f"Holds {number}", visibility="public")
    rename(**{CLAW: "Pincer"})
    keys = list(Card.objects.filter(slug=CLAW).values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as queries_made:
        cards_renamed.send(sender=Card, cards=keys)
    assert len(names(words="pincer")) == 12
    assert len(queries_made) <= 6


def test_a_guest_who_logs_in_is_found_by_the_account_s_name(
    make_deck: MakeDeck, stranger: User
) -> None:
    guest = User.objects.create_user("guest-1", is_guest=True, display_name="Amber Heron")
    make_deck(owner=guest, visibility="public")
    assert names(words="heron") == ["Embers"]
    merge_guest(guest=guest, user=stranger)
    assert (names(words="heron"), names(words="otto")) == ([], ["Embers"])


def test_what_operators_change_is_found_too(make_deck: MakeDeck, admin_client: Client) -> None:
    deck = make_deck(visibility="public")
    form = {"name": "Tidy", "owner": deck.owner_id, "game": GAME, "mode": "tournament"}
    lines = {"entries-TOTAL_FORMS": "0", "entries-INITIAL_FORMS": "0"}
    address = f"/admin/decks/deck/{deck.pk}/change/"
    answer = admin_client.post(address, form | lines | {"visibility": "public"})
    assert answer.status_code == 302, answer.content.decode()
    assert (names(words="embers"), names(words="tidy")) == ([], ["Tidy"])


@pytest.mark.skipif(connection.vendor != "sqlite", reason="Triggers are SQLite's.")
def test_what_was_written_without_the_index_is_read_when_it_is_made(make_deck: MakeDeck) -> None:
    make_deck(visibility="public")
    with connection.cursor() as cursor:
        for end in ("new", "gone", "other"):
            cursor.execute(f"DROP TRIGGER decks_deck_search_{end}")
        make_deck(name="Late", visibility="public")
        cursor.execute("DROP TABLE decks_deck_search")
    search_index.TRIGRAMS.ensure(connection)
    assert names(words="late") == ["Late"]
    assert names(words="claw") == ["Late", "Embers"]
    with CaptureQueriesContext(connection) as queries:
        search_index.TRIGRAMS.ensure(connection)
    assert len(queries) == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="The index is PostgreSQL's.")
@pytest.mark.parametrize(
    "wish", [DeckSearch(words="embers"), DeckSearch(tag="quick")], ids=["word", "tag"]
)
def test_words_and_tags_are_found_along_the_index(make_deck: MakeDeck, wish: DeckSearch) -> None:
    deck = make_deck(visibility="public", tags=["quick"])
    about = {"owner": deck.owner, "game": GAME, "mode": "match", "visibility": "public"}
    Deck.objects.bulk_create(
        Deck(**about, name="Other", words=f" other {n} {'x' * 200} ", tags=",slow,")
        for n in range(2000)
    )
    with connection.cursor() as cursor, CaptureQueriesContext(connection) as queries:
        cursor.execute("SELECT gin_clean_pending_list('decks_deck_search')")
        cursor.execute("ANALYZE decks_deck; SET LOCAL enable_seqscan = off")
        assert [row.name for row in shared_decks(wish)] == ["Embers"]
        cursor.execute(f"EXPLAIN {queries.captured_queries[-2]['sql']}")
        assert "Bitmap Index Scan on decks_deck_search" in str(cursor.fetchall())


@pytest.mark.parametrize("sort", ["newest", "likes"])
def test_pages_show_every_deck_once_in_order(make_deck: MakeDeck, sort: str) -> None:
    decks = [make_deck(name=f"{n}", visibility="public", cards={}) for n in range(7)]
    for deck, likes in zip(decks, [1, 0, 2, 1, 1, 0, 3], strict=True):
        Deck.objects.filter(pk=deck.pk).update(like_count=likes)
    # Equal in everything but their keys
    Deck.objects.filter(name__in="345").update(changed=decks[3].changed)
    seen, after = [], ""
    for _ in range(10):
        page = shared_page(DeckSearch(sort=sort), after, size=2)
        seen += [item.deck for item in page.pages]
        after = page.after
        if not after:
            break
    assert len(seen) == len({deck.pk for deck in seen}) == 7

    def place(deck: Deck) -> tuple[Any, int]:
        return (deck.changed if sort == "newest" else deck.like_count, deck.pk)

    assert all(place(this) > place(other) for this, other in pairwise(seen))


@pytest.mark.parametrize("mark", ["x", "1", "1.", f"{10**17}.1", "-1.5", "9" * 40 + ".1"])
def test_a_mark_that_is_none_begins_at_the_beginning(
    make_deck: MakeDeck, client: Client, mark: str
) -> None:
    make_deck(visibility="public")
    assert client.get("/decks/shared/", {"after": mark}).status_code == 200


def test_finding_takes_the_same_number_of_queries_however_many_there_are(
    make_deck: MakeDeck, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_deck(visibility="public")
    with django_assert_num_queries(4):
        shared_page(DeckSearch(words="red", sort="likes"))
    for _ in range(4):
        make_deck(visibility="public", cards=READY_CARDS)
    with django_assert_num_queries(4):
        assert len(shared_page(DeckSearch(words="red", sort="likes")).pages) == 5


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL reads small tables whole.")
@pytest.mark.parametrize("words", ["", "embers"])
@pytest.mark.parametrize(
    ("play", "end"),
    [({}, ""), ({"game": GAME}, "_by_game"), ({"game": GAME, "mode": "match"}, "_by_mode")],
    ids=["all", "game", "mode"],
)
@pytest.mark.parametrize(
    ("sort", "column", "index"),
    [("newest", "changed", "deck_public"), ("likes", "like_count", "deck_liked")],
)
def test_the_shelf_is_read_along_an_index(
    make_deck: MakeDeck,
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    column: str,
    index: str,
    play: dict[str, str],
    end: str,
    words: str,
) -> None:
    monkeypatch.setattr(shared, "FEW", 0)
    make_deck(visibility="public", mode="match")
    wish = DeckSearch(words=words, sort=sort, **play)
    plan = shared_decks(wish).order_by(f"-{column}", "-pk")[:24].explain()
    index += end
    assert f"USING INDEX {index}" in plan
    assert "TEMP B-TREE" not in plan


# Pages


@pytest.fixture
def otto(client: Client, stranger: User) -> Client:
    client.force_login(stranger)
    return client


def test_a_visitor_likes_and_copies_as_a_guest(make_deck: MakeDeck, client: Client) -> None:
    deck = make_deck(visibility="public")
    address = deck.get_absolute_url()
    assertRedirects(client.post(address + "like/", {"on": "1"}), address)
    assertContains(client.get(address), 'aria-pressed="true"')
    answer = client.post(address + "copy/")
    copy = Deck.objects.get(copied_from=deck)
    assertRedirects(answer, copy.get_absolute_url())
    assert copy.owner.is_guest
    assertContains(client.get(copy.get_absolute_url()), f'<a href="{address}">Embers by mira</a>')
    client.post(address + "like/", {"on": "0"})
    deck.refresh_from_db()
    assert deck.like_count == 0


def test_nobody_becomes_a_guest_for_a_deck_that_is_hidden(
    make_deck: MakeDeck, client: Client
) -> None:
    address = make_deck().get_absolute_url()
    for end in ("like/", "copy/"):
        assert client.post(address + end).status_code == 404
    assert not User.objects.filter(is_guest=True).exists()


def test_a_credit_leads_nowhere_hidden(make_deck: MakeDeck, owner: User, otto: Client) -> None:
    deck = make_deck(visibility="public")
    otto.post(deck.get_absolute_url() + "copy/")
    services.update_deck(user=owner, slug=deck.slug, visibility="private")
    body = otto.get(Deck.objects.get(copied_from=deck).get_absolute_url())
    assert "Cloned from Embers by mira." in " ".join(body.text.split())
    assertNotContains(body, deck.get_absolute_url())


def test_the_owner_says_what_a_deck_is(make_deck: MakeDeck, client: Client, owner: User) -> None:
    deck = make_deck()
    client.force_login(owner)
    address = deck.get_absolute_url()
    form = {"visibility": "public", "tags": "Quick, red", "notes": "For <b>clubs</b>\r\n\r\nBold"}
    assertRedirects(client.post(address + "about/", form), address)
    body = client.get(address)
    assertContains(body, "<p>For &lt;b&gt;clubs&lt;/b&gt;</p>")
    assertContains(body, "?tag=quick")
    assertContains(body, f'value="http://testserver{address}"')
    assert Deck.objects.get().tags == ",quick,red,"
    assert deck.versions.count() == 1
    wrong = form | {"tags": ",".join(map(str, range(11))), "notes": "Keep this"}
    answer = client.post(address + "about/", wrong)
    assertContains(answer, "A deck can have up to 10 tags, not 11.", status_code=422)
    assertContains(answer, "Keep this", status_code=422)
    assert Deck.objects.get().tags == ",quick,red,"


def test_my_decks_with_a_tag(make_deck: MakeDeck, client: Client, owner: User) -> None:
    make_deck(name="Embers", tags=["quick"])
    make_deck(name="Slow burn", tags=["slow"])
    client.force_login(owner)
    answer = client.get("/decks/", {"tag": "QUICK"})
    assertContains(answer, "Embers")
    assertNotContains(answer, "Slow burn")
    assertContains(answer, '<a class="chip" href="?tag=slow">slow</a>')
    assertContains(client.get("/decks/", {"tag": "none"}), "No decks tagged “none”")


def test_the_shelf_is_searched(make_deck: MakeDeck, client: Client) -> None:
    make_deck(name="Embers", visibility="public", tags=["quick"])
    make_deck(name="Slow burn", visibility="public", mode="match")
    answer = client.get("/decks/shared/", {"q": "embers", "play": f"{GAME}/tournament"})
    assertContains(answer, "Embers")
    assertNotContains(answer, "Slow burn")
    assertContains(client.get("/decks/shared/", {"play": GAME}), "Slow burn")
    assertContains(client.get("/decks/shared/", {"play": "nonsense", "sort": "x"}), "Slow burn")
    assertContains(client.get("/decks/shared/", {"tag": "unicorns"}), "No decks found")


def test_an_empty_shelf_says_so(client: Client, db: None) -> None:
    assertContains(client.get("/decks/shared/"), "No public decks yet")


def test_a_print_takes_the_whole_deck(make_deck: MakeDeck, client: Client, owner: User) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1}})
    client.force_login(owner)
    lines = f"2 {GAME}/{CLAW}\n1 {GAME}/{RED_7}"
    assertContains(client.get(deck.get_absolute_url()), f'value="{lines}"')


@pytest.mark.usefixtures("teams")
def test_sections_are_shown_in_the_order_of_the_mode(
    make_deck: MakeDeck, client: Client, owner: User
) -> None:
    deck = make_deck(mode="teams", cards={"combat": {RED_7: 1}, "team": {CLAW: 2}})
    client.force_login(owner)
    body = client.get(deck.get_absolute_url()).content.decode()
    assert 0 < body.index("Team <span") < body.index("Combat <span")
    assert '<h3 class="deck-heading" id="combat-kind-1">Power' in body
    services.change_cards(user=owner, slug=deck.slug, section="combat", changes={CLAW: 1})
    history = client.get(deck.get_absolute_url() + "history/")
    assertContains(history, 'Red Claw <span class="faint">Combat</span>')


def test_a_deck_whose_mode_has_gone_still_shows(make_deck: MakeDeck, client: Client) -> None:
    deck = make_deck(visibility="public")
    deck.entries.update(section="side")
    for mode in ("tournament", "gone"):
        Deck.objects.update(mode=mode)
        answer = client.get(deck.get_absolute_url())
        assertContains(answer, "no longer supported")
        assertContains(client.get("/decks/shared/"), "Not checked")


def test_undo_and_redo_by_buttons(make_deck: MakeDeck, client: Client, owner: User) -> None:
    deck = make_deck()
    services.change_cards(user=owner, slug=deck.slug, section="main", changes={CLAW: 1})
    client.force_login(owner)
    address = deck.get_absolute_url()
    assertRedirects(client.post(address + "undo/", {"expected": "2"}), address)
    assert queries.decklist(deck) == {"main": {CLAW: 2}}
    late = client.post(address + "redo/", {"expected": "2"}, follow=True)
    assertContains(late, "was changed in another window")
    assert queries.decklist(deck) == {"main": {CLAW: 2}}
    back = client.post(address + "redo/", {"back": "history"})
    assertRedirects(back, address + "history/")
    assert queries.decklist(deck) == {"main": {CLAW: 3}}
    assertContains(client.post(address + "redo/", follow=True), "Nothing to redo")


def test_the_history_page(
    make_deck: MakeDeck,
    client: Client,
    owner: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    deck = make_deck()
    client.force_login(owner)
    address = deck.get_absolute_url() + "history/"
    client.get(address)
    for by in (1, 1, -2):
        services.change_cards(user=owner, slug=deck.slug, section="main", changes={CLAW: by})
    with django_assert_num_queries(6):
        assertContains(client.get(address), '<span class="change-count change-gone">−2</span>')
    answer = client.post(deck.get_absolute_url() + "restore/", {"version": "2"}, follow=True)
    assertContains(answer, "Restored version 2.")
    assertRedirects(client.post(address + "2/", {"note": "Three claws"}), address)
    assertContains(client.get(address), "Version 2: Three claws")
    wrong = client.post(address + "2/", {"note": "x" * 121})
    assertContains(wrong, "up to 120 characters", status_code=422)
    assertContains(wrong, "x" * 121, status_code=422)
    assert client.post(address + f"{10**30}/", {"note": "x"}).status_code == 404
    for version in ("", "x", "99", "9" * 30):
        sent = client.post(deck.get_absolute_url() + "restore/", {"version": version})
        assert sent.status_code == 404


def test_two_versions_beside_each_other(make_deck: MakeDeck, client: Client, owner: User) -> None:
    deck = make_deck(cards={"main": {CLAW: 2, RED_7: 1}})
    services.change_cards(user=owner, slug=deck.slug, section="main", changes={CLAW: -2})
    client.force_login(owner)
    address = deck.get_absolute_url() + "compare/"
    answer = client.get(address, {"a": 1, "b": 2})
    assertContains(answer, '<span class="change-count change-gone">−2</span>')
    assertContains(answer, "1 unchanged card")
    assertContains(client.get(address, {"a": 2}), "both have the same 1 card.")
    for query in ({"a": "9"}, {"a": "x"}, {"b": "1"}, {"a": "1", "b": "9" * 9}):
        assert client.get(address, query).status_code == 404


def test_two_decks_beside_each_other(
    make_deck: MakeDeck, otto: Client, stranger: User, catalog: None
) -> None:
    deck = make_deck(visibility="public")
    own = make_deck(name="Otto’s", owner=stranger, cards={"main": {RED_7: 1}})
    other = make_deck(name="Crabs", owner=stranger, game=OTHER_GAME, mode="battle", cards={})
    address = deck.get_absolute_url() + "compare/"
    assertContains(otto.get(address), f'<option value="{own.slug}">')
    assertContains(otto.get(address, {"other": own.slug}), "Embers and Otto’s")
    assert otto.get(address, {"other": other.slug}).status_code == 422
    assert otto.get(address, {"other": make_deck().slug}).status_code == 404


PAGES = ["history/", "compare/?a=1&b=1", "undo/", "redo/", "restore/", "about/", "history/1/"]


@pytest.mark.parametrize("visitor", ["anonymous", "stranger", "owner"])
@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_who_may_look_back(
    client: Client, make_deck: MakeDeck, owner: User, stranger: User, visibility: str, visitor: str
) -> None:
    deck = make_deck(visibility=visibility)
    if visitor != "anonymous":
        client.force_login({"owner": owner, "stranger": stranger}[visitor])
    hidden = visibility == "private" and visitor != "owner"
    refused = 404 if hidden else 403
    form = {"version": "1", "note": "First", "visibility": visibility}
    for page in PAGES:
        address = deck.get_absolute_url() + page
        read = page.startswith(("history/", "compare/")) and page != "history/1/"
        answer = client.get(address) if read else client.post(address, form)
        expected = (200 if read else 302) if visitor == "owner" else refused
        assert answer.status_code == expected, page
        if not read:
            assert client.get(address).status_code == 405, page
    compare = client.get(deck.get_absolute_url() + "compare/")
    assert compare.status_code == (404 if hidden else 200)
