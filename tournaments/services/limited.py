"""Sealed and draft: packs for everybody, picks in each one's own time, pools, decks out of them.

All that happens before the first round: registration closes, packs are given, pools become
complete, decks are handed in. Each step is one transaction under the tournament's lock and looks
first at what is stored, so it can be repeated.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from collection.models import Card, Reason
from collection.services import ledger
from collection.services.packs import checked_client_seed
from core.background import after_commit, enqueue
from decks.models import CardPool, CheckedDeck, Deck
from decks.queries import pools, verdicts
from decks.services import checks
from decks.services.decks import create_deck
from matches import engine
from notices.kinds import Kind
from notices.services.notices import notify, retract
from rules.engine.chance import Chance
from rules.engine.limited import opener_of, pods_of, taker_of
from rules.engine.packs import (
    Contents,
    contents_from_json,
    open_pack,
    pack_commitment,
    pack_seed,
)
from tournaments import pairing
from tournaments.errors import NotNow, NotPossible
from tournaments.models import Entry, EntryState, State, Tournament, name_of
from tournaments.models.limited import DraftPick, Limited, LimitedPack, LimitedSeat
from tournaments.services.announce import retract_requests, tell_players
from tournaments.services.limited_terms import MAX_POD, limited_of, packs_given
from tournaments.services.locking import lock

logger = structlog.get_logger(__name__)

PICKS_A_TASK = 200
SWEPT_AT_ONCE = 50


# -- packs ----------------------------------------------------------------------------------------


def seed_of_pack(server_seed: bytes, slug: str) -> bytes:
    """The server seed of a pack: HMAC-SHA256 with the tournament's seed as its key, over
    ``pack:`` and the pack's public id."""
    return hmac.new(server_seed, f"pack:{slug}".encode(), hashlib.sha256).digest()


def give_packs(locked: Tournament) -> Limited:
    """Close registration and give every player with a place their packs; again changes nothing.

    Bots open theirs at once; in a draft the first piles are opened. Raises ``NotNow`` where too few
    have entered.
    """
    limited = Limited.objects.get(tournament=locked)
    if limited.opened_at is not None:
        return limited
    rows = Entry.objects.filter(tournament=locked, state=EntryState.ENTERED)
    entries = [row for row in rows.select_related("user") if row.bot or _plays(row)]
    least = max(2, locked.min_entries)
    if len(entries) < least:
        raise NotNow(f"The tournament needs {least} players; {len(entries)} can play.")
    now = timezone.now()
    locked.locked_at = locked.locked_at or now
    locked.save(update_fields=["locked_at"])
    limited.opened_at = now
    limited.save(update_fields=["opened_at"])
    seats = _seat(limited, locked, entries)
    _seal_packs(limited, locked, seats)
    if limited.draft:
        for pod in sorted({seat.pod for seat in seats}):
            _open_piles(limited, locked, [seat for seat in seats if seat.pod == pod], 1)
        tell_players(
            locked, f"The draft of {locked.title} has begun: make your first pick.", key="packs"
        )
    else:
        for seat in seats:
            if not _plays(seat.entry):
                _open_own(limited, locked, seat, "")
        _complete(limited, locked)
        tell_players(locked, f"Your packs for {locked.title} are here: open them.", key="packs")
    return limited


def _plays(entry: Entry) -> bool:
    """A person who is still in it: bots pick and build for all others."""
    return entry.user is not None and entry.user.is_active and entry.state == EntryState.ENTERED


def _seat(limited: Limited, locked: Tournament, entries: Iterable[Entry]) -> list[LimitedSeat]:
    """Everybody gets a seat by lot, in pods that are as equal as possible."""
    seed = bytes(locked.server_seed)
    drawn = sorted(entries, key=lambda entry: pairing.lot(seed, "seat", entry.number))
    sizes = pods_of(len(drawn), MAX_POD) if limited.draft else [len(drawn)]
    places = [(pod, number) for pod, size in enumerate(sizes, 1) for number in range(size)]
    return LimitedSeat.objects.bulk_create(
        LimitedSeat(limited=limited, entry=entry, pod=pod, number=number)
        for entry, (pod, number) in zip(drawn, places, strict=True)
    )


