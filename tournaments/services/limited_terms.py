"""The terms of a sealed or draft tournament, and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from accounts.models import User
from collection.queries import packs
from core.errors import NotAllowed
from core.serializers import Doc
from rules.engine.game import Game, Mode
from rules.engine.limited import MAX_PACKS, limited_modes
from rules.engine.limited import Limited as Offer
from tournaments.errors import NotPossible
from tournaments.models import Tournament
from tournaments.models.limited import Limited, LimitedKind

MAX_PICK_HOURS = 72
MAX_BUILD_HOURS = 14 * 24
MAX_POD = 8
GIVEN_WITHIN = timedelta(minutes=10)
"""So long after registration has closed a sweep may give the packs of an evening."""


@dataclass(frozen=True, slots=True)
class LimitedTerms:
    """Decks are built from packs that are opened or drafted for the tournament."""

    kind: Annotated[str, Doc(choices=LimitedKind.choices)]
    packs: Annotated[
        int | None,
        Doc(
            "Packs for each player; null: as many as the game needs for a deck.",
            allow_null=True,
            min_value=1,
            max_value=MAX_PACKS,
        ),
    ] = None
    pick_hours: Annotated[
        int,
        Doc("Draft: hours until a bot picks.", min_value=1, max_value=MAX_PICK_HOURS),
    ] = 12
    build_hours: Annotated[
        int,
        Doc("At least so long players build their decks.", min_value=1, max_value=MAX_BUILD_HOURS),
    ] = 48
    keeps: Annotated[bool, Doc("Players keep the cards. Only staff can offer this.")] = False


def offer_of(game: Game, mode: str) -> Offer | None:
    """Sealed and draft in a mode, as its game offers them."""
    return limited_modes(game).get(mode)


def required_options(terms: LimitedTerms, game: Game, mode: Mode) -> dict[str, Any]:
    """The options that all tables must have; raises ``NotPossible`` where it is not offered."""
    return dict(_offer(terms, game, mode).options)


def _offer(terms: LimitedTerms, game: Game, mode: Mode) -> Offer:
    if terms.kind not in LimitedKind.values:
        known = ", ".join(LimitedKind.values)
        raise NotPossible(f"“{terms.kind}” is not a kind of event. Choose one of: {known}.")
    offer = offer_of(game, mode.slug)
    if offer is None or not offer.least(draft=terms.kind == LimitedKind.DRAFT):
        raise NotPossible(
            f"{game.name}, {mode.name} is not offered as a {LimitedKind(terms.kind).label.lower()} "
            "tournament: its packs don’t make a legal deck."
        )
    return offer


def limited_for(
    tournament: Tournament, terms: LimitedTerms, *, organiser: User, game: Game, mode: Mode
) -> Limited:
    """The terms of a tournament, not stored. Raises ``NotAllowed`` and ``NotPossible``."""
    offer = _offer(terms, game, mode)
    draft = terms.kind == LimitedKind.DRAFT
    least = offer.least(draft=draft)
    count = least if terms.packs is None else terms.packs
    if not least <= count <= MAX_PACKS:
        raise NotPossible(f"Each player needs {least} to {MAX_PACKS} packs here.")
    if draft and count % offer.pile:
        raise NotPossible(f"Here {offer.pile} packs are passed on together: choose {least} or "
                          f"another multiple of {offer.pile}.")  # fmt: skip
    if not 1 <= terms.pick_hours <= MAX_PICK_HOURS:
        raise NotPossible(f"A pick takes 1 to {MAX_PICK_HOURS} hours.")
    if not 1 <= terms.build_hours <= MAX_BUILD_HOURS:
        raise NotPossible(f"Players have 1 to {MAX_BUILD_HOURS} hours to build their decks.")
    if terms.keeps and not organiser.is_staff:
        raise NotAllowed("Only staff can let players keep the cards.")
    if tournament.late_entry:
        raise NotPossible("Late entries are not possible: the packs are opened before the start.")
    if tournament.is_ladder:
        raise NotPossible(
            "Players enter a ladder at any time, so its decks cannot come from packs."
        )
    if tournament.is_evening:
        if draft:
            raise NotPossible("A draft has no fixed end, so it can’t be played as a live evening.")
        check_evening(tournament.closes_at, tournament.starts_at, terms.build_hours)
    return Limited(
        tournament=tournament,
        kind=terms.kind,
        product=offer.product,
        contents=packs.contents_today(game.slug, offer.product).to_json(),
        basics=dict(offer.basics),
        format=mode.format(tournament.options),
        packs=count,
        pile=offer.pile if draft else 1,
        pick_hours=terms.pick_hours,
        build_hours=terms.build_hours,
        keeps=terms.keeps,
    )


def check_evening(closes_at: datetime, starts_at: datetime, build_hours: int) -> None:
    """An evening begins at its hour: nothing may move its start. Raises ``NotPossible``."""
    if closes_at + timedelta(hours=build_hours) + GIVEN_WITHIN > starts_at:
        hours = f"{build_hours} hour{'' if build_hours == 1 else 's'}"
        raise NotPossible(
            f"Players have {hours} to build their decks: close registration {hours} and "
            f"{GIVEN_WITHIN.seconds // 60} minutes before the evening, or earlier."
        )


def terms_of(tournament: Tournament) -> LimitedTerms | None:
    """The terms as they would be announced once more; None where players bring decks."""
    limited = limited_of(tournament)
    if limited is None:
        return None
    keeps = limited.keeps and tournament.organiser.is_staff
    return LimitedTerms(limited.kind, limited.packs, limited.pick_hours, limited.build_hours, keeps)


def limited_of(tournament: Tournament) -> Limited | None:
    """The terms of a sealed or draft tournament; None for any other."""
    return getattr(tournament, "limited", None)  # the far end of a one-to-one: AttributeError


def packs_given(tournament: Tournament) -> bool:
    """Its packs are given, so its players are those who have some; False without packs."""
    limited = limited_of(tournament)
    return limited is not None and limited.opened_at is not None
