"""Playing on from a moment of a finished match, against bots and unrated."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from matches import engine
from matches.errors import NotPossible
from matches.models import Match, Seat, SeatKind, TimeControl, Timeout
from matches.moves import moves_of
from matches.queries.access import require_finished
from matches.services import setup, store_ply
from matches.services.setup import MatchSetup, SeatPlan
from rules.engine.chance import commitment


@transaction.atomic
def play_on(*, match: Match, user: User, ply: int, seat: int) -> Match:
    """A private match that begins as ``match`` was after ``ply`` moves.

    ``user`` takes ``seat``, bots take the others. Hands and piles are as they were; dice and
    shuffles to come are new. Raises ``NotFinished``, ``NotPossible`` and ``TooManyMatches``.
    """
    require_finished(match, "You can play on from a match once it is over.")
    table = _table_at(match, ply)
    if not 0 <= seat < table.seats or table.state.is_out(seat):
        raise NotPossible("Choose a seat that still plays, then play on.")
    game = engine.game_of(match)
    if table.seats > 1 and not game.bots:
        raise NotPossible(f"{game.name} has no bots to play on against.")
    plans = [
        SeatPlan() if number == seat else SeatPlan(SeatKind.BOT) for number in range(table.seats)
    ]
    plan = MatchSetup(
        match.game,
        match.mode,
        plans,
        options=match.options,
        time_control=TimeControl.FRIENDS,
        timeout=Timeout.FORFEIT,
        pauses_when_away=False,
        private=True,
    )
    setup.check_room(user, plans)
    created = setup.unsaved_match(user, plan, game.mode(match.mode))
    created.decks = match.decks
    created.initial_position = engine.position_of(table)
    created.commitment = commitment(bytes(created.server_seed))
    seats = setup.planned_seats(user, plan, game)
    for planned, old in zip(seats, match.seats.order_by("number"), strict=True):
        planned.deck, planned.deck_name = old.deck, old.deck_name
    created.save(force_insert=True)
    for planned in seats:
        planned.match = created
    Seat.objects.bulk_create(seats)
    setup.start(created, seats, by=user)
    store_ply.announce(created, seats)
    return created


def _table_at(match: Match, ply: int) -> engine.Table:
    if not 0 <= ply <= match.ply:
        raise NotPossible(f"This match has {match.ply} moves; move {ply} does not exist.")
    moves = [(row.seat, row.move) for row in moves_of(match, events=False)[:ply]]
    table = engine.replay(match, list(match.seats.all()), moves)
    if table.outcome is not None:
        raise NotPossible("The match is over at this move. Go back a step, then play on.")
    return table
