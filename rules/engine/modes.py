"""The modes of a game, what their tables agree on, and what an organiser may ask of decks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.engine.cards import CardType
from rules.engine.errors import BadData, BadSetup


@dataclass(frozen=True, slots=True)
class Option:
    """Something a mode lets the table agree on.

    ``kind`` says how ``values`` are to be read: ``choice`` (one of them), ``integer`` (a range,
    its end included) or ``subset`` (any of them). ``word`` is a single word allowed in place of a
    number or subset. ``decks`` says which values ask for decks, ``own`` (one a seat) or ``shared``
    (one for the table). ``judges``: decks that are brought are judged by it. ``for_keeps`` says
    with which values the cards that the outcome tells as ``prizes`` change owners for good.
    """

    slug: str
    name: str
    kind: str
    values: tuple[Any, ...]
    default: Any
    help: str = ""
    names: Mapping[Any, str] = field(default_factory=dict)
    word: str = ""
    decks: Mapping[Any, str] = field(default_factory=dict)
    judges: bool = False
    for_keeps: tuple[Any, ...] = ()

    def checked(self, value: Any) -> Any:
        """``value`` in the form the rules use; raises ``BadSetup`` naming what is allowed."""
        if self.word and value == self.word:
            return value
        if self.kind == "integer":
            low, high = self.values
            if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
                return value
            word = f" or “{self.word}”" if self.word else ""
            raise BadSetup(
                f"{self.name} is a whole number from {low} to {high}{word}, not {value!r}."
            )
        if self.kind == "subset":
            if isinstance(value, (list, tuple)) and all(item in self.values for item in value):
                return [item for item in self.values if item in value]
            allowed = ", ".join(str(item) for item in self.values)
            raise BadSetup(f"{self.name} takes any of {allowed}, not {value!r}.")
        for item in self.values:
            if value == item and isinstance(value, bool) == isinstance(item, bool):
                return item
        allowed = ", ".join(str(item) for item in self.values)
        raise BadSetup(f"{self.name} is one of {allowed}, not {value!r}.")


@dataclass(frozen=True, slots=True)
class DeckFormat:
    """A format for events that a game defines: its options, and the cards that those restrict.

    ``options`` is what ``check_deck`` is told. ``restricted`` says which cards they limit and to
    how many copies, for people to read; ``reason`` why. ``default`` marks the format that a
    tournament has if its organiser chooses no other. ``sets``, ``owned_only`` and ``rules`` are
    house rules (``rules.engine.formats``); a restricted list without options is one, too.
    """

    slug: str
    name: str
    summary: str
    modes: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    restricted: Mapping[str, int] = field(default_factory=dict, hash=False)
    version: int = 0
    reason: str = ""
    default: bool = False
    sets: tuple[str, ...] = ()
    owned_only: bool = False
    rules: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)


@dataclass(frozen=True, slots=True)
class FormatOption:
    """Something an organiser may ask of the decks for an event.

    ``kind`` is ``switch`` (on or off) or says how ``values`` are to be read: ``integer`` (lowest
    and highest), ``choice`` (one of them) or ``subset`` (any of them; simply switched on, it is the
    ``usual`` ones). All are off where nothing is given. ``names`` are the values' words for people,
    ``rule`` is the rule that it switches on, ``modes`` where it means anything (empty:
    everywhere).
    """

    slug: str
    name: str
    rule: str
    help: str = ""
    modes: tuple[str, ...] = ()
    kind: str = "switch"
    values: tuple[Any, ...] = ()
    usual: tuple[Any, ...] = ()
    names: Mapping[Any, str] = field(default_factory=dict, hash=False)

    def checked(self, value: Any) -> Any:
        """``value`` in the one form that is kept, None for off; raises ``BadData``."""
        if value is None or value is False:
            return None
        if self.kind == "switch":
            if value is True:
                return True
            raise BadData(f"{self.name} is switched on or off.")
        if self.kind == "integer":
            low, high = self.values
            if type(value) is int and low <= value <= high:
                return value
            raise BadData(f"{self.name} is a whole number from {low} to {high}.")
        allowed = ", ".join(str(item) for item in self.values)
        if self.kind == "subset":
            if value is True:
                return True
            if isinstance(value, (list, tuple)) and all(item in self.values for item in value):
                chosen = [item for item in self.values if item in value]
                if len(chosen) in (0, len(self.values)):
                    return None
                return True if chosen == list(self.usual) else chosen
            raise BadData(f"{self.name} is switched on or off, or takes some of {allowed}.")
        if type(value) is bool or value not in self.values:
            raise BadData(f"{self.name} is one of {allowed}.")
        return value

    def word(self, value: Any) -> str:
        """A value in words."""
        return self.names.get(value, str(value))


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to play a game: seat counts, options, whether every seat always brings a deck.

    With ``together`` all seats win or lose as one: won is what has winners. Such a mode is never
    rated, and another is not with ``unrated``. ``teams`` is how many teams the seats form, in turn:
    with 2, seats 0 and 2 play against 1 and 3, and a team wins or loses as one. ``ends_for_all``
    says that the match is over for everybody once one gives up, ``quiet`` that nobody at the table
    may write to the others while it runs. ``kinds`` names the kinds of cards that take part,
    ``sets`` the sets that they are from (empty: all); ``sections`` those that a deck for it
    has, the one that cards are put into where nothing is said first; ``hands`` says how many
    cards of a section are dealt to begin with, where such a hand is dealt from it, and
    ``hand_needs`` the kinds of cards without which it is redrawn.
    """

    slug: str
    name: str
    summary: str
    seats: range
    options: tuple[Option, ...] = ()
    own_decks: bool = False
    rules_version: str = "1"
    playable: bool = True
    max_moves: int = 100_000
    together: bool = False
    teams: int = 0
    unrated: bool = False
    ends_for_all: bool = False
    quiet: bool = False
    kinds: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    sections: tuple[str, ...] = ("main",)
    hands: Mapping[str, int] = field(default_factory=dict, hash=False)
    hand_needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.teams and (
            self.together
            or self.teams < 2
            or any(seats % self.teams or seats == self.teams for seats in self.seats)
        ):
            raise ValueError(
                f"{self.name}: the seats, {self.seats[0]} to {self.seats[-1]}, cannot form "
                f"{self.teams} teams of the same size, two seats at least. Change seats or teams "
                "(a range takes steps: range(4, 9, 2)); where all play together there are none."
            )

    def parties(self, seats: int) -> int:
        """How many sides a match of so many seats has: its teams, or each seat by itself."""
        return self.teams or seats

    def party(self, seat: int, seats: int) -> range:
        """The seats of a seat's team, itself among them; without teams the seat alone."""
        parties = self.parties(seats)
        return range(seat % parties, seats, parties)

    def shares(self, winners: Collection[int], seats: int) -> list[float]:
        """By seat: what its side has of the win; all have the same where nobody has won."""
        won = winners or range(seats)
        sides = len({seat % self.parties(seats) for seat in won})
        return [1 / sides if seat in won else 0.0 for seat in range(seats)]

    @property
    def rated(self) -> bool:
        """True if its matches say something about how strong somebody is."""
        return not (self.together or self.unrated)

    @property
    def takes_decks(self) -> bool:
        """True if decks can be brought to it, always or where an option says so."""
        return self.own_decks or any(option.decks for option in self.options)

    def takes(self, card: CardType) -> bool:
        """True if the card is among those that the mode is played with."""
        return (not self.kinds or card.kind in self.kinds) and (
            not self.sets or not set(self.sets).isdisjoint(card.sets)
        )

    def decks(self, options: Mapping[str, Any]) -> str:
        """Whose decks a match with these options is played with.

        ``own`` (one a seat), ``shared`` (one for the table) or "" (none is brought).
        """
        if self.own_decks:
            return "own"
        for option in self.options:
            value = options.get(option.slug, option.default)
            for asking, whose in option.decks.items():
                if value == asking:
                    return whose
        return ""

    def options_with_decks(self, *whose: str) -> dict[str, Any] | None:
        """Options with which decks are brought, ``own`` or ``shared`` ones; None without any."""
        if self.own_decks:
            return {} if "own" in whose else None
        for option in self.options:
            for asking, brought in option.decks.items():
                if brought in whose:
                    return {option.slug: asking}
        return None

    def for_keeps(self, options: Mapping[str, Any]) -> bool:
        """True if cards that are won with these options change owners for good."""
        return any(
            options.get(option.slug, option.default) in option.for_keeps
            for option in self.options
            if option.for_keeps
        )

    def format(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options that judge a deck, for :meth:`Game.check_deck`."""
        return {
            option.slug: options.get(option.slug, option.default)
            for option in self.options
            if option.judges
        }

    def checked_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """All options of the mode with their values; raises ``BadSetup``."""
        unknown = set(chosen) - {option.slug for option in self.options}
        if unknown:
            raise BadSetup(f"{self.name} has no option {', '.join(sorted(unknown))}.")
        return {
            option.slug: option.checked(chosen.get(option.slug, option.default))
            for option in self.options
        }
