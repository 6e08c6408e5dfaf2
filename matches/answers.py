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

from accounts.shapes import Member, component, describe, filled
from matches import people, queries
from matches.models import Match, Pace, SeatKind, Status, Timeout
from matches.services import record

describe(
    queries.SeatInfo,
    "A seat, counted from 0.",
    "number",
    "name",
    kind=Member(choices=SeatKind.choices),
    mine=Member("You sit here."),
    waiting=Member("This seat is asked something."),
    deadline_at=Member(),
    place=Member("1 is best; ties share a place."),
    bank_seconds=Member("Its time when its turn began, or while others are asked."),
    late=Member("Its time is up."),
    vacant=Member("Its person gave it up for good; a bot keeps it for whoever takes it over."),
    passed_on=Member("It was given up for good; its rating is that of whoever did."),
    stand_in=Member("The bot that plays there until its person is back, or empty."),
    wants_cancel=Member("Its person agrees to cancel the match."),
    wants_back=Member("Its person agrees to go back to the start of a turn."),
    wants_draw=Member("Its person agrees to a draw; told only to those who sit at the table."),
    username=Member("Empty for the game's bots, open seats and people who have left."),
    is_guest=Member("A guest sits here."),
    is_bot=Member("A program plays for the account that sits here."),
    component="SeatAtTable",
)
describe(
    queries.TableOption,
    "One possible answer.",
    "label",
    "notation",
    "move",
    preview=Member("What it would lead to as far as you may know, where the game tells."),
    stands=Member("It can be given as a standing order: it means the same each time."),
    component="PromptOption",
)
describe(
    queries.TablePrompt,
    "What your seat is asked.",
    "id",
    "kind",
    "question",
    "options",
    outlook=Member(
        "What could go where before anything is chosen, where the game tells: `places` lists by "
        "which `verb` a `card` could be played and the targets `to` which it could go; `why_not` "
        "says of a `card` why it cannot be played, and by which `rule`."
    ),
    window=Member("It is a chance that a standing order for `windows` can let pass."),
    component="Prompt",
)
describe(
    queries.EventGroup,
    "What happened in one ply, as far as you may know it.",
    "seat",
    "at",
    "events",
    "lines",
    ply=Member("0 is the start. Moves that are hidden from you are not counted."),
    source=Member("person, bot or clock; empty for the start."),
    by_order=Member(
        "A standing order made it. While the match runs you are told so of your own moves alone."
    ),
)
describe(
    record.Played,
    "The receipt for a move.",
    "seat",
    "notation",
    ply=Member("The move's number, from 1, among those that you could see."),
    repeated=Member("You had sent this before; it counts once."),
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
    status: Annotated[str, Member(choices=Status.choices)]
    pace: Annotated[str, Member(choices=Pace.choices)]
    timeout: Annotated[
        str, Member("What happens to a seat whose time runs out.", choices=Timeout.choices)
    ]
    waits: Annotated[bool, Member("It waits for people who are away.")]
    private: bool
    unrated: Annotated[
        bool, Member("All agreed to go back to the start of a turn, so it counts for no rating.")
    ]
    ply: Annotated[
        int,
        Member("How many moves you could see. Answers that others give in secret do not count."),
    ]
    commitment: Annotated[str, Member("SHA-256 of the server's seed.")]
    seats: list[queries.SeatInfo]
    outcome: Annotated[dict[str, Any] | None, Member(field=OutcomeSerializer)]
    created_at: datetime
    started_at: datetime | None
    moved_at: Annotated[
        datetime | None, Member("When the last move came that was visible to everybody.")
    ]
    finished_at: datetime | None
    deadline_at: datetime | None


def match_shown(viewer: queries.Viewer, match: Match) -> MatchShown:
    """A match as it stands for whoever asks."""
    return filled(
        MatchShown,
        match,
        ply=match.visible_ply(queries.seat_of(match, viewer)),
        seats=queries.seat_infos(match, viewer),
    )


def matches_shown(viewer: queries.Viewer, matches: Iterable[Match]) -> list[MatchShown]:
    """Several of them."""
    return [match_shown(viewer, match) for match in matches]


@component("State")
@dataclass(frozen=True, slots=True)
class StateShown:
    """The table as you may see it."""

    match: str
    status: Annotated[str, Member(choices=Status.choices)]
    ply: Annotated[int, Member("How many moves you could see.")]
    seat: Annotated[int | None, Member("Yours; null for spectators.")]
    view: Annotated[dict[str, Any] | None, Member("Null before the start.")]
    prompt: queries.TablePrompt | None
    seats: list[queries.SeatInfo]
    may_take_back: Annotated[bool, Member("You can take back your last answer.")]


def state_shown(state: queries.TableState) -> StateShown:
    """The same with the match's name alone."""
    return filled(StateShown, state, match=state.match.slug, status=state.match.status)


@dataclass(frozen=True, slots=True)
class Events:
    """Events after a ply. Ask again with ``since`` = the last ply while there is ``more``."""

    ply: Annotated[int, Member("How many moves you could see so far.")]
    more: bool
    events: list[queries.EventGroup]


def events_since(viewer: queries.Viewer, match: Match, since: int, limit: int) -> Events:
    """What happened after a ply, so many plies of it."""
    seat = queries.seat_of(match, viewer)
    groups = queries.event_groups(match, seat, since, limit)
    reached = match.visible_ply(seat)
    return Events(reached, bool(groups) and groups[-1].ply < reached, groups)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    match: str
    outcome: Annotated[dict[str, Any], Member(field=OutcomeSerializer)]
    seats: list[queries.SeatInfo]
    plies: Annotated[int, Member("All moves.")]
    started_at: datetime
    finished_at: datetime
    rating_changes: Annotated[
        list[people.RatingChanged], Member("By seat, where the match was rated.")
    ]


def result(viewer: queries.Viewer, match: Match) -> Result:
    """The end of a match; raises ``NotFinished``."""
    queries.require_finished(match)
    seats = queries.seat_infos(match, viewer)
    changes = people.rating_changes(viewer, match)
    return filled(
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


def replay_shown(state: queries.ReplayState) -> ReplayShown:
    """The same with the match's name alone."""
    return filled(ReplayShown, state, match=state.match.slug)


@component("Fairness")
@dataclass(frozen=True, slots=True)
class FairnessShown:
    """What anybody needs to check the chance of a match.

    Seeds, decks and moves are null until it is over: they would tell what lies hidden. A match
    that was cancelled shows its seeds; its decks and moves stay null.
    """

    commitment: Annotated[str, Member("SHA-256 of the server's seed, known from the start.")]
    client_seeds: Annotated[dict[str, str], Member("What players added to the seed, by seat.")]
    server_seed: str | None
    match_seed: Annotated[str | None, Member("Both mixed; the chance's seed.")]
    rules_version: str
    options: dict[str, Any]
    decks: list[Any] | None
    moves: Annotated[list[dict[str, Any]] | None, Member("ply, seat, notation.")]


def fairness_shown(found: queries.Fairness) -> FairnessShown:
    """The same with names for what stands in rows."""
    names = ("ply", "seat", "notation")
    return filled(
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

    riffle: Annotated[int, Member("1: the form of the record.")]
    game: str
    mode: str
    rules_version: Annotated[str, Member("The version that it was played by.")]
    seats: int
    options: dict[str, Any]
    cards: Annotated[list[str], Member("The slug of each card, by its number.")]
    commitment: str
    server_seed: str
    client_seeds: Annotated[list[list[Any]], Member("`[seat, text]` for each client seed.")]
    bytes: Annotated[int, Member("How many bytes of the stream the match has used.")]
    reading: Annotated[dict[str, Any], Member("What each kind of event draws.")]
    events: Annotated[list[list[Any]], Member("`[kind, value, …]`, all of them in order.")]
    moves: Annotated[list[str], Member("In notation.")]