def _seal_packs(limited: Limited, locked: Tournament, seats: Iterable[LimitedSeat]) -> None:
    """All packs of all rounds with their commitments; nothing is drawn yet."""
    contents = contents_from_json(limited.contents)
    rounds, pile = (limited.rounds, limited.pile) if limited.draft else (1, limited.packs)
    rows = []
    for seat in seats:
        for round_number in range(1, rounds + 1):
            for number in range(1, pile + 1):
                slug = f"{locked.slug}-{seat.pod}-{seat.number + 1}-{round_number}-{number}"
                seed = seed_of_pack(bytes(locked.server_seed), slug)
                rows.append(
                    LimitedPack(
                        seat=seat, slug=slug, round_number=round_number, number=number,
                        commitment=pack_commitment(slug, contents, seed),
                    )
                )  # fmt: skip
    LimitedPack.objects.bulk_create(rows, batch_size=500)


def _draw(contents: Contents, locked: Tournament, packs: Sequence[LimitedPack], seed: str) -> None:
    """Open packs: what lies in each follows from its seed, and the owner's (``seed``)."""
    for pack in packs:
        drawn = pack_seed(seed_of_pack(bytes(locked.server_seed), pack.slug), seed)
        pack.cards = [card.card for card in open_pack(contents, Chance(drawn))]
    LimitedPack.objects.bulk_update(packs, ["cards"])


# -- sealed ---------------------------------------------------------------------------------------


@transaction.atomic
def open_own_packs(*, tournament: Tournament, user: User, client_seed: str = "") -> CardPool:
    """Open one's packs of a sealed tournament, all at once; again gives the pool that they made.

    Raises ``NotNow``, ``NotPossible`` and, for a seed that is not a line of text, ``Unacceptable``.
    """
    seed = checked_client_seed(client_seed)
    locked = lock(tournament.pk)
    limited, seat = _own_seat(locked, user)
    if limited.draft:
        raise NotPossible("In a draft the packs are opened for all at once.")
    if seat.pool is not None:
        return seat.pool
    _check_building(locked, seat)
    return _open_own(limited, locked, seat, seed)


def _open_own(limited: Limited, locked: Tournament, seat: LimitedSeat, seed: str) -> CardPool:
    packs = list(LimitedPack.objects.filter(seat=seat).order_by("round_number", "number"))
    _draw(contents_from_json(limited.contents), locked, packs, seed)
    seat.client_seed = seed
    return _make_pool(limited, locked, seat, [card for pack in packs for card in pack.cards or ()])


def _make_pool(
    limited: Limited, locked: Tournament, seat: LimitedSeat, cards: Sequence[str]
) -> CardPool:
    assert locked.deck_check is not None
    seat.pool = CardPool.objects.create(
        check_of=locked.deck_check,
        owner=seat.entry.user,
        game=locked.game,
        mode=locked.mode,
        title=locked.title,
        cards=Counter(limited.basics) + Counter(cards),
        format=limited.format,
    )
    seat.save(update_fields=["pool", "client_seed"])
    return seat.pool


# -- draft ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """A pick that a seat has to make now: from which pile, and what lies there by place."""

    round_number: int
    number: int
    opener: LimitedSeat
    cards: dict[int, str]


def _round_of(seats: Sequence[LimitedSeat], picks: Sequence[DraftPick], size: int) -> int:
    """The round of a pod: the first that is not over."""
    return len(picks) // (len(seats) * size) + 1


def _piles(seats: Sequence[LimitedSeat], round_number: int) -> dict[int, list[str]]:
    """Card slugs by place of each opened pile of a round, by the key of who opened it."""
    piles: dict[int, list[str]] = {seat.pk: [] for seat in seats}
    packs = LimitedPack.objects.filter(
        seat__in=[seat.pk for seat in seats], round_number=round_number
    )
    for pack in packs.order_by("seat", "number"):
        piles[pack.seat_id] += pack.cards or []
    return piles


