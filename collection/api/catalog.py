"""The catalog in the API: games with their modes and options, and cards."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.reverse import reverse

import rules
from accounts.documents import problems
from collection import pictures
from collection.api.pages import CardsByPage
from collection.filters import CardFilter
from collection.models import Card, CardInSet, CardSet, Game
from collection.queries import catalog as queries
from collection.queries.packs import gifts_of
from collection.rulings import rulings
from rules.engine.cards import Product, StarterDeck
from rules.engine.game import FormatOption, Mode, Option
from rules.engine.game import Game as RulesGame

_READ = problems(401, 406, 429)


class OptionSerializer(serializers.Serializer[Any]):
    """Something that can be chosen when a match is set up."""

    slug = serializers.CharField()
    name = serializers.CharField()
    help = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=["choice", "integer", "subset"],
        help_text="choice: one of values; integer: a number from the first to the last value; "
        "subset: any list of values.",
    )
    values = serializers.ListField(child=serializers.JSONField())
    names = serializers.DictField(
        child=serializers.CharField(), help_text="What values are called, where they have names."
    )
    word = serializers.CharField(help_text="A word that may stand instead of values, or nothing.")
    default = serializers.JSONField()
    decks = serializers.DictField(
        child=serializers.ChoiceField(["own", "shared"]),
        help_text="Which values ask for decks: own, one from every seat; shared, one for the "
        "table, from whoever sets it up.",
    )
    judges = serializers.BooleanField(
        help_text="Whether decks that are brought are judged by it: their size, for one."
    )


class FormatOptionSerializer(serializers.Serializer[Any]):
    """Something that a house format for decks may ask for."""

    slug = serializers.CharField()
    name = serializers.CharField()
    rule = serializers.CharField(help_text="The numbered rule that it switches on.")
    help = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=["switch", "integer", "choice", "subset"],
        help_text="switch: true or left out; integer: a number from the first to the last value; "
        "choice: one of values; subset: any list of values, or true for the usual ones.",
    )
    values = serializers.ListField(child=serializers.JSONField())
    usual = serializers.ListField(
        child=serializers.JSONField(), help_text="The values that a subset has if simply asked for."
    )
    names = serializers.DictField(
        child=serializers.CharField(), help_text="What values are called, where they have names."
    )


class ModeSerializer(serializers.Serializer[Any]):
    """One way to play a game."""

    slug = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    seats = serializers.ListField(
        child=serializers.IntegerField(), help_text="The numbers of seats that can play."
    )
    own_decks = serializers.BooleanField(
        help_text="Whether every seat brings a deck, whatever the options say. Where it is false "
        "an option may still ask for decks: see its member decks."
    )
    playable = serializers.BooleanField(help_text="False for modes that are still to come.")
    rules_version = serializers.CharField()
    options = OptionSerializer(many=True)
    sections = serializers.ListField(
        child=serializers.CharField(),
        help_text="A deck's sections; cards go into the first where nothing is said.",
    )
    format_options = FormatOptionSerializer(many=True)


class CardSetSerializer(serializers.ModelSerializer[CardSet]):
    class Meta:
        model = CardSet
        fields = ("slug", "name", "number")


class GameSerializer(serializers.ModelSerializer[Game]):
    """A game in a list."""

    cards = serializers.IntegerField(source="card_count", help_text="How many cards there are.")
    sets = CardSetSerializer(source="current_sets", many=True)

    class Meta:
        model = Game
        fields = ("slug", "name", "summary", "cards", "sets")


class GameProductSerializer(serializers.Serializer[Any]):
    """Something with cards in it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=["fixed", "random", "box"],
        help_text="fixed: always the same cards; random: cards by chance; box: other products lie "
        "in it, each to be opened by itself.",
    )
    starter = serializers.CharField(
        help_text="The group of which a new collector takes one, or nothing."
    )
    lent = serializers.BooleanField(help_text="Laid on every table by the house, never owned.")
    gift = serializers.BooleanField(
        help_text="May be chosen as the gift of a day: a fixed one by who has not had it yet."
    )
    odds = serializers.URLField(
        allow_null=True, help_text="What is in it and how likely; null for what is lent."
    )


class ReadyMadeDeckSerializer(serializers.Serializer[Any]):
    """A ready-made deck."""

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    modes = serializers.ListField(child=serializers.CharField(), help_text="What it is for.")
    cards = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text="Section, card's slug, copies.",
    )


