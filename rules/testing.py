"""Tools for tests of rules: positions laid out by hand, dice that fall as scripted.

From the command line (``python -m rules.testing --help``) it checks all that the suite will ask of
a game, lays out positions, lists a game's notation and writes the golden playthroughs anew.
"""

from __future__ import annotations

import argparse
import inspect
import json
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import rules
from rules.engine import lessons, playthrough, rule_ids, suite
from rules.engine.chance import Chance
from rules.engine.game import Game, Mode
from rules.engine.match import Match
from rules.engine.moves import ByCard, ByCardAndTarget, ByTarget, Move, Prompt
from rules.engine.playouts import (
    Leak,
    Setup,
    check_deal,
    check_moment,
    check_playout,
    check_secrets,
    digest,
    named_seed,
    playout,
    random_setup,
)
from rules.engine.state import Elimination

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


LAID: list[Position] = []
"""All positions laid since somebody emptied it: a test that fails says how to see them."""


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
        LAID.append(self)

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
                for name, given in script.items()
                if given
                for word in (f"--{name}", json.dumps(given))
            ),
        ]
    )
    chance = ScriptedChance(dice, picks)
    slugs = {option.slug for option in rules_mode.options} & layout.keys()
    options = {slug: layout.pop(slug) for slug in slugs}
    match = played.laid_match(mode, chance, options=options, layout=layout)
    return Position(match, chance, command)


