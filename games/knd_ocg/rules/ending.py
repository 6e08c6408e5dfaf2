"""Winning and losing (KND-W)."""

from __future__ import annotations

from games.knd_ocg import events
from games.knd_ocg.state import FALLEN, NONE, Duel
from rules.engine.state import ranked


def lose(s: Duel, seat: int, reason: str) -> None:
    """KND-W-04: the other player wins; the match ends at once."""
    finish(s, [(1 - seat,), (seat,)], reason)


def finish(s: Duel, ranking: list[tuple[int, ...]], reason: str) -> None:
    """The match is over; a single group is a draw."""
    s.tell(events.MATCH_END, tuple(ranking), reason)
    s.end(ranking, reason, winners=None if len(ranking) > 1 else ())


def check_fallen(s: Duel) -> None:
    """KND-W-01, KND-R-45: at once after an attack; both in the same step is a draw."""
    lost = [seat for seat in (0, 1) if s.fallen[seat] >= FALLEN]
    if len(lost) == 2:
        finish(s, [(0, 1)], "both-fallen")
    elif lost:
        lose(s, lost[0], "fallen")


def without_active(s: Duel) -> bool:
    """KND-W-02: at the end of the own turn only (KND-R-08)."""
    if s.active[s.player] != NONE:
        return False
    lose(s, s.player, "no-active")
    return True


def too_quiet(s: Duel) -> bool:
    """KND-R-47: after so many quiet turns in a row the decks decide."""
    s.quiet = 0 if s.harmed else s.quiet + 1
    if not s.quiet_limit or s.quiet < s.quiet_limit:
        return False
    coming = 1 - s.player
    loses = coming if len(s.decks[coming]) <= len(s.decks[s.player]) else s.player
    lose(s, loses, "quiet")
    return True


def past_the_cap(s: Duel) -> bool:
    """KND-R-48: the lower Fallen tally wins; if equal, the larger deck; if equal, a draw."""
    if s.turn < s.turn_cap:
        return False
    _rank(s)
    return True


def _rank(s: Duel) -> None:
    finish(s, ranked((0, 1), lambda seat: (-s.fallen[seat], len(s.decks[seat]))), "turn-cap")


def concede(s: Duel, seat: int) -> None:
    """KND-R-50: at any time; what was placed in set-up stays unseen."""
    s.tell(events.RESIGN, seat)
    lose(s, seat, "resign")
