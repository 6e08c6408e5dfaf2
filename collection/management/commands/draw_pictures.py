"""``manage.py draw_pictures``: let a worker draw the cards before anybody looks at them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from collection.tasks import draw_pictures
from core.background import enqueue


class Command(BaseCommand):
    """Ask for the pictures; whatever is drawn already stays."""

    help = "Lets a worker draw all cards, when it has nothing else to do. Safe to run at any time."

    def handle(self, *args: Any, **options: Any) -> None:
        if enqueue(draw_pictures):
            self.stdout.write("A worker was asked to draw the cards.")
        else:
            self.stderr.write(
                "Redis does not answer, so no worker was asked; cards are drawn when first seen."
            )
