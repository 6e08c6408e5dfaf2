"""The commands of ``python -m rules.testing``: see its ``--help``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import rules
from rules.engine import lessons
from rules.engine.chance import named_seed
from rules.engine.game import Game, Mode
from rules.testing import playthrough, rule_ids, suite
from rules.testing.lessons import LESSON_CHECKS, play_lesson
from rules.testing.notation import layout_keys, verbs
from rules.testing.playouts import (
    Leak,
    Setup,
    check_deal,
    check_playout,
    check_secrets,
    check_take_backs,
    digest,
    playable_modes,
    playout,
    random_setup,
)
from rules.testing.positions import position
from rules.testing.soaking import soak


def main(arguments: Sequence[str] | None = None) -> int:
    """Checks games, shows positions, lists notations: see ``python -m rules.testing --help``."""
    parser = argparse.ArgumentParser(prog="python -m rules.testing", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    everything = commands.add_parser("all", help="check all that the suite asks of every mode")
    everything.add_argument("game", nargs="?")
    everything.add_argument("mode", nargs="?")
    check = commands.add_parser("check", help="play one match again with every check")
    secrets = commands.add_parser("secrets", help="show what a seat notices of another deal")
    for part in (check, secrets):
        part.add_argument("game")
        part.add_argument("mode")
        part.add_argument("--seed", required=True, help="64 hexadecimal digits")
        part.add_argument("--seats", type=int)
        part.add_argument("--options", type=json.loads, help="as JSON")
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
    digests.add_argument("--game")
    digests.add_argument("--mode")
    args = parser.parse_args(arguments)
    try:
        if getattr(args, "game", None) is not None:
            game = rules.game(args.game)
            if getattr(args, "mode", None) is not None:
                game.mode(args.mode)
    except rules.UnknownGame as error:
        parser.error(str(error))
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
    }[args.command]
    return run(args)


def _check_all(args: argparse.Namespace) -> int:
    meant = [(game, mode) for game, mode in playable_modes() if _is_meant(args, game, mode)]
    failed = 0
    for game, mode in meant:
        for name, check in suite.CHECKS.items():
            failed += _reported(f"{game.slug} {mode.slug} {name}", check, game, mode)
    for game in {game.slug: game for game, _mode in meant}.values():
        for name, check_lesson in LESSON_CHECKS.items() if game.lesson else ():
            failed += _reported(f"{game.slug} {name}", check_lesson, game)
        for rule in rule_ids.untested(game.package) if rule_ids.has_rules(game.package) else ():
            failed += 1
            print(f"{game.slug}: no test names {rule}")
    return int(failed > 0)


def _reported(title: str, check: Callable[..., None], *about: Any) -> int:
    """Carry out a check and print how it went: 1 if it failed."""
    try:
        check(*about)
    except Exception as error:
        print(f"{title}: {error or type(error).__name__}")
        for note in getattr(error, "__notes__", ()):
            print(f"    {note}")
        return 1
    print(f"{title}: holds", flush=True)
    return 0


def _setup(args: argparse.Namespace) -> Setup:
    game = rules.game(args.game)
    setup = random_setup(game, game.mode(args.mode), bytes.fromhex(args.seed))
    if args.seats is not None:
        setup = replace(setup, seats=args.seats)
    if args.options is not None:
        setup = replace(setup, options=args.options)
    return setup


def _check(args: argparse.Namespace) -> int:
    setup = _setup(args)
    played = check_playout(setup)
    secrets, taken_back = check_secrets(setup), check_take_backs(setup)
    print(
        f"{len(played.plies)} moves and {len(played.events)} events, {secrets} views dealt anew, "
        f"{taken_back} answers taken back: every check holds."
    )
    return 0


def _show_secrets(args: argparse.Namespace) -> int:
    setup = _setup(args)
    match = setup.start()
    for played, _ply, _events in islice(playout(setup), args.moves):
        match = played
    try:
        moved = check_deal(match, args.seat, args.deal)
    except Leak as leak:
        print(leak)
        return 1
    print(f"Seat {args.seat} notices nothing; {len(moved)} cards lie elsewhere.")
    return 0


def _show_position(args: argparse.Namespace) -> int:
    dice = [tuple(roll) if isinstance(roll, list) else roll for roll in args.dice]
    laid = position(args.game, args.mode, dice=dice, picks=args.picks, **args.layout)
    for text in args.moves:
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


def _list_notation(args: argparse.Namespace) -> int:
    game = rules.game(args.game)
    print("Moves")
    for form in verbs(game):
        print(f"  {form}")
    for mode in game.modes.values():
        if mode.playable:
            print(f"\nLayout of {mode.slug}")
            for key, words in layout_keys(game, mode).items():
                print(f"  {key}  {words}")
    return 0


def _soak(args: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        if _is_meant(args, game, mode):
            report = soak(game, mode, args.matches, args.seed)
            print(f"{game.slug} {mode.slug}: {report}", flush=True)
    return 0


def _is_meant(args: argparse.Namespace, game: Game, mode: Mode) -> bool:
    return args.game in (None, game.slug) and args.mode in (None, mode.slug)


def _write_playthroughs(args: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        if not _is_meant(args, game, mode):
            continue
        path, digests = playthrough.path_of(game, mode), playthrough.digests_path(game)
        lines = digests.read_text(encoding="utf-8") if digests.exists() else ""
        kept = [match.setup for match in playthrough.long_matches(game, mode, lines)]
        long_setups = kept or playthrough.new_setups(game, mode)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if args.show is not None:
            whole = playthrough.generate(long_setups[args.show - 1]) if args.show else ""
            print(whole or playthrough.replayed(game, mode, text), end="")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        short = playthrough.generate(_short_setup(args, game, mode, text))
        path.write_text(playthrough.cut(short), "utf-8")
        others = [line for line in lines.splitlines() if json.loads(line)["mode"] != mode.slug]
        own = [playthrough.played(setup).to_json() for setup in long_setups]
        digests.write_text("".join(f"{line}\n" for line in sorted([*others, *own])), "utf-8")
        print(path, digests, sep="\n")
    return 0


def _short_setup(args: argparse.Namespace, game: Game, mode: Mode, text: str) -> Setup:
    """The one that stands there, the one that is asked for, or one that shows much."""
    if args.seed is not None:
        setup = playthrough.usual_setup(game, mode, args.seed)
        return replace(setup, options={**setup.options, **(args.options or {})})
    if text:
        return playthrough.setup_of(game, mode, text)
    return playthrough.telling_setup(game, mode)


def _show_lesson(args: argparse.Namespace) -> int:
    game = rules.game(args.game)
    lesson = game.lesson
    if lesson is None:
        print(f"{game.name} has no {lessons.FILE}.")
        return 1
    if args.seed:
        print(f'seed = "{lessons.seed_for(lesson.dice, game.slug).hex()}"')
        return 0
    for match, prompt, answer in play_lesson(game):
        step = None if prompt.seat else lesson.step(prompt.id)
        for saying in step.says if step else ():
            print(f"    {saying.text}  {' '.join(f'[{place}]' for place in saying.at)}")
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


def _print_digests(args: argparse.Namespace) -> int:
    for game, mode in playable_modes():
        if not _is_meant(args, game, mode):
            continue
        for seed in args.seeds:
            setup = random_setup(game, mode, named_seed(seed))
            print(game.slug, mode.slug, seed, digest(setup))
    return 0
