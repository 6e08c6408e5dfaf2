"""People: a member, a guest, and clients that are logged in."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User

PASSWORD = "a-long-enough-pass"


def prove(client: Client) -> None:
    """Type the password once more, as pages ask before what matters."""
    client.post("/account/reauthenticate/", {"password": PASSWORD})


def confirm_address(user: User) -> None:
    """Make the person's address the confirmed main one, as the link in a mail does."""
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)


@pytest.fixture
def member(db: None) -> User:
    """A member with a password and an address."""
    return User.objects.create_user(
        "mira", "mira@example.org", PASSWORD, display_name="Mira", is_guest=False
    )


@pytest.fixture
def guest(client: Client, db: None) -> User:
    """A guest, logged in with the test client as the site itself would do it."""
    from accounts.services.guests import create_guest

    user = create_guest(address="192.0.2.1")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return user


@pytest.fixture
def as_member(member: User) -> Client:
    """A client logged in as the member."""
    client = Client()
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    return client
