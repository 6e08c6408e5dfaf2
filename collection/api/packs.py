"""Packs in the API: what is sealed, the gift, opening, the record to check, and the odds.

Pages use the same services and queries. Who may do what:

=================  =========  ========  ===================  =====  =====
                   anonymous  stranger  who may see my cards  me    staff
=================  =========  ========  ===================  =====  =====
odds               yes        yes       yes                  yes    yes
list, gift         401        own       own                  yes    own
a sealed pack      404        404       404                  yes    yes
an opened pack     if public  404       yes                  yes    yes
its record         if public  404       yes                  yes    yes
open               401        404       404                  yes    404
give               401        403       403                  403    yes
=================  =========  ========  ===================  =====  =====
"""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.permissions import AllowAny, IsAdminUser, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import LatestFirst, problems
from accounts.models import User
from accounts.scopes import Scope
from collection.errors import Unacceptable
from collection.models import Pack, PackSource
from collection.queries import packs as queries
from collection.services import packs as services

_READ = problems(401, 403, 404, 406, 429)
_WRITE = problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429)
_TAGS = ["packs"]


# -- shapes ---------------------------------------------------------------------------------------


class PackSerializer(serializers.ModelSerializer[Pack]):
    """A pack in a list. Its seed is nowhere to be had before it is opened."""

    owner = serializers.CharField(source="owner.username")
    source = serializers.ChoiceField(PackSource.choices)  # type: ignore[assignment]  # Field has one
    name = serializers.SerializerMethodField(help_text="The product's name.")
    cards = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Slugs in the order of the slots; null while the pack is sealed.",
    )
    note = serializers.SerializerMethodField(
        help_text="What it was given for (a match's slug); for its owner and the staff alone."
    )
    url = serializers.SerializerMethodField(help_text="The pack's page.")

    class Meta:
        model = Pack
        fields = [
            "slug", "owner", "game", "product", "name", "source", "note", "commitment",
            "created_at", "opened_at", "cards", "url",
        ]  # fmt: skip
        read_only_fields = fields

    def get_name(self, pack: Pack) -> str:
        return queries.product_name(pack)

    def get_note(self, pack: Pack) -> str:
        user = self.context["request"].user
        return pack.note if user.is_staff or user.pk == pack.owner_id else ""

    @extend_schema_field(serializers.URLField())
    def get_url(self, pack: Pack) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(pack.get_absolute_url())


class InsideSerializer(serializers.Serializer[queries.Inside]):
    """A card of an opened pack."""

    slot = serializers.IntegerField(source="place", help_text="Counted from 0.")
    card = serializers.CharField(source="card.slug")
    title = serializers.CharField(source="card.title")
    rarity = serializers.CharField(source="card.rarity")
    new = serializers.BooleanField(help_text="Its owner had no copy of it before.")


class PackDetailSerializer(PackSerializer):
    """One pack, with what was promised to be inside and what was."""

    contents = serializers.DictField(help_text="Slots, sheets and weights; section 8 of fairness.")
    digest = serializers.SerializerMethodField(help_text="SHA-256 of the contents.")
    client_seed = serializers.CharField(help_text="What the owner added to the seed on opening.")
    inside = serializers.SerializerMethodField(help_text="The cards, the rarest last.")
    packs = serializers.SerializerMethodField(
        help_text="Slugs of the packs that came out of a box, as far as you may see them."
    )

    class Meta(PackSerializer.Meta):
        fields = [
            *PackSerializer.Meta.fields,
            "contents",
            "digest",
            "client_seed",
            "inside",
            "packs",
        ]
        read_only_fields = fields

    def get_digest(self, pack: Pack) -> str:
        return queries.contents_of(pack).digest

    @extend_schema_field(InsideSerializer(many=True))
    def get_inside(self, pack: Pack) -> Any:
        return [InsideSerializer(one).data for one in queries.inside(pack)]

    def get_packs(self, pack: Pack) -> list[str]:
        user = self.context["request"].user
        if not queries.contents_of(pack).box:
            return []
        return [one.slug for one in queries.out_of(pack) if queries.may_look(user, one)]


class GiftChoiceSerializer(serializers.Serializer[Any]):
    """What may be chosen as a gift."""

    game = serializers.CharField()
    product = serializers.CharField()
    name = serializers.CharField()
    chance = serializers.BooleanField(help_text="Whether chance decides what is in it.")
    likely = serializers.BooleanField(
        help_text="The one that you care for most, by what you have taken and won."
    )


class TodaySerializer(serializers.Serializer[Any]):
    """The gift of the day."""

    available = serializers.BooleanField(help_text="Whether it may be taken now.")
    pack = serializers.CharField(
        source="gift.slug", default=None, allow_null=True, help_text="What you took today."
    )
    until = serializers.DateTimeField(
        source="next_gift_at", help_text="When the day ends (UTC) and the next gift is here."
    )
    choices = GiftChoiceSerializer(many=True, help_text="Nothing where it was taken.")


