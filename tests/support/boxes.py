"""The rules of a table's layout, measured by its boxes in a browser.

Nothing is cut, clipped or covered, the tray leaves the felt its room, names can be read. Every
game's tables are measured alike; ``make sheet`` prints what is wrong beside pictures of all of
them.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SCREENS = {
    "desk": {"width": 1440, "height": 900},
    "tablet": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
}
TRAY_SHARE = {"desk": 0.30, "phone": 0.40}
"""The part of the screen's height that the tray may take; other screens have no such limit."""
NAME_LENGTH = 12
"""Names are not cut before so many characters."""
FINGER = 44
"""Buttons are at least so many pixels high where a finger presses them."""

BOXES = Path(__file__).with_suffix(".js").read_text()


def wrong_boxes(page: Page, screen: str) -> list[str]:
    """Breaches of the rules of the layout on the table that ``page`` shows, one line each.

    Phones and tablets are measured as fingers use them.
    """
    limits = {"trayShare": TRAY_SHARE.get(screen, 0), "nameLength": NAME_LENGTH, "finger": FINGER}
    device = page.context.new_cdp_session(page)
    device.send("Emulation.setTouchEmulationEnabled", {"enabled": screen != "desk"})
    wrong: list[str] = page.evaluate(BOXES, limits)
    device.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    device.detach()
    return wrong
