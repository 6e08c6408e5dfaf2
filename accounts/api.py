"""People in the API: who am I, and a guest with a token for a first walk."""

from __future__ import annotations

from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import queries, services
from accounts.models import User
from accounts.operations import PersonalView, View, operation
from accounts.scopes import EVERYBODYS
from accounts.throttles import ScopedThrottle

_TAGS = ("people",)


class MeView(PersonalView):
    """Who am I?"""

    tags = _TAGS

    @operation("me_retrieve")
    def get(self, user: User) -> queries.Person:
        """The person whose token or session this is."""
        return queries.person_of(user)


class GuestsView(View):
    """New guests."""

    # Nobody is asked who they are: a page of another site can't make a visitor's session do this.
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [ScopedThrottle]
    throttle_scope = "token"
    tags = _TAGS

    @operation("guests_create", status=201)
    def post(self, request: Request) -> queries.Guest:
        """Create a guest and a token, so that a program can play without signing up."""
        guest = services.create_guest(address=services.client_address(request))
        token = services.issue_token(user=guest, name="First token", scopes=EVERYBODYS)
        return queries.Guest(guest.username, str(guest), token)


class FriendsView(PersonalView):
    """Friends, questions and answers."""

    tags = _TAGS

    @operation("friends_list")
    def get(self, user: User) -> queries.Circle:
        """Friends, who asks to be one, and who has been asked."""
        return queries.circle_of(user)


class FriendView(PersonalView):
    """One other person, by username."""

    tags = _TAGS

    @operation("friends_ask", refuses=(403, 409))
    def put(self, user: User, username: str) -> queries.Circle:
        """Ask to be friends, or say yes where the other has asked. Again changes nothing."""
        services.ask_friend(asker=user, username=username)
        return queries.circle_of(user)

    @operation("friends_end")
    def delete(self, user: User, username: str) -> None:
        """End a friendship, decline a question or take one back. Again changes nothing."""
        services.end_friendship(user=user, username=username)
