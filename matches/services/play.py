"""Playing: answers to prompts, and concessions."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from matches import engine
from matches.errors import (
    AlreadyAnswered,
    Malformed,
    NotOffered,
    NotRunning,
    NotYourSeat,
    StalePrompt,
)
from matches.models import Match, MoveRow, Seat, Source, audience
from matches.moves import moves_of
from matches.queries import lessons
from matches.services import store_ply
from matches.services.store_ply import PlayedAtTable
from matches.services.writing import read_table, require_running, retried
from rules.engine.errors import BadData, IllegalMove
from rules.engine.moves import Move, Prompt, move_to_json


@retried
def play_move(*, slug: str, user: User, prompt_id: int, move: Move | str) -> PlayedAtTable:
    """Answer a prompt with a move (or its notation).

    Repeating an answer returns the first receipt; another answer to an answered prompt raises
    ``AlreadyAnswered``.
    """
    match, seats, seat, table = read_table(slug, user)
    # Each seat counts its own prompts, so that several can be open at once.
    open_now = asks(table, seat, prompt_id)
    answered = [] if open_now else stored_answers(match, seat.number, prompt_id)
    if answered:
        return _receipt_again(match, table, answered[0], move)
    require_running(match)
    prompt = asked(table, seat.number, prompt_id)
    seat.substitute_bot = ""  # a person who plays is back
    return answer(match, seats, table, prompt, chosen(table, seat.number, move), Source.PERSON)


@retried
def play_moves(*, slug: str, user: User, prompt_id: int, moves: Sequence[str]) -> PlayedAtTable:
    """Answer a prompt and those that follow it for this seat, in notation: all of them, or none.

    They must answer all prompts of the same kind in a row: a choice of cards is sent as a whole.
    Repeating them returns the last receipt.
    """
    if not moves:
        raise Malformed("Choose something first.")
    match, seats, seat, table = read_table(slug, user)
    answered: list[MoveRow] = []
    if not asks(table, seat, prompt_id):
        answered = stored_answers(match, seat.number, prompt_id, len(moves))
    both = zip(answered, moves, strict=False)
    receipts = [_receipt_again(match, table, row, move) for row, move in both]
    if len(receipts) == len(moves):
        return receipts[-1]
    if receipts:
        raise AlreadyAnswered(
            f"{len(receipts)} of these {len(moves)} choices were already sent. Reload the table.",
            ply=receipts[-1].ply,
            notation=receipts[-1].notation,
        )
    require_running(match)
    prompt = asked(table, seat.number, prompt_id)
    seat.substitute_bot = ""
    with transaction.atomic():
        return _play_all(match, seats, table, prompt, moves)


def _play_all(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    prompt: Prompt,
    moves: Sequence[str],
) -> PlayedAtTable:
    """Play the answers in order; the caller's transaction undoes all of them on a refusal."""
    seat, first, last = prompt.seat, prompt.id, len(moves) - 1
    for number, move in enumerate(moves):
        current = table.prompts.get(seat)
        if current is None or current.id != first + number:
            raise NotOffered(f"Choose {number}, not {len(moves)}.")
        prompt, answered = current, chosen(table, seat, move)
        played = answer(
            match, seats, table, prompt, answered, Source.PERSON, wake_bots=number == last
        )
    more = table.prompts.get(seat)
    if more is not None and more.kind == prompt.kind:
        raise NotOffered(f"You haven’t finished choosing; nothing was sent. {table.question(more)}")
    return played


@retried
def concede(*, slug: str, user: User) -> PlayedAtTable:
    """Concede. Repeating it returns the first receipt."""
    match, seats, seat, table = read_table(slug, user)
    for before in moves_of(match, events=False):
        if before.seat == seat.number and before.move is None:
            return receipt(match, table, before)
    require_running(match)
    return give_up(match, seats, table, seat.number, Source.PERSON)


