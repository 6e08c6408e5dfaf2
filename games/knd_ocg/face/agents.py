"""The forty Characters: a bearing for each type, a look and a thing of one's own for each agent.

Leaders stand wide in a cape with an arm raised, Defenders hide behind something large, Attackers lean
into a punch, Spies are a narrow coat with a collar, Pacifists sit. So the types are told apart by
their outline alone.
"""

# ruff: noqa: E501 - path data reads best in one piece

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

from collection.drawing.canvas import (
    BLACK,
    WHITE,
    Canvas,
    Colour,
    Point,
    circle,
    ellipse,
    font,
    mix,
    moved,
    ngon,
    rgb,
    rounded,
    star,
    trace,
    turned,
)
from games.knd_ocg.face.figures import (
    EDGE,
    SKINS,
    Look,
    fist,
    flower,
    head,
    inked,
    limb,
    shape,
)

_CLOTH = {
    "leader": rgb("#c43c32"),
    "defender": rgb("#3567bd"),
    "attacker": rgb("#d99a1c"),
    "spy": rgb("#2c6e48"),
    "pacifist": rgb("#8f83b4"),
}
_PAPER, _CHALK, _WOOD, _STEEL = rgb("#f6eedd"), rgb("#f0dc6e"), rgb("#a8713f"), rgb("#a9b2bd")
_NIGHT = rgb("#2b2530")

LOOKS: Mapping[str, Look] = {
    # Leaders
    "numbuh-1": Look(2, "quiff", "black", "", "happy", "dark", "1"),
    "treehouse-marshal": Look(2, "buzz", "black", "shako", "cross"),
    "captain-cartwheel": Look(1, "spikes", "red", "headband", "happy"),
    "sergeant-sprocket": Look(3, "buzz", "black", "helmet", "calm"),
    "quartermaster-quill": Look(0, "bowl", "brown", "beret", "calm", "round"),
    "commander-jigsaw": Look(2, "quiff", "brown", "", "cross"),
    "debate-captain-dee": Look(4, "buns", "brown", "", "calm", "round"),
    "head-cadet-hazel": Look(1, "ponytail", "brown", "cap", "calm"),
    # Defenders
    "numbuh-2": Look(4, "curls", "black", "headband", "happy", "round", "2"),
    "pillow-fort-warden": Look(0, "curls", "red", "", "sleepy"),
    "crossing-guard-gus": Look(3, "buzz", "black", "cap", "calm"),
    "trampoline-trish": Look(1, "pigtails", "blond", "", "happy"),
    "trashcan-lid-tess": Look(2, "mohawk", "pink", "", "cross"),
    "snow-fort-sana": Look(1, "long", "black", "beanie", "calm"),
    "bus-stop-bruno": Look(0, "bowl", "black", "", "calm"),
    "booby-trap-boz": Look(4, "quiff", "red", "", "sly"),
    # Attackers
    "numbuh-4": Look(1, "spikes", "red", "", "cross", "", "4"),
    "slingshot-sadie": Look(1, "pigtails", "red", "", "sly"),
    "mudball-mo": Look(3, "curls", "black", "", "wild"),
    "headlock-hank": Look(0, "buzz", "blond", "headband", "cross"),
    "sugar-rush-bea": Look(2, "buns", "blue", "", "wild"),
    "relay-rosa": Look(2, "ponytail", "black", "headband", "happy"),
    "cannonball-kit": Look(1, "tuft", "brown", "helmet", "wild"),
    "scooter-skye": Look(4, "long", "blue", "cap", "happy"),
    # Spies
    "numbuh-5": Look(3, "curls", "black", "fedora", "sly", "", "5"),
    "locker-lou": Look(0, "bowl", "brown", "cap", "sly"),
    "keyhole-kay": Look(1, "long", "red", "", "wild"),
    "shredder-pip": Look(4, "spikes", "white", "", "sly", "round"),
    "double-cross-dot": Look(2, "buns", "black", "", "sly"),
    "whisper-wes": Look(0, "quiff", "black", "hood", "calm"),
    "pickpocket-penny": Look(1, "pigtails", "brown", "fedora", "happy"),
    "milo-the-mole": Look(3, "tuft", "brown", "helmet", "calm", "dark"),
    # Pacifists
    "numbuh-3": Look(0, "pigtails", "pink", "", "happy", "", "3"),
    "nap-time-nora": Look(2, "curls", "brown", "", "sleepy"),
    "hide-and-seek-hugo": Look(0, "tuft", "red", "", "calm"),
    "peace-sign-petra": Look(4, "long", "blond", "headband", "happy"),
    "home-base-tao": Look(1, "buzz", "black", "paper", "calm"),
    "daydream-dilly": Look(3, "buns", "black", "wreath", "sleepy"),
    "lemonade-lena": Look(2, "ponytail", "black", "bucket", "happy"),
    "quiet-corner-quinn": Look(0, "bowl", "blue", "", "calm", "round"),
}  # fmt: skip


