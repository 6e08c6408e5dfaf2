"""A guest turned out to have an account: the ways in which the guest was reached go along."""

from __future__ import annotations

from accounts.models import User
from notices.models.channels import PushBrowser, SecretAddress, WebHook


def merge_guest(*, guest: User, user: User) -> None:
    """Hand over the guest's browsers, and what the account has not got: hook and addresses.

    To be called in the transaction that ends the guest.
    """
    PushBrowser.objects.filter(person=guest).update(person=user)
    if not WebHook.objects.filter(person=user).exists():
        WebHook.objects.filter(person=guest).update(person=user)
    uses = list(SecretAddress.objects.filter(person=user).values_list("use", flat=True))
    SecretAddress.objects.filter(person=guest).exclude(use__in=uses).update(person=user)
    WebHook.objects.filter(person=guest).delete()
    SecretAddress.objects.filter(person=guest).delete()
