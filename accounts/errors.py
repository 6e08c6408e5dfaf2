"""Refusals: what was wrong, in a sentence, with the HTTP status that says the same.

Services and queries of every app raise them; pages and the API show them without being asked to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied


class Refusal(Exception):
    """Something that was asked for is refused; nothing was changed.

    ``code`` names the situation for programs, ``title`` for people; ``str(error)`` is the sentence
    for this very case and ``extra`` what a program may want to know besides.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "refused"
    title: ClassVar[str] = "Refused"

    def __init__(self, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra: Mapping[str, Any] = extra


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


class UnknownPerson(Refusal):
    """There is nobody of that name, or nobody any more."""

    status = 404
    code = "unknown-person"
    title = "Nobody of that name"


class MembersOnly(Refusal):
    """A guest is known to one browser only; this needs an account."""

    status = 403
    code = "members-only"
    title = "Sign up first"


class NoSuchQuestion(Refusal):
    """There is no friendship to answer or to end, or it has ended meanwhile."""

    status = 409
    code = "no-such-question"
    title = "Too late"


class KeyUsedAgain(Refusal):
    """Under this key something else was asked for before."""

    status = 422
    code = "key-used-again"
    title = "Sent before with something else"

    def __init__(self) -> None:
        super().__init__(
            "Something else was sent with this form, or key, before, and stands as it is. To do "
            "this as well, load the page again, or choose a new key."
        )


class ScopeMissing(Refusal):
    """The token may do less than this needs. Make one with the scope that “needed” names."""

    status = 403
    code = "scope-missing"
    title = "The token may not do this"


class NameTaken(Refusal):
    """There is one of that name already."""

    status = 409
    code = "name-taken"
    title = "There is one of that name"


class TooManyTokens(Refusal):
    """Nobody needs so many tokens. End one that no program uses any more."""

    status = 409
    code = "too-many-tokens"
    title = "Too many tokens"
