"""Each place that an event moves cards from or to is there on the table that shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from matches.models import Match, Status
from matches.services.setup import MatchSetup, SeatPlan, create_match
from tests.matches.conftest import person, play_on
from tests.matches.test_pages import logged_in
from tests.support.sizes import modes_on_the_site, shared

pytestmark = pytest.mark.django_db

PLIES = shared(420, least=40, large=400)

VOID = {"area", "br", "hr", "img", "input", "link", "meta", "use", "path", "rect", "circle"}
SHOWN_AGAIN = "reveal"
"""Here the cards of the last round stay to be looked at when they are in a pile already."""

Attributes = dict[str, str]


class Page(HTMLParser):
    """The cards and places of a drawn table, each with what lies around it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, Attributes]] = []
        self.found: list[tuple[Attributes, list[Attributes]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.found.append((attributes, [around for _, around in self.open]))
        if tag not in VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def cards(self) -> set[int]:
        """The cards that are shown on the table itself."""
        return {
            int(value["data-card"])
            for value, around in self.found
            if "data-card" in value and not any("popover" in outer for outer in around)
        }

    def laid(self) -> set[int]:
        """The cards that lie on a slot: none is covered by another."""
        return {
            int(value["data-card"])
            for value, around in self.found
            if "data-card" in value
            and any(outer.get("data-slot", SHOWN_AGAIN) != SHOWN_AGAIN for outer in around)
        }

    def has(self, place: dict[str, Any]) -> bool:
        """True if the page has a place of this name, as the table's script looks for it."""
        name, seat = place["place"], str(place["seat"])
        for item, around in self.found:
            whose = [outer["data-seat"] for outer in (*around, item) if "data-seat" in outer]
            if name == "hand" and item.get("data-hand-of") == seat:
                return True
            if name in (item.get("data-pile"), item.get("data-slot")) and (
                seat in whose or not whose or place["seat"] is None
            ):
                return True
        return False

    def news(self) -> list[dict[str, Any]]:
        """The motions of what has happened, each with the kind of its event."""
        rows = [value for value, _ in self.found if "data-motions" in value]
        return [
            motion | {"kind": row["data-kind"]}
            for row in rows
            for motion in json.loads(row["data-motions"])
        ]


def sitting(game: str, mode: str, seats: int) -> Match:
    people = [person(name) for name in ("Bob", "Cleo", "Dora")]
    plans = [SeatPlan(user=user) for user in [User.objects.get(username="ann"), *people][:seats]]
    return create_match(host=plans[0].user, setup=MatchSetup(game=game, mode=mode, seats=plans))


def watched(match: Match, client: Client, plies: int) -> Iterator[tuple[Page, Page]]:
    """The table before and after each move, as somebody at it sees it."""
    address = reverse("matches:fragment", args=(match.slug,))
    before = client.get(address).content.decode()
    for _ in range(plies):
        ply = Page(before).found[0][0]["data-ply"]
        play_on(match, 1)
        after = client.get(address, {"since": ply}).content.decode()
        yield Page(before), Page(after)
        if match.status == Status.FINISHED:
            break
        before = after


@pytest.mark.parametrize(
    ("game", "mode", "seats"),
    [
        pytest.param(game.slug, mode.slug, min(3, max(mode.seats)), id=f"{game.slug}-{mode.slug}")
        for game, mode in modes_on_the_site()
    ],
)
@pytest.mark.slow
def test_every_motion_can_be_shown(game: str, mode: str, seats: int, ann: User) -> None:
    match = sitting(game, mode, seats)
    play_on(match, 10)
    moved, lost = set(), set()
    for before, after in watched(match, logged_in(ann), PLIES):
        motions = after.news()
        here, then = before.cards(), after.cards()
        of = {
            card: [motion for motion in motions if card in [each["id"] for each in motion["cards"]]]
            for card in here ^ then
        }
        for card in then - here:
            if of[card]:
                assert any(after.has(item["from"]) for item in of[card]), of[card]
        for card in here - then:
            if of[card]:
                assert after.has(of[card][-1]["to"]), of[card]
            elif card in before.laid():
                lost.add(card)
        for motion_result in motions:
            moved.add(motion_result["kind"])
            if not motion_result["cards"]:
                assert after.has(motion_result["from"]), motion_result
                assert after.has(motion_result["to"]), motion_result
    assert len(moved) >= 3
    assert not lost, f"cards went without an event that moves them: {lost}"
