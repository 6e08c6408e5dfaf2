"""Matches in the API: creating, playing, watching, replaying. Pages use the same services."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers

from accounts.models import User, Viewer
from collection import examples
from core.operations import BODY, Idempotent, Rows, tagged
from core.pagination import CappedPages
from core.serializers import Doc, component, from_row
from matches.api import answers
from matches.errors import Malformed, NotPossible
from matches.models import Match, SeatKind, SeriesTerms, Status
from matches.queries import tables
from matches.queries.access import access_match
from matches.queries.fairness import fairness, fairness_record
from matches.queries.replay import replay_state
from matches.queries.table import table_state
from matches.queries.tables import visible_matches
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

MAX_INTEGER = 2**31 - 1
MAX_EVENTS = 500

operation = tagged("matches")
_READ = (400, 403)
_WRITE = (*BODY, 403, 409, 422)


# -- what is sent ---------------------------------------------------------------------------------

Name = Annotated[str, Doc(max_length=40)]
ClientSeed = Annotated[str, Doc(max_length=64)]


@dataclass(frozen=True, slots=True)
class NewSeat:
    """The planned occupant of a seat: you, a bot, or an open seat."""

    kind: Annotated[SeatKind, Doc("`person` is you; `open` is for anyone who joins.")]
    bot: Annotated[Name, Doc("Bot ID; empty for the strongest.")] = ""
    invite: Annotated[str, Doc("Reserves an open seat for this person.", max_length=150)] = ""


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
    """The setup of a match."""

    seats: Annotated[list[NewSeat], Doc(min_length=1, max_length=16)]
    listed: InLobby = True
    deck: Annotated[
        Any,
        Doc(
            "The slug of one of your decks or of a preconstructed one, or a list "
            "`{section: {card slug: count}}`. Your own deck where each player brings one (default: "
            "the first preconstructed deck), else the table’s shared deck where an option uses "
            "one. An illegal deck is refused with its report in `problems`.",
            field=DeckToPlayField,
        ),
    ] = None

    def check(self) -> None:
        """Require exactly one seat for the host."""
        if sum(seat.kind == SeatKind.PERSON for seat in self.seats) != 1:
            raise serializers.ValidationError(
                {"seats": ["Exactly one seat must be yours (kind “person”)."]}
            )


@dataclass(frozen=True, slots=True)
class Join:
    """Joining a table."""

    deck: Annotated[
        Any,
        Doc(
            "Where each player brings a deck: the slug of one of yours or of a preconstructed "
            "one, or a list. Default: the first preconstructed deck.",
            field=DeckToPlayField,
        ),
    ] = None
    client_seed: Annotated[ClientSeed, Doc("Your client seed: one line.")] = ""
    agrees: Annotated[
        bool,
        Doc(
            "Your consent to play for keeps: won cards change owners for good. Required at such "
            "tables."
        ),
    ] = False


@component("NewSeats")
@dataclass(frozen=True, slots=True)
class Rematch:
    """The seating of the rematch, decided by the first request."""

    seats: rematches.NewSeats = rematches.NewSeats.SWAP
    agrees: Annotated[
        bool,
        Doc("The consent to play for keeps again, required of the first player to ask."),
    ] = False
    series: Annotated[
        SeriesTerms | None,
        Doc("Makes it a series. Within a series you get its next match."),
    ] = None


@component("Answer")
@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """An answer to a prompt: its ID, and a move as JSON or in notation."""

    prompt: Annotated[int, Doc(min_value=1, max_value=MAX_INTEGER)]
    move: Annotated[dict[str, Any] | None, Doc("One of the options, as JSON.")] = None
    notation: Annotated[str | None, Doc("Or the move in notation.", max_length=300)] = None

    def check(self) -> None:
        """Require exactly one of the two."""
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
    """Filters of the list."""

    status: Status | None = None
    game: Name | None = None
    mine: Annotated[bool | None, Doc("Only matches that you play.")] = None
    awaiting: Annotated[
        bool | None, Doc("Only matches in which it is your turn, most urgent first.")
    ] = None

    def rows(self, user: Viewer) -> Rows[answers.MatchShown]:
        """The matches that the viewer may see."""
        wanted = {"status": self.status, "game": self.game}
        wanted = {name: value for name, value in wanted.items() if value is not None}
        answer = partial(answers.matches_shown, user)
        if not (self.mine or self.awaiting):
            return Rows(visible_matches(user).filter(**wanted), answer)
        if not isinstance(user, User):
            return Rows(Match.objects.none())
        if self.awaiting:
            return Rows(tables.awaiting(user).filter(**wanted), answer)
        return Rows(tables.keys_of(user, **wanted), lambda keys: answer(tables.with_keys(keys)))


@dataclass(frozen=True, slots=True)
class Since:
    """The position and the page size."""

    since: Annotated[int, Doc("-1 includes the start.", min_value=-1, max_value=MAX_INTEGER)] = -1
    limit: Annotated[int, Doc("Maximum number of plies.", min_value=1, max_value=MAX_EVENTS)] = (
        MAX_EVENTS
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """The ply and the perspective."""

    ply: Annotated[int | None, Doc(min_value=0, max_value=MAX_INTEGER)] = None
    seat: Annotated[int | None, Doc("Default: a spectator.", min_value=0, max_value=63)] = None


# -- operations -----------------------------------------------------------------------------------


def _new_matches() -> list[OpenApiExample]:
    """Examples of new matches."""
    you, bot = {"kind": "person"}, {"kind": "bot"}
    bodies: dict[str, tuple[dict[str, Any] | None, dict[str, Any]]] = {
        "Against a bot": (examples.to_play(), {"seats": [you, bot]}),
        "With a deck of your own": (
            examples.to_play(own_decks=True),
            {"seats": [you, bot], "deck": examples.DECKS[0].slug if examples.DECKS else ""},
        ),
        "Solo": (examples.to_play(alone=True), {"seats": [you]}),
        "Against anyone who joins": (
            examples.to_play(),
            {"seats": [you, {"kind": "open"}], "time_control": "fast"},
        ),
    }
    return [
        OpenApiExample(name, request_only=True, value=which | how)
        for name, (which, how) in bodies.items()
        if which is not None
    ]


def match_as_shown(user: Viewer, slug: str) -> answers.MatchShown:
    """The current match as this person may see it."""
    return answers.match_shown(user, access_match(user, slug))


def _plan(seat: NewSeat) -> setup.SeatPlan:
    if not seat.invite:
        return setup.SeatPlan(seat.kind, bot=seat.bot)
    if seat.kind != SeatKind.OPEN:
        raise NotPossible("Only an open seat can be reserved (kind “open”).")
    return setup.SeatPlan(seat.kind, user=invitations.person_called(seat.invite))


@operation("matches_list", refuses=_READ, pagination_class=CappedPages)
def list_matches(user: Viewer, query: Listed) -> Rows[answers.MatchShown]:
    """List all public matches and your own, newest first."""
    return query.rows(user)


@operation("matches_create", status=201, refuses=(404, *_WRITE), examples=_new_matches())
def create_match(user: User, body: NewMatch, once: Idempotent) -> answers.MatchShown:
    """Create a match. It starts at once if no seat is open.

    Limits: 60 unfinished matches, 3 of them open; members may create 600 more without a seat of
    their own. Staff: ten times that.
    """

    def make() -> str:
        plans = [_plan(seat) for seat in body.seats]
        match = setup.create_match(host=user, setup=from_row(MatchSetup, body, seats=plans))
        return match.slug

    return match_as_shown(user, once(make))


@operation("matches_retrieve", refuses=_READ)
def get_match(user: Viewer, slug: str) -> answers.MatchShown:
    """A match with its seats and status."""
    return match_as_shown(user, slug)


@operation("matches_join", refuses=_WRITE)
def join(user: User, slug: str, body: Join) -> answers.MatchShown:
    """Take an open seat. The last player to join starts the match. Idempotent."""
    match = access_match(user, slug)
    setup.join_match(
        match=match,
        user=user,
        client_seed=body.client_seed,
        deck=body.deck,
        agrees=body.agrees,
    )
    return match_as_shown(user, slug)


@operation("matches_leave", refuses=_WRITE)
def leave(user: User, slug: str) -> answers.MatchShown:
    """Leave an open table. When the host leaves, it is cancelled."""
    setup.leave_match(match=access_match(user, slug), user=user)
    return match_as_shown(user, slug)


@operation("matches_state", refuses=_READ)
def get_state(user: Viewer, slug: str) -> answers.StateShown:
    """The table as your seat (or a spectator) may see it, with your open prompt."""
    match = access_match(user, slug)
    return answers.state_shown(table_state(match, user))


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
def play_move(user: User, slug: str, body: PromptAnswer) -> store_ply.Played:
    """Answer your prompt with one of its options.

    Repeating an answer returns the same receipt; another answer to an answered prompt is a
    conflict (409).
    """
    return play.play_move(slug=slug, user=user, prompt_id=body.prompt, move=body.chosen())


@operation("matches_undo", refuses=_WRITE)
def take_back(user: User, slug: str) -> store_ply.Played:
    """Undo your last answer if the state says `may_undo`; else 409.

    This is a move of its own: the undone answer stays in the record without effect.
    """
    return taking_back.take_back(slug=slug, user=user)


@operation("matches_concede", refuses=_WRITE)
def concede(user: User, slug: str) -> store_ply.Played:
    """Concede. This is a move like any other, possible at any time. Idempotent."""
    return play.concede(slug=slug, user=user)


@dataclass(frozen=True, slots=True)
class TimeFor:
    """The seat that gets time."""

    seat: Annotated[
        int | None, Doc("Default: the clock that runs out first.", min_value=0, max_value=63)
    ] = None


@operation("matches_give_time", refuses=_WRITE)
def give_time(user: User, slug: str, body: TimeFor) -> answers.MatchShown:
    """Add one increment to an opponent's clock that is running out, or has run out.

    Once per turn, and once more each time the seat's flag has fallen. Idempotent.
    """
    clock.give_time(slug=slug, user=user, seat=body.seat)
    return match_as_shown(user, slug)


@operation("matches_return", refuses=_WRITE)
def return_to_seat(user: User, slug: str) -> answers.MatchShown:
    """Take your seat back from its substitute bot. Idempotent."""
    clock.take_seat_back(slug=slug, user=user)
    return match_as_shown(user, slug)


@component("TurnBackWord")
@dataclass(frozen=True, slots=True)
class BackWord:
    """A takeback request, or the answer to one."""

    word: offers.Word = offers.Word.OFFER


@operation("matches_takeback", refuses=_WRITE)
def go_back(user: User, slug: str, body: BackWord) -> answers.MatchShown:
    """Request a takeback to the start of your last turn; all other people must agree.

    `offer`, `agree` (`wants_takeback` of the seats shows who has) or `decline`. Only while nothing
    random has happened since and one seat at a time had a prompt. The takeback makes the match
    `unrated`; any move withdraws the request.
    """
    going_back.go_back(slug=slug, user=user, word=body.word)
    return match_as_shown(user, slug)


@component("DrawWord")
@dataclass(frozen=True, slots=True)
class DrawWord:
    """A draw offer, or the answer to one."""

    word: offers.Word = offers.Word.OFFER


@operation("matches_draw", refuses=_WRITE)
def agree_on_draw(user: User, slug: str, body: DrawWord) -> answers.MatchShown:
    """End the match as a draw, if the rules allow it and all remaining players agree.

    `offer`, `agree` (`wants_draw` of the seats shows who has, except to spectators) or
    `decline`. A move by another player withdraws an offer. Bots never agree.
    """
    draws.agree_on_draw(slug=slug, user=user, word=body.word)
    return match_as_shown(user, slug)


@operation("matches_give_up", refuses=_WRITE)
def give_up_seat(user: User, slug: str) -> answers.MatchShown:
    """Leave your seat for good, at a table that allows replacements.

    A bot plays until someone takes it over. For your rating it is a loss.
    """
    passing_on.give_up_seat(slug=slug, user=user)
    return match_as_shown(user, slug)


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """The seat to take over."""

    seat: Annotated[int, Doc("From 0; one that is `vacant`.", min_value=0, max_value=63)]


@operation("matches_take_over", refuses=_WRITE)
def take_seat_over(user: User, slug: str, body: VacantSeat) -> answers.MatchShown:
    """Take over the seat of a player who left; your rating isn't affected."""
    passing_on.take_seat_over(slug=slug, user=user, seat=body.seat)
    return match_as_shown(user, slug)


