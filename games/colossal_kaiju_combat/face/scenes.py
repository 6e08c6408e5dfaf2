"""Scars, Events and team cards: a torn hide, a screen that brings the news, a crest."""

from __future__ import annotations

from collection.drawing import art
from collection.drawing.art import BOTTOM, LEFT, RIGHT, TOP, Palette
from collection.drawing.canvas import BLACK, INK, WHITE, Canvas, circle, mix, ngon, rgb, star
from games.colossal_kaiju_combat.face import city, emblems


def _everywhere() -> list[tuple[float, float]]:
    return [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM)]


def scar(canvas: Canvas, slug: str) -> None:
    """Its emblem on a hide with claw marks."""
    chance = art.seeded(slug)
    top, low = rgb("#8a3440"), rgb("#2a0c18")
    canvas.fade(_everywhere(), top, low)
    for row in range(-5, 6):
        for column in range(-6, 7):
            spot = (column * 58.0 + (29 if row % 2 else 0), row * 50.0)
            scale = mix(top, low, chance.uniform(0.1, 0.8))
            canvas.fill(ngon(spot, 33, 6), mix(scale, BLACK, 0.3))
            canvas.fill(ngon((spot[0], spot[1] - 4), 28, 6), scale)
    for x in (-250, -170, 170, 250):
        lean = chance.uniform(-30, 30)
        for width, long, tone in ((22.0, 220.0, rgb("#1a0408")), (12.0, 190.0, rgb("#ff6a5a"))):
            canvas.fill([(x + lean, -long), (x + width, 0), (x - lean, long), (x - width, 0)], tone)
    canvas.disc((0, 0), 178, rgb("#1a0810"))
    canvas.disc((0, 0), 168, rgb("#4a1622"))
    canvas.ring((0, 0), 156, 5, rgb("#ff9a7a"), 0.8)
    tones = {"f": rgb("#ffe6d0"), "d": rgb("#2a0a14"), "l": WHITE, "a": rgb("#ff7a1f")}
    emblems.draw(canvas, emblems.PLANS[slug], (0, 0), 112, tones)


def event(canvas: Canvas, slug: str) -> None:
    """Its emblem on a screen between two strips of hazard tape."""
    chance = art.seeded(slug)
    art.sky(canvas, city.NIGHT)
    tone = chance.choice((rgb("#2b4f9a"), rgb("#3a3a8e"), rgb("#1f6a8a"), rgb("#5a3a86")))
    canvas.glow((0, -10), 320, mix(tone, WHITE, 0.25), 0.9)
    for i in range(3):
        canvas.ring((0, -14), 168 + i * 42, 6, mix(tone, WHITE, 0.5), 0.45 - i * 0.1)
    for y in range(TOP, BOTTOM, 9):
        canvas.line([(LEFT, y), (RIGHT, y)], 2, BLACK, 0.16)
    canvas.fill(circle((0, -14), 160), mix(tone, INK, 0.55))
    canvas.ring((0, -14), 160, 8, rgb("#ff7a1f"))
    tones = {
        "f": rgb("#f4f7ff"), "d": mix(tone, INK, 0.7), "l": WHITE, "a": rgb("#ff8a2a"),
    }  # fmt: skip
    emblems.draw(canvas, emblems.PLANS[slug], (0, -14), 106, tones)
    # The hazard tape of a bulletin.
    for top in (TOP, 196):
        canvas.fill([(LEFT, top), (RIGHT, top), (RIGHT, top + 44), (LEFT, top + 44)], INK)
        for x in range(LEFT - 60, RIGHT + 60, 60):
            stripe = [(x, top + 38), (x + 30, top + 38), (x + 56, top + 6), (x + 26, top + 6)]
            canvas.fill([(float(a), float(b)) for a, b in stripe], rgb("#ff7a1f"))


def crest(canvas: Canvas, slug: str, family: str, tones: Palette) -> None:
    """The emblem of a team's affiliation in the searchlights."""
    chance = art.seeded(slug)
    canvas.fade(_everywhere(), tones.dark, tones.deep)
    art.stars(canvas, chance, tones.pale, 30)
    for x, lean in ((-230, 250), (230, -250), (-90, -120), (90, 120)):
        beam = [
            (x - 10.0, 240.0),
            (x + 10.0, 240.0),
            (x + lean + 70.0, -250.0),
            (x + lean - 50.0, -250.0),
        ]
        canvas.fill(beam, tones.light, 0.16)
    city.skyline(canvas, chance, 250, 150, tones.dark, 0.25)
    canvas.glow((0, -10), 270, tones.base, 0.9)
    shape = [(x * 1.0, y - 14.0) for x, y in (
        (0, -208), (70, -178), (176, -176), (186, -20), (140, 110), (0, 204), (-140, 110),
        (-186, -20), (-176, -176), (-70, -178),
    )]  # fmt: skip
    canvas.line(shape, 16, tones.dark, closed=True)
    canvas.fade(shape, tones.light, tones.base)
    inner = [(x * 0.88, (y + 14) * 0.88 - 14) for x, y in shape]
    canvas.fade(inner, mix(tones.deep, tones.base, 0.35), tones.dark)
    canvas.line(inner, 5, tones.accent, closed=True)
    emblems.glyph(canvas, family, (0, -16), 116, tones.dark)
    emblems.glyph(canvas, family, (0, -24), 112, tones.pale)
    for side in (-1, 1):
        canvas.fill(star((side * 118.0, -136), 18, 8, 5), tones.accent)
    canvas.fill(star((0, 140), 24, 11, 5), tones.accent)
