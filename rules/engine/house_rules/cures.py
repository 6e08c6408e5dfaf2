"""Fixes that keep to house rules: for those rules themselves, and for a game's own.

The game's rules are asked as they stand, whatever they are made of: a search over at most
``MAX_LOOKS`` changed lists puts copies in, takes them out or swaps them within one section.
A fix leaves no house rule worse than before, and of the game's own rules none but sizes, where
cards that are not allowed simply go. One that would not help is never offered. All fixes of a
report together try at most ``MAX_TRIES`` changed lists: what is asked for after that has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from rules.engine.deck_checks import change
from rules.engine.definition import GameDefinition
from rules.engine.house_rules.judge import counted, gap_of
from rules.engine.house_rules.vocabulary import HouseRule
from rules.engine.legality import Decklist, Fix, Report, apply_fix, distance_from_legal
from rules.engine.modes import Mode

MAX_LOOKS: Final = 160
MAX_TRIES: Final = 1_000
MAX_CHOICES: Final = 24
"""So many cards are tried for one copy."""
MAX_STEPS: Final = 60
FEW: Final = 3

Changes: TypeAlias = dict[str, int]
Verdict: TypeAlias = Callable[[Decklist], Report]
"""The verdict of the game's own rules on a list."""


class Cures:
    """Fixes for one list.

    ``own_verdict`` judges a list by the game's own rules alone; ``allowed`` says how many copies of
    each card the house rules and the owner's collection leave.
    """

    def __init__(
        self,
        game: GameDefinition,
        mode: Mode,
        decklist: Decklist,
        rules: Iterable[HouseRule],
        own_verdict: Verdict,
        allowed: Mapping[str, int],
    ) -> None:
        self.game, self.mode, self.decklist = game, mode, decklist
        self.rules = tuple(rules)
        self.allowed = allowed
        self._own_verdict = own_verdict
        self._before: int | None = None
        self._looks = self._tries = 0
        self._found: dict[tuple[str, str], Fix | None] = {}

    # -- what is asked from outside ----------------------------------------------------------------

    def cure(self, rule: HouseRule, part: str) -> Fix | None:
        """The fix for a broken house rule: of one card or value, or ("") of the whole count."""
        key = (rule.id, part)
        if key not in self._found:
            self._looks = 0
            self._found[key] = None if self._is_spent else self._cure(rule, part)
        return self._found[key]

    def kept(self, fix: Fix | None) -> Fix | None:
        """A fix of the game's own that leaves no house rule worse, with other cards if need be."""
        if fix is None or self._is_spent:
            return None
        self._looks = 0
        after = self._changed(fix)
        most = self._gap(self.decklist)
        if self._gap(after) <= most:
            return fix
        goal = self._distance(after)
        changes = dict(fix.changes)
        into = [slug for slug, number in changes.items() if number > 0]
        for slug in into:
            while changes.get(slug, 0) > 0 and self._looks < MAX_LOOKS:
                if not (other := self._instead(fix, changes, slug, goal)):
                    break
                changes = other
                if self._gap(self._after(fix.section, changes)) <= most:
                    return self._fix(fix.section, changes)
        return None

    def _instead(self, fix: Fix, changes: Changes, slug: str, goal: int) -> Changes | None:
        """The changes with one copy of another card that suits the house rules better."""
        now = self._gap(self._after(fix.section, changes))
        tried = 0
        for card in self._candidates(fix.section, self._changed(fix)):
            if tried >= MAX_CHOICES or self._is_spent:
                break
            if card == slug:
                continue
            other = _plus(changes, {slug: -1, card: 1})
            after = self._after(fix.section, other)
            if self._gap(after) >= now:
                continue
            tried += 1
            if self._distance(after) <= goal:
                return other
        return None

    # -- house rules -------------------------------------------------------------------------------

    def _cure(self, rule: HouseRule, part: str) -> Fix | None:
        if rule.measure == "required":
            return self._required(part)
        cards = counted(self.decklist)
        if rule.measure == "copies" or rule.forbids:
            return self._fewer(rule, part, cards)
        total = rule.total(cards)
        way = self._less if total > rule.most else self._more
        sections = [name for name in self.mode.sections if self._concerned(rule, name)]
        for section in sections:
            changes = way(rule, section)
            if changes is not None:
                return self._fix(section, changes)
        return None

    def _required(self, slug: str) -> Fix | None:
        section = self._home(slug)
        if not self.allowed.get(slug, 0):
            return None
        swapped = self._settled(section, {slug: 1}, lambda card: True)
        return self._fix(section, swapped or {slug: 1})

    def _fewer(self, rule: HouseRule, part: str, cards: Mapping[str, int]) -> Fix | None:
        """Copies of a card, or of cards of one value, taken out, others in their place if that
        keeps the game's own rules; only from one section."""
        slugs = [part] if rule.forbids else [s for s in rule.groups if rule.groups[s] == part]
        surplus = sum(cards.get(slug, 0) for slug in slugs) - rule.most
        section = max(
            self.decklist, key=lambda name: sum(self.decklist[name].get(s, 0) for s in slugs)
        )
        out: Changes = {}
        held = self.decklist[section]
        for slug in sorted(slugs, key=lambda each: -held.get(each, 0)):
            number = min(held.get(slug, 0), surplus)
            if number > 0:
                out[slug] = -number
                surplus -= number
        others = rule.pool.keys() if rule.forbids else frozenset(slugs)
        settled = self._settled(section, out, lambda card: card not in others)
        return self._fix(section, settled or out)

    def _settled(
        self, section: str, changes: Changes, suits: Callable[[str], bool]
    ) -> Changes | None:
        """Changes with others that keep the game's own rules as they were kept; None if none do."""
        goal = self._distance(self.decklist)
        most = self._gap(self.decklist)
        for _ in range(MAX_STEPS):
            now = self._after(section, changes)
            far = self._distance(now)
            if far <= goal and self._gap(now) <= most:
                return changes
            number = sum(changes.values())
            if number == 0 or self._looks >= MAX_LOOKS or self._is_spent:
                return None
            steps = (
                self._adds(section, now, changes) if number < 0 else self._takes(section, changes)
            )
            better = self._nearer(section, changes, far, (s for s in steps if suits(_card(s))))
            if better is None:
                return None
            changes = better
        return None

    def _nearer(
        self, section: str, changes: Changes, far: int, steps: Iterator[Changes]
    ) -> Changes | None:
        """The first of the steps that brings the list nearer to the game's own rules, no house rule
        worse."""
        gap = self._gap(self._after(section, changes))
        tried = 0
        for step in steps:
            if self._is_spent:
                return None
            changed = _plus(changes, step)
            after = self._after(section, changed)
            if self._gap(after) > gap:
                continue
            tried += 1
            if self._distance(after) < far:
                return changed
            if tried >= MAX_CHOICES or self._looks >= MAX_LOOKS:
                break
        return None

    def _less(self, rule: HouseRule, section: str) -> Changes | None:
        """Copies out, or others in their place, until no more is counted than is allowed."""
        return self._moved(rule, section, lambda now: self._out(rule, section, now))

    def _more(self, rule: HouseRule, section: str) -> Changes | None:
        """Copies in, or in the place of others, until as much is counted as is needed."""
        return self._moved(rule, section, lambda now: self._in(rule, section, now))

    def _moved(
        self, rule: HouseRule, section: str, steps: Callable[[Decklist], Iterator[Changes]]
    ) -> Changes | None:
        goal = self._distance(self.decklist)
        others = tuple(each for each in self.rules if each is not rule)
        most = gap_of(others, counted(self.decklist))
        changes: Changes = {}
        for _ in range(MAX_STEPS):
            now = self._after(section, changes)
            left = rule.gap(counted(now))
            if not left:
                return changes
            changes_next = self._step(rule, others, section, changes, left, goal, most, steps(now))
            if changes_next is None:
                return None
            changes = changes_next
        return None

    def _step(
        self,
        rule: HouseRule,
        others: tuple[HouseRule, ...],
        section: str,
        changes: Changes,
        left: int,
        goal: int,
        most: int,
        steps: Iterator[Changes],
    ) -> Changes | None:
        """One step towards a rule after which nothing else is worse; None where there is none."""
        tried = 0
        for step in steps:
            if self._is_spent:
                return None
            changed = _plus(changes, step)
            after = self._after(section, changed)
            cards = counted(after)
            if rule.gap(cards) >= left or gap_of(others, cards) > most:
                continue
            tried += 1
            if self._distance(after) <= goal:
                return changed
            if tried >= MAX_CHOICES or self._looks >= MAX_LOOKS:
                return None
        return None

    def _out(self, rule: HouseRule, section: str, now: Decklist) -> Iterator[Changes]:
        """Ways to count less: swaps with what is not counted first where the size is right, then
        copies out; of "different values" all copies of the rarest value."""
        held = now.get(section, {})
        counts = [slug for slug in held if slug in (rule.groups or rule.weights)]
        if rule.measure == "values":
            by_value = Counter[str]()
            for slug in counts:
                by_value[rule.groups[slug]] += held[slug]
            for value, number in sorted(by_value.items(), key=lambda each: each[1]):
                out = {slug: -held[slug] for slug in counts if rule.groups[slug] == value}
                yield out
                stay = [card for card in self._candidates(section, now) if card in rule.groups]
                for card in stay:
                    if rule.groups[card] != value and self._room(card, now) >= number:
                        yield _plus(out, {card: number})
            return
        counts.sort(key=lambda slug: (-min(held[slug], 2), -rule.weights[slug]))
        for slug in counts[:FEW]:
            yield {slug: -1}
            for card in self._candidates(section, now):
                if rule.weights.get(card, 0) < rule.weights[slug]:
                    yield {slug: -1, card: 1}

    def _in(self, rule: HouseRule, section: str, now: Decklist) -> Iterator[Changes]:
        """Ways to count more: copies in, then in the place of what counts less."""
        held = self._cards_in(section, now)
        values = {rule.groups[slug] for slug in held if slug in rule.groups}
        counts = [
            slug
            for slug in self._candidates(section, now)
            if (
                rule.groups.get(slug) not in {None, *values}
                if rule.groups
                else slug in rule.weights
            )
        ]
        out = sorted(held, key=lambda slug: (rule.weights.get(slug, 0), -min(held[slug], 2)))
        for slug in counts:
            yield {slug: 1}
            for card in out[:FEW]:
                if card != slug:
                    yield {slug: 1, card: -1}

    # -- cards -------------------------------------------------------------------------------------

    def _adds(self, section: str, now: Decklist, changes: Changes) -> Iterator[Changes]:
        catalog = self.game.catalog
        kinds = {catalog[slug].kind for slug, number in changes.items() if number < 0}
        cards = sorted(self._candidates(section, now), key=lambda s: catalog[s].kind not in kinds)
        return ({card: 1} for card in cards)

    def _takes(self, section: str, changes: Changes) -> Iterator[Changes]:
        held = self._cards_in(section, self._after(section, changes))
        order = sorted(held, key=lambda slug: -min(held[slug], 2))
        return ({slug: -1} for slug in order if changes.get(slug, 0) <= 0)

    def _cards_in(self, section: str, now: Decklist) -> dict[str, int]:
        """The cards of a section, without entries that name none: these have a fix of their own."""
        catalog = self.game.catalog
        return {slug: count for slug, count in now.get(section, {}).items() if slug in catalog}

    def _candidates(self, section: str, now: Decklist) -> list[str]:
        """Cards that may come into a section: new ones first, of the kinds that lie there."""
        homes = self._homes()
        cards = counted(now)
        able = [
            slug
            for slug, card in self.game.catalog.items()
            if homes.get(card.kind) == section and self.mode.takes(card) and self._room(slug, now)
        ]
        return sorted(able, key=lambda slug: cards.get(slug, 0))

    def _room(self, slug: str, now: Decklist) -> int:
        held = sum(cards.get(slug, 0) for cards in now.values())
        return max(0, self.allowed.get(slug, 0) - held)

    def _concerned(self, rule: HouseRule, section: str) -> bool:
        homes = self._homes()
        return any(homes.get(card.kind) == section for card in rule.pool.values())

    def _home(self, slug: str) -> str:
        return self._homes()[self.game.catalog[slug].kind]

    def _homes(self) -> Mapping[str, str]:
        return self.game.sections_of_kinds(self.mode)

    # -- looks -------------------------------------------------------------------------------------

    @property
    def _is_spent(self) -> bool:
        return self._tries >= MAX_TRIES

    def _after(self, section: str, changes: Changes) -> Decklist:
        return self._changed(Fix(section, changes, "")) if changes else self.decklist

    def _changed(self, fix: Fix) -> Decklist:
        self._tries += 1
        return apply_fix(self.decklist, fix)

    def _gap(self, decklist: Decklist) -> int:
        cards = counted(decklist)
        return gap_of(self.rules, cards) + sum(
            max(0, count - self.allowed.get(slug, count)) for slug, count in cards.items()
        )

    def _distance(self, decklist: Decklist) -> int:
        if decklist is self.decklist:
            if self._before is None:
                self._before = distance_from_legal(self._own_verdict(decklist))
            return self._before
        self._looks += 1
        return distance_from_legal(self._own_verdict(decklist))

    def _fix(self, section: str, changes: Changes) -> Fix | None:
        changes = {slug: number for slug, number in changes.items() if number}
        return change(self.game.index, section, changes, self._listed) if changes else None

    def _listed(self, cards: Mapping[str, int]) -> str:
        """Copies of one card by its name, however many."""
        if len(cards) > 1:
            return self.game.index.listed(cards)
        ((slug, count),) = cards.items()
        return self.game.index.many(count, slug)


def _card(step: Changes) -> str:
    return next(iter(step))


def _plus(changes: Changes, more: Mapping[str, int]) -> Changes:
    added = dict(changes)
    for slug, number in more.items():
        added[slug] = added.get(slug, 0) + number
    return {slug: number for slug, number in added.items() if number}
