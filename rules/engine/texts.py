"""Card texts of the shape “choose a card where …, then …”, in as few words as the card has.

>>> TEXTS.text(                                                      # doctest: +SKIP
...     "sabotage",
...     choose("sabotage_host", "Choose an opponent's Character.", HOST, rivals, where=armed),
...     choose("sabotage_power", "Choose the Power Card to discard.", TAKE, powers_under),
...     then=discard_from_under,
... )

Each choice is a prompt; what was chosen before is its context, and ``then`` gets all of it. A card
can be played when its first choice has something to choose. What does not have this shape is a
prompt of its own (``asks``) or a plain function (``does``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar, TypeVarTuple, Unpack, overload

from rules.engine.moves import Move, Seat, chosen
from rules.engine.prompts import AnyPrompt, PromptKind
from rules.engine.rulebook import Rulebook
from rules.engine.state import State

S = TypeVar("S", bound=State)
Ts = TypeVarTuple("Ts")

Condition: TypeAlias = Callable[[S, int], bool]
Effect: TypeAlias = Callable[[S, int], None]


class Choice(Generic[*Ts]):
    """One choice of a card's text; made by :func:`choose`."""

    __slots__ = ("among", "moves", "name", "otherwise", "says", "then", "where")

    def __init__(
        self,
        name: str,
        says: str,
        moves: Mapping[int, Move],
        among: Callable[[Any, int, Unpack[Ts]], Iterable[int]],
        where: Callable[[Any, int], bool] | None,
        otherwise: Move | None,
        then: Callable[[Any, int, Unpack[Ts], int], None] | None,
    ) -> None:
        self.name = name
        self.says = says
        self.moves = moves
        self.among = among
        self.where = where
        self.otherwise = otherwise
        self.then = then

    def options(self, s: Any, seat: int, *before: *Ts) -> list[Move]:
        """The options in the order of ``among``; then the way out."""
        moves, where, among = self.moves, self.where, self.among(s, seat, *before)
        if where is None:
            options = [moves[item] for item in among]
        else:
            options = [moves[item] for item in among if where(s, item)]
        if self.otherwise is not None:
            options.append(self.otherwise)
        return options

    def possible(self, s: Any, seat: int, *before: *Ts) -> bool:
        """True if there is something to choose; asked often, so no option is made for it."""
        where = self.where
        for item in self.among(s, seat, *before):
            if where is None or where(s, item):
                return True
        return self.otherwise is not None


def choose(
    name: str,
    says: str,
    moves: Mapping[int, Move],
    among: Callable[[Any, int, Unpack[Ts]], Iterable[int]],
    *,
    where: Callable[[Any, int], bool] | None = None,
    otherwise: Move | None = None,
    then: Callable[[Any, int, Unpack[Ts], int], None] | None = None,
) -> Choice[*Ts]:
    """A choice under ``name``: of what ``among`` lists, as far as it fits ``where``.

    ``among`` gets the state, the seat and what was chosen before. ``moves`` makes the options:
    those of cards, or with a card or seat as their target. ``says`` is the sentence; the name of an
    earlier choice in braces is what was chosen there. ``otherwise`` is a way out, offered last,
    which ends the text. ``then`` is done before the next choice.
    """
    return Choice(name, says, moves, among, where, otherwise, then)


class _Link:
    """A choice in its chain: the prompt that it is, and what comes after it."""

    __slots__ = ("choice", "following", "kind", "then")

    def __init__(self, choice: Choice[*tuple[Any, ...]], then: Callable[..., None]) -> None:
        self.choice = choice
        self.then = then
        self.following: AnyPrompt | None = None
        self.kind: AnyPrompt = PromptKind(choice.name, choice.says, choice.options)
        self.kind.carry_out = self.answer

    def answer(self, s: Any, seat: int, move: Move, *before: int) -> None:
        if move == self.choice.otherwise:
            return
        picked = (*before, chosen(move))
        if self.following is None:
            self.then(s, seat, *picked)
            return
        if self.choice.then is not None:
            self.choice.then(s, seat, *picked)
        s.ask(seat, self.following, *picked)