def portrait(canvas: Canvas, slug: str, word: str, chance: random.Random) -> None:
    """The agent in the bearing of its type, with its thing."""
    look = LOOKS[slug]
    cloth = mix(_CLOTH[word], rgb("#6a5a8a"), chance.uniform(0, 0.14))
    BEARINGS[word](canvas, slug, look, cloth)


def _badge(canvas: Canvas, number: str, at: Point, radius: float) -> None:
    inked(canvas, circle(at, radius), _PAPER, shade=0.1, width=7)
    face = font("serif", round(radius * 1.6 * canvas.unit), 800)
    canvas.text(at, number, face, EDGE, anchor="middle")


# -- Leaders ---------------------------------------------------------------------------------------


def _leader(canvas: Canvas, slug: str, look: Look, cloth: Colour) -> None:
    skin = SKINS[look.skin]
    if slug in ("captain-cartwheel", "sergeant-sprocket"):
        THINGS[slug](canvas)
    cape = "M-70 40 C-150 90 -190 170 -206 260 L206 260 C190 170 150 90 70 40 Z"
    shape(canvas, cape, mix(cloth, BLACK, 0.35))
    limb(canvas, [(86, 96), (150, 40), (168, -70)], 44, cloth)
    limb(canvas, [(-86, 100), (-128, 160), (-92, 204)], 44, cloth)
    shape(canvas, "M-104 70 C-60 40 60 40 104 70 L118 260 L-118 260 Z", cloth)
    for side in (-1, 1):
        shape(canvas, "M58 60 L132 66 L140 100 L66 96 Z", _CHALK, flip=side < 0, width=7)
    canvas.line([(0, 66), (0, 250)], 7, EDGE)
    for y in (150, 200):
        canvas.disc((22, y), 8, _CHALK)
    if look.number:
        _badge(canvas, look.number, (-46, 138), 30)
    else:
        canvas.fill(star((-46, 136), 28, 13, 5), EDGE)
        canvas.fill(star((-46, 136), 21, 9.5, 5), _CHALK)
    fist(canvas, (-88, 204), 30, skin)
    head(canvas, look, (0, -34), 1.06, cloth)
    if slug not in ("captain-cartwheel", "sergeant-sprocket"):
        THINGS[slug](canvas)
    fist(canvas, (168, -86), 33, skin)


def _megaphone(canvas: Canvas) -> None:
    shape(canvas, "M160 -96 L250 -150 L276 -40 L166 -64 Z", _CHALK)
    shape(
        canvas,
        "O264 -96 0 M246 -154 C262 -150 290 -60 272 -36 C258 -40 236 -120 246 -154 Z",
        _PAPER,
    )
    for r in (26, 50):
        arc = [(276 + r * math.cos(a / 10), -98 + r * 1.2 * math.sin(a / 10)) for a in range(-8, 9)]
        canvas.line(arc, 7, WHITE)


def _baton(canvas: Canvas) -> None:
    limb(canvas, [(132, -10), (206, -178)], 14, _STEEL)
    inked(canvas, circle((210, -188), 26), _CHALK)


def _wheel(canvas: Canvas) -> None:
    canvas.ring((0, 20), 204, 34, EDGE)
    canvas.ring((0, 20), 204, 18, _WOOD)
    for i in range(8):
        a = math.radians(22.5 + 45 * i)
        canvas.line([(0, 20), (200 * math.sin(a), 20 - 200 * math.cos(a))], 20, EDGE)
        canvas.line([(0, 20), (200 * math.sin(a), 20 - 200 * math.cos(a))], 9, _WOOD)


def _cog(canvas: Canvas) -> None:
    teeth = []
    for i in range(48):
        r = 212 if i % 4 in (0, 1) else 178
        a = math.radians(i * 7.5)
        teeth.append((r * math.sin(a), 6 - r * math.cos(a)))
    inked(canvas, teeth, _STEEL, width=10)
    canvas.disc((0, 6), 140, EDGE, 0.35)


def _feather(canvas: Canvas) -> None:
    shape(canvas, "M150 -80 C150 -160 190 -220 236 -236 C246 -180 220 -120 176 -72 Z", _PAPER)
    canvas.line([(156, -66), (226, -216)], 5, EDGE)
    box = (-206, 130, -66, 240)
    inked(canvas, rounded(box, 8), _WOOD)
    for x in (-172, -136, -100):
        canvas.line([(x, 136), (x, 236)], 5, EDGE, 0.6)
    canvas.line([(-200, 184), (-72, 184)], 8, EDGE, 0.5)


