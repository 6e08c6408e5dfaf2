"""Who may look at whose collection."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from accounts.queries.friends import are_friends
from collection.models import Collection, Visibility


def collection_of(owner: User) -> Collection:
    """A person's collection settings; unsaved, and private, where nothing was ever changed."""
    settings = Collection.objects.filter(owner=owner).first()
    return settings or Collection(owner=owner)


def may_see(viewer: User | AnonymousUser, owner: User) -> bool:
    """True if the viewer may look at the owner's cards."""
    if viewer == owner:
        return True
    visibility = collection_of(owner).visibility
    if visibility == Visibility.FRIENDS and isinstance(viewer, User):
        return are_friends(viewer, owner)
    return visibility == Visibility.PUBLIC
