import time, json, pytest
from django.test import Client
from accounts.models import User
from tests.test_permissions import world
from tests.world import *
from tests.matches.conftest import api
from rules.testing import playable_modes
@pytest.mark.django_db
def test_probe(world):
    ann=world.ann
    def t(name, f):
        b=time.thread_time(); r=f(); body=b"".join(r.streaming_content) if r.streaming else r.content
        print(f"{(time.thread_time()-b)*1000:9.1f} ms {len(body)/1000:8.1f}KB {r.status_code} {name}")
        return r
    anon=Client(); a=api(ann); n=api()
    for kind in ("1 R{}","1 {}a","red claw {}","1 fla{}"):
        text="\n".join(kind.format(i) for i in range(7000))[:29_990]
        t(f"short {kind}", lambda: n.post("/api/decks/check/", {"game":GAME,"mode":MODE,"list":text}, format="json")); t(f"page short {kind}", lambda: anon.post("/decks/check/", {"play":f"{GAME}/{MODE}","text":text}))
        t(f"page import {kind}", lambda: a.post("/api/decks/import/", {"text":text}, format="json"))
    for lines in (200, 2000, 12000):
        text="\n".join(f"1 Rde Flmae x{i}" for i in range(lines))[:250_000]
        t(f"api/decks/check unknown {lines}", lambda: n.post("/api/decks/check/", {"game":GAME,"mode":MODE,"list":text}, format="json"))
        t(f"page decks/check {lines}", lambda: anon.post("/decks/check/", {"game":GAME,"mode":MODE,"play":f"{GAME}/{MODE}","text":text}))
    r=t("x", lambda: n.post("/api/decks/check/", {"game":GAME,"mode":MODE,"text":"1 Rde Flmae"}, format="json")); print(r.content[:300])
    for lines in (500, 2000, 9000, 50000):
        text="\n".join(f"1 Rde Flmae x{i}" for i in range(lines))
        r=t(f"api import deck {lines}", lambda: a.post("/api/decks/import/", {"text":text,"game":GAME,"mode":MODE}, format="json")); print(r.content[:200])
    for game, mode in playable_modes():
        r=t(f"random {game.slug} {mode.slug}", lambda: a.post("/api/decks/random/", {"game":game.slug,"mode":mode.slug}, format="json"))
        if r.status_code>=400: print(r.content[:200])
    cards={"main":{c:1 for c in list(__import__("rules").game(GAME).catalog)[:400]}}
    r=t("check many cards", lambda: n.post("/api/decks/check/", {"game":GAME,"mode":MODE,"deck":cards}, format="json")); print(r.content[:200])
    for path in ("/cards/?q="+"%20".join(f"w{i}" for i in range(200)), "/api/cards/?search="+"%20".join(f"w{i}" for i in range(200)),"/api/cards/?page_size=100000", "/decks/shared/?q="+"%20".join("ab" for i in range(300)), "/api/decks/shared/?page_size=1000","/api/matches/?page_size=100000","/api/collection/?page_size=100000"):
        t(path[:40], lambda: a.get(path))
