"""The API's representations of matches, built from ``matches.queries``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers

from accounts.models import Viewer
from core.serializers import Doc, component, describe, from_row
from matches.models import Match, SeatKind, Status, TimeControl, Timeout
from matches.moves import lost_on_time, moves_of
from matches.queries import people
from matches.queries.access import require_finished, seat_of
from matches.queries.events import EventGroup, event_groups
from matches.queries.fairness import Fairness
from matches.queries.replay import ReplayState
from matches.queries.seats import SeatInfo, seat_infos
from matches.queries.table import TableOption, TablePrompt, TableState
from matches.services import store_ply

describe(
    SeatInfo,
    "A seat, counted from 0.",
    "number",
    "name",
    kind=Doc(choices=SeatKind.choices),
    mine=Doc("Your seat."),
    waiting=Doc("This seat has an open prompt."),
    deadline_at=Doc(),
    rank=Doc("1 is best; ties share a rank."),
    time_bank_seconds=Doc("Time left when its turn began, or while it is not its turn."),
    flag_fallen=Doc("Out of time."),
    vacant=Doc("Its player left; a bot plays until a replacement joins."),
    passed_on=Doc("Its first player left; the rating change is theirs."),
    substitute_bot=Doc("The bot that plays for its absent player, or empty."),
    wants_cancel=Doc("Agrees to cancel the match; only visible to players."),
    wants_takeback=Doc("Agrees to a takeback; only visible to players."),
    wants_draw=Doc("Agrees to a draw; only visible to players."),
    username=Doc("Empty for the game’s bots, open seats and deleted users."),
    is_guest=Doc("A guest’s seat."),
    is_bot=Doc("The account is a bot account."),
    component="SeatAtTable",
)
describe(
    TableOption,
    "One possible answer.",
    "label",
    "notation",
    "move",
    preview=Doc("Its effect, as far as you may know it and the game provides one."),
    stands=Doc("Can be repeated by a standing order."),
    component="PromptOption",
)
describe(
    TablePrompt,
    "The open prompt of your seat.",
    "id",
    "kind",
    "question",
    "options",
    outlook=Doc(
        "Possible plays, where the game provides them: `places` lists by which `verb` a `card` "
        "can be played and its targets `to`; `why_not` says why a `card` can’t be played, and "
        "by which `rule`."
    ),
    window=Doc("A standing order for `windows` can pass here."),
    component="Prompt",
)
describe(
    EventGroup,
    "The events of one ply, as far as you may know them.",
    "seat",
    "at",
    "events",
    "lines",
    ply=Doc("0 is the start. Moves hidden from you are not counted."),
    source=Doc("person, bot or clock; empty for the start."),
    by_order=Doc(
        "Made by a standing order. While the match runs you see this only for your own moves."
    ),
)
describe(
    store_ply.Played,
    "The receipt for a move.",
    "seat",
    "notation",
    ply=Doc("The number of the move, from 1, among those that you could see."),
    repeated=Doc("You had already sent this move; it counts once."),
)


class OutcomeSerializer(serializers.Serializer[Any]):
    """The outcome: groups of seats, best first; a game may add members."""

    ranking = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    winners = serializers.ListField(child=serializers.IntegerField())
    reason = serializers.CharField()

    def to_representation(self, outcome: Any) -> dict[str, Any]:
        """Include what the game adds, such as the score of a solo mode."""
        return {**outcome, **super().to_representation(outcome)}


class OutcomeOfAnyGame(OpenApiSerializerExtension):
    """Documents that a game may add members to an outcome."""

    target_class = OutcomeSerializer

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": {}}


@component("Match")
@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match, as far as the viewer may know it."""

    slug: str
    game: str
    mode: str
    rules_version: str
    options: dict[str, Any]
    status: Annotated[str, Doc(choices=Status.choices)]
    time_control: Annotated[str, Doc(choices=TimeControl.choices)]
    timeout: Annotated[
        str, Doc("What happens when a player runs out of time.", choices=Timeout.choices)
    ]
    pauses_when_away: Annotated[bool, Doc("Clocks pause during vacation.")]
    private: bool
    unrated: Annotated[
        str,
        Doc(
            "Why it does not count for ratings: `casual` as chosen, `takeback` agreed to, `guest` "
            "for a guest’s match that is over, `early` if a player left before their second move."
        ),
    ]
    ply: Annotated[
        int,
        Doc("The number of moves that you could see, without secret answers of others."),
    ]
    commitment: Annotated[str, Doc("SHA-256 of the server seed.")]
    series_number: Annotated[
        int | None, Doc("Which match of its series, from 1; null for a single match.")
    ]
    seats: list[SeatInfo]
    outcome: Annotated[dict[str, Any] | None, Doc(field=OutcomeSerializer)]
    created_at: datetime
    started_at: datetime | None
    moved_at: Annotated[datetime | None, Doc("The time of the last move that was visible to all.")]
    finished_at: datetime | None
    deadline_at: datetime | None


