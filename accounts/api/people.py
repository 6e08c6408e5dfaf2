"""People in the API: who am I, and a guest with a token for a first walk."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

from django.db import transaction
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.models import BlockKind, User
from accounts.queries.blocks import BlockedPerson, blocks_of
from accounts.queries.friends import Circle, circle_of
from accounts.queries.people import Guest, Person, person_of
from accounts.services.blocks import block, end_block
from accounts.services.friends import end_friendship, request_friend
from accounts.services.guests import create_guest
from accounts.services.profile import rename, save_what_is_public
from accounts.services.tokens import issue_token
from core.operations import BODY, tagged
from core.requests import client_address
from core.scopes import EVERYBODYS
from core.serializers import Doc
from core.throttles import ScopedThrottle

operation = tagged("people")


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes to your profile; omitted members stay unchanged."""

    name: Annotated[str | None, Doc("Your name at the table.", max_length=40)] = None
    is_bot: bool | None = None
    shows_record: bool | None = None
    shows_matches: bool | None = None
    shows_decks: bool | None = None


@operation("me_retrieve")
def get_me(user: User) -> Person:
    """The person whose token or session this is."""
    return person_of(user)


@operation("me_update", refuses=BODY)
def change_me(user: User, body: Changes) -> Person:
    """Change your name, what others see of you, and if your account is a bot account."""
    values = {
        field.name: now if (now := getattr(body, field.name)) is not None else before
        for field in fields(Changes)
        if field.name != "name"
        for before in [getattr(user, field.name)]
    }
    with transaction.atomic():
        if body.name is not None:
            rename(user=user, display_name=body.name)
        return person_of(save_what_is_public(user=user, **values))


@operation(
    "guests_create",
    permission_classes=(AllowAny,),
    status=201,
    # Nobody is asked who they are: a page of another site can't make a visitor's session do this.
    authentication_classes=[],
    throttle_classes=[ScopedThrottle],
    throttle_scope="token",
)
def register_guest(request: Request) -> Guest:
    """Create a guest and a token, so that a program can play without signing up."""
    guest = create_guest(address=client_address(request))
    token = issue_token(user=guest, name="First token", scopes=EVERYBODYS)
    return Guest(guest.username, str(guest), token)


@operation("friends_list")
def list_friends(user: User) -> Circle:
    """Your friends, and the friend requests that you received and sent."""
    return circle_of(user)


@operation("friends_ask", refuses=(403, 409))
def ask_friend(user: User, username: str) -> Circle:
    """Send a friend request, or accept the other's. Idempotent."""
    request_friend(sender=user, username=username)
    return circle_of(user)


@operation("friends_end")
def unfriend(user: User, username: str) -> None:
    """End a friendship, decline a request or cancel one. Idempotent."""
    end_friendship(user=user, username=username)


@dataclass(frozen=True, slots=True)
class NewBlock:
    """The contact that a block prevents."""

    kind: Annotated[
        BlockKind,
        Doc(
            "`chat`: hides their messages. `tables`: matchmaking never pairs you. "
            "`all`: both, and no friend requests."
        ),
    ] = BlockKind.ALL


@operation("blocks_list")
def list_blocks(user: User) -> list[BlockedPerson]:
    """The people you blocked, latest first. They aren't notified."""
    return blocks_of(user)


@operation("blocks_set", refuses=(400, 409, 413, 415, 422))
def block_person(user: User, username: str, body: NewBlock) -> list[BlockedPerson]:
    """Block a player, or change the kind of the block. Idempotent."""
    block(user=user, username=username, kind=body.kind)
    return blocks_of(user)


@operation("blocks_end")
def unblock_person(user: User, username: str) -> None:
    """Unblock a player. Idempotent."""
    end_block(user=user, username=username)
