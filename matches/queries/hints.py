"""A hint as its person sees it at the table, and how many a match has had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from accounts.models import Viewer
from core.serializers import Doc
from matches import engine
from matches.models import Hint, Match, SeatKind
from matches.queries.access import seat_of
from matches.queries.table import table_state
from matches.services import hints
from rules.advice import finisher_of
from rules.engine.game import Game


@dataclass(frozen=True, slots=True)
class HintOption:
    """An option that was tried."""

    notation: str
    label: Annotated[str, Doc("The words on its button.")]
    chance: Annotated[float, Doc("Chance to win after it, from 0 to 1.")]
    margin: Annotated[float, Doc("Half the width of the 95 % interval of `chance`.")]
    behind: Annotated[
        float, Doc("How much less than the advised option, on the same re-dealt tables.")
    ]
    behind_margin: Annotated[float, Doc("Half the width of the 95 % interval of `behind`.")]


@dataclass(frozen=True, slots=True)
class HintShown:
    """A hint at your open prompt, the advised option first; and the number of hints so far."""

    may_ask: Annotated[bool, Doc("You have an open prompt here, and may ask for a hint.")]
    thinking: Annotated[bool, Doc("Requested; a worker is computing it.")]
    prompt: Annotated[int | None, Doc("The prompt that it is about.")]
    by: Annotated[str, Doc("Who advises: the name of a bot. Empty without a hint.")]
    thinks: Annotated[bool, Doc("It thinks ahead; else it is the mode’s quick bot.")]
    played_out_by: Annotated[
        str,
        Doc("The quick bot that plays tables to the end for the chances; else empty."),
    ]
    worlds: Annotated[int, Doc("Re-dealt tables on which each option was tried.")]
    options: list[HintOption]
    used: Annotated[int, Doc("Hints requested in this match so far, by all players.")]

    @property
    def best(self) -> HintOption:
        """The advised option."""
        return self.options[0]

    @property
    def others(self) -> list[HintOption]:
        """The other options that were tried, the best first."""
        return sorted(self.options[1:], key=lambda option: option.behind)

    @property
    def sure(self) -> bool:
        """True if the advised option is clearly better than all others that were tried."""
        return all(row.behind > row.behind_margin for row in self.options[1:])


def hint_shown(match: Match, user: Viewer) -> HintShown:
    """The hint at the reader's open prompt, and how many the match has had."""
    seat = seat_of(match, user)
    state = table_state(match, user)
    may_ask = hints.may_ask(match, seat) and state.prompt is not None
    rows = list(Hint.objects.filter(match=match).order_by("pk"))
    current = next(
        (
            row
            for row in rows
            if state.prompt is not None and (row.seat, row.prompt) == (seat, state.prompt.id)
        ),
        None,
    )
    advice: Mapping[str, Any] = (current and current.advice) or {}
    labels = {option.notation: option.label for option in state.prompt.options} if advice else {}  # type: ignore[union-attr]
    game = engine.game_of(match)
    adviser = game.player(advice.get("by", ""))
    return HintShown(
        may_ask=may_ask,
        thinking=current is not None and current.is_awaited,
        prompt=None if current is None else current.prompt,
        by="" if adviser is None else adviser.name,
        thinks=advice.get("by", "") in game.thinkers,
        played_out_by=played_out_by(game, match.mode),
        worlds=advice.get("worlds", 0),
        options=[
            HintOption(label=labels.get(row["notation"], row["notation"]), **row)
            for row in advice.get("options", ())
        ],
        used=sum(row.advice is not None for row in rows),
    )


def played_out_by(game: Game, mode: str) -> str:
    """The name of the bot that plays tables to the end for the chances of a mode; else empty."""
    finisher = finisher_of(game, mode)
    return "" if finisher is None else finisher.name


def used_in(match: Match) -> int:
    """How many hints a match has had; only tables without human rivals have any."""
    people = sum(seat.kind == SeatKind.PERSON for seat in match.seats.all())
    return Hint.objects.filter(match=match, advice__isnull=False).count() if people == 1 else 0
