"""Comments on decks: who writes, reads and removes them; what moderators do; what goes along."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains
from rest_framework.test import APIClient

from accounts.data_export import archive
from accounts.errors import (
    Blocked,
    MayNotWrite,
    MembersOnly,
    NotYourself,
    TooManyReports,
    TooMuchTalk,
)
from accounts.models import BlockKind, User
from accounts.services.account_deletion import finish_closing
from accounts.services.blocks import ban_writing, block
from accounts.services.guests import create_guest
from collection.drawing.sharing import felt
from collection.errors import TooMany, Unacceptable
from core.errors import NotAllowed
from decks.drawing import preview
from decks.drawing.lettering import in_pieces
from decks.errors import UnknownComment, UnknownDeck
from decks.models import CommentReport, Deck, DeckComment
from decks.queries import comments as queries
from decks.services import comments as services
from decks.services import decks
from notices.kinds import Kind
from notices.models.notices import Notice
from tests.games.examples import CLAW, GAME

MakeDeck = Callable[..., Deck]
pytestmark = pytest.mark.django_db


@pytest.fixture
def deck(make_deck: MakeDeck) -> Deck:
    return make_deck(visibility="public", notes="Open with [[Red Claw]].")


def say(deck: Deck, user: User, text: str = "Well built.") -> DeckComment:
    DeckComment.objects.update(at=timezone.now() - timedelta(minutes=2))
    return services.comment(deck=deck, user=user, text=text)


def read(deck: Deck, user: User) -> list[str]:
    return [shown_comment.text for shown_comment in queries.page(deck, user)[0].comments]


def in_browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_comment_is_shown_and_its_owner_told(deck: Deck, owner: User, stranger: User) -> None:
    page, browser = deck.get_absolute_url(), in_browser(stranger)
    for _ in range(2):  # a double click
        sent = {"text": " [[Red Claw]]\x07 \n\nis <b>weak</b>. ", "csrfmiddlewaretoken": "page"}
        assert browser.post(f"{page}comments/", sent).url == f"{page}#comments"
    body = Client().get(page)
    assertContains(body, f'href="/cards/{GAME}/{CLAW}/"', count=3)  # the list, notes, comment
    assertContains(body, "<p>is &lt;b&gt;weak&lt;/b&gt;.</p>", count=1, html=True)
    assertContains(body, "Log in to comment.")
    (notice,) = Notice.objects.filter(kind=Kind.DECK_COMMENT)
    assert (notice.person, notice.link) == (owner, f"{page}#comments")
    say(deck, owner, f"@{stranger.username} I know.")
    assert Notice.objects.filter(kind=Kind.DECK_COMMENT, person=stranger).count() == 1
    assert Notice.objects.filter(kind=Kind.DECK_COMMENT, person=owner).count() == 1
    services.remove(deck=deck, user=owner, pk=DeckComment.objects.earliest("pk").pk)
    assert not Notice.objects.open().filter(person=owner, kind=Kind.DECK_COMMENT).exists()


def test_limits(deck: Deck, owner: User, stranger: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("", " \n\x00 ", "\u200b\u2060", "x" * 2001):
        with pytest.raises(Unacceptable):
            say(deck, stranger, text)
    refused = in_browser(stranger).post(f"{deck.get_absolute_url()}comments/", {"text": "y" * 2001})
    assertContains(refused, "yours has 2,001", status_code=422)
    assertContains(refused, "y" * 2001, status_code=422)
    for _ in range(services.COMMENTS_A_MINUTE):
        services.comment(deck=deck, user=stranger, text="Quick.")
    with pytest.raises(TooMuchTalk):
        services.comment(deck=deck, user=stranger, text="Too quick.")
    monkeypatch.setattr(services, "COMMENTS_A_PERSON", services.COMMENTS_A_MINUTE)
    with pytest.raises(TooMany):
        say(deck, stranger)
    with pytest.raises(MembersOnly):
        say(deck, create_guest(address="192.0.2.1"))
    ban_writing(user=owner, days=1, by=None)
    with pytest.raises(MayNotWrite):
        say(deck, owner)
    assertContains(in_browser(owner).get(deck.get_absolute_url()), "are muted")


def test_whom_the_owner_has_blocked_says_nothing_and_readers_choose(
    deck: Deck, owner: User, stranger: User
) -> None:
    ines = User.objects.create_user("ines")
    say(deck, stranger, "from a stranger")
    say(deck, ines, "from Ines")
    block(user=ines, username=stranger.username, kind=BlockKind.CHAT)
    assert read(deck, ines) == ["from Ines"]
    assert read(deck, owner) == ["from a stranger", "from Ines"]
    say(deck, stranger, "@ines hello")
    assert not Notice.objects.filter(person=ines).exists()
    block(user=owner, username=stranger.username, kind=BlockKind.ALL)
    with pytest.raises(Blocked):
        say(deck, stranger)
    assertContains(in_browser(stranger).get(deck.get_absolute_url()), "You can’t comment on this")
    assert read(deck, owner) == ["from Ines"]


def test_a_private_deck_has_none(deck: Deck, owner: User, stranger: User) -> None:
    say(deck, stranger, "Seen by all.")
    decks.update_deck(user=owner, slug=deck.slug, visibility="private")
    deck.refresh_from_db()
    assert read(deck, owner) == []
    assertNotContains(in_browser(owner).get(deck.get_absolute_url()), "Comments")
    with pytest.raises(UnknownDeck):
        say(deck, owner)
    assert in_browser(stranger).post(f"{deck.get_absolute_url()}comments/").status_code == 404
    decks.update_deck(user=owner, slug=deck.slug, visibility="unlisted")
    deck.refresh_from_db()
    assert read(deck, stranger) == ["Seen by all."]
    decks.delete_deck(user=owner, slug=deck.slug)
    assert not DeckComment.objects.exists()


def test_who_removes(deck: Deck, owner: User, stranger: User) -> None:
    ines = User.objects.create_user("ines")
    mine, other = say(deck, stranger, "one"), say(deck, stranger, "two")
    with pytest.raises(NotAllowed):
        services.remove(deck=deck, user=ines, pk=mine.pk)
    services.remove(deck=deck, user=stranger, pk=mine.pk)
    services.remove(deck=deck, user=stranger, pk=mine.pk)
    path = f"{deck.get_absolute_url()}comments/{other.pk}/"
    assert in_browser(ines).post(path).status_code == 403
    assert in_browser(owner).post(path).status_code == 302
    assert not DeckComment.objects.exists()


def test_reports_and_what_moderators_do(
    deck: Deck, owner: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("olga", is_staff=True, is_superuser=True)
    say(deck, owner, "Hello.")
    rude = say(deck, stranger, "You build like a wet towel.")
    path = f"{deck.get_absolute_url()}comments/{rude.pk}/report/"
    browser = in_browser(owner)
    assertContains(browser.get(path), "wet towel")
    assert browser.post(path, {"why": ""}).status_code == 422
    for _ in range(2):
        done = browser.post(path, {"why": "Rude."}, follow=True)
        assertContains(done, "The moderators will review it")
    report = CommentReport.objects.get()
    assert [row["text"] for row in report.context] == ["Hello.", rude.text]
    with pytest.raises(NotYourself):
        services.report(deck=deck, user=stranger, pk=rude.pk, why="x")
    with pytest.raises(UnknownComment):
        services.report(deck=deck, user=owner, pk=rude.pk + 99, why="x")
    monkeypatch.setattr("accounts.services.moderation.REPORTS_A_DAY", 1)
    with pytest.raises(TooManyReports):
        services.report(deck=deck, user=owner, pk=say(deck, stranger, "Again.").pk, why="x")
    olga = User.objects.get(username="olga")
    assert olga.notices.get().link == f"/admin/decks/commentreport/{report.pk}/change/"
    staff = in_browser(olga)
    assertContains(staff.get("/admin/decks/commentreport/"), "wet towel")
    change = f"/admin/decks/commentreport/{report.pk}/change/"
    assertContains(staff.get(change), "Hello.")
    decided = {"state": "acted", "note": "Told them.", "hide": "on", "mute_days": "7"}
    assertContains(staff.post(change, decided | {"state": "open"}), "Choose “Acted upon”")
    assert staff.post(change, decided).status_code == 302
    assert read(deck, owner) == ["Hello.", "Again."]
    with pytest.raises(MayNotWrite):
        say(deck, stranger)
    staff.post(change, {"state": "dismissed", "note": "", "mute_days": "0"})
    assert rude.text in read(deck, owner), "what was hidden can be shown again"
    services.remove(deck=deck, user=owner, pk=rude.pk)
    report.refresh_from_db()
    assert report.comment is None and report.context[1]["text"] == rude.text


def test_they_are_downloaded_and_deleted_with_their_writer(
    deck: Deck, owner: User, stranger: User
) -> None:
    say(deck, stranger, "Mine.")
    file = zipfile.ZipFile(io.BytesIO(b"".join(archive(stranger))))
    (row,) = json.loads(file.read("deck_comments.json"))
    assert (row["slug"], row["text"]) == (deck.slug, "Mine.")
    stranger.deleted_at = timezone.now()
    stranger.save()
    finish_closing(user=stranger)
    assert read(deck, owner) == []


def test_by_api(deck: Deck, owner: User, stranger: User) -> None:
    theirs, mine, nobody = APIClient(), APIClient(), APIClient()
    theirs.force_authenticate(stranger)
    mine.force_authenticate(owner)
    path = f"/api/decks/{deck.slug}/comments/"
    for _ in range(2):
        sent = {"text": "Nice."}
        answer = theirs.post(path, sent, format="json", headers={"Idempotency-Key": "one"})
        assert answer.status_code == 201 and answer.json()["may_remove"]
    listed = nobody.get(path).json()
    assert [listed_comment["text"] for listed_comment in listed["comments"]] == [
        "Nice."
    ] and listed["count"] == 1
    assert listed["silent"].startswith("Log in")
    pk = listed["comments"][0]["id"]
    assert nobody.post(path, {"text": "x"}, format="json").status_code == 401
    assert theirs.post(path, {"text": "x" * 2001}, format="json").status_code == 400
    report = mine.post(f"{path}{pk}/report/", {"reason": "Rude."}, format="json")
    assert report.status_code == 200 and report.json()["id"] == CommentReport.objects.get().pk
    assert theirs.post(f"{path}{pk}/report/", {"reason": "x"}, format="json").status_code == 422
    assert mine.delete(f"{path}{pk}/").status_code == 204
    decks.update_deck(user=owner, slug=deck.slug, visibility="private")
    assert theirs.get(path).status_code == 404 and mine.get(path).json()["comments"] == []


@pytest.mark.usefixtures("contexts")
def test_pages_of_comments_in_as_many_queries(
    deck: Deck, stranger: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rows = [DeckComment(deck=deck, author=stranger, text=f"No. {n}.") for n in range(45)]
    DeckComment.objects.bulk_create(rows)
    browser = in_browser(stranger)
    with django_assert_max_num_queries(30):
        page = browser.get(deck.get_absolute_url())
    assertContains(page, "No. 44.")
    assertNotContains(page, "No. 14.")
    earlier = browser.get(f"{deck.get_absolute_url()}?before={page.context['said'].earlier}")
    assertContains(earlier, "No. 14.")
    assertNotContains(earlier, "No. 15.")
    assertContains(earlier, "Latest comments")
    assertNotContains(page, "Latest comments")


def test_a_link_s_picture_has_letters_for_every_name() -> None:
    has = partial(preview._has, "serif", 700)
    parts = in_pieces("Déck 龍 ㍿ \u202eمر 🎉", has)
    assert [(file and file.name, run.strip()) for file, run in parts if run.strip()] == [
        (None, "Déck"),
        ("droid-sans-fallback.ttf", "龍"),
        ("droid-sans-fallback.ttf", "株式会社"),
        ("noto-sans-arabic.ttf", "\ufeae\ufee3"),
        ("noto-emoji.ttf", "🎉"),
    ]
    canvas = felt(GAME)
    preview._write(canvas, (0, 0), "W" * 80, "serif", 60, 700, preview.ON_FELT)
    (words,) = canvas._words
    assert words.face.getlength(words.text) <= preview.SIZE[0] - 2 * preview.EDGE


@pytest.mark.usefixtures("contexts")
def test_what_other_sites_show_of_a_link(deck: Deck, owner: User) -> None:
    page = Client().get(deck.get_absolute_url())
    assertContains(page, f'<meta property="og:title" content="Embers by {owner}">')
    assertContains(page, '<meta property="og:description" content="Open with Red Claw.">')
    assertContains(page, 'name="twitter:card" content="summary_large_image"')
    address = str(page.context["picture"])
    assertContains(page, f'<meta property="og:image" content="{address}">')
    answer = Client().get(address)
    with Image.open(io.BytesIO(answer.content)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1200, 630))
    assert "public" in answer["Cache-Control"]
    for change in ({"name": "Ashes"}, {"cards": {"main": {CLAW: 3}}}):
        decks.update_deck(user=owner, slug=deck.slug, **change)
        old, address = address, str(Client().get(deck.get_absolute_url()).context["picture"])
        assert address != old
        moved = Client().get(old)
        assert moved.status_code == 302 and address.endswith(moved.url), "an old link finds the new"
        assert Client().get(address).content != answer.content
    decks.update_deck(user=owner, slug=deck.slug, visibility="private")
    for client in (Client(), in_browser(owner)):
        assert client.get(address).status_code == 404
    assertNotContains(in_browser(owner).get(deck.get_absolute_url()), "og:image")
