// Run in a page by test_layout_in_a_browser.py: what is wrong with the boxes of the table as it stands.
() => {
    const faults = [];
    const box = element => element.getBoundingClientRect();
    const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
        && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
        || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    const seen = element => element.checkVisibility() && !element.closest("[popover]");
    // The last line of a question has room for a button beside it.
    const linesApart = (a, b) => [...a.getClientRects()].every(line => [...b.getClientRects()].every(other => apart(line, other)));
    const all = selector => [...document.querySelectorAll(selector)].filter(seen);
    const [board, bar, tray] = [".board-place", ".board-tools", ".tray"].map(name => box(all(name)[0]));
    if (!apart(board, bar)) faults.push("the tools lie over the board");
    if (tray.bottom > innerHeight + 1) faults.push(`the tray ends at ${tray.bottom}`);
    if (!apart(board, tray)) faults.push("the tray lies over the board");
    // All that is to be read or pressed in the tray is whole, and no two of them share their room.
    const pieces = all(".tray :is(.ask-line, .draft > *, .hand .piece-tile, .tokens-own li, "
        + ".token-choices li, .shelf-tab, #ask .button)");
    for (const piece of pieces) {
        const name = `${piece.className} ${piece.textContent.trim().slice(0, 30)}`;
        const tokens = piece.closest(".token-choices, .tokens-own");
        const scrolls = tokens?.scrollWidth > tokens?.clientWidth;
        if (!scrolls && !inside(box(piece), tray)) faults.push(`cut: ${name}`);
        for (const other of pieces) {
            if (other !== piece && !scrolls && !linesApart(piece, other)) faults.push(`covered: ${name}`);
        }
    }
    for (const name of all(".panel-name, .tile-name, .token-choices li > *, .score")) {
        if (name.scrollWidth > name.clientWidth + 1) faults.push(`cut off: ${name.textContent.trim()}`);
    }
    // While a piece is placed every token has its name beside it.
    for (const name of all(".tray.is-placing .token-own > span"))
        if (box(name).width < 8) faults.push(`a token without a name: ${name.textContent}`);
    // The name of a tile stands clear of its frame, and the tray is no higher than what it holds.
    for (const tile of all(".tray .hand .piece-tile")) {
        const [square, name] = [".square", ".tile-name"].map(part => box(tile.querySelector(part)));
        if (name.top < square.bottom + 3) faults.push(`under a frame: ${tile.textContent.trim()}`);
    }
    const hand = all(".tray .hand")[0];
    const lowest = Math.max(...all(".tray :is(.hand, .tokens-own li, .token-choices li, .draft)").map(element => box(element).bottom));
    const white = hand && innerWidth >= 1280 && innerHeight > 800 ? tray.bottom - lowest : 0;
    if (white > 30) faults.push(`${Math.round(white)} pixels of white under the hand`);
    for (const sum of all(".pill, .ghost-edge")) {
        if (!inside(box(sum), board)) faults.push(`cut on the board: ${sum.textContent || "ghost"}`);
    }
    // The board with a ring of places and a margin fills its room in one direction, or its tiles are 180 pixels wide.
    const [, , wide, high] = document.querySelector(".board-map").getAttribute("viewBox").split(" ").map(Number);
    const cells = [...document.querySelectorAll("[data-cell]")].map(({ dataset }) => dataset.cell.split(",").map(Number));
    const span = axis => Math.max(...cells.map(cell => cell[axis])) - Math.min(...cells.map(cell => cell[axis])) + 3;
    const tile = board.width / wide * 100;
    const framed = Math.min((board.width - 36) / span(0), (board.height - 28) / span(1));
    // Tiles below 72 pixels are looked at from nearby before they are placed, and need no margin.
    const room = Math.max(framed, Math.min(board.width / span(0), board.height / span(1), 72));
    const near = document.querySelector(".ghost, .is-aimed-at") !== null;
    if (!near && Math.abs(tile - Math.min(room, 180)) > 1) faults.push(`tiles of ${tile} where ${room} fit`);
    // Nothing lies over a place that may be chosen.
    for (const place of near ? [] : all(".layer-choices .is-open")) {
        const { left, top, width, height } = box(place);
        const over = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!place.contains(over)) faults.push(`covered: ${place.dataset.choice}`);
    }
    return [...new Set(faults)];
}
