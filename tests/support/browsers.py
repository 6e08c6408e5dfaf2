"""The browser's side of web push: a key of its own, and the reading of what was sealed for it.

Written from RFC 8291 and RFC 8188 with HMAC alone, so that it shares nothing with the sender.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).digest()


@dataclass(frozen=True)
class Subscription:
    """What a browser makes when it subscribes; ``key`` and ``auth`` are told to the site."""

    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def key(self) -> str:
        return encoded(self._point)

    @property
    def auth(self) -> str:
        return encoded(self.secret)

    @property
    def _point(self) -> bytes:
        public = self.private.public_key()
        return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, message: bytes) -> bytes:
        """What was sealed; ``InvalidTag`` where it was for another browser."""
        salt, size, length = message[:16], int.from_bytes(message[16:20], "big"), message[20]
        sender, record = message[21 : 21 + length], message[21 + length :]
        assert len(record) <= size, "one record"
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\0" + self._point + sender + b"\1"
        material = _mac(salt, _mac(_mac(self.secret, shared), info))
        key = _mac(material, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = _mac(material, b"Content-Encoding: nonce\0\1")[:12]
        text = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert text.endswith(b"\2"), "the last record"
        return text[:-1]
