"""Tools for tests of rules: positions laid out by hand, dice that fall as scripted.

From the command line (``python -m rules.testing --help``) it plays matches with every check and
writes the golden playthroughs anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rules
from rules.engine import playthrough
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.engine.playouts import (
    check_moment,
    check_playout,
    check_secrets,
    digest,
    named_seed,
    random_setup,
)

DiceScript = Iterable[int | tuple[int, ...]]


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
            raise ScriptRanOut(f"the script's {die} is no face of a die with {faces} faces")
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
        """What of the script has not happened, in words; "" when all has."""
        parts = []
        if self.dice:
            parts.append(f"dice {self.dice}")
        if self.picks:
            parts.append(f"picks {self.picks}")
        return " and ".join(parts)


class Position:
    """A laid-out table, played by notation.

    ``take("attack", "discard r6")`` plays for whoever is asked; ``offered()`` is what is
    offered now. ``done()`` fails if dice or picks of the script are left over, or if the prompt
    that is open is not the one named.
    """

    def __init__(self, match: Match, chance: ScriptedChance) -> None:
        self.match = match
        self.chance = chance
        self.events: list[Any] = []

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

    ``layout`` is the game's own (hands, boards, piles with their top card first); ``dice`` are
    the dice to come (a number, or a tuple for a throw), ``picks`` the random picks.
    """
    played = rules.game(game)
    rules_mode = played.mode(mode)
    chance = ScriptedChance(dice, picks)
    state = played.table.arrange(rules_mode, chance, layout)
    match = Match(played, rules_mode, rules_mode.checked_options({}), state)
    match.settle()
    return Position(match, chance)


# -- from the command line -----------------------------------------------------------------------

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays and checks matches: see ``python -m rules.testing --help``."""
    parser = argparse.ArgumentParser(prog="python -m rules.testing", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="play one match again with every check")
    check.add_argument("game")
    check.add_argument("mode")
    check.add_argument("--seed", required=True, help="64 hexadecimal digits")
    check.add_argument("--seats", type=int)
    check.add_argument("--options", type=json.loads, help="as JSON")
    soak = commands.add_parser("soak", help="play many random matches with checks")
    soak.add_argument("matches", type=int)
    soak.add_argument("game", nargs="?")
    soak.add_argument("mode", nargs="?")
    soak.add_argument("--seed", default="soak", help="any word")
    write = commands.add_parser("playthrough", help="write the golden playthroughs anew")
    write.add_argument("game", nargs="?")
    write.add_argument("mode", nargs="?")
    write.add_argument("--seed", help="any word: another match than before")
    write.add_argument("--options", type=json.loads, help="as JSON, with --seed")
    digests = commands.add_parser("digest", help="print a hash of a match in every mode")
    digests.add_argument("seeds", nargs="+", help="any words")
    given = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = {
        "check": _check,
        "soak": _soak,
        "playthrough": _write_playthroughs,
        "digest": _print_digests,
    }[given.command]
    return run(given)


def playable_modes() -> list[tuple[Game, Mode]]:
    """Every mode of every game that can be played."""
    return [
        (game, mode)
        for game in rules.games().values()
        for mode in game.modes.values()
        if mode.playable
    ]


def _check(given: argparse.Namespace) -> int:
    game = rules.game(given.game)
    setup = random_setup(game, game.mode(given.mode), bytes.fromhex(given.seed))
    if given.seats is not None:
        setup = replace(setup, seats=given.seats)
    if given.options is not None:
        setup = replace(setup, options=given.options)
    played = check_playout(setup)
    secrets = check_secrets(setup)
    print(
        f"{len(played.plies)} moves and {len(played.events)} events, {secrets} views dealt anew: "
        "every check holds."
    )
    return 0


def _soak(given: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        if _is_meant(given, game, mode):
            report = soak(game, mode, given.matches, given.seed)
            print(f"{game.slug} {mode.slug}: {report}", flush=True)
    return 0


def _is_meant(given: argparse.Namespace, game: Game, mode: Mode) -> bool:
    return given.game in (None, game.slug) and given.mode in (None, mode.slug)


@dataclass
class Soaked:
    """What many checked matches came to."""

    matches: int = 0
    moves: int = 0
    longest: int = 0
    views: int = 0
    moved: int = 0
    seconds: float = 0.0
    reasons: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        ends = ", ".join(f"{reason} {n}" for reason, n in sorted(self.reasons.items()))
        return (
            f"{self.matches:,} matches, {self.moves:,} moves, the longest {self.longest:,}; "
            f"ended by {ends}; {self.views:,} views dealt anew, which moved {self.moved:,} cards; "
            f"{self.seconds:.0f} s"
        )


def soak(game: Game, mode: Mode, matches: int, name: str) -> Soaked:
    """Many random matches with all checks: the costly ones now and then in each and at its end,
    the secrecy of every seat at one point of each.
    """
    report = Soaked()
    began = time.perf_counter()
    for number in range(matches):
        setup = random_setup(game, mode, named_seed(f"{name} {number}"))
        played = check_playout(setup, every=SOAK_EVERY)
        outcome = played.match.outcome
        assert outcome is not None
        views, moved = check_moment(setup, played.plies)
        report.views += views
        report.moved += moved
        report.matches += 1
        report.moves += len(played.plies)
        report.longest = max(report.longest, len(played.plies))
        report.reasons[outcome.reason] = report.reasons.get(outcome.reason, 0) + 1
    report.seconds = time.perf_counter() - began
    return report


SOAK_EVERY = 100


def _write_playthroughs(given: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        if not _is_meant(given, game, mode):
            continue
        path = playthrough.path_of(game, mode, ROOT)
        if given.seed is None and path.exists():
            setup = playthrough.setup_of(game, mode, path.read_text(encoding="utf-8"))
        else:
            setup = playthrough.usual_setup(game, mode, given.seed or "playthrough")
            setup = replace(setup, options={**setup.options, **(given.options or {})})
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(playthrough.generate(setup), encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


def _print_digests(given: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        for seed in given.seeds:
            setup = random_setup(game, mode, named_seed(seed))
            print(game.slug, mode.slug, seed, digest(setup))
    return 0


if __name__ == "__main__":
    sys.exit(main())
