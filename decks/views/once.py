"""Decks that forms make or fill: once, however often the same form comes from one page."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

from accounts.models import User
from core.idempotency import once_per_page
from decks.models import Deck
from decks.queries import decks as queries


def make_deck_once(request: HttpRequest, owner: User, make: Callable[[], Deck]) -> Deck:
    """The deck that ``make`` gives, or gave when this page's form came before.

    Raises ``UnknownDeck`` if that one has been deleted meanwhile, and what ``make`` raises.
    """
    slug = once_per_page(request, owner, lambda: make().slug)
    return queries.access_deck(owner, slug)
