"""Cures: a bounded search for the fewest and most natural changes that mend a problem.

A step puts a copy in, takes copies out, or swaps a copy for another card of the section. What comes
in keeps to the copies, the format and what is owned; what is required stays. A fix that would not
mend its problem is never offered.

Whoever presses fixes one after another comes to an end: the cure of a card of which there are too
many lowers the number of such copies, any other raises it never and lowers the sum of all gaps
between what is counted and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heappop, heappush
from itertools import count as counter_from
from typing import Final, TypeAlias

from rules.engine.deck_checks import changes_to, joined, take_out
from rules.engine.deck_rules.deck import Deck
from rules.engine.deck_rules.vocabulary import UNLIMITED, Counter, Rule
from rules.engine.legality import Fix

MAX_LOOKS: Final = 2_000
"""So many changed lists a search looks at before it gives up."""

MORE_LOOKS: Final = 300
"""Where a whole section is mended at once, so many more for a way with fewer changes."""

Changes: TypeAlias = dict[str, int]
Counts: TypeAlias = dict[str, int]
Totals: TypeAlias = list[int]
Goal: TypeAlias = Callable[[list[int], int], bool]
Step: TypeAlias = tuple[str, int]


def fewer(deck: Deck, slug: str, most: int, *, swap: bool) -> Fix | None:
    """No more of a card than that; with ``swap`` others in its place, as far as there are any."""
    section = deck.active.home[slug]
    out = {slug: most - deck.cards[slug]}
    if swap and section in deck.active.plans:
        if deck.active.plans[section].section.together:
            changes = _all_mended(deck, section)
        else:
            search = Search(deck, section)
            changes = search.run(out, search.as_good_as_before())
        if changes is not None and (fix := _fix(deck, section, changes)):
            return fix
    return _fix(deck, section, out)


def one_more(deck: Deck, slug: str) -> Fix | None:
    """A copy of a card that is required, if it may come in."""
    return _fix(deck, deck.active.home[slug], {slug: 1}) if deck.room(slug) else None


def counted(deck: Deck, rule: Rule) -> Fix | None:
    """Changes in one section after which the rule is kept, the others no worse than before."""
    for section, plan in deck.active.plans.items():
        aims = [place for place, each in enumerate(plan.counters) if _counts(rule, each)]
        if not aims:
            continue
        if plan.section.together:
            changes = _all_mended(deck, section)
        else:
            search = Search(deck, section)
            changes = search.run({}, search.mended(aims)) if search.possible(aims) else None
        if changes:
            return _fix(deck, section, changes)
    return None


def _all_mended(deck: Deck, section: str) -> Changes | None:
    """Changes after which all is right in a section: alike for each of its problems."""
    if section not in deck.mended:
        search = Search(deck, section)
        every = range(len(search.before))
        deck.mended[section] = search.run({}, nothing_left) if search.possible(every) else None
    return deck.mended[section]


def better(deck: Deck, slug: str, number: int) -> Fix | None:
    """So many copies of a card in (or, below 0, out); None where that breaks a rule."""
    if number > deck.room(slug):
        return None
    section = deck.active.home[slug]
    search = Search(deck, section)
    gaps = search.gaps_after({slug: number})
    return _fix(deck, section, {slug: number}) if sum(gaps) <= sum(search.before) else None


def _counts(rule: Rule, counter: Counter) -> bool:
    return any(own is counter for own in rule.counters.values())


def _fix(deck: Deck, section: str, changes: Changes) -> Fix | None:
    """The changes as a button; None while a card that must go lies in a wrong section, from where
    it has to be moved first."""
    listed = deck.listed.get(section, {})
    if not changes or any(listed.get(slug, 0) + number < 0 for slug, number in changes.items()):
        return None
    index, noun = deck.index, deck.active.vocabulary.sections[section].noun
    out = {slug: -changes[slug] for slug in index.ordered(changes) if changes[slug] < 0}
    into = {slug: changes[slug] for slug in index.ordered(changes) if changes[slug] > 0}
    if not into and len(out) == 1:
        ((slug, number),) = out.items()
        return take_out(index, section, slug, number, listed[slug])
    parts = [index.listed(cards, noun) for cards in (out, into) if cards]
    if out and into:
        return Fix(section, changes, f"Swap {joined(parts, 'for')}")
    return Fix(section, changes, f"{'Take out' if out else 'Add'} {parts[0]}")


class Search:
    """A best-first search over changes of a section: the nearest to legal is looked at first.

    ``place`` orders the cards where nothing else does; without it the catalog. With ``keep``
    nothing is taken out that is in the deck.
    """

    def __init__(
        self,
        deck: Deck,
        section: str,
        place: Mapping[str, int] | None = None,
        *,
        keep: bool = False,
    ) -> None:
        vocabulary = deck.active.vocabulary
        self.plan = plan = deck.active.plans[section]
        self.index = deck.index
        self.place = deck.index.place if place is None else place
        self.together = plan.section.together
        self.alike = vocabulary.alike
        self.limits = {slug: deck.limit(slug) for slug in plan.section.cards}
        self.held: Counts = {
            slug: deck.cards[slug] for slug in plan.section.cards if slug in deck.cards
        }
        # So many copies of each card stay.
        self.floor: Counts = {
            slug: self.held.get(slug, 0) if keep else int(slug in deck.active.required)
            for slug in self.limits
        }
        self.elsewhere = {
            slug: number for slug, number in deck.cards.items() if slug not in self.limits
        }
        self.totals: Totals = [counter.total(deck.cards) for counter in plan.counters]
        self.before = self._gaps(self.totals)
        self.closest: Changes = {}
        self.unwanted = {
            slug: [slug not in cards for cards in vocabulary.prefer] for slug in self.limits
        }

    # -- aims --------------------------------------------------------------------------------------

    def mended(self, aims: list[int]) -> Goal:
        """Nothing is left to mend of what is counted there, and nothing else has become worse."""
        others = [place for place in range(len(self.before)) if place not in aims]
        allowed = sum(self.before[place] for place in others)

        def reached(gaps: list[int], surplus: int) -> bool:
            return not any(gaps[place] for place in aims) and (
                sum([gaps[place] for place in others]) <= allowed
            )

        return reached

    def as_good_as_before(self) -> Goal:
        """As much is right as was before."""
        allowed = sum(self.before)
        return lambda gaps, surplus: sum(gaps) <= allowed

    def possible(self, aims: Iterable[int]) -> bool:
        """False where the cards that may be in the deck cannot make up what is counted there."""
        for place in aims:
            least, weights = self.plan.counters[place].least, self.plan.counters[place].weights
            able = [weights[slug] * most for slug, most in self.limits.items() if weights[slug] > 0]
            others = [weights[slug] * number for slug, number in self.elsewhere.items()]
            if least is not None and sum(able) + sum(others) < least:
                return False
        return True

    # -- the search --------------------------------------------------------------------------------

    def nearest(self, changes: Changes) -> tuple[Changes, bool]:
        """Changes after which as much as possible is right, and whether all of it is."""
        best = self.run(changes, nothing_left)
        return (self.closest, False) if best is None else (best, True)

    def run(self, changes: Changes, goal: Goal) -> Changes | None:
        """The fewest changes, beginning with those given, that reach the goal; None if none do."""
        order = counter_from()
        heap: list[tuple[bool, int, int, int, Counts, tuple[Step, ...], Totals, int]] = []
        seen: set[frozenset[Step]] = set()
        looks, limit = 0, MAX_LOOKS
        best: Changes | None = None
        shortest = UNLIMITED
        weights, limits = self.plan.weights, self.limits

        def look(
            depth: int, counts: Counts, steps: tuple[Step, ...], totals: Totals, surplus: int
        ) -> None:
            for slug, number in steps:
                totals = [
                    total + number * weight
                    for total, weight in zip(totals, weights[slug], strict=True)
                ]
                over = counts.get(slug, 0) - limits[slug]
                if number < 0 < over:
                    surplus -= min(over, -number)
            gaps = self._gaps(totals)
            distance = sum(gaps) + (surplus if self.together else 0)
            entry = (not goal(gaps, surplus), distance, depth, next(order))
            looked.append((*entry, counts, steps, totals, surplus))

        looked: list[tuple[bool, int, int, int, Counts, tuple[Step, ...], Totals, int]] = []
        look(0, self.held, tuple(changes.items()), self.totals, self._surplus())
        heap.append(looked.pop())
        while heap:
            missed, distance, depth, _, counts, steps, totals, surplus = heappop(heap)
            counts = _after(counts, steps)
            if not missed:
                changes = changes_to(self.held, counts)
                if best is None or _copies(changes) < _copies(best):
                    best = changes
                if not self.together or _one_way(changes):
                    return best
                limit = min(limit, looks + MORE_LOOKS)
                continue
            key = frozenset(counts.items())
            if key in seen:
                continue
            if looks > limit:
                break
            seen.add(key)
            if distance < shortest:
                shortest, self.closest = distance, changes_to(self.held, counts)
            takes, adds = self._takes(counts, totals), self._adds(counts)
            looked = []
            for step in (*adds, *takes):
                look(depth + 1, counts, (step,), totals, surplus)
            nearer = [entry for entry in looked if not entry[0] or entry[1] < distance]
            if not nearer:
                for out in takes:
                    for into in adds:
                        if out[0] != into[0]:
                            look(depth + 1, counts, (out, into), totals, surplus)
                nearer = looked
            looks += len(looked)
            for entry in nearer:
                heappush(heap, entry)
        return best

    def gaps_after(self, changes: Changes) -> list[int]:
        """How far each count is off when the changes are made."""
        totals = self.totals
        for slug, number in changes.items():
            weights = self.plan.weights[slug]
            totals = [total + number * by for total, by in zip(totals, weights, strict=True)]
        return self._gaps(totals)

    def _gaps(self, totals: Totals) -> list[int]:
        return [
            total - most if total > most else least - total if total < least else 0
            for total, (least, most) in zip(totals, self.plan.bounds, strict=True)
        ]

    def _surplus(self) -> int:
        """How many copies of the section's cards are too many."""
        return sum([max(0, number - self.limits[slug]) for slug, number in self.held.items()])

    # -- steps -------------------------------------------------------------------------------------

    def _adds(self, counts: Counts) -> list[Step]:
        """Of each class of cards the most natural one to come in, the most natural first: what the
        game prefers, new cards before more copies, what goes with the deck."""
        limits, place, unwanted = self.limits, self.place, self.unwanted
        strange = self._strange(counts)
        ranked = []
        for slugs in self.plan.classes:
            able = [
                (unwanted[slug], counts.get(slug, 0), slug in strange, place[slug], slug)
                for slug in slugs
                if counts.get(slug, 0) < limits[slug]
            ]
            if able:
                ranked.append(min(able))
        return [(row[-1], 1) for row in sorted(ranked)]

    def _strange(self, counts: Counts) -> frozenset[str]:
        """The cards that have, in the column by which cards go together, a value that no card of
        the deck has."""
        if not self.alike:
            return frozenset()
        values = self.plan.values
        held = {values[slug] for slug, number in counts.items() if number > 0} - {""}
        return frozenset(
            [slug for slug, value in values.items() if held and value and value not in held]
        )

    def _takes(self, counts: Counts, totals: Totals) -> list[Step]:
        """Of each class of cards the most natural one to go, the most natural first: copies that
        are too many, then second copies, then what the game likes least; of each the last."""
        limits, place, floor, unwanted = self.limits, self.place, self.floor, self.unwanted
        ranked = []
        for slugs in self.plan.classes:
            able = [
                (
                    counts[slug] <= limits[slug],
                    counts[slug] <= 1,
                    [not no for no in unwanted[slug]],
                    -place[slug],
                    slug,
                )
                for slug in slugs
                if slug in counts and counts[slug] > floor[slug]
            ]
            if able:
                ranked.append(min(able))
        return [(row[-1], -self._number_out(row[-1], counts, totals)) for row in sorted(ranked)]

    def _number_out(self, slug: str, counts: Counts, totals: Totals) -> int:
        """All copies that are too many at once, else as many as some count is too high by."""
        count = counts[slug]
        if count > self.limits[slug]:
            return min(count - self.limits[slug], count - self.floor[slug])
        if count == 1:
            return 1
        steps = [
            (total - most) // weight
            for total, (_, most), weight in zip(
                totals, self.plan.bounds, self.plan.weights[slug], strict=True
            )
            if weight > 0 and total > most
        ]
        return max(1, min([count - 1, *steps])) if steps else 1


def _after(counts: Counts, steps: tuple[Step, ...]) -> Counts:
    """The counts with the steps made."""
    counts = dict(counts)
    for slug, number in steps:
        counts[slug] = counts.get(slug, 0) + number
        if not counts[slug]:
            del counts[slug]
    return counts


def _copies(changes: Changes) -> int:
    return sum(map(abs, changes.values()))


def _one_way(changes: Changes) -> bool:
    """True if cards only come in or only go, so that no shorter way can be."""
    return len({number > 0 for number in changes.values()}) <= 1


def nothing_left(gaps: list[int], surplus: int) -> bool:
    """The goal of a section in which all is right."""
    return not surplus and not any(gaps)