def _jigsaw(canvas: Canvas) -> None:
    piece = "M-60 -60 L-22 -60 C-34 -96 34 -96 22 -60 L60 -60 L60 -22 C96 -34 96 34 60 22 L60 60 L22 60 C30 30 -30 30 -22 60 L-60 60 L-60 22 C-30 30 -30 -30 -60 -22 Z"
    shape(canvas, piece, rgb("#4a84dc"), at=(196, -142), size=0.9, turn=14)
    shape(canvas, piece, rgb("#f0b429"), at=(-196, 176), size=0.62, turn=-20)


def _podium(canvas: Canvas) -> None:
    shape(canvas, "M-150 150 L150 150 L124 260 L-124 260 Z", _WOOD)
    shape(canvas, "M-172 124 L172 124 L158 156 L-158 156 Z", mix(_WOOD, WHITE, 0.2))
    canvas.line([(-60, 124), (-40, 70)], 9, EDGE)
    inked(canvas, ellipse((-36, 58), 20, 28, 12), rgb("#3c4048"))


def _flag(canvas: Canvas) -> None:
    limb(canvas, [(168, 10), (176, -222)], 12, _WOOD)
    shape(
        canvas,
        "M180 -220 C220 -240 250 -200 292 -220 L286 -142 C250 -124 220 -164 180 -144 Z",
        _CHALK,
    )
    canvas.fill(star((232, -182), 24, 11, 5), rgb("#c43c32"))
    canvas.line([(-30, 54), (-20, 110)], 6, _PAPER)
    inked(canvas, ellipse((-18, 122), 22, 16), _STEEL, width=6)


# -- Defenders -------------------------------------------------------------------------------------


def _defender(canvas: Canvas, slug: str, look: Look, cloth: Colour) -> None:
    skin = SKINS[look.skin]
    if slug == "bus-stop-bruno":
        _backpack(canvas)
    shape(canvas, "M-136 260 C-150 130 -90 60 0 60 C90 60 150 130 136 260 Z", cloth)
    if slug == "bus-stop-bruno":
        for side in (-1, 1):
            limb(canvas, [(side * 74, 84), (side * 62, 250)], 22, rgb("#8a4a2a"))
        _badge(canvas, "B", (0, 160), 34)
    head(canvas, look, (0, -52), 1.0, cloth)
    if slug != "bus-stop-bruno":
        THINGS[slug](canvas)
    low = slug in ("crossing-guard-gus", "trashcan-lid-tess")
    for side in (-1, 1):
        fist(canvas, (side * (96 if low else 150), 176 if low else 92), 30, skin)
    if slug in ("crossing-guard-gus", "trashcan-lid-tess"):
        return
    if look.number:
        _badge(canvas, look.number, (0, 176), 46)


def _gadgets(canvas: Canvas) -> None:
    inked(canvas, rounded((-190, 100, 190, 262), 22), _STEEL)
    for x, tone in ((-150, "#dc5044"), (-106, "#f0b429"), (106, "#43a76a"), (150, "#4a84dc")):
        inked(canvas, circle((x, 144), 17), rgb(tone), width=6)
    for x in (-128, 128):
        canvas.ring((x, 204), 26, 8, EDGE)
        canvas.line([(x, 204), (x + 15, 188)], 6, EDGE)
    canvas.line([(172, 100), (206, 10)], 9, EDGE)
    inked(canvas, circle((208, 0), 16), rgb("#dc5044"), width=6)


def _pillows(canvas: Canvas) -> None:
    for x, y, tone, turn in (
        (-104, 206, "#f3d7e4", -6), (108, 212, "#cfe3f6", 5), (0, 148, "#fbf0cf", 2),
    ):  # fmt: skip
        pillow = "M-118 -44 C-60 -30 60 -30 118 -44 C106 -14 106 14 118 44 C60 32 -60 32 -118 44 C-106 14 -106 -14 -118 -44 Z"
        shape(canvas, pillow, rgb(tone), at=(x, y), turn=turn)
    for x, y in ((-190, -90), (200, -40), (-160, 20)):
        shape(
            canvas,
            "M0 -30 C20 -10 16 20 -4 34 C-16 14 -14 -14 0 -30 Z",
            WHITE,
            at=(x, y),
            turn=x / 5,
            width=5,
        )


def _stop(canvas: Canvas) -> None:
    limb(canvas, [(0, 250), (0, 120)], 18, _STEEL)
    inked(canvas, ngon((0, 158), 116, 8, 22.5), _PAPER, width=10)
    inked(canvas, ngon((0, 158), 98, 8, 22.5), rgb("#c8342c"), width=4)
    face = font("sans", round(62 * canvas.unit), 800)
    canvas.text((0, 158), "STOP", face, WHITE, anchor="middle")


