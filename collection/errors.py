"""Refusals of the collection; pages and the API show them alike."""

from __future__ import annotations

from core.errors import Refusal


class NotFound(Refusal):
    """The object does not exist, or this person may not see it."""

    status = 404
    title = "Not found"


class NotEnoughCards(Refusal):
    """Somebody does not have the cards that were to move; ``extra`` names them."""

    status = 409
    title = "Not enough cards"


class TooLate(Refusal):
    """Meanwhile something else has happened to it: look at it again."""

    status = 409
    title = "Too late"


class Unacceptable(Refusal):
    """A request that cannot be done like this; the sentence says what can."""

    status = 422
    title = "Not possible"


class TooMany(Refusal):
    """A limit is reached; the sentence says which and when it ends."""

    status = 429
    title = "Too many"


class TooManyPictures(Refusal):
    """New pictures are limited, for an address and for the whole site. Wait a minute."""

    status = 429
    title = "Too many new pictures"
    retry_after = 60

    def __init__(self) -> None:
        super().__init__("Too many new pictures in a minute. Try again in a minute.")


class PicturesBusy(Refusal):
    """Other pictures are being rendered. Try again in a moment."""

    status = 503
    title = "Busy"
    retry_after = 2

    def __init__(self) -> None:
        super().__init__("Other pictures are being rendered. Try again in a moment.")
