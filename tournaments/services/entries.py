"""Entering and leaving: with a deck, late, on the waiting list, by oneself or by the organisers."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

import rules
from accounts.errors import MembersOnly
from accounts.models import User
from collection.errors import TooLate
from core.errors import NotAllowed
from decks.models import CheckedDeck, Deck
from decks.queries import checks as check_queries
from decks.services import checks
from matches.errors import NotRunning, NotYourSeat, RulesChanged
from matches.models import Status
from matches.queries import lobby
from matches.queries.ratings import MIDDLE
from matches.services import play
from notices.kinds import Kind
from notices.queries import is_reached
from notices.services.notices import notify
from tournaments.errors import NotNow, NotPossible
from tournaments.models import (
    Entry,
    EntryState,
    How,
    Pairing,
    Round,
    Ruling,
    RulingKind,
    State,
    Tournament,
    name_of,
)
from tournaments.queries.access import entry_by_number, ratings_in
from tournaments.queries.standings import is_knockout, open_tables_of
from tournaments.services import ladder_places, limited, rounds
from tournaments.services.announce import MAX_ENTRIES, cancelled
from tournaments.services.limited_terms import limited_of, packs_given
from tournaments.services.locking import checked_reason, lock, lock_as_organiser


@transaction.atomic
def enter(*, tournament: Tournament, user: User, deck: Deck | None = None) -> Entry:
    """Enter, with a deck where one is asked for; or hand in another deck for one's entry.

    Without ``deck`` it is the one handed in at the deck check already. When all places are taken,
    the entry is on the waiting list. While the tournament runs this is a late entry.

    Raises ``MembersOnly``, ``NotAllowed``, ``NotNow``, ``NotPossible`` and what handing in raises.
    """
    if user.is_guest:
        raise MembersOnly(
            "Tournaments require an account. Sign up; you keep your cards, decks and matches."
        )
    locked = lock(tournament.pk)
    entry = Entry.objects.filter(tournament=locked, user=user).first()
    if entry is not None and (entry.state == EntryState.OUT or locked.state != State.ANNOUNCED):
        return entry
    if entry is None:
        _check_person(locked, user)
    if locked.state == State.RUNNING:
        return _enter_late(locked, user, deck)
    if not locked.takes_entries:
        raise NotNow("Registration is closed.")
    row = _hand_in(locked, user, deck)
    if entry is None:
        full = _taken(locked) >= (locked.max_entries or MAX_ENTRIES)
        state = EntryState.WAITING if full else EntryState.ENTERED
        entry = _add(locked, user=user, state=state)
    if entry.deck_id != (row and row.pk):
        entry.deck = row
        entry.save(update_fields=["deck"])
    return entry


def _check_person(tournament: Tournament, user: User) -> None:
    if tournament.organiser_id in lobby.people_kept_apart(user):
        raise NotAllowed("You cannot enter this tournament.")
    if tournament.needs_channel and not is_reached(user, Kind.TOURNAMENT):
        raise NotAllowed(
            "This tournament requires a channel with tournament notifications. Turn one on in your "
            "notification settings."
        )
    if tournament.rating_from is None and tournament.rating_to is None:
        return
    rating = ratings_in(tournament, [user.pk]).get(user.pk, MIDDLE)
    lowest, highest = tournament.rating_from or 0, tournament.rating_to
    if rating < lowest or (highest is not None and rating > highest):
        window = f"from {lowest}" + (f" to {highest}" if highest is not None else "")
        raise NotAllowed(f"This tournament is for ratings {window}; yours is {rating}.")


def _hand_in(tournament: Tournament, user: User, deck: Deck | None) -> CheckedDeck | None:
    if tournament.deck_check is None or limited_of(tournament) is not None:
        if deck is not None:
            raise NotPossible("This tournament takes no decks.")
        return None
    if deck is not None:
        return checks.hand_in(check=tournament.deck_check, user=user, deck=deck)
    row = check_queries.mine_in(tournament.deck_check, user)
    if row is None:
        raise NotPossible("Choose a deck.")
    return row


def _taken(tournament: Tournament) -> int:
    return Entry.objects.filter(tournament=tournament, state=EntryState.ENTERED).count()


def _add(tournament: Tournament, **fields: object) -> Entry:
    last = Entry.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    if last >= 2 * MAX_ENTRIES:
        raise NotNow("This tournament takes no more entries.")
    return Entry.objects.create(tournament=tournament, number=last + 1, **fields)


def takes_late_entries(tournament: Tournament, rounds_paired: int) -> bool:
    """True until half of the rounds are paired, where that was announced."""
    planned = tournament.rounds_planned or 0
    if tournament.is_ladder:
        return tournament.state == State.RUNNING
    return (
        tournament.state == State.RUNNING and tournament.late_entry and 2 * rounds_paired <= planned
    )


def _enter_late(tournament: Tournament, user: User, deck: Deck | None) -> Entry:
    paired = Round.objects.filter(tournament=tournament).count()
    if not takes_late_entries(tournament, paired):
        raise NotNow("The tournament no longer takes entries.")
    if tournament.max_entries is not None and _taken(tournament) >= tournament.max_entries:
        raise NotNow("The tournament is full.")
    row = None
    if tournament.deck_check is not None:
        handed_in = check_queries.mine_in(tournament.deck_check, user)
        if handed_in is not None and handed_in.legal:
            row = handed_in
        elif deck is None:
            raise NotPossible("Choose a deck.")
        else:
            row = checks.hand_in_late(check=tournament.deck_check, user=user, deck=deck)
    if tournament.is_ladder:
        entry = _add(tournament, user=user, deck=row)
        ladder_places.join(tournament, entry)
        return entry
    # The rounds missed are losses; one of them a bye, if somebody sat out then.
    odd = Pairing.objects.filter(round__tournament=tournament, how=How.BYE).exists()
    extra = rounds.points_of_a_bye(tournament) if odd else 0
    return _add(
        tournament,
        user=user,
        deck=row,
        joined_round=paired + 1,
        extra_points=extra,
        why=_why_late(paired, bye=odd),
    )


def _why_late(missed: int, *, bye: bool) -> str:
    if missed == 1:
        return f"Late entry: round 1 counts as a {'bye' if bye else 'loss'}."
    losses = missed - bye
    counted = f"a bye and {losses} loss{'' if losses == 1 else 'es'}" if bye else "losses"
    return f"Late entry: the {missed} missed rounds count as {counted}."


@transaction.atomic
def add_bot(*, tournament: Tournament, by: User, bot: str = "") -> Entry:
    """Give a place to one of the game's bots, the best where none is named; it brings a ready-made
    deck. Raises ``NotAllowed``, ``NotNow`` and ``NotPossible``.
    """
    locked = lock_as_organiser(tournament, by)
    game = rules.game(locked.game)
    bots = list(game.bots)
    if locked.state != State.ANNOUNCED:
        raise NotNow("The tournament has started. Bots can be added only before the start.")
    if not bots or (bot and bot not in bots):
        known = f"Choose one of: {', '.join(bots)}." if bots else "The game has no bots."
        raise NotPossible(f"Unknown bot. {known}")
    if packs_given(locked):
        raise NotNow("The packs have been handed out. No one can be added.")
    if _taken(locked) >= (locked.max_entries or MAX_ENTRIES):
        raise NotNow("The tournament is full.")
    slug = bot or bots[-1]
    return _add(locked, bot=slug, bot_name=game.bots[slug].name)


@transaction.atomic
def withdraw(*, tournament: Tournament, user: User) -> bool:
    """Leave before the start; the first on the waiting list moves up. False where nobody entered,
    or is out already.

    Raises ``NotNow`` once it has begun: then one drops.
    """
    locked = lock(tournament.pk)
    entry = Entry.objects.filter(tournament=locked, user=user).first()
    if entry is None or entry.state == EntryState.OUT:  # else whoever was removed could enter again
        return False
    if locked.state != State.ANNOUNCED:
        raise NotNow("The tournament has started. Drop out instead.")
    _take_out(locked, entry)
    return True


@transaction.atomic
def remove(*, tournament: Tournament, by: User, number: int, reason: str) -> None:
    """Take somebody out: before the start for good, later as a drop; they are told why.

    Raises ``NotAllowed``, ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked = lock_as_organiser(tournament, by)
    entry = entry_by_number(locked, number)
    why = checked_reason(reason)
    if locked.over:
        raise NotNow("The tournament is over.")
    if entry.state == EntryState.OUT or (entry.state == EntryState.DROPPED and not entry.absent):
        return
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.DROP, entry=entry, by=by, reason=why,
        before=f"{name_of(entry)} took part.",
    )  # fmt: skip
    if locked.state == State.ANNOUNCED:
        entry.why = why
        if limited.left(locked, entry):
            pass
        elif entry.bot:
            entry.delete()
        else:
            entry.state = EntryState.OUT
            entry.save(update_fields=["state", "why"])
        _move_up(locked)
    else:
        dropped(locked, entry, why)
    if entry.user_id is not None:
        notify(
            [entry.user_id],
            Kind.TOURNAMENT,
            text=f"You are out of {locked.title}: {why}"[:300],
            link=locked.get_absolute_url(),
            key=f"{locked.slug}:out",
        )


