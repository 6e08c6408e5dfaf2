"""QR codes as pictures of lines, to be shown and printed at any size."""

from __future__ import annotations

from typing import Any

QUIET_ZONE = 4
"""Modules of white around a code; readers need as many."""


def qr_svg(words: str) -> str:
    """A QR code as SVG: black on white, whatever the theme."""
    from reportlab.graphics.barcode.qr import QrCodeWidget  # with reportlab, which takes 10 MB

    code: Any = QrCodeWidget(words, barLevel="M")  # its types leave out the code itself
    code.qr.make()
    modules: list[list[bool]] = code.qr.modules
    size = len(modules) + 2 * QUIET_ZONE
    dark = "".join(
        f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h1v1h-1z"
        for y, row in enumerate(modules)
        for x, module in enumerate(row)
        if module
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"'
        f' shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{size}v{size}H0z"/>'
        f'<path d="{dark}"/></svg>'
    )