def _trampoline(canvas: Canvas) -> None:
    for x in (-150, 150):
        limb(canvas, [(x, 176), (x * 1.12, 256)], 16, _STEEL)
    inked(canvas, ellipse((0, 160), 216, 60), rgb("#4a84dc"))
    inked(canvas, ellipse((0, 156), 168, 40), rgb("#2b2f3a"), width=6)
    for i in range(16):
        a = math.radians(i * 22.5)
        ends = [
            (174 * math.sin(a), 156 - 42 * math.cos(a)),
            (202 * math.sin(a), 159 - 52 * math.cos(a)),
        ]
        canvas.line(ends, 6, WHITE)
    for x, bend in ((-216, -1), (216, 1)):
        arc = [(x + bend * 18 * math.sin(t / 3), -60 + t * 12) for t in range(12)]
        canvas.line(arc, 8, WHITE, 0.9)


def _lid(canvas: Canvas) -> None:
    inked(canvas, circle((0, 150), 132), _STEEL, width=11)
    for r in (100, 66):
        canvas.ring((0, 150), r, 7, EDGE, 0.5)
    canvas.line(trace("M-44 150 C-40 104 40 104 44 150")[0], 22, EDGE)
    canvas.line(trace("M-44 150 C-40 104 40 104 44 150")[0], 9, _PAPER)
    canvas.line(trace("M-96 96 C-74 62 -40 44 -4 42")[0], 8, WHITE, 0.8)


def _snow(canvas: Canvas) -> None:
    for y, xs in ((224, (-156, -52, 52, 156)), (164, (-104, 0, 104)), (106, (-156, 156))):
        for x in xs:
            inked(canvas, rounded((x - 50, y - 29, x + 50, y + 29), 14), rgb("#e9f3fc"), shade=0.14)
    for x, y in ((-200, -110), (212, -130), (-226, 20), (222, 10), (150, -200)):
        canvas.disc((x, y), 12, WHITE)


def _backpack(canvas: Canvas) -> None:
    inked(canvas, rounded((-196, -120, 196, 264), 70), rgb("#7a4a2c"), width=11)
    inked(canvas, rounded((-150, -196, 150, -108), 34), rgb("#93603a"))
    for side in (-1, 1):
        inked(
            canvas,
            rounded((min(side * 150, side * 230), 60, max(side * 150, side * 230), 200), 24),
            rgb("#93603a"),
        )
    canvas.line([(-196, -30), (196, -30)], 8, EDGE, 0.5)


def _trap(canvas: Canvas) -> None:
    inked(canvas, rounded((-172, 128, 172, 262), 14), _WOOD)
    canvas.line([(-172, 170), (172, 170)], 6, EDGE, 0.5)
    spring = [(-40 + 40 * (i % 2) * 2, 128 - i * 13) for i in range(6)]
    canvas.line(spring, 13, EDGE)
    canvas.line(spring, 6, _STEEL)
    for x, y in ((-120, 214), (0, 214), (120, 214)):
        canvas.fill([(x - 24, y + 20), (x, y - 28), (x + 24, y + 20)], _CHALK)
        canvas.line([(x - 24, y + 20), (x, y - 28), (x + 24, y + 20)], 5, EDGE, closed=True)
    limb(canvas, [(176, 150), (232, 60)], 10, _STEEL)
    inked(canvas, circle((234, 52), 18), rgb("#dc5044"))


# -- Attackers -------------------------------------------------------------------------------------


def _attacker(canvas: Canvas, slug: str, look: Look, cloth: Colour) -> None:
    skin = SKINS[look.skin]
    for y, long in ((-150, 110), (-60, 150), (40, 120), (120, 160)):
        canvas.line([(-330, y), (-330 + long, y - 12)], 11, WHITE, 0.85)
    limb(canvas, [(-110, 130), (-196, 90), (-216, 10)], 50, cloth)
    fist(canvas, (-216, -6), 38, skin)
    shape(canvas, "M-150 260 C-160 170 -120 70 -40 50 C30 40 86 70 96 120 L60 260 Z", cloth)
    if look.number:
        _badge(canvas, look.number, (-42, 172), 44)
    else:
        stripe = trace("M-150 200 C-80 170 20 160 84 176")[0]
        canvas.line(stripe, 26, _PAPER)
    head(canvas, look, (-34, -56), 1.02, mix(cloth, BLACK, 0.25), turn=9)
    limb(canvas, [(60, 110), (140, 120), (196, 70)], 54, cloth)
    THINGS[slug](canvas)
    if slug not in ("mudball-mo", "scooter-skye"):
        fist(canvas, (196, 58), 56 if slug in ("numbuh-4", "headlock-hank") else 42, skin)
    if slug == "sugar-rush-bea":
        _lollipop(canvas)


