"""Notices by mail: one for all that is due, as text and HTML, with a way out in one click."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from core.zones import zone_of
from notices.channels.registry import Unreachable
from notices.kinds import Kind
from notices.models.notices import Notice, Pace

_SALT = "notices.unsubscribe"
_NO_SUCH_ADDRESS = {550, 551, 553}
"""Refusals of a recipient that will not change, from servers that say no more than the number."""
_STATUS = re.compile(r"\b5\.\d\.\d{1,3}\b")
_ADDRESS_IS_WRONG = re.compile(r"5\.1\.\d+|5\.2\.1")
"""Status codes of an unknown or closed mailbox (RFC 3463)."""


class Mail:
    """To the person's confirmed main address."""

    slug = "mail"
    name = "Email"
    paces: Sequence[Pace] = (Pace.NOW, Pace.DAILY, Pace.NEVER)
    gives_up_after: timedelta | None = None
    calls_out = False
    waits_for_visit = True

    def reaches(self, person: User) -> bool:
        return settings.MAIL_IS_SENT and address_of(person) is not None

    def send(self, person: User, notices: Sequence[Notice], *, message_id: str) -> None:
        address = address_of(person)
        if address is None:
            raise Unreachable("You no longer have a confirmed email address.")
        message = message_for(person, address, notices, message_id=message_id)
        try:
            message.send()
        except smtplib.SMTPRecipientsRefused as refused:
            for code, reply in refused.recipients.values():
                _check_bounce(code, reply, address)
            raise
        except smtplib.SMTPDataError as refused:
            _check_bounce(refused.smtp_code, refused.smtp_error, address)
            raise


def address_of(person: User) -> str | None:
    """Where mails go: the main address, if its owner has confirmed it."""
    row = EmailAddress.objects.filter(user=person, primary=True, verified=True).first()
    return None if row is None else row.email


def message_for(
    person: User, address: str, notices: Sequence[Notice], *, message_id: str
) -> EmailMultiAlternatives:
    """The mail about these notices."""
    out = settings.SITE_URL + reverse("notices:unsubscribe", args=(unsubscribe_token(person),))
    context = {
        "person": person,
        "lines": [_line(notice, person) for notice in sorted(notices, key=_urgency)],
        "site": settings.SITE_URL,
        "settings_address": settings.SITE_URL + reverse("notices:list") + "#settings",
        "unsubscribe_address": out,
    }
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "riffle"
    message = EmailMultiAlternatives(
        subject(notices),
        render_to_string("accounts/email/notices.txt", context),
        to=[address],
        headers={
            # The same for the same notices: a repetition after a crash can be known for one.
            "Message-ID": f"<notices.{message_id}@{domain}>",
            "List-Unsubscribe": f"<{out}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(
        render_to_string("accounts/email/notices.html", context), "text/html"
    )
    return message


def subject(notices: Sequence[Notice]) -> str:
    """The subject line."""
    if len(notices) == 1:
        return " ".join(notices[0].full_text.split()).removesuffix(".")
    turns = [notice for notice in notices if notice.kind == Kind.YOUR_TURN]
    if not turns:
        return f"{len(notices)} notifications from Riffle"
    others = len(notices) - len(turns)
    words = f"Your turn in {len(turns)} match{'es' if len(turns) > 1 else ''}"
    if any(notice.told_as == Kind.TIME_IS_RUNNING_OUT for notice in turns):
        words = f"Time is running out: {words[0].lower()}{words[1:]}"
    if others:
        words += f", and {others} other notification{'s' if others > 1 else ''}"
    return words


def _urgency(notice: Notice) -> tuple[bool, float]:
    """Deadlines come first, the earliest at the top; the rest stays in its order."""
    deadline = notice.deadline_at
    return deadline is None, 0 if deadline is None else deadline.timestamp()


def _line(notice: Notice, person: User) -> dict[str, str]:
    until = "" if notice.deadline_at is None else until_when(notice.deadline_at, person)
    return {"text": notice.full_text, "until": until, "link": settings.SITE_URL + notice.link}


def until_when(moment: datetime, person: User) -> str:
    """A moment on the person's own clock: “Tue 24 November, 14:05 (Europe/Berlin)”."""
    zone = zone_of(person.time_zone)
    return f"{moment.astimezone(zone):%a %-d %B, %H:%M} ({zone.key})"


def unsubscribe_token(person: User) -> str:
    """A token that proves possession of a mail to this person. It never expires."""
    return signing.Signer(salt=_SALT).sign(str(person.pk))


def person_of_token(token: str) -> User | None:
    """Whose mails a link switches off; None for a link that is not one of ours."""
    try:
        key = int(signing.Signer(salt=_SALT).unsign(token))
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=key, is_active=True).first()


def _check_bounce(code: int, reply: bytes | str, address: str) -> None:
    """Raises ``Unreachable`` if a server says that there is nobody at this address.

    A refusal for the sender's sake (5.7.1), or of a full mailbox, does not concern the address: it
    is tried again.
    """
    words = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    status = _STATUS.search(words)
    if code < 500:
        return
    if _ADDRESS_IS_WRONG.fullmatch(status[0]) if status else code in _NO_SUCH_ADDRESS:
        raise Unreachable(f"Mail to {address} came back: {' '.join(words.split())}"[:300])
