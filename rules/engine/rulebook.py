"""The rulebook of a game: its steps, prompts, events and moves, each declared once.

A match advances through *steps*: small functions on the state that do one thing of the rulebook
and then go on to another step or ask a seat. What is declared here is an object that ``s.then``,
``s.ask`` and ``s.tell`` take, so that the type checker knows its arguments; what is stored is its
name, which therefore never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import (
    Any,
    Final,
    Generic,
    NamedTuple,
    TypeAlias,
    TypeVar,
    TypeVarTuple,
    Unpack,
    overload,
)

from rules.engine.errors import EndlessRules
from rules.engine.events import EventKind, Field, Telling, place
from rules.engine.moves import (
    ByCard,
    ByCardAndTarget,
    ByTarget,
    Card,
    Move,
    Number,
    Prompt,
    Seat,
    Slot,
    Word,
)
from rules.engine.prompts import AnyPrompt, Outlook, PromptKind, Step
from rules.engine.state import State

Ts = TypeVarTuple("Ts")
S = TypeVar("S", bound=State)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")

Label: TypeAlias = str | Callable[[Any, Move, Sequence[str]], str]
"""The words on a move's button: with ``{card}`` and ``{target}``, or a function of the state, the
move and the seats' names."""

PATIENCE: Final = 10_000
"""So many steps may follow one another without a question; more are a rulebook that never ends."""

CIRCLE: Final = 50
"""How many steps of an endless circle are looked at to name them."""

_new: Final = tuple.__new__  # half the price of Prompt(…), which goes through a function of its own


AnyEvent: TypeAlias = EventKind[*tuple[Any, ...]]


Between: TypeAlias = Callable[[S, Sequence[int]], Mapping[str, Any]]


class SeriesRule(NamedTuple):
    """A game's changes between two matches of the same players, and the sentence for players."""

    says: str
    changes: Callable[[Any, Sequence[int]], Mapping[str, Any]]


