"""Tournaments in the API. Pages use the same services and queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.response import Response

from accounts.models import User, Viewer
from core.operations import Idempotent, Rows, tagged
from core.pagination import ByWholeNumber, LatestFirst
from core.serializers import Doc
from decks.queries import decks as deck_queries
from tournaments.downloads import whole
from tournaments.errors import UnknownTournament
from tournaments.models import ABOUT_LENGTH, REASON_LENGTH, TITLE_LENGTH, State, Tournament
from tournaments.open_bracket import open_bracket
from tournaments.queries import access, pages
from tournaments.services import announce, entries, leagues, rounds, rulings

operation = tagged("tournaments")
_WRITE = (403, 404, 409, 422)
Reason = Annotated[str, Doc("Public.", max_length=REASON_LENGTH)]


class ByNumber(ByWholeNumber):
    """In the order of entering, or of the tables."""

    ordering = "number"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


class ByRank(ByNumber):
    """The best first."""

    ordering = "rank"


@dataclass(frozen=True, slots=True)
class Which:
    """Which tournaments to list."""

    state: Annotated[str | None, Doc("Only those.", choices=State.choices)] = None
    mine: Annotated[bool, Doc("Only those that you organise or take part in.")] = False


@operation("tournaments_list", refuses=(400,), pagination_class=LatestFirst)
def list_tournaments(user: Viewer, query: Which) -> Rows[pages.TournamentShown]:
    """List tournaments, newest first."""
    rows = pages.tournaments(user)
    if query.mine:
        mine = Tournament.objects.filter(organiser=user.pk) | Tournament.objects.filter(
            entries__user=user.pk
        )
        rows = rows.filter(pk__in=mine.values("pk")) if user.pk is not None else rows.none()
    if query.state:
        rows = rows.filter(state=query.state)
    return Rows(rows, pages.shown)


@operation("tournaments_announce", status=201, refuses=_WRITE)
def announce_tournament(
    user: User, body: announce.Announcement, once: Idempotent
) -> pages.TournamentShown:
    """Announce a tournament; with a deck check if players bring decks."""
    slug = once(lambda: announce.announce(organiser=user, announcement=body).slug)
    return pages.tournament_shown(access.tournament_of(slug))


@dataclass(frozen=True, slots=True)
class Change:
    """The details that may change until the start."""

    title: Annotated[str, Doc(max_length=TITLE_LENGTH)]
    closes_at: datetime
    starts_at: datetime
    about: Annotated[str, Doc(max_length=ABOUT_LENGTH)] = ""
    helpers: Annotated[
        list[Annotated[str, Doc(max_length=150)]] | None,
        Doc("Only the organiser can set them. Default: unchanged."),
    ] = None


@operation("tournaments_retrieve")
def get_tournament(slug: str) -> pages.TournamentShown:
    """A tournament's announcement and state."""
    return pages.tournament_shown(access.tournament_of(slug))


@operation("tournaments_change", refuses=_WRITE)
def change_tournament(user: User, slug: str, body: Change) -> pages.TournamentShown:
    """Replace the details that may change until the start; for organisers."""
    changed = announce.change(
        tournament=access.tournament_of(slug),
        by=user,
        title=body.title,
        about=body.about,
        closes_at=body.closes_at,
        starts_at=body.starts_at,
        helpers=body.helpers,
    )
    return pages.tournament_shown(changed)


@operation("tournaments_entries", pagination_class=ByNumber)
def list_entries(slug: str) -> Rows[pages.EntryShown]:
    """List the entries, in order of entering."""
    tournament = access.tournament_of(slug)
    return Rows(pages.entries(tournament), pages.entries_shown)


@operation("tournaments_standings", pagination_class=ByRank)
def list_standings(slug: str) -> Rows[pages.EntryShown]:
    """The standings after the last completed round, best first."""
    tournament = access.tournament_of(slug)
    return Rows(pages.ranked(tournament), pages.entries_shown)


@dataclass(frozen=True, slots=True)
class Entering:
    """The deck that a player enters with."""

    deck: Annotated[
        str | None,
        Doc(
            "The slug of your deck, in a mode with decks; left out: the one you have "
            "submitted to the deck check.",
            max_length=50,
        ),
    ] = None


