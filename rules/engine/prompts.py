"""Steps and prompts as a rulebook declares them, and the rows of an outlook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar, TypeVarTuple, Unpack

from rules.engine.moves import Move, Target, target_to_json

Ts = TypeVarTuple("Ts")
S = TypeVar("S")

Outlook: TypeAlias = dict[str, Any]
"""The cards and where they could go, as plain data; for ``places`` see :func:`could_go`."""


class Step(Generic[*Ts]):
    """One thing of the rulebook that is done when its turn comes; ``do`` does it at once.

    ``name`` is what is stored.
    """

    __slots__ = ("do", "name")

    def __init__(self, name: str, do: Callable[[Any, Unpack[Ts]], None]) -> None:
        self.name = name
        self.do = do


class PromptKind(Generic[*Ts]):
    """One kind of question: its sentence, its options, and what follows from an answer.

    ``options`` gives the options from the state, the seat and the prompt's context; ``carry_out``
    does what an option means. Without any option a question is skipped, with a single one it is
    answered by the engine, unless it ``insists``: always, or where a function of the state says so.
    ``outlook`` says what could go where. A ``window`` is a chance to do something beside one's own
    turn; it is the move that lets it pass.

    A question is ``public`` if everybody can tell from what they see, before it is put, whether the
    seat will have a choice. Of any other question its being asked or skipped may tell of hidden
    cards, so the answer that led to it cannot be taken back (:meth:`Match.can_undo`).
    """

    __slots__ = (
        "carry_out",
        "insists",
        "name",
        "options",
        "outlook_of",
        "public",
        "says",
        "sentence_of",
        "window",
    )

    def __init__(
        self,
        name: str,
        says: str,
        options: Callable[[Any, int, Unpack[Ts]], Sequence[Move]],
        *,
        insists: bool | Callable[..., bool] = False,
        window: Move | None = None,
        public: bool = False,
    ) -> None:
        self.name = name
        self.says = says
        self.insists = insists
        self.window = window
        self.public = public
        self.options = options
        self.carry_out: Callable[[Any, int, Move, Unpack[Ts]], None] = _no_answer
        self.sentence_of: Callable[[Any, int, Sequence[str], Unpack[Ts]], str] | None = None
        self.outlook_of: Callable[[Any, int, Unpack[Ts]], dict[str, Any]] | None = None

    def answer(
        self, function: Callable[[S, int, Move, Unpack[Ts]], None]
    ) -> Callable[[S, int, Move, Unpack[Ts]], None]:
        """Declare what an answer does."""
        self.carry_out = function
        return function

    def sentence(
        self, function: Callable[[S, int, Sequence[str], Unpack[Ts]], str]
    ) -> Callable[[S, int, Sequence[str], Unpack[Ts]], str]:
        """Declare the question, where its words depend on the state; ``names`` are the seats'."""
        self.sentence_of = function
        return function

    def outlook(
        self, function: Callable[[S, int, Unpack[Ts]], dict[str, Any]]
    ) -> Callable[[S, int, Unpack[Ts]], dict[str, Any]]:
        """Declare which cards could go where, from nothing but what the asked seat may know."""
        self.outlook_of = function
        return function

    def possible(self, s: Any, seat: int, *context: *Ts) -> bool:
        """True if there would be something to choose."""
        return bool(self.options(s, seat, *context))

    def asks_alone(self, s: Any, seat: int, *context: *Ts) -> bool:
        """True if it is asked although there is only one option."""
        insists = self.insists
        return insists if isinstance(insists, bool) else insists(s, seat, *context)


def could_go(move: Move, card: int | None, *places: Target) -> dict[str, Any]:
    """A row of an outlook: by which option a card could be played, and to which places.

    Without a card it is the option alone that could point there.
    """
    return {"verb": move.verb, "card": card, "to": [target_to_json(place) for place in places]}


def why_not(card: int, sentence: str, rule: str) -> dict[str, Any]:
    """A row of an outlook's ``why_not``: why a card that the seat sees cannot be played now."""
    return {"card": card, "says": sentence, "rule": rule}


def _no_answer(*_: object) -> None:
    raise NotImplementedError("this prompt has no answer")


AnyPrompt: TypeAlias = PromptKind[*tuple[Any, ...]]