class GiftSerializer(serializers.Serializer[Any]):
    """Which pack it shall be."""

    game = serializers.CharField(max_length=50)
    product = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        default="",
        help_text="Left out: the game's first pack with chance in it.",
    )


class OpenSerializer(serializers.Serializer[Any]):
    """Opening a pack."""

    client_seed = serializers.CharField(
        max_length=services.LONGEST_CLIENT_SEED,
        required=False,
        allow_blank=True,
        default="",
        help_text="Your own part of the seed: one line.",
    )

    choice = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        default="",
        help_text="For a box with a choice: the product that shall be in it.",
    )


class GrantSerializer(serializers.Serializer[Any]):
    """Packs from the house."""

    game = serializers.CharField(max_length=50)
    product = serializers.CharField(max_length=60)
    people = serializers.ListField(
        child=serializers.CharField(max_length=150), min_length=1, max_length=1000
    )
    key = serializers.CharField(
        max_length=80, help_text="What for; the same key gives nobody anything twice."
    )
    count = serializers.IntegerField(min_value=1, max_value=100, default=1)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class GrantedSerializer(serializers.Serializer[Any]):
    """What became of a grant."""

    given = serializers.IntegerField(help_text="Packs that were made now.")
    before = serializers.IntegerField(help_text="Packs that this key had given already.")


class RecordSerializer(serializers.Serializer[Any]):
    """All that ``docs/verify.py`` needs to draw the pack again."""

    riffle = serializers.IntegerField()
    pack = serializers.CharField()
    contents = serializers.DictField()
    commitment = serializers.CharField()
    server_seed = serializers.CharField()
    client_seed = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())


class ChanceSerializer(serializers.Serializer[Any]):
    """Something that can happen, and how likely it is."""

    name = serializers.CharField()
    chance = serializers.FloatField()
    fraction = serializers.CharField(help_text="The same exactly, such as 1/33.")


class SlotOddsSerializer(serializers.Serializer[Any]):
    """Slots that are alike."""

    places = serializers.ListField(child=serializers.IntegerField(), help_text="Counted from 1.")
    name = serializers.CharField()
    sheets = ChanceSerializer(many=True)
    rarities = ChanceSerializer(many=True, help_text="Of a single drawing.")


class CardOddsSerializer(serializers.Serializer[Any]):
    """A card and how often it is in a pack."""

    card = serializers.CharField()
    rarity = serializers.CharField()
    drawn = serializers.CharField(
        help_text="Copies on average, before a slot that repeats a card is drawn again."
    )
    expected = serializers.CharField(help_text="Copies on average in an opened pack, exactly.")
    at_least_one = serializers.FloatField(help_text="The chance that the card is in it at all.")


class BoxedSerializer(serializers.Serializer[Any]):
    """Packs in a box; each has odds of its own."""

    product = serializers.CharField()
    count = serializers.IntegerField()


class OddsSerializer(serializers.Serializer[queries.OddsTable]):
    """The odds of a product, computed from the list that packs given today are drawn from."""

    game = serializers.CharField(source="contents.game")
    product = serializers.CharField(source="contents.product")
    digest = serializers.CharField(source="contents.digest")
    size = serializers.IntegerField(source="contents.size")
    unique = serializers.BooleanField(source="contents.unique")
    slots = serializers.SerializerMethodField()
    cards = serializers.SerializerMethodField()
    packs = serializers.SerializerMethodField(help_text="Of a box: the packs that lie in it.")
    choice = serializers.SerializerMethodField(help_text="Products of which one is in it.")

    @extend_schema_field(SlotOddsSerializer(many=True))
    def get_slots(self, table: queries.OddsTable) -> list[dict[str, Any]]:
        return [
            {
                "places": list(line.places),
                "name": line.name,
                "sheets": [_chance(*pair) for pair in line.sheets],
                "rarities": [_chance(*pair) for pair in line.rarities],
            }
            for line in table.slots
        ]

    @extend_schema_field(BoxedSerializer(many=True))
    def get_packs(self, table: queries.OddsTable) -> list[dict[str, Any]]:
        return [{"product": one.product, "count": n} for one, n in table.contents.packs]

    def get_choice(self, table: queries.OddsTable) -> list[str]:
        return [one.product for one in table.contents.choice]

    @extend_schema_field(CardOddsSerializer(many=True))
    def get_cards(self, table: queries.OddsTable) -> list[dict[str, Any]]:
        return [
            {
                "card": line.card.slug,
                "rarity": line.card.rarity,
                "drawn": str(line.odds.drawn),
                "expected": str(line.odds.expected),
                "at_least_one": float(line.odds.at_least_one),
            }
            for line in table.cards
        ]


def _chance(name: str, chance: Any) -> dict[str, Any]:
    return {"name": name, "chance": float(chance), "fraction": str(chance)}


# -- endpoints ------------------------------------------------------------------------------------


class PacksView(generics.ListAPIView[Pack]):
    """My packs."""

    permission_classes = [IsAuthenticated]
    serializer_class = PackSerializer
    pagination_class = LatestFirst
    filter_backends = []
    queryset = Pack.objects.none()

    def get_queryset(self) -> QuerySet[Pack]:
        """All of mine, or only the sealed or the opened ones."""
        mine = queries.packs_of(cast(User, self.request.user)).select_related("owner")
        state = self.request.query_params.get("state", "")
        if state not in {"", "sealed", "opened"}:
            raise Unacceptable("“state” is sealed or opened.")
        return mine.filter(opened_at__isnull=state == "sealed") if state else mine

    @extend_schema(
        operation_id="packs_list",
        parameters=[OpenApiParameter("state", enum=["sealed", "opened"])],
        responses={200: PackSerializer(many=True), **_READ, **problems(422)},
        tags=_TAGS,
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List your packs, the newest first."""
        return super().get(request, *args, **kwargs)


def _shown(request: Request, slug: str, code: int = status.HTTP_200_OK) -> Response:
    found = queries.access_pack(request.user, slug)
    return Response(PackDetailSerializer(found, context={"request": request}).data, status=code)


class PackView(APIView):
    """One pack."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="packs_retrieve",
        responses={200: PackDetailSerializer, **_READ},
        tags=_TAGS,
    )
    def get(self, request: Request, slug: str) -> Response:
        """A pack of yours, or an opened one of somebody whose cards you may see."""
        return _shown(request, slug)


class OpenPackView(APIView):
    """Opening."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="packs_open",
        request=OpenSerializer,
        responses={200: PackDetailSerializer, **_WRITE},
        tags=_TAGS,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Open a pack of yours. A second time gives the same cards, whatever client seed is sent.

        A box gives sealed packs as well, which are opened one by one.
        """
        body = OpenSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        services.open_pack(slug=slug, user=cast(User, request.user), **body.validated_data)
        return _shown(request, slug)


class PackRecordView(APIView):
    """What is needed to check an opened pack."""

    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="packs_record",
        responses={200: RecordSerializer, **_READ, **problems(409)},
        tags=_TAGS,
    )
    def get(self, request: Request, slug: str) -> Response:
        """The record for ``docs/verify.py``; a conflict (409) while the pack is sealed."""
        return Response(queries.record_of(queries.access_pack(request.user, slug)))


class GiftView(APIView):
    """The daily gift."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="packs_gift_today",
        responses={200: TodaySerializer, **problems(401, 403, 406, 429)},
        tags=_TAGS,
    )
    def get(self, request: Request) -> Response:
        """Whether today's gift may be taken, until when, and what there is to choose from."""
        user = cast(User, request.user)
        today = queries.day_of(user)
        gifts = [] if today.gift else queries.gifts(user)
        likely = queries.likely_gift(user, gifts)
        told = {
            "available": today.gift is None,
            "gift": today.gift,
            "next_gift_at": today.next_gift_at,
            "choices": [
                {
                    "game": game.slug,
                    "product": product.slug,
                    "name": product.name,
                    "chance": product.random,
                    "likely": likely == f"{game.slug}/{product.slug}",
                }
                for game, products in gifts
                for product in products
            ],
        }
        return Response(TodaySerializer(told).data)

    @extend_schema(
        operation_id="packs_gift",
        request=GiftSerializer,
        responses={200: PackDetailSerializer, 201: PackDetailSerializer, **_WRITE},
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Take today's gift (201). Asked again on the same day (UTC), it is the same pack (200)."""
        body = GiftSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        pack, made = services.take_gift(user=cast(User, request.user), **body.validated_data)
        return _shown(request, pack.slug, status.HTTP_201_CREATED if made else status.HTTP_200_OK)


class GrantView(APIView):
    """Packs from the house."""

    permission_classes = [IsAdminUser]
    token_scope = Scope.STAFF

    @extend_schema(
        operation_id="packs_grant",
        request=GrantSerializer,
        responses={200: GrantedSerializer, **_WRITE},
        tags=_TAGS,
    )
    def post(self, request: Request) -> Response:
        """Give people packs (staff only); all of them or, if a name is unknown, none."""
        body = GrantSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        asked = body.validated_data
        names = set(asked.pop("people"))
        people = list(User.objects.filter(username__in=names, is_active=True))
        if missing := sorted(names - {person.username for person in people}):
            raise Unacceptable(f"There is nobody called {', '.join(missing)[:200]}.")
        given = services.grant(by=cast(User, request.user), people=people, **asked)
        made = sum(now for _, now in given)
        return Response({"given": made, "before": len(given) - made})


class OddsView(APIView):
    """What can be in a pack."""

    permission_classes = [AllowAny]

    @extend_schema(operation_id="packs_odds", responses={200: OddsSerializer, **_READ}, tags=_TAGS)
    def get(self, request: Request, game: str, product: str) -> Response:
        """The odds of a product: slot by slot, and card by card as exact fractions."""
        queries.given_product(game, product)
        return Response(OddsSerializer(queries.odds_table(game, product)).data)
