"""Messages to browsers: sealed as RFC 8291 says, signed as RFC 8292 says."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from config import embedded
from notices.channels import push
from tests.support.browsers import Subscription, decoded, encoded

# RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
THEIRS = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
OURS = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
    "lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
    "a-fN"
)


def _private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), ec.SECP256R1())


def test_the_example_of_the_specification() -> None:
    theirs = _private(THEIRS).public_key()
    sealed = push._sealed(PLAIN, theirs, decoded(SECRET), _private(OURS), decoded(SALT))
    assert encoded(sealed) == SEALED
    browser = Subscription(_private(THEIRS), decoded(SECRET))
    assert browser.read(decoded(SEALED)) == PLAIN, "what the other tests read with"


@pytest.mark.parametrize("text", [b"", b"{}", "„Zug“".encode(), b"a" * push.MAX_TEXT])
def test_only_the_browser_reads_it(text: bytes) -> None:
    browser = Subscription()
    sealed = push.sealed(text, key=browser.key, auth=browser.auth)
    assert len(sealed) <= 4096
    assert browser.read(sealed) == text
    assert push.sealed(text, key=browser.key, auth=browser.auth) != sealed
    with pytest.raises(InvalidTag):
        Subscription(secret=browser.secret).read(sealed)
    with pytest.raises(InvalidTag):
        Subscription(browser.private, os.urandom(16)).read(sealed)


def test_what_does_not_fit_is_refused() -> None:
    browser = Subscription()
    with pytest.raises(ValueError, match="more than"):
        push.sealed(b"a" * (push.MAX_TEXT + 1), key=browser.key, auth=browser.auth)


def test_the_signature_names_the_service_and_us(settings: Any) -> None:
    settings.SITE_URL = "https://cards.example.org:8443"
    headers = push.headers("https://push.example.org:444/v1/abc?x=1", "riffle")
    assert Vapid02.verify(headers["Authorization"])
    token, key = headers["Authorization"].removeprefix("vapid t=").split(",k=")
    claims = json.loads(decoded(token.split(".")[1]))
    assert claims["aud"] == "https://push.example.org:444"
    assert claims["sub"] == "https://cards.example.org:8443"
    assert key == push.public_key() and len(decoded(key)) == 65
    settings.SITE_URL = "http://localhost:8000"
    settings.DEFAULT_FROM_EMAIL = "Riffle <riffle@localhost>"
    token = push.headers("https://push.example.org/", "riffle")["Authorization"].split(".")[1]
    assert json.loads(decoded(token))["sub"] == "mailto:riffle@localhost"


def test_keys_that_are_none() -> None:
    good = Subscription()
    assert push.browser_key(good.key) and push.is_secret(good.auth)
    point = base64.urlsafe_b64encode(b"\4" + b"\1" * 64).decode()
    for text in ("", "x", "ä", point, good.key[:-4], good.auth):
        with pytest.raises(ValueError):
            push.browser_key(text)
    assert not any(map(push.is_secret, ("", "x", "ä", good.auth[:-3], good.key)))


def test_of_two_first_starts_at_once_one_key_wins(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from config import embedded; sys.stdin.read(1);"
        "print(embedded.push_key(pathlib.Path(sys.argv[1])))"
    )
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    keys = {start.communicate("x")[0].strip() for start in starts}
    assert keys == {embedded.push_key(tmp_path)}
    (file,) = tmp_path.iterdir()
    assert file.name == "push-key" and file.stat().st_mode & 0o777 == 0o600
    assert len(decoded(keys.pop())) == 32
