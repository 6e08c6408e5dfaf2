"""Signatures of hooks, computed again from the words of the Standard Webhooks specification."""

from __future__ import annotations

import base64
import hashlib
import time
from typing import Any

from notices.channels import signing
from tests.conftest import ROOT


def independent(secret: str, message: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256 by its definition (RFC 2104), over id, timestamp and body with dots between."""
    key = base64.b64decode(secret.split("_", 1)[1])
    key = key.ljust(64, b"\0")
    inner = bytes(byte ^ 0x36 for byte in key)
    outer = bytes(byte ^ 0x5C for byte in key)
    text = f"{message}.{timestamp}.".encode() + body
    digest = hashlib.sha256(outer + hashlib.sha256(inner + text).digest()).digest()
    return "v1," + base64.b64encode(digest).decode()


def test_the_example_of_the_specification() -> None:
    headers = signing.signed(
        secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        message="msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp=1614265330,
        body=b'{"test": 2432232314}',
    )
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_another_computation_agrees() -> None:
    secret = signing.new_secret()
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    for body in (b"", b"{}", "„Zug“".encode(), b"a" * 5000):
        signed = signing.signed(secret=secret, message="m1", timestamp=7, body=body)
        assert signed["webhook-signature"] == independent(secret, "m1", 7, body)
    assert signing.new_secret() != secret


def test_the_example_of_the_page_checks_what_we_sign() -> None:
    page = (ROOT / "docs/web-hooks.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    example: dict[str, Any] = {}
    exec(code, example)
    check, secret, now = example["check"], signing.new_secret(), int(time.time())
    body = "{„Zug“}".encode()
    good = signing.signed(secret=secret, message="msg_1", timestamp=now, body=body)
    assert check(secret, good, body)
    assert check(secret, good | {"webhook-signature": f"v1,x {good['webhook-signature']}"}, body)
    assert not check(secret, good, body + b" ")
    assert not check(secret, good | {"webhook-id": "msg_2"}, body)
    assert not check(signing.new_secret(), good, body)
    old = signing.signed(secret=secret, message="msg_1", timestamp=now - 3600, body=body)
    assert not check(secret, old, body)
