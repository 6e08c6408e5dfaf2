"""One message for all, in each receiver's form."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from notices.channels import messages, push
from notices.channels.messages import Matter, Message

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
ONE = Matter("1@x", "your_turn", "It is your turn.", "https://r.example/m/", "m", AT)
NASTY = replace(ONE, name="2@x", text="@everyone <!here> [x](https://evil.example) *b* & <b|c>")


def message(*matters: Matter) -> Message:
    return Message("notices.due", "ann", matters, "https://r.example/all/", AT)


def read(body: bytes) -> Any:
    return json.loads(body)


def test_one_matter_is_told_as_it_is_and_leads_there() -> None:
    assert read(messages.for_browser(message(ONE))) == {
        "title": "Riffle",
        "body": "It is your turn.",
        "link": "https://r.example/m/",
        "tag": "riffle",
    }
    assert read(messages.for_slack(message(ONE)))["text"] == (
        "<https://r.example/m/|It is your turn.>"
    )
    assert messages.for_ntfy(message(ONE)).decode() == "It is your turn.\nhttps://r.example/m/"
    assert read(messages.for_telegram(message(ONE))) == {
        "text": "It is your turn.\nhttps://r.example/m/"
    }
    assert read(messages.for_program(message(ONE))) == {
        "type": "notices.due",
        "timestamp": "2026-11-21T12:00:00+00:00",
        "data": {
            "person": "ann",
            "notices": [
                {
                    "kind": "your_turn",
                    "text": "It is your turn.",
                    "link": "https://r.example/m/",
                    "match": "m",
                    "deadline": "2026-11-21T12:00:00+00:00",
                }
            ],
        },
    }


def test_many_matters_are_one_message_and_lead_to_the_list() -> None:
    many = message(*[replace(ONE, text=f"Table {n} waits.") for n in range(30)])
    pushed = read(messages.for_browser(many))
    assert pushed["title"] == "You have 30 notifications on Riffle."
    assert pushed["body"].splitlines()[0] == "Table 0 waits."
    assert pushed["body"].splitlines()[3:] == ["and 27 more"]
    assert pushed["link"] == "https://r.example/all/"
    assert read(messages.for_discord(many))["content"].splitlines()[-1] == "and 20 more"
    assert read(messages.for_slack(many))["text"].splitlines()[-1] == "and 20 more"
    assert len(read(messages.for_program(many))["data"]["notices"]) == 30


def test_people_read_the_deadline_on_their_own_clock_and_programs_the_moment() -> None:
    until = "Sat 21 November, 13:00 (Europe/Berlin)"
    due = message(replace(ONE, until=until))
    sentences = f"It is your turn. You have until {until}."
    assert read(messages.for_browser(due))["body"] == sentences
    assert messages.for_ntfy(due).decode() == f"{sentences}\nhttps://r.example/m/"
    assert sentences in read(messages.for_slack(due))["text"]
    (notice,) = read(messages.for_program(due))["data"]["notices"]
    assert (notice["text"], notice["deadline"]) == ("It is your turn.", AT.isoformat())


def test_names_call_nobody_and_are_no_markup() -> None:
    sent = read(messages.for_discord(message(NASTY)))
    assert sent["allowed_mentions"] == {"parse": []}
    assert "\\@everyone \\<\\!here" not in sent["content"]  # "!" is no markup
    assert "\\@everyone \\<!here\\> \\[x\\]\\(https\\://evil.example\\) \\*b\\*" in sent["content"]
    assert sent["content"].endswith("](<https://r.example/m/>)")
    text = read(messages.for_slack(message(NASTY)))["text"]
    assert "&lt;!here&gt;" in text and "&amp; &lt;b¦c&gt;>" in text
    assert text.count("<") == text.count("|") == 1


def test_the_longest_messages_fit() -> None:
    long = replace(ONE, text="ä—" * 150, link="https://r.example/" + "m" * 300)
    many = message(*[long] * 100)
    assert len(messages.for_browser(many)) <= push.MAX_TEXT
    assert len(messages.for_browser(message(long))) <= push.MAX_TEXT
    discord = read(messages.for_discord(many))["content"]
    assert len(discord) <= 2000 and discord.endswith("more")
    assert len(messages.for_ntfy(many)) <= 4096
    assert len(read(messages.for_telegram(many))["text"]) <= 4096
    slack = read(messages.for_slack(many))["text"]
    assert len(slack) <= 4000 and slack.splitlines()[-1].startswith("and ")