class GameDetailSerializer(GameSerializer):
    """A game with its modes, what can be chosen in each, its products and its ready-made decks."""

    modes = serializers.SerializerMethodField()
    products = serializers.SerializerMethodField()
    decks = serializers.SerializerMethodField(help_text="Ready-made decks.")

    class Meta(GameSerializer.Meta):
        fields = (  # type: ignore[assignment]
            *GameSerializer.Meta.fields,
            "modes",
            "products",
            "decks",
        )

    @extend_schema_field(ModeSerializer(many=True))
    def get_modes(self, game: Game) -> list[dict[str, Any]]:
        played = rules.game(game.slug)
        return [_mode(played, mode) for mode in played.modes.values()]

    @extend_schema_field(GameProductSerializer(many=True))
    def get_products(self, game: Game) -> list[dict[str, Any]]:
        request: Request = self.context["request"]
        gifts = gifts_of(AnonymousUser(), game.slug)
        return [
            _product(product)
            | {"gift": product in gifts, "odds": _odds(request, game.slug, product)}
            for product in rules.game(game.slug).products.values()
        ]

    @extend_schema_field(ReadyMadeDeckSerializer(many=True))
    def get_decks(self, game: Game) -> list[dict[str, Any]]:
        return [_deck(deck) for deck in rules.game(game.slug).starter_decks.values()]


def _product(product: Product) -> dict[str, Any]:
    return {
        "slug": product.slug,
        "name": product.name,
        "description": product.description,
        "kind": "box" if product.nested else "random" if product.random else "fixed",
        "starter": product.starter,
        "lent": product.lent,
    }


def _odds(request: Request, game: str, product: Product | queries.Containing) -> str | None:
    """Where the odds of a product are to be had."""
    return None if product.lent else reverse("api-odds", [game, product.slug], request=request)


def _deck(deck: StarterDeck) -> dict[str, Any]:
    return {
        "slug": deck.slug,
        "name": deck.name,
        "description": deck.description,
        "modes": list(deck.modes),
        "cards": {section: dict(cards) for section, cards in deck.cards.items()},
    }


def _mode(game: RulesGame, mode: Mode) -> dict[str, Any]:
    return {
        "slug": mode.slug,
        "name": mode.name,
        "summary": mode.summary,
        "seats": list(mode.seats),
        "own_decks": mode.own_decks,
        "playable": mode.playable,
        "rules_version": mode.rules_version,
        "options": [_option(option) for option in mode.options],
        "sections": list(mode.sections),
        "format_options": [
            _format_option(option)
            for option in game.format_options
            if mode.slug in (option.modes or game.modes)
        ],
    }


def _format_option(option: FormatOption) -> dict[str, Any]:
    return {
        "slug": option.slug,
        "name": option.name,
        "rule": option.rule,
        "help": option.help,
        "kind": option.kind,
        "values": list(option.values),
        "usual": list(option.usual),
        "names": {str(value): name for value, name in option.names.items()},
    }


def _option(option: Option) -> dict[str, Any]:
    default = option.default
    return {
        "slug": option.slug,
        "name": option.name,
        "help": option.help,
        "kind": option.kind,
        "values": list(option.values),
        "names": {str(value): name for value, name in option.names.items()},
        "word": option.word,
        "default": list(default) if isinstance(default, (list, tuple)) else default,
        "decks": {str(value): whose for value, whose in option.decks.items()},
        "judges": option.judges,
    }


class PrintingSerializer(serializers.ModelSerializer[CardInSet]):
    """A set in which a card appears, and its number there."""

    slug = serializers.CharField(source="card_set.slug")
    name = serializers.CharField(source="card_set.name")

    class Meta:
        model = CardInSet
        fields = ("slug", "name", "number")


class ImagesSerializer(serializers.Serializer[Any]):
    """Addresses of a card's picture, which change when it does: keep what they give for ever."""

    thumb = serializers.URLField(help_text="126 by 176 pixels, WebP")
    table = serializers.URLField(help_text="252 by 352 pixels, WebP")
    full = serializers.URLField(help_text="756 by 1056 pixels, WebP")


class CardSerializer(serializers.ModelSerializer[Card]):
    """A card with everything that is printed on it."""

    game = serializers.CharField(source="game.slug")
    sets = PrintingSerializer(source="printings", many=True)
    attributes = serializers.DictField(
        help_text="The card's numbers and words; which ones depends on game and kind."
    )
    images = serializers.SerializerMethodField()
    alt = serializers.SerializerMethodField(help_text="What the picture shows, in words.")
    url = serializers.SerializerMethodField(help_text="The card's page.")

    class Meta:
        model = Card
        fields = (
            "game",
            "slug",
            "name",
            "title",
            "kind",
            "colour",
            "rarity",
            "text",
            "attributes",
            "sets",
            "number",
            "retired",
            "images",
            "alt",
            "url",
        )

    number = serializers.IntegerField(source="sort_number", help_text="Its place in the catalog.")

    @extend_schema_field(ImagesSerializer)
    def get_images(self, card: Card) -> dict[str, str]:
        return {size: self._whole(pictures.row_image_url(card, size)) for size in pictures.SIZES}

    def get_alt(self, card: Card) -> str:
        return pictures.row_alt_text(card)

    @extend_schema_field(serializers.URLField())
    def get_url(self, card: Card) -> str:
        return self._whole(card.get_absolute_url())

    def _whole(self, path: str) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(path)


