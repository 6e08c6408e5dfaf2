"""Somebody at the board in a browser: turns a tile over the best place and lays it there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.player import EVERY, Player, tab_to

FACTS = """() => {
    const { draft, ...facts } = JSON.parse(document.querySelector(".board-map").dataset.board);
    const cells = [...document.querySelectorAll("[data-cell]")].map(one => one.dataset);
    const where = ({ cell }) => cell.split(",").map(Number);
    return {
        ...facts,
        tiles: cells.filter(({ units }) => units).map(where),
        towers: cells.filter(({ tower }) => tower).map(one => {
            const [name, flag, value, owner] = one.tower.split("|");
            return [...where(one), Number(value), owner];
        }),
        places: (draft?.cells ?? []).map(([x, y, tile, tower]) => ({ x, y, tile, tower })),
    };
}"""
GONE_ON = "before => Number(document.getElementById('table').dataset.ply) > before"
MAX_MOVES = 160


class KhaosPlayer(Player):
    """Rings towers and takes them. By keys, or by clicks and taps."""

    by_keys = False

    def begin(self, site: str, mode: str, **choices: str) -> None:
        """A table against the weakest bot."""
        self.page.goto(f"{site}/play/?game=battl-khaos&mode={mode}")
        self.page.locator("details.more > summary").click()
        for name, value in {"seat_1": "bot:random", **choices}.items():
            field = self.page.locator(f"[name={name}]")
            if field.first.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                self.page.locator(f"label:has([name={name}][value='{value}'])").click()
        self.page.get_by_role("button", name="Create table").click()

    @property
    def facts(self) -> dict[str, Any]:
        """The board's towers, the cells of its tiles, and the places to choose from."""
        return dict(self.page.evaluate(FACTS))

    @property
    def side(self) -> str:
        side: str = self.facts["sides"][self.facts["seat"]]
        return side

    def move(self) -> None:
        kind = self.page.locator("#table").get_attribute("data-prompt-kind")
        if kind == "place-tile":
            self.place()
        elif kind == "draw-tile":
            self.choose(self.page.locator(".row-tiles .may").first)
        else:
            self.go_on()

    def go_on(self) -> None:
        """A question that comes by itself: the first place that is lit up, or the first button."""
        lit = self.page.locator(".layer-choices .may")
        if lit.count():
            self.choose(lit.first)
        send = self.page.locator("[data-send-draft]")
        if send.count():
            self.choose(send)
        else:
            self.choose(self.page.locator("#as-list .may").first)

    def place(self) -> None:
        """The first tile of the hand, or the best tower where no tower is left to fight for."""
        facts = self.facts
        hand = self.page.locator(".hand [data-place]")
        towers = self.page.locator(".tower-tiles [data-place]")
        cell = best(facts, "tile") if hand.count() else None
        if (cell is None or not worth(facts, cell)) and towers.count():
            cell = best(facts, "tower")
            self.choose(towers.last)
        else:
            self.choose(hand.first)
        assert cell is not None
        place = self.page.locator(f'[data-choice="{cell["x"]},{cell["y"]}"]')
        ghost = self.page.locator(".ghost")
        if not ghost.count():  # where only one place is open the tile lies there already
            self.choose(place)
        expect(ghost).to_have_count(1)
        own, other = f".takeover-{self.side}", f".takeover-{'K' if self.side == 'O' else 'O'}"
        for tried in range(7):
            if self.page.locator(own).count():
                break
            if tried > 3 and not self.page.locator(other).count():
                break
            self.turn(place)
        self.choose(self.page.locator("[data-send-draft]"))

    def turn(self, place: Locator) -> None:
        """With the key; with a second tap."""
        if self.by_keys:
            self.page.keyboard.press("r")
        else:
            place.click()

    def choose(self, target: Locator) -> None:
        """The focus brings it into sight."""
        if self.by_keys:
            tab_to(target)
            self.page.keyboard.press("Enter")
        else:
            target.focus()
            target.click()

    def play_to_the_end(self) -> None:
        width = self.page.viewport_size["width"]  # type: ignore[index]
        for _ in range(MAX_MOVES):
            if not self.ready():
                self.choose(self.page.locator("#to-result"))
                break
            before = self.ply
            self.move()
            self.page.wait_for_function(GONE_ON, arg=before, polling=EVERY)
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width
        self.page.wait_for_url("**/result/")


def worth(facts: dict[str, Any], cell: dict[str, Any]) -> int:
    """How much there is to fight for at a place: the towers beside it that nobody owns."""
    return sum(
        value
        for x, y, value, owner in facts["towers"]
        if max(abs(x - cell["x"]), abs(y - cell["y"])) == 1 and not owner
    )


def best(facts: dict[str, Any], kind: str) -> dict[str, Any] | None:
    """The open place with most to fight for; for a tower the one with most tiles round it."""
    taken = {(x, y) for x, y in facts["tiles"]}

    def tiles_near(cell: dict[str, Any]) -> int:
        steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        return sum((cell["x"] + dx, cell["y"] + dy) in taken for dx, dy in steps)

    free = [cell for cell in facts["places"] if not cell[kind]]
    if kind == "tower":
        return max(free, key=tiles_near, default=None)
    return max(free, key=lambda cell: (worth(facts, cell), tiles_near(cell)), default=None)
