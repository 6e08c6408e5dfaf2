"""Full tables of both modes and every number of seats: Ann is to move."""

from __future__ import annotations

from typing import Any

from games.battle_krabz.state import catalog
from rules.engine.cards import load_decks
from rules.engine.match import Match as Table
from rules.testing import position

DECKS = load_decks("games.battle_krabz")
KRABZ = (
    "krabbi-long-legs-silver eagle-krab-silver eagle-krab-gold moss-krab-silver paloma-silver "
    "coral-wink-silver malapple-silver"
)
ENEMIGOS = (
    "flaman-krab-silver fallen-gold gym-bunny-platinum root-rat-silver "
    "elara-bad-faerie-silver nettle-hex-silver unicorn-silver"
)


def starter(side: str, hand: str) -> dict[str, Any]:
    """A seat with a Starter Deck: this hand, three Warriors lost, the rest in the stacks."""
    held = hand.split()
    rest = [card for card in DECKS[f"starter-{side}"].cards["main"] if card not in held]
    warriors = [card for card in rest if catalog()[card].kind == "warrior"]
    supports = [card for card in rest if card not in warriors]
    return {
        "hand": held,
        "warriors": warriors[3:],
        "supports": supports,
        "elimination": warriors[:3],
    }


def battle(*moves: str, attacker: int = 0) -> Table:
    """Ann has Krabz; these moves are played, each by whoever is asked."""
    laid = position(
        "battle-krabz",
        "battle",
        seats=[starter("krabz", KRABZ), starter("enemigos", ENEMIGOS)],
        attacker=attacker,
        battle_number=4,
        known=["moss-krab-silver", "root-rat-silver"],
    )
    table = laid.match
    for text in moves:
        ((seat, prompt),) = table.prompts.items()
        words = {table.notation(move).split("~")[0]: move for move in prompt.options}
        table.play(seat, words[text])
    return table


def sorting() -> Table:
    """The Battle is over, and Ann sorts all that can survive one: three Warriors and a Booster."""
    table = battle(*THEIRS, *OURS, attacker=1)
    while True:
        seat, prompt = next(iter(table.prompts.items()))
        if (seat, prompt.kind) == (0, "sort"):
            return table
        boosts = seat == 0 and prompt.kind.startswith("boost")
        table.play(seat, prompt.options[0 if boosts else -1])


def boosted() -> Table:
    """Both have boosted, and Ann's strengths are multiplied: the widest figures of a line."""
    table = battle(*THEIRS, *OURS, attacker=1)
    while any(prompt.kind.startswith("boost") for prompt in table.prompts.values()):
        ((seat, prompt),) = table.prompts.items()
        boosts = [move for move in prompt.options if move.verb == "boost"]
        table.play(seat, (boosts or list(prompt.options))[0])
    return table


OURS = tuple(f"deploy {card}" for card in KRABZ.split()[:3])
THEIRS = tuple(f"deploy {card}" for card in ENEMIGOS.split()[:3])


def trumps(seats: int) -> Table:
    """A round has been shown, another tied before it: a pot, and Ann calls."""
    cards = [slug for slug, card in catalog().items() if card.kind == "warrior"]
    piles = [cards[n * 8 : n * 8 + 8] for n in range(seats)]
    pot = cards[60:64]
    table = position("battle-krabz", "multi", piles=piles, pot=pot, round_number=5).match
    for _ in range(6):
        ((seat, prompt),) = table.prompts.items()
        table.play(seat, prompt.options[0])
        if 0 in table.prompts:
            break
    return table


def out() -> Table:
    """Six seats; Ann and Fritz had one weak card each, and are out."""
    warriors = {slug: card for slug, card in catalog().items() if card.kind == "warrior"}
    cards = sorted(warriors, key=lambda slug: int(warriors[slug]["attack"]))
    piles = [cards[:1], *(cards[-8 * n - 8 :][:8] for n in range(4)), cards[1:2]]
    table = position("battle-krabz", "multi", piles=piles, leader=1).match
    while table.view(0)["players"][0]["out"] is None:
        ((seat, prompt),) = table.prompts.items()
        table.play(seat, prompt.options[0])
    return table


TABLES: dict[str, Any] = {
    "battle-2-deploy": battle,
    "battle-2-boost": lambda: battle(*THEIRS, *OURS, attacker=1),
    **{f"multi-{n}": lambda n=n: trumps(n) for n in range(2, 7)},
}
