// Run in a page by felt.py: what of a table cannot be seen or reached, or is too small.
({ least, scrolls, share }) => {
    const found = [];
    const table = document.getElementById("table");
    const stage = table.querySelector(".stage");
    const box = one => one.getBoundingClientRect();
    const called = one => `${one.tagName} ${one.className} ${one.getAttribute("aria-label") ?? ""}`.slice(0, 90);
    const [felt, tray] = [box(stage), box(table.querySelector(".tray"))];
    if (tray.top < felt.bottom - 1 && tray.left < felt.right - 1) found.push("the tray lies over the felt");
    if (tray.bottom > innerHeight + 1) found.push(`the tray ends at ${tray.bottom}`);
    const taken = (tray.bottom - tray.top) / innerHeight;
    // The text of a card that has been picked up is whole, however long it is.
    if (!table.querySelector(".is-picked") && taken > share + 0.005) found.push(`the tray takes ${Math.round(taken * 100)}% of the height`);
    const more = stage.scrollHeight - stage.clientHeight;
    if (more > scrolls * stage.clientHeight + 2) found.push(`the stage is ${more} too high`);
    if (stage.scrollWidth > stage.clientWidth + 1) found.push("the stage is too wide");
    // A card's own tabs and seal, and its neighbours in a hand, may lie over a part of it.
    const around = ".spot, .place, .hand-card, .warrior, .dealt, .seat-board";
    const beside = (there, one) => there.closest(around) !== null && there.closest(around) === one.closest(around);
    const seen = one => one.checkVisibility() && !one.closest("[popover]");
    const cards = [...stage.querySelectorAll(".opponent .piece:not(.piece-pile)")].filter(seen);
    for (const one of cards) if (box(one).width < least - 0.5) found.push(`${box(one).width} wide: ${called(one)}`);
    // What one may choose or aim at, and all that is one's own: where it lies, after at most one swipe.
    const wanted = [...table.querySelectorAll(
        ".stage .may, .is-target, .own .piece:not(.piece-pile), .own .panel, .own .powers, .hand .piece, .options .may, [data-confirm]")];
    for (const one of wanted) {
        if (one.closest("[popover]")) continue;
        if (!seen(one)) {
            const chip = one.closest(".opponent")?.querySelector(".seat-chip");
            if (!chip || !seen(chip)) found.push(`nowhere: ${called(one)}`);
            else if (getComputedStyle(chip).borderTopColor === "rgba(0, 0, 0, 0)") found.push(`${called(chip)} is not marked`);
            continue;
        }
        one.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
        const { left, top, width, height } = box(one);
        const places = [0.5, 0.2, 0.8].map(part => [left + width * part, top + height * 0.5]);
        const hit = places.some(([x, y]) => {
            const there = document.elementFromPoint(x, y);
            return there && (one.contains(there) || there.contains(one) || beside(there, one));
        });
        if (!hit) found.push(`covered: ${called(one)}`);
    }
    stage.scrollTop = 0;
    return found;
}
