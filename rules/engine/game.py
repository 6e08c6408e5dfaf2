"""A game: what it declares (``GameDefinition``), and what is done with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from rules.engine import cards as catalogs
from rules.engine import formats, lessons, playsets
from rules.engine.bots import Bot, Choose
from rules.engine.chance import Chance
from rules.engine.deck_rules.deck import UNNAMED
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
        *,
        fixes: bool = True,
        **about: Any,
    ) -> Report:
        """The verdict on a deck for a mode, under a format (None: the plain rules).

        A format is a mapping of the game's own options, with house rules that are the same in all
        games under ``house`` (see ``rules.engine.formats``). ``name`` (the deck's, for messages)
        and ``owned`` (slug → copies) may be given. Without ``fixes`` nobody looks for those that
        keep to house rules, which takes longer than the verdict.
        """
        own, house = formats.split(self, self.mode(mode), format)
        report: Report = self.check(mode, decklist, own, **about)
        if house is None:
            return report
        problems = report.problems
        if fixes and any(problem.fix for problem in problems):
            # What a fix puts in keeps to the house rules as it keeps to what is owned.
            allowed = formats.allowed_copies(self, house, about.get("owned"))
            again = self.check(mode, decklist, own, **about | {"owned": allowed})
            under_house = {(entry.rule, entry.cards): entry for entry in again.problems}
            # A rule may name other cards when others may come in; where it has one problem, it
            # is that one.
            times = Counter(entry.rule for seen in (report, again) for entry in seen.problems)
            single = {entry.rule: entry for entry in again.problems if times[entry.rule] == 2}
            problems = tuple(
                _under_house(
                    entry, under_house.get((entry.rule, entry.cards), single.get(entry.rule, entry))
                )
                for entry in problems
            )

        def own_verdict(deck: Decklist) -> Report:
            own_report: Report = self.check(mode, deck, own, **about)
            return own_report

        if house.rules:
            problems = formats.rule_problems(
                self,
                self.mode(mode),
                decklist,
                house,
                own_verdict,
                problems,
                name=about.get("name") or UNNAMED,
                owned=about.get("owned"),
            )
        asked_owner = about.get("owned") is not None
        house_problems = formats.house_problems(
            self, decklist, house, own_verdict, asked_owner=asked_owner
        )
        return Report(formats.with_reasons(house, (*problems, *house_problems)))

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
        able = owned if house is None else formats.allowed_copies(self, house, owned)
        return self.deck_rules.filled(mode, decklist, own, owned=able)

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
        able = owned if house is None else formats.allowed_copies(self, house, owned)
        return self.deck_rules.random_deck(mode, own, chance, owned=able)

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


def _under_house(problem: Problem, stricter: Problem) -> Problem:
    """A problem with the fix that it has under house rules, in ``stricter``.

    Where they leave none the sentence comes along: it says why, if the game knows.
    """
    hopeless = problem.fix and not stricter.fix and problem.cards == stricter.cards
    return replace(problem, fix=stricter.fix, message=(stricter if hopeless else problem).message)