def _mine(tournament: Tournament, user: User) -> pages.EntryShown:
    entry = access.entry_of(tournament, user)
    if entry is None:
        raise UnknownTournament("You have not entered this tournament.")
    return pages.entries_shown([entry])[0]


@operation("tournaments_mine")
def get_my_entry(user: User, slug: str) -> pages.EntryShown:
    """Your entry; 404 if you haven't entered."""
    return _mine(access.tournament_of(slug), user)


@operation("tournaments_enter", refuses=_WRITE)
def enter(user: User, slug: str, body: Entering) -> pages.EntryShown:
    """Enter, or submit another deck. Idempotent."""
    tournament = access.tournament_of(slug)
    deck = deck_queries.access_deck(user, body.deck) if body.deck else None
    entries.enter(tournament=tournament, user=user, deck=deck)
    return _mine(tournament, user)


@operation("tournaments_leave", refuses=_WRITE)
def leave(user: User, slug: str) -> None:
    """Withdraw before the start; afterwards, drop and lose the open match."""
    tournament = access.tournament_of(slug)
    if tournament.state == State.ANNOUNCED:
        entries.withdraw(tournament=tournament, user=user)
    else:
        entries.drop(tournament=tournament, user=user)


@operation("tournaments_rounds")
def list_rounds(slug: str) -> list[pages.RoundShown]:
    """List the rounds in order."""
    return pages.rounds(access.tournament_of(slug))


@operation("tournaments_tables", pagination_class=ByNumber)
def list_tables(user: Viewer, slug: str, number: int) -> Rows[pages.TableShown]:
    """The pairings of a round, with the reason for each and the results."""
    row = access.round_of(access.tournament_of(slug), number)
    return Rows(pages.tables(row), lambda tables: pages.tables_shown(tables, user))


@operation("tournaments_player_tables")
def list_tables_of_entry(slug: str, number: int) -> list[pages.PlayerTable]:
    """A player's tables of all rounds, the first round first."""
    return pages.tables_of_entry(access.entry_by_number(access.tournament_of(slug), number))


@operation("tournaments_rulings")
def list_rulings(slug: str) -> list[pages.RulingShown]:
    """List the rulings with their reasons, newest first."""
    return pages.rulings(access.tournament_of(slug))


@operation(
    "tournaments_whole",
    answers={(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT)},
    is_metered=True,
)
def download_whole(slug: str) -> Response:
    """The announcement, players, rounds with every pairing, rulings; the seed once it is
    over, from which all lots follow."""
    return Response(whole(access.tournament_of(slug)))


@operation(
    "tournaments_open_bracket",
    answers={(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT)},
    refuses=(422,),
    is_metered=True,
)
def download_open_bracket(slug: str) -> Response:
    """Players and results in the Open Bracket Format 1.0, to import elsewhere; 422 for pods."""
    return Response(open_bracket(access.tournament_of(slug)))


# -- what organisers do ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Because:
    """A reason."""

    reason: Reason


@operation("tournaments_lock", refuses=_WRITE)
def lock(user: User, slug: str) -> pages.TournamentShown:
    """Close registration and lock the decklists. Idempotent; for organisers."""
    return pages.tournament_shown(rounds.lock_lists(tournament=access.tournament_of(slug), by=user))


@operation("tournaments_start", refuses=_WRITE)
def start(user: User, slug: str) -> pages.TournamentShown:
    """Pair the first round now. Idempotent; for organisers."""
    return pages.tournament_shown(rounds.start(tournament=access.tournament_of(slug), by=user))


@operation("tournaments_cancel", refuses=_WRITE)
def cancel(user: User, slug: str, body: Because) -> pages.TournamentShown:
    """Cancel the tournament; players are notified of the reason. For organisers."""
    tournament = access.tournament_of(slug)
    return pages.tournament_shown(announce.cancel(tournament=tournament, by=user, why=body.reason))


@operation("tournaments_end_round", refuses=_WRITE)
def end_round(user: User, slug: str, number: int, body: Because) -> pages.TournamentShown:
    """End the round now: open tables are decided as at the deadline. For organisers."""
    tournament = access.tournament_of(slug)
    return pages.tournament_shown(
        rounds.end_round(tournament=tournament, by=user, number=number, reason=body.reason)
    )