def answer(
    match: Match,
    seats: Sequence[Seat],
    table: engine.Table,
    prompt: Prompt,
    move: Move,
    source: str,
    *,
    by_order: bool = False,
    wake_bots: bool = True,
) -> PlayedAtTable:
    """Let the engine play one answer on ``table`` and store it in one transaction."""
    notation = ""
    if source == Source.PERSON:
        lessons.require_meant(match, table, prompt, move)
    if move in prompt.options:
        move = prompt.options[prompt.options.index(move)]  # equal, and in the rules' own form
        notation = table.notation(move)
    before = table.clone()
    try:
        events = table.play(prompt.seat, move)
    except IllegalMove as error:
        raise NotOffered(str(error), offered=list(error.offered)) from error
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=prompt.seat,
        prompt=prompt.id,
        move=move_to_json(move),
        notation=notation,
        source=source,
        by_order=by_order,
    )
    return store_ply.store_ply(match, seats, before, table, row, events, wake_bots=wake_bots)


def give_up(
    match: Match, seats: Sequence[Seat], table: engine.Table, seat: int, source: str
) -> PlayedAtTable:
    """Concede for a seat: by its person, or by the clock. Stored like a move."""
    before = table.clone()
    try:
        events = table.concede(seat)
    except IllegalMove as error:
        raise NotRunning("You have already been eliminated.") from error
    row = MoveRow(
        match=match,
        ply=match.ply + 1,
        seat=seat,
        notation=engine.CONCEDE,
        source=source,
    )
    return store_ply.store_ply(match, seats, before, table, row, events)


def chosen(table: engine.Table, seat: int, move: Move | str) -> Move:
    """The move, parsed if it is in notation; raises ``Malformed`` and ``NotOffered``."""
    if isinstance(move, Move):
        return move
    try:
        return table.parse(seat, move)
    except BadData as error:
        raise Malformed(str(error)) from error
    except IllegalMove as error:
        raise NotOffered(str(error), offered=list(error.offered)) from error


def asks(table: engine.Table, seat: Seat, prompt_id: int) -> bool:
    """True while this is the seat's prompt; then it can't have been answered."""
    prompt = table.prompts.get(seat.number)
    return prompt is not None and prompt.id == prompt_id


def asked(table: engine.Table, seat: int, prompt_id: int) -> Prompt:
    """The seat's prompt of this number; raises ``NotYourSeat`` or ``StalePrompt``."""
    prompt = table.prompts.get(seat)
    if prompt is not None and prompt.id == prompt_id:
        return prompt
    if prompt is None:
        # No word on whether another seat has a prompt of that number.
        raise NotYourSeat("It’s not your turn.")
    raise StalePrompt(
        f"Prompt {prompt_id} is no longer open; your current prompt is {prompt.id}. "
        "Reload the table.",
        prompt=prompt.id,
    )


def stored_answers(match: Match, seat: int, prompt_id: int, limit: int = 1) -> list[MoveRow]:
    """A seat's stored answers to this prompt and to those after it."""
    ids = range(prompt_id, prompt_id + limit)
    return [row for row in moves_of(match, events=False) if row.seat == seat and row.prompt in ids]


def _receipt_again(
    match: Match, table: engine.Table, answered: MoveRow, move: Move | str
) -> PlayedAtTable:
    same = (
        answered.move == move_to_json(move)
        if isinstance(move, Move)
        else answered.notation == " ".join(move.split())
    )
    if same and answered.source == Source.PERSON:
        return receipt(match, table, answered)
    if answered.source == Source.CLOCK:
        detail = f"You ran out of time: “{answered.notation}” was played for you."
    elif answered.by_order:
        detail = f"Your auto-answer already played “{answered.notation}”."
    else:
        detail = f"You have already played “{answered.notation}”."
    ply = receipt(match, table, answered).ply
    raise AlreadyAnswered(detail, ply=ply, notation=answered.notation)


def receipt(match: Match, table: engine.Table, row: MoveRow) -> PlayedAtTable:
    """The receipt for a move that is already stored."""
    own = 1 << audience(row.seat)
    ply = sum(not move.hidden_from & own for move in moves_of(match, events=False)[: row.ply])
    return PlayedAtTable(
        match.slug, ply, row.seat, row.notation, repeated=True, match=match, table=table
    )
