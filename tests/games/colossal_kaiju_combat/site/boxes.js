// Run in a page by test_boxes_in_a_browser.py: what of the table is cut, covered, too small or said twice.
({ card, seats }) => {
    const faults = [];
    const table = document.getElementById("table");
    const all = (selector) => [...table.querySelectorAll(selector)].filter((element) => element.checkVisibility() && !element.closest("[popover]"));
    const box = (element) => element.getBoundingClientRect();
    const called = (element) => `${element.className} “${(element.textContent || element.ariaLabel || "").trim().replace(/\s+/g, " ").slice(0, 40)}”`;
    const fault = (words, element) => faults.push(element ? `${words}: ${called(element)}` : words);
    const desk = innerWidth >= 1024;

    // What is decided now is the largest thing on the felt.
    for (const piece of all(".piece-fighter, .fight > .clash-1 .piece-clash")) if (box(piece).width < card - 0.5) fault(`${Math.round(box(piece).width)} wide`, piece);
    for (const words of all(".arena .wound, .fighter-stats, .clash-total, .pair-result")) if (parseFloat(getComputedStyle(words).fontSize) < 13.9 && !words.closest(".gathered")) fault("small numbers", words);
    const fight = all(".fight")[0];
    if (desk && !fight && all(".arena").length) {
        const room = box(table.querySelector(".arena"));
        for (const element of all(".gathered-character, .clash-card, .pair-result")) if (box(element).top < room.top - 1 || box(element).bottom > room.bottom + 1) fault("cut by the arena", element);
    }
    if (!desk && !fight) {
        const room = box(all(".screens")[0]);
        for (const bar of all(".arena .wound")) if (box(bar).bottom > room.bottom + 1) fault("below the tray", bar);
    }
    if (fight) {
        const room = box(table.querySelector(desk ? ".arena" : ".screen-arena"));
        const parts = all(".fighter, .clash-card, .pair-result");
        if (!parts.length) fault("nothing in the fight");
        for (const element of parts) {
            const { left, right, top, bottom } = box(element);
            if (left < room.left - 1 || right > room.right + 1) fault("beside the arena", element);
            if (top < room.top - 1 || bottom > room.bottom + 1) fault("cut by the arena", element);
        }
        if (innerWidth < 1024)
            for (const pair of all(".pair + .pair"))
                if (box(pair).top < box(pair.previousElementSibling).bottom + 4) fault("touches the words above", pair);
        for (const one of parts) for (const other of parts) {
            const [a, b] = [box(one), box(other)];
            if (one !== other && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) fault(`over ${called(other)}`, one);
        }
    }

    // Damage, scars and the button that turns a whole card over leave its numbers to be read.
    for (const member of all(".member-own, .member-rival, .member-gathered")) {
        const card = box(member.querySelector(".piece"));
        if (card.height < card.width * 1.3) continue;
        for (const mark of member.querySelectorAll(".wound, .scars, .turn-over")) {
            const { top, bottom } = box(mark);
            if (mark.checkVisibility() && bottom > card.top + card.height * 0.6 && top < card.bottom - 1) fault("over the card's numbers", mark);
        }
    }

    // The tray: no higher than its part, both hands as two tabs of which one is open, every card in sight.
    const tray = table.querySelector(".tray");
    const tabs = all(".hand-tab");
    if (tabs.length && (table.querySelectorAll(".hand-pick:checked").length !== 1 || all(".tiles").length !== 1)) fault("not one hand is open");
    for (const tile of all(".tile")) if (box(tile).right > box(tray).right || box(tile).left < box(tray).left) fault("off the tray", tile);
    const hand = all(".tiles.is-tiled")[0]?.closest(".tray-body:not(:has(.option-group))");
    if (!desk && hand && hand.scrollHeight > hand.clientHeight + 3) fault(`${hand.scrollHeight - hand.clientHeight} pixels of the hand are cut`);
    for (const option of all(".option")) if (box(option).bottom > box(tray).bottom) fault("an answer below the screen", option);
    const buttons = all(".lay, .option, .hand-tab, .turn-over, .pile-open");
    for (const button of buttons) {
        button.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
        const { left, top, width, height } = box(button);
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        if (there && !button.contains(there) && !there.contains(button) && box(there).left <= left + width) fault(`covered by ${called(there)}`, button);
    }

    // Nothing is cut.
    const words = ".tile-name, .tile-text, .tile-reason, .tile-sum, .small-name, .city-name, .city-values, .clash-words, .fight-name, .gathered-name, .turn-name, .panel-name, .phase";
    for (const element of all(words)) {
        if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") fault("cut at its side", element);
        if (element.scrollHeight > element.clientHeight + 2 && getComputedStyle(element).overflow !== "visible") fault("cut at its end", element);
    }
    for (const { firstChild: name } of all(".city-name, .tile-name"))
        for (const { 0: word, index } of name.data.matchAll(/[^\s-]+/g)) {
            const range = document.createRange();
            range.setStart(name, index);
            range.setEnd(name, index + word.length);
            if (range.getClientRects().length > 1) fault(`breaks in a word: ${word}`);
        }
    for (const element of all(".city-card")) {
        const row = box(element.parentElement);
        if (box(element).top < row.top - 1 || box(element).bottom > row.bottom + 1) fault("cut by its row", element);
        if (element.scrollWidth > element.clientWidth + 1) fault("too wide", element);
        const scrolls = desk && getComputedStyle(element.parentElement).overflowX === "auto";
        if (!scrolls && box(element).right > row.right + 1) fault("beside the city", element);
    }
    if (all(".city-values dd").some((value) => !value.previousElementSibling?.textContent)) fault("a value of the city has no name");

    // On a phone the seats, and the links with the phase and one's own purse, are all that stands above the arena.
    const above = box(all(".screens")[0]).top - box(all(".stage-kaiju")[0]).top;
    if (!desk && above > 60) fault(`${Math.round(above)} pixels above the arena`);
    for (const note of all(".page-links > a > span"))
        if (note.scrollWidth > note.clientWidth + 1) fault("cut in a link", note);

    // Who decides is marked, done phases are not struck through, glory is said once a seat.
    const asked = Boolean(table.dataset.asked);
    const marked = all(".turn-of.is-now .turn-name").map((name) => name.textContent);
    if (asked && marked.join() !== "You") fault(`marked as deciding: ${marked.join()}`);
    if (all(".phase.is-done").some((phase) => getComputedStyle(phase).textDecorationLine !== "none")) fault("a done phase is struck through");
    const glories = all(".strip, .panel, .own-side, .rival-hands").flatMap((place) => [...place.querySelectorAll("[href='#k-glory']")]);
    if (glories.length !== seats) fault(`glory is said ${glories.length} times for ${seats} seats`);
    if (!table.querySelector("img.pile-back")?.src) fault("hidden cards fly without a picture");
    return faults;
}
