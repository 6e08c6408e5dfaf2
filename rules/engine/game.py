"""A game: its modes, cards, decks, bots and the functions that play it."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, cast

from rules.engine import cards as catalogs
from rules.engine import formats, lessons
from rules.engine.card_tables import CardTables
from rules.engine.chance import Chance
from rules.engine.errors import BadData, BadSetup, UnknownGame
from rules.engine.fields import layout
from rules.engine.legality import Decklist, Problem, Report, any_deck
from rules.engine.moves import Move, Prompt
from rules.engine.redeal import ALL_ALIKE, Redeal
from rules.engine.rulebook import AnyEvent, Rulebook
from rules.engine.state import Elimination, State
from rules.engine.table_text import TableText

if TYPE_CHECKING:
    from rules.engine.match import Match


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
            if isinstance(value, (list, tuple)) and all(one in self.values for one in value):
                return [one for one in self.values if one in value]
            allowed = ", ".join(str(one) for one in self.values)
            raise BadSetup(f"{self.name} takes any of {allowed}, not {value!r}.")
        for one in self.values:
            if value == one and isinstance(value, bool) == isinstance(one, bool):
                return one
        allowed = ", ".join(str(one) for one in self.values)
        raise BadSetup(f"{self.name} is one of {allowed}, not {value!r}.")


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
        allowed = ", ".join(str(one) for one in self.values)
        if self.kind == "subset":
            if value is True:
                return True
            if isinstance(value, (list, tuple)) and all(one in self.values for one in value):
                chosen = [one for one in self.values if one in value]
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

    ``kinds`` names the kinds of cards that take part, ``sets`` the sets that they are from (empty:
    all); ``sections`` those that a deck
    for it has, the one that cards are put into where nothing is said first; ``hands`` says how many
    cards of a section are dealt to begin with, where such a hand is dealt from it.
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
    kinds: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    sections: tuple[str, ...] = ("main",)
    hands: Mapping[str, int] = field(default_factory=dict, hash=False)

    @property
    def takes_decks(self) -> bool:
        """True if decks can be brought to it, always or where an option says so."""
        return self.own_decks or any(option.decks for option in self.options)

    def takes(self, card: catalogs.CardType) -> bool:
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

    def for_keeps(self, options: Mapping[str, Any]) -> bool:
        """True if cards that are won with these options change owners for good."""
        return any(
            options.get(option.slug, option.default) in option.for_keeps
            for option in self.options
            if option.for_keeps
        )

    def format(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """What these options say of a deck, for :meth:`Game.check_deck`."""
        return {
            option.slug: options.get(option.slug, option.default)
            for option in self.options
            if option.judges
        }

    def checked_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options of the mode with their values; raises ``BadSetup``."""
        unknown = set(given) - {option.slug for option in self.options}
        if unknown:
            raise BadSetup(f"{self.name} has no option {', '.join(sorted(unknown))}.")
        return {
            option.slug: option.checked(given.get(option.slug, option.default))
            for option in self.options
        }


class Choose(Protocol):
    """A bot's mind: from what its seat sees to one of the prompt's options."""

    def __call__(self, view: Mapping[str, Any], prompt: Prompt, chance: Chance, /) -> Move: ...


@dataclass(frozen=True, slots=True)
class Bot:
    """A player that is a program. ``choose(view, prompt, chance)`` sees nothing but its view.

    ``name`` is what kind of player it is; at a table it goes by one of its ``names``.
    """

    slug: str
    name: str
    summary: str
    choose: Choose
    names: tuple[str, ...] = ()

    def name_at(self, table: str, taken: Collection[str] = ()) -> str:
        """What it is called at a table: always the same there, and none of those ``taken``."""
        start = zlib.crc32(f"{self.slug} {table}".encode())
        row = [self.names[(start + n) % len(self.names)] for n in range(len(self.names))]
        return next((name for name in row if name not in taken), self.name)


class Table(Protocol):
    """What a game's package gives to the core, besides its data files and its rulebook."""

    def start(
        self,
        mode: Mode,
        seats: int,
        chance: Chance,
        options: dict[str, Any],
        decks: Sequence[Decklist],
    ) -> State: ...

    def load(self, mode: Mode, data: dict[str, Any]) -> State: ...

    def concede(self, state: Any, seat: int) -> None: ...

    def agreement(self, mode: Mode) -> Callable[[Any], None] | None: ...

    def redeal(self, state: Any, seat: int | None, chance: Chance) -> None: ...

    def view(self, state: Any, seat: int | None) -> dict[str, Any]: ...

    def card_slug(self, state: Any, card: int) -> str: ...

    def card_count(self, state: Any) -> int: ...

    def default_move(self, state: Any, prompt: Prompt) -> Move: ...

    def arrange(
        self, mode: Mode, chance: Chance, options: dict[str, Any], layout: dict[str, Any]
    ) -> State: ...


