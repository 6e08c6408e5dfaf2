"""Trade partners: people who have for trade what a person wants, or want what that person has for
trade. Among collections that they may look at, in the same number of queries always.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated

from django.db.models import F, Q, QuerySet

from accounts.models import BlockKind, User
from accounts.queries.blocks import blocked_with
from accounts.queries.friends import friends_of
from collection.models import Card, Holding, Visibility
from core.serializers import Doc, component

PARTNERS_SHOWN = 20
CARDS_SHOWN = 6
ROWS_READ = 4000
"""So many holdings of others are looked at, which is more than anybody reads."""

ON_WISHLIST = Q(wishlist__gt=F("quantity"))
TO_GIVE = Q(for_trade__gt=0, digital__gt=0)


@dataclass(slots=True)
class Partner:
    """Somebody, with the cards that they could give and those that they would like."""

    person: User
    gives: list[Card] = field(default_factory=list)
    wants: list[Card] = field(default_factory=list)

    @property
    def both(self) -> int:
        """How many cards could go either way."""
        return min(len(self.gives), len(self.wants))

    @property
    def more_gives(self) -> int:
        """How many of the cards are not named."""
        return max(0, len(self.gives) - CARDS_SHOWN)

    @property
    def more_wants(self) -> int:
        """How many of the cards are not named."""
        return max(0, len(self.wants) - CARDS_SHOWN)


def partners_of(user: User) -> list[Partner]:
    """The people with whom most could be traded, those first with whom both would win."""
    others = _shown_to(user)
    own = Holding.objects.filter(owner=user)
    partners: dict[int, Partner] = {}
    for row in _rows(others.filter(TO_GIVE), own.filter(ON_WISHLIST)):
        partners.setdefault(row.owner_id, Partner(row.owner)).gives.append(row.card)
    for row in _rows(others.filter(ON_WISHLIST), own.filter(TO_GIVE)):
        partners.setdefault(row.owner_id, Partner(row.owner)).wants.append(row.card)
    best = sorted(
        partners.values(),
        key=lambda partner: (
            -partner.both,
            -len(partner.gives),
            -len(partner.wants),
            partner.person.username,
        ),
    )
    return best[:PARTNERS_SHOWN]


def _shown_to(user: User) -> QuerySet[Holding]:
    """Others' holdings that this person may see, without people who are blocked either way."""
    friends = [friend.pk for friend in friends_of(user).friends]
    visible = Q(owner__collection__visibility=Visibility.PUBLIC) | Q(
        owner__collection__visibility=Visibility.FRIENDS, owner__in=friends
    )
    people = Holding.objects.filter(visible, owner__is_active=True, owner__is_guest=False)
    apart = blocked_with(user, BlockKind.ALL)
    return people.exclude(owner__in={user.pk, *apart})


def _rows(theirs: QuerySet[Holding], mine: QuerySet[Holding]) -> Iterable[Holding]:
    matching = theirs.filter(card__in=mine.values("card")).select_related("owner", "card__game")
    return matching.order_by("card__place", "owner")[:ROWS_READ]


@component("TradePartner")
@dataclass(frozen=True, slots=True)
class PartnerShown:
    """A possible trading partner."""

    username: str
    gives: Annotated[list[str], Doc("Cards on your wishlist that they have for trade: game/card.")]
    wants: Annotated[list[str], Doc("Cards on their wishlist that you have for trade: game/card.")]


def partners_shown(user: User) -> list[PartnerShown]:
    """The partners as the API shows them."""
    return [
        PartnerShown(partner.person.username, _named(partner.gives), _named(partner.wants))
        for partner in partners_of(user)
    ]


def _named(cards: Iterable[Card]) -> list[str]:
    return [f"{card.game.slug}/{card.slug}" for card in cards]
