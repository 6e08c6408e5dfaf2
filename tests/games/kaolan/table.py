"""Kaolan tables in the shorthand of the specification's worked scenarios.

A group is written ``red Claw [r6, r8 | Keen Eye]``, a hand ``r7, red Flame, Ambush``, a move
``power r6`` or ``step_up blue Flame``. A table that is laid must be finished with ``done``: it
names the prompt in which the scenario ends, and nothing of the scripted dice may be left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import rules
from games.kaolan.rules.contest import SLOTS
from games.kaolan.solitaire import PILE_NAMES
from rules.engine.moves import Move
from rules.testing import position
from tests.rules.laid import OPEN, LaidTable


@cache
def short(slug: str) -> str:
    """``r7``, ``gold 2/7``, ``red Claw``, ``Keen Eye``."""
    card = rules.game("kaolan").catalog[slug]
    if card.kind == "power":
        numbers = "/".join(str(n) for n in card["numbers"])
        return f"gold {numbers}" if card.colour == "gold" else f"{card.colour[0]}{numbers}"
    return f"{card.colour} {card.name}" if card.kind == "character" else card.name


def seat(*board: str, hand: str = "") -> dict[str, Any]:
    """A seat's layout: Leader and Guards as groups ("": an empty position), and the hand."""
    laid: dict[str, Any] = {"hand": names(hand)}
    for slot, group in zip(SLOTS, board, strict=False):
        top, under = _group(group)
        if top:
            laid[slot], laid[f"under {slot}"] = top, under
    return laid


def tournament_seat(*board: str, **more: Any) -> dict[str, Any]:
    """As ``seat``, with the own ``draw`` and ``discard``, a ``prize`` and whether ``pledged``.

    A seat given only a shuffled ``deck`` is laid out from it.
    """
    for pile in {"draw", "discard", "deck"} & set(more):
        more[pile] = names(more[pile])
    return {**seat(*board, hand=more.pop("hand", "")), **more}


def power_seat(main: str = "", *links: str, hand: str = "") -> dict[str, Any]:
    """A seat of Power Play: the board position as a group (or another card), then the links."""
    groups = [_group(link) for link in links]
    laid: dict[str, Any] = {"hand": names(hand), "links": groups}
    if main:
        laid["main"], laid["under main"] = _group(main)
    return laid


def _group(text: str) -> tuple[str, list[str]]:
    top, _, under = text.rstrip(" ]").partition("[")
    return top.strip(), names(under.replace("|", ","))


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def lay(
    *seats: Mapping[str, Any],
    draw: str = "",
    discard: str = "",
    deck: str = "",
    dice: Iterable[int | tuple[int, ...]] = (),
    picks: Iterable[int] = (),
    mode: str = "match",
    **layout: Any,
) -> Table:
    """A laid-out match; see :func:`rules.testing.position`."""
    return Table(
        position(
            "kaolan",
            mode,
            seats=list(seats),
            draw=names(draw),
            discard=names(discard),
            deck=names(deck),
            dice=dice,
            picks=picks,
            **layout,
        )
    )


def lay_solo(
    *piles: str,
    stock: str = "",
    waste: str = "",
    own: str = "",
    dice: Iterable[int | tuple[int, ...]] = (),
    **layout: Any,
) -> Table:
    """A run of Single Play: piles with their top card first, the own Character as a group."""
    top, under = _group(own)
    return Table(
        position(
            "kaolan",
            "single",
            piles=[names(pile) for pile in (*piles, "", "", "", "")[:4]],
            stock=names(stock),
            waste=names(waste),
            own=top,
            under=under,
            dice=dice,
            **layout,
        )
    )


