"""Words for how a match ended, and for what conceding it would mean."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.text import get_text_list

from matches.models import Result
from matches.queries.seats import SeatInfo
from rules.engine.game import Mode


def result_note(mode: Mode, seats: Sequence[SeatInfo]) -> str:
    """The result in a list of matches, such as “You won”."""
    winners = [seat for seat in seats if seat.result == Result.WON]
    if mode.together or len(seats) == 1:
        return "Won" if winners else "Lost"
    if not winners:
        return "A draw"
    if any(seat.mine for seat in winners):
        return "You won" if _alone(mode, seats, winners) else "You shared the win"
    return " and ".join(seat.name for seat in winners) + " won"


def result_title(mode: Mode, seats: Sequence[SeatInfo]) -> str:
    """The headline of a result, where the game has no words of its own for it."""
    winners = [seat for seat in seats if seat.result == Result.WON]
    mine = any(seat.mine for seat in seats)
    if mode.together or len(seats) == 1:
        who, plays = ("You", True) if mine else (_together(seats), len(seats) > 1)
        if not winners:
            return f"{who} lost"
        return f"{who} {'win' if plays else 'wins'}{'!' if mine else '.'}"
    if not winners:
        return "A draw"
    if len(winners) == 1:
        return "You win!" if winners[0].mine else f"{winners[0].name} wins."
    if _alone(mode, seats, winners):
        mine = any(seat.mine for seat in winners)
        return f"{_together(winners)} win{'!' if mine else '.'}"
    return f"{_together(winners)} share the win"


def _alone(mode: Mode, seats: Sequence[SeatInfo], winners: Sequence[SeatInfo]) -> bool:
    """True if a single seat or team has won."""
    return {seat.number for seat in winners} == {*mode.party(winners[0].number, len(seats))}


def _together(seats: Sequence[SeatInfo]) -> str:
    """“Ann, you and Bob”, as a sentence begins."""
    names = ["you" if seat.mine else seat.name for seat in seats]
    if seats[0].mine:
        names[0] = "You"
    return get_text_list(names, "and")


def conceding(mode: Mode, seats: int) -> str:
    """The consequence of conceding, in words."""
    if seats == 1:
        return "The match ends."
    if mode.together and (mode.ends_for_all or seats == 2):
        return "The match ends and all of you lose."
    if mode.ends_for_all and mode.teams:
        return "The match ends for everyone, and your team loses."
    if mode.ends_for_all and seats > 2:
        return "The match ends for everyone, and you lose."
    if seats == 2:
        return "The match ends, and you lose."
    return "You will be eliminated."
