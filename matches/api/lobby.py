"""Open tables in the API: the lobby, quick match, invitations. Pages use the same services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from accounts.models import User, Viewer
from core.operations import BODY, Rows, tagged
from core.pagination import CappedPages
from core.serializers import Doc, describe
from matches.api import answers
from matches.api.matches import Join, Name, match_as_shown
from matches.models import TimeControl
from matches.queries import lobby
from matches.queries.access import access_match
from matches.services import invitations, open_tables, quick_match

operation = tagged("lobby")
_WRITE = (*BODY, 403, 409, 422)

Username = Annotated[str, Doc(max_length=150)]

describe(
    lobby.OpenTable,
    "An open table.",
    "slug",
    "game",
    "mode",
    "seats",
    "created_at",
    host=Doc("The player who created it."),
    time_control=Doc(choices=TimeControl.choices),
    free=Doc("Open seats that anyone may take; others are reserved."),
    options=Doc("All options of the match."),
    series=Doc("The length of the series that is played; null for a single match."),
    unusual=Doc("Options that differ from the mode’s defaults."),
    decks=Doc("“own”: each player brings a deck; “shared”: all use the host’s; or empty."),
    listed=Doc("Listed in the lobby."),
    rated=Doc("Counts for ratings as it stands: a guest who joins makes it unrated."),
    mine=Doc("You are its host or one of its players."),
    rating_from=Doc("Lowest rating of new players; null: any. Unrated players count as 1500."),
    rating_to=Doc("Highest rating of new players; null: any."),
    why_not=Doc("Why your rating doesn’t allow you to join; else empty."),
    ends_at=Doc("When it is cancelled if it hasn’t started."),
)


describe(
    lobby.RunningTable,
    "A running match that anyone may watch.",
    "slug",
    "game",
    "mode",
    "seats",
    "started_at",
    time_control=Doc(choices=TimeControl.choices),
    ply=Doc("The number of public moves."),
    watchers=Doc("The number of spectators; null if unknown."),
    mine=Doc("You are one of its players."),
    moved_at=Doc("The time of the last public move."),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters of the list."""

    game: Name | None = None
    mode: Name | None = None
    time_control: TimeControl | None = None

    def filters(self) -> dict[str, Any]:
        """The filters as lookups of the database."""
        wanted = {"game": self.game, "mode": self.mode, "time_control": self.time_control}
        return {name: value for name, value in wanted.items() if value is not None}


@dataclass(frozen=True, slots=True)
class WantedRunning:
    """Filters of the list."""

    game: Name | None = None
    mode: Name | None = None
    time_control: TimeControl | None = None
    people: Annotated[bool, Doc("Only matches with at least two people.")] = False
    needs_player: Annotated[bool, Doc("Only matches in which a seat can be taken over.")] = False

    def filters(self) -> dict[str, Any]:
        """The filters as lookups of the database."""
        return Wanted(self.game, self.mode, self.time_control).filters()


@dataclass(frozen=True, slots=True)
class QuickWish:
    """The wanted match."""

    game: Name
    mode: Name
    time_control: Annotated[str, Doc(choices=TimeControl.choices)] = TimeControl.STEADY


@dataclass(frozen=True, slots=True)
class Guest:
    """The person to invite, and the seat."""

    username: Username
    seat: Annotated[
        int | None, Doc("From 0. Default: the first open seat.", min_value=0, max_value=63)
    ] = None


@dataclass(frozen=True, slots=True)
class NoGuest:
    """The invited person."""

    username: Username


@dataclass(frozen=True, slots=True)
class BotSeat:
    """An open seat for a bot."""

    seat: Annotated[int, Doc("From 0.", min_value=0, max_value=63)]
    bot: Annotated[Name, Doc("Bot ID; empty for the strongest.")] = ""


@dataclass(frozen=True, slots=True)
class InLobby:
    """Listed in the lobby or not."""

    listed: bool


@operation("lobby_list", refuses=(400,), pagination_class=CappedPages)
def list_tables(user: Viewer, query: Wanted) -> Rows[lobby.OpenTable]:
    """List the open tables that anyone may join, newest first."""
    tables = lobby.open_tables(user).filter(**query.filters())
    return Rows(tables, lambda rows: lobby.shown_tables(user, rows))


@operation("lobby_running", refuses=(400,), pagination_class=CappedPages)
def list_running(user: Viewer, query: WantedRunning) -> Rows[lobby.RunningTable]:
    """List the public running matches, most recently played first.

    Matches with a move in the same ten minutes: newest first.
    """
    tables = lobby.running_tables(
        user, among_people=query.people, needs_player=query.needs_player
    ).filter(**query.filters())
    return Rows(tables, lambda rows: lobby.shown_running(user, rows))


@operation("lobby_quick", refuses=_WRITE)
def find_quick_match(user: User, body: QuickWish) -> answers.MatchShown:
    """Join the oldest matching table, or create one for the next player.

    Idempotent while you wait.
    """
    match = quick_match.quick_match(
        user=user, game=body.game, mode=body.mode, time_control=body.time_control
    )
    return match_as_shown(user, match.slug)


@operation("invitations_list", refuses=(400,), pagination_class=CappedPages)
def list_invitations(user: User) -> Rows[lobby.OpenTable]:
    """List the open tables to which you are invited, newest first."""
    return Rows(lobby.invitations(user), lambda rows: lobby.shown_tables(user, rows))


@operation("invitations_accept", refuses=_WRITE)
def accept_invitation(user: User, slug: str, body: Join) -> answers.MatchShown:
    """Accept an invitation; 409 if you have none. Idempotent.

    The last player to join starts the match.
    """
    access_match(user, slug)
    invitations.accept_invitation(
        slug=slug, user=user, client_seed=body.client_seed, deck=body.deck
    )
    return match_as_shown(user, slug)


@operation("invitations_decline", refuses=_WRITE)
def decline_invitation(user: User, slug: str) -> answers.MatchShown:
    """Decline an invitation; 409 if you have none."""
    access_match(user, slug)
    invitations.decline_invitation(slug=slug, user=user)
    return match_as_shown(user, slug)


@operation("matches_invite", refuses=_WRITE)
def invite(user: User, slug: str, body: Guest) -> answers.MatchShown:
    """Invite a person to an open seat of your table."""
    access_match(user, slug)
    invitations.invite(slug=slug, host=user, username=body.username, seat=body.seat)
    return match_as_shown(user, slug)


@operation("matches_uninvite", refuses=_WRITE)
def withdraw_invitation(user: User, slug: str, body: NoGuest) -> answers.MatchShown:
    """Withdraw an invitation. Idempotent."""
    access_match(user, slug)
    invitations.withdraw_invitation(slug=slug, host=user, username=body.username)
    return match_as_shown(user, slug)


@operation("matches_fill", refuses=_WRITE)
def fill_seat(user: User, slug: str, body: BotSeat) -> answers.MatchShown:
    """Give an open seat of your table to a bot. The last seat filled starts the match."""
    access_match(user, slug)
    open_tables.fill_seat(slug=slug, host=user, seat=body.seat, bot=body.bot)
    return match_as_shown(user, slug)


@operation("matches_list_table", refuses=_WRITE)
def list_in_lobby(user: User, slug: str, body: InLobby) -> answers.MatchShown:
    """List your open table in the lobby, or remove it."""
    access_match(user, slug)
    open_tables.list_table(slug=slug, host=user, listed=body.listed)
    return match_as_shown(user, slug)