def _no_positions(*args: Any, **layout: Any) -> State:
    raise ValueError("its positions cannot be laid out.")


@dataclass(frozen=True, slots=True)
class ModeRules:
    """How a mode is played: its kind of state, and what the core does with one.

    ``prepare(seats, chance, options, decks)`` sets the table, ``concede(state, seat)`` carries out
    that a seat gives up (the core has taken its question away), ``agree(state)`` that all agree on
    a draw (None: the rules know no such thing), ``arrange(chance, options, …)``
    lays out a position: its keywords are the keys of a layout, ``seat_keys`` what each of its
    ``seats`` may have, in words.
    """

    state: type[State]
    prepare: Callable[..., State]
    concede: Callable[[Any, int], None]
    view: Callable[[Any, int | None], dict[str, Any]]
    arrange: Callable[..., State] = _no_positions
    redeal: Redeal = ALL_ALIKE
    agree: Callable[[Any], None] | None = None
    seat_keys: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class CardTable:
    """The table of a game with numbered cards, whose states have ``cards`` (``CardTables``).

    ``rules`` says how each mode is played.
    ``quiet_moves`` are the verbs played for a seat whose time has run out, best first; without any
    it is the option at ``otherwise``.
    """

    cards: type[CardTables]
    rules: Mapping[str, ModeRules]
    rulebook: Rulebook[Any]
    quiet_moves: tuple[str, ...] = ()
    otherwise: int = -1

    def __post_init__(self) -> None:
        for kind in self._by_state:
            layout(kind)  # a state that is not declared as it must be is no game

    @cached_property
    def _by_state(self) -> Mapping[type[State], ModeRules]:
        return {rules.state: rules for rules in self.rules.values()}

    def start(
        self,
        mode: Mode,
        seats: int,
        chance: Chance,
        options: dict[str, Any],
        decks: Sequence[Decklist],
    ) -> State:
        return self.rules[mode.slug].prepare(seats, chance, options, decks)

    def load(self, mode: Mode, data: dict[str, Any]) -> State:
        return self.rules[mode.slug].state.load(data, mode.slug)

    def concede(self, state: Any, seat: int) -> None:
        self._by_state[type(state)].concede(state, seat)

    def agreement(self, mode: Mode) -> Callable[[Any], None] | None:
        return self.rules[mode.slug].agree

    def redeal(self, state: Any, seat: int | None, chance: Chance) -> None:
        self._by_state[type(state)].redeal(state, seat, chance, self.rulebook)

    def view(self, state: Any, seat: int | None) -> dict[str, Any]:
        return self._by_state[type(state)].view(state, seat)

    def short_names(self) -> Mapping[str, str]:
        """Every way to name a card in a position, in lower case, with its slug."""
        return self.cards.all_names()

    def arrange(
        self, mode: Mode, chance: Chance, options: dict[str, Any], layout: dict[str, Any]
    ) -> State:
        rules = self.rules[mode.slug]
        out = layout.pop("out", ())
        try:
            for seat in layout.get("seats", ()):
                if strange := sorted(seat.keys() - rules.seat_keys.keys()):
                    allowed = ", ".join(rules.seat_keys)
                    raise ValueError(f"a seat has no {', '.join(strange)}; it may have {allowed}.")
            state = rules.arrange(chance, options, **layout)
            if isinstance(state, Elimination):
                for moment in out:
                    state.moment += 1
                    state.drop(*([moment] if isinstance(moment, int) else moment))
            elif out:
                raise ValueError("nobody is ever out in this mode.")
        except (TypeError, ValueError) as error:
            raise BadSetup(f"This is no position of {mode.name}: {error}") from error
        return state

    def card_slug(self, state: Any, card: int) -> str:
        slug: str = state.cards.slugs[card]
        return slug

    def card_count(self, state: Any) -> int:
        return len(state.cards)

    def default_move(self, state: Any, prompt: Prompt) -> Move:
        for verb in self.quiet_moves:
            for move in prompt.options:
                if move.verb == verb:
                    return move
        return prompt.options[self.otherwise]