# -- from the command line -----------------------------------------------------------------------

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks games, shows positions, lists notations: see ``python -m rules.testing --help``."""
    parser = argparse.ArgumentParser(prog="python -m rules.testing", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    everything = commands.add_parser("all", help="check all that the suite asks of every mode")
    everything.add_argument("game", nargs="?")
    everything.add_argument("mode", nargs="?")
    check = commands.add_parser("check", help="play one match again with every check")
    secrets = commands.add_parser("secrets", help="show what a seat notices of another deal")
    for one in (check, secrets):
        one.add_argument("game")
        one.add_argument("mode")
        one.add_argument("--seed", required=True, help="64 hexadecimal digits")
        one.add_argument("--seats", type=int)
        one.add_argument("--options", type=json.loads, help="as JSON")
    secrets.add_argument("--moves", type=int, required=True, help="after so many random moves")
    secrets.add_argument("--seat", type=int, help="counted from 0; left out: a spectator")
    secrets.add_argument("--deal", type=int, required=True, help="the number of the deal")
    laid = commands.add_parser("position", help="lay out a position and show it")
    laid.add_argument("game")
    laid.add_argument("mode")
    laid.add_argument("layout", type=json.loads, help="as JSON; “notation” lists its keys")
    laid.add_argument("--dice", type=json.loads, default=[], help="the dice to come, as JSON")
    laid.add_argument("--picks", type=json.loads, default=[], help="the picks to come, as JSON")
    laid.add_argument("--moves", nargs="*", default=[], help="“1: pass” for seat 1")
    listed = commands.add_parser("notation", help="list a game's moves and the keys of its layouts")
    listed.add_argument("game")
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
    write.add_argument(
        "--show", type=int, metavar="N", help="print a mode's long match N; 0: its text, uncut"
    )
    lesson = commands.add_parser("lesson", help="play a game's lesson; with --seed find its seed")
    lesson.add_argument("game")
    lesson.add_argument("--seed", action="store_true", help="search for one that makes its dice")
    digests = commands.add_parser("digest", help="print a hash of a match in every mode")
    digests.add_argument("seeds", nargs="+", help="any words")
    given = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = {
        "all": _check_all,
        "check": _check,
        "secrets": _show_secrets,
        "position": _show_position,
        "notation": _list_notation,
        "soak": _soak,
        "playthrough": _write_playthroughs,
        "lesson": _show_lesson,
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


def _check_all(given: argparse.Namespace) -> int:
    failed = 0
    for game, mode in playable_modes():
        if not _is_meant(given, game, mode):
            continue
        for name, check in suite.CHECKS.items():
            try:
                check(game, mode)
            except Exception as error:
                failed += 1
                print(f"{game.slug} {mode.slug} {name}: {error or type(error).__name__}")
                for note in getattr(error, "__notes__", ()):
                    print(f"    {note}")
            else:
                print(f"{game.slug} {mode.slug} {name}: holds", flush=True)
    meant = {game.package for game, mode in playable_modes() if _is_meant(given, game, mode)}
    for package in rule_ids.packages():
        for rule in rule_ids.untested(package) if f"{rules.SHELF}.{package}" in meant else ():
            failed += 1
            print(f"{package}: no test names {rule}")
    return int(failed > 0)


def _setup(given: argparse.Namespace) -> Setup:
    game = rules.game(given.game)
    setup = random_setup(game, game.mode(given.mode), bytes.fromhex(given.seed))
    if given.seats is not None:
        setup = replace(setup, seats=given.seats)
    if given.options is not None:
        setup = replace(setup, options=given.options)
    return setup


def _check(given: argparse.Namespace) -> int:
    setup = _setup(given)
    played = check_playout(setup)
    secrets = check_secrets(setup)
    print(
        f"{len(played.plies)} moves and {len(played.events)} events, {secrets} views dealt anew: "
        "every check holds."
    )
    return 0


def _show_secrets(given: argparse.Namespace) -> int:
    setup = _setup(given)
    match = setup.start()
    for played, _ply, _events in islice(playout(setup), given.moves):
        match = played
    try:
        moved = check_deal(match, given.seat, given.deal)
    except Leak as leak:
        print(leak)
        return 1
    print(f"Seat {given.seat} notices nothing; {len(moved)} cards lie elsewhere.")
    return 0


def _show_position(given: argparse.Namespace) -> int:
    dice = [tuple(roll) if isinstance(roll, list) else roll for roll in given.dice]
    laid = position(given.game, given.mode, dice=dice, picks=given.picks, **given.layout)
    for text in given.moves:
        seat, move = text.split(":")
        laid.take(move.strip(), by=int(seat) - 1)
    match = laid.match
    print(json.dumps(match.view(None), indent=1))
    for seat, prompt in sorted(match.prompts.items()):
        print(f"seat {seat + 1}: {prompt.kind}: {match.question(prompt)}")
        for move in prompt.options:
            print(f"    {match.notation(move)}  {match.label(move)}")
    print(match.outcome or f"left of the script: {laid.chance.left or 'nothing'}")
    return 0


def _list_notation(given: argparse.Namespace) -> int:
    game = rules.game(given.game)
    print("Moves")
    for form in verbs(game):
        print(f"  {form}")
    for mode in game.modes.values():
        if mode.playable:
            print(f"\nLayout of {mode.slug}")
            for key, words in layout_keys(game, mode).items():
                print(f"  {key}  {words}")
    return 0


def verbs(game: Game) -> list[str]:
    """Every move that the game's code makes, as it is written down."""
    forms = set()
    for name, module in list(sys.modules.items()):
        if name == game.package or name.startswith(f"{game.package}."):
            for value in vars(module).values():
                forms.update(_forms(value))
    return sorted(forms)


def _forms(value: Any) -> list[str]:
    match value:
        case Move(verb, card, target):
            return [form_of(verb, card is not None, target)]
        case ByCard():
            return [f"{value.verb} <card>"]
        case ByTarget():
            return [f"{value.verb} <{value.place.__name__.lower()}>"]
        case ByCardAndTarget():
            return [f"{value.verb} <card> <{value.place.__name__.lower()}>"]
        case tuple():
            return [form for one in value for form in _forms(one)]
    return []


def form_of(verb: str, card: bool, target: Any) -> str:
    """How a move is written down: ``place``, ``play <card>``, ``under <card>``, ``seat <seat>``."""
    place = "" if target is None else f" <{type(target).__name__.lower()}>"
    return f"{verb}{' <card>' if card else ''}{place}"


