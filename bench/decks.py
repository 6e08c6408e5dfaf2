"""How fast decks are judged: one by one by the rules, and ten thousand through a deck check.

python -m bench.decks          (SQLite; with DATABASE_URL and REDIS_URL set, on those)
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import rules
from bench.tables import each, machine, show, table
from bench.web import site_of_its_own
from rules.engine.chance import Chance, named_seed
from rules.engine.deck_rules import DeckRules

SECONDS = 0.4
DECKS = 10_000
FIXED_DECKS = 40
TOY_CARDS = 200


def main() -> None:
    """Print the tables."""
    show("## Decks\n")
    show(f"{machine()}, one core; one check of a ready-made deck, seconds of processor time.\n")
    bare = each(lambda: sum(range(100)), seconds=SECONDS)
    rows: list[tuple[object, ...]] = [
        ("bare: sum of a hundred numbers", "", bare * 1e6, 1 / bare, "1.0")
    ]
    for game in rules.games().values():
        for deck in list(game.starter_decks.values())[:1]:
            mode, cards = deck.modes[0], deck.cards
            size = sum(sum(counts.values()) for counts in cards.values())
            took = each(lambda g=game, m=mode, c=cards: g.check_deck(m, c), seconds=SECONDS)
            name = f"{game.name}, {game.mode(mode).name}: {deck.name}"
            rows.append((name, size, took * 1e6, 1 / took, f"{took / bare:.1f}"))
    show(table(("deck", "cards", "µs", "decks/s", "÷ bare"), rows))
    show("")
    fixes()
    with site_of_its_own():
        measure()


def fixes() -> None:
    """Time the search for fixes: all fixes of a report, for lists that are far from legal."""
    show("One fix of a list of 100 random cards, by 40 rules over a catalog of 200 cards.\n")
    rules_of_toy = toy_rules()
    chance = Chance(named_seed("fixes"))
    costs, offered, sought = [], 0, 0
    for _ in range(FIXED_DECKS):
        picks = [chance.pick(TOY_CARDS) for _ in range(100)]
        deck = {"main": {f"card-{pick}": picks.count(pick) for pick in picks}}
        for problem in rules_of_toy.check_deck("duel", deck).problems:
            began = time.process_time()
            offered += problem.fix is not None
            costs.append(time.process_time() - began)
            sought += 1
    costs.sort()
    rows = [(sought, offered, costs[len(costs) // 2] * 1e3, costs[-1] * 1e3)]
    show(table(("problems", "with a fix", "median ms", "slowest ms"), rows))
    show("")


def toy_rules() -> DeckRules:
    """A game of 200 cards and 40 rules that hang on each other: sizes, sums, copies, balances."""
    kinds, colours = ("unit", "spell", "place", "power"), ("red", "blue", "green", "white", "black")
    cards = [
        f'[[card]]\nslug = "card-{n}"\nname = "Card {n}"\nkind = "{kinds[n % 4]}"\n'
        f'colour = "{colours[n % 5]}"\nsets = ["first"]\nrarity = "common"\n'
        f"cost = {n % 7}\nforce = {n % 3}\nguard = {n % 6}\n"
        for n in range(TOY_CARDS)
    ]
    bodies = ["cards = {}\nleast = 60\nmost = 80"]
    bodies += [f'cards = {{ kind = "{kind}" }}\nleast = 10\nmost = 30' for kind in kinds]
    bodies += [f'cards = {{ colour = "{colour}" }}\nmost = 24' for colour in colours]
    bodies += [f"cards = {{ cost = {cost} }}\nmost = 16" for cost in range(7)]
    bodies += [f'copies = "card"\nwhere = {{ cost = {cost} }}\nmost = 2' for cost in range(7)]
    bodies += [
        f'sum = "cost"\nwhere = {{ kind = "{kind}", colour = "{colour}" }}\nmost = 20'
        for kind in kinds
        for colour in colours[:3]
    ]
    bodies += [
        f'apart = [{{ sum = "force" }}, {{ sum = "guard" }}]\nmost = 40\n'
        f'where = {{ kind = "{kind}" }}'
        for kind in kinds
    ]
    rows = [
        f'[[rule]]\nid = "T-{n}"\n{body}\nsays = "{{found}}"\n' for n, body in enumerate(bodies)
    ]
    head = 'game = "Toy"\n[modes]\nduel = ["main"]\n[[section]]\nslug = "main"\n'
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "toy_of_the_benchmark")
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "cards.toml").write_text(
            '[[set]]\nslug = "first"\nname = "First"\n' + "".join(cards)
        )
        (package / "deck_rules.toml").write_text(head + "".join(rows))
        sys.path.insert(0, folder)
        try:
            return DeckRules(package.name)
        finally:
            sys.path.remove(folder)


def measure() -> None:
    """A whole deck check: lists as text are read and kept, then judged by the worker's service."""
    from django.db import connection

    from accounts.models import User
    from collection import examples
    from collection.services.catalog import sync_catalog
    from decks.lists.textlist import write_list
    from decks.services import checks

    sync_catalog()
    organiser = User.objects.create_user("bench-organiser", password=None)
    game, mode = examples.GAME, examples.MODE
    text = write_list(examples.DECKS[0].cards, game.slug)
    entries = [checks.Entry(f"Player {n}", "Deck", text) for n in range(DECKS)]
    check = checks.create_check(organiser=organiser, title="Bench", game=game.slug, mode=mode.slug)
    began = time.process_time()
    checks.add_decks(check=check, by=organiser, entries=entries)
    added = time.process_time()
    checks.judge_check(check_id=check.pk)
    done = time.process_time()
    show(f"{machine()}, {connection.vendor}, one process; {DECKS:,} decks\n")
    show(f"{game.name}, {mode.name}\n")
    rows = [
        ("read and put on the pile", added - began, DECKS / (added - began)),
        ("judged in parts", done - added, DECKS / (done - added)),
    ]
    show(table(("step", "processor s", "decks/s"), rows))


if __name__ == "__main__":
    main()