def match_shown(viewer: Viewer, match: Match) -> MatchShown:
    """A match as the viewer may see it."""
    return from_row(
        MatchShown,
        match,
        ply=match.visible_ply(seat_of(match, viewer)),
        seats=seat_infos(match, viewer),
    )


def matches_shown(viewer: Viewer, matches: Iterable[Match]) -> list[MatchShown]:
    """Matches as the viewer may see them."""
    return [match_shown(viewer, match) for match in matches]


@component("State")
@dataclass(frozen=True, slots=True)
class StateShown:
    """The table as you may see it."""

    match: str
    status: Annotated[str, Doc(choices=Status.choices)]
    ply: Annotated[int, Doc("The number of moves that you could see.")]
    seat: Annotated[int | None, Doc("Yours; null for spectators.")]
    view: Annotated[dict[str, Any] | None, Doc("Null before the start.")]
    prompt: TablePrompt | None
    seats: list[SeatInfo]
    may_undo: Annotated[bool, Doc("You can undo your last answer.")]


def state_shown(state: TableState) -> StateShown:
    """Build the representation, with the match's slug."""
    return from_row(StateShown, state, match=state.match.slug, status=state.match.status)


@dataclass(frozen=True, slots=True)
class Events:
    """Events after a ply. Repeat with ``since`` = the last ply while there is ``more``."""

    ply: Annotated[int, Doc("The number of moves that you could see so far.")]
    more: bool
    events: list[EventGroup]


def events_since(viewer: Viewer, match: Match, since: int, limit: int) -> Events:
    """The events of up to ``limit`` plies after a ply."""
    seat = seat_of(match, viewer)
    groups = event_groups(match, seat, since, limit)
    reached = match.visible_ply(seat)
    return Events(reached, bool(groups) and groups[-1].ply < reached, groups)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    match: str
    outcome: Annotated[dict[str, Any], Doc(field=OutcomeSerializer)]
    seats: list[SeatInfo]
    lost_on_time: Annotated[
        list[int], Doc("The seats that ran out of time; the outcome’s reason says “resigned” then.")
    ]
    plies: Annotated[int, Doc("All moves.")]
    started_at: datetime
    finished_at: datetime
    rating_changes: Annotated[
        list[people.RatingChanged], Doc("By seat, where the match was rated.")
    ]


def result(viewer: Viewer, match: Match) -> Result:
    """The end of a match; raises ``NotFinished``."""
    require_finished(match)
    seats = seat_infos(match, viewer)
    changes = people.rating_changes(viewer, match)
    return from_row(
        Result,
        match,
        match=match.slug,
        seats=seats,
        lost_on_time=lost_on_time(moves_of(match, events=False)),
        plies=match.ply,
        rating_changes=changes,
    )


@component("Replay")
@dataclass(frozen=True, slots=True)
class ReplayShown:
    """A finished match after some of its moves, as one seat sees it. All moves are counted."""

    match: str
    ply: int
    plies: int
    seat: int | None
    view: dict[str, Any]
    lines: list[str]


def replay_shown(state: ReplayState) -> ReplayShown:
    """Build the representation, with the match's slug."""
    return from_row(ReplayShown, state, match=state.match.slug)


@component("Fairness")
@dataclass(frozen=True, slots=True)
class FairnessShown:
    """The data to verify the randomness of a match.

    Seeds, decks and moves are null until the match is over: they would reveal hidden cards. A
    cancelled match shows its seeds; its decks and moves stay null.
    """

    commitment: Annotated[str, Doc("SHA-256 of the server seed, published from the start.")]
    client_seeds: Annotated[dict[str, str], Doc("Client seeds by seat.")]
    server_seed: str | None
    match_seed: Annotated[
        str | None, Doc("Server seed and client seeds mixed: the seed of all randomness.")
    ]
    rules_version: str
    options: dict[str, Any]
    decks: list[Any] | None
    moves: Annotated[list[dict[str, Any]] | None, Doc("ply, seat, notation.")]


def fairness_shown(fairness: Fairness) -> FairnessShown:
    """Build the representation, with named members for the moves."""
    names = ("ply", "seat", "notation")
    return from_row(
        FairnessShown,
        fairness,
        client_seeds={str(seat): text for seat, text in fairness.client_seeds},
        moves=None
        if fairness.moves is None
        else [dict(zip(names, move, strict=True)) for move in fairness.moves],
    )


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The record of a finished match; its parts are explained in ``docs/fairness.md``."""

    riffle: Annotated[int, Doc("1: the version of this format.")]
    game: str
    mode: str
    rules_version: Annotated[str, Doc("The version of the rules.")]
    seats: int
    options: dict[str, Any]
    cards: Annotated[list[str], Doc("The slug of each card, by its number.")]
    commitment: str
    server_seed: str
    client_seeds: Annotated[list[list[Any]], Doc("`[seat, text]` for each client seed.")]
    bytes: Annotated[int, Doc("Bytes of the random stream that were used.")]
    reading: Annotated[dict[str, Any], Doc("What each kind of event draws from the stream.")]
    events: Annotated[list[list[Any]], Doc("`[kind, value, …]`, all of them in order.")]
    moves: Annotated[list[str], Doc("In notation.")]
