"""Copy the rules' catalogs into the database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from collection.services.catalog import sync_catalog


class Command(BaseCommand):
    help = "Make the card catalog in the database equal to the rules'. Safe to run at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        done = sync_catalog()
        cards = "1 card" if done.cards == 1 else f"{done.cards} cards"
        games = "1 game" if done.games == 1 else f"{done.games} games"
        self.stdout.write(f"Catalog: {cards} of {games}.")
        if done.nothing_new:
            self.stdout.write("Nothing had changed.")
        for word, titles in (
            ("Added", done.added),
            ("Changed", done.changed),
            ("Retired", done.retired),
            ("Returned", done.returned),
        ):
            if titles:
                listed = ", ".join(titles[:8]) + (", …" if len(titles) > 8 else "")
                self.stdout.write(f"{word} {len(titles)}: {listed}")