class _Sentence:
    """The words of a choice that name what was chosen before."""

    __slots__ = ("earlier", "says")

    def __init__(self, says: str, earlier: Sequence[Choice[*tuple[Any, ...]]]) -> None:
        self.says = says
        self.earlier = [(choice.name, choice.moves) for choice in earlier]

    def __call__(self, s: Any, seat: int, names: Sequence[str], *before: int) -> str:
        words = {}
        for (name, moves), picked in zip(self.earlier, before, strict=True):
            is_seat = isinstance(moves[picked].target, Seat)
            words[name] = names[picked] if is_seat else s.cards.title[picked]
        return self.says.format_map(words)


class _Asking(Generic[*Ts]):
    """A text that begins with a prompt."""

    __slots__ = ("context", "first", "kind", "offers", "when")

    def __init__(
        self,
        kind: PromptKind[*Ts],
        context: tuple[*Ts],
        offers: Callable[[Any, int, *Ts], object],
        when: Condition[Any] | None,
        first: Effect[Any] | None,
    ) -> None:
        self.kind = kind
        self.context = context
        self.offers = offers
        self.when = when
        self.first = first

    def possible(self, s: Any, seat: int) -> bool:
        if self.when is not None and not self.when(s, seat):
            return False
        return bool(self.offers(s, seat, *self.context))

    def carry_out(self, s: Any, seat: int) -> None:
        if self.first is not None:
            self.first(s, seat)
        s.ask(seat, self.kind, *self.context)


class CardTexts(Generic[S]):
    """The effects of a game's cards, by name: can it be done, and doing it."""

    def __init__(self, book: Rulebook[S]) -> None:
        self.book = book
        self.conditions: dict[str, Condition[S]] = {}
        self.effects: dict[str, Effect[S]] = {}

    def does(self, effect: str, do: Effect[S], *, when: Condition[S]) -> None:
        """A text that is a function of the state and the seat."""
        self.conditions[effect] = when
        self.effects[effect] = do

    def asks(
        self,
        effect: str,
        kind: PromptKind[*Ts],
        *context: *Ts,
        when: Condition[S] | None = None,
        first: Effect[S] | None = None,
    ) -> None:
        """A text that begins with a prompt of the rules; ``first`` is done before it is asked.

        It can be carried out when the prompt has an option, and ``when`` holds besides.
        """
        asking = _Asking(kind, context, kind.options, when, first)
        self.does(effect, asking.carry_out, when=asking.possible)

    @overload
    def text(
        self,
        effect: str,
        a: Choice[()],
        /,
        *,
        then: Callable[[S, int, int], None],
        when: Condition[S] | None = None,
        first: Effect[S] | None = None,
    ) -> PromptKind[()]: ...
    @overload
    def text(
        self,
        effect: str,
        a: Choice[()],
        b: Choice[int],
        /,
        *,
        then: Callable[[S, int, int, int], None],
        when: Condition[S] | None = None,
        first: Effect[S] | None = None,
    ) -> PromptKind[()]: ...
    @overload
    def text(
        self,
        effect: str,
        a: Choice[()],
        b: Choice[int],
        c: Choice[int, int],
        /,
        *,
        then: Callable[[S, int, int, int, int], None],
        when: Condition[S] | None = None,
        first: Effect[S] | None = None,
    ) -> PromptKind[()]: ...
    def text(
        self,
        effect: str,
        /,
        *choices: Any,
        then: Callable[..., None],
        when: Condition[S] | None = None,
        first: Effect[S] | None = None,
    ) -> Any:
        """A text that is one to three choices, then something done with what was chosen."""
        links = [_Link(choice, then) for choice in choices]
        for number, link in enumerate(links):
            self.book.add(link.kind)
            if number:
                links[number - 1].following = link.kind
            if "{" in link.choice.says:
                link.kind.sentence_of = _Sentence(link.choice.says, choices[:number])
        asking = _Asking(links[0].kind, (), choices[0].possible, when, first)
        self.does(effect, asking.carry_out, when=asking.possible)
        return links[0].kind
