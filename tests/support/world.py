"""A small world for tests that go through the whole site: somebody who owns one of everything.

Ann's friend is Bob. With Tom, who is nobody's friend, she trades, plays and meets at an event.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from accounts.services.friends import accept_friend, request_friend
from collection.models import Card, Collection, ImportJob, Pack, PrintJob, Trade, Visibility
from collection.services import holdings, imports, packs, prints, trades
from decks.lists.textlist import write_list
from decks.models import Deck, DeckCheck, Format
from decks.services import checks, formats
from decks.services import decks as deck_services
from decks.services.checks import Entry
from matches.models import Match, TimeControl
from matches.services.setup import MatchSetup, SeatPlan, create_match
from notices.models import Notice
from tests.games.examples import CLAW, FLAME, GAME, MASTER_DECK, PACK, READY_CARDS
from tests.matches.conftest import play_on
from tests.support.catalog import whole_catalog
from tournaments.models import Tournament
from tournaments.services import announce, entries, rounds

MODE = "tournament"


@dataclass(frozen=True)
class World:
    """The people, and what is Ann's."""

    ann: User
    bob: User
    tom: User
    deck: Deck
    public: Deck
    format: Format
    check: DeckCheck
    trade: Trade
    print: PrintJob
    list: ImportJob
    sealed: Pack
    opened: Pack
    match: Match
    private: Match
    finished: Match
    notice: Notice
    tournament: Tournament


def make_world() -> World:
    """Make it all with the services that people use."""
    whole_catalog()
    ann, bob, tom = (
        User.objects.create_user(name, display_name=name.capitalize())
        for name in ("ann", "bob", "tom")
    )
    request_friend(sender=ann, username="bob")
    accept_friend(user=bob, username="ann")
    for user in (ann, bob, tom):
        holdings.take_starter(user=user, game=GAME, product=MASTER_DECK)
        Collection.objects.update_or_create(
            owner=user,
            defaults={"visibility": Visibility.PUBLIC if user == tom else Visibility.FRIENDS},
        )
    claw, flame = (Card.objects.get(slug=slug) for slug in (CLAW, FLAME))
    deck, public = (
        deck_services.create_deck(
            owner=ann, game=GAME, mode=MODE, name=name, cards=READY_CARDS, visibility=visibility
        )
        for name, visibility in (("Embers", "private"), ("Torches", "public"))
    )
    house = formats.create_format(
        by=ann, game=GAME, mode=MODE, name="Clawless", rules_of=formats.Rules(sets=["master"])
    )
    check = checks.create_check(organiser=ann, title="Spring Open", game=GAME, mode=MODE)
    lists = [Entry("Jo", "Fire", write_list(READY_CARDS, GAME))]
    checks.add_decks(check=check, by=ann, entries=lists)
    checks.hand_in(
        check=check,
        user=tom,
        deck=deck_services.create_deck(
            owner=tom, game=GAME, mode=MODE, name="Tom's", cards={"main": {CLAW: 1}}
        ),
    )
    checks.judge_check(check_id=check.pk)
    printed = prints.start_print(owner=ann, title="Proofs", cards=[(claw, 1)])
    prints.make_print(job_id=printed.pk)
    printed.refresh_from_db()
    grant = packs.grant(by=None, game=GAME, product=PACK, people=[ann], key="a", count=2)
    (sealed, _), (opened, _) = grant
    opened, _ = packs.open_pack(slug=opened.slug, user=ann)
    plans = [SeatPlan(user=ann), SeatPlan(user=tom)]
    running, private, finished = (
        create_match(
            host=ann,
            setup=MatchSetup(
                game=GAME,
                mode="match",
                seats=plans,
                options={"guards": 1},
                time_control=TimeControl.STEADY,
                private=private,
            ),
        )
        for private in (False, True, False)
    )
    return World(
        ann=ann,
        bob=bob,
        tom=tom,
        deck=deck,
        public=public,
        format=house,
        check=check,
        trade=trades.offer_trade(
            proposer=ann, partner=tom, gives={claw.pk: 1}, takes={flame.pk: 1}, token="first"
        ),
        print=printed,
        list=imports.start_import(owner=ann, data=b"2 Red Claw\n1 Rde Flmae\n", game=GAME),
        sealed=sealed,
        opened=opened,
        match=play_on(running, 5),
        private=play_on(private, 2),
        finished=play_on(finished),
        notice=Notice.objects.create(person=ann, kind="chat", text="Look.", link="/matches/"),
        tournament=_tournament(ann, bob, tom),
    )


def _tournament(ann: User, *players: User) -> Tournament:
    """Ann's, in its first round; its tables are not set up."""
    now = timezone.now()
    announcement = announce.Announcement(
        title="Spring Cup",
        game=GAME,
        mode="match",
        structure="swiss",
        rounds=2,
        closes_at=now + timedelta(hours=1),
        starts_at=now + timedelta(hours=1),
    )
    tournament = announce.announce(organiser=ann, announcement=announcement)
    for player in players:
        entries.enter(tournament=tournament, user=player)
    return rounds.start(tournament=tournament, by=ann)