class RulingSerializer(serializers.Serializer[Any]):
    """A rule of the game's rulebook that names the card."""

    rule = serializers.CharField(help_text="Its number.")
    text = serializers.CharField()


class WithinSerializer(serializers.Serializer[Any]):
    """A ready-made deck of the game that a card is in."""

    slug = serializers.CharField()
    name = serializers.CharField()
    copies = serializers.IntegerField()


class CardProductSerializer(WithinSerializer):
    """A product of the game that has a card, or may have it."""

    copies = serializers.IntegerField(help_text="0 where chance decides.")
    lent = serializers.BooleanField(help_text="Laid on every table by the house, never owned.")
    odds = serializers.SerializerMethodField(help_text="How likely it is; null for what is lent.")

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_odds(self, product: queries.Containing) -> str | None:
        return _odds(self.context["request"], self.context["game"], product)


class CardDetailSerializer(CardSerializer):
    """A card with what the rulebook says of it, and where it is to be had."""

    rulings = serializers.SerializerMethodField()
    products = serializers.SerializerMethodField()
    decks = serializers.SerializerMethodField(help_text="Ready-made decks with the card.")

    class Meta(CardSerializer.Meta):
        fields = (  # type: ignore[assignment]
            *CardSerializer.Meta.fields,
            "rulings",
            "products",
            "decks",
        )

    @extend_schema_field(RulingSerializer(many=True))
    def get_rulings(self, card: Card) -> Any:
        found = rulings(card.game.slug, card.title, card.name)
        return RulingSerializer(found, many=True).data

    @extend_schema_field(CardProductSerializer(many=True))
    def get_products(self, card: Card) -> Any:
        about = {**self.context, "game": card.game.slug}
        return CardProductSerializer(queries.products_with(card), many=True, context=about).data

    @extend_schema_field(WithinSerializer(many=True))
    def get_decks(self, card: Card) -> Any:
        return WithinSerializer(queries.decks_with(card), many=True).data


@extend_schema(
    tags=["catalog"],
    summary="The games",
    responses={200: GameSerializer(many=True), **_READ},
)
class GameList(generics.ListAPIView[Game]):
    """All games with their sets, in the site's order."""

    permission_classes = (AllowAny,)
    serializer_class = GameSerializer
    pagination_class = None
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Game]:
        return queries.games_with_counts()


@extend_schema(
    tags=["catalog"],
    summary="One game, its modes, products and decks",
    responses={200: GameDetailSerializer, **_READ, **problems(404)},
)
class GameDetail(generics.RetrieveAPIView[Game]):
    """What there is to know before a match is created, a deck is built or a format is made."""

    permission_classes = (AllowAny,)
    serializer_class = GameDetailSerializer
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Game]:
        return queries.games_with_counts()


_WORDS = OpenApiParameter(
    "q", {"type": "string", "maxLength": 100}, description="Words in title, text or slug."
)


@extend_schema(
    tags=["catalog"],
    summary="Cards",
    parameters=[_WORDS],
    responses={200: CardSerializer(many=True), **_READ, **problems(400)},
)
class CardList(CardsByPage):
    """Cards of all games, filtered and sorted; retired ones are left out.

    Slips of the finger in the words are forgiven: `meant` says what was searched for instead.
    """

    permission_classes = (AllowAny,)
    serializer_class = CardSerializer
    filterset_class = CardFilter

    def get_queryset(self) -> QuerySet[Card]:
        return queries.cards()


@extend_schema(
    tags=["catalog"],
    summary="One card",
    responses={200: CardDetailSerializer, **_READ, **problems(404)},
)
class CardDetail(generics.RetrieveAPIView[Card]):
    """One card, retired or not, with its rulings and where it is to be had."""

    permission_classes = (AllowAny,)
    serializer_class = CardDetailSerializer
    filter_backends = ()
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Card]:
        if getattr(self, "swagger_fake_view", False):
            return queries.cards()
        return queries.cards(retired=True).filter(game__slug=self.kwargs["game"])
