"""The pages of a game: what it is, its rules to read, its record."""

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
from rules.engine.game import Game, Mode

MAX_SEARCH_LENGTH = 80
"""Characters."""


def require_game(slug: str) -> Game:
    """The game of that slug; raises ``UnknownMode``."""
    definition = rules.games().get(slug)
    if definition is None:
        raise UnknownMode(f"No game called “{slug[:40]}” here.")
    return definition


@dataclass(frozen=True, slots=True)
class ModeLine:
    """A mode in the table that compares them."""

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
        deck = "Not needed"
    return ModeLine(
        mode=mode,
        players=f"{least} to {most}" if least < most else str(most),
        deck=deck,
        rated=mode.playable and most > 1 and mode.rated,
    )


@require_safe
def game(request: HttpRequest, game: str) -> HttpResponse:
    """The page of a game: its idea, modes and bots, and links to all else of it."""
    definition = require_game(game)
    record = game_record(definition)
    intro = introduction(definition)
    context = {
        "game": definition,
        "intro": intro,
        "pictures": [
            picture(definition, [*scene.cards, *map(str, scene.dice)], scene.says)
            for scene in intro.pictures
        ],
        "how_many_pictures": in_words(len(intro.pictures)),
        "modes": [_mode_line(mode) for mode in definition.modes.values()],
        "cards": len(definition.catalog),
        "decks": len(definition.starter_decks),
        "played": record.modes,
        "total": sum(mode.played for mode in record.modes),
    }
    return render(request, "matches/game.html", context)


@require_safe
def rules_to_read(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one mode, all of them or what they say about some words."""
    definition = require_game(game)
    mode = _mode_of(definition, request.GET.get("mode"))
    wanted = request.GET.get("q", "")[:MAX_SEARCH_LENGTH].strip()
    manual = manual_of(definition.slug, mode.slug)
    context: dict[str, Any] = {
        "game": definition,
        "mode": mode,
        "modes": definition.modes.values(),
        "wanted": wanted,
        "manual": manual,
    }
    if manual:
        words = search_words(wanted)
        context["chapters"] = manual.found(words)
        context["count"] = sum(len(chapter.sections) for chapter in context["chapters"])
        context["elsewhere"] = _elsewhere(definition, mode, words) if not context["count"] else []
    return render(request, "matches/rules.html", context)


def _mode_of(definition: Game, slug: str | None) -> Mode:
    """The mode that the address names; without a name the game's first."""
    if slug is None:
        return next(iter(definition.modes.values()))
    if slug not in definition.modes:
        names = ", ".join(f"“{mode}”" for mode in definition.modes)
        raise UnknownMode(f"{definition.name} has no mode “{slug[:40]}”; it has {names}.")
    return definition.modes[slug]


def _elsewhere(definition: Game, mode: Mode, words: list[str]) -> list[Mode]:
    """Other modes whose rules speak of the words."""
    others: list[tuple[Mode, Manual | None]] = [
        (other, manual_of(definition.slug, other.slug))
        for other in definition.modes.values()
        if other != mode
    ]
    return [other for other, manual in others if manual and manual.found(words)]


@require_safe
def one_rule(request: HttpRequest, rule: str) -> HttpResponse:
    """The place in the rules to read where a numbered rule stands."""
    for definition in rules.games().values():
        page = reverse("matches:game-rules", args=(definition.slug,))
        for mode in definition.modes:
            manual = manual_of(definition.slug, mode)
            if manual and rule in manual.rules:
                return redirect(f"{page}?mode={mode}#{rule}")
        if rule in numbered_rules(definition.slug):
            return redirect(f"{page}#{rule}")
    raise UnknownRule(f"No rule “{rule[:40]}” here.")


@require_safe
def records(request: HttpRequest, game: str) -> HttpResponse:
    """How often a game is played, how long it takes, who wins, and with what."""
    definition = require_game(game)
    context = {"game": definition, "record": game_record(definition)}
    return render(request, "matches/records.html", context)
