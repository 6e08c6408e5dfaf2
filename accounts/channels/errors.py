"""Refusals of this package."""

from __future__ import annotations

from accounts.errors import Refusal


class BadAddress(Refusal):
    """Riffle calls public servers over HTTPS, and nothing else. Give another address."""

    status = 400
    code = "bad-address"
    title = "That address cannot be called"


class NoHook(Refusal):
    """There is no web hook; save one first."""

    status = 404
    code = "no-hook"
    title = "No web hook"

    def __init__(self) -> None:
        super().__init__("You have no web hook. Save one first.")


class TooManyTests(Refusal):
    """A web hook is tried when it is saved and when a test is asked for: thirty times an hour."""

    status = 429
    code = "too-many-tests"
    title = "Too many tests"
    retry_after = 60 * 60

    def __init__(self) -> None:
        super().__init__("You have tried a web hook thirty times within an hour. Wait an hour.")
