"""A game: what it declares (``GameDefinition``), and what is done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rules.engine import cards as catalogs
from rules.engine import formats, lessons, playsets
from rules.engine.bots import Bot, Choose
from rules.engine.chance import Chance
from rules.engine.deck_rules.house import HouseRule
from rules.engine.definition import GameDefinition
from rules.engine.legality import Decklist, Problem, Report
from rules.engine.match import Match
from rules.engine.modes import FormatOption, Mode, Option
from rules.engine.tables import CardTable, ModeRules, Table

__all__ = [
    "Bot",
    "CardTable",
    "Choose",
    "FormatOption",
    "Game",
    "Mode",
    "ModeRules",
    "Option",
    "Table",
]


class Game(GameDefinition):
    """One game: ready to be played, or for the time being only to be collected and built with."""

    @cached_property
    def lesson(self) -> lessons.Lesson | None:
        """Its guided first match, if it has one."""
        return lessons.load_lesson(self)

    @cached_property
    def playsets(self) -> dict[str, int]:
        """How many copies of each card make a playset."""
        return playsets.playsets(self)

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
        of_mode = self.mode(mode)
        format = of_mode.format(options or {})
        key = (mode, *format.items())
        if key not in self._ready_made:
            self._ready_made[key] = tuple(
                deck
                for deck in self.starters_for(of_mode)
                if not format or self.check_deck(mode, deck.cards, format).legal
            )
        return self._ready_made[key]

    @cached_property
    def _ready_made(self) -> dict[tuple[Any, ...], tuple[catalogs.StarterDeck, ...]]:
        return {}

    def check_deck(
        self,
        mode: str,
        decklist: Decklist,
        format: Mapping[str, Any] | None = None,
        **about: Any,
    ) -> Report:
        """The verdict on a deck for a mode, under a format (None: the plain rules).

        A format is a mapping of the game's own options, with house rules that are the same in all
        games under ``house`` (see ``rules.engine.formats``). ``name`` (the deck's, for messages)
        and ``owned`` (slug → copies) may be given.
        """
        own, house = formats.split(self, self.mode(mode), format)
        if house is None:
            report: Report = self.check(mode, decklist, own, **about)
            return report
        problems = self._judged(mode, decklist, own, house.judged, about)
        if house.owned_only and about.get("owned") is None:
            problems += (formats.not_asked(house),)
        return Report(formats.with_reasons(house, problems))

    def _judged(
        self,
        mode: str,
        decklist: Decklist,
        own: Mapping[str, Any] | None,
        house: tuple[HouseRule, ...],
        about: Mapping[str, Any],
    ) -> tuple[Problem, ...]:
        """The problems by the game's own rules and by those of an organiser."""
        if not house:
            return self._problems(mode, decklist, own, about)
        if self.deck_rules is not None:
            return self.deck_rules.check_deck(mode, decklist, own, house=house, **about).problems
        # Only the organiser's rules are data, so that no fix knows the game's own.
        problems = self._problems(mode, decklist, own, about)
        beside = self.deck_judge.check_deck(mode, decklist, None, house=house, **about).problems
        return (*problems, *(replace(problem, fix=None) for problem in beside))

    def _problems(
        self,
        mode: str,
        decklist: Decklist,
        own: Mapping[str, Any] | None,
        about: Mapping[str, Any],
    ) -> tuple[Problem, ...]:
        report: Report = self.check(mode, decklist, own, **about)
        return report.problems

    def fill_up(
        self,
        mode: str,
        decklist: Decklist,
        format: Mapping[str, Any] | None = None,
        owned: Mapping[str, int] | None = None,
    ) -> Decklist | None:
        """A list with cards put in until it is legal under a format, or as near to it as can be;
        None where the game's deck rules are not data. Nothing is taken out."""
        if self.deck_rules is None:
            return None
        own, house = formats.split(self, self.mode(mode), format)
        judged = () if house is None else house.judged
        return self.deck_rules.filled(mode, decklist, own, owned=owned, house=judged)

    def random_deck(
        self,
        mode: str,
        chance: Chance,
        format: Mapping[str, Any] | None = None,
        owned: Mapping[str, int] | None = None,
    ) -> Decklist | None:
        """A random legal list; None where none is found or the deck rules are not data."""
        if self.deck_rules is None:
            return None
        own, house = formats.split(self, self.mode(mode), format)
        judged = () if house is None else house.judged
        return self.deck_rules.random_deck(mode, own, chance, owned=owned, house=judged)

    def check_format(self, mode: str, format: Mapping[str, Any] | None = None) -> Report:
        """The verdict on a format, for whoever sets it up: what no deck could ever fulfil.

        Raises ``BadData`` for a format that cannot be read.
        """
        own, _ = formats.split(self, self.mode(mode), format)
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
        return Match.start(
            self, self.mode(mode), seats=seats, chance=Chance(seed), options=options, decks=decks
        )

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
        return Match.laid(self, self.mode(mode), chance, options=options, layout=layout)

    def load(self, data: Mapping[str, Any]) -> Match:
        """A match from what :meth:`Match.dump` wrote; raises ``BadData``."""
        return Match.load(self, data)
