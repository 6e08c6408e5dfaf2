"""Options of formats, as ``[[option]]`` of ``deck_rules.toml`` says them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.engine.errors import BadData
from rules.engine.modes import FormatOption

KINDS: Final = ("switch", "number", "choice", "subset", "cards", "sets", "text", "limits")


@dataclass(frozen=True)
class DeckOption:
    """An option of formats.

    ``kind``: ``switch`` (on or off; ``usual``: on where nothing is said), ``number`` (between two
    ``values``; with ``word`` that word, too, and with ``usual`` true for that number), ``choice``
    (one of ``values``), ``subset`` (some of ``values``; true for the ``usual`` ones), ``cards`` and
    ``sets`` (lists of slugs), ``limits`` (most copies by card) and ``text``. ``default`` is its
    value where nothing is given, ``title`` what messages call it, and ``ships`` names options that
    are, where it is switched on, as a format of the game has them. ``offered`` are the values that
    organisers are offered, where these are fewer.
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
    names: Mapping[Any, str] = field(default_factory=dict)
    default: Any = None
    title: str = ""
    ships: Mapping[str, str] = field(default_factory=dict)
    offered: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"option {self.slug}: “{self.kind}” is not a kind")
        if self.offered:
            low, high = self.offered
            if self.kind != "number" or not self.values[0] <= low <= high <= self.values[1]:
                raise ValueError(f"option {self.slug}: offered are two numbers between its values")

    @property
    def format_option(self) -> FormatOption:
        """The option as organisers are offered it."""
        kind = "integer" if self.kind == "number" else self.kind
        values = self.offered or self.values
        usual = self.usual if self.kind == "subset" else ()
        about = (self.slug, self.name, self.rule, self.help, self.modes)
        return FormatOption(*about, kind, values, usual, self.names)

    @property
    def sample(self) -> Any:
        """Some value that it may have: rules that ask for it are read once with that."""
        if self.kind in ("cards", "sets"):
            return frozenset()
        if self.kind in ("limits", "subset"):
            return self.values
        return self.values[0] if self.values else True

    def read(self, value: Any, cards: Collection[str], sets: Collection[str], game: str) -> Any:
        """A value that came from outside in the one form that is kept, None for off; lists and
        tables of cards as tuples and sets. Raises ``BadData``."""
        if self.kind == "number":
            return self._number(value)
        if self.kind == "choice":
            return self._choice(value)
        if self.kind == "subset":
            return self._subset(value)
        if self.kind == "limits":
            return _limits(value, cards, game)
        if self.kind in ("cards", "sets"):
            return self._slugs(value, cards if self.kind == "cards" else sets)
        if self.kind == "text" and (not isinstance(value, str) or not value.strip()):
            raise self._bad("a name", value)
        # read_format() has made sure that a switch is true or false.
        return value or None

    def _bad(self, must_be: str, value: Any) -> BadData:
        title = self.title or f"The format option “{self.slug}”"
        return BadData(f"{title} is {must_be}, not {value!r}.")

    def _number(self, value: Any) -> Any:
        low, high = self.values
        if self.usual is not None and isinstance(value, bool):
            return self.usual if value else None
        if self.word and value == self.word:
            return None
        if type(value) is int and low <= value <= high:
            return value
        if self.usual is not None:
            raise self._bad("true, false or a number of cards", value)
        raise self._bad("a whole number" + (f" or “{self.word}”" if self.word else ""), value)

    def _choice(self, value: Any) -> Any:
        if value is None or (not isinstance(value, bool) and value in self.values):
            return value
        *others, last = map(str, self.values)
        raise self._bad(f"{', '.join(others)} or {last}", value)

    def _subset(self, value: Any) -> Any:
        if isinstance(value, bool):
            return self.usual if value else None
        if isinstance(value, (list, tuple)) and value and all(x in self.values for x in value):
            chosen = tuple(item for item in self.values if item in value)
            return None if chosen == self.values else chosen
        listed = ", ".join(map(str, self.values))
        raise BadData(f"The format option “{self.slug}” is true, false or some of {listed}.")

    def _slugs(self, value: Any, known: Collection[str]) -> Any:
        if isinstance(value, str) or not isinstance(value, Collection):
            raise self._bad("a list of slugs", value)
        for slug in value:
            if not isinstance(slug, str) or slug not in known:
                raise BadData(
                    f"The format option “{self.slug}” names {slug!r}, which does not exist."
                )
        return frozenset(value)


def _limits(value: Any, cards: Collection[str], game: str) -> Any:
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
