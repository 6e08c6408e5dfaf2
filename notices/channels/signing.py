"""Signatures after the Standard Webhooks specification; docs/web-hooks.md tells receivers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

MARK = "whsec_"
_BYTES = 32


def new_secret() -> str:
    """A secret that a hook and its receiver share."""
    return MARK + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def signed(*, secret: str, message: str, timestamp: int, body: bytes) -> dict[str, str]:
    """The three headers of a message: its name, when it is sent, and the signature of both."""
    key = base64.b64decode(secret.removeprefix(MARK))
    content = b".".join((message.encode(), str(timestamp).encode(), body))
    signature = base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
    return {
        "webhook-id": message,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }
