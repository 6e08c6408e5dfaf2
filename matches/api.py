"""Matches in the API: set up, watch, play, look back. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    Direction,
    OpenApiExample,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.documents import problems
from accounts.idempotency import ONCE, once_per_key
from collection import examples
from matches import queries
from matches.errors import Malformed
from matches.models import Match, Pace, SeatKind, Status
from matches.services import play, record, setup
from rules.engine.errors import BadData
from rules.engine.moves import move_from_json

BIGGEST = 2**31 - 1
EVENTS_AT_ONCE = 500


# -- shapes ---------------------------------------------------------------------------------------


@extend_schema_serializer(component_name="SeatAtTable")
class SeatSerializer(serializers.Serializer[Any]):
    """A seat, counted from 0."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(SeatKind.choices)
    name = serializers.CharField()
    mine = serializers.BooleanField(help_text="You sit here.")
    waiting = serializers.BooleanField(help_text="This seat is asked something.")
    deadline_at = serializers.DateTimeField(allow_null=True)
    place = serializers.IntegerField(allow_null=True, help_text="1 is best; ties share a place.")


class OutcomeSerializer(serializers.Serializer[Any]):
    """The end: groups of seats, best first, and what else there is to say of it in a mode."""

    ranking = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    winners = serializers.ListField(child=serializers.IntegerField())
    reason = serializers.CharField()

    def to_representation(self, outcome: Any) -> dict[str, Any]:
        """With what the game adds, such as a score where a mode is played alone."""
        return {**outcome, **super().to_representation(outcome)}


class OutcomeOfAnyGame(OpenApiSerializerExtension):
    """Says in the API's document that a game may add to an outcome."""

    target_class = OutcomeSerializer

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": {}}


class MatchSerializer(serializers.Serializer[Match]):
    """A match as everybody may know it."""

    slug = serializers.CharField()
    game = serializers.CharField()
    mode = serializers.CharField()
    rules_version = serializers.CharField()
    options = serializers.DictField()
    status = serializers.ChoiceField(Status.choices)
    pace = serializers.ChoiceField(Pace.choices)
    private = serializers.BooleanField()
    ply = serializers.SerializerMethodField(
        help_text="How many moves you could see. Answers that others give in secret do not count."
    )
    commitment = serializers.CharField(help_text="SHA-256 of the server's seed.")
    seats = serializers.SerializerMethodField()
    outcome = OutcomeSerializer(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    moved_at = serializers.DateTimeField(
        allow_null=True, help_text="When the last move came that was visible to everybody."
    )
    finished_at = serializers.DateTimeField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)

    def get_ply(self, match: Match) -> int:
        """The number that the match has for whoever asks."""
        return match.visible_ply(queries.seat_of(match, self.context["request"].user))

    @extend_schema_field(SeatSerializer(many=True))
    def get_seats(self, match: Match) -> Any:
        """The seats, with names."""
        infos = queries.seat_infos(match, self.context["request"].user)
        return SeatSerializer(infos, many=True).data


class NewSeatSerializer(serializers.Serializer[Any]):
    """Who is to sit there: you, a bot, or whoever comes."""

    kind = serializers.ChoiceField(
        SeatKind.choices, help_text="`person` is you; `open` is for whoever joins."
    )
    bot = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text='Which bot; "": the game\'s best.'
    )


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": 40},
            {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": {"type": "integer", "minimum": 1, "maximum": 999},
                },
            },
        ]
    }
)
class DeckToPlayField(serializers.Field[Any, Any, Any, Any]):
    """The slug of a deck, or a list of cards."""

    slug = serializers.CharField(max_length=40)
    cards = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField(min_value=1, max_value=999))
    )

    def to_internal_value(self, data: Any) -> Any:
        return (self.slug if isinstance(data, str) else self.cards).run_validation(data)

    def to_representation(self, value: Any) -> Any:
        return value