class Table(LaidTable):
    """A position, read and played in shorthand."""

    @property
    def asked(self) -> tuple[int, str] | None:
        return self.laid.asked

    def text(self, move: Move) -> str:
        """A move in shorthand: ``under red Claw``, ``seat 1``, ``position guard-1``."""
        return " ".join(
            self._card(word) if word.startswith("kao-") else word.replace("seat-", "")
            for word in self.match.notation(move).split()
        )

    def _card(self, word: str) -> str:
        """Where all bring decks, the number that notation adds to a card is left out."""
        slug, _, copy = word.partition("~")
        return short(slug) + (f"~{copy}" if copy and not self.match.mode.own_decks else "")

    def options(self) -> dict[str, Move]:
        assert self.asked is not None, "the match is over"
        named: dict[str, Move] = {}
        for move in self.match.prompts[self.asked[0]].options:
            text, copy = self.text(move), 2
            while text in named:
                text, copy = f"{self.text(move)}~{copy}", copy + 1
            named[text] = move
        return named

    def offered(self) -> list[str]:
        """The options offered now, in order."""
        return list(self.options())

    def take(self, *moves: str) -> Table:
        """Play these moves, each for the seat that is asked then."""
        for text in moves:
            options = self.options()
            assert text in options, f"{self.asked} offers {list(options)}, not “{text}”"
            assert self.asked is not None
            self.history += self.match.play(self.asked[0], options[text])
        return self

    def done(self, who: int | None = None, kind: str | None = None) -> None:
        """The scenario ends here; no arguments: the match is over."""
        self.laid.done(who, kind)
        OPEN.remove(self)

    # -- what lies where ---------------------------------------------------------------------

    def names_of(self, cards: Sequence[int]) -> str:
        return ", ".join(short(self.state.cards.slugs[card]) for card in cards)

    def hand(self, who: int) -> str:
        return self.names_of(self.state.hands[who])

    def board(self, who: int) -> list[str]:
        return [self.group(card) for card in self.state.board[who]]

    def group(self, card: int) -> str:
        if card < 0:
            return ""
        text = self.names_of([card])
        powers, ability = self.state.powers[card], self.state.ability[card]
        under = self.names_of(powers)
        if ability >= 0:
            under = (
                f"{under} | {self.names_of([ability])}"
                if under
                else f"| {self.names_of([ability])}"
            )
        return f"{text} [{under}]" if under else text

    @property
    def discard(self) -> str:
        """The Discard Pile, newest card first."""
        return self.names_of(self.state.discard[0][::-1])

    @property
    def draw(self) -> str:
        """The Draw Pile, top card first."""
        return self.names_of(self.state.draw[0][::-1])

    def discard_of(self, who: int) -> str:
        """The own Discard Pile, newest card first."""
        return self.names_of(self.state.discard[who][::-1])

    def draw_of(self, who: int) -> str:
        """The own Draw Pile, top card first."""
        return self.names_of(self.state.draw[who][::-1])

    @property
    def dice(self) -> list[tuple[Any, ...]]:
        """All throws so far: stage, seat, dice, success."""
        return [throw[:4] for throw in self.events("rolled")]

    @property
    def matched(self) -> list[str]:
        """The cards, or the ability and its cards, that made each throw so far a success."""
        return [
            " ".join([*(self.names_of([card]) for card in cards), *([ability] if ability else [])])
            for *_, cards, ability in self.events("rolled")
        ]

    # -- Single Play -------------------------------------------------------------------------

    @property
    def stock(self) -> str:
        """The stock, top card first."""
        return self.names_of(self.state.stock[::-1])

    @property
    def waste(self) -> str:
        """The dealt pile, top card first."""
        return self.names_of(self.state.waste[::-1])

    @property
    def own(self) -> str:
        """The own Character with what lies under it."""
        if self.state.own < 0:
            return ""
        under = self.names_of(self.state.powers)
        if self.state.ability >= 0:
            under = f"{under} | {self.names_of([self.state.ability])}".strip()
        top = self.names_of([self.state.own])
        return f"{top} [{under}]" if under else top

    @property
    def shown(self) -> list[str]:
        """The top cards of the booster piles."""
        tops = [self.state.top(pile) for pile in range(len(PILE_NAMES))]
        return [self.names_of([top]) if top >= 0 else "" for top in tops]

    @property
    def lost(self) -> str:
        """The player's Discard Pile, newest card first."""
        return self.names_of(self.state.master_discard[::-1])

    @property
    def removed(self) -> str:
        """The booster side's Discard Pile, newest card first."""
        return self.names_of(self.state.foe_discard[::-1])
