"""From a stored match to the rules engine and back: the one place that knows both."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import and_
from typing import Any, TypeAlias

import rules
from matches.errors import NotPossible, RulesChanged
from matches.models import Match, MoveRow, Result, Seat, audience
from matches.moves import moves_of, state_of
from rules.engine.chance import Chance, mix
from rules.engine.errors import BadData, BadSetup, IllegalMove, UnknownGame
from rules.engine.events import Event, event_from_json, event_to_json
from rules.engine.game import Game, Mode
from rules.engine.moves import move_from_json

Table: TypeAlias = rules.Match
"""A match as the engine plays it; ``Match`` is the stored one."""

CONCEDE = "concede"
TAKE_BACK = "take-back"
TAKEN_BACK = "taken_back"
"""The one event that no game declares: a seat takes back its last answer."""
DRAW = "draw"
AGREED_DRAW = {"agreed": DRAW}
"""The stored move of a draw by agreement."""
POSITION = "position"
"""Under this key a prepared table holds the position of another match."""
AGREED = "agreed"
"""Stands behind it where all agreed to go back to the start of that seat's turn."""


def find_game(game: str) -> Game:
    """The game of this name."""
    try:
        return rules.game(game)
    except UnknownGame as error:
        names = ", ".join(rules.games())
        raise NotPossible(f"Unknown game “{game}”. Choose one of: {names}.") from error


def find_mode(game: str, mode: str) -> tuple[Game, Mode]:
    """The game and mode of these names, if they can be played here."""
    known = find_game(game)
    if mode not in known.modes or not known.modes[mode].playable:
        names = ", ".join(slug for slug, m in known.modes.items() if m.playable)
        if not names:
            raise NotPossible(f"{known.name} cannot be played here yet.")
        raise NotPossible(f"{known.name} has no mode “{mode}”. Choose one of: {names}.")
    return known, known.modes[mode]


def game_of(match: Match) -> Game:
    """The game that a stored match is played by."""
    try:
        return rules.game(match.game)
    except UnknownGame as error:
        raise RulesChanged(f"The game “{match.game}” is no longer installed.") from error


def mode_of(match: Match) -> Mode:
    """The mode that a stored match is played in."""
    return game_of(match).mode(match.mode)


def match_seed(match: Match, seats: Sequence[Seat]) -> bytes:
    """The seed of the match's chance: the server's, mixed with what the players added."""
    return mix(bytes(match.server_seed), client_seeds(seats))


def client_seeds(seats: Sequence[Seat]) -> list[tuple[int, str]]:
    """The client seeds by seat, without empty ones."""
    return [(seat.number, seat.client_seed) for seat in seats if seat.client_seed]


def begin(match: Match, seats: Sequence[Seat]) -> Table:
    """The match as it is before the first move; raises ``BadSetup``."""
    if match.initial_position is not None:
        chance = Chance(match_seed(match, seats))
        if POSITION in match.initial_position:
            return _from_position(match, chance)
        return game_of(match).laid_match(
            match.mode, chance, options=match.options, layout=match.initial_position
        )
    return game_of(match).new_match(
        match.mode,
        seats=len(seats),
        seed=match_seed(match, seats),
        options=match.options,
        decks=decks_of(match, seats),
    )


def position_of(table: Table) -> dict[str, Any]:
    """The prepared table of a match that begins where another one stands."""
    return {POSITION: snapshot(table)}


def _from_position(match: Match, chance: Chance) -> Table:
    assert match.initial_position is not None
    table = game_of(match).load(match.initial_position[POSITION])
    table.state.chance = chance
    table.undoable = None
    return table


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
        return game_of(match).load(state_of(match) or {})
    except BadData as error:
        raise RulesChanged(
            f"This match was started with rules version {match.rules_version}, which the rules "
            "of today cannot carry on. It rests until that is mended."
        ) from error


class Replay:
    """A stored match played again, ply by ply; ``table`` is where it stands.

    ``moves`` are all that will be played, (seat, JSON or None) each: what is gone back to is kept.
    """

    def __init__(self, match: Match, seats: Sequence[Seat], moves: Iterable[Any]) -> None:
        self.table = begin(match, seats)
        self.ply = 0
        self._goals = {back_to(move) for move in moves} - {None}
        self._kept: dict[int, Table] = {}
        self._keep()

    def play(self, seat: int, move: Any) -> Sequence[Event]:
        """The next ply: what :func:`play_stored` plays, or that answers are taken back."""
        events: Sequence[Event] = []
        goal = back_to(move)
        if goal is None:
            events = play_stored(self.table, seat, move)
        else:
            self.table = self.table.gone_back(self._kept[goal])
        self.ply += 1
        self._keep()
        return events

    def _keep(self) -> None:
        if self.ply in self._goals:
            self._kept[self.ply] = self.table.clone()


