"""Refusals of this package."""

from __future__ import annotations

from core.errors import Refusal


class BadAddress(Refusal):
    """Riffle calls public servers over HTTPS, and nothing else. Give another address."""

    status = 400
    title = "That address cannot be called"


class NoHook(Refusal):
    """No webhook is set up; save one first."""

    status = 404
    title = "No webhook"

    def __init__(self) -> None:
        super().__init__("You have no webhook. Save one first.")


class NoBrowser(Refusal):
    """No browser takes messages for this person; one is switched on by itself."""

    status = 404
    title = "No browser"

    def __init__(self) -> None:
        super().__init__("No browser of yours is switched on. Switch this one on first.")


class TooManyTests(Refusal):
    """Tests of web hooks, one when it is saved among them, and of browsers: ten an hour.

    People who come from one address have twenty together.
    """

    status = 429
    title = "Too many tests"
    retry_after = 60 * 60

    def __init__(self) -> None:
        super().__init__(
            "Many tests were asked for within the last hour, by you or from your address. "
            "Wait an hour."
        )
