#!/usr/bin/env python3
"""A program that plays a whole match of Riffle by its API, with nothing but Python.

    python3 play.py http://localhost:8000 [game] [mode]

It plays against the game's bot and answers each question with a random option. RIFFLE_TOKEN holds
a token of yours ("API tokens" on your profile); without one it plays as a new guest. Say on the
profile, or with PATCH /api/me/, that a program plays for the account: others want to know.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request


class Api:
    """The API, for one account. What is refused for a moment is asked again after it."""

    def __init__(self, site: str, token: str = "") -> None:
        self.site = site.rstrip("/")
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Token {token}"

    def open(self, method: str, path: str, body: object = None, timeout: float = 60):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310
            self.site + path, data=data, headers=self.headers, method=method
        )
        return urllib.request.urlopen(request, timeout=timeout)  # noqa: S310

    def call(self, method: str, path: str, body: object = None):
        while True:
            try:
                with self.open(method, path, body) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                wait = error.headers.get("Retry-After")
                if error.code not in (429, 503) or wait is None:
                    raise SystemExit(f"{method} {path}: {error.read().decode()}") from error
                time.sleep(int(wait))

    def wait(self, seconds: float = 15) -> None:
        """Wait until something is new for this account, or for so long."""
        end = time.monotonic() + seconds
        try:
            with self.open("GET", "/events/me/", timeout=seconds) as stream:
                for line in stream:
                    if line.startswith(b"data:") or time.monotonic() > end:
                        return
        except OSError:  # nothing came in time, or the line broke: look again all the same
            time.sleep(min(1.0, seconds))


def play(api: Api, game: str, mode: str) -> dict:
    """Play one match to its end; gives its result."""
    seats = [{"kind": "person"}, {"kind": "bot"}]
    match = api.call("POST", "/api/matches/", {"game": game, "mode": mode, "seats": seats})
    address = f"/api/matches/{match['slug']}"
    print(f"Playing {api.site}/matches/{match['slug']}/")
    while True:
        state = api.call("GET", f"{address}/state/")
        if state["status"] != "running":
            return api.call("GET", f"{address}/result/")
        prompt = state["prompt"]
        if prompt is None:
            api.wait(2)  # the bot is thinking
            continue
        option = random.choice(prompt["options"])
        print(f"{prompt['question']} {option['label']}")
        api.call("POST", f"{address}/moves/", {"prompt": prompt["id"], "move": option["move"]})


def main(site: str = "http://localhost:8000", game: str = "", mode: str = "") -> None:
    api = Api(site, os.environ.get("RIFFLE_TOKEN", ""))
    if "Authorization" not in api.headers:
        api = Api(site, api.call("POST", "/api/guests/")["token"])
        api.call("PATCH", "/api/me/", {"is_bot": True})
    if not game:
        games = api.call("GET", "/api/games/")
        game = (games["results"] if isinstance(games, dict) else games)[0]["slug"]
    if not mode:
        modes = api.call("GET", f"/api/games/{game}/")["modes"]
        mode = next(mode["slug"] for mode in modes if 2 in mode["seats"] and mode["playable"])
    result = play(api, game, mode)
    ranking = sorted(result["seats"], key=lambda seat: seat["rank"])
    print("The end: " + ", ".join(f"{seat['rank']}. {seat['name']}" for seat in ranking))


if __name__ == "__main__":
    main(*sys.argv[1:])
