"""Sharing binders: who has the link sees the cards, until their owner revokes it."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from collection.errors import TooMany, Unacceptable
from collection.models import BinderCards, SharedBinder
from collection.queries.copies import binders

MAX_SHARED = 50


@transaction.atomic
def share_binder(*, owner: User, binder: str, cards: str, on_profile: bool) -> SharedBinder:
    """Show a binder ("": the whole collection) to everyone who has its link.

    A binder that is shared already keeps its link. Raises ``Unacceptable`` and ``TooMany``.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if owner.is_guest:
        raise Unacceptable("Sign up to share your binders.")
    if cards not in BinderCards.values:
        raise Unacceptable(f"Choose {' or '.join(BinderCards.values)}.", field="cards")
    shared = SharedBinder.objects.filter(owner=owner)
    current = shared.filter(binder=binder).first()
    if current is None:
        if binder and binder not in binders(owner):
            raise Unacceptable(f"You have no binder “{binder}”.", field="binder")
        if shared.count() >= MAX_SHARED:
            raise TooMany(f"You can share up to {MAX_SHARED} binders.")
        return SharedBinder.objects.create(
            owner=owner, binder=binder, cards=cards, on_profile=on_profile
        )
    current.cards, current.on_profile = cards, on_profile
    current.save(update_fields=["cards", "on_profile"])
    return current


def revoke_binder(*, owner: User, slug: str) -> None:
    """Stop sharing: the link is gone for good. Revoking it again changes nothing."""
    SharedBinder.objects.filter(owner=owner, slug=slug).delete()
