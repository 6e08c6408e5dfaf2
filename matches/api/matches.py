"""Matches in the API: set up, watch, play, look back. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination

from accounts.models import User, Viewer
from collection import examples
from core.budgets import MeteredMixin
from core.operations import BODY, Idempotent, PersonalView, Rows, View, operation
from core.serializers import Doc, component, from_row
from matches.api import answers
from matches.errors import Malformed, NotPossible
from matches.models import Match, SeatKind, Status
from matches.queries import tables
from matches.queries.access import access_match
from matches.queries.fairness import fairness, fairness_record
from matches.queries.replay import replay_state
from matches.queries.table import table_state
from matches.queries.tables import matches_of, visible_matches
from matches.services import (
    cancelling,
    clock,
    draws,
    going_back,
    invitations,
    offers,
    passing_on,
    play,
    setup,
    store_ply,
    taking_back,
)
from matches.services import rematch as rematches
from matches.services.setup import InLobby, MatchSetup
from rules.engine.errors import BadData
from rules.engine.moves import Move, move_from_json

BIGGEST = 2**31 - 1
EVENTS_AT_ONCE = 500

_TAGS = ("matches",)
_READ = (400, 403)
_WRITE = (*BODY, 403, 409, 422)


# -- what is sent ---------------------------------------------------------------------------------

Name = Annotated[str, Doc(max_length=40)]
ClientSeed = Annotated[str, Doc(max_length=64)]


@dataclass(frozen=True, slots=True)
class NewSeat:
    """Who is to sit there: you, a bot, or whoever comes."""

    kind: Annotated[SeatKind, Doc("`person` is you; `open` is for whoever joins.")]
    bot: Annotated[Name, Doc('Which bot; "": the game\'s best.')] = ""
    invite: Annotated[
        str, Doc("An open seat with a username is kept for that person.", max_length=150)
    ] = ""


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


@dataclass(frozen=True, slots=True)
class NewMatch(MatchSetup[NewSeat]):
    """A match to be set up."""

    seats: Annotated[list[NewSeat], Doc(min_length=1, max_length=16)]
    listed: InLobby = True
    deck: Annotated[
        Any,
        Doc(
            "The slug of one of your decks or of a ready-made one, or a list "
            "`{section: {card slug: count}}`. Where the mode or an option has every seat bring a "
            "deck it is yours (left out: the first ready-made one); else the table's shared deck, "
            "where an option says that one is used. A deck that is not legal with these options "
            "is refused with its report in `problems`.",
            field=DeckToPlayField,
        ),
    ] = None

    def check(self) -> None:
        """The one who sets a match up plays in it."""
        if sum(seat.kind == SeatKind.PERSON for seat in self.seats) != 1:
            raise serializers.ValidationError(
                {"seats": ["Exactly one seat is yours: kind “person”."]}
            )


@dataclass(frozen=True, slots=True)
class Share:
    """Sitting down."""

    deck: Annotated[
        Any,
        Doc(
            "Where the match's options have every seat bring a deck: the slug of one of yours or "
            "of a ready-made one, or a list. Left out: the first ready-made one.",
            field=DeckToPlayField,
        ),
    ] = None
    client_seed: Annotated[ClientSeed, Doc("Your own addition to the seed: one line.")] = ""
    agrees: Annotated[
        bool,
        Doc(
            "Where cards that are won change owners for good: that you agree to it. Nobody sits "
            "down there without."
        ),
    ] = False


@component("NewSeats")
@dataclass(frozen=True, slots=True)
class Rematch:
    """Who sits where next time; whoever asks first says it."""

    seats: rematches.NewSeats = rematches.NewSeats.SWAP
    agrees: Annotated[
        bool,
        Doc(
            "Where the match was played for keeps: that whoever asks first agrees to it once more."
        ),
    ] = False


@component("Answer")
@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """An answer to a prompt: its id, and a move either as JSON or in notation."""

    prompt: Annotated[int, Doc(min_value=1, max_value=BIGGEST)]
    move: Annotated[dict[str, Any] | None, Doc("One of the options, as JSON.")] = None
    notation: Annotated[str | None, Doc("Or as text.", max_length=300)] = None

    def check(self) -> None:
        """One of the two, not both."""
        if (self.move is None) == (self.notation is None):
            raise serializers.ValidationError("Send either “move” or “notation”.")

    def chosen(self) -> Move | str:
        """The move; raises ``Malformed``."""
        if self.notation is not None:
            return self.notation
        try:
            return move_from_json(self.move)
        except BadData as error:
            raise Malformed(str(error)) from error


@dataclass(frozen=True, slots=True)
class Listed:
    """Which matches to list."""

    status: Status | None = None
    game: Name | None = None
    mine: Annotated[bool | None, Doc("Only those in which you sit.")] = None
    awaiting: Annotated[
        bool | None, Doc("Only those that wait for you, the most urgent first.")
    ] = None

    def rows(self, user: Viewer) -> QuerySet[Match]:
        """Those that somebody may see."""
        if (self.mine or self.awaiting) and not isinstance(user, User):
            return Match.objects.none()
        found: QuerySet[Match]
        if self.awaiting and isinstance(user, User):
            found = tables.awaiting(user)
        elif self.mine and isinstance(user, User):
            found = matches_of(user)
        else:
            found = visible_matches(user)
        wanted = {"status": self.status, "game": self.game}
        return found.filter(**{name: said for name, said in wanted.items() if said is not None})


@dataclass(frozen=True, slots=True)
class Since:
    """From where, and how much."""

    since: Annotated[int, Doc("-1: with the start itself.", min_value=-1, max_value=BIGGEST)] = -1
    limit: Annotated[int, Doc("Plies at most.", min_value=1, max_value=EVENTS_AT_ONCE)] = (
        EVENTS_AT_ONCE
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """Which moment, and whose eyes."""

    ply: Annotated[int | None, Doc(min_value=0, max_value=BIGGEST)] = None
    seat: Annotated[int | None, Doc("Left out: a spectator's.", min_value=0, max_value=63)] = None


# -- operations -----------------------------------------------------------------------------------


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
        "Against whoever comes": (
            examples.to_play(),
            {"seats": [you, {"kind": "open"}], "pace": "fast"},
        ),
    }
    return [
        OpenApiExample(name, request_only=True, value=which | how)
        for name, (which, how) in some.items()
        if which is not None
    ]


def match_as_shown(user: Viewer, slug: str) -> answers.MatchShown:
    """The match as it is now, as this person may see it."""
    return answers.match_shown(user, access_match(user, slug))


def _plan(seat: NewSeat) -> setup.SeatPlan:
    if not seat.invite:
        return setup.SeatPlan(seat.kind, bot=seat.bot)
    if seat.kind != SeatKind.OPEN:
        raise NotPossible("Only an open seat can be kept for somebody: kind “open”.")
    return setup.SeatPlan(seat.kind, user=invitations.person_called(seat.invite))


class MatchesView(View):
    """Matches, and setting one up."""

    tags = _TAGS
    pagination_class = PageNumberPagination

    @operation("matches_list", refuses=_READ)
    def get(self, user: Viewer, query: Listed) -> Rows[answers.MatchShown]:
        """List matches: public ones, and all of yours; the newest first."""
        return Rows(query.rows(user), lambda found: answers.matches_shown(user, found))

    @operation("matches_create", status=201, refuses=(404, *_WRITE), examples=_new_matches())
    def post(self, user: User, body: NewMatch, once: Idempotent) -> answers.MatchShown:
        """Set up a match. It starts at once if no seat is open.

        Up to 60 matches of yours may be unfinished, of which 3 may wait for people, and, for
        members, up to 600 more that have no seat for you and one for somebody else; the staff has
        ten times as many.
        """

        def make() -> str:
            plans = [_plan(seat) for seat in body.seats]
            match = setup.create_match(host=user, setup=from_row(MatchSetup, body, seats=plans))
            return match.slug

        return match_as_shown(user, once(make))


class MatchView(View):
    """One match."""

    tags = _TAGS

    @operation("matches_retrieve", refuses=_READ)
    def get(self, user: Viewer, slug: str) -> answers.MatchShown:
        """The match, its seats and where it stands."""
        return match_as_shown(user, slug)


class JoinView(PersonalView):
    """Sitting down."""

    tags = _TAGS

    @operation("matches_join", refuses=_WRITE)
    def post(self, user: User, slug: str, body: Share) -> answers.MatchShown:
        """Take an open seat. The last one to sit down starts the match; twice does no harm."""
        match = access_match(user, slug)
        setup.join_match(
            match=match,
            user=user,
            client_seed=body.client_seed,
            deck=body.deck,
            agrees=body.agrees,
        )
        return match_as_shown(user, slug)


class LeaveView(PersonalView):
    """Standing up."""

    tags = _TAGS

    @operation("matches_leave", refuses=_WRITE)
    def post(self, user: User, slug: str) -> answers.MatchShown:
        """Give your seat back before the start. When the host leaves, the match is cancelled."""
        setup.leave_match(match=access_match(user, slug), user=user)
        return match_as_shown(user, slug)


class StateView(View):
    """The table."""

    tags = _TAGS

    @operation("matches_state", refuses=_READ)
    def get(self, user: Viewer, slug: str) -> answers.StateShown:
        """The table as your seat (or a spectator) may see it, and what you are asked."""
        match = access_match(user, slug)
        return answers.state_shown(table_state(match, user))


class MovesView(PersonalView):
    """Playing."""

    tags = _TAGS

    @operation(
        "matches_play",
        refuses=_WRITE,
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
    def post(self, user: User, slug: str, body: PromptAnswer) -> store_ply.Played:
        """Answer your prompt with one of its options.

        The same answer sent again gives the same receipt; another answer to an answered prompt
        is a conflict (409).
        """
        return play.play_move(slug=slug, user=user, prompt_id=body.prompt, move=body.chosen())


class TakeBackView(PersonalView):
    """Thinking again."""

    tags = _TAGS

    @operation("matches_take_back", refuses=_WRITE)
    def post(self, user: User, slug: str) -> store_ply.Played:
        """Take back your last answer, where the state says `may_take_back`; else a conflict (409).

        It is a move of its own: what was taken back stays in the record, and counts no more.
        """
        return taking_back.take_back(slug=slug, user=user)


class ConcedeView(PersonalView):
    """Giving up."""

    tags = _TAGS

    @operation("matches_concede", refuses=_WRITE)
    def post(self, user: User, slug: str) -> store_ply.Played:
        """Give up. It is a move like any other and can be made at any time."""
        return play.concede(slug=slug, user=user)


@dataclass(frozen=True, slots=True)
class TimeFor:
    """Whom to give time."""

    seat: Annotated[
        int | None, Doc("Left out: whose time is up first.", min_value=0, max_value=63)
    ] = None


class GiveTimeView(PersonalView):
    """Giving time."""

    tags = _TAGS

    @operation("matches_give_time", refuses=_WRITE)
    def post(self, user: User, slug: str, body: TimeFor) -> answers.MatchShown:
        """Add a gain to an opponent's clock that is running out, or has run out.

        Once a turn, and once more each time that the seat is late; the same sent twice counts once.
        """
        clock.give_time(slug=slug, user=user, seat=body.seat)
        return match_as_shown(user, slug)


class ReturnView(PersonalView):
    """Coming back."""

    tags = _TAGS

    @operation("matches_return", refuses=_WRITE)
    def post(self, user: User, slug: str) -> answers.MatchShown:
        """Take your seat back from the bot that keeps it since your time ran out."""
        clock.take_seat_back(slug=slug, user=user)
        return match_as_shown(user, slug)


@component("TurnBackWord")
@dataclass(frozen=True, slots=True)
class BackWord:
    """What one says to going back to the start of a turn."""

    word: offers.Word = offers.Word.OFFER


class TurnBackView(PersonalView):
    """Going back to the start of a turn."""

    tags = _TAGS

    @operation("matches_turn_back", refuses=_WRITE)
    def post(self, user: User, slug: str, body: BackWord) -> answers.MatchShown:
        """Go back to the start of your last turn, if all others agree; bots do.

        `offer`, `agree` to what is offered (`wants_back` of the seats says who does) or `decline`.
        Only while no chance has decided anything since, and one seat alone was asked at a time.
        With the last yes the match goes back, and is `unrated`; a move of anybody withdraws it.
        """
        going_back.go_back(slug=slug, user=user, word=body.word)
        return match_as_shown(user, slug)


@component("DrawWord")
@dataclass(frozen=True, slots=True)
class DrawWord:
    """What one says to a draw."""

    word: offers.Word = offers.Word.OFFER


class DrawView(PersonalView):
    """Agreeing on a draw."""

    tags = _TAGS

    @operation("matches_draw", refuses=_WRITE)
    def post(self, user: User, slug: str, body: DrawWord) -> answers.MatchShown:
        """End the match with a draw, if the rules know that and all who play agree.

        `offer`, `agree` to what is offered (`wants_draw` of the seats says who does; spectators are
        not told) or `decline`. A move of anybody else withdraws an offer. Bots never agree.
        """
        draws.agree_on_draw(slug=slug, user=user, word=body.word)
        return match_as_shown(user, slug)


class GiveUpView(PersonalView):
    """Giving a seat up for good."""

    tags = _TAGS

    @operation("matches_give_up", refuses=_WRITE)
    def post(self, user: User, slug: str) -> answers.MatchShown:
        """Leave your seat for good, where the table lets seats pass on.

        A bot keeps it until somebody takes it over. For your rating it is a loss, whatever comes.
        """
        passing_on.give_up_seat(slug=slug, user=user)
        return match_as_shown(user, slug)


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """Which seat to take over."""

    seat: Annotated[int, Doc("From 0; one that is `vacant`.", min_value=0, max_value=63)]


class TakeOverView(PersonalView):
    """Taking over a seat that was given up."""

    tags = _TAGS

    @operation("matches_take_over", refuses=_WRITE)
    def post(self, user: User, slug: str, body: VacantSeat) -> answers.MatchShown:
        """Sit down at a running match where a seat was given up; it does not count for you."""
        passing_on.take_seat_over(slug=slug, user=user, seat=body.seat)
        return match_as_shown(user, slug)


@dataclass(frozen=True, slots=True)
class Word:
    """Whether one agrees."""

    agree: Annotated[bool, Doc("false: decline, or take your own offer back.")] = True


class CancelView(PersonalView):
    """Calling a match off."""

    tags = _TAGS

    @operation("matches_cancel", refuses=_WRITE)
    def post(self, user: User, slug: str, body: Word) -> answers.MatchShown:
        """Cancel a match that nobody is to win.

        Before your second move you may do so alone; afterwards everybody who still plays has to
        agree (`wants_cancel` of the seats says who does), and the last one cancels it.
        """
        cancelling.cancel_match(slug=slug, user=user, agree=body.agree)
        return match_as_shown(user, slug)


class RematchView(PersonalView):
    """Once more."""

    tags = _TAGS

    @operation("matches_rematch", refuses=_WRITE)
    def post(self, user: User, slug: str, body: Rematch) -> answers.MatchShown:
        """Play again with the same people. The first to ask makes the table, the others join it."""
        again = rematches.rematch(slug=slug, user=user, seats=body.seats, agrees=body.agrees)
        return match_as_shown(user, again.slug)


class EventsView(MeteredMixin, View):
    """What happened."""

    tags = _TAGS

    @operation("matches_events", refuses=_READ)
    def get(self, user: Viewer, slug: str, query: Since) -> answers.Events:
        """What happened after a ply, as your seat (or a spectator) may know it."""
        match = access_match(user, slug)
        return answers.events_since(user, match, query.since, query.limit)


class ResultView(MeteredMixin, View):
    """The end."""

    tags = _TAGS

    @operation("matches_result", refuses=(*_READ, 409))
    def get(self, user: Viewer, slug: str) -> answers.Result:
        """How a finished match ended; a conflict (409) for any other."""
        return answers.result(user, access_match(user, slug))


class ReplayView(MeteredMixin, View):
    """Looking back."""

    tags = _TAGS

    @operation("matches_replay", refuses=(*_READ, 409, 422))
    def get(self, user: Viewer, slug: str, query: Moment) -> answers.ReplayShown:
        """A finished match after any of its moves, from any seat's eyes."""
        match = access_match(user, slug)
        ply = match.ply if query.ply is None else query.ply
        return answers.replay_shown(replay_state(match, ply=ply, seat=query.seat))


class FairnessView(MeteredMixin, View):
    """Checking the chance."""

    tags = _TAGS

    @operation("matches_fairness", refuses=_READ)
    def get(self, user: Viewer, slug: str) -> answers.FairnessShown:
        """The commitment to the seed; once the match is over, the seed, the decks and the moves."""
        return answers.fairness_shown(fairness(access_match(user, slug)))


class RecordView(MeteredMixin, View):
    """Checking the chance with a program."""

    tags = _TAGS

    @operation("matches_record", refuses=(*_READ, 409))
    def get(self, user: Viewer, slug: str) -> answers.MatchRecord:
        """The record of a finished match for ``docs/verify.py``; a conflict (409) before."""
        found = fairness_record(access_match(user, slug))
        return answers.MatchRecord(**found)
