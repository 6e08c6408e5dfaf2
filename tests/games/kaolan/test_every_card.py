"""Every card of Kaolan does what it is for in some match: the lists of cards left over are empty.

That a card was put down is checked for every game in ``test_every_mode.py``; here it must have
mattered: a Character has fought, a number has decided a roll, an ability was part of a Challenge in
its own stage, an Opportunity was carried out.
"""

from __future__ import annotations

from typing import Any

import pytest

import rules
from rules.engine.chance import Chance, named_seed
from rules.engine.events import Event
from rules.engine.match import Match
from rules.engine.moves import Move, Prompt
from rules.testing.playouts import Chooser, Exerciser, Setup, at_random, playout, random_setup

GAME = rules.game("kaolan")
MODE = GAME.modes["match"]


class Fighter(Exerciser):
    """Plays what was played least, and challenges whenever it can: battles use cards."""

    def __call__(self, match: Match, prompt: Prompt, chance: Chance) -> Move:
        if prompt.kind == "turn_action" and chance.pick(2):
            for move in prompt.options:
                if move.verb == "challenge":
                    return move
        return super().__call__(match, prompt, chance)


def slugs(match: Match, cards: list[int]) -> list[str]:
    return [match.card(card)["slug"] for card in cards]


def matter(match: Match, state: Any, events: list[Event], used: dict[str, set[str]]) -> None:
    """Note what the Leaders of a Challenge had under them; ``state`` is the one before the move."""
    for event in events:
        kind = event[0]
        if kind == "challenge_announced":
            leaders = [state.leader(seat) for seat in event[1:3]]
            used["character"].update(slugs(match, [card for card in leaders if card >= 0]))
        elif kind == "rolled":
            _kind, stage, seat, dice, success, *_matched = event
            leader = state.leader(seat)
            if leader < 0:
                continue
            if stage != "qualification" and success:
                total = sum(dice)
                used["power"].update(
                    slugs(
                        match,
                        [
                            power
                            for power in state.powers[leader]
                            if state.cards.numbers[power] >> total & 1
                        ],
                    )
                )
            if state.ability[leader] >= 0:
                used["ability"].update(slugs(match, [state.ability[leader]]))
        elif kind == "qualified":
            leader = state.leader(event[1])
            if leader >= 0 and state.ability[leader] >= 0:
                used["ability"].update(slugs(match, [state.ability[leader]]))
        elif kind == "opportunity_shown":
            used["opportunity"].update(slugs(match, [event[2]]))


@pytest.mark.slow
def test_every_card_has_mattered_in_some_match() -> None:
    used: dict[str, set[str]] = {
        "character": set(),
        "power": set(),
        "ability": set(),
        "opportunity": set(),
    }
    missing = set(GAME.catalog)
    fighter = Fighter()
    for number in range(400):
        setup = random_setup(GAME, MODE, named_seed(f"matter {number}"))
        before = setup.start().state.copy()
        for match, _ply, events in playout(setup, fighter):
            fighter.watch(match, events)
            matter(match, before, events, used)
            before = match.state.copy()
        missing = {slug for slug, card in GAME.catalog.items() if slug not in used[card.kind]}
        if not missing:
            break
    assert not missing


def hoard(match: Match, prompt: Prompt, chance: Chance) -> Move:
    """Fill the Leader to its limit in peace, so that losing Deep Reserves costs Power Cards."""
    wishes = {
        "turn_action": ("add_ability", "opportunity", "add_power", "place", "pass"),
        "choose_ability": ("kao-sa-deep-reserves",),
        "choose_opportunity": ("kao-op-silence", "kao-op-regroup", "kao-op-new-teaching"),
        "regroup_card": ("kao-sa-deep-reserves",),
    }
    for wish in wishes.get(prompt.kind, ()):
        for move in prompt.options:
            if wish in match.notation(move):
                return move
    return at_random(match, prompt, chance)


@pytest.mark.slow
def test_every_kind_of_prompt_and_event_has_come_up() -> None:
    """Over the four modes together: what one mode never asks, another does."""
    # giving up lies outside the prompts; a chain has one link of a level at most (KAO-P-15)
    prompts, events = {"choose_link"}, {"resigned"}
    for number in range(600):
        seed = named_seed(f"kinds {number}")
        mode = tuple(GAME.modes.values())[number // 2 % len(GAME.modes)]
        choose: Chooser = Fighter()
        setup = random_setup(GAME, mode, seed)
        if mode is MODE and number % 2:
            boosters = ["booster-2", "booster-4", "booster-5"]
            setup, choose = Setup(GAME, MODE, 2, seed, {"guards": 0, "boosters": boosters}), hoard
        events |= {event[0] for event in setup.start().opening}
        for match, _ply, happened in playout(setup, choose):
            prompts |= {prompt.kind for prompt in match.prompts.values()}
            events |= {event[0] for event in happened}
        if prompts >= set(GAME.rulebook.prompts) and events >= set(GAME.events):
            break
    assert set(GAME.rulebook.prompts) - prompts == set()
    assert set(GAME.events) - events == set()
