"""Browsers: what they are called, and which of them somebody has logged in with before."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from accounts.models import User

# The first that fits: each also claims to be those below it.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)
_COOKIE = "riffle_device"
_SALT = "accounts.queries.devices"
_TWO_YEARS = 2 * 365 * 24 * 60 * 60
_MAX_PEOPLE = 10


def described(user_agent: str) -> str:
    """A browser in words, such as “Firefox on Windows”."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or user_agent.partition("/")[0][:40] or "Unknown browser"


def people_of(request: HttpRequest) -> list[str]:
    """Marks of those who have logged in with this browser, latest first."""
    cookie = request.get_signed_cookie(_COOKIE, "", salt=_SALT)
    return cookie.split(" ") if cookie else []


def is_known(request: HttpRequest, user: User) -> bool:
    """True if this person has logged in with this browser, and nowhere ended everything since."""
    return _mark(user) in people_of(request)


def remember(response: HttpResponse, request: HttpRequest, user: User) -> None:
    """Know the browser by the next time. It stays logged out all the same."""
    others = [mark for mark in people_of(request) if mark.partition(".")[0] != str(user.pk)]
    marks = [_mark(user), *others][:_MAX_PEOPLE]
    response.set_signed_cookie(
        _COOKIE,
        " ".join(marks),
        salt=_SALT,
        max_age=_TWO_YEARS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def _mark(user: User) -> str:
    return f"{user.pk}.{user.times_logged_out_everywhere}"
