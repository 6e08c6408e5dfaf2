"""Defeat, elimination and the end of the match (KAO-M-41 to KAO-M-43, KAO-R-22 to KAO-R-25)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.kaolan import events
from games.kaolan.moves import STEP_UP
from games.kaolan.rulebook import BOOK
from games.kaolan.rules.contest import MODES
from games.kaolan.state import NONE, WAYS, Kaolan
from rules.engine.moves import Move, chosen
from rules.engine.state import ranked


@BOOK.step
def defeat(s: Kaolan, seat: int) -> None:
    """KAO-M-41 to KAO-M-43: the Leader's group is discarded; a Guard steps up, or it is out."""
    fallen = MODES[s.mode].beaten(s, seat)
    board = s.board[seat]
    s.tell(events.DEFEATED, seat, fallen[0])
    for character in fallen:
        board[board.index(character)] = NONE
        s.discard_group(seat, character)
    if s.guard_characters(seat):
        s.ask(seat, step_up)
    else:
        drop_out(s, [seat])


@BOOK.prompt("Your Leader is defeated: choose a Guard to step up.")
def step_up(s: Kaolan, seat: int) -> list[Move]:
    """KAO-R-14, KAO-R-15: the Defender chooses among the Guard Characters."""
    return [STEP_UP[guard] for guard in s.guard_characters(seat)]


@step_up.sentence
def why_step_up(s: Kaolan, seat: int, names: Sequence[str]) -> str:
    if s.board[seat][0] >= 0:
        return "You can no longer place a Leader: choose the Guard that steps up."
    return step_up.says


@step_up.answer
def guard_steps_up(s: Kaolan, seat: int, move: Move) -> None:
    """KAO-M-42, KAO-R-15: with everything under it; its position stays empty.

    A non-Character card on the Leader position is discarded (KAO-R-50).
    """
    guard = chosen(move)
    board = s.board[seat]
    board[board.index(guard)] = NONE
    old, board[0] = board[0], guard
    s.tell(events.STEPPED_UP, seat, guard)
    if old >= 0:
        s.put_on_discard(seat, old)
    MODES[s.mode].leader_changed(s, seat)


def drop_out(s: Kaolan, seats: list[int], reason: str = "") -> None:
    """KAO-M-06, KAO-M-43, KAO-R-22: these players are out at once; perhaps the match is over."""
    for seat in seats:
        eliminate(s, seat)
    left = s.still_in()
    if len(left) <= 1:
        # KAO-R-25: if nobody is left, it is a draw between those who went last
        finish(s, [left] if left else [], reason or MODES[s.mode].last_standing)


def eliminate(s: Kaolan, seat: int) -> None:
    """KAO-R-22: the rest of the board is discarded, the hand as the mode says."""
    s.drop(seat)
    s.pledged[seat] = 0
    s.tell(events.ELIMINATED, seat)
    board = s.board[seat]
    for slot, card in enumerate(board):
        if card >= 0:
            board[slot] = NONE
            s.put_on_discard(seat, card)
    MODES[s.mode].put_away(s, seat)


def finish(s: Kaolan, best: Iterable[Sequence[int]], reason: str) -> None:
    """KAO-R-24, KAO-R-25: the match is over; ``best`` are the seats still in, by rank."""
    # KAO-R-30: an Opportunity that ended the match is discarded all the same
    while s.play:
        s.put_on_discard(s.turn, s.play.pop())
    s.battle = None
    ranking = s.ranking(best)
    s.end(ranking, reason, details=MODES[s.mode].spoils(s, ranking[0], reason))
    s.tell(events.MATCH_ENDED, ranking, reason)


def finish_at_turn_limit(s: Kaolan) -> None:
    """KAO-R-24: rank the players still in by what lies before them."""
    finish(s, ranked(s.still_in(), lambda seat: strength(s, seat)), "turn_limit")


def strength(s: Kaolan, seat: int) -> tuple[int, int, int, int, int]:
    """KAO-R-24 (a) to (e)."""
    characters = s.characters(seat)
    return (
        int(s.leader(seat) >= 0),
        len(characters),
        sum(s.cards.level[card] for card in characters),
        sum(len(s.powers[card]) for card in characters),
        WAYS[MODES[s.mode].numbers(s, seat)],
    )