@dataclass(frozen=True)
class Game:
    """One game: ready to be played, or for the time being only to be collected and built with.

    ``package`` is where its data files lie, ``check`` what judges decks (without it every deck will
    do), ``table`` what plays it.
    A game all of whose modes say that they are not playable yet has no table; any other needs one
    (``ValueError``).
    """

    slug: str
    name: str
    summary: str
    package: str
    modes: Mapping[str, Mode]
    check: Callable[..., Report] = any_deck
    rulebook: Rulebook[Any] = field(default_factory=Rulebook)
    table: Table = cast("Table", None)  # noqa: RUF009 - no call at all
    bots: Mapping[str, Bot] = field(default_factory=dict)
    """Those that can be asked to play, the best one last: it sits down where nobody says which."""
    sample_decks: Callable[[Mode, Mapping[str, Any], int, Chance], list[Decklist]] | None = None
    """Random decks that a match may be played with, where ready-made ones with random cards added
    would not do (decks that must fit the options or each other)."""
    preview: Callable[[Any, Prompt, Move], dict[str, Any] | None] | None = None
    """What an option leads to, worked out for the asked seat from what it may know."""

    format_options: tuple[FormatOption, ...] = ()
    """What organisers may switch on for an event."""
    named: Callable[[str], str] = lambda name: ""
    """The card that a name means by a ruling of the game, where it is no card's title or slug as it
    stands; "" for none. What reads lists reads the same names as the rules do."""
    own_house: frozenset[str] = frozenset()
    """House rules (``restricted``, ``sets``) that the game's own check carries out."""
    judge_format: Callable[[str, Mapping[str, Any] | None], Report] | None = None
    """What stands against a format by itself, for :meth:`Game.check_format`; None where any of its
    options go together."""
    text: TableText = TableText()  # noqa: RUF009 - it has no state
    """What is said around its table."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What numbers and words on its cards are called, by attribute, where its name is no word."""
    place: int = 1000
    """Where it stands among the games: the lowest number is shown first."""

    def __post_init__(self) -> None:
        if self.table is None and any(mode.playable for mode in self.modes.values()):
            raise ValueError(f"{self.name} has a mode to be played, but no table.")

    @property
    def events(self) -> Mapping[str, AnyEvent]:
        """Every kind of event, by name."""
        return self.rulebook.events

    def title(self, slug: str) -> str:
        """The title of a card."""
        return self.catalog[slug].title

    def narrate(self, event: Mapping[str, Any], names: Sequence[str]) -> str | None:
        """One line of the log, or None, from an event as its reader may know it."""
        return self.rulebook.narrate(event, names, self.title)

    @cached_property
    def catalog(self) -> Mapping[str, catalogs.CardType]:
        """All cards by slug."""
        return catalogs.load_catalog(self.package)

    @cached_property
    def sets(self) -> tuple[catalogs.CardSet, ...]:
        """The card sets, in order of appearance."""
        return catalogs.load_sets(self.package)

    @cached_property
    def products(self) -> Mapping[str, catalogs.Product]:
        """Fixed and random products by slug."""
        return catalogs.load_products(self.package)

    @cached_property
    def lesson(self) -> lessons.Lesson | None:
        """Its guided first match, if it has one."""
        return lessons.load_lesson(self)

    @cached_property
    def starter_decks(self) -> Mapping[str, catalogs.StarterDeck]:
        """Ready-made decks by slug."""
        return catalogs.load_decks(self.package)

    def mode(self, slug: str) -> Mode:
        """The mode of that slug; raises ``UnknownGame``."""
        try:
            return self.modes[slug]
        except KeyError:
            raise UnknownGame(f"{self.name} has no mode “{slug}”.") from None

    def ready_decks(
        self, mode: str, seats: int, options: Mapping[str, Any] | None = None
    ) -> list[Decklist]:
        """Ready-made decks for a match with these options, dealt round the seats."""
        whose = self.mode(mode).decks(options or {})
        ready = self.ready_made(mode, options) if whose else ()
        if not ready:
            return []
        return [ready[seat % len(ready)].cards for seat in range(seats if whose == "own" else 1)]

    def ready_made(
        self, mode: str, options: Mapping[str, Any] | None = None
    ) -> tuple[catalogs.StarterDeck, ...]:
        """The ready-made decks of a mode, as far as they may be played with these options."""
        format = self.mode(mode).format(options or {})
        key = (mode, *format.items())
        if key not in self._ready_made:
            self._ready_made[key] = tuple(
                deck
                for deck in self.starter_decks.values()
                if mode in deck.modes
                and (not format or self.check_deck(mode, deck.cards, format).legal)
            )
        return self._ready_made[key]

    @cached_property
    def _ready_made(self) -> dict[tuple[Any, ...], tuple[catalogs.StarterDeck, ...]]:
        return {}

    def check_deck(
        self, mode: str, decklist: Decklist, format: Mapping[str, Any] | None = None, **about: Any
    ) -> Report:
        """The verdict on a deck for a mode, under a format (None: the plain rules).

        A format is a mapping of the game's own options, with house rules that are the same in all
        games under ``house`` (see ``rules.engine.formats``). ``name`` (the deck's, for messages)
        and ``owned`` (slug → copies) may be given.
        """
        self.mode(mode)
        own, house = formats.split(self, format)
        report: Report = self.check(mode, decklist, own, **about)
        if house is None:
            return report
        problems = report.problems
        if any(problem.fix for problem in problems):
            # What a fix puts in keeps to the house rules as it keeps to what is owned.
            allowed = formats.allowed_copies(self, house, about.get("owned"))
            again = self.check(mode, decklist, own, **about | {"owned": allowed})
            there = {(one.rule, one.cards): one for one in again.problems}
            # A rule may name other cards when others may come in; where it has one problem, it
            # is that one.
            times = Counter(one.rule for seen in (report, again) for one in seen.problems)
            single = {one.rule: one for one in again.problems if times[one.rule] == 2}
            problems = tuple(
                _under_house(one, there.get((one.rule, one.cards), single.get(one.rule, one)))
                for one in problems
            )

        def misfits(deck: Decklist) -> int:
            found: Report = self.check(mode, deck, own, **about)
            return len(found.errors)

        asked_owner = about.get("owned") is not None
        found = formats.house_problems(self, decklist, house, misfits, asked_owner=asked_owner)
        return Report(formats.with_reasons(house, (*problems, *found)))

    def check_format(self, mode: str, format: Mapping[str, Any] | None = None) -> Report:
        """The verdict on a format, for whoever sets it up: what no deck could ever fulfil.

        Raises ``BadData`` for a format that cannot be read.
        """
        self.mode(mode)
        own, _ = formats.split(self, format)
        self.check(mode, {}, own)
        return Report() if self.judge_format is None else self.judge_format(mode, own)

    def new_match(
        self,
        mode: str,
        *,
        seats: int,
        seed: bytes,
        options: Mapping[str, Any] | None = None,
        decks: Sequence[Decklist] = (),
    ) -> Match:
        """Set the table and go on to the first prompt.

        ``seed`` is 32 bytes. ``decks``: as many as :meth:`Mode.decks` says for these options: one a
        seat, one shared list, or none. Raises ``BadSetup``.
        """
        from rules.engine.match import Match

        rules = self.mode(mode)
        if not rules.playable:
            raise BadSetup(f"{self.name}: {rules.name} cannot be played yet.")
        if seats not in rules.seats:
            raise BadSetup(
                f"{rules.name} is for {rules.seats[0]} to {rules.seats[-1]} seats, not {seats}."
            )
        checked = rules.checked_options(options or {})
        state = self.table.start(rules, seats, Chance(seed), checked, decks)
        match = Match(self, rules, checked, state)
        match.settle()
        return match

    def laid_match(
        self,
        mode: str,
        chance: Chance,
        *,
        options: Mapping[str, Any] | None = None,
        layout: Mapping[str, Any],
    ) -> Match:
        """A match that begins from a prepared table, as the mode's ``arrange`` lays it out.

        Raises ``BadSetup``.
        """
        from rules.engine.match import Match

        rules = self.mode(mode)
        checked = rules.checked_options(options or {})
        match = Match(
            self, rules, checked, self.table.arrange(rules, chance, checked, dict(layout))
        )
        match.settle()
        return match

    def load(self, data: Mapping[str, Any]) -> Match:
        """A match from what :meth:`Match.dump` wrote; raises ``BadData``."""
        from rules.engine.match import FORMAT, Match

        try:
            if data["format"] != FORMAT or data["game"] != self.slug:
                found = f"format {data['format']} of {data['game']}"
                raise BadData(f"This is {found}, not {FORMAT} of {self.slug}.")
            mode = self.mode(data["mode"])
            if not mode.playable:
                raise BadData(f"{self.name}: {mode.name} cannot be played yet.")
            state = self.table.load(mode, data["state"])
            match = Match(self, mode, dict(data["options"]), state)
            match.undoable = data["undoable"]
            return match
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise BadData(f"This is no stored match of {self.name}: {error!r}.") from error


def _under_house(problem: Problem, there: Problem) -> Problem:
    """A problem with the fix that it has under house rules: ``there``.

    Where they leave none the sentence comes along: it says why, if the game knows.
    """
    hopeless = problem.fix and not there.fix and problem.cards == there.cards
    return replace(problem, fix=there.fix, message=(there if hopeless else problem).message)
