"""The parts of a game: its modes, cards, words and rules, without what is done with them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from rules.engine import cards as catalogs
from rules.engine.ahead import Ahead
from rules.engine.bots import Bot, Foresight, Thinker
from rules.engine.chance import Chance
from rules.engine.deck_checks import CatalogIndex
from rules.engine.deck_rules import DeckRules
from rules.engine.errors import UnknownGame
from rules.engine.format_files import load_formats
from rules.engine.legality import Decklist, Report, any_deck
from rules.engine.modes import DeckFormat, FormatOption, Mode
from rules.engine.moves import Move, Prompt
from rules.engine.rulebook import AnyEvent, Rulebook
from rules.engine.table_text import TableText
from rules.engine.tables import Table


@dataclass(frozen=True)
class GameDefinition:
    """Everything that a game declares. Matches, house rules and lessons ask no more of it.

    ``package`` is where its data files lie, ``check`` what judges decks (without it its
    ``deck_rules``, or every deck will do), ``table`` what plays it.
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
    ahead: Mapping[str, Ahead] = field(default_factory=dict)
    table: Table = cast("Table", None)  # noqa: RUF009 - no call at all
    bots: Mapping[str, Bot] = field(default_factory=dict)
    """Those that answer at once, the best one last: it sits down where nobody says which."""
    foresights: Mapping[str, Foresight] = field(default_factory=dict)
    """How its modes are thought ahead, by mode."""
    thinkers: Mapping[str, Thinker] = field(default_factory=dict)
    """Those that take their time, the weakest first; each plays its own modes only."""
    sample_decks: Callable[[Mode, Mapping[str, Any], int, Chance], list[Decklist]] | None = None
    """Random decks that a match may be played with, where ready-made ones with random cards added
    would not do (decks that must fit the options or each other)."""
    preview: Callable[[Any, Prompt, Move], dict[str, Any] | None] | None = None
    """Where an option leads, worked out for the asked seat from what it may know."""

    format_options: tuple[FormatOption, ...] = ()
    """The options that organisers may switch on for an event."""
    deck_formats: tuple[DeckFormat, ...] = ()
    """Formats for events that the game's specification defines; left out, those of its
    ``formats.toml``."""
    named: Callable[[str], str] = lambda name: ""
    """The card that a name means by a ruling of the game, where it is not a title or slug as it
    stands; "" for none. What reads lists reads the same names as the rules do."""
    own_house: frozenset[str] = frozenset()
    """House rules (``restricted``, ``sets``) that the game's own check carries out."""
    deck_rules: DeckRules | None = None
    """Its deck rules, where they are data: lists are judged, filled up and made at random by them,
    and they say which options formats have."""
    judge_format: Callable[[str, Mapping[str, Any] | None], Report] | None = None
    """The objections to a format by itself, for :meth:`Game.check_format`; None where any of its
    options go together."""
    text: TableText = TableText()  # noqa: RUF009 - it has no state
    """The words around its table."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Names of the numbers and words on its cards, by attribute, where its own name will not do."""
    place: int = 1000
    """Where it stands among the games: the lowest number is shown first."""

    def __post_init__(self) -> None:
        if self.table is None and any(mode.playable for mode in self.modes.values()):
            raise ValueError(f"{self.name} has a mode to be played, but no table.")
        if self.deck_rules is not None:
            judge = self.deck_rules
            usual = (judge.check_deck, judge.check_format, judge.format_options)
            for name, value in zip(("check", "judge_format", "format_options"), usual, strict=True):
                if getattr(self, name) in (any_deck, None, ()):
                    object.__setattr__(self, name, value)
        # A game that is put together from parts alone has no package to look into.
        if not self.deck_formats and self.package.partition(".")[0] in sys.modules:
            formats = load_formats(self.package, tuple(self.modes))
            object.__setattr__(self, "deck_formats", formats)

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
    def index(self) -> CatalogIndex:
        """All cards by slug, as messages and buttons name them."""
        return CatalogIndex(self.package)

    @cached_property
    def deck_judge(self) -> DeckRules:
        """The judge of decks by rules that are data: its own, else one that has none but those of
        organisers."""
        if self.deck_rules is not None:
            return self.deck_rules
        modes = [mode for mode in self.modes.values() if mode.takes_decks]
        kinds: dict[str, list[str]] = {}
        for kind, section in self.sections_of_kinds(modes[0]).items():
            kinds.setdefault(section, []).append(kind)
        data = {
            "game": self.name,
            "modes": {mode.slug: [s for s in mode.sections if s in kinds] for mode in modes},
            "section": [{"slug": s, "where": {"kind": kinds[s]}} for s in kinds],
            "rule": [],
        }
        return DeckRules(self.package, data=data)

    @cached_property
    def sets(self) -> tuple[catalogs.CardSet, ...]:
        """The card sets, in order of appearance."""
        return catalogs.load_sets(self.package)

    @cached_property
    def set_names(self) -> Mapping[str, str]:
        """The name of each card set, by slug."""
        return {card_set.slug: card_set.name for card_set in self.sets}

    @cached_property
    def products(self) -> Mapping[str, catalogs.Product]:
        """Fixed and random products by slug."""
        return catalogs.load_products(self.package)

    @cached_property
    def starter_decks(self) -> Mapping[str, catalogs.StarterDeck]:
        """Ready-made decks by slug."""
        return catalogs.load_decks(self.package)

    def format_options_for(self, mode: Mode) -> list[FormatOption]:
        """The options that formats of a mode may switch on."""
        return [row for row in self.format_options if not row.modes or mode.slug in row.modes]

    def starters_for(self, mode: Mode) -> list[catalogs.StarterDeck]:
        """The ready-made decks for a mode, in the game's order, whatever its options say."""
        return [deck for deck in self.starter_decks.values() if mode.slug in deck.modes]

    def sections_of_kinds(self, mode: Mode) -> Mapping[str, str]:
        """The section for cards of each kind: where ready-made decks have most of them.

        A kind that is in none of them goes where the game's own check would move it.
        """
        if mode.slug not in self._sections_of_kinds:
            seen: dict[str, Counter[str]] = {}
            for deck in self.starter_decks.values():
                for section, counts in deck.cards.items():
                    if section in mode.sections:
                        for slug in counts:
                            seen.setdefault(self.catalog[slug].kind, Counter())[section] += 1
            homes = {kind: sections.most_common(1)[0][0] for kind, sections in seen.items()}
            for slug, card in self.catalog.items():
                if card.kind not in homes:
                    homes[card.kind] = self._moved_to(mode, slug)
            self._sections_of_kinds[mode.slug] = homes
        return self._sections_of_kinds[mode.slug]

    @cached_property
    def _sections_of_kinds(self) -> dict[str, Mapping[str, str]]:
        return {}

    def _moved_to(self, mode: Mode, card: str) -> str:
        """The section that a report moves a card to from the first one, where it does not stay."""
        first = mode.sections[0]
        if len(mode.sections) == 1:
            return first
        report: Report = self.check(mode.slug, {first: {card: 1}}, None)
        fixes = [problem.fix for problem in report.problems if problem.fix]
        moved = [fix.to for fix in fixes if fix.to in mode.sections and card in fix.changes]
        return moved[0] if moved else first

    def opponents(self, mode: str) -> Mapping[str, Bot | Thinker]:
        """All bots and thinkers that play the mode, the weakest first."""
        thinkers = {slug: it for slug, it in self.thinkers.items() if mode in it.modes}
        return {**self.bots, **thinkers}

    def player(self, slug: str) -> Bot | Thinker | None:
        """The bot or thinker of that slug; None if there is none."""
        return self.bots.get(slug) or self.thinkers.get(slug)

    def mode(self, slug: str) -> Mode:
        """The mode of that slug; raises ``UnknownGame``."""
        try:
            return self.modes[slug]
        except KeyError:
            raise UnknownGame(f"{self.name} has no mode “{slug}”.") from None
