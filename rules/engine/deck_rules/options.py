"""Options of formats, as ``[[option]]`` of ``deck_rules.toml`` says them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from rules.engine.errors import BadData
from rules.engine.modes import FormatOption

KINDS: Final = ("switch", "number", "choice", "subset", "cards", "sets", "text", "limits")


@dataclass(frozen=True)
class DeckOption:
    """An option of formats.

    ``kind``: ``switch`` (on or off), ``number`` (between two ``values``; with ``word`` that word,
    too, and with ``usual`` true for that number), ``choice`` (one of ``values``), ``subset`` (some
    of ``values``; true for the ``usual`` ones), ``cards`` and ``sets`` (lists of slugs), ``limits``
    (most copies by card) and ``text``. ``default`` is its value where nothing is given, ``title``
    what messages call it, and ``ships`` names options that are, where it is switched on, as a
    format of the game has them. ``offers`` are the values that organisers are offered.
    """

    slug: str
    kind: str = "switch"
    values: tuple[Any, ...] = ()
    usual: Any = None
    word: str = ""
    name: str = ""
    rule: str = ""
    help: str = ""
    modes: tuple[str, ...] = ()
    names: tuple[tuple[Any, str], ...] = ()
    default: Any = None
    title: str = ""
    ships: tuple[tuple[str, str], ...] = ()
    offers: tuple[Any, ...] = ()

    @cached_property
    def offered(self) -> FormatOption:
        """The option as organisers are offered it."""
        usual = () if self.kind == "number" else tuple(self.usual or ())
        kind = "integer" if self.kind == "number" else self.kind
        return FormatOption(
            self.slug,
            self.name,
            self.rule,
            self.help,
            self.modes,
            kind,
            self.offers,
            usual,
            dict(self.names),
        )

    def read(self, value: Any, cards: Collection[str], sets: Collection[str], game: str) -> Any:
        """A value that came from outside in the one form that is kept, None for off; lists and
        tables of cards as tuples and sets. Raises ``BadData``."""
        return _READERS[self.kind](self, value, cards, sets, game)

    def sample(self, cards: Collection[str]) -> Any:
        """Some value that it may have: rules that ask for it are read once with that."""
        samples: Mapping[str, Any] = {
            "switch": True,
            "number": self.values[0] if self.values else 1,
            "choice": self.values[0] if self.values else None,
            "subset": self.values,
            "cards": frozenset(list(cards)[:1]),
            "sets": frozenset(),
            "limits": tuple((slug, 1) for slug in list(cards)[:1]),
            "text": self.slug,
        }
        return samples[self.kind]


Reader = Callable[[DeckOption, Any, Collection[str], Collection[str], str], Any]


def _bad(option: DeckOption, must_be: str, value: Any) -> BadData:
    title = option.title or f"The format option “{option.slug}”"
    return BadData(f"{title} is {must_be}, not {value!r}.")


def _switch(option: DeckOption, value: Any, *known: Any) -> Any:
    # read_format() has made sure that it is true or false.
    return value or None


def _number(option: DeckOption, value: Any, *known: Any) -> Any:
    low, high = option.values
    if option.usual is not None and isinstance(value, bool):
        return option.usual if value else None
    if option.word and value == option.word:
        return None
    if type(value) is int and low <= value <= high:
        return value
    if option.usual is not None:
        raise _bad(option, "true, false or a number of cards", value)
    word = f" or “{option.word}”" if option.word else ""
    raise _bad(option, f"a whole number{word}", value)


def _choice(option: DeckOption, value: Any, *known: Any) -> Any:
    if value is None or (not isinstance(value, bool) and value in option.values):
        return value
    *others, last = map(str, option.values)
    raise _bad(option, f"{', '.join(others)} or {last}", value)


def _subset(option: DeckOption, value: Any, *known: Any) -> Any:
    if isinstance(value, bool):
        return tuple(option.usual) if value else None
    if isinstance(value, (list, tuple)) and value and all(item in option.values for item in value):
        chosen = tuple(item for item in option.values if item in value)
        return None if chosen == option.values else chosen
    listed = ", ".join(map(str, option.values))
    raise BadData(f"The format option “{option.slug}” is true, false or some of {listed}.")


def _slugs(option: DeckOption, value: Any, known: Collection[str]) -> Any:
    if isinstance(value, str) or not isinstance(value, Collection):
        raise _bad(option, "a list of slugs", value)
    for slug in value:
        if not isinstance(slug, str) or slug not in known:
            raise BadData(
                f"The format option “{option.slug}” names {slug!r}, which does not exist."
            )
    return frozenset(value)


def _cards(
    option: DeckOption, value: Any, cards: Collection[str], sets: Collection[str], game: str
) -> Any:
    return _slugs(option, value, cards)


def _sets(
    option: DeckOption, value: Any, cards: Collection[str], sets: Collection[str], game: str
) -> Any:
    return _slugs(option, value, sets)


def _text(option: DeckOption, value: Any, *known: Any) -> Any:
    if not isinstance(value, str) or not value.strip():
        raise _bad(option, "a name", value)
    return value


def _limits(
    option: DeckOption, value: Any, cards: Collection[str], sets: Collection[str], game: str
) -> Any:
    if not isinstance(value, Mapping):
        raise BadData("A restricted list is an object of cards and how many copies are allowed.")
    for slug, most in value.items():
        if slug not in cards:
            raise BadData(f"The restricted list names “{slug}”, which is not a {game} card.")
        if type(most) is not int or most < 0:
            raise BadData(
                f"The restricted list allows a whole number of “{slug}”, 0 or more, not {most!r}."
            )
    return tuple(value.items())


_READERS: Final[Mapping[str, Reader]] = {
    "switch": _switch,
    "number": _number,
    "choice": _choice,
    "subset": _subset,
    "cards": _cards,
    "sets": _sets,
    "text": _text,
    "limits": _limits,
}
