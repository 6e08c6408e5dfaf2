"""The result of a match, put together for its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.timesince import timesince

from accounts.models import Viewer
from collection.models import LedgerRow, Pack
from collection.models.packs import PackSource
from matches import engine
from matches.models import Match
from matches.queries import people
from matches.queries.access import require_finished
from matches.queries.decks_of_match import DeckOfSeat, decks_of_match
from matches.queries.events import lengths, tally, who_left
from matches.queries.fairness import Fairness, fairness
from matches.queries.hints import used_in
from matches.queries.lobby import is_invited, option_words
from matches.queries.outcomes import result_title
from matches.queries.ratings import speed_of, why_unrated
from matches.queries.seats import SeatInfo
from matches.queries.series import SeriesAt, series_at
from matches.queries.table import table_state
from matches.queries.table_page import Felt, guide_of, newest_felt
from matches.queries.tables import rematch_of
from matches.services import ante
from matches.services.rematch import NewSeats
from rules.engine.game import Game, Mode
from rules.engine.table_text import Score


@dataclass(frozen=True)
class ResultPage:
    """Who won, and how it went, as ``matches/result.html`` and games' results show it.

    ``felt`` is the final board. ``mine`` is the reader's seat, ``again`` the match that the same
    people have set up after it.
    ``series_says`` is what the game changes from one match to the next; ``declinable``: the reader
    is invited to the rematch.
    ``tally`` counts what happened, by kinds of event, ``lengths`` its turns, in words,
    ``took`` its time.
    ``standings`` has, by seat, what each reached. ``pack`` is the one that the reader earned.
    ``changed_hands`` is what a match that was played ``for_keeps`` has moved; ``lesson_end`` are a
    lesson's last words.
    """

    match: Match
    game: Game
    mode: Mode
    view: dict[str, Any] | None
    felt: Felt
    seats: list[SeatInfo]
    names: list[str]
    ranking: list[SeatInfo]
    ranked: bool
    mine: SeatInfo | None
    headline: str
    reason: str
    score: Score | None
    standings: list[str]
    tally: dict[str, int]
    lengths: list[str]
    took: str
    own_rating: people.RatingChanged | None
    pack: str
    played_on: bool
    options: list[tuple[str, str]]
    rating_changes: list[people.RatingChanged]
    why_unrated: str
    speed: str
    fairness: Fairness
    lesson_end: str
    decks: list[DeckOfSeat]
    for_keeps: bool
    changed_hands: Sequence[LedgerRow]
    again: Match | None
    series: SeriesAt | None
    series_says: str
    declinable: bool
    new_seats: list[tuple[str, str]]
    hints: int


def result_page(match: Match, user: Viewer) -> ResultPage:
    """The result for a reader who may see the match; raises ``NotFinished`` before its end."""
    require_finished(match)
    state = table_state(match, user)
    game = engine.game_of(match)
    mode = game.modes[match.mode]
    seats, outcome = state.seats, match.outcome or {}
    mine = next((seat for seat in seats if seat.mine), None)
    guide = guide_of(state)
    for_keeps = ante.for_keeps(match)
    counts = tally(state)
    again = rematch_of(match)
    series_rule = game.rulebook.series_rule
    changes = people.rating_changes(user, match)
    view = state.view or {}
    return ResultPage(
        match=match,
        game=game,
        mode=mode,
        view=state.view,
        felt=newest_felt(state, game.text),
        seats=seats,
        names=["You" if seat.mine else seat.name for seat in seats],
        ranking=sorted(seats, key=lambda seat: (seat.rank or 99, seat.number)),
        ranked=len(seats) > 1 and not mode.together,
        mine=mine,
        headline=game.text.headline(outcome, mine=mine is not None) or result_title(mode, seats),
        reason=who_left(match, seats) or game.text.reason(outcome, view),
        score=game.text.score(outcome),
        standings=[game.text.standing(view, seat.number) for seat in seats],
        tally=counts,
        lengths=lengths(game, counts),
        took=_took(match),
        own_rating=next(
            (change for change in changes if mine is not None and change.seat == mine.number), None
        ),
        pack=_pack(match, user, game),
        played_on=match.initial_position is not None and not match.lesson,
        options=option_words(mode, match.options),
        rating_changes=changes,
        why_unrated=why_unrated(match),
        speed=speed_of(match),
        fairness=fairness(match),
        lesson_end=guide.says[0].text if guide is not None and guide.over else "",
        decks=decks_of_match(match, game),
        for_keeps=for_keeps,
        changed_hands=list(ante.changes(match)) if for_keeps else [],
        again=again,
        series=series_at(match, user),
        series_says=series_rule.says if series_rule and mine else "",
        declinable=again is not None and is_invited(again, user),
        new_seats=NewSeats.choices if len(seats) > 1 else [],
        hints=used_in(match),
    )


def _took(match: Match) -> str:
    """“2 hours”; empty for less than a minute."""
    if match.started_at is None or match.finished_at is None:
        return ""
    if match.finished_at - match.started_at < timedelta(minutes=1):
        return ""
    return timesince(match.started_at, match.finished_at, depth=1)


def _pack(match: Match, user: Viewer, game: Game) -> str:
    """The name of the pack that the reader earned by this match; empty where there is none."""
    if user.pk is None:
        return ""
    packs = Pack.objects.filter(owner=user.pk, source=PackSource.MATCH, note=match.slug)
    product = game.products.get(packs.values_list("product", flat=True).first() or "")
    return "" if product is None else product.name