def layout_keys(game: Game, mode: Mode) -> dict[str, str]:
    """What a layout of this mode may have, with what it stands for."""
    table: Any = game.table
    rules_of = table.rules[mode.slug]
    keys = {}
    for name, one in inspect.signature(rules_of.arrange).parameters.items():
        if one.kind is one.KEYWORD_ONLY:
            keys[name] = "needed" if one.default is one.empty else f"usually {one.default!r}"
    keys |= {f"seats: {key}": words for key, words in rules_of.seat_keys.items()}
    keys |= {option.slug: f"option, usually {option.default!r}" for option in mode.options}
    if issubclass(rules_of.state, Elimination):
        keys["out"] = "the seats that are out already, in the order in which they went"
    return keys


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
        path, digests = playthrough.path_of(game, mode, ROOT), playthrough.digests_path(game, ROOT)
        lines = digests.read_text(encoding="utf-8") if digests.exists() else ""
        kept = [match.setup for match in playthrough.long_matches(game, mode, lines)]
        long_setups = kept or playthrough.new_setups(game, mode)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if given.show is not None:
            whole = playthrough.generate(long_setups[given.show - 1]) if given.show else ""
            print(whole or playthrough.replayed(game, mode, text), end="")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        short = playthrough.generate(_short_setup(given, game, mode, text))
        path.write_text(playthrough.cut(short), "utf-8")
        others = [line for line in lines.splitlines() if json.loads(line)["mode"] != mode.slug]
        own = [playthrough.played(setup).to_json() for setup in long_setups]
        digests.write_text("".join(f"{line}\n" for line in sorted([*others, *own])), "utf-8")
        print(path.relative_to(ROOT), digests.relative_to(ROOT), sep="\n")
    return 0


def _short_setup(given: argparse.Namespace, game: Game, mode: Mode, text: str) -> Setup:
    """The one that stands there, the one that is asked for, or one that shows much."""
    if given.seed is not None:
        setup = playthrough.usual_setup(game, mode, given.seed)
        return replace(setup, options={**setup.options, **(given.options or {})})
    if text:
        return playthrough.setup_of(game, mode, text)
    return playthrough.telling_setup(game, mode)


def play_lesson(game: Game, chance: Chance | None = None) -> Iterator[tuple[Match, Prompt, str]]:
    """The script of a game's lesson, answer by answer: the table, the question, the answer.

    The other seat goes first where both are asked, as its answers are ready.
    """
    lesson = game.lesson
    assert lesson is not None, f"{game.name} has no lesson"
    match = lessons.begin(game, lesson, chance)
    while match.outcome is None:
        seat = max(match.prompts)
        prompt = match.prompts[seat]
        step = lesson.step(prompt.id)
        meant = step.answers[0] if step else None
        answer = lesson.reply(prompt.id) if seat else meant
        if answer is None:
            break
        yield match, prompt, answer
        match.play(seat, match.parse(seat, answer))


def _show_lesson(given: argparse.Namespace) -> int:
    game = rules.game(given.game)
    lesson = game.lesson
    if lesson is None:
        print(f"{game.name} has no {lessons.FILE}.")
        return 1
    if given.seed:
        print(f'seed = "{lessons.seed_for(lesson.dice, game.slug).hex()}"')
        return 0
    for match, prompt, answer in play_lesson(game):
        step = None if prompt.seat else lesson.step(prompt.id)
        for saying in step.says if step else ():
            print(f"    {saying.text}  {' '.join(f'[{one}]' for one in saying.at)}")
        if step:
            print(f"    → {step.do}")
        offered = ", ".join(match.notation(move) for move in prompt.options)
        print(
            f"seat {prompt.seat + 1}, question {prompt.id} ({prompt.kind}): {answer}   of {offered}"
        )
        later = match.clone()
        for event in later.play(prompt.seat, later.parse(prompt.seat, answer)):
            if line := later.narrate(event, 0):
                print(f"        {line}")
    return 0


def _print_digests(given: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        for seed in given.seeds:
            setup = random_setup(game, mode, named_seed(seed))
            print(game.slug, mode.slug, seed, digest(setup))
    return 0


if __name__ == "__main__":
    sys.exit(main())