def _size(limited: Limited) -> int:
    return contents_from_json(limited.contents).size * limited.pile


def turn_of(limited: Limited, seat: LimitedSeat) -> Turn | None:
    """The pick that a seat has to make; None while it waits, and at the end."""
    seats = list(LimitedSeat.objects.filter(limited=limited, pod=seat.pod).order_by("number"))
    picks = list(DraftPick.objects.filter(seat__in=seats))
    size = _size(limited)
    round_number = _round_of(seats, picks, size)
    if round_number > limited.rounds:
        return None
    now = [row for row in picks if row.round_number == round_number]
    number = sum(row.seat_id == seat.pk for row in now) + 1
    opener = seats[opener_of(seat.number, number, round_number, len(seats))]
    out = {row.place for row in now if row.opener_id == opener.pk}
    if number > size or len(out) != number - 1:
        return None
    pile = _piles([opener], round_number)[opener.pk]
    cards = {place: card for place, card in enumerate(pile) if place not in out}
    return Turn(round_number, number, opener, cards)


@transaction.atomic
def pick(
    *, tournament: Tournament, user: User, round_number: int, number: int, place: int
) -> DraftPick:
    """Take a card out of the pile that lies before the player.

    Round and number say which pick it is: where that is made already, by the player in another
    window or by a bot at the deadline, it stays as it is and is returned. Raises ``NotNow`` and
    ``NotPossible``.
    """
    locked = lock(tournament.pk)
    limited, seat = _own_seat(locked, user)
    before = DraftPick.objects.filter(seat=seat, round_number=round_number, number=number).first()
    if before is not None:
        return before
    if not limited.draft:
        raise NotPossible("Nothing is drafted in this tournament.")
    _check_building(locked, seat)
    turn = turn_of(limited, seat)
    if turn is None or (turn.round_number, turn.number) != (round_number, number):
        raise NotNow("This pick is not yours to make now. Reload the page.")
    if place not in turn.cards:
        raise NotPossible("That card is not in the pile.")
    return _take(limited, locked, seat, turn, place, by_bot=False)


def _take(
    limited: Limited, locked: Tournament, seat: LimitedSeat, turn: Turn, place: int, *, by_bot: bool
) -> DraftPick:
    """Store a pick, pass the pile on, and go on where it was the round's last."""
    now = timezone.now()
    row = DraftPick.objects.create(
        seat=seat, opener=turn.opener, round_number=turn.round_number, number=turn.number,
        place=place, card=turn.cards[place], by_bot=by_bot, at=now,
    )  # fmt: skip
    seat.due_at = None
    seat.save(update_fields=["due_at"])
    if seat.entry.user_id is not None:
        retract(Kind.TOURNAMENT, key=f"{locked.slug}:pick", people=[seat.entry.user_id])
    rows = LimitedSeat.objects.filter(limited=limited, pod=seat.pod)
    seats = list(rows.select_related("entry__user").order_by("number"))
    done = DraftPick.objects.filter(seat__in=seats).count()
    if done % (len(seats) * _size(limited)) == 0:
        if turn.round_number < limited.rounds:
            _open_piles(limited, locked, seats, turn.round_number + 1)
        else:
            _end_pod(limited, locked, seats)
        return row
    after = seats[taker_of(turn.opener.number, turn.number, turn.round_number, len(seats))]
    for waiting in {seat.pk: seats[seat.number], after.pk: after}.values():
        if waiting.due_at is None and turn_of(limited, waiting) is not None:
            _ask(limited, locked, [waiting], now)
    return row


def _open_piles(
    limited: Limited, locked: Tournament, seats: Sequence[LimitedSeat], round_number: int
) -> None:
    """Open a round's packs of a pod; all its seats pick at the same time."""
    packs = LimitedPack.objects.filter(
        seat__in=[seat.pk for seat in seats], round_number=round_number
    )
    _draw(contents_from_json(limited.contents), locked, list(packs), "")
    _ask(limited, locked, seats, timezone.now())


