"""A match: the one object that people, bots, servers and tests talk to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine.ahead import Sight
from rules.engine.chance import Chance
from rules.engine.definition import GameDefinition
from rules.engine.errors import BadData, BadSetup, IllegalMove
from rules.engine.events import Event, event_view, motions_of
from rules.engine.legality import Decklist
from rules.engine.modes import Mode
from rules.engine.moves import (
    Card,
    Cell,
    Move,
    Number,
    Prompt,
    Seat,
    Slot,
    Target,
    Word,
)
from rules.engine.state import Outcome, State

FORMAT = 1
"""Version of the dumped form."""


class Match:
    """One running or finished match.

    ``prompts`` maps each seat that is asked to its prompt; ``outcome`` is None while it runs.
    """

    __slots__ = ("_before", "game", "mode", "options", "outcome", "prompts", "state", "undoable")

    def __init__(
        self, game: GameDefinition, mode: Mode, options: dict[str, Any], state: Any
    ) -> None:
        self.game = game
        self.mode = mode
        self.options = options
        self.state: State = state
        self.prompts: Mapping[int, Prompt] = self.state.prompts
        self.outcome: Outcome | None = self.state.outcome
        self.undoable: int | None = None
        self._before: tuple[int, int] | None = None

    # -- how one begins ----------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        game: GameDefinition,
        mode: Mode,
        *,
        seats: int,
        chance: Chance,
        options: Mapping[str, Any] | None = None,
        decks: Sequence[Decklist] = (),
    ) -> Match:
        """A new match, as far as its first prompt; raises ``BadSetup``. See ``Game.new_match``."""
        if not mode.playable:
            raise BadSetup(f"{game.name}: {mode.name} cannot be played yet.")
        if seats not in mode.seats:
            allowed = " or ".join(map(str, dict.fromkeys((mode.seats[0], mode.seats[-1]))))
            if len(mode.seats) > 2:
                allowed = f"{mode.seats[0]} to {mode.seats[-1]}"
            raise BadSetup(f"{mode.name} is for {allowed} seats, not {seats}.")
        checked = mode.checked_options(options or {})
        _require_decks(mode, checked, seats, len(decks))
        match = cls(game, mode, checked, game.table.start(mode, seats, chance, checked, decks))
        match.settle()
        return match

    @classmethod
    def laid(
        cls,
        game: GameDefinition,
        mode: Mode,
        chance: Chance,
        *,
        options: Mapping[str, Any] | None = None,
        layout: Mapping[str, Any],
    ) -> Match:
        """A match from a prepared table; raises ``BadSetup``. See ``Game.laid_match``."""
        checked = mode.checked_options(options or {})
        match = cls(game, mode, checked, game.table.arrange(mode, chance, checked, dict(layout)))
        match.settle()
        return match

    @classmethod
    def load(cls, game: GameDefinition, data: Mapping[str, Any]) -> Match:
        """A match from what :meth:`dump` wrote; raises ``BadData``."""
        try:
            if data["format"] != FORMAT or data["game"] != game.slug:
                form = f"format {data['format']} of {data['game']}"
                raise BadData(f"This is {form}, not {FORMAT} of {game.slug}.")
            mode = game.mode(data["mode"])
            if not mode.playable:
                raise BadData(f"{game.name}: {mode.name} cannot be played yet.")
            state = game.table.load(mode, data["state"])
            match = cls(game, mode, dict(data["options"]), state)
            match.undoable = data["undoable"]
            return match
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise BadData(f"This is no stored match of {game.name}: {error!r}.") from error

    # -- playing -----------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many seats the match started with."""
        return self.state.seats

    @property
    def opening(self) -> list[Event]:
        """The events since the last move; in a new match those of the preparation."""
        return self.state.events

    def settle(self) -> None:
        """Go on until somebody has a choice or the match is over."""
        self.game.rulebook.run(self.state)
        self.outcome = self.state.outcome

    def play(self, seat: int, move: Move) -> list[Event]:
        """Answer the seat's prompt; returns what happened.

        Raises ``IllegalMove`` if the seat is not asked or the move is not offered; then nothing
        has changed.
        """
        s = self.state
        prompts = s.prompts
        prompt = prompts.get(seat)
        if prompt is None:
            raise IllegalMove(self._not_asked(seat))
        _number, _seat, kind, options, context = prompt
        for option in options:
            if option is move:  # most often: to compare moves costs thrice as much
                break
        else:
            if move not in options:
                offered = [self.notation(option) for option in options]
                raise IllegalMove(f"“{_plain(move)}” is not offered now.", offered)
        events = s.events = []
        self._before = (seat, s.chance.position) if len(prompts) == 1 else None
        self.undoable = None
        s.consulted = 0
        del prompts[seat]
        rulebook = self.game.rulebook
        carry_out = rulebook.prompts[kind].carry_out
        if context:
            answer: tuple[Any, ...] = (s, seat, move)
            carry_out(*(answer + context))
        else:
            carry_out(s, seat, move)
        rulebook.run(s)
        self.outcome = s.outcome
        return events

    def concede(self, seat: int) -> list[Event]:
        """Give up, outside the prompts, at any time while the seat is still in.

        Raises ``IllegalMove`` if the match is over or the seat is out already.
        """
        s = self.state
        # Not of the state: mypyc would take that one for None below, too, whatever the rules did.
        if self.outcome is not None:
            raise IllegalMove("The match is over.")
        if not 0 <= seat < s.seats:
            raise IllegalMove(f"There is no seat {seat + 1} at this table.")
        if s.is_out(seat):
            raise IllegalMove(f"Seat {seat + 1} is out already.")
        before, prompt = s.events, s.prompts.pop(seat, None)
        s.events = []
        try:
            self.game.table.concede(s, seat)
        except IllegalMove:
            s.events = before
            if prompt is not None:
                s.prompts[seat] = prompt
            raise
        self._before = None
        self.undoable = None
        if s.outcome is None:
            self.game.rulebook.ask_again(s)
        self.settle()
        return s.events

    @property
    def knows_draws(self) -> bool:
        """True if the rules let all who play agree on a draw."""
        return self.game.table.agreement(self.mode) is not None

    def agree_on_draw(self) -> list[Event]:
        """All who still play agree on a draw, outside the prompts, at any time.

        Raises ``IllegalMove`` if the match is over or the rules know no agreed draw.
        """
        s, agree = self.state, self.game.table.agreement(self.mode)
        if agree is None:
            raise IllegalMove(f"{self.game.name} knows no agreed draw.")
        if s.outcome is not None:
            raise IllegalMove("The match is over.")
        s.events = []
        agree(s)
        self._before = None
        self.undoable = None
        self.settle()
        return s.events

    def default_move(self, seat: int) -> Move:
        """The move for a seat whose time has run out. Raises ``IllegalMove`` if not asked."""
        prompt = self.state.prompts.get(seat)
        if prompt is None:
            raise IllegalMove(self._not_asked(seat))
        return self.game.table.default_move(self.state, prompt)

    def can_undo(self, seat: int) -> bool:
        """True if the seat moved last, drew no chance and learnt nothing by it.

        It learns something, too, from who is asked next where that follows from hidden cards of
        others. Where several seats are asked at once nothing can be undone: that it can no longer
        be would tell a seat that another has answered.
        """
        if self._before is not None:
            mover, position = self._before
            kinds = self.game.events
            clean = (
                position == self.state.chance.position
                and self.state.outcome is None
                and len(self.state.prompts) == 1
                and self.state.consulted & ~(1 << mover) == 0
                and not any(kinds[event[0]].reveals for event in self.state.events)
            )
            self.undoable = mover if clean else None
            self._before = None
        return self.undoable == seat

    def gone_back(self, earlier: Match) -> Match:
        """The match as it was at an earlier moment, with its questions asked anew.

        They are counted on from now: an answer to a question that was taken back fits no other.
        """
        twin = earlier.clone()
        s = twin.state
        s.events = []
        s.remember(self.state)
        s.asked[:] = self.state.asked
        for seat, prompt in sorted(s.prompts.items()):
            s.asked[seat] += 1
            s.prompts[seat] = prompt._replace(id=s.asked[seat])
        twin.undoable = twin._before = None
        return twin

    def _not_asked(self, seat: int) -> str:
        if self.state.outcome is not None:
            return "The match is over."
        waiting = " and ".join(f"seat {n + 1}" for n in sorted(self.state.prompts))
        return f"Seat {seat + 1} is not asked now; {waiting} is to move."

    def next_options(self, seats: Sequence[int]) -> dict[str, Any]:
        """The options of the next match of the same players, once this one is over.

        ``seats`` has, for each seat of the next match, the seat that its player has in this one.
        """
        rule = self.game.rulebook.series_rule
        return {**self.options, **(rule.changes(self.state, seats) if rule else {})}

    # -- what may be seen --------------------------------------------------------------------

    def view(self, seat: int | None) -> dict[str, Any]:
        """The table as ``seat`` (None: a spectator) may see it now, as plain JSON-able data."""
        s = self.state
        return {
            "game": self.game.slug,
            "mode": self.mode.slug,
            "seat": seat,
            "seats": s.seats,
            "waiting": sorted(s.prompts),
            **self.game.table.view(s, seat),
            "outcome": s.outcome and s.outcome.to_json(),
        }

    def event_view(self, event: Event, seat: int | None) -> dict[str, Any] | None:
        """An event as ``seat`` (None: a spectator) may know it; None if it may not at all."""
        return event_view(event, self.game.events, seat, self.card)

    def window(self, prompt: Prompt) -> Move | None:
        """The move that lets a chance pass, where the question is no more than that."""
        return self.game.rulebook.prompts[prompt.kind].window

    def aims_at(self, event: Event, seat: int) -> bool:
        """True if the event, brought about by somebody else, aims at the seat, which knows it."""
        field = self.game.events[event[0]].aims
        seen = self.event_view(event, seat) if field else None
        return seen is not None and seen.get(field) == seat

    def sight(
        self, seat: int, names: Sequence[str] | None = None, prompt: Prompt | None = None
    ) -> Sight:
        """The table as planned answers of the seat see it: now (None), or at its ``prompt``."""
        return Sight(
            view=self.view(seat),
            seat=seat,
            names=names or self._names(),
            title=self.game.title,
            is_asked=prompt is not None,
            context=() if prompt is None else prompt.context,
        )

    def drew_since(self, earlier: Match) -> bool:
        """True if chance has decided anything since an earlier moment of the match."""
        return self.state.chance.position != earlier.state.chance.position

    def card(self, card: int) -> dict[str, Any]:
        """A visible card as views show it."""
        return {"id": card, "slug": self.game.table.card_slug(self.state, card)}

    def narrate(
        self, event: Event, seat: int | None, names: Sequence[str] | None = None
    ) -> str | None:
        """One line of the log for this audience, or None where there is nothing to say."""
        seen = self.event_view(event, seat)
        return None if seen is None else self.game.narrate(seen, names or self._names())

    def question(self, prompt: Prompt, names: Sequence[str] | None = None) -> str:
        """The sentence that says what is asked of the prompt's seat, and why."""
        return self.game.rulebook.question(self.state, prompt, names or self._names())

    def label(self, move: Move, names: Sequence[str] | None = None) -> str:
        """The words on the button of an option, for the seat that is asked."""
        return self.game.rulebook.label(self.state, move, names or self._names(), self._title)

    def _title(self, card: int) -> str:
        return self.game.title(self.game.table.card_slug(self.state, card))

    def motions(self, event: Event, seat: int | None) -> list[dict[str, Any]]:
        """Which cards an event moves, from where to where, as far as ``seat`` may know.

        ``cards`` (as in a view), their ``count``, and ``from`` and ``to``: each a place and a seat.
        """
        seen = self.event_view(event, seat)
        return [] if seen is None else motions_of(self.game.events[event[0]], seen)

    def outlook(self, prompt: Prompt) -> dict[str, Any]:
        """The cards and where they could go, as plain data, from what the prompt's seat may know.

        ``places`` lists, for a card that could be taken up, by which ``verb`` it would be played
        and the targets ``to`` which it could go. A game may say more under keys of its own.
        """
        return self.game.rulebook.outlook(self.state, prompt)

    def preview(self, prompt: Prompt, move: Move) -> dict[str, Any] | None:
        """Where an option leads, as far as the asked seat may know; None: nothing to be said."""
        foresee = self.game.preview
        return None if foresee is None else foresee(self.state, prompt, move)

    def _names(self) -> list[str]:
        return [f"Seat {n + 1}" for n in range(self.seats)]

    # -- notation ----------------------------------------------------------------------------

    def notation(self, move: Move) -> str:
        """A move as one line of text: ``pass``, ``play <card>``, ``seat seat-2``."""
        words = [move.verb]
        if move.card is not None:
            words.append(self._card_word(move.card))
        if move.target is not None:
            words.append(self._target_word(move.target))
        return " ".join(words)

    def parse(self, seat: int, text: str) -> Move:
        """The option of the seat's prompt that ``text`` names.

        ``~n`` behind a card may be left out where only one option is meant. Raises ``BadData`` for
        text that is not a notation and ``IllegalMove`` for a move that is not offered (or when the
        seat is not asked).
        """
        words = text.split()
        if not words or len(words) > 3 or not all(_WORD.fullmatch(word) for word in words):
            raise BadData(f"“{text[:80]}” is no move.")
        prompt = self.state.prompts.get(seat)
        if prompt is None:
            raise IllegalMove(self._not_asked(seat))
        wanted = " ".join(words)
        for move in prompt.options:
            if self.notation(move) == wanted:
                return move
        offered = {self.notation(move): move for move in prompt.options}
        meant = [move for word, move in offered.items() if _COPY.sub("", word) == wanted]
        if len(meant) == 1:
            return meant[0]
        raise IllegalMove(f"“{wanted}” is not offered now.", list(offered))

    def _card_word(self, card: int) -> str:
        """The card's slug; a second copy in the match gets ``~2``, a third ``~3``.

        Where everybody brings a deck of their own, every card gets ``~`` and its number: counting
        copies would tell what else is in a deck.
        """
        slug_of = self.game.table.card_slug
        if not 0 <= card < self.game.table.card_count(self.state):
            return f"card~{card}"
        slug = slug_of(self.state, card)
        if self.mode.decks(self.options) == "own":
            return f"{slug}~{card}"
        copies = 1
        while card - copies >= 0 and slug_of(self.state, card - copies) == slug:
            copies += 1
        return slug if copies == 1 else f"{slug}~{copies}"

    def _target_word(self, target: Target) -> str:
        match target:
            case Seat(seat):
                return f"seat-{seat + 1}"
            case Slot(slot):
                return slot
            case Card(card):
                return self._card_word(card)
            case Cell(x, y):
                return f"{x},{y}"
            case Number(number):
                return str(number)
            case Word(word):
                return word

    # -- copies and storage ------------------------------------------------------------------

    def clone(self) -> Match:
        """An independent copy."""
        twin = Match(self.game, self.mode, self.options, self.state.copy())
        twin.undoable = self.undoable
        twin._before = self._before
        return twin

    def redeal(self, seat: int | None, chance: Chance) -> Match:
        """A copy in which everything ``seat`` (None: a spectator) can't see is dealt anew.

        It is consistent with all that the seat knows; its future chance comes from ``chance``, too.
        """
        twin = self.clone()
        self.game.table.redeal(twin.state, seat, chance)
        twin.prompts = twin.state.prompts
        return twin

    def dump(self) -> dict[str, Any]:
        """The whole match, secrets included, as data that :meth:`Game.load` reads.

        JSON gives it back as it is.
        """
        for seat in range(self.seats):
            self.can_undo(seat)
        return {
            "format": FORMAT,
            "game": self.game.slug,
            "mode": self.mode.slug,
            "rules_version": self.mode.rules_version,
            "options": self.options,
            "undoable": self.undoable,
            "state": self.state.to_data(),
        }


def _require_decks(mode: Mode, options: Mapping[str, Any], seats: int, brought: int) -> None:
    whose = mode.decks(options)
    needed = {"own": seats, "shared": 1, "": 0}[whose]
    if brought == needed:
        return
    if not whose:
        where = f"{mode.name} with these options" if mode.takes_decks else mode.name
        raise BadSetup(f"Nobody brings a deck to {where}; leave it at home.")
    who = "Every seat brings a deck" if whose == "own" else "One shared deck is brought"
    raise BadSetup(f"{who} to {mode.name}: {needed} needed, not {brought}.")


_COPY = re.compile(r"~\d+")
_WORD = re.compile(r"[\w,~-]{1,80}")


def _plain(move: Move) -> str:
    """A move in words even when it names cards that don't exist."""
    parts = [str(move.verb)[:40]]
    if move.card is not None:
        parts.append(f"card {move.card}")
    if move.target is not None:
        parts.append(str(move.target)[:60])
    return " ".join(parts)
