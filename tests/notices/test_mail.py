"""Notices by mail, to a real mail server: what is in them, the way out, bounces, a server away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from notices.channels import registry
from notices.channels.mail import Mail, unsubscribe_token
from notices.kinds import Kind
from notices.models import Notice, NoticeChannel
from notices.services import sending
from notices.services.notices import Turn, notify, tell_turns
from tests.notices.told import Clock
from tests.support.smtp import MailServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
    """The mail server of the site; mail is the only channel."""
    server = MailServer()
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.MAIL_IS_SENT = True
    settings.SITE_URL = "https://cards.example.org"
    monkeypatch.setattr(registry, "_channels", {"mail": Mail()})
    monkeypatch.setattr(sending, "_deadlines", [])
    yield server
    server.stop()


@pytest.fixture
def reachable(member: User) -> User:
    EmailAddress.objects.create(user=member, email=member.email, primary=True, verified=True)
    return member


def ask(person: User, match: str = "m1", deadline: datetime | None = None) -> None:
    turn = Turn(person.pk, f"It is your turn at {match}.", deadline=deadline)
    tell_turns(match, [turn], link=f"/play/{match}/")


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def test_a_mail_says_what_waits_and_how_to_get_no_more(
    server: MailServer, reachable: User, clock: Clock
) -> None:
    User.objects.filter(pk=reachable.pk).update(time_zone="Europe/Berlin")
    notify([reachable.pk], Kind.TRADE, text="<Ann> & Bob offer.", link="/collection/trades/x/")
    ask(reachable, "m2")
    ask(reachable, "m1", clock.now + timedelta(days=3))
    clock.pass_by(minutes=10)
    (mail,) = server.mails
    assert mail["To"] == "mira@example.org"
    assert mail["Subject"] == "Your turn in 2 matches, and 1 other notification"
    text = text_of(mail)
    for line in (
        "It is your turn at m1.",
        "You have until Tue 24 November, 13:00 (Europe/Berlin).",
        "https://cards.example.org/play/m2/",
        "<Ann> & Bob offer.",
        "https://cards.example.org/you/notices/#settings",
    ):
        assert line in text
    assert text.index("at m1.") < text.index("at m2."), "deadlines come first"
    html = text_of(mail, "html")
    assert "&lt;Ann&gt; &amp; Bob offer." in html
    assert 'href="https://cards.example.org/play/m1/"' in html
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    out = mail["List-Unsubscribe"].strip(" <>")
    assert out in text
    assert re.fullmatch(r"<notices\.[0-9a-f]{32}@[\w.]+>", mail["Message-ID"])


def test_a_reminder_says_in_its_subject_that_time_is_running_out(
    server: MailServer, reachable: User, clock: Clock
) -> None:
    ask(reachable, "m1", clock.now + timedelta(days=2))
    clock.pass_by(minutes=10)
    clock.pass_by(hours=24)
    subjects = [str(mail["Subject"]) for mail in server.mails]
    turn = "It is your turn at m1"
    assert subjects == [turn, f"Your time is running out. {turn}"]


def test_mails_stop_by_one_click_without_a_session(
    server: MailServer, reachable: User, clock: Clock
) -> None:
    """As RFC 8058 has it: a POST by the mail program, without cookies or a form of ours."""
    ask(reachable)
    clock.pass_by(minutes=10)
    address = server.mails[0]["List-Unsubscribe"].strip(" <>")
    path = address.removeprefix("https://cards.example.org")
    program = Client(enforce_csrf_checks=True)
    page = program.get(path)
    assert page.status_code == 200
    assert NoticeChannel.objects.get().pace == "now", "looking changes nothing: programs look, too"
    answer = program.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert NoticeChannel.objects.get().pace == "never"
    sending.note_visit(reachable.pk)
    ask(reachable, "m2")
    clock.pass_by(days=1)
    assert len(server.mails) == 1
    assert program.post(path).status_code == 200, "again changes nothing"


def test_a_link_that_is_not_ours_stops_nothing(client: Client, reachable: User) -> None:
    token = unsubscribe_token(reachable)
    for wrong in (token[:-1], "1:abc", f"1{token}", token.replace(":", "")):
        assert client.post(f"/notices/stop/{wrong}/").status_code == 404
    assert not NoticeChannel.objects.exists()


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("550 5.1.1 There is nobody of that name", True),
        ("550 No such user here", True),
        ("550 5.7.1 Relaying denied", False),
        ("552 5.2.2 Mailbox full", False),
        ("550 5.2.1 This mailbox is closed", True),
        ("450 4.2.0 Come back later", False),
        ("554 Go away", False),
    ],
)
def test_a_bounce_switches_mail_off_and_the_page_says_why(
    said: str, gone: bool, server: MailServer, reachable: User, clock: Clock, as_member: Client
) -> None:
    server.refuses["mira@example.org"] = said
    ask(reachable)
    clock.pass_by(minutes=10)
    row = NoticeChannel.objects.get()
    assert (row.pace == "never") == gone
    page = as_member.get("/you/notices/").content.decode()
    assert ("Turned off automatically" in page) == gone
    assert (said.partition(" ")[2] in page) == gone
    server.refuses.clear()
    clock.pass_by(hours=1)
    assert len(server.mails) == (0 if gone else 1)


def test_a_mail_server_that_is_away_delays_and_loses_nothing(
    server: MailServer, reachable: User, clock: Clock, settings: Settings
) -> None:
    settings.EMAIL_PORT = 9  # nobody listens there
    ask(reachable)
    for _ in range(9):
        clock.pass_by(minutes=5)
    assert server.mails == []
    ask(reachable, "m2")
    settings.EMAIL_PORT = server.port
    clock.pass_by(hours=1)
    clock.pass_by(hours=1)
    assert [mail["Subject"] for mail in server.mails] == ["Your turn in 2 matches"]


def test_only_a_confirmed_address_gets_mails(
    server: MailServer, member: User, clock: Clock
) -> None:
    EmailAddress.objects.create(user=member, email=member.email, primary=True, verified=False)
    ask(member)
    clock.pass_by(hours=1)
    assert server.mails == []
    EmailAddress.objects.update(verified=True)
    ask(member, "m2")
    clock.pass_by(minutes=10)
    assert [mail["Subject"] for mail in server.mails] == ["Your turn in 2 matches"]


def test_a_name_over_several_lines_forges_no_header(
    server: MailServer, reachable: User, clock: Clock
) -> None:
    notify([reachable.pk], Kind.CHAT, text="Ann:\r\nBcc: all@example.org", link="/play/m1/")
    clock.sweep()
    (mail,) = server.mails
    assert mail["Subject"] == "Ann: Bcc: all@example.org"
    assert mail["Bcc"] is None


def test_people_who_go_take_their_notices_along(reachable: User, clock: Clock) -> None:
    ask(reachable)
    reachable.delete()
    assert not Notice.objects.exists()
    assert sending.due_people(now=clock.now + timedelta(days=1)) == []


def test_a_page_is_a_visit_and_a_bell_that_rings_alone_is_none(
    server: MailServer, reachable: User, clock: Clock, as_member: Client
) -> None:
    """However short the time since the page before: what counts is what was sent between them."""
    ask(reachable)
    clock.later(minutes=9, seconds=58)
    as_member.get("/you/")
    clock.pass_by(seconds=2)
    assert len(server.mails) == 1
    ask(reachable, "m2")
    clock.later(seconds=2)
    as_member.get("/you/notices/bell/?at=/you/")
    clock.pass_by(hours=1)
    assert len(server.mails) == 1
    as_member.get("/you/")
    clock.pass_by(minutes=10)
    assert len(server.mails) == 2