def _bang(canvas: Canvas) -> None:
    canvas.fill(star((206, 50), 128, 78, 11), EDGE)
    canvas.fill(star((206, 50), 114, 68, 11), WHITE)
    canvas.fill(star((206, 50), 92, 54, 11), rgb("#e2502e"))


def _slingshot(canvas: Canvas) -> None:
    for points in ([(196, 90), (196, -20), (150, -110)], [(196, -20), (242, -110)]):
        canvas.line(points, 40, EDGE)
        canvas.line(points, 24, _WOOD)
    canvas.line([(148, -104), (40, -10), (242, -106)], 9, rgb("#c8342c"))
    inked(canvas, circle((42, -10), 22), _STEEL, width=6)


def _mud(canvas: Canvas) -> None:
    inked(canvas, circle((204, 30), 66), rgb("#6b4426"), width=10)
    for x, y, r in ((172, 4, 14), (220, 40, 18), (196, 62, 10), (232, 0, 9)):
        canvas.disc((x, y), r, rgb("#8c5e38"))
    for x, y, r in (
        (282, -40, 16),
        (276, 84, 13),
        (140, -50, 12),
        (110, 210, 15),
        (-120, -190, 14),
    ):
        inked(canvas, circle((x, y), r), rgb("#6b4426"), width=6)


def _arms(canvas: Canvas) -> None:
    for x, y in ((250, -44), (130, -50), (276, 120)):
        canvas.line([(x - 22, y - 22), (x + 22, y + 22)], 10, rgb("#e2502e"))
        canvas.line([(x + 22, y - 22), (x - 22, y + 22)], 10, rgb("#e2502e"))


def _lollipop(canvas: Canvas) -> None:
    limb(canvas, [(196, 100), (206, -60)], 12, _PAPER)
    inked(canvas, circle((208, -114), 72), rgb("#ec6f9a"), width=10)
    spiral = [
        (208 + t * 1.5 * math.cos(t / 5), -114 + t * 1.5 * math.sin(t / 5)) for t in range(2, 42)
    ]
    canvas.line(spiral, 12, WHITE)


def _relay(canvas: Canvas) -> None:
    stick = rounded((-86, -17, 86, 17), 12)
    placed = moved(turned(stick, -42), 206, 44)
    inked(canvas, placed, rgb("#dc5044"))
    for t in (-48, 48):
        ends = moved(turned([(t, -17), (t, 17)], -42), 206, 44)
        canvas.line(ends, 10, _PAPER)


def _cannonball(canvas: Canvas) -> None:
    canvas.line(trace("M-34 -150 C-20 -200 30 -196 46 -226")[0], 13, EDGE)
    canvas.line(trace("M-34 -150 C-20 -200 30 -196 46 -226")[0], 6, _PAPER)
    canvas.fill(star((50, -222), 40, 17, 8), rgb("#e2502e"))
    canvas.fill(star((50, -222), 26, 11, 8), rgb("#ffe08a"))
    inked(canvas, circle((236, 100), 46), rgb("#3a3d46"))
    canvas.disc((222, 84), 11, WHITE, 0.8)


def _scooter(canvas: Canvas) -> None:
    limb(canvas, [(196, 226), (150, 20)], 16, _STEEL)
    limb(canvas, [(96, 26), (206, 6)], 18, rgb("#3f7fb8"))
    limb(canvas, [(-190, 226), (206, 226)], 20, rgb("#3f7fb8"))
    for x in (-196, 206):
        inked(canvas, circle((x, 226), 32), rgb("#2b2f3a"))
        canvas.disc((x, 226), 12, _STEEL)
    inked(canvas, circle((150, 18), 28), SKINS[4])


# -- Spies -----------------------------------------------------------------------------------------


def _spy(canvas: Canvas, slug: str, look: Look, cloth: Colour) -> None:
    skin = SKINS[look.skin]
    if slug == "locker-lou":
        _locker(canvas)
    if slug == "keyhole-kay":
        _keyhole(canvas)
    coat = "M-56 50 C-84 60 -92 100 -96 260 L96 260 C92 100 84 60 56 50 Z"
    shape(canvas, coat, cloth)
    canvas.line([(0, 96), (0, 256)], 7, EDGE)
    for y in (140, 200):
        canvas.disc((-24, y), 8, _CHALK)
    canvas.line([(-92, 176), (92, 176)], 20, mix(cloth, BLACK, 0.5))
    inked(canvas, rounded((-20, 160, 20, 192), 5), _CHALK, width=6)
    limb(canvas, [(70, 100), (112, 160), (70, 190)], 38, cloth)
    head(canvas, look, (0, -40), 0.92, mix(cloth, BLACK, 0.4))
    collar = "M-14 96 C-60 80 -96 40 -104 -6 C-70 24 -30 44 0 52 C30 44 70 24 104 -6 C96 40 60 80 14 96 Z"
    shape(canvas, collar, mix(cloth, BLACK, 0.18))
    if look.number:
        _badge(canvas, look.number, (44, 128), 27)
    if slug not in ("locker-lou", "keyhole-kay"):
        THINGS[slug](canvas)
    else:
        fist(canvas, (70, 190), 27, skin)