def back_to(move: Any) -> int | None:
    """The ply to which a stored ply goes back; None for those that go on."""
    return move["back_to"] if isinstance(move, dict) and "back_to" in move else None


def begins_turn(table: Table, data: Sequence[Any]) -> bool:
    """True if the stored events of a ply begin a turn."""
    return any(table.game.events[event[0]].turn for event in stored_events(data))


def take_backs(match: Match) -> list[Any]:
    """The stored moves of a match's takebacks, by ply; mostly empty."""
    return [row.move for row in _without_prompt(match)]


def taken_back(match: Match) -> set[int]:
    """The plies of a match that no longer count: what was taken back, and that it was."""
    return plies_taken_back(_without_prompt(match))


def _without_prompt(match: Match) -> list[MoveRow]:
    """Takebacks and agreed draws."""
    if match.archived:
        rows = moves_of(match)
        return [row for row in rows if row.prompt is None and row.move is not None]
    stored = match.moves.filter(prompt=None, move__isnull=False)
    return list(stored.order_by("ply").only("ply", "move"))


def plies_taken_back(rows: Iterable[MoveRow]) -> set[int]:
    """The undone plies, as :func:`taken_back`, from moves that are already read."""
    gone: set[int] = set()
    for row in rows:
        if (goal := back_to(row.move)) is not None:
            gone.update(range(goal + 1, row.ply + 1))
    return gone


def replayed(
    match: Match, seats: Sequence[Seat], moves: Sequence[tuple[int, Any]]
) -> Iterator[Table]:
    """The match at its start and after each of these moves, which are (seat, JSON or None).

    The tables that it gives are played on.
    """
    with _same_rules(match):
        again = Replay(match, seats, [move for _, move in moves])
        yield again.table
        for seat, move in moves:
            again.play(seat, move)
            yield again.table


def replay(match: Match, seats: Sequence[Seat], moves: Sequence[tuple[int, Any]]) -> Table:
    """The match after these moves, played again from the start."""
    *_, table = replayed(match, seats, moves)
    return table


def replay_with_masks(
    match: Match, seats: Sequence[Seat], moves: Sequence[tuple[int, Any]]
) -> tuple[Table, list[int]]:
    """Like :func:`replay`; also, for each move, whom it is hidden from."""
    with _same_rules(match):
        again = Replay(match, seats, [move for _, move in moves])
        masks: list[int] = []
        for seat, move in moves:
            before = again.table.clone()
            events = again.play(seat, move)
            goal = back_to(move)
            if goal is None:
                masks.append(hidden_from(before, again.table, seat, events))
            else:
                masks.append(hidden_together(masks[goal:]))
        return again.table, masks


def hidden_together(masks: Iterable[int]) -> int:
    """Whom it is hidden from that moves with these masks are taken back: who saw none of them."""
    return reduce(and_, masks)


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
    """One stored ply: a move, (None) a concession, or that all agreed on a draw."""
    if move == AGREED_DRAW:
        return table.agree_on_draw()
    return table.concede(seat) if move is None else table.play(seat, move_from_json(move))


def hidden_from(before: Table, after: Table, mover: int, events: Sequence[Event]) -> int:
    """Whom a move is hidden from, as a mask over audiences.

    A seat sees the moves that it makes itself and those with an event that it may know of; where
    the rules have no event, those that change its view, its prompt or what it may take back.
    """

    def visible(seat: int | None) -> bool:
        if seat == mover or any(after.event_view(event, seat) is not None for event in events):
            return True
        return _in_sight(before, seat) != _in_sight(after, seat)

    audiences = (None, *range(after.seats))
    return sum(1 << audience(seat) for seat in audiences if not visible(seat))


def _in_sight(table: Table, seat: int | None) -> tuple[Any, ...]:
    """The view of an audience, its prompt, and whether its last answer can be undone."""
    if seat is None:
        return (table.view(seat),)
    return table.view(seat), table.prompts.get(seat), table.can_undo(seat)


def snapshot(table: Table) -> dict[str, Any]:
    """The whole match as it is stored, and as the database gives it back."""
    return table.dump()


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


def result_of(table: Table, seat: int) -> Result:
    """How a match that is over ended for a seat: by who has won, and by places where nobody has.

    Where all win or lose together there is no draw; else all first seats share one if nobody won
    against anybody.
    """
    outcome = table.outcome
    assert outcome is not None
    won = seat in outcome.winners
    if table.mode.together or table.seats == 1:
        return Result.WON if won else Result.LOST
    if won and len(outcome.winners) < table.seats:
        return Result.WON
    return Result.DRAWN if seat in outcome.ranking[0] else Result.LOST