def _ask(limited: Limited, locked: Tournament, seats: Iterable[LimitedSeat], now: datetime) -> None:
    """These seats pick now: people until their deadline, bots at once."""
    deadline = now + timedelta(hours=limited.pick_hours)
    bots = False
    for seat in seats:
        plays = _plays(seat.entry)
        seat.due_at = deadline if plays else now
        seat.save(update_fields=["due_at"])
        bots = bots or not plays
        if plays and seat.entry.user_id is not None:
            notify(
                [seat.entry.user_id],
                Kind.TOURNAMENT,
                text=f"Your turn to pick in {locked.title}."[:300],
                link=reverse("tournaments:limited", args=(locked.slug,)),
                key=f"{locked.slug}:pick",
                deadline=deadline,
            )
    if bots:
        after_commit(send_bots, locked.pk)


def _end_pod(limited: Limited, locked: Tournament, seats: Sequence[LimitedSeat]) -> None:
    """All cards of a pod are taken: its pools are complete, and the last pod's end the draft."""
    picks: dict[int, list[str]] = {seat.pk: [] for seat in seats}
    rows = DraftPick.objects.filter(seat__in=list(picks)).order_by("round_number", "number")
    for row in rows:
        picks[row.seat_id].append(row.card)
    for seat in seats:
        _make_pool(limited, locked, seat, picks[seat.pk])
    if not LimitedSeat.objects.filter(limited=limited, pool=None).exists():
        _complete(limited, locked)


def _complete(limited: Limited, locked: Tournament) -> None:
    """From now on decks are built; the first round comes no sooner than the time for it allows."""
    now = timezone.now()
    limited.completed_at = now
    limited.save(update_fields=["completed_at"])
    locked.starts_at = max(locked.starts_at, now + timedelta(hours=limited.build_hours))
    locked.save(update_fields=["starts_at"])
    people = LimitedSeat.objects.filter(limited=limited, entry__user__isnull=False)
    notify(
        [pk for pk in people.values_list("entry__user", flat=True) if pk is not None],
        Kind.TOURNAMENT,
        text=f"Build your deck for {locked.title} and submit it before the start."[:300],
        link=reverse("tournaments:limited", args=(locked.slug,)),
        key=f"{locked.slug}:deck",
        deadline=locked.starts_at,
    )
    after_commit(send_bots, locked.pk)


# -- bots, and picks whose time is over -----------------------------------------------------------


def send_bots(tournament_id: int) -> None:
    """Have a worker make the picks and decks of bots."""
    enqueue("tournaments.tasks.limited_bots", tournament_id)


def play_bots(*, tournament_id: int) -> int:
    """Make the picks that are due and build the decks of bots, each in a transaction; how many.

    After ``PICKS_A_TASK`` another task goes on.
    """
    count = 0
    while _bot_step(tournament_id):
        count += 1
        if count == PICKS_A_TASK:
            send_bots(tournament_id)
            break
    return count


@transaction.atomic
def _bot_step(tournament_id: int) -> bool:
    locked = lock(tournament_id)
    limited = limited_of(locked)
    if limited is None or limited.opened_at is None or locked.state != State.ANNOUNCED:
        return False
    seats = LimitedSeat.objects.filter(limited=limited).select_related("entry__user", "pool")
    due = seats.filter(due_at__lte=timezone.now()).order_by("due_at", "pk").first()
    if due is not None:
        return _bot_pick(limited, locked, due)
    waiting = _bots_without_deck(limited).filter(pool__isnull=False)
    row = waiting.select_related("entry__user", "pool").order_by("pk").first()
    return row is not None and _bot_deck(locked, row)


def _bot_pick(limited: Limited, locked: Tournament, seat: LimitedSeat) -> bool:
    turn = turn_of(limited, seat)
    if turn is None:
        seat.due_at = None
        seat.save(update_fields=["due_at"])
        return True
    game, mode = engine.find_mode(locked.game, locked.mode)
    ruling = verdicts.pool_ruling(game.slug, mode.slug, limited.format, limited.basics)
    mine = DraftPick.objects.filter(seat=seat).order_by("round_number", "number")
    places = list(turn.cards)
    # From the committed seed, so that nobody chooses it.
    lot = pairing.lot(
        bytes(locked.server_seed), "pick", seat.pod, seat.number, turn.round_number, turn.number
    )
    chosen = pools.best_pick(
        game, mode, ruling, [row.card for row in mine], list(turn.cards.values()), lot
    )
    _take(limited, locked, seat, turn, places[chosen], by_bot=True)
    return True


