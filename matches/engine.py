"""From a stored match to the rules engine and back: the one place that knows both."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import rules
from matches.errors import NotPossible, RulesChanged
from matches.models import Match, Seat, audience
from rules.engine.chance import Chance, mix
from rules.engine.errors import BadData, BadSetup, IllegalMove, UnknownGame
from rules.engine.events import Event, event_from_json, event_to_json
from rules.engine.game import Game, Mode
from rules.engine.moves import move_from_json

Table: TypeAlias = rules.Match
"""A match as the engine plays it; ``Match`` is the stored one."""

CONCEDE = "concede"


def find_mode(game: str, mode: str) -> tuple[Game, Mode]:
    """The game and mode of these names, if they can be played here."""
    try:
        found = rules.game(game)
    except UnknownGame as error:
        names = ", ".join(rules.games())
        raise NotPossible(f"There is no game called “{game}”. There are: {names}.") from error
    if mode not in found.modes or not found.modes[mode].playable:
        names = ", ".join(slug for slug, m in found.modes.items() if m.playable)
        if not names:
            raise NotPossible(f"{found.name} cannot be played here yet.")
        raise NotPossible(f"{found.name} has no mode called “{mode}” here. There are: {names}.")
    return found, found.modes[mode]


def game_of(match: Match) -> Game:
    """The game that a stored match is played by."""
    try:
        return rules.game(match.game)
    except UnknownGame as error:
        raise RulesChanged(f"The game “{match.game}” is not installed here any more.") from error


def match_seed(match: Match, seats: Sequence[Seat]) -> bytes:
    """The seed of the match's chance: the server's, mixed with what the players added."""
    return mix(bytes(match.server_seed), client_seeds(seats))


def client_seeds(seats: Sequence[Seat]) -> list[tuple[int, str]]:
    """What the players added to the seed, by seat; who added nothing is left out."""
    return [(seat.number, seat.client_seed) for seat in seats if seat.client_seed]


def begin(match: Match, seats: Sequence[Seat]) -> Table:
    """The match as it is before the first move; raises ``BadSetup``."""
    return game_of(match).new_match(
        match.mode,
        seats=len(seats),
        seed=match_seed(match, seats),
        options=match.options,
        decks=decks_of(match, seats),
    )


def decks_of(match: Match, seats: Sequence[Seat]) -> list[Any]:
    """The lists a match is played with: one a seat, or the shared one, or none."""
    if game_of(match).mode(match.mode).decks(match.options) == "own":
        return [seat.deck for seat in seats]
    return list(match.decks)


def try_setup(game: Game, mode: Mode, *, seats: int, options: Any, decks: Any) -> None:
    """Refuse, before anybody sits down, what could not be started later."""
    if seats not in mode.seats:
        raise NotPossible(
            f"{mode.name} is for {mode.seats[0]} to {mode.seats[-1]} seats, not for {seats}."
        )
    try:
        game.new_match(mode.slug, seats=seats, seed=bytes(32), options=options, decks=decks)
    except BadSetup as error:
        raise NotPossible(str(error)) from error


def load(match: Match) -> Table:
    """The match as it stands now, from its snapshot."""
    try:
        return game_of(match).load(match.state or {})
    except BadData as error:
        raise RulesChanged(
            f"This match was started with rules version {match.rules_version}, which the rules "
            "of today cannot carry on. It rests until that is mended."
        ) from error


def replayed(
    match: Match, seats: Sequence[Seat], moves: Sequence[tuple[int, Any]]
) -> Iterator[Table]:
    """The match at its start and after each of these moves, which are (seat, JSON or None).

    It is one table all the time, which is played on.
    """
    with _same_rules(match):
        table = begin(match, seats)
        yield table
        for seat, move in moves:
            play_stored(table, seat, move)
            yield table


def replay(match: Match, seats: Sequence[Seat], moves: Sequence[tuple[int, Any]]) -> Table:
    """The match after these moves, played again from the start."""
    *_, table = replayed(match, seats, moves)
    return table


def replay_with_masks(
    match: Match, seats: Sequence[Seat], moves: Sequence[tuple[int, Any]]
) -> tuple[Table, list[int]]:
    """Like :func:`replay`; also, for each move, whom it is hidden from."""
    with _same_rules(match):
        table = begin(match, seats)
        masks = []
        for seat, move in moves:
            before = table.clone()
            masks.append(hidden_from(before, table, seat, play_stored(table, seat, move)))
        return table, masks


@contextmanager
def _same_rules(match: Match) -> Iterator[None]:
    try:
        yield
    except (BadSetup, BadData, IllegalMove) as error:
        raise RulesChanged(
            f"This match was played with rules version {match.rules_version}; played again by "
            "the rules of today it would run differently, so it cannot be shown move by move."
        ) from error


def play_stored(table: Table, seat: int, move: Any) -> Sequence[Event]:
    """One stored ply: a move, or (None) a concession."""
    return table.concede(seat) if move is None else table.play(seat, move_from_json(move))


def hidden_from(before: Table, after: Table, mover: int, events: Sequence[Event]) -> int:
    """Whom a move is hidden from, as a mask over audiences.

    A seat sees the moves that it makes itself and those with an event that it may know of; where
    the rules have no event, those that change its view or its prompt.
    """

    def visible(seat: int | None) -> bool:
        if seat == mover or any(after.event_view(event, seat) is not None for event in events):
            return True
        return _view_and_prompt(before, seat) != _view_and_prompt(after, seat)

    audiences = (None, *range(after.seats))
    return sum(1 << audience(seat) for seat in audiences if not visible(seat))


def _view_and_prompt(table: Table, seat: int | None) -> tuple[Any, Any]:
    """What somebody sees: the view and the question."""
    return table.view(seat), None if seat is None else table.prompts.get(seat)


def snapshot(table: Table) -> dict[str, Any]:
    """The whole match as it is stored."""
    return dict(_as_read_back(table.dump()))


def store_events(events: Sequence[Event]) -> list[list[Any]]:
    """Events in their complete, secret form."""
    return list(_as_read_back([event_to_json(event) for event in events]))


def _as_read_back(data: Any) -> Any:
    """Data as the database gives it back (tuples are lists there), so that both compare equal."""
    return json.loads(json.dumps(data))


def stored_events(data: Sequence[Any]) -> list[Event]:
    """The opposite of :func:`store_events`."""
    return [event_from_json(row) for row in data]


def bot_chance(match: Match, seat: int, prompt: int) -> Chance:
    """A bot's own chance for one question.

    It comes from a secret of its own, not from the match's seed: a bot that drew from the match's
    stream would change the cards to come. The same question always gives the same chance, so a task
    that runs twice plays the same move.
    """
    purpose = f"seat {seat} prompt {prompt}".encode()
    return Chance(hmac.new(bytes(match.bot_secret), purpose, hashlib.sha256).digest())
