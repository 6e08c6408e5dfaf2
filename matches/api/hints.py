"""Hints in the API."""

from __future__ import annotations

from accounts.models import User, Viewer
from core.operations import Idempotent, tagged
from matches.queries.access import access_match
from matches.queries.hints import HintShown, hint_shown
from matches.services import hints

operation = tagged("matches")


@operation("matches_hint", refuses=(403, 404))
def get_hint(user: Viewer, slug: str) -> HintShown:
    """The hint at your open prompt, if you have asked for one; poll it while it is `thinking`."""
    return hint_shown(access_match(user, slug), user)


@operation("matches_hint_ask", refuses=(403, 404, 409, 422, 429), status=202)
def ask_for_hint(user: User, slug: str, once: Idempotent) -> HintShown:
    """Ask for a hint at your open prompt; only where you play against bots alone. Idempotent.

    A worker finds it within seconds, from what your seat knows. The result says how many hints a
    match has had.
    """
    once(lambda: str(hints.ask(slug=slug, user=user).pk))
    return hint_shown(access_match(user, slug), user)
