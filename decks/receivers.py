"""Receivers of signals that other apps send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models.signals import post_save
from django.dispatch import receiver

from accounts import account_deletion
from accounts.models import User
from accounts.signals import account_closing, guest_merged
from collection.signals import cards_renamed, catalog_written
from decks import data_export  # noqa: F401  (adds its parts)
from decks.models import Deck, DeckEntry, Visibility
from decks.services import decks as services
from decks.services import formats, versions

CARDS_AT_ONCE = 500
# Others' decks lie in a check; it stays when its organiser goes.
account_deletion.retain("decks.DeckCheck.organiser", "decks.Format.owner")


@receiver(guest_merged, dispatch_uid="decks.move_decks")
def keep_decks(*, guest: User, user: User, **about: Any) -> None:
    """A guest who logs in keeps the decks that were built on the way."""
    services.move_decks(guest=guest, user=user)


@receiver(account_closing, dispatch_uid="decks.take_likes_back")
def take_likes_back(*, user: User, **about: Any) -> None:
    """The likes of somebody who leaves count no longer."""
    services.take_likes_back(user=user)


@receiver(post_save, sender=User, dispatch_uid="decks.find_by_new_name")
def find_by_new_name(
    instance: User, created: bool, update_fields: frozenset[str] | None = None, **about: Any
) -> None:
    """Public decks are found by their owner's name: by the new one when it changes."""
    names = {"display_name", "username"}
    if not created and (update_fields is None or names & set(update_fields)):
        public = Deck.objects.filter(owner=instance, visibility=Visibility.PUBLIC)
        versions.write_words(public)


@receiver(cards_renamed, dispatch_uid="decks.find_by_new_titles")
def find_by_new_titles(*, cards: Sequence[int], **about: Any) -> None:
    """Public decks are found by their cards' titles: by the new ones after a catalog update."""
    for start in range(0, len(cards), CARDS_AT_ONCE):
        held = DeckEntry.objects.filter(card__in=cards[start : start + CARDS_AT_ONCE])
        public = Deck.objects.filter(visibility=Visibility.PUBLIC, pk__in=held.values("deck"))
        versions.write_words(public)


@receiver(catalog_written, dispatch_uid="decks.write_game_formats")
def write_game_formats(**about: Any) -> None:
    """The formats that games define stand ready with their cards."""
    formats.write_game_formats()
