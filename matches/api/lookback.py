"""Look backs in the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accounts.models import User, Viewer
from core.operations import BODY, Idempotent, tagged
from core.serializers import Doc
from matches.queries.access import access_match
from matches.queries.lookback import LookBackShown, look_back_shown
from matches.services import lookback

operation = tagged("matches")


@dataclass(frozen=True, slots=True)
class WhichSeat:
    """Whose decisions."""

    seat: Annotated[
        int | None, Doc("From 0. Default: your own, or a shared one.", min_value=0, max_value=63)
    ] = None


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who may see it."""

    shared: Annotated[bool, Doc("All who may see the match may see it.")]


@operation("matches_lookback", refuses=(400, 403, 404, 409, 422))
def get_look_back(user: Viewer, slug: str, query: WhichSeat) -> LookBackShown:
    """The look back at a finished match: the chance to win before and after each decision.

    Poll it while its `state` is `working`. `none`: not requested yet.
    """
    return look_back_shown(access_match(user, slug), user, query.seat)


@operation("matches_lookback_start", refuses=(403, 404, 409, 422, 429), status=202)
def start_look_back(user: User, slug: str, once: Idempotent) -> LookBackShown:
    """Have your decisions in a finished match looked at; 409 while its tournament round runs.

    Workers do it within minutes. Idempotent: what is stored is kept, unless the rules have changed.
    """
    once(lambda: str(lookback.start(slug=slug, user=user).pk))
    return look_back_shown(access_match(user, slug), user)


@operation("matches_lookback_share", refuses=(*BODY, 403, 404, 409))
def share_look_back(user: User, slug: str, body: Sharing) -> LookBackShown:
    """Show your look back to all who may see the match, or no longer. Idempotent."""
    lookback.share(slug=slug, user=user, shared=body.shared)
    return look_back_shown(access_match(user, slug), user)
