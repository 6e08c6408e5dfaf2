"""What the API tells of matches; what is asked and counted for it is in ``matches.queries``."""

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
    mine=Doc("You sit here."),
    waiting=Doc("This seat is asked something."),
    deadline_at=Doc(),
    rank=Doc("1 is best; ties share a place."),
    time_bank_seconds=Doc("Its time when its turn began, or while others are asked."),
    flag_fallen=Doc("Its time is up."),
    vacant=Doc("Its person gave it up for good; a bot keeps it for whoever takes it over."),
    passed_on=Doc("It was given up for good; its rating is that of whoever did."),
    substitute_bot=Doc("The bot that plays there until its person is back, or empty."),
    wants_cancel=Doc("Its person agrees to cancel the match; told only to those at the table."),
    wants_back=Doc("Its person agrees to go back in the match; told only to those at the table."),
    wants_draw=Doc("Its person agrees to a draw; told only to those who sit at the table."),
    username=Doc("Empty for the game’s bots, open seats and people who have left."),
    is_guest=Doc("A guest sits here."),
    is_bot=Doc("A program plays for the account that sits here."),
    component="SeatAtTable",
)
describe(
    TableOption,
    "One possible answer.",
    "label",
    "notation",
    "move",
    preview=Doc("What it would lead to as far as you may know, where the game tells."),
    stands=Doc("It can be given as a standing order: it means the same each time."),
    component="PromptOption",
)
describe(
    TablePrompt,
    "What your seat is asked.",
    "id",
    "kind",
    "question",
    "options",
    outlook=Doc(
        "What could go where before anything is chosen, where the game tells: `places` lists by "
        "which `verb` a `card` could be played and the targets `to` which it could go; `why_not` "
        "says of a `card` why it cannot be played, and by which `rule`."
    ),
    window=Doc("It is a chance that a standing order for `windows` can let pass."),
    component="Prompt",
)
describe(
    EventGroup,
    "What happened in one ply, as far as you may know it.",
    "seat",
    "at",
    "events",
    "lines",
    ply=Doc("0 is the start. Moves that are hidden from you are not counted."),
    source=Doc("person, bot or clock; empty for the start."),
    by_order=Doc(
        "A standing order made it. While the match runs you are told so of your own moves alone."
    ),
)
describe(
    store_ply.Played,
    "The receipt for a move.",
    "seat",
    "notation",
    ply=Doc("The move’s number, from 1, among those that you could see."),
    repeated=Doc("You had sent this before; it counts once."),
)


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


@component("Match")
@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match as everybody may know it."""

    slug: str
    game: str
    mode: str
    rules_version: str
    options: dict[str, Any]
    status: Annotated[str, Doc(choices=Status.choices)]
    time_control: Annotated[str, Doc(choices=TimeControl.choices)]
    timeout: Annotated[
        str, Doc("What happens to a seat whose time runs out.", choices=Timeout.choices)
    ]
    pauses_when_away: Annotated[bool, Doc("It waits for people who are away.")]
    private: bool
    unrated: Annotated[
        bool, Doc("All agreed to go back to the start of a turn, so it counts for no rating.")
    ]
    ply: Annotated[
        int,
        Doc("How many moves you could see. Answers that others give in secret do not count."),
    ]
    commitment: Annotated[str, Doc("SHA-256 of the server’s seed.")]
    seats: list[SeatInfo]
    outcome: Annotated[dict[str, Any] | None, Doc(field=OutcomeSerializer)]
    created_at: datetime
    started_at: datetime | None
    moved_at: Annotated[
        datetime | None, Doc("When the last move came that was visible to everybody.")
    ]
    finished_at: datetime | None
    deadline_at: datetime | None


def match_shown(viewer: Viewer, match: Match) -> MatchShown:
    """A match as it stands for whoever asks."""
    return from_row(
        MatchShown,
        match,
        ply=match.visible_ply(seat_of(match, viewer)),
        seats=seat_infos(match, viewer),
    )


def matches_shown(viewer: Viewer, matches: Iterable[Match]) -> list[MatchShown]:
    """Several of them."""
    return [match_shown(viewer, match) for match in matches]


@component("State")
@dataclass(frozen=True, slots=True)
class StateShown:
    """The table as you may see it."""

    match: str
    status: Annotated[str, Doc(choices=Status.choices)]
    ply: Annotated[int, Doc("How many moves you could see.")]
    seat: Annotated[int | None, Doc("Yours; null for spectators.")]
    view: Annotated[dict[str, Any] | None, Doc("Null before the start.")]
    prompt: TablePrompt | None
    seats: list[SeatInfo]
    may_take_back: Annotated[bool, Doc("You can take back your last answer.")]


def state_shown(state: TableState) -> StateShown:
    """The same with the match's name alone."""
    return from_row(StateShown, state, match=state.match.slug, status=state.match.status)


