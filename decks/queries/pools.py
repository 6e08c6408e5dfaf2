"""Pools: the cards that a deck of a sealed or draft tournament is built from, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import rules
from accounts.models import User
from collection.models import RARITIES
from decks.models import CardPool, DeckCheck
from decks.queries import generated
from decks.queries.verdicts import PoolRuling, Ruling, pool_ruling
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.legality import Decklist, distance_from_legal


def pool_in(check: DeckCheck, player: User) -> CardPool | None:
    """The pool that a player's decks for a check are built from, once it is complete."""
    return CardPool.objects.filter(check_of=check, owner=player).first()


def ruling_in(check: DeckCheck, player: User, name: str = "") -> PoolRuling:
    """The ruling for a player's lists in a check whose decks are built from pools; without a pool
    every card is outside of it."""
    pool = pool_in(check, player)
    format, cards = (pool.format, pool.cards) if pool is not None else ({}, {})
    return pool_ruling(check.game, check.mode, format, cards, name)


def outside_in_words(game: str, surplus: Mapping[str, int]) -> str:
    """Those cards by name, as in “2 Claw, Flame”."""
    catalog = rules.game(game).catalog
    names = [
        (f"{count} " if count > 1 else "") + (catalog[card].title if card in catalog else card)
        for card, count in surplus.items()
    ]
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def built(game: Game, mode: Mode, ruling: PoolRuling, seed: bytes) -> generated.Cards | None:
    """A legal deck out of the ruling's pool; None where none is found. The seed decides which.

    It begins with what the pool has of each ready-made deck, whose cards go together.
    """
    pool = ruling.owned or {}
    chance = Chance(seed)
    ready = [deck.cards for deck in game.starters_for(mode)]
    chance.shuffle(ready)
    begun = sorted((_within(pool, cards) for cards in ready), key=generated.size_of, reverse=True)
    for start in (*begun, {}):
        mended = generated.mended(start, ruling.report)
        deck = generated.fill_up(game, mode, mended, ruling.report, pool, ruling.format)
        if ruling.report(deck).legal:
            return deck
    return generated.random_deck(game, mode, ruling.report, chance, pool, ruling.format)


def _within(pool: Mapping[str, int], cards: Decklist) -> generated.Cards:
    """The part of a list that a pool has."""
    left = dict(pool)
    part: generated.Cards = {}
    for section, counts in cards.items():
        for card, count in counts.items():
            copies = min(count, left.get(card, 0))
            if copies:
                part.setdefault(section, {})[card] = copies
                left[card] -= copies
    return part


def best_pick(
    game: Game, mode: Mode, ruling: PoolRuling, picks: Sequence[str], pack: Sequence[str], lot: int
) -> int:
    """The place in a pack of the card that a bot takes.

    It takes what brings its picks and the cards that everybody is given, as a deck, nearest to
    legal; then the rarest; ``lot`` decides between equal ones. ``ruling`` owns the given cards.
    """
    homes = game.sections_of_kinds(mode)
    deck: generated.Cards = {}
    for card in (*Counter(ruling.owned).elements(), *picks):
        _add(deck, homes.get(game.catalog[card].kind), card)
    distances: dict[str, int] = {}
    for card in dict.fromkeys(pack):
        trial = {section: dict(counts) for section, counts in deck.items()}
        usable = _add(trial, homes.get(game.catalog[card].kind), card)
        report = Ruling(ruling.game, ruling.mode, ruling.format).report(trial)
        distances[card] = distance_from_legal(report) + (0 if usable else 1_000)
    order = sorted(
        range(len(pack)),
        key=lambda place: (
            distances[pack[place]],
            -RARITIES.get(game.catalog[pack[place]].rarity, 0),
            (place + lot) % len(pack),
        ),
    )
    return order[0]


def _add(deck: generated.Cards, section: str | None, card: str) -> bool:
    """Put a card in where such cards go; False where the mode is not played with it."""
    if section is None:
        return False
    counts = deck.setdefault(section, {})
    counts[card] = counts.get(card, 0) + 1
    return True