def _bot_deck(locked: Tournament, seat: LimitedSeat) -> bool:
    assert locked.deck_check is not None
    assert seat.pool is not None
    game, mode = engine.find_mode(locked.game, locked.mode)
    name = name_of(seat.entry)
    ruling = verdicts.pool_ruling(game.slug, mode.slug, seat.pool.format, seat.pool.cards, name)
    seed = hmac.new(bytes(locked.server_seed), f"deck:{seat.entry.number}".encode(), hashlib.sha256)
    # Without a legal list it hands in none of the cards, and is not admitted.
    cards = pools.built(game, mode, ruling, seed.digest()) or {}
    row = checks.hand_in_built(
        check=locked.deck_check, pool=seat.pool, player=name, name=locked.title, cards=cards
    )
    Entry.objects.filter(pk=seat.entry_id).update(deck=row)
    return True


# -- decks ----------------------------------------------------------------------------------------


@transaction.atomic
def new_deck(*, tournament: Tournament, user: User) -> Deck:
    """A new, empty deck to build from one's pool. Raises ``NotNow``, ``NotPossible`` and as
    ``create_deck``."""
    locked = lock(tournament.pk)
    _, seat = _own_seat(locked, user)
    if seat.pool is None:
        raise NotNow("Your pool is not complete yet.")
    return create_deck(
        owner=user, game=locked.game, mode=locked.mode, name=locked.title[:80], pool=seat.pool
    )


@transaction.atomic
def hand_in(*, tournament: Tournament, user: User, deck: Deck) -> CheckedDeck:
    """Submit a deck out of one's pool; until the start another may take its place.

    Raises ``NotNow``, ``NotPossible`` and as ``checks.hand_in``.
    """
    locked = lock(tournament.pk)
    _, seat = _own_seat(locked, user)
    _check_building(locked, seat)
    assert locked.deck_check is not None
    row = checks.hand_in(check=locked.deck_check, user=user, deck=deck)
    if seat.entry.deck_id != row.pk:
        Entry.objects.filter(pk=seat.entry_id).update(deck=row)
    retract(Kind.TOURNAMENT, key=f"{locked.slug}:deck", people=[user.pk])
    return row


def _own_seat(locked: Tournament, user: User) -> tuple[Limited, LimitedSeat]:
    limited = limited_of(locked)
    if limited is None:
        raise NotPossible("This is not a sealed or draft tournament.")
    rows = LimitedSeat.objects.filter(limited=limited, entry__user=user)
    seat = rows.select_related("entry__user", "pool").first()
    if seat is None:
        if limited.opened_at is None:
            raise NotNow("The packs are given when registration closes.")
        raise NotPossible("You have no packs in this tournament.")
    return limited, seat


def _check_building(locked: Tournament, seat: LimitedSeat) -> None:
    if locked.state != State.ANNOUNCED:
        raise NotNow("The tournament has started or is over.")
    if seat.entry.state != EntryState.ENTERED:
        raise NotPossible("You are out of this tournament.")


# -- before the first round, and after the last ---------------------------------------------------


def not_ready(locked: Tournament) -> str:
    """Why the first round cannot be paired yet; empty where it can, and without packs."""
    limited = limited_of(locked)
    if limited is None:
        return ""
    if limited.opened_at is None:
        return "The packs are not given yet: close registration first."
    if limited.completed_at is None:
        return "The draft is not over yet."
    until = limited.completed_at + timedelta(hours=limited.build_hours)
    if timezone.now() < until and _without_legal_deck(limited).exists():
        return "Players still build their decks: the announced time for it is not over."
    if _bots_without_deck(limited).exists():
        after_commit(send_bots, locked.pk)
        return "Some bots are still building their decks. Try again in a moment."
    return ""