@operation("tournaments_undo_pairing", refuses=_WRITE)
def take_back_pairing(user: User, slug: str, number: int, body: Because) -> pages.TournamentShown:
    """Undo the latest pairing, before any move in its round; for organisers."""
    tournament = access.tournament_of(slug)
    return pages.tournament_shown(
        rulings.take_back_pairing(
            tournament=tournament, by=user, round_number=number, reason=body.reason
        )
    )


@operation("tournaments_pair", refuses=_WRITE)
def pair(user: User, slug: str) -> pages.TournamentShown:
    """Pair the next round after a pairing was undone; for organisers."""
    tournament = access.tournament_of(slug)
    return pages.tournament_shown(rulings.pair_again(tournament=tournament, by=user))


@dataclass(frozen=True, slots=True)
class TableRuling:
    """How a table is decided."""

    places: Annotated[
        list[Annotated[int, Doc(min_value=1, max_value=8)]],
        Doc("The place of each seat; equal ones are level.", min_length=2, max_length=8),
    ]
    reason: Reason


@operation("tournaments_set_result", refuses=_WRITE)
def set_result(
    user: User, slug: str, number: int, table: int, body: TableRuling
) -> pages.TableShown:
    """Set or change a table's result; earlier results stay visible. For organisers."""
    tournament = access.tournament_of(slug)
    row = rulings.set_result(
        tournament=tournament, by=user, round_number=number, table=table,
        places=body.places, reason=body.reason,
    )  # fmt: skip
    tables = pages.tables(row.round).filter(pk=row.pk)
    return pages.tables_shown(tables, user)[0]


@operation("tournaments_remove", refuses=_WRITE)
def remove_entry(user: User, slug: str, number: int, body: Because) -> None:
    """Remove a player; they are notified of the reason. For organisers."""
    tournament = access.tournament_of(slug)
    entries.remove(tournament=tournament, by=user, number=number, reason=body.reason)


@operation("tournaments_reinstate", refuses=_WRITE)
def reinstate_entry(user: User, slug: str, number: int, body: Because) -> pages.EntryShown:
    """Reinstate a player who dropped or wasn't admitted; for organisers."""
    tournament = access.tournament_of(slug)
    entry = entries.reinstate(tournament=tournament, by=user, number=number, reason=body.reason)
    return pages.entries_shown([entry])[0]


@operation("tournaments_give_bye", refuses=_WRITE)
def give_bye(user: User, slug: str, number: int, body: Because) -> None:
    """Give a bye in the open round to a player without a table; for organisers."""
    tournament = access.tournament_of(slug)
    rulings.give_bye(tournament=tournament, by=user, number=number, reason=body.reason)


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot that takes part."""

    bot: Annotated[str, Doc("A bot of the game. Default: the strongest.", max_length=40)] = ""


@operation("tournaments_add_bot", status=201, refuses=_WRITE)
def add_bot(user: User, slug: str, body: NewBot, once: Idempotent) -> pages.EntryShown:
    """Enter a bot; for organisers."""
    tournament = access.tournament_of(slug)
    number = once(lambda: str(entries.add_bot(tournament=tournament, by=user, bot=body.bot).number))
    entry = access.entry_by_number(tournament, int(number))
    return pages.entries_shown([entry])[0]


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to all players."""

    text: Annotated[str, Doc(max_length=announce.MESSAGE_LENGTH)]


@operation("tournaments_write_to_all", refuses=_WRITE)
def write_to_all(user: User, slug: str, body: NewMessage, once: Idempotent) -> None:
    """Send a message to all players; for organisers."""
    tournament = access.tournament_of(slug)
    once(lambda: str(announce.write_to_all(tournament=tournament, by=user, text=body.text).pk))


@operation("tournaments_next_season", status=201, refuses=_WRITE)
def announce_next_season(user: User, slug: str) -> pages.TournamentShown:
    """Announce the next season of a league that is over; for organisers.

    A second time returns the same season.
    """
    tournament = access.tournament_of(slug)
    return pages.tournament_shown(leagues.next_season(tournament=tournament, by=user))
