"""Positions laid out by hand, dice that fall as scripted."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import rules
from rules.engine.chance import Chance
from rules.engine.match import Match

DiceScript: TypeAlias = Iterable[int | tuple[int, ...]]


class ScriptRanOut(AssertionError):
    """A die was rolled that the script has no number for."""


class ScriptedChance(Chance):
    """Chance whose dice and picks follow a script; shuffles are fair, from a fixed seed."""

    __slots__ = ("dice", "picks", "shuffling")

    def __init__(self, dice: DiceScript = (), picks: Iterable[int] = ()) -> None:
        super().__init__(bytes(32))
        self.dice: list[int] = []
        for roll in dice:
            self.dice.extend(roll if isinstance(roll, tuple) else (roll,))
        self.picks = list(picks)
        self.shuffling = False

    def die(self, faces: int = 6) -> int:
        if not self.dice:
            raise ScriptRanOut("a die is rolled, but the script has no more dice")
        die = self.dice.pop(0)
        if not 1 <= die <= faces:
            raise ScriptRanOut(f"the script's {die} is not a face of a die with {faces} faces")
        return die

    def pick(self, n: int) -> int:
        if self.shuffling or n <= 1:
            return super().pick(n)
        if not self.picks:
            raise ScriptRanOut(f"a pick of {n} is made, but the script has no more picks")
        return self.picks.pop(0)

    def shuffle(self, cards: Any) -> None:
        self.shuffling = True
        super().shuffle(cards)
        self.shuffling = False

    def clone(self) -> Chance:
        twin = ScriptedChance(self.dice, self.picks)
        twin.position = self.position
        return twin

    @property
    def left(self) -> str:
        """The part of the script that has not happened, in words; "" when all has."""
        parts = []
        if self.dice:
            parts.append(f"dice {self.dice}")
        if self.picks:
            parts.append(f"picks {self.picks}")
        return " and ".join(parts)


def _nobody_listens(command: str) -> None:
    pass


announce: Callable[[str], None] = _nobody_listens
"""Is called with the command of each position that is laid out; tests put it into their report."""


class Position:
    """A laid-out table, played by notation.

    ``take("attack", "discard r6")`` plays for whoever is asked; ``offered()`` is what is
    offered now. ``done()`` fails if dice or picks of the script are left over, or if the prompt
    that is open is not the one named.
    """

    def __init__(self, match: Match, chance: ScriptedChance, command: str = "") -> None:
        self.match = match
        self.chance = chance
        self.command = command
        """The command that lays it out."""
        self.events: list[Any] = []
        announce(command)

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat and the kind of the only open prompt."""
        if not self.match.prompts:
            return None
        (seat, prompt), *more = self.match.prompts.items()
        assert not more, "several seats are asked; say for which of them (by=…)"
        return seat, prompt.kind

    def _seat(self, by: int | None) -> int:
        if by is not None:
            return by
        assert self.asked is not None, "the match is over"
        return self.asked[0]

    def offered(self, by: int | None = None) -> list[str]:
        """The options of the only open prompt, or of the seat ``by``, in notation."""
        prompt = self.match.prompts[self._seat(by)]
        return [self.match.notation(move) for move in prompt.options]

    def take(self, *moves: str, by: int | None = None) -> Position:
        """Play these moves, each for the seat that is asked then, or all for the seat ``by``."""
        for text in moves:
            seat = self._seat(by)
            self.events = self.match.play(seat, self.match.parse(seat, self.slugs(text)))
        return self

    def slugs(self, text: str) -> str:
        """A move with short card names (``discard r6``, ``under red_claw``) in full notation."""
        verb, *rest = text.split()
        table: Any = self.match.game.table
        names = table.short_names()
        words = [names.get(word.replace("_", " ").lower(), word) for word in rest]
        return " ".join([verb, *words])

    def done(self, seat: int | None, kind: str | None) -> None:
        """The scenario ends here, in this prompt (None, None: the match is over)."""
        assert not self.chance.left, f"the script has {self.chance.left} left over"
        expected = None if seat is None else (seat, kind)
        assert self.asked == expected, f"ends in {self.asked}, not in {expected}"


def position(
    game: str,
    mode: str,
    *,
    dice: DiceScript = (),
    picks: Iterable[int] = (),
    **layout: Any,
) -> Position:
    """A match in the middle of things.

    ``layout`` is the game's own (hands, boards, piles with their top card first); in it any option
    of the mode may be set by its name, and ``out`` lists the seats that are out already, each at a
    moment of its own (or a list of those who went together). ``dice`` are the dice to come (a
    number, or a tuple for a throw), ``picks`` the random picks. ``python -m rules.testing notation
    <game>`` lists all keys.
    """
    played = rules.game(game)
    rules_mode = played.mode(mode)
    dice, picks = [*dice], [*picks]
    script = {"dice": dice, "picks": picks}
    command = shlex.join(
        [
            *(
                "python",
                "-m",
                "rules.testing",
                "position",
                game,
                mode,
                json.dumps(layout, default=list),
            ),
            *(
                word
                for name, value in script.items()
                if value
                for word in (f"--{name}", json.dumps(value))
            ),
        ]
    )
    chance = ScriptedChance(dice, picks)
    slugs = {option.slug for option in rules_mode.options} & layout.keys()
    options = {slug: layout.pop(slug) for slug in slugs}
    match = played.laid_match(mode, chance, options=options, layout=layout)
    return Position(match, chance, command)
