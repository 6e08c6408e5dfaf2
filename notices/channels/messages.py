"""One message for all that somebody is to be told, in the shape that each receiver takes. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

SITE = "Riffle"
MAX_LINES = 10
"""So many matters are told one by one to people; of the others it is said how many they are."""
_MAX_LINES_PUSHED = 4
_LONGEST_LINE = 150


@dataclass(frozen=True, slots=True)
class Matter:
    """One notification; ``link`` is a whole address, ``name`` tells it from all others.

    ``until`` is the deadline on the person's own clock, for people; programs get ``deadline``.
    """

    name: str
    kind: str
    text: str
    link: str
    match: str = ""
    deadline: datetime | None = None
    until: str = ""

    @property
    def sentences(self) -> str:
        """The text for people, cut if it is long, with the deadline."""
        text = _cut(self.text)
        return f"{text} You have until {self.until}." if self.until else text


@dataclass(frozen=True, slots=True)
class Message:
    """The notifications that one person gets in one message, and a link to all of them."""

    type: str
    person: str
    matters: Sequence[Matter]
    link: str
    at: datetime

    @property
    def topic(self) -> str:
        """A message takes the place of the one before with the same; a test takes nobody's."""
        return "test" if self.type.endswith(".test") else "riffle"

    @property
    def headline(self) -> str:
        """All of it in one line."""
        if len(self.matters) == 1:
            return self.matters[0].text
        return f"You have {len(self.matters)} notifications on {SITE}."


def for_browser(message: Message) -> bytes:
    """The data for the service worker (``static/js/service-worker.js``)."""
    single = len(message.matters) == 1
    if single:
        lines = [message.matters[0].sentences]
    else:
        lines = _lines([_cut(matter.text) for matter in message.matters], _MAX_LINES_PUSHED)
    data = {
        "title": SITE if single else message.headline,
        "body": "\n".join(lines),
        "link": message.matters[0].link if single else message.link,
        "tag": message.topic,
    }
    return _json(data)


def for_discord(message: Message) -> bytes:
    """Discord's form; nobody is called by what somebody's name may look like."""
    lines = [f"[{_plain(matter.sentences)}](<{matter.link}>)" for matter in _first(message)]
    text = _whole(message, lines, most=2000)
    return _json({"content": text, "allowed_mentions": {"parse": []}})


def for_slack(message: Message) -> bytes:
    """Slack's form."""
    lines = [f"<{matter.link}|{_harmless(matter.sentences)}>" for matter in _first(message)]
    return _json({"text": _whole(message, lines, most=4000)})


def for_ntfy(message: Message) -> bytes:
    """Plain text, as ntfy takes it at a topic's address; above 4096 bytes it would be a file."""
    lines = [f"{matter.sentences}\n{matter.link}" for matter in _first(message)]
    text = _whole(message, lines, most=1300)
    return text.encode()


def for_telegram(message: Message) -> bytes:
    """The body of ``sendMessage``; the chat's ID stands in the address."""
    lines = [f"{matter.sentences}\n{matter.link}" for matter in _first(message)]
    return _json({"text": _whole(message, lines, most=4096)})


def for_program(message: Message) -> bytes:
    """Everything, for a program; docs/web-hooks.md tells its members."""
    notices = [
        {
            "kind": matter.kind,
            "text": matter.text,
            "link": matter.link,
            "match": matter.match or None,
            "deadline": matter.deadline and matter.deadline.isoformat(),
        }
        for matter in message.matters
    ]
    data = {"person": message.person, "notices": notices}
    return _json({"type": message.type, "timestamp": message.at.isoformat(), "data": data})


def _first(message: Message) -> Sequence[Matter]:
    return message.matters[:MAX_LINES]


def _whole(message: Message, lines: Sequence[str], *, most: int) -> str:
    """The lines, as many as fit, and how many more there are."""
    total = len(message.matters)
    fitting = list(lines)
    while True:
        rest = [f"and {total - len(fitting)} more"] if len(fitting) < total else []
        text = "\n".join([*fitting, *rest])
        if len(text) <= most or not fitting:
            return text
        fitting.pop()


def _lines(lines: Sequence[str], most: int) -> list[str]:
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"and {len(lines) - most + 1} more"]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"


def _plain(text: str) -> str:
    """Without what Discord would take for markup."""
    return re.sub(r"([\\*_~`|\[\]()<>#@:-])", r"\\\1", text)


def _harmless(text: str) -> str:
    """Without what Slack would take for markup; names of groups need these signs, too."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
