"""Refusals about people: guests, friends, blocks, tokens, reports."""

from __future__ import annotations

from core.errors import Refusal


class NotConfirmed(Refusal):
    """This concerns all that is yours, so it needs your password, and a code if you use codes."""

    status = 403
    title = "Not confirmed"


class TooManyPasswords(Refusal):
    """Wrong passwords and codes are counted, for an account and the address they come from."""

    status = 429
    title = "Too many wrong passwords"
    retry_after = 5 * 60

    def __init__(self) -> None:
        super().__init__("Too many wrong passwords or codes. Wait a few minutes and try again.")


class NotSure(Refusal):
    """This can't be undone, so “sure” must be true."""

    status = 422
    title = "Not confirmed"


class TooManyGuests(Refusal):
    """One address has brought more guests within an hour than a household would."""

    status = 429
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
    title = "Signed up already"

    def __init__(self) -> None:
        super().__init__("You have already signed up in another tab.")


class UnknownPerson(Refusal):
    """There is nobody of that name, or nobody any more."""

    status = 404
    title = "Unknown user"


class MembersOnly(Refusal):
    """A guest is known to one browser only; this needs an account."""

    status = 403
    title = "Sign up first"


class NoFriendRequest(Refusal):
    """No such friend request or friendship; it may have ended meanwhile."""

    status = 409
    title = "Too late"


class Blocked(Refusal):
    """One of the two has blocked the other, and this needs both."""

    status = 403
    title = "Not available"


class NameRefused(Refusal):
    """A name that a seat or a log line can't show."""

    status = 422
    title = "Name not possible"


class NotYourself(Refusal):
    """Whoever is meant has to be somebody else."""

    status = 422
    title = "That is you"


class TooManyBlocks(Refusal):
    """Nobody needs so many blocks. End one that you do not need."""

    status = 409
    title = "Too many blocks"


class MayNotWrite(Refusal):
    """The moderators have asked this person to write nothing for some days; “until” says when."""

    status = 403
    title = "You cannot write now"


class TooMuchTalk(Refusal):
    """More lines within a minute than anybody reads. Wait a moment."""

    status = 429
    title = "One moment, please"
    retry_after = 60


class TooManyReports(Refusal):
    """More reports within a day than one person can need."""

    status = 429
    title = "Too many reports"
    retry_after = 24 * 60 * 60


class ScopeMissing(Refusal):
    """The token may do less than this needs. Make one with the scope that “needed” names."""

    status = 403
    title = "The token may not do this"


class NameTaken(Refusal):
    """The name is already taken."""

    status = 409
    title = "Name taken"


class TooManyTokens(Refusal):
    """Nobody needs so many tokens. End one that no program uses any more."""

    status = 409
    title = "Too many tokens"
