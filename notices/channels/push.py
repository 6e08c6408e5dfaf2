"""Messages to a browser's push service: signed by this site (VAPID), sealed for the browser.

The sealing is RFC 8291 in the one form that browsers take (RFC 8188's ``aes128gcm`` in one record).
``docs/decisions/0014-calls-of-addresses-that-strangers-give.md`` says why it stands here.
"""

from __future__ import annotations

import base64
import binascii
import os
import time
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

RECORD = 4096
"""Push services take no more than this; a message has to fit into one record with all around it."""
MAX_TEXT = RECORD - 86 - 17
"""Of that, the head (salt, size, key) and the tail (mark, seal) take their parts."""
_SIGNED_FOR = 12 * 60 * 60
_KEPT_FOR = 24 * 60 * 60
"""So long a push service keeps what it cannot deliver."""


def public_key() -> str:
    """The public key by which a browser knows this site."""
    return _text(_point(_site().public_key))


@cache
def _site() -> Vapid02:
    site = Vapid02.from_raw(settings.PUSH_KEY.encode())
    site.conf["no-strict"] = True  # its pattern knows no ports
    return site


def headers(endpoint: str, topic: str) -> dict[str, str]:
    """The headers of a sealed message to this address.

    Of what the push service keeps, a newer message of a topic takes the older one's place.
    """
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": _contact(),
        "exp": int(time.time()) + _SIGNED_FOR,
    }
    return {
        **_site().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_KEPT_FOR),
        "Topic": topic,
        "Urgency": "normal",
    }


def _contact() -> str:
    """Whom a push service may write to if something is wrong with our messages."""
    site: str = settings.SITE_URL
    if site.startswith("https://"):
        return site
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


def sealed(text: bytes, *, key: str, auth: str) -> bytes:
    """The text as only the browser of this key and secret can read it."""
    theirs, secret = browser_key(key), _bytes(auth)
    ours = ec.generate_private_key(ec.SECP256R1())
    return _sealed(text, theirs, secret, ours, os.urandom(16))


def _sealed(
    text: bytes,
    theirs: ec.EllipticCurvePublicKey,
    secret: bytes,
    ours: ec.EllipticCurvePrivateKey,
    salt: bytes,
) -> bytes:
    if len(text) > MAX_TEXT:
        raise ValueError(f"{len(text)} bytes are more than the {MAX_TEXT} of a push message.")
    mine = _point(ours.public_key())
    info = b"WebPush: info\0" + _point(theirs) + mine
    key = _derived(ours.exchange(ec.ECDH(), theirs), salt=secret, info=info, length=32)
    content_key = _derived(key, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
    nonce = _derived(key, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
    head = salt + RECORD.to_bytes(4, "big") + len(mine).to_bytes(1, "big") + mine
    # The mark of the last record; nothing is added to hide the length.
    return head + AESGCM(content_key).encrypt(nonce, text + b"\x02", None)


def _derived(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def browser_key(text: str) -> ec.EllipticCurvePublicKey:
    """A browser's public key as it tells it (``p256dh``); ``ValueError`` for anything else."""
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(text))
    except UnsupportedAlgorithm as error:
        raise ValueError("not a point of the curve") from error


def is_secret(text: str) -> bool:
    """True if this can be a browser's secret (``auth``): 16 bytes."""
    try:
        return len(_bytes(text)) == 16
    except ValueError:
        return False


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError("not in base64url") from error