@dataclass(frozen=True, slots=True)
class Events:
    """Events after a ply. Ask again with ``since`` = the last ply while there is ``more``."""

    ply: Annotated[int, Doc("How many moves you could see so far.")]
    more: bool
    events: list[EventGroup]


def events_since(viewer: Viewer, match: Match, since: int, limit: int) -> Events:
    """What happened after a ply, so many plies of it."""
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
        Result, match, match=match.slug, seats=seats, plies=match.ply, rating_changes=changes
    )


@component("Replay")
@dataclass(frozen=True, slots=True)
class ReplayShown:
    """A finished match after some of its moves, from one seat's eyes. All moves are counted."""

    match: str
    ply: int
    plies: int
    seat: int | None
    view: dict[str, Any]
    lines: list[str]


def replay_shown(state: ReplayState) -> ReplayShown:
    """The same with the match's name alone."""
    return from_row(ReplayShown, state, match=state.match.slug)


@component("Fairness")
@dataclass(frozen=True, slots=True)
class FairnessShown:
    """What anybody needs to check the chance of a match.

    Seeds, decks and moves are null until it is over: they would tell what lies hidden. A match
    that was cancelled shows its seeds; its decks and moves stay null.
    """

    commitment: Annotated[str, Doc("SHA-256 of the server’s seed, known from the start.")]
    client_seeds: Annotated[dict[str, str], Doc("What players added to the seed, by seat.")]
    server_seed: str | None
    match_seed: Annotated[str | None, Doc("Both mixed; the chance’s seed.")]
    rules_version: str
    options: dict[str, Any]
    decks: list[Any] | None
    moves: Annotated[list[dict[str, Any]] | None, Doc("ply, seat, notation.")]


def fairness_shown(found: Fairness) -> FairnessShown:
    """The same with names for what stands in rows."""
    names = ("ply", "seat", "notation")
    return from_row(
        FairnessShown,
        found,
        client_seeds={str(seat): text for seat, text in found.client_seeds},
        moves=None
        if found.moves is None
        else [dict(zip(names, move, strict=True)) for move in found.moves],
    )


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The record of a finished match. ``docs/fairness.md`` says what each part means."""

    riffle: Annotated[int, Doc("1: the form of the record.")]
    game: str
    mode: str
    rules_version: Annotated[str, Doc("The version that it was played by.")]
    seats: int
    options: dict[str, Any]
    cards: Annotated[list[str], Doc("The slug of each card, by its number.")]
    commitment: str
    server_seed: str
    client_seeds: Annotated[list[list[Any]], Doc("`[seat, text]` for each client seed.")]
    bytes: Annotated[int, Doc("How many bytes of the stream the match has used.")]
    reading: Annotated[dict[str, Any], Doc("What each kind of event draws.")]
    events: Annotated[list[list[Any]], Doc("`[kind, value, …]`, all of them in order.")]
    moves: Annotated[list[str], Doc("In notation.")]