def _without_legal_deck(limited: Limited) -> QuerySet[LimitedSeat]:
    """The people still in it who have submitted no legal deck."""
    decks = CheckedDeck.objects.filter(
        check_of=limited.tournament.deck_check_id, legal=True, user__isnull=False
    )
    seats = LimitedSeat.objects.filter(
        limited=limited, entry__user__isnull=False, entry__state=EntryState.ENTERED
    )
    return seats.exclude(entry__user__in=decks.values("user"))


def _bots_without_deck(limited: Limited) -> QuerySet[LimitedSeat]:
    """The bots still in it whose deck is not built."""
    decks = CheckedDeck.objects.filter(
        check_of=limited.tournament.deck_check_id, pool__isnull=False
    )
    seats = LimitedSeat.objects.filter(limited=limited, entry__state=EntryState.ENTERED)
    return seats.exclude(entry__bot="").exclude(pool__in=decks.values("pool"))


def link_decks(locked: Tournament) -> None:
    """Give each entry the deck that its player handed in on the deck check's own page."""
    if limited_of(locked) is None:
        return
    rows = CheckedDeck.objects.filter(check_of=locked.deck_check, user__isnull=False)
    for row in rows:
        Entry.objects.filter(tournament=locked, user=row.user_id, deck=None).update(deck=row)


def left(locked: Tournament, entry: Entry) -> bool:
    """Leave after the packs were given: a bot picks in one's place; False where none were."""
    if not packs_given(locked):
        return False
    entry.state, entry.why = EntryState.OUT, entry.why or "Withdrew after the packs were given."
    entry.save(update_fields=["state", "why"])
    seats = LimitedSeat.objects.filter(entry=entry, due_at__isnull=False)
    if seats.update(due_at=timezone.now()):
        after_commit(send_bots, locked.pk)
    if entry.user_id is not None:
        retract_requests(locked, [entry.user_id])
    return True


def has_no_packs(locked: Tournament, entry: Entry) -> bool:
    """True for an entry that was left out when the packs were given."""
    return packs_given(locked) and not LimitedSeat.objects.filter(entry=entry).exists()


def grant_kept(locked: Tournament) -> None:
    """Give the cards of opened packs to their players where that was announced, once."""
    limited = limited_of(locked)
    if limited is None or not limited.keeps or limited.granted_at is not None:
        return
    keys = dict(Card.objects.filter(game__slug=locked.game).values_list("slug", "pk"))
    rows = LimitedSeat.objects.filter(
        limited=limited, pool__isnull=False, entry__user__is_active=True
    )
    for seat in rows.select_related("entry__user", "pool").order_by("entry__user"):
        assert seat.pool is not None
        assert seat.entry.user is not None
        cards = Counter(seat.pool.cards) - Counter(limited.basics)
        ledger.transfer(
            key=f"limited:{locked.slug}:{seat.entry.number}",
            reason=Reason.PACK,
            movements=ledger.digital_to(
                seat.entry.user, {keys[card]: n for card, n in cards.items() if card in keys}
            ),
            note=locked.title,
        )
    limited.granted_at = timezone.now()
    limited.save(update_fields=["granted_at"])


def sweep(now: datetime) -> int:
    """Have picks made whose time is over, and decks of bots built; how many tournaments."""
    seats = LimitedSeat.objects.filter(limited__tournament__state=State.ANNOUNCED)
    undone = Q(pool__isnull=False, entry__deck=None, entry__state=EntryState.ENTERED)
    rows = seats.filter(Q(due_at__lte=now) | undone & ~Q(entry__bot="")).order_by()
    keys = list(rows.values_list("limited__tournament", flat=True).distinct()[:SWEPT_AT_ONCE])
    for key in keys:
        send_bots(key)
    return len(keys)


def registration_over(now: datetime) -> list[int]:
    """The tournaments whose packs are due because registration has closed."""
    rows = Tournament.objects.filter(
        state=State.ANNOUNCED, limited__opened_at=None, limited__isnull=False, closes_at__lte=now
    )
    return list(rows.values_list("pk", flat=True)[:SWEPT_AT_ONCE])
