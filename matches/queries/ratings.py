"""Ratings: which matches count, and what their numbers mean. Nothing here writes.

Strength is estimated by OpenSkill's Plackett–Luce model, one ladder for each mode and speed
(``docs/decisions/0018-ratings-that-can-be-computed-again.md``). What a rating is follows from the
rated matches in the order in which they ended, and from nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from openskill.models import PlackettLuce

import rules
from matches import engine
from matches.models import Match, Rating, Seat, Speed, Status, TimeControl, Unrated
from rules.engine.game import Mode

MU, SIGMA = 25.0, 25.0 / 3
"""Of somebody who has not played yet."""
MIDDLE, STEP = 1500, 40
"""The scale of shown ratings: 1500 for a newcomer, 40 per point of OpenSkill."""
PROVISIONAL_ABOVE = 5.0
SETTLED_BELOW = 4.0
MIN_MATCHES = 10
MIN_OPPONENTS = 3
"""Different rated people whom somebody has to have met to stand on a leaderboard."""
VARIANCE_PER_DAY = (PROVISIONAL_ABOVE**2 - SETTLED_BELOW**2) / 365
"""By this grows sigma's square in a day: who was just settled is provisional after a year away."""
_DAY = timedelta(days=1)
_MODEL = PlackettLuce()


# -- which matches count --------------------------------------------------------------------------


def rated_matches() -> QuerySet[Match]:
    """The matches that count: this is the one place that decides it; :func:`why_unrated` says why.

    They are public, played to the end, by two seats at least, in a mode that is rated, and nothing
    made them unrated (``Unrated``). Private ones never show to others, and a rating that moves
    would tell of them.
    """
    matches = Match.objects.filter(status=Status.FINISHED, private=False, unrated="")
    for game in rules.games().values():
        if unrated := [mode.slug for mode in game.modes.values() if not mode.rated]:
            matches = matches.exclude(game=game.slug, mode__in=unrated)
    return matches.filter(Q(seats__number=1))


def why_mode_unrated(mode: Mode) -> str:
    """The sentence for a mode without ladders; empty for the others."""
    if mode.together:
        return f"{mode.name} is played together, so it is not rated."
    return "" if mode.rated else f"{mode.name} is not rated."


def rated_on(game: str, mode: str, speed: str) -> QuerySet[Match]:
    """Those of a ladder."""
    live = Q(time_control=TimeControl.LIVE)
    return rated_matches().filter(live if speed == Speed.LIVE else ~live, game=game, mode=mode)


def speed_of(match: Match) -> Speed:
    """The speed whose ladder a match is on."""
    return Speed.LIVE if match.time_control == TimeControl.LIVE else Speed.WEB


def why_unrated(match: Match) -> str:
    """The sentence for a match that counts for no rating; empty for those that count."""
    seats = list(match.seats.all())
    if len(seats) < 2:
        return "Matches that are played alone are not rated."
    if why := why_mode_unrated(engine.mode_of(match)):
        return why
    if match.unrated:
        return Unrated(match.unrated).label
    if match.private:
        return "Private matches are not rated."
    if any(seat.bot for seat in seats):
        return "Matches with bots change only the bots’ ratings."
    if match.status in (Status.OPEN, Status.RUNNING) and has_guest(seats):
        return Unrated.GUEST.label
    return ""


def has_guest(seats: Iterable[Seat]) -> bool:
    """True if a seat is a guest's, or was before they gave it up."""
    people = [person for seat in seats for person in (seat.user, seat.resigned_by)]
    return any(person is not None and person.is_guest for person in people)


# -- who fits ------------------------------------------------------------------------------------

LadderName = tuple[str, str, str]
"""Game, mode and speed."""


def ladder_of(match: Match) -> LadderName:
    """The ladder that a match is on."""
    return match.game, match.mode, speed_of(match)


