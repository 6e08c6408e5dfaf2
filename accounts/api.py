"""People in the API: who am I, and a guest with a token for a first walk."""

from __future__ import annotations

from typing import cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from accounts import queries, services
from accounts.documents import problems
from accounts.models import User
from accounts.scopes import EVERYBODYS


class PersonSerializer(serializers.ModelSerializer[User]):
    """The person who asks."""

    name = serializers.CharField(source="__str__", read_only=True)

    class Meta:
        model = User
        fields = ["username", "name", "is_guest", "theme", "date_joined"]
        read_only_fields = fields


class GuestSerializer(serializers.Serializer[dict[str, object]]):
    """A new guest and the token that speaks for it."""

    username = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    token = serializers.CharField(
        read_only=True, help_text="Send it as `Authorization: Token …`. It is not shown again."
    )


class MeView(APIView):
    """Who am I?"""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        responses={
            200: PersonSerializer,
            (401, "application/problem+json"): OpenApiResponse(
                OpenApiTypes.OBJECT, description="Nobody is logged in and no token was sent."
            ),
            **problems(406, 429),
        },
        tags=["people"],
        operation_id="me_retrieve",
    )
    def get(self, request: Request) -> Response:
        """The person whose token or session this is."""
        return Response(PersonSerializer(cast(User, request.user)).data)


class GuestsView(APIView):
    """New guests."""

    # Nobody is asked who they are: a page of another site can't make a visitor's session do this.
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "token"

    @extend_schema(
        request=None,
        responses={
            201: GuestSerializer,
            (429, "application/problem+json"): OpenApiResponse(
                OpenApiTypes.OBJECT, description="Too many guests from this address; wait."
            ),
            **problems(406),
        },
        tags=["people"],
        operation_id="guests_create",
    )
    def post(self, request: Request) -> Response:
        """Create a guest and a token, so that a program can play without signing up."""
        guest = services.create_guest(address=services.client_address(request))
        token = services.issue_token(user=guest, name="First token", scopes=EVERYBODYS)
        body = {"username": guest.username, "name": str(guest), "token": token}
        return Response(body, status=status.HTTP_201_CREATED)


class OtherSerializer(serializers.ModelSerializer[User]):
    """Somebody else."""

    name = serializers.CharField(source="__str__", read_only=True)

    class Meta:
        model = User
        fields = ["username", "name"]


class CircleSerializer(serializers.Serializer[queries.Friends]):
    """The people around the one who asks."""

    friends = OtherSerializer(many=True, read_only=True)
    asking = OtherSerializer(many=True, read_only=True, help_text="They wait for an answer.")
    asked = OtherSerializer(many=True, read_only=True, help_text="They have not answered yet.")


class FriendsView(APIView):
    """Friends, questions and answers."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        responses={200: CircleSerializer, **problems(401, 406, 429)},
        tags=["people"],
        operation_id="friends_list",
    )
    def get(self, request: Request) -> Response:
        """Friends, who asks to be one, and who has been asked."""
        return Response(CircleSerializer(queries.friends_of(cast(User, request.user))).data)


class FriendView(APIView):
    """One other person, by username."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        request=None,
        responses={
            200: CircleSerializer,
            **problems(401, 403, 404, 406, 409, 429),
        },
        tags=["people"],
        operation_id="friends_ask",
    )
    def put(self, request: Request, username: str) -> Response:
        """Ask to be friends, or say yes where the other has asked. Again changes nothing."""
        user = cast(User, request.user)
        services.ask_friend(asker=user, username=username)
        return Response(CircleSerializer(queries.friends_of(user)).data)

    @extend_schema(
        responses={
            204: None,
            **problems(401, 404, 406, 429),
        },
        tags=["people"],
        operation_id="friends_end",
    )
    def delete(self, request: Request, username: str) -> Response:
        """End a friendship, decline a question or take one back. Again changes nothing."""
        services.end_friendship(user=cast(User, request.user), username=username)
        return Response(status=status.HTTP_204_NO_CONTENT)
