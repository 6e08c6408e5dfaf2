"""Reactions of the collection to signals of other apps."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts import account_deletion
from accounts.models import User
from accounts.signals import account_closing, guest_merged
from collection import data_export  # noqa: F401  (adds its parts)
from collection.services import imports, packs, people, trades
from core import outbox

outbox.subscribe("packs", packs.match_finished)
account_deletion.retain("collection.Trade.proposer", "collection.Trade.partner")


@receiver(account_closing, dispatch_uid="collection.close_trades")
def close_trades(*, user: User, **about: Any) -> None:
    """Offers of and to somebody who leaves are over."""
    trades.close_all(user=user)


@receiver(account_closing, dispatch_uid="collection.cancel_imports")
def cancel_imports(*, user: User, **about: Any) -> None:
    """A list of somebody who leaves is not read any further."""
    imports.cancel_all(user=user)


@receiver(guest_merged, dispatch_uid="collection.merge_guest")
def keep_cards(*, guest: User, user: User, **about: Any) -> None:
    """A guest who logs in keeps the cards that came on the way."""
    people.merge_guest(guest=guest, user=user)
