"""Refusals of this app."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied


class TooManyGuests(PermissionDenied):
    """One address has brought more guests within an hour than a household would."""

    status = 429
    code = "too-many-guests"
    title = "Too many guests from this address"

    def __init__(self) -> None:
        super().__init__(
            "Many guests came from this address within the last hour. "
            "Log in or sign up, or try again in an hour."
        )


class AlreadyMember(Exception):
    """The guest has become a member meanwhile, in another tab."""
