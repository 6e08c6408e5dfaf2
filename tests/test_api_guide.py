"""The example of docs/api.md is run as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

API = Path(__file__).parent.parent / "docs" / "api.md"


def script_with(word: str) -> str:
    """The page's only shell script that has ``word`` in it."""
    scripts = re.findall(r"```(?:bash|sh)\n(.*?)```", API.read_text(encoding="utf-8"), re.S)
    (result,) = [script for script in scripts if word in script]
    return str(result)


@pytest.mark.slow
def test_the_walk_through_with_curl_plays_a_whole_match(site: str) -> None:
    """On the site as ``make run`` starts it, where the worker plays the bot."""
    run = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script_with("/api/guests/")],
        env=os.environ | {"SITE": site},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    *moves, result = run.stdout.strip().splitlines()
    assert moves
    assert all(json.loads(move)["ply"] > 0 for move in moves), moves
    assert json.loads(result)["outcome"]["reason"] in {"last_standing", "turn_limit"}
