"""The decks that people bring to a table, and the ready-made ones for those who bring none.

What lies in a seat is a copy, taken when somebody sits down: whatever happens to the saved deck
later does not matter to the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import decks.queries.decks
from accounts.models import User
from decks.models import Deck
from decks.queries.verdicts import ruling
from matches.errors import IllegalDeck, NotPossible
from rules.engine.cards import StarterDeck
from rules.engine.errors import BadData, BadSetup
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, report_to_json

UNNAMED = "This deck"
MAX_ATTEMPTS = 64


@dataclass(frozen=True, slots=True)
class SeatDeck:
    """A legal deck as it was when it came to the table."""

    name: str
    cards: dict[str, dict[str, int]]


def from_starter(deck: StarterDeck) -> SeatDeck:
    """A ready-made deck; it needs no check."""
    return SeatDeck(deck.name, _copy(deck.cards))


def starter_for_seat(
    game: Game, mode: Mode, seat: int, options: Mapping[str, Any] | None = None
) -> SeatDeck:
    """The ready-made deck for a seat that chooses none: each seat the next one in turn.

    Raises ``NotPossible`` where no ready-made deck may be played with these options.
    """
    ready = game.ready_made(mode.slug, options)
    if not ready:
        raise NotPossible("No preconstructed deck is legal with these options.")
    return from_starter(ready[seat % len(ready)])


def compatible_starters(
    game: Game,
    mode: Mode,
    options: Mapping[str, Any],
    decks: Sequence[Decklist | None],
    turns: Sequence[int],
) -> list[SeatDeck]:
    """A ready-made deck for every seat, such that those without a deck (None) suit the others.

    Not every pair of decks may meet in every game. Each seat's own in turn (``turns``) comes
    first; it stays so where nothing suits, so that the refusal is about these decks.
    """
    ready = len(game.ready_made(mode.slug, options))
    free = [seat for seat, deck in enumerate(decks) if deck is None]
    dealt = [starter_for_seat(game, mode, turn, options) for turn in turns]
    for shifts in islice(product(range(ready), repeat=len(free)), MAX_ATTEMPTS):
        tried = list(dealt)
        for seat, shift in zip(free, shifts, strict=True):
            tried[seat] = starter_for_seat(game, mode, turns[seat] + shift, options)
        lists = [deck or starter.cards for deck, starter in zip(decks, tried, strict=True)]
        try:
            game.new_match(
                mode.slug, seats=len(decks), seed=bytes(32), options=dict(options), decks=lists
            )
        except BadSetup:
            continue
        return tried
    return dealt


def checked_deck(
    *, user: User, game: Game, mode: Mode, deck: str | Decklist, options: Mapping[str, Any]
) -> SeatDeck:
    """The deck somebody chose: one of their own or a ready-made one by slug, or a list.

    Raises ``NotPossible`` for an unknown deck, ``IllegalDeck`` with the report where it
    must not be played with the options of the match.
    """
    if isinstance(deck, str):
        starter = game.starter_decks.get(deck)
        if starter in game.ready_made(mode.slug, options):
            return from_starter(starter)
        name, cards = _starter_or_saved(user, game, mode, deck)
    else:
        name, cards = UNNAMED, deck
    try:
        report = ruling(game.slug, mode.slug, mode.format(options) or None, name=name).report(cards)
    except BadData as error:
        raise NotPossible(str(error)) from error
    if not report.legal:
        first = report.errors[0].message
        more = len(report.errors) - 1
        rest = f" There {'is' if more == 1 else 'are'} {more} more to mend." if more else ""
        raise IllegalDeck(
            f"“{name}” cannot be played yet: {first}{rest}",
            deck=name,
            problems=report_to_json(report)["problems"],
        )
    return SeatDeck(name, _copy(cards))


def _starter_or_saved(user: User, game: Game, mode: Mode, slug: str) -> tuple[str, Decklist]:
    starter = game.starter_decks.get(slug)
    if starter is not None and mode.slug in starter.modes:
        return starter.name, starter.cards
    deck = Deck.objects.filter(slug=slug, owner=user).first()
    if deck is None:
        ready = ", ".join(starter.slug for starter in game.starters_for(mode))
        raise NotPossible(
            f"You have no deck “{slug[:40]}”."
            + (f" Ready-made ones for {mode.name}: {ready}." if ready else "")
        )
    if (deck.game, deck.mode) != (game.slug, mode.slug):
        raise NotPossible(f"“{deck.name}” was not built for {game.name}, {mode.name}.")
    return deck.name, decks.queries.decks.decklist(deck)


def _copy(cards: Decklist) -> dict[str, dict[str, int]]:
    return {section: dict(counts) for section, counts in cards.items()}


def deck_choices(user: Any, game: Game, mode: Mode) -> list[tuple[str, list[tuple[str, str]]]]:
    """For a form: the person's own legal decks, then the ready-made ones."""
    own = [
        (page.deck.slug, f"{page.deck.name} ({page.size} cards)")
        for page in decks.queries.decks.decks_of(user, game.slug, mode.slug)
        if page.report is not None and page.report.legal
    ]
    ready = [(deck.slug, deck.name) for deck in game.starters_for(mode)]
    groups = [("Your decks", own), ("Ready-made", ready)]
    return [(title, group) for title, group in groups if group]


def options_with_deck(mode: Mode) -> dict[str, Any]:
    """The options of a match to which a deck is brought; raises ``NotPossible``."""
    options = mode.options_with_decks("own", "shared")
    if options is None:
        raise NotPossible(f"{mode.name} is played without decks.")
    return options


def deck_to_play(user: User, game: Game, mode: Mode, slug: str) -> str | Decklist:
    """A deck by slug as ``create_match`` takes it, also someone else's that ``user`` may see.

    Raises ``UnknownDeck``, and ``NotPossible`` for a deck of another mode.
    """
    if slug in game.starter_decks:
        return slug
    deck = decks.queries.decks.access_deck(user, slug)
    if (deck.game, deck.mode) != (game.slug, mode.slug):
        raise NotPossible(f"“{deck.name}” was not built for {game.name}, {mode.name}.")
    return slug if deck.owner_id == user.pk else decks.queries.decks.decklist(deck)