def _magnifier(canvas: Canvas) -> None:
    limb(canvas, [(-92, 196), (-140, 130)], 20, _WOOD)
    canvas.disc((-166, 88), 62, EDGE)
    canvas.disc((-166, 88), 50, rgb("#d9f0e4"))
    canvas.line(trace("M-196 76 C-190 56 -176 50 -160 48")[0], 8, WHITE)
    fist(canvas, (-104, 184), 28, SKINS[3])


def _locker(canvas: Canvas) -> None:
    inked(canvas, rounded((-206, -190, 206, 264), 14), rgb("#5f7f8a"), width=10)
    canvas.fill(rounded((-182, -166, 182, 264), 8), rgb("#12221c"))
    inked(canvas, [(206, -190), (286, -220), (286, 264), (206, 264)], rgb("#7f9fa8"))
    for y in (-160, -140, -120):
        canvas.line([(226, y), (268, y - 14)], 6, EDGE)
    inked(canvas, circle((238, 30), 12), _CHALK, width=5)


def _keyhole(canvas: Canvas) -> None:
    canvas.disc((0, -70), 214, EDGE)
    canvas.fill([(-60, 40), (60, 40), (190, 264), (-190, 264)], EDGE)
    canvas.disc((0, -70), 198, rgb("#f4e39a"))
    canvas.fill([(-80, 60), (80, 60), (174, 264), (-174, 264)], rgb("#f4e39a"))


def _strips(canvas: Canvas) -> None:
    inked(canvas, rounded((-236, 96, -96, 176), 10), rgb("#5a6068"))
    canvas.line([(-222, 118), (-110, 118)], 8, BLACK)
    for i in range(6):
        x = -222 + i * 22
        line = [(x + 7 * math.sin(t / 2 + i), 178 + t * 9) for t in range(9)]
        canvas.line(line, 16, EDGE)
        canvas.line(line, 10, _PAPER)
    inked(canvas, [(-206, 96), (-206, 10), (-126, 10), (-126, 96)], _PAPER, width=7)
    for y in (34, 54, 74):
        canvas.line([(-192, y), (-140, y)], 5, EDGE, 0.6)


def _masks(canvas: Canvas) -> None:
    for x, tone, up in ((-172, "#f6eedd", True), (176, "#3a3540", False)):
        mask = "M-62 -60 C-20 -74 20 -74 62 -60 C70 20 40 74 0 86 C-40 74 -70 20 -62 -60 Z"
        shape(canvas, mask, rgb(tone), at=(x, 60), turn=-12 if up else 12)
        ink = EDGE if up else WHITE
        for dx in (-26, 26):
            canvas.fill(ellipse((x + dx, 40), 15, 9), ink)
        bend = 22 if up else -22
        curve = [(x + t, 92 + bend * (1 - (t / 30) ** 2) - bend / 2) for t in range(-30, 31, 6)]
        canvas.line(curve, 9, ink)


def _bubble(canvas: Canvas) -> None:
    bubble = "M-286 -160 C-290 -216 -110 -216 -112 -160 C-110 -126 -130 -112 -150 -108 L-116 -70 L-190 -106 C-250 -104 -284 -124 -286 -160 Z"
    shape(canvas, bubble, _PAPER, flip=True)
    for x in (240, 200, 160):
        canvas.disc((x, -158), 12, EDGE)
    limb(canvas, [(-70, 100), (-112, 66), (-78, 34)], 36, rgb("#2c6e48"))
    fist(canvas, (-70, 30), 26, SKINS[0])


def _coins(canvas: Canvas) -> None:
    inked(canvas, rounded((-214, 120, -94, 200), 16), rgb("#8a4a2a"))
    canvas.line([(-214, 146), (-94, 146)], 6, EDGE)
    inked(canvas, circle((-154, 150), 11), _CHALK, width=5)
    for x, y in ((-206, 66), (-150, 20), (-196, -30), (190, 60), (222, 0), (168, -60)):
        inked(canvas, circle((x, y), 27), rgb("#f0b429"), width=7)
        canvas.ring((x, y), 16, 4, rgb("#8a5a0c"))


