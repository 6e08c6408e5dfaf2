"""The greedy bot of Multi-Player Mode: it remembers every card that has been revealed.

It thinks on a table (``Trumps``), of which it looks at nothing that its seat cannot see:
:func:`table` makes one from a view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.battle_krabz.rules.multi import trump_pack
from games.battle_krabz.state import CATEGORIES, NONE, Cards, Trumps, catalog
from rules.engine.chance import Chance
from rules.engine.moves import Prompt, Word

TIE_WORTH: Final = 0.5
"""A tied round in wins: the lead stays, and the next winner takes the pot."""

FILLER: Final = trump_pack()[0]

NumbersByCategory: TypeAlias = list[list[int]]


def table(view: Mapping[str, Any]) -> Trumps:
    """The table that the view shows; in the places of unseen cards lie any others."""
    players = view["players"]
    known = [row["known"] for row in (player["pile"] for player in players)]
    seen = {row["card"]["id"]: row["card"]["slug"] for pile in known for row in pile}
    seen |= {card["id"]: card["slug"] for card in view["pot"]["cards"]}
    number = sum(player["pile"]["count"] for player in players) + len(view["pot"]["cards"])
    slugs = [seen.get(card, FILLER) for card in range(number)]
    starts = range(0, number, number // len(players)) if view["pack"] == "own" else ()
    options = {"ending": view["ending"], "round_limit": view["round_limit"]}
    s = Trumps.lay(len(players), Chance(bytes(32)), Cards(slugs), starts, options)
    unseen = iter([card for card in range(number) if card not in seen])
    for seat, pile in enumerate(known):
        by_place = {row["place"]: row["card"]["id"] for row in pile}
        places = range(players[seat]["pile"]["count"])
        s.piles[seat] = [by_place.get(place, NONE) for place in places][::-1]
        for place, card in enumerate(s.piles[seat]):
            if card == NONE:
                s.piles[seat][place] = next(unseen)
    for card in seen:
        s.show(card, view["seat"])
    s.pot = [card["id"] for card in view["pot"]["cards"]]
    s.leader, s.round = view["leader"], view["round"]
    return s


def scores(s: Trumps, prompt: Prompt) -> list[float]:
    """By option: the chance to win the round, and a part of the chance to tie it."""
    fronts = _fronts(s, prompt.seat)
    return [_score(s, prompt.seat, move.target, fronts) for move in prompt.options]


def _score(s: Trumps, seat: int, target: Any, fronts: Sequence[NumbersByCategory]) -> float:
    assert isinstance(target, Word)
    column = CATEGORIES.index(target.word)
    number = s.numbers(target.word)[s.piles[seat][-1]]
    win = no_loss = 1.0
    for cards in fronts:
        numbers = cards[column]
        lower = sum([other < number for other in numbers])
        win *= lower / len(numbers)
        no_loss *= (lower + numbers.count(number)) / len(numbers)
    return win + TIE_WORTH * (no_loss - win)


def _fronts(s: Trumps, seat: int) -> list[NumbersByCategory]:
    """For each rival with cards: what may lie in front."""
    tables = [s.numbers(category) for category in CATEGORIES]
    hidden: dict[int, NumbersByCategory] = {}
    fronts = []
    for other, pile in enumerate(s.piles):
        if not pile or other == seat:
            continue
        front = pile[-1]
        if s.knows(seat, front):
            fronts.append([[numbers[front]] for numbers in tables])
            continue
        owner = s.brought_by(front)
        if owner not in hidden:
            hidden[owner] = _unseen(s, seat, owner)
        fronts.append(hidden[owner])
    return fronts


def _unseen(s: Trumps, seat: int, owner: int) -> NumbersByCategory:
    """The cards that the seat cannot place: of the common pack (``NONE``), or any Warrior that has
    not been seen in the owner's trump deck."""
    slugs = s.cards.slugs
    seen = {
        slugs[card]
        for zone in (*s.piles, s.pot)
        for card in zone
        if s.brought_by(card) == owner and (zone is s.pot or s.knows(seat, card))
    }
    pool = _numbers(owner == NONE)
    rows = [numbers for slug, numbers in pool.items() if slug not in seen] or [*pool.values()]
    return [*map(list, zip(*rows, strict=True))]


@lru_cache(maxsize=2)
def _numbers(common: bool) -> Mapping[str, tuple[int, ...]]:
    """By slug: the numbers of the Warriors of the common pack, or of all."""
    slugs = trump_pack() if common else catalog()
    return {
        slug: tuple(int(catalog()[slug][category]) for category in CATEGORIES)
        for slug in slugs
        if catalog()[slug].kind == "warrior"
    }
