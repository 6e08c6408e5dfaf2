"""Open tables in the API: the lobby, quick match, invitations. Pages use the same services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from rest_framework.pagination import PageNumberPagination

from accounts.models import User, Viewer
from core.operations import BODY, PersonalView, Rows, View, operation
from core.serializers import Doc, describe
from matches.api import answers
from matches.api.matches import Name, Share, match_as_shown
from matches.models import Pace
from matches.queries import lobby
from matches.queries.access import access_match
from matches.services import invitations, open_tables, quick_match

_TAGS = ("lobby",)
_WRITE = (*BODY, 403, 409, 422)

Username = Annotated[str, Doc(max_length=150)]

describe(
    lobby.OpenTable,
    "A table that waits for people.",
    "slug",
    "game",
    "mode",
    "seats",
    "created_at",
    host=Doc("Who has set it up."),
    pace=Doc(choices=Pace.choices),
    free=Doc("How many seats anybody may take; others are kept for somebody."),
    options=Doc("All that it is played with."),
    unusual=Doc("Those of the options that differ from the mode's usual ones."),
    decks=Doc("“own”: everybody brings a deck; “shared”: all play from the host's; or empty."),
    listed=Doc("It stands in the lobby."),
    mine=Doc("You sit here, or have set it up."),
    rating_from=Doc("Whoever sits down has this rating at least; null: any. Without one: 1500."),
    rating_to=Doc("And this at most."),
    why_not=Doc("Why your rating keeps you from a free seat; else empty."),
    ends_at=Doc("When it is cancelled if it has not begun by then."),
)


describe(
    lobby.RunningTable,
    "A table at which is played, and which anybody may watch.",
    "slug",
    "game",
    "mode",
    "seats",
    "started_at",
    pace=Doc(choices=Pace.choices),
    ply=Doc("How many moves everybody could see."),
    watchers=Doc("How many look on; null where that is not known."),
    mine=Doc("You sit here."),
    moved_at=Doc("When the last move came that everybody could see."),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tables to list."""

    game: Name | None = None
    mode: Name | None = None
    pace: Pace | None = None

    def filters(self) -> dict[str, Any]:
        """As the database takes them."""
        wanted = {"game": self.game, "mode": self.mode, "pace": self.pace}
        return {name: said for name, said in wanted.items() if said is not None}


@dataclass(frozen=True, slots=True)
class WantedRunning:
    """Which running tables to list."""

    game: Name | None = None
    mode: Name | None = None
    pace: Pace | None = None
    people: Annotated[bool, Doc("Only those at which two people sit at least.")] = False
    needs_player: Annotated[bool, Doc("Only those where a seat can be taken over.")] = False

    def filters(self) -> dict[str, Any]:
        """As the database takes them."""
        return Wanted(self.game, self.mode, self.pace).filters()


@dataclass(frozen=True, slots=True)
class QuickWish:
    """What to play."""

    game: Name
    mode: Name
    pace: Annotated[str, Doc(choices=Pace.choices)] = Pace.STEADY


@dataclass(frozen=True, slots=True)
class Guest:
    """Whom to invite, and to which seat."""

    username: Username
    seat: Annotated[
        int | None, Doc("From 0. Left out: the first free one.", min_value=0, max_value=63)
    ] = None


@dataclass(frozen=True, slots=True)
class NoGuest:
    """Whose invitation to take back."""

    username: Username


@dataclass(frozen=True, slots=True)
class BotSeat:
    """Which open seat a bot is to take."""

    seat: Annotated[int, Doc("From 0.", min_value=0, max_value=63)]
    bot: Annotated[Name, Doc('Which bot; "": the game\'s best.')] = ""


@dataclass(frozen=True, slots=True)
class InLobby:
    """Whether a table is to stand in the lobby."""

    listed: bool


class LobbyView(View):
    """The lobby."""

    tags = _TAGS
    pagination_class = PageNumberPagination

    @operation("lobby_list", refuses=(400,))
    def get(self, user: Viewer, query: Wanted) -> Rows[lobby.OpenTable]:
        """The open tables at which anybody may sit down, the newest first."""
        found = lobby.open_tables(user).filter(**query.filters())
        return Rows(found, lambda some: lobby.shown_tables(user, some))


