"""Previews of rules that are being written: in plain English, and decks judged by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from core.serializers import Doc
from decks.models import Deck
from decks.queries.decks import with_entries
from decks.queries.formats import Clause, FormatRules, clauses_of, in_full
from rules.engine.deck_rules.house import HouseRule
from rules.engine.errors import BadData, UnknownGame
from rules.engine.formats import read_once
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist

MAX_OWN = 30
"""So many of a person's decks are judged, the newest first."""


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A deck of somebody's, as far as a format looks at it."""

    slug: str
    name: str
    cards: Decklist


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A rule in words."""

    rule: Annotated[str, Doc("The ID that verdicts name.")]
    words: Annotated[str, Doc("What it asks, in plain English.")]
    says: Annotated[
        str, Doc("The message for decks that break it, with slots; empty: the default.")
    ]
    example: Annotated[str, Doc("That sentence for a deck that just breaks it.")]


@dataclass(frozen=True, slots=True)
class DeckJudged:
    """A deck under the rules."""

    name: str
    slug: Annotated[str, Doc("Of your own deck; empty for a preconstructed one.")]
    legal: bool
    rules: Annotated[list[str], Doc("The IDs of the rules that it breaks.")]
    problem: Annotated[str, Doc("The first thing that is wrong with it.")]


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules that are not published yet."""

    rules: list[RuleShown]
    decks: list[DeckJudged]

    @property
    def legal(self) -> int:
        """How many of the decks would be legal."""
        return sum(deck.legal for deck in self.decks)


def own_decks(user: User | AnonymousUser, game: str, mode: str) -> list[OwnDeck]:
    """A person's decks of a mode, the newest first."""
    if not isinstance(user, User):
        return []
    rows = Deck.objects.filter(owner=user, game=game, mode=mode).order_by("-pk")
    decks = []
    for deck in with_entries(rows)[:MAX_OWN]:
        cards: dict[str, dict[str, int]] = {}
        for entry in deck.entries.all():
            cards.setdefault(entry.section, {})[entry.card.slug] = entry.count
        decks.append(OwnDeck(deck.slug, deck.name, cards))
    return decks


def preview(
    game: Game, mode: Mode, rules_of: FormatRules, user: User | AnonymousUser, name: str = ""
) -> Preview:
    """Rules in words, and the ready-made and one's own decks under them.

    Own cards are left aside: whoever plays has others. Raises ``BadData`` for rules that cannot
    be read.
    """
    format = in_full(rules_of, name or "this format", 1)
    format.get("house", {}).pop("owned_only", None)
    house = {rule.id: rule for rule in read_once(game, mode, list(rules_of.rules))}
    words = [
        _shown(game, clause, house.get(clause.rule), str(name or "this format"))
        for clause in clauses_of(game, mode.slug, rules_of)
    ]
    decks = [
        _judged(game, mode, format, deck.name, "", deck.cards) for deck in game.starters_for(mode)
    ]
    for own in own_decks(user, game.slug, mode.slug):
        decks.append(_judged(game, mode, format, own.name, own.slug, own.cards))
    return Preview(words, decks)


def _shown(game: Game, clause: Clause, rule: HouseRule | None, format: str) -> RuleShown:
    words = f"{clause.words}."
    if rule is None:
        return RuleShown(clause.rule, words, "", "")
    says = str(rule.row.get("says") or rule.proposed)
    return RuleShown(rule.id, words, says, rule.example(game, format))


def _judged(
    game: Game,
    mode: Mode,
    format: Mapping[str, object],
    name: str,
    slug: str,
    cards: Decklist,
) -> DeckJudged:
    try:
        report = game.check_deck(mode.slug, cards, format)
    except (BadData, UnknownGame) as error:
        return DeckJudged(name, slug, False, [], str(error))
    broken = list(dict.fromkeys(problem.rule for problem in report.errors))
    problem = report.errors[0].message if report.errors else ""
    return DeckJudged(name, slug, report.legal, broken, problem)
