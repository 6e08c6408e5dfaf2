"""Blocks: what they forbid, by page and by API, and what becomes of a guest's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.errors import Blocked, MayNotWrite, NotYourself, UnknownPerson
from accounts.models import Block, BlockKind, User, WritingBan
from accounts.queries.blocks import (
    banned_until,
    blocked_between,
    blocked_by,
    blocked_with,
    blocking,
    require_may_write,
)
from accounts.queries.friends import are_friends
from accounts.services.blocks import ban_writing, block, end_block
from accounts.services.friends import accept_friend, request_friend
from accounts.services.guests import create_guest, merge_guest

pytestmark = pytest.mark.django_db
Kind = BlockKind


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben", display_name="Ben")


def test_a_block_counts_between_two_whoever_made_it(ada: User, ben: User) -> None:
    """Each kind forbids itself; “all” forbids each; nobody else is touched."""
    carl = User.objects.create_user("carl")
    forbids = {
        Kind.CHAT: {Kind.CHAT},
        Kind.TABLES: {Kind.TABLES},
        Kind.ALL: {Kind.CHAT, Kind.TABLES, Kind.ALL},
    }
    for value, forbidden in forbids.items():
        block(user=ada, username="BEN", kind=value)
        for kind in Kind:
            expected = kind in forbidden
            assert blocked_between(ada, ben, kind) is expected, (value, kind)
            assert blocked_between(ben.pk, ada.pk, kind) is expected
            assert blocked_with(ben, kind) == ({ada.pk} if expected else set())
            assert blocked_by(ada, kind) == ({ben.pk} if expected else set())
            assert blocking(ben, kind) == ({ada.pk} if expected else set())
            assert blocked_by(ben, kind) == set()
            assert not blocked_between(ada, carl, kind)
    assert Block.objects.count() == 1, "a second block of the same person changes the first"
    assert end_block(user=ada, username="ben")
    assert not end_block(user=ada, username="ben")
    assert not blocked_between(ada, ben, Kind.ALL)


def test_who_cannot_be_blocked(ada: User) -> None:
    with pytest.raises(NotYourself):
        block(user=ada, username="ada", kind=Kind.CHAT)
    with pytest.raises(UnknownPerson):
        block(user=ada, username="nobody", kind=Kind.CHAT)
    with pytest.raises(IntegrityError), transaction.atomic():
        Block.objects.create(user=ada, other=ada, kind=Kind.CHAT)


def test_the_widest_block_ends_a_friendship_and_keeps_it_ended(ada: User, ben: User) -> None:
    request_friend(sender=ada, username="ben")
    accept_friend(user=ben, username="ada")
    block(user=ada, username="ben", kind=Kind.CHAT)
    assert are_friends(ada, ben)
    block(user=ada, username="ben", kind=Kind.ALL)
    assert not are_friends(ada, ben)
    for sender, other in ((ada, "ben"), (ben, "ada")):
        with pytest.raises(Blocked):
            request_friend(sender=sender, username=other)


def test_a_ban_ends_by_itself(ada: User) -> None:
    require_may_write(ada)
    ban_writing(user=ada, days=7, by=None)
    ban_writing(user=ada, days=1, by=None)
    with pytest.raises(MayNotWrite) as refused:
        require_may_write(ada)
    until = banned_until(ada)
    assert until is not None and until > timezone.now() + timedelta(days=6)
    assert refused.value.extra == {"until": until.isoformat()}
    earlier = timezone.now() - timedelta(days=8)
    WritingBan.objects.update(at=earlier, until=timezone.now() - timedelta(seconds=1))
    require_may_write(ada)


def test_a_guest_who_logs_in_brings_blocks_along(ada: User, ben: User) -> None:
    """The account's own blocks stay, nobody blocks themselves, a ban is not shaken off."""
    carl = User.objects.create_user("carl")
    guest = create_guest(address="192.0.2.1")
    block(user=guest, username="ada", kind=Kind.CHAT)  # is Ada, as it turns out
    block(user=guest, username="ben", kind=Kind.CHAT)
    block(user=ada, username="ben", kind=Kind.TABLES)
    block(user=guest, username="carl", kind=Kind.ALL)
    block(user=ben, username=guest.username, kind=Kind.ALL)
    ban_writing(user=guest, days=3, by=None)
    merge_guest(guest=guest, user=ada)
    assert set(Block.objects.values_list("user__username", "other__username", "kind")) == {
        ("ada", "ben", Kind.TABLES),
        ("ada", "carl", Kind.ALL),
        ("ben", "ada", Kind.ALL),
    }
    assert banned_until(ada) is not None
    assert not blocked_between(carl, guest, Kind.CHAT)


def test_blocks_by_page(ada: User, ben: User, client: Client) -> None:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    assert "You haven't blocked anyone." in client.get("/you/blocks/").content.decode()
    answer = client.post("/you/blocks/new/", {"username": "ben", "kind": "tables"}, follow=True)
    assert "Ben is blocked, and is not told." in answer.content.decode()
    assert "never pair us" in answer.content.decode()
    client.force_login(ben, backend="django.contrib.auth.backends.ModelBackend")
    assert "Ada" not in client.get("/you/blocks/").content.decode(), "the other is not told"
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    wrong = client.post("/you/blocks/new/", {"username": "nobody", "kind": "all"})
    assert wrong.status_code == 404 and "Check the spelling" in wrong.content.decode()
    assert client.post("/you/blocks/new/", {"username": "ben", "kind": "x"}).status_code == 422
    client.post("/you/blocks/end/", {"username": "ben"})
    assert not Block.objects.exists()


def test_blocks_by_api(ada: User, ben: User) -> None:
    client = APIClient()
    client.force_authenticate(ada)
    for _ in range(2):
        response = client.put("/api/blocks/ben/", {"kind": "chat"}, format="json")
        assert response.status_code == 200
    assert [(item["username"], item["name"], item["kind"]) for item in response.json()] == [
        ("ben", "Ben", "chat")
    ]
    assert client.get("/api/blocks/").json() == response.json()
    assert client.put("/api/blocks/ada/", {}, format="json").status_code == 422
    assert client.put("/api/blocks/ben/", {"kind": "x"}, format="json").status_code == 400
    assert client.delete("/api/blocks/ben/").status_code == 204
    assert client.delete("/api/blocks/ben/").status_code == 204
    assert client.get("/api/blocks/").json() == []
