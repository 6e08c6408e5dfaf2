"""The pages of a game: introduction, rules, statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

import rules
from core.introductions import in_words, introduction
from matches.errors import UnknownMode, UnknownRule
from matches.queries.manual import Manual, manual_of, numbered_rules, picture, search_words
from matches.queries.records import game_record
from rules.engine.bots import Bot, Thinker
from rules.engine.game import Game, Mode

MAX_QUERY_LENGTH = 80
"""Characters of a search."""


def require_game(slug: str) -> Game:
    """The game of that slug; raises ``UnknownMode``."""
    known = rules.games().get(slug)
    if known is None:
        raise UnknownMode(f"Game “{slug}” not found.")
    return known


@dataclass(frozen=True, slots=True)
class ModeLine:
    """A row of the table of modes."""

    mode: Mode
    players: str
    deck: str
    rated: bool


def _mode_line(mode: Mode) -> ModeLine:
    least, most = mode.seats[0], mode.seats[-1]
    if mode.own_decks:
        deck = "Each player brings one"
    elif mode.takes_decks:
        deck = "Optional"
    else:
        deck = "None needed"
    return ModeLine(
        mode=mode,
        players=f"{least} to {most}" if least < most else str(most),
        deck=deck,
        rated=mode.playable and most > 1 and mode.rated,
    )


def _bots(game: Game) -> list[tuple[Bot | Thinker, str, str]]:
    """Who plays the game for the site, the weakest first; a thinker with the first of its modes,
    and in words all of them, where they are not all modes of the game.
    """
    thinkers = [(it, next(iter(it.modes)), _modes(game, it)) for it in game.thinkers.values()]
    return [*((bot, "", "") for bot in game.bots.values()), *thinkers]


def _modes(game: Game, thinker: Thinker) -> str:
    names = [game.mode(mode).name for mode in thinker.modes]
    return f"Modes: {', '.join(names)}." if len(names) < len(game.modes) else ""


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    """The introduction of a game, its modes, and links to everything about it."""
    known = require_game(game)
    record = game_record(known)
    intro = introduction(known)
    context = {
        "game": known,
        "intro": intro,
        "pictures": [
            picture(known, [*part.cards, *map(str, part.dice), *part.images], part.says)
            for part in intro.pictures
        ],
        "how_many_pictures": in_words(len(intro.pictures)),
        "modes": [_mode_line(mode) for mode in known.modes.values()],
        "bots": _bots(known),
        "cards": len(known.catalog),
        "decks": len(known.starter_decks),
        "played": record.modes,
        "total": sum(mode.played for mode in record.modes),
    }
    return render(request, "matches/game.html", context)


@require_safe
def rules_to_read(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one mode, all of them or those that match a search."""
    known = require_game(game)
    mode = _mode_of(known, request.GET.get("mode"))
    wanted = request.GET.get("q", "")[:MAX_QUERY_LENGTH].strip()
    manual = manual_of(known.slug, mode.slug)
    context: dict[str, Any] = {
        "game": known,
        "mode": mode,
        "modes": known.modes.values(),
        "wanted": wanted,
        "manual": manual,
    }
    if manual:
        words = search_words(wanted)
        context["chapters"] = manual.found(words)
        context["count"] = sum(len(chapter.sections) for chapter in context["chapters"])
        context["elsewhere"] = _elsewhere(known, mode, words) if not context["count"] else []
    return render(request, "matches/rules.html", context)


def _mode_of(known: Game, slug: str | None) -> Mode:
    """The mode of the query string; by default the game's first."""
    if slug is None:
        return next(iter(known.modes.values()))
    if slug not in known.modes:
        names = ", ".join(f"“{mode}”" for mode in known.modes)
        raise UnknownMode(f"{known.name} has no mode “{slug[:40]}”. Choose one of: {names}.")
    return known.modes[slug]


def _elsewhere(known: Game, mode: Mode, words: list[str]) -> list[Mode]:
    """Other modes whose rules match the search."""
    others: list[tuple[Mode, Manual | None]] = [
        (other, manual_of(known.slug, other.slug))
        for other in known.modes.values()
        if other != mode
    ]
    return [other for other, manual in others if manual and manual.found(words)]


@require_safe
def one_rule(request: HttpRequest, rule: str) -> HttpResponse:
    """Redirect to a numbered rule on the page of rules."""
    for known in rules.games().values():
        page = reverse("matches:game-rules", args=(known.slug,))
        for mode in known.modes:
            manual = manual_of(known.slug, mode)
            if manual and rule in manual.rules:
                return redirect(f"{page}?mode={mode}#{rule}")
        if rule in numbered_rules(known.slug):
            return redirect(f"{page}#{rule}")
    raise UnknownRule(f"Rule “{rule[:40]}” not found.")


@require_safe
def records(request: HttpRequest, game: str) -> HttpResponse:
    """Statistics of a game: matches, length, wins, decks and cards."""
    known = require_game(game)
    context = {"game": known, "record": game_record(known)}
    return render(request, "matches/records.html", context)