@dataclass(frozen=True, slots=True)
class Word:
    """Consent to cancelling a match."""

    word: offers.Word = offers.Word.OFFER


@operation("matches_cancel", refuses=_WRITE)
def cancel(user: User, slug: str, body: Word) -> answers.MatchShown:
    """Cancel a match without a result, or offer to.

    Before your second move you may cancel alone, but in a series its first match only. Later all
    remaining players must agree: `offer`,
    `agree` (`wants_cancel` of the seats shows who has) or `decline`, which also withdraws your own.
    """
    cancelling.cancel_match(slug=slug, user=user, word=body.word)
    return match_as_shown(user, slug)


@operation("matches_rematch", refuses=_WRITE)
def rematch(user: User, slug: str, body: Rematch) -> answers.MatchShown:
    """Ask for a rematch, or accept one. The first request creates the table."""
    again = rematches.rematch(
        slug=slug, user=user, seats=body.seats, agrees=body.agrees, terms=body.series
    )
    return match_as_shown(user, again.slug)


@operation("matches_events", refuses=_READ, is_metered=True)
def list_events(user: Viewer, slug: str, query: Since) -> answers.Events:
    """The events after a ply, as your seat (or a spectator) may know them."""
    match = access_match(user, slug)
    return answers.events_since(user, match, query.since, query.limit)


@operation("matches_result", refuses=(*_READ, 409), is_metered=True)
def get_result(user: Viewer, slug: str) -> answers.Result:
    """The result of a finished match; 409 for others."""
    return answers.result(user, access_match(user, slug))


@operation("matches_replay", refuses=(*_READ, 409, 422), is_metered=True)
def get_replay(user: Viewer, slug: str, query: Moment) -> answers.ReplayShown:
    """A finished match after any of its moves, as any seat sees it."""
    match = access_match(user, slug)
    ply = match.ply if query.ply is None else query.ply
    return answers.replay_shown(replay_state(match, ply=ply, seat=query.seat))


@operation("matches_fairness", refuses=_READ, is_metered=True)
def get_fairness(user: Viewer, slug: str) -> answers.FairnessShown:
    """The commitment to the seed; once the match is over, the seed, the decks and the moves."""
    return answers.fairness_shown(fairness(access_match(user, slug)))


@operation("matches_record", refuses=(*_READ, 409), is_metered=True)
def get_record(user: Viewer, slug: str) -> answers.MatchRecord:
    """The record of a finished match for ``docs/verify.py``; 409 before its end."""
    record = fairness_record(access_match(user, slug))
    return answers.MatchRecord(**record)