def _mole(canvas: Canvas) -> None:
    mound = (
        "M-260 262 C-220 200 -170 176 -120 186 C-80 150 80 150 120 186 C170 176 220 200 260 262 Z"
    )
    shape(canvas, mound, rgb("#6b4426"))
    for x, y, r in ((-150, 214, 15), (-60, 196, 11), (50, 202, 14), (150, 220, 12)):
        canvas.disc((x, y), r, rgb("#8c5e38"))
    canvas.disc((0, -138), 26, EDGE)
    canvas.disc((0, -138), 19, rgb("#fff3c4"))
    canvas.fill([(-8, -150), (-96, -230), (96, -230), (8, -150)], rgb("#fff3c4"), 0.55)
    inked(canvas, circle((0, -8), 15), rgb("#e58a8a"), width=6)


# -- Pacifists -------------------------------------------------------------------------------------


def _pacifist(canvas: Canvas, slug: str, look: Look, cloth: Colour) -> None:
    skin = SKINS[look.skin]
    if slug in ("peace-sign-petra", "home-base-tao", "daydream-dilly"):
        THINGS[slug](canvas)
    shape(canvas, "M-92 250 C-150 170 -110 70 0 70 C110 70 150 170 92 250 Z", cloth)
    limb(canvas, [(-150, 222), (-30, 232), (60, 214)], 46, mix(cloth, BLACK, 0.3))
    limb(canvas, [(150, 222), (30, 236), (-60, 220)], 46, mix(cloth, BLACK, 0.3))
    for side in (-1, 1):
        limb(canvas, [(side * 86, 120), (side * 120, 178), (side * 40, 176)], 38, cloth)
    for side in (-1, 1):
        fist(canvas, (side * 26, 172), 26, skin)
    if look.number:
        _badge(canvas, look.number, (0, 120), 32)
    head(canvas, look, (0, -40), 1.04, cloth)
    if slug not in ("peace-sign-petra", "home-base-tao", "daydream-dilly"):
        THINGS[slug](canvas)


def _hearts(canvas: Canvas) -> None:
    heart = "M0 102 C-134 12 -120 -94 -48 -94 C-22 -94 -6 -80 0 -62 C6 -80 22 -94 48 -94 C120 -94 134 12 0 102 Z"
    for x, y, size, turn in (
        (-186, -40, 0.5, -16),
        (192, -70, 0.62, 14),
        (206, 90, 0.34, -8),
        (-214, 96, 0.3, 12),
    ):
        shape(canvas, heart, rgb("#ec6f8a"), at=(x, y), size=size, turn=turn, width=8)


def _moon(canvas: Canvas) -> None:
    shape(
        canvas,
        "M30 -70 C-40 -70 -70 -10 -50 40 C-30 90 40 100 76 60 C30 60 0 30 0 -10 C0 -36 12 -58 30 -70 Z",
        rgb("#ffe08a"),
        at=(-190, -80),
    )
    for x, y, size in ((150, -90, 62), (206, -150, 84), (120, -30, 46)):
        face = font("serif", round(size * canvas.unit), 800)
        canvas.text((x, y), "Z", face, WHITE, anchor="middle", outline=3, outline_colour=EDGE)
    pillow = "M-118 -44 C-60 -30 60 -30 118 -44 C106 -14 106 14 118 44 C60 32 -60 32 -118 44 C-106 14 -106 -14 -118 -44 Z"
    shape(canvas, pillow, rgb("#f3d7e4"), at=(0, 182), size=0.8)


def _bush(canvas: Canvas) -> None:
    for x, y, r in ((-190, 190, 80), (-90, 160, 74), (0, 150, 66), (90, 164, 76), (190, 190, 84)):
        canvas.disc((x, y), r + 6, EDGE)
    for x, y, r in ((-190, 190, 80), (-90, 160, 74), (0, 150, 66), (90, 164, 76), (190, 190, 84)):
        canvas.disc((x, y), r, rgb("#3f8a4a"))
        canvas.disc((x - r * 0.25, y - r * 0.3), r * 0.55, rgb("#5aa862"))
    canvas.fill([(-320, 214), (320, 214), (320, 260), (-320, 260)], rgb("#3f8a4a"))
    shape(
        canvas,
        "M0 -50 C34 -40 44 0 0 50 C-44 0 -34 -40 0 -50 Z",
        rgb("#5aa862"),
        at=(40, -146),
        turn=30,
        width=7,
    )


def _peace(canvas: Canvas) -> None:
    canvas.ring((0, -10), 196, 40, EDGE)
    canvas.ring((0, -10), 196, 22, rgb("#f6a5c0"))
    for points in ([(0, -196), (0, 180)], [(0, -10), (-136, 126)], [(0, -10), (136, 126)]):
        canvas.line(points, 40, EDGE)
        canvas.line(points, 22, rgb("#f6a5c0"))


def _house(canvas: Canvas) -> None:
    roof = [(-232, -40), (0, -226), (232, -40), (190, -40), (190, 250), (-190, 250), (-190, -40)]
    inked(canvas, roof, rgb("#fbf0cf"), width=14)
    canvas.line([(-240, -34), (0, -226), (240, -34)], 26, EDGE)
    canvas.line([(-238, -34), (0, -224), (238, -34)], 14, rgb("#dc5044"))