class Rulebook(Generic[S]):
    """The steps, prompts, events and moves of a game, by name.

    >>> BOOK: Rulebook[Any] = Rulebook()
    >>> PASS = BOOK.move("pass", "Pass")
    >>> PASSED = BOOK.event("passed", seat(), says="{seat} passes.")
    >>> @BOOK.prompt("Your turn.")
    ... def turn(s: Any, seat: int) -> list[Move]:
    ...     return [PASS]
    >>> @turn.answer
    ... def turn_taken(s: Any, seat: int, move: Move) -> None:
    ...     s.tell(PASSED, seat)
    """

    def __init__(self) -> None:
        self.steps: dict[str, Callable[..., None]] = {}
        self.prompts: dict[str, AnyPrompt] = {}
        self.events: dict[str, AnyEvent] = {}
        self.labels: dict[tuple[str, bool, bool], Label] = {}
        self.series_rule: SeriesRule | None = None

    # -- what a game declares ------------------------------------------------------------------

    def step(self, function: Callable[[S, Unpack[Ts]], None]) -> Step[*Ts]:
        """Declare a step under the function's name."""
        name = function.__name__
        _only_once(self.steps, name)
        self.steps[name] = function
        return Step(name, function)

    def prompt(
        self,
        says: str,
        *,
        name: str = "",
        insists: bool | Callable[..., bool] = False,
        window: Move | None = None,
        public: bool = False,
    ) -> Callable[[Callable[[S, int, Unpack[Ts]], Sequence[Move]]], PromptKind[*Ts]]:
        """Declare a prompt by its options: under their function's name, or ``name``."""

        def declare(
            options: Callable[[S, int, Unpack[Ts]], Sequence[Move]],
        ) -> PromptKind[*Ts]:
            kind = PromptKind(
                name or options.__name__,
                says,
                options,
                insists=insists,
                window=window,
                public=public,
            )
            return self.add(kind)

        return declare

    def add(self, kind: PromptKind[*Ts]) -> PromptKind[*Ts]:
        """Declare a prompt that is there already."""
        _only_once(self.prompts, kind.name)
        self.prompts[kind.name] = kind
        return kind

    @overload
    def event(self, name: str, /, **telling: Unpack[Telling]) -> EventKind[()]: ...
    @overload
    def event(self, name: str, a: Field[A], /, **telling: Unpack[Telling]) -> EventKind[A]: ...
    @overload
    def event(
        self, name: str, a: Field[A], b: Field[B], /, **telling: Unpack[Telling]
    ) -> EventKind[A, B]: ...
    @overload
    def event(
        self, name: str, a: Field[A], b: Field[B], c: Field[C], /, **telling: Unpack[Telling]
    ) -> EventKind[A, B, C]: ...
    @overload
    def event(
        self,
        name: str,
        a: Field[A],
        b: Field[B],
        c: Field[C],
        d: Field[D],
        /,
        **telling: Unpack[Telling],
    ) -> EventKind[A, B, C, D]: ...
    @overload
    def event(
        self,
        name: str,
        a: Field[A],
        b: Field[B],
        c: Field[C],
        d: Field[D],
        e: Field[E],
        /,
        **telling: Unpack[Telling],
    ) -> EventKind[A, B, C, D, E]: ...
    @overload
    def event(
        self,
        name: str,
        a: Field[A],
        b: Field[B],
        c: Field[C],
        d: Field[D],
        e: Field[E],
        f: Field[F],
        /,
        **telling: Unpack[Telling],
    ) -> EventKind[A, B, C, D, E, F]: ...
    def event(self, name: str, /, *fields: Field[Any], **telling: Unpack[Telling]) -> Any:
        """Declare an event: its fields in order, who may know it, and how it is said."""
        _only_once(self.events, name)
        kind: AnyEvent = EventKind(name, *fields, **telling)
        self.events[name] = kind
        return kind

    def move(self, verb: str, label: Label) -> Move:
        """Declare a move that is a verb alone, with the words on its button."""
        self._label(verb, label)
        return Move(verb)

    def card_move(self, verb: str, label: Label = "{card}") -> ByCard:
        """Declare moves of a verb and a card; the dict makes each once, by the card's number."""
        self._label(verb, label, card=True)
        return ByCard(verb)

    def target_move(self, verb: str, target: Any, label: Label = "{target}") -> ByTarget:
        """Declare moves of a verb and a target of this class."""
        self._label(verb, label, target=True)
        return ByTarget(verb, target)

    def card_target_move(
        self, verb: str, target: Any, label: Label = "{card} to {target}"
    ) -> ByCardAndTarget:
        """Declare moves of a verb, a card and a target of this class: ``ATTACH[card][host]``."""
        self._label(verb, label, card=True, target=True)
        return ByCardAndTarget(verb, target)

    def between_matches(self, says: str) -> Callable[[Between[S]], Between[S]]:
        """Declare what changes from one match to the next among the same players.

        The function takes the state at the end of a match and, for each seat of the next one, the
        seat that its player had. It returns the options that change. ``says`` tells players of it.
        """

        def declare(function: Between[S]) -> Between[S]:
            if self.series_rule is not None:
                raise ValueError("What changes between matches is declared twice.")
            self.series_rule = SeriesRule(says, function)
            return function

        return declare

    def _label(self, verb: str, label: Label, *, card: bool = False, target: bool = False) -> None:
        _only_once(self.labels, (verb, card, target))
        self.labels[verb, card, target] = label

    # -- what is said --------------------------------------------------------------------------

    def question(self, s: S, prompt: Prompt, names: Sequence[str]) -> str:
        """The sentence of an open prompt."""
        kind = self.prompts[prompt.kind]
        if kind.sentence_of is None:
            return kind.says
        return kind.sentence_of(s, prompt.seat, names, *prompt.context)

    def label(self, s: S, move: Move, names: Sequence[str], title: Callable[[int], str]) -> str:
        """The words on an option's button; ``title`` is that of a card."""
        label = self.labels[move.verb, move.card is not None, move.target is not None]
        if not isinstance(label, str):
            return label(s, move, names)
        words = {}
        if move.card is not None:
            words["card"] = title(move.card)
        match move.target:
            case Seat(seat):
                words["target"] = names[seat]
            case Card(card):
                words["target"] = title(card)
            case Slot(slot):
                words["target"] = place(slot)
            case Number(number):
                words["target"] = str(number)
            case Word(word):
                words["target"] = word.capitalize()
        return label.format_map(words)

    def narrate(
        self, event: Mapping[str, Any], names: Sequence[str], title: Callable[[str], str]
    ) -> str | None:
        """The line of the log for an event as its reader may know it; ``title`` is by slug."""
        return self.events[event["kind"]].line(event, names, title)

    def outlook(self, s: S, prompt: Prompt) -> Outlook:
        """The cards and where they could go; empty where the rules say nothing of it."""
        kind = self.prompts[prompt.kind]
        if kind.outlook_of is None:
            return {}
        return kind.outlook_of(s, prompt.seat, *prompt.context)

    # -- how a match goes on -------------------------------------------------------------------

    def run(self, s: S) -> None:
        """Go on until somebody has a choice or the match is over.

        Raises ``EndlessRules`` where that never comes.
        """
        asking, prompts, stack, steps = s.asking, s.prompts, s.stack, self.steps
        for _ in range(PATIENCE):
            if s.outcome is not None:
                asking.clear()
                prompts.clear()
                stack.clear()
                return
            if asking:
                seat, kind, context = asking.pop(0)
                if not kind.public:
                    s.consulted |= 1 << seat
                options = kind.options(*((s, seat) + context)) if context else kind.options(s, seat)
                if len(options) > 1 or (
                    options and kind.insists and kind.asks_alone(s, seat, *context)
                ):
                    s.asked[seat] = number = s.asked[seat] + 1
                    prompts[seat] = _new(Prompt, (number, seat, kind.name, tuple(options), context))
                    if not asking:
                        return
                elif options:
                    kind.carry_out(s, seat, options[0], *context)
            elif prompts:
                return
            elif stack:
                step, args = stack.pop()
                if args:
                    steps[step](*((s,) + args))
                else:
                    steps[step](s)
            else:
                raise EndlessRules("Nobody is asked and nothing is left to do, but it is not over.")
        raise EndlessRules(
            f"{PATIENCE:,} steps without a question. "
            f"They go round in a circle: {', '.join(self._circle(s))}."
        )

    def _circle(self, s: S) -> list[str]:
        """Which steps and prompts follow one another for ever: the names of the next few."""
        seen: dict[str, None] = {}
        for _ in range(CIRCLE):
            if s.asking:
                seat, kind, context = s.asking.pop(0)
                seen[kind.name] = None
                for move in kind.options(s, seat, *context)[:1]:
                    kind.carry_out(s, seat, move, *context)
            elif s.stack:
                step, args = s.stack.pop()
                seen[step] = None
                self.steps[step](s, *args)
        return list(seen)

    def options(self, s: S, prompt: Prompt) -> tuple[Move, ...]:
        """The options of a prompt now."""
        return tuple(self.prompts[prompt.kind].options(s, prompt.seat, *prompt.context))

    def ask_again(self, s: S) -> None:
        """Work out all open prompts anew, after something changed outside the prompts."""
        for seat, prompt in sorted(s.prompts.items()):
            if self.options(s, prompt) != prompt.options:
                del s.prompts[seat]
                s.ask(seat, self.prompts[prompt.kind], *prompt.context)


def _only_once(declared: Mapping[Any, object], name: object) -> None:
    if name in declared:
        raise ValueError(f"“{name}” is declared twice.")
