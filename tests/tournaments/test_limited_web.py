"""Sealed and draft by page and by program; who sees what."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from decks.models import CheckedDeck, Deck
from tests.games.examples import EXAMPLE, GAME
from tests.matches.conftest import api
from tests.tournaments.conftest import Announce
from tests.tournaments.test_limited import (
    MODE,
    announced_limited,
    built_and_handed_in,
    give,
    over,
    person,
)
from tournaments.models import Entry, Tournament
from tournaments.models.limited import DraftPick, LimitedPack
from tournaments.services import entries, limited

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalog")]


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def form(**changes: Any) -> dict[str, Any]:
    """The body that the form of a new tournament sends."""
    later = (timezone.now() + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")
    return {
        "title": "Draft Night", "structure": "swiss", "closes_at": later, "starts_at": later,
        "time_control": "steady", "round_days": 14, "min_entries": 2, "cut": 0, "listed": "on",
        "option_ante": "off", "option_turn_limit": 100,
    } | changes  # fmt: skip


def test_a_draft_is_announced_by_form(ada: User) -> None:
    client = logged_in(ada)
    address = f"/tournaments/new/?play={GAME}/{MODE}"
    page = client.get(address).content.decode()
    assert "Sealed and draft" in page and "in a draft a multiple of 3" in page
    assert "keep the cards" not in page, "only staff can offer that"
    body = form(limited="draft", packs=9, pick_hours=6)
    preview = client.post(address, body | {"preview": "1"}).content.decode()
    assert "Draft: 9 × Booster Pack for each player" in preview
    assert "a bot picks after 6 hours" in preview and "A Master Deck for everybody" in preview
    done = client.post(address, body)
    assert done.status_code == 302, done.content.decode()
    terms = Tournament.objects.get().limited
    assert (terms.kind, terms.packs, terms.pile, terms.rounds) == ("draft", 9, 3, 3)
    copy = client.get(f"/tournaments/new/?from={terms.tournament.slug}").content.decode()
    assert '<option value="draft" selected>' in copy and 'value="9"' in copy
    # A mode whose packs make no deck offers neither.
    assert (
        "Sealed and draft"
        not in client.get(f"/tournaments/new/?play={GAME}/match").content.decode()
    )


def test_a_sealed_entrant_opens_builds_and_submits(announced: Announce) -> None:
    tournament = announced_limited(announced, "sealed", 3)
    user = person(1)
    client = logged_in(user)
    address = f"/tournaments/{tournament.slug}/packs/"
    assert "No packs yet" in client.get(address).content.decode()
    give(tournament)
    entries.withdraw(tournament=tournament, user=person(3))
    page = client.get(address).content.decode()
    assert "Open all packs" in page and "Your packs and their hashes" in page
    for _ in range(2):  # a double click
        assert client.post(f"{address}open/", {"client_seed": "mine"}).status_code == 302
    page = client.get(address).content.decode()
    assert 'Your pool <span class="count">30</span>' in page
    assert client.post(f"{address}build/").status_code == 302
    deck = Deck.objects.get(owner=user)
    builder = client.get(f"/decks/{deck.slug}/build/").content.decode()
    assert "Built from the pool of Spring Open" in builder
    assert deck.pool is not None and builder.count('class="pick"') == min(36, len(deck.pool.cards))
    assert 'name="have"' not in builder, "the collection has no part in it"
    assert client.post(f"/decks/{deck.slug}/build/", {"do": "fill"}).status_code == 302
    # The deck check's own page judges by the pool, too.
    check = tournament.deck_check
    assert check is not None
    title = next(
        card.title for slug, card in EXAMPLE.catalog.items() if slug not in deck.pool.cards
    )
    body = {"text": f"2 {title}", "check": "1"}
    dry = client.post(reverse("decks:check_hand_in", args=[check.slug]), body)
    assert "but you own 0" in dry.content.decode()
    refused = client.post(f"{address}submit/", {"deck": "nothing"})
    assert refused.status_code == 404
    assert client.post(f"{address}submit/", {"deck": deck.slug}).status_code == 302
    assert Entry.objects.get(user=user).deck is not None
    assert f"Submitted: {deck.name}" in client.get(address).content.decode()
    organiser = logged_in(tournament.organiser)
    for count in (0, 1):
        desk = organiser.get(f"/tournaments/{tournament.slug}/organise/").content.decode()
        assert f"{count} of 2 players have a legal deck." in desk
        CheckedDeck.objects.update(legal=True)  # as a worker finds
    pack = LimitedPack.objects.filter(seat__entry__user=user)[0]
    file = client.get(f"/tournaments/{tournament.slug}/packs/{pack.slug}.json")
    assert file.json()["client_seed"] == "mine" and len(file.json()["cards"]) == 5
    other = logged_in(person(2)).get(f"/tournaments/{tournament.slug}/packs/{pack.slug}.json")
    assert other.status_code == 404


def test_a_pick_by_page_and_what_others_see(announced: Announce) -> None:
    tournament = announced_limited(announced, "draft", 3)
    organise = f"{tournament.get_absolute_url()}organise/"
    desk = logged_in(tournament.organiser).get(organise).content.decode()
    assert "Players get their packs when registration closes." in desk
    assert "No deck" not in desk and "Start now" not in desk and "not legal," not in desk
    assert "Swiss, draft" in Client().get("/tournaments/").content.decode()
    give(tournament)
    desk = logged_in(tournament.organiser).get(organise).content.decode()
    assert "The draft is in progress." in desk and "whichever is later" in " ".join(desk.split())
    assert "Start now" not in desk and "Add bot" not in desk
    address = f"/tournaments/{tournament.slug}/packs/"
    first, second = logged_in(person(1)), logged_in(person(2))
    page = first.get(address)
    assert "Pick 1 of round 1" in page.content.decode() and "no-store" in page["Cache-Control"]
    organiser = logged_in(tournament.organiser)
    seen = {client: client.get(address).content for client in (second, organiser)}
    body = {"round": 1, "number": 1, "place": 3}
    assert first.post(f"{address}pick/", body).status_code == 302
    assert first.post(f"{address}pick/", body | {"place": 4}).status_code == 302
    pick = DraftPick.objects.get()
    assert pick.place == 3
    waiting = first.get(address).content.decode()
    assert "Waiting for the next pile" in waiting and "2 players of your pod have" in waiting
    # Nobody else's page changes by a byte, but for tokens of the form.
    for client, before in seen.items():
        assert len(client.get(address).content) == len(before)
    assert first.post(f"{address}pick/", {"round": 1}).status_code == 422
    assert second.post(f"{address}pick/", body | {"place": 99}).status_code == 422
    outsider = logged_in(User.objects.create_user("tom"))
    page = outsider.get(address).content.decode()
    assert "The packs were given to those who had entered." in page


def test_programs_draft_and_open(announced: Announce) -> None:
    draft = give(announced_limited(announced, "draft", 2))
    address = f"/api/tournaments/{draft.slug}/limited/"
    first, second = api(person(1)), api(person(2))
    seen = first.get(address).json()
    assert seen["turn"]["pick"] == 1 and len(seen["turn"]["cards"]) == 15
    assert api(draft.organiser).get(address).json()["turn"] is None
    body = {"round": 1, "pick": 1, "place": 0}
    picked = first.post(f"{address}picks/", body)
    assert picked.status_code == 200, picked.json()
    assert picked.json()["waiting_for"] == 1 and picked.json()["picks"][0]["count"] == 1
    assert first.post(f"{address}picks/", body | {"pick": 2}).status_code == 409
    assert second.post(f"{address}picks/", body | {"place": 15}).status_code == 422
    assert first.post(f"{address}open/", {}).status_code == 422
    assert first.get(f"{address}record/").status_code == 409


def test_programs_open_sealed_packs_and_read_the_record(announced: Announce) -> None:
    sealed = give(announced_limited(announced, "sealed", 2))
    address = f"/api/tournaments/{sealed.slug}/limited/"
    first = api(person(1))
    assert first.post(f"{address}decks/").status_code == 409
    opened = first.post(f"{address}open/", {"client_seed": "a"}).json()
    assert len(opened["packs_shown"]) == 6 and opened["pool"]
    assert first.post(f"{address}open/", {"client_seed": "b"}).json() == opened
    key = {"HTTP_IDEMPOTENCY_KEY": "deck"}
    deck = first.post(f"{address}decks/", **key)
    assert deck.status_code == 201
    assert first.post(f"{address}decks/", **key).json() == deck.json()
    assert first.put(f"{address}deck/", deck.json()).json()["submitted"] == sealed.title
    built_and_handed_in(sealed, person(1))
    limited.open_own_packs(tournament=sealed, user=person(2))
    over(sealed)
    record = api(sealed.organiser).get(f"{address}record/").json()
    assert record["kind"] == "sealed" and len(record["packs"]) == 12
    page = Client().get(f"/tournaments/{sealed.slug}/packs.json")
    assert page.json() == record
    pack = record["packs"][0]["pack"]
    assert api(person(2)).get(f"{address}packs/{pack}/record/").json()["pack"] == pack
