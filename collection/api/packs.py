"""Packs in the API: what is sealed, the gift, opening, the record to check, and the odds.

Pages use the same services and queries. Who may do what:

=================  =========  ========  ===================  =====  =====
                   anonymous  stranger  who may see my cards  me    staff
=================  =========  ========  ===================  =====  =====
odds               yes        yes       yes                  yes    yes
list, gift         401        own       own                  yes    own
a sealed pack      404        404       404                  yes    yes
an opened pack     if public  404       yes                  yes    yes
its record         if public  404       yes                  yes    yes
open               401        404       404                  yes    404
give               401        403       403                  403    yes
=================  =========  ========  ===================  =====  =====
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import IsAdminUser
from rest_framework.request import Request

from accounts.models import User, Viewer
from collection.errors import Unacceptable
from collection.queries import packs as queries
from collection.services import packs as services
from core.operations import Answer, Rows, tagged
from core.pagination import LatestFirst
from core.scopes import Scope
from core.serializers import Doc

operation = tagged("packs")
_CHANGES = (403, 404, 409, 422)


@dataclass(frozen=True, slots=True)
class Gift:
    """Which pack it shall be."""

    game: Annotated[str, Doc(max_length=50)]
    product: Annotated[str, Doc("Default: the game's first random pack.", max_length=60)] = ""


@dataclass(frozen=True, slots=True)
class Open:
    """Opening a pack."""

    client_seed: Annotated[
        str,
        Doc("Your own seed: one line.", max_length=services.MAX_CLIENT_SEED_LENGTH),
    ] = ""
    choice: Annotated[
        str,
        Doc("For a box with a choice: the product to put in it.", max_length=60),
    ] = ""


@dataclass(frozen=True, slots=True)
class Grant:
    """Packs from the house."""

    game: Annotated[str, Doc(max_length=50)]
    product: Annotated[str, Doc(max_length=60)]
    people: Annotated[list[Annotated[str, Doc(max_length=150)]], Doc(min_length=1, max_length=1000)]
    key: Annotated[
        str, Doc("Idempotency key: each person gets the packs of a key once.", max_length=80)
    ]
    count: Annotated[int, Doc(min_value=1, max_value=100)] = 1
    note: Annotated[str, Doc(max_length=200)] = ""


@dataclass(frozen=True, slots=True)
class Granted:
    """The outcome of a grant."""

    given: Annotated[int, Doc("Packs given now.")]
    before: Annotated[int, Doc("Packs that this key had already given.")]


@operation(
    "packs_list",
    parameters=[OpenApiParameter("state", enum=["sealed", "opened"])],
    refuses=(422,),
    pagination_class=LatestFirst,
)
def list_packs(user: User, request: Request) -> Rows[queries.PackShown]:
    """List your packs, the newest first."""
    mine = queries.packs_of(user).select_related("owner")
    state = request.query_params.get("state", "")
    if state not in {"", "sealed", "opened"}:
        raise Unacceptable("“state” is sealed or opened.")
    rows = mine.filter(opened_at__isnull=state == "sealed") if state else mine
    return Rows(rows, lambda packs: queries.packs_shown(user, packs))


@operation("packs_retrieve")
def get_pack(user: Viewer, slug: str) -> queries.PackDetail:
    """One of your packs, or an opened pack of someone whose collection you may see."""
    return queries.pack_detail(user, slug)


@operation("packs_open", refuses=_CHANGES)
def open_pack(user: User, slug: str, body: Open) -> queries.PackDetail:
    """Open one of your packs. Repeating it returns the same cards, whatever the client seed.

    A box also contains sealed packs, which are opened one by one.
    """
    services.open_pack(slug=slug, user=user, client_seed=body.client_seed, choice=body.choice)
    return queries.pack_detail(user, slug)


@operation("packs_record", refuses=(409,))
def get_record(user: Viewer, slug: str) -> queries.PackRecord:
    """The record for ``docs/verify.py``; a conflict (409) while the pack is sealed."""
    return queries.PackRecord(**queries.record_of(queries.access_pack(user, slug)))


@operation("packs_daily_retrieve")
def get_daily_pack(user: User) -> queries.GiftOfTheDay:
    """If today's pack can be claimed, until when, and the choices."""
    return queries.gift_of_the_day(user)


@operation("packs_daily_claim", statuses=(200, 201), refuses=_CHANGES)
def claim_daily_pack(user: User, body: Gift) -> Answer[queries.PackDetail]:
    """Claim the daily pack (201). Repeated on the same day (UTC), it is the same pack (200)."""
    pack, created = services.take_gift(user=user, game=body.game, product=body.product)
    return Answer(queries.pack_detail(user, pack.slug), 201 if created else 200)


@operation(
    "packs_grant", refuses=_CHANGES, token_scope=Scope.STAFF, permission_classes=(IsAdminUser,)
)
def grant_packs(user: User, body: Grant) -> Granted:
    """Give people packs (staff only); all of them or, if a name is unknown, none."""
    names = set(body.people)
    people = list(User.objects.filter(username__in=names, is_active=True))
    if missing := sorted(names - {person.username for person in people}):
        raise Unacceptable(f"No users named {', '.join(missing)[:200]}.")
    grants = services.grant(
        by=user,
        people=people,
        game=body.game,
        product=body.product,
        key=body.key,
        count=body.count,
        note=body.note,
    )
    created = sum(now for _, now in grants)
    return Granted(created, len(grants) - created)


@operation("packs_odds")
def get_odds(game: str, product: str) -> queries.Odds:
    """The odds of a product: slot by slot, and card by card as exact fractions."""
    return queries.odds(game, product)