def _take_out(tournament: Tournament, entry: Entry) -> None:
    if limited.left(tournament, entry):
        return
    number = entry.deck.number if entry.deck is not None else None
    user = entry.user
    entry.delete()
    if tournament.deck_check is not None and number is not None and user is not None:
        try:
            checks.take_out(check=tournament.deck_check, by=user, number=number)
        except TooLate:
            pass  # the list stays on the pile, and nobody plays with it
    _move_up(tournament)


def _move_up(tournament: Tournament) -> None:
    """Give free places to the first on the waiting list."""
    if packs_given(tournament):
        return  # who waits has no packs
    free = (tournament.max_entries or MAX_ENTRIES) - _taken(tournament)
    waiting = Entry.objects.filter(tournament=tournament, state=EntryState.WAITING)
    for entry in waiting.order_by("number")[: max(0, free)]:
        entry.state = EntryState.ENTERED
        entry.save(update_fields=["state"])
        if entry.user_id is not None:
            notify(
                [entry.user_id],
                Kind.TOURNAMENT,
                text=f"You are in {tournament.title}: a place became free.",
                link=tournament.get_absolute_url(),
                key=f"{tournament.slug}:place",
            )


@transaction.atomic
def drop(*, tournament: Tournament, user: User) -> Entry:
    """Leave a tournament that runs: the match that one plays is lost. Again changes nothing.

    Raises ``NotNow``.
    """
    locked = lock(tournament.pk)
    entry = Entry.objects.filter(tournament=locked, user=user).first()
    if entry is None:
        raise NotPossible("You have not entered this tournament.")
    if locked.state != State.RUNNING:
        raise NotNow("You can drop out only while the tournament is running.")
    if entry.state == EntryState.ENTERED:
        dropped(locked, entry, "")
    return entry


def dropped(locked: Tournament, entry: Entry, why: str) -> None:
    """Drop an entry of a locked tournament, decide its open table and go on where that was the
    last one."""
    entry.state, entry.why, entry.absent = EntryState.DROPPED, why, False
    entry.save(update_fields=["state", "why", "absent"])
    if locked.pods and _left_pod(entry):
        return
    if rounds.lose_open_tables(locked, entry):
        rounds.go_on(locked)
    if locked.is_ladder:
        ladder_places.leave(locked, entry)


def _left_pod(entry: Entry) -> bool:
    """Concede one's match, so that the others of the pod play on; False where there is none."""
    table = open_tables_of(entry).first()
    match = table.match if table is not None else None
    if match is None or entry.user is None:
        return False
    if match.status == Status.RUNNING:
        try:
            play.concede(slug=match.slug, user=entry.user)
        except (NotRunning, NotYourSeat, RulesChanged):
            pass  # out already
    return True


@transaction.atomic
def reinstate(*, tournament: Tournament, by: User, number: int, reason: str) -> Entry:
    """Put somebody back who dropped or was not admitted; they play from the next round on.

    Raises ``NotAllowed``, ``NotNow``, ``NotPossible`` and ``UnknownTournament``.
    """
    locked = lock_as_organiser(tournament, by)
    entry = entry_by_number(locked, number)
    why = checked_reason(reason)
    if locked.over:
        raise NotNow("The tournament is over.")
    if entry.state in (EntryState.ENTERED, EntryState.WAITING):
        return entry
    if locked.state == State.RUNNING and locked.is_league:
        raise NotNow("A season's matches are paired at its start; enter the next one.")
    if locked.state == State.RUNNING and is_knockout(locked):
        raise NotNow("A player cannot be reinstated in an elimination.")
    if locked.state == State.RUNNING and entry.state == EntryState.OUT:
        raise NotNow("This player was not admitted before the start. They can enter late.")
    if limited.has_no_packs(locked, entry):
        raise NotNow("The packs have been handed out. No one can be added.")
    Ruling.objects.create(
        tournament=locked, kind=RulingKind.REINSTATE, entry=entry, by=by, reason=why,
        before=f"{name_of(entry)}: {entry.get_state_display().lower()}. {entry.why}".strip()[:300],
    )  # fmt: skip
    entry.state, entry.why, entry.timeouts, entry.absent = EntryState.ENTERED, "", 0, False
    entry.save(update_fields=["state", "why", "timeouts", "absent"])
    if locked.state == State.RUNNING and locked.is_ladder:
        ladder_places.join(locked, entry)
    return entry


@transaction.atomic
def leave_all(*, user: User) -> None:
    """Whoever deletes an account withdraws and drops everywhere; what they announced and has not
    begun is cancelled. A second time finds nothing more to do."""
    going = Entry.objects.filter(
        user=user, tournament__state__in=(State.ANNOUNCED, State.RUNNING)
    ).exclude(state__in=(EntryState.OUT, EntryState.DROPPED))
    for number in going.order_by("tournament_id").values_list("tournament", flat=True):
        locked = lock(number)
        entry = Entry.objects.filter(tournament=locked, user=user).first()
        if entry is None:
            continue
        if locked.state == State.ANNOUNCED:
            _take_out(locked, entry)
        elif locked.state == State.RUNNING:
            dropped(locked, entry, "Left the site.")
    announced = Tournament.objects.filter(organiser=user, state=State.ANNOUNCED)
    for number in announced.order_by("pk").values_list("pk", flat=True):
        cancelled(lock(number), "Its organiser has left the site.")
