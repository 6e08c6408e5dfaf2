"""Glory and the end of a match: CKC-W and the rulings on winning."""

from __future__ import annotations

from collections.abc import Sequence

from games.colossal_kaiju_combat import events
from games.colossal_kaiju_combat.state import Kaiju
from rules.engine.state import ranked


def glory_of(s: Kaiju, seat: int) -> int:
    """CKC-R-63, CKC-W-06 to CKC-W-08: printed values, 1 for a card face down, tokens."""
    prints = s.cards.prints
    cards = sum(prints[card].glory for card in s.glory[seat])
    return cards + s.down_with.count(seat) + s.tokens[seat]


def conscious_glory(s: Kaiju, seat: int) -> int:
    """CKC-R-51: what the present characters are worth."""
    prints = s.cards.prints
    return sum(prints[character].glory for character in s.rows[seat])


def gain_glory(s: Kaiju, seat: int, tokens: int) -> None:
    """CKC-W-08: glory without a card is kept as tokens."""
    s.tokens[seat] += tokens
    s.stirred = True
    s.tell(events.GLORY_GAINED, seat, tokens)


def check_glory(s: Kaiju) -> None:
    """CKC-W-01 to CKC-W-04: has somebody reached the target?"""
    if s.outcome is not None:
        return
    standing = s.still_in()
    if any(glory_of(s, seat) >= s.glory_target for seat in standing):
        reached = [seat for seat in standing if glory_of(s, seat) >= s.glory_target]
        finish(s, best_of(s, reached), "glory")


def best_of(s: Kaiju, seats: Sequence[int]) -> tuple[int, ...]:
    """CKC-W-02 to CKC-W-04: the most glory, then the most conscious glory, then a tie."""
    return ranked(seats, lambda seat: (glory_of(s, seat), conscious_glory(s, seat)))[0]


def check_standing(s: Kaiju) -> None:
    """CKC-R-46: last team standing, then glory, then who is out (CKC-R-47)."""
    standing = s.still_in()
    alive = [seat for seat in standing if s.has_characters(seat)]
    if len(alive) == 1 and len(standing) > 1:
        finish(s, tuple(alive), "last_standing")
    elif not alive:
        finish(s, ranked(standing, lambda seat: glory_of(s, seat))[0], "all_fallen")
    else:
        check_glory(s)
        if s.outcome is None and len(alive) < len(standing):
            put_out(s, [seat for seat in standing if seat not in alive])


def put_out(s: Kaiju, seats: Sequence[int]) -> None:
    """CKC-R-47: from now on these seats cannot win and are not asked anything."""
    s.next_moment()
    s.drop(*seats)
    for seat in seats:
        s.tell(events.SEAT_OUT, seat)


def finish(s: Kaiju, winners: Sequence[int], reason: str) -> None:
    """The match is over: the winners, then the others by glory, then who was out, later better."""
    others = [seat for seat in s.still_in() if seat not in winners]

    def strength(seat: int) -> tuple[bool, int, int]:
        return s.has_characters(seat), glory_of(s, seat), conscious_glory(s, seat)

    ranking = s.ranking([sorted(winners), *ranked(others, strength)])
    s.end(ranking, reason)
    s.tell(events.MATCH_ENDED, ranking, reason)