class RunningView(View):
    """Tables to watch."""

    tags = _TAGS
    pagination_class = PageNumberPagination

    @operation("lobby_running", refuses=(400,))
    def get(self, user: Viewer, query: WantedRunning) -> Rows[lobby.RunningTable]:
        """The public tables at which is played, the last one moved at first; none are private."""
        found = lobby.running_tables(
            user, among_people=query.people, needs_player=query.needs_player
        ).filter(**query.filters())
        return Rows(found, lambda some: lobby.shown_running(user, some))


class QuickView(PersonalView):
    """A match at once."""

    tags = _TAGS

    @operation("lobby_quick", refuses=_WRITE)
    def post(self, user: User, body: QuickWish) -> answers.MatchShown:
        """Sit down at the oldest table that fits, or at a new one that waits for the next to come.

        Asked again while you wait you get the same table.
        """
        match = quick_match.quick_match(user=user, game=body.game, mode=body.mode, pace=body.pace)
        return match_as_shown(user, match.slug)


class InvitationsView(PersonalView):
    """Invitations."""

    tags = _TAGS
    pagination_class = PageNumberPagination

    @operation("invitations_list", refuses=(400,))
    def get(self, user: User) -> Rows[lobby.OpenTable]:
        """The open tables at which a seat is kept for you, the newest first."""
        return Rows(lobby.invitations(user), lambda some: lobby.shown_tables(user, some))


class AcceptView(PersonalView):
    """Yes."""

    tags = _TAGS

    @operation("invitations_accept", refuses=_WRITE)
    def post(self, user: User, slug: str, body: Share) -> answers.MatchShown:
        """Take the seat that is kept for you; a conflict (409) where none is. Twice does no harm.

        The last one to sit down starts the match.
        """
        access_match(user, slug)
        invitations.accept_invitation(
            slug=slug, user=user, client_seed=body.client_seed, deck=body.deck
        )
        return match_as_shown(user, slug)


class DeclineView(PersonalView):
    """No."""

    tags = _TAGS

    @operation("invitations_decline", refuses=_WRITE)
    def post(self, user: User, slug: str) -> answers.MatchShown:
        """Let the seat go that is kept for you; a conflict (409) where none is (any more)."""
        access_match(user, slug)
        invitations.decline_invitation(slug=slug, user=user)
        return match_as_shown(user, slug)


class InviteView(PersonalView):
    """Inviting somebody to a table."""

    tags = _TAGS

    @operation("matches_invite", refuses=_WRITE)
    def post(self, user: User, slug: str, body: Guest) -> answers.MatchShown:
        """Keep an open seat of your table for somebody."""
        access_match(user, slug)
        invitations.invite(slug=slug, host=user, username=body.username, seat=body.seat)
        return match_as_shown(user, slug)


class UninviteView(PersonalView):
    """Taking an invitation back."""

    tags = _TAGS

    @operation("matches_uninvite", refuses=_WRITE)
    def post(self, user: User, slug: str, body: NoGuest) -> answers.MatchShown:
        """Keep a seat for somebody no longer."""
        access_match(user, slug)
        invitations.take_back_invitation(slug=slug, host=user, username=body.username)
        return match_as_shown(user, slug)


class FillView(PersonalView):
    """A bot for an open seat."""

    tags = _TAGS

    @operation("matches_fill", refuses=_WRITE)
    def post(self, user: User, slug: str, body: BotSeat) -> answers.MatchShown:
        """Give an open seat of your table to a bot. With the last one the match begins."""
        access_match(user, slug)
        open_tables.fill_seat(slug=slug, host=user, seat=body.seat, bot=body.bot)
        return match_as_shown(user, slug)


class ListedView(PersonalView):
    """In the lobby, or not."""

    tags = _TAGS

    @operation("matches_list_table", refuses=_WRITE)
    def post(self, user: User, slug: str, body: InLobby) -> answers.MatchShown:
        """Put your open table into the lobby, or take it out."""
        access_match(user, slug)
        open_tables.list_table(slug=slug, host=user, listed=body.listed)
        return match_as_shown(user, slug)