def ratings_of(user_id: int | None) -> dict[LadderName, int]:
    """A person's ratings as shown, by ladder; the default is :data:`MIDDLE`."""
    if user_id is None:
        return {}
    rows = Rating.objects.filter(user=user_id).values_list(
        "ladder__game", "ladder__mode", "ladder__speed", "mu"
    )
    return {(game, mode, speed): shown(mu) for game, mode, speed, mu in rows}


def why_outside(match: Match, own: Mapping[LadderName, int]) -> str:
    """Why somebody with these ratings cannot take a free seat; empty where they can."""
    if match.rating_from is None or match.rating_to is None:
        return ""
    own_rating = own.get(ladder_of(match))
    rating = MIDDLE if own_rating is None else own_rating
    if match.rating_from <= rating <= match.rating_to:
        return ""
    yours = f"yours is {rating}" if own_rating is not None else f"without one you count as {MIDDLE}"
    return f"This table is for ratings from {match.rating_from} to {match.rating_to}; {yours}."


# -- the numbers ----------------------------------------------------------------------------------


class Strength(NamedTuple):
    """How strong somebody is thought to be, and how sure that is."""

    mu: float = MU
    sigma: float = SIGMA
    at: datetime | None = None

    def after_absence(self, now: datetime) -> Strength:
        """The strength, made less certain by the time since the last match."""
        if self.at is None or now <= self.at:
            return self
        grown = math.sqrt(self.sigma**2 + VARIANCE_PER_DAY * ((now - self.at) / _DAY))
        return self._replace(sigma=max(self.sigma, min(grown, SIGMA)))

    @property
    def settled_until(self) -> datetime | None:
        """Until when it is sure enough for the board, if nothing more is played."""
        left = SETTLED_BELOW**2 - self.sigma**2
        if left <= 0 or self.at is None:
            return None
        return self.at + _DAY * (left / VARIANCE_PER_DAY)


@dataclass(frozen=True, slots=True)
class FinalRank:
    """How a match ended for a seat. A seat that was given up stands behind all that stayed."""

    rank: int
    stayed: bool = True

    @property
    def order(self) -> tuple[bool, int]:
        return not self.stayed, self.rank


def after_match(
    before: Sequence[Strength], ranks: Sequence[FinalRank], teams: int = 0
) -> list[Strength]:
    """The strengths after a match; ``before`` has what absence added. Shared places are ties.

    With ``teams`` (``Mode.teams``) teams are rated against each other. A seat that was given up is
    rated as if its team had come last, its partners by what the team has reached.
    """
    parties = [range(n, len(before), teams or len(before)) for n in range(teams or len(before))]
    orders = [min(ranks[seat].order for seat in party) for party in parties]
    after = _rated(before, parties, orders)
    for n, party in enumerate(parties):
        left = [seat for seat in party if ranks[seat].order != orders[n]]
        if left:
            worst = max(ranks[seat].order for seat in left)
            lost = _rated(before, parties, [*orders[:n], worst, *orders[n + 1 :]])
            for seat in left:
                after[seat] = lost[seat]
    return after


def _rated(
    before: Sequence[Strength], parties: Sequence[range], orders: Sequence[tuple[bool, int]]
) -> list[Strength]:
    """The strengths by seat after the parties came in this order."""
    places = sorted(set(orders))
    rated = _MODEL.rate(
        [
            [_MODEL.create_rating([before[seat].mu, before[seat].sigma]) for seat in party]
            for party in parties
        ],
        ranks=[float(places.index(order)) for order in orders],
    )
    after = list(before)
    for party, ratings in zip(parties, rated, strict=True):
        for seat, rating in zip(party, ratings, strict=True):
            after[seat] = Strength(rating.mu, rating.sigma)
    return after


def shown(mu: float) -> int:
    """A rating as people see it."""
    return round(MIDDLE + STEP * (mu - MU))


def margin(sigma: float) -> int:
    """The ± beside it: in two cases of three the true strength lies within."""
    return round(STEP * sigma)
