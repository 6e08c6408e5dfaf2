"""Light, dark or as the device says: the choice is kept in a cookie and with the person.

The cookie comes first (it belongs to this device), and because the server reads it, a page arrives
in its right colours at once.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

THEMES = ("auto", "light", "dark")
COOKIE = "riffle_theme"
ONE_YEAR = 365 * 24 * 60 * 60


def current_theme(request: HttpRequest) -> str:
    """The theme for this request; anything unknown counts as "auto"."""
    chosen = request.COOKIES.get(COOKIE, "")
    if chosen in THEMES:
        return chosen
    user = getattr(request, "user", None)
    stored = getattr(user, "theme", "auto") if user is not None else "auto"
    return stored if stored in THEMES else "auto"


def remember_theme(response: HttpResponse, theme: str, *, secure: bool) -> None:
    """Keep the choice on this device for a year."""
    response.set_cookie(
        COOKIE, theme, max_age=ONE_YEAR, samesite="Lax", secure=secure, httponly=True
    )
