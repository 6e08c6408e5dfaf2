// Run in a page by boxes.py: what is cut, clipped, covered or out of proportion on a table.
({ trayShare, nameLength, finger }) => {
  const found = [];
  const box = (element) => element.getBoundingClientRect();
  const named = (element) => {
    const words = element.getAttribute("aria-label") ?? element.textContent.trim().replace(/\s+/g, " ");
    return `${element.tagName.toLowerCase()}.${element.getAttribute("class") || "-"} “${words.slice(0, 40)}”`;
  };
  const inPopover = (element) => element.closest("[popover], dialog, .visually-hidden, [hidden]") !== null;
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !inPopover(element) && box(element).width > 2;
  const root = document.querySelector(".at-felt");
  const all = (selector) => [...root.querySelectorAll(selector)].filter(isSeen);
  const isCut = (element) => {
    const style = getComputedStyle(element);
    const across = style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
    const down = !/visible|auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 3;
    return (across && !/auto|scroll/.test(style.overflowX)) || down;
  };

  const scrollers = (element) => {
    const parents = [];
    for (let parent = element.parentElement; parent; parent = parent.parentElement) parents.push(parent);
    return parents;
  };

  // Whose turn, what is asked and the score are never cut; nor is what can be pressed.
  for (const element of all(".table-turn, [data-question], .ask, .ask-line, .panel-counts, .sum-who, .option, .button"))
    if (isCut(element)) found.push(`cut: ${named(element)}`);
  for (const element of root.querySelectorAll(".panel-name, .seat-name")) {
    if (!element.checkVisibility() || inPopover(element)) continue;
    if (element.scrollWidth <= element.clientWidth + 4) continue;
    const length = element.textContent.trim().length;
    const readable = Math.floor((element.clientWidth / element.scrollWidth) * length);
    if (readable < Math.min(nameLength, length)) found.push(`a name of ${length} cut at ${readable}: ${named(element)}`);
  }

  // Nothing sticks out of the felt at its sides.
  const felt = root.querySelector(".stage") ?? root;
  for (const element of all(".stage :is(.piece, .panel-counts, .sum, .pile-note, .place-note, .pile-back)")) {
    const sides = box(element), edges = box(felt);
    const scrolls = scrollers(element).some((parent) => parent !== felt && felt.contains(parent) && /auto|scroll/.test(getComputedStyle(parent).overflowX));
    if (!scrolls && (sides.left < edges.left - 2 || sides.right > edges.right + 2)) found.push(`cut at its side: ${named(element)}`);
  }

  // What can be pressed lies inside what clips it, and nothing lies over it.
  for (const element of all("button, .may, .table-tool, summary, label.seat-chip, .is-target")) {
    if (element.disabled || element.closest("[inert]")) continue;
    const { left, top, right, bottom } = box(element);
    const scrolls = scrollers(element).some((parent) => {
      const { overflowX, overflowY } = getComputedStyle(parent);
      return (/auto|scroll/.test(overflowY) && parent.scrollHeight > parent.clientHeight + 1)
        || (/auto|scroll/.test(overflowX) && parent.scrollWidth > parent.clientWidth + 1);
    });
    if (scrolls || top < 0 || bottom > innerHeight) continue;
    // A map that is drawn larger than its frame is moved about in it.
    const map = element.ownerSVGElement && box(element.ownerSVGElement);
    if (map && (left < map.left || right > map.right || top < map.top || bottom > map.bottom)) continue;
    if (left < -1 || right > innerWidth + 1) {
      found.push(`off the screen: ${named(element)}`);
      continue;
    }
    const clip = scrollers(element).find((parent) => getComputedStyle(parent).overflowX === "hidden" && parent !== document.body);
    if (clip) {
      const edge = box(clip);
      if (Math.max(edge.left - left, right - edge.right, edge.top - top, bottom - edge.bottom) > 8)
        found.push(`clipped: ${named(element)}`);
    }
    const places = [0.5, 0.25, 0.75].map((part) => [left + (right - left) * part, (top + bottom) / 2]);
    const hit = places.some(([x, y]) => {
      const topmost = document.elementFromPoint(x, y);
      return topmost && (element.contains(topmost) || topmost.contains(element));
    });
    if (!hit) found.push(`covered: ${named(element)}`);
  }

  if (matchMedia("(pointer: coarse)").matches)
    for (const element of all("[data-options] .may, .seat-chip, .table-tool"))
      if (box(element).height < finger - 0.5) found.push(`${Math.round(box(element).height)} px high: ${named(element)}`);

  // On a desk, what a digit presses shows it.
  const showsDigit = (element) =>
    [element, ...element.querySelectorAll("*")].some((one) =>
      ["::before", "::after"].some((part) => getComputedStyle(one, part).content.includes("counter(key")),
    );
  const pressed = all(":is(.offered, [data-options]) .may:enabled, .tray :is(.hand, .tiles) [data-option]:enabled").slice(0, 9);
  if (innerWidth >= 1024)
    for (const element of pressed) if (!showsDigit(element)) found.push(`its digit is not shown: ${named(element)}`);

  // On a phone a long question has the whole width: no button stands beside it.
  if (innerWidth < 1024) {
    for (const question of all("[data-question]")) {
      const [first, ...more] = question.getClientRects();
      const beside = [...question.closest(".ask").querySelectorAll(":scope > .button")].filter(isSeen);
      if (more.length && beside.some((button) => box(button).top < first.bottom - 2)) found.push(`squeezed: ${named(question)}`);
    }
  }

  // The first screen of a result has who won, why, the scores and the final board, which is whole.
  const bar = document.querySelector(".site-nav");
  const floor = bar && getComputedStyle(bar).position === "fixed" ? box(bar).top : innerHeight;
  for (const part of document.querySelectorAll(".verdict :is(h1, .verdict-reason, .ranking, .verdict-facts, .final-board)"))
    if (box(part).bottom > floor + 1) found.push(`below the first screen: ${named(part)}`);
  const inSight = (part) => box(part).left < box(felt).right && box(part).right > box(felt).left;
  const own = all(".final-board .own .piece");
  if (own.length && !own.some(inSight)) found.push("the final board shows nothing of one's own");
  for (const part of all(".final-board .stage, .final-board .stage :is(.piece, .board-map)")) {
    const { top, bottom } = box(felt);
    if (!inSight(part)) continue; // on another of the table's pages
    if (box(part).top < top - 2 || box(part).bottom > bottom + 2 || part.scrollHeight > part.clientHeight + 3)
      found.push(`cut on the final board: ${named(part)}`);
  }

  const tray = root.querySelector(".tray");
  // However many words a step of a replay has, the hand beside or below them is whole.
  const bottoms = [tray, tray?.querySelector(".tray-body")].filter((part) => part?.getClientRects().length).map((part) => box(part).bottom);
  for (const card of all(".at-replay .tray .hand > li"))
    if (box(card).bottom > Math.min(...bottoms) + 1) found.push(`cut by the tray: ${named(card)}`);
  const share = tray ? box(tray).height / innerHeight : 0;
  if (trayShare && share > trayShare + 0.005) found.push(`the tray takes ${Math.round(share * 100)}% of the height`);
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push("the page scrolls sideways");
  return [...new Set(found)];
}
