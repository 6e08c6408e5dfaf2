"""Friends: asking, answering, ending; by page and by API."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.errors import MembersOnly, NoFriendRequest, UnknownPerson
from accounts.models import BlockKind, Friendship, User
from accounts.queries.friends import are_friends, friends_of
from accounts.services.blocks import block
from accounts.services.friends import accept_friend, end_friendship, request_friend
from accounts.services.guests import create_guest
from accounts.signals import account_closing
from notices.kinds import Kind
from notices.models import Notice
from tests.support.races import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", display_name="Ada")


@pytest.fixture
def ben() -> User:
    return User.objects.create_user("ben", display_name="Ben")


def test_two_people_become_friends(ada: User, ben: User) -> None:
    request_friend(sender=ada, username="BEN")
    assert not are_friends(ada, ben)
    assert friends_of(ada).sent == [ben] and friends_of(ben).received == [ada]
    accept_friend(user=ben, username="ada")
    assert are_friends(ada, ben) and are_friends(ben, ada)
    assert friends_of(ada).friends == [ben]


def news(person: User) -> list[str]:
    return [row.text for row in Notice.objects.unseen().filter(person=person, kind=Kind.FRIEND)]


def test_requests_and_answers_are_notified(ada: User, ben: User, client: Client) -> None:
    for _ in range(2):
        request_friend(sender=ada, username="ben")
    assert (news(ada), news(ben)) == ([], ["Ada sent you a friend request."])
    client.force_login(ben)
    assert b"Accept Ada" in client.get("/friends/").content
    assert news(ben) == [], "the page with the button shows it"
    for _ in range(2):
        accept_friend(user=ben, username="ada")
    assert (news(ada), news(ben)) == (["Ben accepted your friend request."], [])
    end_friendship(user=ben, username="ada")
    assert news(ada) == [], "nobody is told of the end"


@pytest.mark.parametrize("by", ["withdrawing", "declining", "blocking", "leaving"])
def test_a_request_that_is_gone_is_not_notified(ada: User, ben: User, by: str) -> None:
    request_friend(sender=ada, username="ben")
    if by == "withdrawing":
        end_friendship(user=ada, username="ben")
    elif by == "declining":
        end_friendship(user=ben, username="ada")
    elif by == "blocking":
        block(user=ben, username="ada", kind=BlockKind.ALL)
    else:
        account_closing.send(sender=User, user=ada)
    assert (news(ada), news(ben)) == ([], [])


def test_only_the_asked_one_can_accept(ada: User, ben: User) -> None:
    request_friend(sender=ada, username="ben")
    with pytest.raises(NoFriendRequest):
        accept_friend(user=ada, username="ben")
    request_friend(sender=ada, username="ben")
    assert not are_friends(ada, ben)


def test_asking_back_is_a_yes(ada: User, ben: User) -> None:
    request_friend(sender=ada, username="ben")
    request_friend(sender=ben, username="ada")
    assert are_friends(ada, ben)
    assert Friendship.objects.count() == 1


def test_an_end_is_an_end_for_both(ada: User, ben: User) -> None:
    request_friend(sender=ada, username="ben")
    accept_friend(user=ben, username="ada")
    assert end_friendship(user=ben, username="ada")
    assert not end_friendship(user=ada, username="ben")
    assert not are_friends(ada, ben)


def test_who_cannot_be_asked(ada: User) -> None:
    guest = create_guest(address="192.0.2.1")
    for name in ("nobody", guest.username):
        with pytest.raises(UnknownPerson):
            request_friend(sender=ada, username=name)
    with pytest.raises(NoFriendRequest):
        request_friend(sender=ada, username="ada")
    with pytest.raises(MembersOnly):
        request_friend(sender=guest, username="ada")


@pytest.mark.django_db(transaction=True)
def test_both_ask_at_once_and_there_is_one_friendship() -> None:
    ada, ben = (User.objects.create_user(name) for name in ("ada", "ben"))
    answers = at_once(
        lambda: request_friend(sender=ada, username="ben"),
        lambda: request_friend(sender=ben, username="ada"),
    )
    assert not [answer for answer in answers if isinstance(answer, Exception)], answers
    assert Friendship.objects.count() == 1


def test_the_pages(client: Client, ada: User, ben: User) -> None:
    client.force_login(ada)
    answer = client.post("/friends/", {"username": "nobody"})
    assert answer.status_code == 404 and b"No user named" in answer.content
    assert b'value="nobody"' in answer.content
    assert client.post("/friends/", {"username": "@Ben"}, follow=True).status_code == 200
    client.force_login(ben)
    assert b"Accept Ada" in client.get("/friends/").content
    client.post("/friends/accept/", {"username": "ada"})
    assert are_friends(ada, ben)
    client.post("/friends/end/", {"username": "ada"})
    assert not are_friends(ada, ben)
    assert client.post("/friends/accept/", {"username": "ada"}).status_code == 409


def test_the_api(ada: User, ben: User) -> None:
    api = APIClient()
    assert api.get("/api/friends/").status_code == 401
    api.force_authenticate(ada)
    response = api.put("/api/friends/ben/")
    assert response.json()["sent"] == [{"username": "ben", "name": "Ben"}]
    assert api.put("/api/friends/nobody/").status_code == 404
    assert api.put("/api/friends/ada/").status_code == 409
    assert api.delete("/api/friends/ben/").status_code == 204
    assert api.get("/api/friends/").json() == {"friends": [], "received": [], "sent": []}