class NewMatchSerializer(serializers.Serializer[Any]):
    """A match to be set up."""

    game = serializers.CharField(max_length=40)
    mode = serializers.CharField(max_length=40)
    seats = serializers.ListField(child=NewSeatSerializer(), min_length=1, max_length=16)
    options = serializers.DictField(required=False, help_text="See the mode's options.")
    pace = serializers.ChoiceField(Pace.choices, default=Pace.THREE_DAYS)
    private = serializers.BooleanField(default=False)
    deck = DeckToPlayField(
        required=False,
        help_text="The slug of one of your decks or of a ready-made one, or a list "
        "`{section: {card slug: count}}`. Where the mode or an option has every seat bring a deck "
        "it is yours (left out: the first ready-made one); else the table's shared deck, where an "
        "option says that one is used. A deck that is not legal with these options is refused "
        "with its report in `problems`.",
    )
    client_seed = serializers.CharField(
        max_length=64, default="", allow_blank=True, help_text="Your own addition to the seed."
    )

    def validate_seats(self, seats: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The one who sets a match up plays in it."""
        if sum(seat["kind"] == SeatKind.PERSON for seat in seats) != 1:
            raise serializers.ValidationError("Exactly one seat is yours: kind “person”.")
        return seats


class ShareSerializer(serializers.Serializer[Any]):
    """Sitting down."""

    deck = DeckToPlayField(
        required=False,
        help_text="Where the match's options have every seat bring a deck: the slug of one of "
        "yours or of a ready-made one, or a list. Left out: the first ready-made one.",
    )

    client_seed = serializers.CharField(
        max_length=64,
        default="",
        allow_blank=True,
        help_text="Your own addition to the seed: one line.",
    )


class AnswerSerializer(serializers.Serializer[Any]):
    """An answer to a prompt: its id, and a move either as JSON or in notation."""

    prompt = serializers.IntegerField(min_value=1, max_value=BIGGEST)
    move = serializers.DictField(required=False, help_text="One of the options, as JSON.")
    notation = serializers.CharField(required=False, max_length=300, help_text="Or as text.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two, not both."""
        if ("move" in attrs) == ("notation" in attrs):
            raise serializers.ValidationError("Send either “move” or “notation”.")
        return attrs


class PlayedSerializer(serializers.Serializer[record.Played]):
    """The receipt for a move."""

    ply = serializers.IntegerField(
        help_text="The move's number, from 1, among those that you could see."
    )
    seat = serializers.IntegerField()
    notation = serializers.CharField()
    repeated = serializers.BooleanField(help_text="You had sent this before; it counts once.")


@extend_schema_serializer(component_name="PromptOption")
class OptionSerializer(serializers.Serializer[queries.TableOption]):
    """One possible answer."""

    label = serializers.CharField()  # type: ignore[assignment]  # Field has a label of its own
    notation = serializers.CharField()
    move = serializers.DictField()
    preview = serializers.DictField(
        allow_null=True,
        help_text="What it would lead to as far as you may know, where the game tells.",
    )


class PromptSerializer(serializers.Serializer[queries.TablePrompt]):
    """What your seat is asked."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    question = serializers.CharField()
    options = OptionSerializer(many=True)
    outlook = serializers.DictField(
        help_text="What could go where before anything is chosen, where the game tells: `places` "
        "lists by which `verb` a `card` could be played and the targets `to` which it could go."
    )


class StateSerializer(serializers.Serializer[queries.TableState]):
    """The table as you may see it."""

    match = serializers.CharField(source="match.slug")
    status = serializers.ChoiceField(Status.choices, source="match.status")
    ply = serializers.IntegerField(help_text="How many moves you could see.")
    seat = serializers.IntegerField(allow_null=True, help_text="Yours; null for spectators.")
    view = serializers.DictField(allow_null=True, help_text="Null before the start.")
    prompt = PromptSerializer(allow_null=True)
    seats = SeatSerializer(many=True)


class EventGroupSerializer(serializers.Serializer[queries.EventGroup]):
    """What happened in one ply, as far as you may know it."""

    ply = serializers.IntegerField(
        help_text="0 is the start. Moves that are hidden from you are not counted."
    )
    seat = serializers.IntegerField(allow_null=True)
    source = serializers.CharField(  # type: ignore[assignment]  # Field has one of its own
        help_text="person, bot or clock; empty for the start."
    )
    at = serializers.DateTimeField(allow_null=True)
    events = serializers.ListField(child=serializers.DictField())
    lines = serializers.ListField(child=serializers.CharField())


class EventsSerializer(serializers.Serializer[Any]):
    """Events after a ply. Ask again with ``since`` = the last ply while there is ``more``."""

    ply = serializers.IntegerField(help_text="How many moves you could see so far.")
    more = serializers.BooleanField()
    events = EventGroupSerializer(many=True)


class ResultSerializer(serializers.Serializer[Match]):
    """How a match ended."""

    match = serializers.CharField(source="slug")
    outcome = OutcomeSerializer()
    seats = serializers.SerializerMethodField()
    plies = serializers.IntegerField(source="ply", help_text="All moves.")
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField()

    @extend_schema_field(SeatSerializer(many=True))
    def get_seats(self, match: Match) -> Any:
        """The seats, with names and places."""
        infos = queries.seat_infos(match, self.context["request"].user)
        return SeatSerializer(infos, many=True).data


class ReplaySerializer(serializers.Serializer[queries.ReplayState]):
    """A finished match after some of its moves, from one seat's eyes. All moves are counted."""

    match = serializers.CharField(source="match.slug")
    ply = serializers.IntegerField()
    plies = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    view = serializers.DictField()
    lines = serializers.ListField(child=serializers.CharField())


class FairnessSerializer(serializers.Serializer[Any]):
    """What anybody needs to check the chance of a match.

    Seeds, decks and moves are null until it is over: they would tell what lies hidden. A match
    that was called off shows its seeds; its decks and moves stay null.
    """

    commitment = serializers.CharField(
        help_text="SHA-256 of the server's seed, known from the start."
    )
    client_seeds = serializers.DictField(
        child=serializers.CharField(), help_text="What players added to the seed, by seat."
    )
    server_seed = serializers.CharField(allow_null=True)
    match_seed = serializers.CharField(allow_null=True, help_text="Both mixed; the chance's seed.")
    rules_version = serializers.CharField()
    options = serializers.DictField()
    decks = serializers.ListField(allow_null=True)
    moves = serializers.ListField(
        child=serializers.DictField(), allow_null=True, help_text="ply, seat, notation."
    )


@extend_schema_serializer(component_name="MatchRecord")
class RecordSerializer(serializers.Serializer[Any]):
    """The record of a finished match. ``docs/fairness.md`` says what each part means."""

    riffle = serializers.IntegerField(help_text="1: the form of the record.")
    game = serializers.CharField()
    mode = serializers.CharField()
    rules_version = serializers.CharField(help_text="The version that it was played by.")
    seats = serializers.IntegerField()
    options = serializers.DictField()
    cards = serializers.ListField(
        child=serializers.CharField(), help_text="The slug of each card, by its number."
    )
    commitment = serializers.CharField()
    server_seed = serializers.CharField()
    client_seeds = serializers.ListField(
        child=serializers.ListField(), help_text="`[seat, text]` for each client seed."
    )
    events = serializers.ListField(
        child=serializers.ListField(), help_text="`[kind, value, …]`, all of them in order."
    )
    moves = serializers.ListField(child=serializers.CharField(), help_text="In notation.")


class ListedSerializer(serializers.Serializer[Any]):
    """Which matches to list."""

    status = serializers.ChoiceField(Status.choices, required=False)
    game = serializers.CharField(required=False, max_length=40)
    mine = serializers.BooleanField(required=False, help_text="Only those in which you sit.")
    awaiting = serializers.BooleanField(
        required=False, help_text="Only those that wait for you, the most urgent first."
    )


class SinceSerializer(serializers.Serializer[Any]):
    """From where, and how much."""

    since = serializers.IntegerField(
        default=-1, min_value=-1, max_value=BIGGEST, help_text="-1: with the start itself."
    )
    limit = serializers.IntegerField(
        default=EVENTS_AT_ONCE, min_value=1, max_value=EVENTS_AT_ONCE, help_text="Plies at most."
    )


class ReplayQuerySerializer(serializers.Serializer[Any]):
    """Which moment, and whose eyes."""

    ply = serializers.IntegerField(required=False, min_value=0, max_value=BIGGEST)
    seat = serializers.IntegerField(
        required=False, min_value=0, max_value=63, help_text="Left out: a spectator's."
    )


_READ = (400, 401, 403, 404, 406, 429)
_WRITE = (*_READ, 409, 413, 415, 422)
_TAGS = ["matches"]


# -- endpoints ------------------------------------------------------------------------------------


def _new_matches() -> list[OpenApiExample]:
    """Examples of matches that can be set up here."""
    you, bot = {"kind": "person"}, {"kind": "bot"}
    some: dict[str, tuple[dict[str, Any] | None, dict[str, Any]]] = {
        "Against a bot": (examples.to_play(), {"seats": [you, bot]}),
        "With a deck of your own": (
            examples.to_play(own_decks=True),
            {"seats": [you, bot], "deck": examples.DECKS[0].slug if examples.DECKS else ""},
        ),
        "Alone": (examples.to_play(alone=True), {"seats": [you]}),
        "Against whoever comes, a day a move": (
            examples.to_play(),
            {"seats": [you, {"kind": "open"}], "pace": "1d"},
        ),
    }
    return [
        OpenApiExample(name, request_only=True, value=which | how)
        for name, (which, how) in some.items()
        if which is not None
    ]


class _MatchView(APIView):
    """One match; whether the person may look at it is decided before anything else."""

    def found(self, slug: str) -> Match:
        return queries.access_match(self.request.user, slug)

    def matched(self, slug: str, code: int = status.HTTP_200_OK) -> Response:
        """The match as it stands now, as an answer."""
        data = MatchSerializer(self.found(slug), context={"request": self.request}).data
        return Response(data, status=code)

    def asked(self, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The query of the address, checked."""
        query = shape(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)

    def sent(self, shape: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """The body, checked."""
        body = shape(data=self.request.data)
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)


class MatchesView(generics.ListAPIView[Match]):
    """Matches, and setting one up."""

    serializer_class = MatchSerializer
    filter_backends = []
    queryset = Match.objects.none()

    @extend_schema(
        operation_id="matches_list",
        tags=_TAGS,
        parameters=[ListedSerializer],
        responses={200: MatchSerializer(many=True), **problems(*_READ)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List matches: public ones, and all of yours; the newest first."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Match]:
        query = ListedSerializer(data=self.request.query_params)
        query.is_valid(raise_exception=True)
        wanted, user = query.validated_data, self.request.user
        found: QuerySet[Match]
        if (wanted.get("mine") or wanted.get("awaiting")) and not user.is_authenticated:
            found = Match.objects.none()
        elif user.is_authenticated and wanted.get("awaiting"):
            found = queries.awaiting(user)
        elif user.is_authenticated and wanted.get("mine"):
            found = queries.matches_of(user)
        else:
            found = queries.visible_matches(user)
        return found.filter(**{k: wanted[k] for k in ("status", "game") if k in wanted})

    @extend_schema(
        operation_id="matches_create",
        tags=_TAGS,
        request=NewMatchSerializer,
        parameters=[ONCE],
        responses={201: MatchSerializer, **problems(*_WRITE)},
        examples=_new_matches(),
    )
    def post(self, request: Request) -> Response:
        """Set up a match. It starts at once if no seat is open.

        Up to 60 matches of yours may be unfinished, and, for members, up to 600 more that have no
        seat for you and one for somebody else; the staff has ten times as many.
        """
        body = NewMatchSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        new = body.validated_data

        def make() -> str:
            match = setup.create_match(
                host=request.user,  # type: ignore[arg-type]  # IsAuthenticatedOrReadOnly saw to it
                game=new["game"],
                mode=new["mode"],
                seats=[setup.SeatPlan(seat["kind"], bot=seat["bot"]) for seat in new["seats"]],
                options=new.get("options"),
                pace=new["pace"],
                deck=new.get("deck"),
                private=new["private"],
                client_seed=new["client_seed"],
            )
            return match.slug

        made = once_per_key(request, make)
        shown = MatchSerializer(
            queries.access_match(request.user, made), context={"request": request}
        )
        return Response(shown.data, status=status.HTTP_201_CREATED)


class MatchView(_MatchView):
    """One match."""

    @extend_schema(
        operation_id="matches_retrieve",
        tags=_TAGS,
        responses={200: MatchSerializer, **problems(*_READ)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The match, its seats and where it stands."""
        return self.matched(slug)


class JoinView(_MatchView):
    """Sitting down."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="matches_join",
        tags=_TAGS,
        request=ShareSerializer,
        responses={200: MatchSerializer, **problems(*_WRITE)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Take an open seat. The last one to sit down starts the match; twice does no harm."""
        sent = self.sent(ShareSerializer)
        setup.join_match(
            match=self.found(slug),
            user=request.user,  # type: ignore[arg-type]  # IsAuthenticated saw to it
            client_seed=sent["client_seed"],
            deck=sent.get("deck"),
        )
        return self.matched(slug)


class LeaveView(_MatchView):
    """Standing up."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="matches_leave",
        tags=_TAGS,
        request=None,
        responses={200: MatchSerializer, **problems(*_WRITE)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give your seat back before the start. When the host leaves, the match is cancelled."""
        setup.leave_match(match=self.found(slug), user=request.user)  # type: ignore[arg-type]
        return self.matched(slug)


class StateView(_MatchView):
    """The table."""

    @extend_schema(
        operation_id="matches_state",
        tags=_TAGS,
        responses={200: StateSerializer, **problems(*_READ)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The table as your seat (or a spectator) may see it, and what you are asked."""
        state = queries.table_state(self.found(slug), request.user, with_log=False)
        return Response(StateSerializer(state).data)


class MovesView(_MatchView):
    """Playing."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="matches_play",
        tags=_TAGS,
        request=AnswerSerializer,
        responses={200: PlayedSerializer, **problems(*_WRITE)},
        examples=[
            OpenApiExample(
                "As JSON", request_only=True, value={"prompt": 17, "move": {"verb": "pass"}}
            ),
            OpenApiExample(
                "In notation",
                request_only=True,
                value={"prompt": 18, "notation": "pass"},
            ),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Answer your prompt with one of its options.

        The same answer sent again gives the same receipt; another answer to an answered prompt
        is a conflict (409).
        """
        answer = self.sent(AnswerSerializer)
        if "notation" in answer:
            move = answer["notation"]
        else:
            try:
                move = move_from_json(answer["move"])
            except BadData as error:
                raise Malformed(str(error)) from error
        played = play.play_move(
            slug=slug,
            user=request.user,  # type: ignore[arg-type]
            prompt_id=answer["prompt"],
            move=move,
        )
        return Response(PlayedSerializer(played).data)


class ConcedeView(_MatchView):
    """Giving up."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="matches_concede",
        tags=_TAGS,
        request=None,
        responses={200: PlayedSerializer, **problems(*_WRITE)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Give up. It is a move like any other and can be made at any time."""
        played = play.concede(slug=slug, user=request.user)  # type: ignore[arg-type]
        return Response(PlayedSerializer(played).data)


class RematchView(_MatchView):
    """Once more."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="matches_rematch",
        tags=_TAGS,
        request=None,
        responses={200: MatchSerializer, **problems(*_WRITE)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Play again with the same people. The first to ask makes the table, the others join it."""
        again = setup.rematch(slug=slug, user=request.user)  # type: ignore[arg-type]
        return self.matched(again.slug)


class EventsView(_MatchView):
    """What happened."""

    @extend_schema(
        operation_id="matches_events",
        tags=_TAGS,
        parameters=[SinceSerializer],
        responses={200: EventsSerializer, **problems(*_READ)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """What happened after a ply, as your seat (or a spectator) may know it."""
        query = self.asked(SinceSerializer)
        match = self.found(slug)
        seat = queries.seat_of(match, request.user)
        groups = queries.event_groups(match, seat, query["since"], query["limit"])
        last = groups[-1].ply if groups else query["since"]
        reached = match.visible_ply(seat)
        shown = {
            "ply": reached,
            "more": bool(groups) and last < reached,
            "events": groups,
        }
        return Response(EventsSerializer(shown).data)


class ResultView(_MatchView):
    """The end."""

    @extend_schema(
        operation_id="matches_result",
        tags=_TAGS,
        responses={200: ResultSerializer, **problems(*_READ, 409)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """How a finished match ended; a conflict (409) for any other."""
        match = self.found(slug)
        queries.require_finished(match)
        return Response(ResultSerializer(match, context={"request": request}).data)


class ReplayView(_MatchView):
    """Looking back."""

    @extend_schema(
        operation_id="matches_replay",
        tags=_TAGS,
        parameters=[ReplayQuerySerializer],
        responses={200: ReplaySerializer, **problems(*_READ, 409, 422)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """A finished match after any of its moves, from any seat's eyes."""
        query = self.asked(ReplayQuerySerializer)
        match = self.found(slug)
        state = queries.replay_state(match, ply=query.get("ply", match.ply), seat=query.get("seat"))
        return Response(ReplaySerializer(state).data)


class FairnessView(_MatchView):
    """Checking the chance."""

    @extend_schema(
        operation_id="matches_fairness",
        tags=_TAGS,
        responses={200: FairnessSerializer, **problems(*_READ)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The commitment to the seed; once the match is over, the seed, the decks and the moves."""
        found = asdict(queries.fairness(self.found(slug)))
        found["client_seeds"] = {str(seat): text for seat, text in found["client_seeds"]}
        if found["moves"] is not None:
            found["moves"] = [
                {"ply": ply, "seat": seat, "notation": text} for ply, seat, text in found["moves"]
            ]
        return Response(found)


class RecordView(_MatchView):
    """Checking the chance with a program."""

    @extend_schema(
        operation_id="matches_record",
        tags=_TAGS,
        responses={200: RecordSerializer, **problems(*_READ, 409)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The record of a finished match for ``docs/verify.py``; a conflict (409) before."""
        return Response(queries.fairness_record(self.found(slug)))
