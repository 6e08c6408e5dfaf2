"""Refusals: what was wrong, in a sentence, with the HTTP status that says the same.

Services and queries of every app raise them; pages, the API and the streams of live updates show
them without being asked to (``config.middleware.Refusals``, ``config.problems``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class Refusal(Exception):
    """Something that was asked for is refused; nothing was changed.

    ``code`` names the situation for programs, ``title`` for people; ``str(error)`` is the sentence
    for this very case and ``extra`` what a program may want to know besides. ``retry_after`` is in
    how many seconds it may go, where that is known.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "refused"
    title: ClassVar[str] = "Refused"
    retry_after: int | None = None

    def __init__(self, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra: Mapping[str, Any] = extra


class NotLoggedIn(Refusal):
    """This is about yourself, or for those who are logged in. Log in, or send a token of yours."""

    status = 401
    code = "not-logged-in"
    title = "Not logged in"


class NotConfirmed(Refusal):
    """This concerns all that is yours, so it needs your password, and a code if you use codes."""

    status = 403
    code = "not-confirmed"
    title = "Not confirmed"


class TooManyPasswords(Refusal):
    """Wrong passwords and codes are counted, for an account and the address they come from."""

    status = 429
    code = "too-many-passwords"
    title = "Too many wrong passwords"
    retry_after = 5 * 60

    def __init__(self) -> None:
        super().__init__("Too many wrong passwords or codes. Wait a few minutes and try again.")


class NotSure(Refusal):
    """What cannot be taken back is done only where “sure” is true."""

    status = 422
    code = "not-sure"
    title = "Not sure"


class NotAllowed(Refusal):
    """This person may not do this here."""

    status = 403
    code = "not-allowed"
    title = "Not allowed"


class TooMuchWork(Refusal):
    """One person, or one address without a login, has had much computed within a short time."""

    status = 429
    code = "too-much-work"
    title = "One moment, please"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "You have asked for much that takes long to compute. "
            f"Try again in {seconds} second{'' if seconds == 1 else 's'}."
        )
        self.retry_after = seconds


class TooManyDownloads(Refusal):
    """One person, or one address without a login, downloads several files at once already."""

    status = 429
    code = "too-many-downloads"
    title = "Too many downloads at once"
    retry_after = 10

    def __init__(self) -> None:
        super().__init__(
            "Other downloads of yours are still under way. Wait until one of them is complete, "
            "then try again."
        )


class DownloadsBusy(Refusal):
    """As many files are being made as the site makes at once."""

    status = 503
    code = "downloads-busy"
    title = "Many downloads at once"
    retry_after = 10

    def __init__(self) -> None:
        super().__init__("Many people are downloading files now. Try again in a moment.")


class TooManyGuests(Refusal):
    """One address has brought more guests within an hour than a household would."""

    status = 429
    code = "too-many-guests"
    title = "Too many guests from this address"
    retry_after = 60 * 60

    def __init__(self) -> None:
        super().__init__(
            "Many guests came from this address within the last hour. "
            "Log in or sign up, or try again in an hour."
        )


class AlreadyMember(Refusal):
    """The guest has become a member meanwhile, in another tab."""

    status = 409
    code = "already-member"
    title = "Signed up already"

    def __init__(self) -> None:
        super().__init__("You have already signed up in another tab.")


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


class Blocked(Refusal):
    """One of the two has blocked the other, and this needs both."""

    status = 403
    code = "blocked"
    title = "Not with this person"


class NotYourself(Refusal):
    """Whoever is meant has to be somebody else."""

    status = 422
    code = "not-yourself"
    title = "That is you"


class TooManyBlocks(Refusal):
    """Nobody needs so many blocks. End one that you do not need."""

    status = 409
    code = "too-many-blocks"
    title = "Too many blocks"


class MayNotWrite(Refusal):
    """The moderators have asked this person to write nothing for some days; “until” says when."""

    status = 403
    code = "may-not-write"
    title = "You cannot write now"


class TooMuchTalk(Refusal):
    """More lines within a minute than anybody reads. Wait a moment."""

    status = 429
    code = "too-much-talk"
    title = "One moment, please"
    retry_after = 60


class TooManyReports(Refusal):
    """More reports within a day than one person can need."""

    status = 429
    code = "too-many-reports"
    title = "Too many reports"
    retry_after = 24 * 60 * 60


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


class UnknownMember(Refusal):
    """The body has members that this operation does not know; “errors” names them.

    Nothing was done. The API's document lists the members of each body.
    """

    status = 422
    code = "unknown-member"
    title = "Unknown member"

    def __init__(self, names: Sequence[str], known: Sequence[str]) -> None:
        may_be = f"What may be sent: {', '.join(known)}." if known else "It takes no members."
        super().__init__(
            f"“{names[0]}” is not known here. {may_be}",
            errors={name: ["Unknown member."] for name in names},
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
