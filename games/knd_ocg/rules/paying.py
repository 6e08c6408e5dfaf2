"""Costs in Energy, paid with what lies under the Character itself (KND-F-11, KND-R-18)."""

from __future__ import annotations

from collections.abc import Sequence

from games.knd_ocg import events
from games.knd_ocg.card_texts import Energy
from games.knd_ocg.moves import DISCARD
from games.knd_ocg.rulebook import BOOK
from games.knd_ocg.rules.cards import take_from_under
from games.knd_ocg.state import Duel
from rules.engine.moves import Move, chosen


def pay_energy(s: Duel, seat: int, host: int, cost: Energy) -> None:
    """KND-R-18: the typed parts are taken automatically; the Normal part is picked one by one."""
    letter = s.cards.energy
    for kind, count in cost.typed:
        for _ in range(count):
            _discard(s, seat, host, next(c for c in s.under[host][::-1] if letter[c] == kind))
    if cost.normal:
        s.then(pay_normal, seat, host, cost.normal)


def _discard(s: Duel, seat: int, host: int, card: int) -> None:
    take_from_under(s, host, card)
    s.discards[seat].append(card)
    s.tell(events.PAY, seat, host, (card,))


@BOOK.step
def pay_normal(s: Duel, seat: int, host: int, left: int) -> None:
    if left > 1:
        s.then(pay_normal, seat, host, left - 1)
    s.ask(seat, pay, host, left)


@BOOK.prompt("Choose an Energy card to discard.")
def pay(s: Duel, seat: int, host: int, left: int) -> Sequence[Move]:
    """One Energy card for each kind attached, the one attached last."""
    return [DISCARD[card] for card in one_of_each_kind(s, host)]


def one_of_each_kind(s: Duel, host: int) -> list[int]:
    """Of each kind of Energy under a Character the card attached last, in the order of kinds."""
    letter = s.cards.energy
    under = s.under.get(host)
    if under is None:
        return []
    last = {letter[card]: card for card in under if letter[card] >= 0}
    return [last[kind] for kind in sorted(last)]


@pay.sentence
def which_energy(s: Duel, seat: int, names: Sequence[str], host: int, left: int) -> str:
    more = f" ({left} to go)" if left > 1 else ""
    return f"{s.cards.title[host]} pays: choose an Energy card to discard{more}."


@pay.answer
def discard_energy(s: Duel, seat: int, move: Move, host: int, left: int) -> None:
    _discard(s, seat, host, chosen(move))
