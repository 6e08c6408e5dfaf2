"""A person's own history of cards in the API: of all cards or of one."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.models import User
from collection.api.pages import HistoryPages
from collection.errors import Unacceptable
from collection.models import Card, LedgerRow, Reason
from collection.queries import catalog
from collection.queries import history as queries
from core.operations import Rows, tagged

operation = tagged("collection")
_REASON = OpenApiParameter("reason", enum=Reason.values, description="Filter by reason.")


def _rows(request: Request) -> QuerySet[LedgerRow]:
    """Rows of the reason that is asked for; the pages leave one's own."""
    reason = request.query_params.get("reason", "")
    if reason and reason not in Reason.values:
        raise Unacceptable(f"“reason” is one of {', '.join(Reason.values)}.")
    rows = LedgerRow.objects.order_by()
    return rows.filter(transfer__reason=reason) if reason else rows


@operation(
    "collection_history",
    summary="History",
    parameters=[
        _REASON,
        OpenApiParameter("card", description="A card's slug."),
        OpenApiParameter("game", description="Its game's, where games share a card's slug."),
    ],
    refuses=(400, 422),
    pagination_class=HistoryPages,
)
def list_history(user: User, request: Request) -> Rows[queries.Change]:
    """All copies that you gained or lost, newest first."""
    rows, query = _rows(request), request.query_params
    if slug := query.get("card", ""):
        cards = Card.objects.filter(slug=slug)
        if game := query.get("game", ""):
            cards = cards.filter(game__slug=game)
        keys = list(cards.values_list("pk", flat=True))
        if not keys:
            raise Unacceptable(f"No card “{slug}”.")
        rows = rows.filter(card__in=keys)
    return Rows(rows, lambda rows_on_page: queries.changes_shown(user, rows_on_page))


@operation(
    "collection_history_of_card",
    summary="History of a card",
    parameters=[_REASON],
    refuses=(400, 422),
    pagination_class=HistoryPages,
)
def list_history_of_card(
    user: User, request: Request, game: str, slug: str
) -> Rows[queries.Change]:
    """All copies of this card that you gained or lost, newest first."""
    card = catalog.card_or_none(game, slug)
    if card is None:
        raise Http404
    rows = _rows(request).filter(card=card)
    return Rows(rows, lambda rows_on_page: queries.changes_shown(user, rows_on_page))
