"""Dealing anew what a seat cannot see: the counterpart of every view.

Where cards lie hidden the state says itself (``zones``, ``hidden_zones``), and ``known`` who has
seen one of them all the same. So a game declares no more than which of its cards may change places,
and what else of a seat is hidden than where its cards lie.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, MutableSequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from rules.engine.card_tables import CardTables
from rules.engine.chance import Chance
from rules.engine.fields import layout
from rules.engine.rulebook import Rulebook
from rules.engine.state import State

TRIES: Final = 200

ROUNDS: Final = 4
"""How often each place may change cards with another where clues must stay true."""

Place: TypeAlias = tuple[MutableSequence[int], int]


def _all_alike(state: Any, owner: int | None, card: int) -> Hashable:
    return None


def _any_card(state: Any, clue: Any, card: int) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Redeal:
    """The rules by which a game's hidden cards are dealt anew.

    ``alike(state, owner, card)`` names the group of a card in a zone of ``owner``: hidden cards of
    one group may change places; nothing said, all may. ``imagine(state, others, hidden, chance)``
    makes up anew what else is hidden of the seats ``others``: what they have answered unseen, which
    cards a secret deck is made of; ``hidden`` are the cards that lie unseen.

    ``clues`` names the field of the state (``field(DICT)``) that holds, by card, what somebody who
    does not see the card was told of it. A clue belongs to the place and stays true: a card may lie
    there only if ``fits(state, clue, card)``.
    """

    alike: Callable[[Any, int | None, int], Hashable] = _all_alike
    imagine: Callable[[Any, Collection[int], Collection[int], Chance], None] | None = None
    clues: str = ""
    fits: Callable[[Any, Any, int], bool] = _any_card

    def __post_init__(self) -> None:
        if bool(self.clues) != (self.fits is not _any_card):
            raise ValueError("A redeal with clues says which cards fit them, and no other does.")

    def __call__(self, s: Any, seat: int | None, chance: Chance, book: Rulebook[Any]) -> None:
        """Deal everything that ``seat`` (None: a spectator) can't see anew.

        What it knows stays where it is. A seat that is being asked must still have a choice, since
        everybody sees that it is asked; if no such deal is found in ``TRIES`` tries, there is
        hardly another, and all stays as it is. What somebody else knows belongs to the place: the
        card that lies there now is the one that they know.
        """
        others_asked = s.prompts.keys() - {seat}
        before = (
            s.copy() if others_asked else s
        )  # where nobody else is asked the first deal will do
        others: Collection[int] = [other for other in range(s.seats) if other != seat]
        stuck: Collection[int] | None = None
        for _ in range(TRIES):
            groups, owners = self._groups(s, seat)
            for key, places in groups.items():
                if stuck is None or not owners[key].isdisjoint(stuck):
                    self._deal(s, places, chance)
            if self.imagine is not None:
                hidden = {zone[index] for places in groups.values() for zone, index in places}
                self.imagine(s, others if stuck is None else stuck, hidden, chance)
            stuck = _without_choice(s, seat, book)
            if not stuck:
                break
        else:
            for item in layout(type(s)).fields:
                setattr(s, item.name, getattr(before, item.name))
        s.chance = chance

    def _groups(
        self, s: State, seat: int | None
    ) -> tuple[dict[Hashable, list[Place]], dict[Hashable, set[int | None]]]:
        """The places whose cards the seat can't see, and whose they are, by group."""
        groups: dict[Hashable, list[Place]] = {}
        owners: dict[Hashable, set[int | None]] = {}
        sight, known, alike = s.hidden_zones, s.known, self.alike
        for name, owner, cards in s.zones():
            if name not in sight or s.sees(seat, name, owner):
                continue
            last: Hashable = self  # no group has this name
            for index, card in enumerate(cards):
                if card in known and s.knows(seat, card):
                    continue
                key = None if alike is _all_alike else alike(s, owner, card)
                if key != last:
                    last = key
                    places = groups.setdefault(key, [])
                    owners.setdefault(key, set()).add(owner)
                places.append((cards, index))  # type: ignore[arg-type]
        return groups, owners

    def _deal(self, s: State, places: list[Place], chance: Chance) -> None:
        """Deal the cards of a group anew among its places."""
        by_card: dict[int, Any] = getattr(s, self.clues) if self.clues else {}
        clues = {
            place: by_card.pop(zone[index])
            for place, (zone, index) in enumerate(places)
            if zone[index] in by_card
        }
        if not clues:
            _shuffle(s, places, chance)
            return

        def fits(place: int, card: int) -> bool:
            return place not in clues or self.fits(s, clues[place], card)

        cards = [zone[index] for zone, index in places]
        masks = [s.known.pop(card, 0) for card in cards]
        # As they lie the cards fit; from there two at a time change places where both fit again.
        for _ in range(ROUNDS):
            for place in range(len(cards) - 1, 0, -1):
                other = chance.pick(place + 1)
                if fits(place, cards[other]) and fits(other, cards[place]):
                    cards[place], cards[other] = cards[other], cards[place]
        for place, ((zone, index), card) in enumerate(zip(places, cards, strict=True)):
            zone[index] = card
            if masks[place]:
                s.known[card] = masks[place]
            if place in clues:
                by_card[card] = clues[place]


ALL_ALIKE: Final = Redeal()


def _shuffle(s: State, places: list[Place], chance: Chance) -> None:
    known = s.known
    cards = [zone[index] for zone, index in places]
    masks = [known.pop(card, 0) for card in cards]
    cards.sort()  # the same chance deals the same, however they lay
    chance.shuffle(cards)
    for (zone, index), card in zip(places, cards, strict=True):
        zone[index] = card
    if any(masks):
        for card, mask in zip(cards, masks, strict=True):
            if mask:
                known[card] = mask


def _without_choice(s: State, seat: int | None, book: Rulebook[Any]) -> list[int]:
    """Give the others who are asked their options anew; those who would have no choice."""
    stuck = []
    for other, prompt in s.prompts.items():
        if other != seat:
            options, kind = book.options(s, prompt), book.prompts[prompt.kind]
            if len(options) < 2 and not kind.asks_alone(s, prompt.seat, *prompt.context):
                stuck.append(other)
            s.prompts[other] = prompt._replace(options=options)
    return stuck


def other_faces(
    cards: CardTables,
    hidden: Collection[int],
    deck: Iterable[int],
    pool: Iterable[str],
    chance: Chance,
) -> Mapping[int, str]:
    """Other cards out of ``pool`` for the hidden ones of a secret deck; none that is seen in it."""
    seen = {cards.slugs[card] for card in deck if card not in hidden}
    free = [slug for slug in pool if slug not in seen]
    chance.shuffle(free)
    while free and len(free) < len(hidden):
        free += free  # in a format with several copies
    return dict(zip(sorted(hidden), free, strict=False))
