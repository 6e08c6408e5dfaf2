"""Refusals: a sentence, a status and a code. Pages, the API and streams show them alike.

Services and queries of every app raise them (``config.middleware.Refusals``, ``config.problems``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Refusal(Exception):
    """Something that was asked for is refused; nothing was changed.

    ``code`` names the situation for programs (the class's name in kebab-case, unless the class
    has one of its own), ``title`` for people; ``str(error)`` is the sentence
    for this very case and ``extra`` what a program may want to know besides. ``retry_after`` is in
    how many seconds it may go, where that is known.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "refused"
    title: ClassVar[str] = "Refused"
    retry_after: int | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "code" not in vars(cls):
            cls.code = _WORD_START.sub("-", cls.__name__).lower()

    def __init__(self, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra: Mapping[str, Any] = extra


class NotLoggedIn(Refusal):
    """This is about yourself, or for those who are logged in. Log in, or send a token of yours."""

    status = 401
    title = "Not logged in"


class NotAllowed(Refusal):
    """This person may not do this here."""

    status = 403
    title = "Not allowed"


class TooMuchWork(Refusal):
    """One person, or one address without a login, has had much computed within a short time."""

    status = 429
    title = "Too many requests"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "Your last requests took the site a long time to compute. "
            f"Try again in {seconds} second{'' if seconds == 1 else 's'}."
        )
        self.retry_after = seconds


class TooManyDownloads(Refusal):
    """One person, or one address without a login, downloads several files at once already."""

    status = 429
    title = "Too many downloads at once"
    retry_after = 10

    def __init__(self) -> None:
        super().__init__(
            "Your other downloads are still running. Wait until one of them is complete, "
            "then try again."
        )


class DownloadsBusy(Refusal):
    """As many files are being made as the site makes at once."""

    status = 503
    title = "Downloads are busy"
    retry_after = 10

    def __init__(self) -> None:
        super().__init__("Many people are downloading files now. Try again in a moment.")


class KeyUsedAgain(Refusal):
    """Under this key something else was asked for before."""

    status = 422
    title = "Already sent"

    def __init__(self) -> None:
        super().__init__(
            "This form, or key, was already used for another request. To make a new one, reload "
            "the page, or choose a new key."
        )


class UnknownMember(Refusal):
    """The body has members that this operation does not know; “errors” names them.

    Nothing was done. The API's document lists the members of each body.
    """

    status = 422
    title = "Unknown member"

    def __init__(self, names: Sequence[str], known: Sequence[str]) -> None:
        may_be = f"What may be sent: {', '.join(known)}." if known else "It takes no members."
        super().__init__(
            f"“{names[0]}” is not known here. {may_be}",
            errors={name: ["Unknown member."] for name in names},
        )