def _dream(canvas: Canvas) -> None:
    spots = ((-150, -60, 74), (-60, -140, 90), (60, -146, 92), (156, -70, 78), (0, -60, 120))
    for x, y, r in spots:
        canvas.disc((x, y), r + 8, EDGE)
    for x, y, r in spots:
        canvas.disc((x, y), r, WHITE)
    for x, y, r in ((-210, 70, 22), (-180, 122, 14), (212, 70, 20)):
        inked(canvas, circle((x, y), r), WHITE, shade=0.05, width=6)
    for x, y, tone in ((-160, -80, "#f6a5c0"), (164, -96, "#b9a2f0"), (86, -190, "#f0b429")):
        flower(canvas, (x, y), 24, rgb(tone))


def _lemonade(canvas: Canvas) -> None:
    shape(canvas, "M-58 -80 L58 -80 L44 90 L-44 90 Z", rgb("#e9f6fb"), at=(-186, 130))
    shape(canvas, "M-50 -40 L50 -40 L42 82 L-42 82 Z", rgb("#f8dc4a"), at=(-186, 130), width=4)
    canvas.line([(-176, 130), (-136, -10)], 11, rgb("#dc5044"))
    inked(canvas, circle((-236, 50), 32), rgb("#f8dc4a"), width=7)
    canvas.ring((-236, 50), 22, 4, WHITE)
    for i in range(6):
        a = math.radians(60 * i)
        canvas.line([(-236, 50), (-236 + 20 * math.sin(a), 50 - 20 * math.cos(a))], 3, WHITE)
    shape(
        canvas,
        "M-50 -80 L40 -80 L60 -94 L54 -60 L50 90 L-50 90 Z",
        rgb("#f8dc4a"),
        at=(190, 136),
        size=1.1,
    )
    canvas.line(trace("M136 76 C96 80 96 190 138 186")[0], 12, EDGE)


def _book(canvas: Canvas) -> None:
    shape(
        canvas,
        "M0 120 C-50 92 -110 92 -160 110 L-150 216 C-104 200 -50 200 0 226 C50 200 104 200 150 216 L160 110 C110 92 50 92 0 120 Z",
        rgb("#4a84dc"),
    )
    shape(
        canvas,
        "M0 128 C-50 104 -100 102 -142 116 L-134 196 C-96 184 -46 186 0 208 C46 186 96 184 134 196 L142 116 C100 102 50 104 0 128 Z",
        _PAPER,
        width=5,
    )
    canvas.line([(0, 128), (0, 206)], 5, EDGE)
    for y in (136, 152, 168):
        for side in (-1, 1):
            canvas.line([(side * 30, y + 6), (side * 112, y - 6)], 4, EDGE, 0.45)


BEARINGS: Mapping[str, Callable[[Canvas, str, Look, Colour], None]] = {
    "leader": _leader,
    "defender": _defender,
    "attacker": _attacker,
    "spy": _spy,
    "pacifist": _pacifist,
}
THINGS: Mapping[str, Callable[[Canvas], None]] = {
    "numbuh-1": _megaphone,
    "treehouse-marshal": _baton,
    "captain-cartwheel": _wheel,
    "sergeant-sprocket": _cog,
    "quartermaster-quill": _feather,
    "commander-jigsaw": _jigsaw,
    "debate-captain-dee": _podium,
    "head-cadet-hazel": _flag,
    "numbuh-2": _gadgets,
    "pillow-fort-warden": _pillows,
    "crossing-guard-gus": _stop,
    "trampoline-trish": _trampoline,
    "trashcan-lid-tess": _lid,
    "snow-fort-sana": _snow,
    "bus-stop-bruno": _backpack,
    "booby-trap-boz": _trap,
    "numbuh-4": _bang,
    "slingshot-sadie": _slingshot,
    "mudball-mo": _mud,
    "headlock-hank": _arms,
    "sugar-rush-bea": _lollipop,
    "relay-rosa": _relay,
    "cannonball-kit": _cannonball,
    "scooter-skye": _scooter,
    "numbuh-5": _magnifier,
    "locker-lou": _locker,
    "keyhole-kay": _keyhole,
    "shredder-pip": _strips,
    "double-cross-dot": _masks,
    "whisper-wes": _bubble,
    "pickpocket-penny": _coins,
    "milo-the-mole": _mole,
    "numbuh-3": _hearts,
    "nap-time-nora": _moon,
    "hide-and-seek-hugo": _bush,
    "peace-sign-petra": _peace,
    "home-base-tao": _house,
    "daydream-dilly": _dream,
    "lemonade-lena": _lemonade,
    "quiet-corner-quinn": _book,
}
