"""A tournament's pages with 20 players, then with 2,000, after two rounds; aim: twice at most.

python -m bench.events         (SQLite; with DATABASE_URL and REDIS_URL set, on those)
"""

from __future__ import annotations

import statistics
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from bench.tables import machine, show, table
from bench.web import site_of_its_own

if TYPE_CHECKING:
    from tournaments.models import Tournament

SIZES = (20, 2000)
PAGES = ("", "players/", "rounds/2/", "standings/", "rulings/", "embed/", "screen/", "organise/")
TIMES = 9


def main() -> None:
    """Print the table."""
    with site_of_its_own():
        measure()


def measure() -> None:
    from django.test import Client

    from accounts.models import User

    organiser = User.objects.create_user("organiser")
    events = {size: event(size, organiser) for size in SIZES}
    client = Client()
    client.force_login(organiser)
    rows = []
    for page in PAGES:
        took = [took_by(client, tournament, page) for tournament in events.values()]
        rows.append((page or "overview", *(1000 * seconds for seconds in took), took[1] / took[0]))
    show("## Tournament pages\n")
    show(f"{machine()}; ms, the median of {TIMES} requests.\n")
    show(table(("page", *(f"{size:,} players" for size in SIZES), "ratio"), rows))


def took_by(client: object, tournament: Tournament, page: str) -> float:
    """Seconds for a page, the median of several."""
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        response = client.get(f"{tournament.get_absolute_url()}{page}")  # type: ignore[attr-defined]
        times.append(time.perf_counter() - began)
        assert response.status_code == 200, (page, response.status_code)
    return statistics.median(times)


def event(size: int, organiser: object) -> Tournament:
    """A Swiss tournament in its third round; results are ruled, no match is played."""
    from django.db import transaction
    from django.utils import timezone

    import rules
    from accounts.models import User
    from tournaments.models import Entry, How, Pairing
    from tournaments.services import announce, rounds

    game, mode = next(
        (game, mode)
        for game in rules.games().values()
        for mode in game.modes.values()
        if mode.playable and 2 in mode.seats and not mode.takes_decks and not mode.together
    )
    soon = timezone.now() + timedelta(hours=1)
    tournament = announce.announce(
        organiser=organiser,  # type: ignore[arg-type]
        announcement=announce.Announcement(
            title=f"{size} players", game=game.slug, mode=mode.slug, structure="swiss",
            closes_at=soon, starts_at=soon, rounds=11,
        ),
    )  # fmt: skip
    people = User.objects.bulk_create(
        User(username=f"p{size}-{number}") for number in range(1, size + 1)
    )
    Entry.objects.bulk_create(
        Entry(tournament=tournament, number=number, user=user)
        for number, user in enumerate(people, start=1)
    )
    rounds.start(tournament=tournament, by=organiser)  # type: ignore[arg-type]
    for _ in range(2):
        with transaction.atomic():
            tournament.refresh_from_db()
            for row in Pairing.objects.filter(round__tournament=tournament, decided_at=None):
                rounds.decide(tournament, row, (1, 2), How.RULING)
            rounds.go_on(tournament)
    return tournament


if __name__ == "__main__":
    main()
