"""Codes of refusals: programs branch on them, so they stay what they are."""

from __future__ import annotations

from core.errors import NotLoggedIn, Refusal


def test_a_code_is_the_class_name_in_kebab_case() -> None:
    class NoHTTPAnswer(Refusal):
        """Made for this test."""

    assert (NoHTTPAnswer.code, NotLoggedIn.code) == ("no-http-answer", "not-logged-in")


def test_a_class_may_have_a_code_of_its_own_and_passes_it_to_nobody() -> None:
    class Gone(Refusal):
        """Made for this test."""

        code = "was-here"

    class LongGone(Gone):
        """Made for this test."""

    assert (Gone.code, LongGone.code) == ("was-here", "long-gone")
