"""The deck lab: a deck against a field, in mirrored pairs, and two versions of it on equal seeds.

A pair is one match played twice with the same cards and dice, the seats changed. Pair ``n`` meets
the deck ``n`` of the field, round and round, and has a seed of its own: all versions of a deck meet
the same decks with the same seeds, so that their difference is not luck. Intervals (95 %) are over
pairs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import rules
from rules.engine.chance import Chance, mix, named_seed
from rules.engine.intervals import mean_and_margin
from rules.engine.lab import Tally, cards_played
from rules.engine.legality import Decklist
from rules.engine.match import Match
from rules.search import decide, player_of, shares_of

SEATS: Final = 2


@dataclass(frozen=True)
class Trial:
    """A plan: one or two ``versions`` of a deck against the decks of a ``field``.

    All are played by the same bot or thinker.
    """

    game: str
    mode: str
    versions: tuple[Decklist, ...]
    field: tuple[Decklist, ...]
    player: str
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    seed: str = "deck lab"


def options_with_own_decks(game: str, mode: str) -> dict[str, Any] | None:
    """Options of a mode with which each seat brings a deck; None where there are none."""
    played = rules.game(game).mode(mode)
    if SEATS not in played.seats or not played.playable:
        return None
    return played.options_with_decks("own")


def begin(trial: Trial, version: int, number: int, seat: int) -> Match:
    """The match of a pair in which the deck has that seat; raises ``BadSetup``."""
    decks = [trial.versions[version], trial.field[number % len(trial.field)]]
    return rules.game(trial.game).new_match(
        trial.mode,
        seats=SEATS,
        seed=named_seed(f"{trial.seed} {number}"),
        options=trial.options,
        decks=decks if seat == 0 else decks[::-1],
    )


def play_pair(trial: Trial, version: int, number: int) -> dict[str, Any]:
    """Both matches of a pair, as plain data that :class:`Summary` adds up."""
    return {
        "version": version,
        "number": number,
        "matches": [_play(trial, version, number, seat) for seat in range(SEATS)],
    }


def _play(trial: Trial, version: int, number: int, seat: int) -> dict[str, Any]:
    match = begin(trial, version, number, seat)
    player = player_of(rules.game(trial.game), trial.mode, trial.player)
    seed = named_seed(f"{trial.seed} {number}")
    drawn, played = _in_hand(match, seat), set()
    first, ply = min(match.prompts, default=0), 0
    while match.outcome is None:
        mover = min(match.prompts)
        ply += 1
        chance = Chance(mix(seed, [(mover, "bot"), (ply, "ask")]))
        events = match.play(mover, decide(player, match, mover, chance))
        played |= {slug for by, slug in cards_played(match, events) if by == seat}
        drawn |= _in_hand(match, seat)
    return {
        "share": shares_of(match)[seat],
        "first": shares_of(match)[first],
        "drawn": sorted(drawn),
        "played": sorted(played),
    }


def _in_hand(match: Match, seat: int) -> set[str]:
    """The cards (slugs) in the hands of a seat, whatever its game calls them."""
    slug_of = match.game.table.card_slug
    return {
        slug_of(match.state, card)
        for name, owner, cards in match.state.zones()
        if owner == seat and "hand" in name
        for card in cards
        if card >= 0
    }


@dataclass
class CardTally:
    """How often the deck won with a card drawn, and with it played."""

    drawn: Tally = dataclasses.field(default_factory=Tally)
    played: Tally = dataclasses.field(default_factory=Tally)


@dataclass
class VersionSummary:
    """The results of one version of the deck; ``pairs`` are by number, intervals over pairs."""

    pairs: dict[int, float] = dataclasses.field(default_factory=dict)
    matchups: dict[int, Tally] = dataclasses.field(default_factory=dict)
    cards: dict[str, CardTally] = dataclasses.field(default_factory=dict)

    @property
    def matches(self) -> int:
        """How many matches it has played."""
        return SEATS * len(self.pairs)

    @property
    def total(self) -> Tally:
        """The share of wins, with its pairs as the matches."""
        return Tally(sum(self.pairs.values()), len(self.pairs))


class Summary:
    """Everything that the pairs of a trial came to."""

    def __init__(self, versions: int, opponents: int) -> None:
        self.versions = [VersionSummary() for _ in range(versions)]
        self.opponents = opponents
        self.first = Tally()

    def add(self, pair: Mapping[str, Any]) -> None:
        """Count a pair of :func:`play_pair`."""
        version = self.versions[pair["version"]]
        share = sum(match["share"] for match in pair["matches"]) / len(pair["matches"])
        self._count(version, pair["number"], share)
        self.first.add(sum(match["first"] for match in pair["matches"]) / len(pair["matches"]))
        for match in pair["matches"]:
            for slug in match["drawn"]:
                version.cards.setdefault(slug, CardTally()).drawn.add(match["share"])
            for slug in match["played"]:
                version.cards.setdefault(slug, CardTally()).played.add(match["share"])

    def _count(self, version: VersionSummary, number: int, share: float) -> None:
        version.pairs[number] = share
        version.matchups.setdefault(number % self.opponents, Tally()).add(share)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, a few kilobytes."""
        return {
            "versions": [
                {
                    "pairs": [*version.pairs.items()],
                    "cards": {
                        slug: [
                            row.drawn.wins,
                            row.drawn.matches,
                            row.played.wins,
                            row.played.matches,
                        ]
                        for slug, row in version.cards.items()
                    },
                }
                for version in self.versions
            ],
            "first": [self.first.wins, self.first.matches],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], opponents: int) -> Summary:
        """The summary that :meth:`to_json` was called on."""
        summary = cls(len(data["versions"]), opponents)
        for version, row in zip(summary.versions, data["versions"], strict=True):
            for number, share in row["pairs"]:
                summary._count(version, number, share)
            for slug, numbers in row["cards"].items():
                version.cards[slug] = CardTally(Tally(*numbers[:2]), Tally(*numbers[2:]))
        summary.first = Tally(*data["first"])
        return summary

    @property
    def worth(self) -> tuple[float, float] | None:
        """How much more the second version wins than the first, and half the width of its interval.

        Over the pairs that both have played; None while there are fewer than two.
        """
        if len(self.versions) < 2:
            return None
        before, after = (version.pairs for version in self.versions)
        both = sorted(before.keys() & after.keys())
        differences = [after[number] - before[number] for number in both]
        return mean_and_margin(differences) if len(differences) > 1 else None


def summarise(versions: int, opponents: int, pairs: Iterable[Mapping[str, Any]]) -> Summary:
    """All pairs in one summary."""
    summary = Summary(versions, opponents)
    for pair in pairs:
        summary.add(pair)
    return summary


def units(pairs: int, versions: int) -> Sequence[tuple[int, int]]:
    """The work of a trial, pair by pair: version and number."""
    return [(version, number) for number in range(pairs) for version in range(versions)]
