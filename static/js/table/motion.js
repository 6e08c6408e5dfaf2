// How the table changes before one's eyes: cards go from where they were to where they are.

/** @typedef {import("./client.js").News} News */

const SLIDE = 240;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const CARDS = "[data-card]";

export const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

/**
 * A card as it stood on the screen: where, in which place of the table, and with which picture.
 * @typedef {{box: DOMRect, place: string, seat: string, picture: string}} Stood
 */

/** The place of the table in which something lies. @param {Element} element */
function placeOf(element) {
  const home = /** @type {HTMLElement | null} */ (element.closest("[data-slot], [data-pile], [data-hand-of]"));
  if (!home) return "";
  const { slot, seat, pile, handOf } = home.dataset;
  return [slot, seat, pile, handOf, element.className.split(" ")[0]].join("/");
}

/**
 * @param {ParentNode} table
 * @returns {Map<string, Stood>}
 */
function standing(table) {
  const found = new Map();
  for (const element of table.querySelectorAll(CARDS)) {
    const box = element.getBoundingClientRect();
    const id = /** @type {HTMLElement} */ (element).dataset.card ?? "";
    if (box.width && !element.closest("[popover]")) {
      const seat = /** @type {HTMLElement | null} */ (element.closest("[data-seat]"))?.dataset.seat ?? "";
      found.set(id, { box, place: placeOf(element), seat, picture: element.querySelector("img")?.src ?? "" });
    }
  }
  return found;
}

/**
 * @param {ParentNode} table
 * @param {string} selector
 */
function boxOf(table, selector) {
  const box = table.querySelector(selector)?.getBoundingClientRect();
  return box?.width ? box : null;
}

/**
 * A pile: the seat's own where seats have their own, else the shared one.
 * @param {ParentNode} table
 * @param {string} pile
 * @param {string | number | undefined} seat
 */
const pileOf = (table, pile, seat) =>
  boxOf(table, `[data-seat="${seat}"] [data-pile="${pile}"] > :first-child`) ??
  boxOf(table, `[data-pile="${pile}"]:not([data-seat] *) > :first-child`);

/** The card whose number an event names. @param {News} news */
const cardOf = (news) => news.event.card?.id;

/**
 * Where a card that was not to be seen before comes from, as far as the events say.
 * @param {ParentNode} table
 * @param {string} id
 * @param {News[]} news
 */
function origin(table, id, news) {
  for (const one of news) {
    const { event } = one;
    if (one.kind === "drew" && event.cards?.some((/** @type {{id: number}} */ card) => String(card.id) === id)) {
      return pileOf(table, "draw", event.seat);
    }
    if (String(cardOf(one)) === id && event.seat !== undefined) {
      return boxOf(table, `[data-hand-of="${event.seat}"]`);
    }
  }
  return null;
}

/**
 * The pile into which a card went that is not to be seen any more, as far as the events say.
 * @param {ParentNode} table
 * @param {string} id
 * @param {News[]} news
 */
function heapOf(table, id, news) {
  const gone = news.find(
    ({ kind, event }) =>
      (kind === "eliminated" || kind === "recycled") &&
      event.cards?.some((/** @type {{id: number}} */ card) => String(card.id) === id),
  );
  if (!gone) return null;
  if (gone.kind === "eliminated") return pileOf(table, "lost", gone.event.seat);
  const stack = table.querySelector(`[popover] [data-card="${id}"]`)?.closest("[data-pile]");
  return stack?.firstElementChild?.getBoundingClientRect() ?? null;
}

/** The picture of this game's card back. */
const back = () => /** @type {HTMLImageElement | null} */ (document.querySelector(".pile-back"))?.src ?? "";

/**
 * A picture (or a card's back) flies from one place to another.
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {string} picture
 * @param {boolean} [fade]
 */
function fly(from, to, picture, fade = false) {
  const flyer = document.createElement("div");
  const image = document.createElement("img");
  flyer.className = "flyer";
  flyer.setAttribute("aria-hidden", "true");
  image.src = picture || back();
  image.alt = "";
  flyer.append(image);
  const width = Math.max(from.width, to.width, 36);
  const height = (width * 88) / 63;
  flyer.style.inlineSize = `${width}px`;
  flyer.style.blockSize = `${height}px`;
  flyer.style.insetBlockStart = "0";
  flyer.style.insetInlineStart = "0";
  flyer.style.transformOrigin = "0 0";
  document.body.append(flyer);
  const at = (/** @type {DOMRect} */ box) => {
    const scale = Math.max(box.width, 14) / width;
    return `translate(${box.left}px, ${box.top}px) scale(${scale})`;
  };
  const flight = flyer.animate(
    [
      { transform: at(from), opacity: 1 },
      { transform: at(to), opacity: fade ? 0.2 : 1 },
    ],
    { duration: SLIDE, easing: EASE },
  );
  const land = () => flyer.remove();
  flight.addEventListener("finish", land);
  flight.addEventListener("cancel", land);
}

/**
 * What stays in its place only makes room.
 * @param {Element} element
 * @param {DOMRect} from
 * @param {DOMRect} to
 */
function slide(element, from, to) {
  const [right, down] = [from.left - to.left, from.top - to.top];
  if (Math.abs(right) + Math.abs(down) < 2) return;
  const { transform } = getComputedStyle(element);
  const rest = transform === "none" ? "" : transform;
  element.animate([{ transform: `translate(${right}px, ${down}px) ${rest}` }, { transform: rest || "none" }], {
    duration: SLIDE,
    easing: EASE,
  });
}

/** How things show that something happened to them: a stamp falls, a bonus pops up, a card tips over. */
const STAMP = [
  { transform: "scale(2.2) rotate(-14deg)", opacity: 0 },
  { transform: "scale(0.92) rotate(-3deg)", opacity: 1, offset: 0.7 },
  { transform: "none", opacity: 1 },
];
const POP = [
  { transform: "translateY(45%) scale(0.7)", opacity: 0 },
  { transform: "translateY(-8%) scale(1.1)", opacity: 1, offset: 0.65 },
  { transform: "none", opacity: 1 },
];
const TIP = { downed: "rotate(-6deg) translateY(-7px)", revived: "rotate(8deg) translateY(5px)" };

/**
 * What has just happened, on the things it happened to. `data-pops` names the events that make a
 * thing pop up, `data-of` the seat (else it is the seat around it).
 * @param {HTMLElement} table
 * @param {News[]} news
 */
function enact(table, news) {
  for (const { kind, event } of news) {
    const things = [...table.querySelectorAll(`[data-pops~="${kind}"]`)].filter((thing) => {
      const home = /** @type {HTMLElement | null} */ (thing.closest("[data-of], [data-seat]"));
      return home && (home.dataset.of ?? home.dataset.seat) === String(event.seat);
    });
    for (const [order, thing] of things.entries()) {
      const frames = kind === "boosted" && !thing.matches("[data-of]") ? STAMP : POP;
      thing.animate(frames, { duration: 260, delay: SLIDE + order * 70, easing: EASE, fill: "backwards" });
    }
    if (kind !== "downed" && kind !== "revived") continue;
    for (const card of event.cards ?? []) {
      const piece = table.querySelector(`[data-slot] > [data-card="${card.id}"]`);
      piece?.animate([{ transform: TIP[kind] }, {}], { duration: SLIDE, easing: EASE });
    }
  }
}

/**
 * Put the new table in the place of the old one and let the cards move there.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 * @param {News[]} news
 */
export function exchange(before, after, news) {
  const stood = still() ? null : standing(before);
  before.replaceWith(after);
  if (!stood) {
    after.animate([{ opacity: 0.35 }, { opacity: 1 }], { duration: 160, easing: "linear" });
    return;
  }
  const arrived = new Set();
  for (const element of after.querySelectorAll(CARDS)) {
    const box = element.getBoundingClientRect();
    const id = /** @type {HTMLElement} */ (element).dataset.card ?? "";
    if (!box.width || element.closest("[popover]")) continue;
    arrived.add(id);
    const was = stood.get(id);
    const from = was?.box ?? origin(after, id, news);
    if (!from) {
      element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: SLIDE, easing: EASE });
    } else if (was?.place === placeOf(element)) {
      slide(element, from, box);
    } else if (Math.hypot(from.left - box.left, from.top - box.top) > 6) {
      fly(from, box, element.querySelector("img")?.src || was?.picture || "");
      element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: SLIDE });
    }
  }
  for (const [id, was] of stood) {
    const heap = !arrived.has(id) && (pileOf(after, "discard", was.seat) ?? heapOf(after, id, news));
    if (heap) fly(was.box, heap, was.picture, true);
  }
  for (const one of news) {
    if (one.kind !== "drew" || one.event.cards) continue;
    const hand = boxOf(after, `[data-hand-of="${one.event.seat}"]`);
    const pile = pileOf(after, "draw", one.event.seat);
    if (hand && pile) fly(pile, hand, "", true);
  }
  enact(after, news);
}

/**
 * Roll the dice of one event in the table that is shown, then light up the number that was hit.
 * @param {HTMLElement} table
 * @param {string} sheet the address of the drawn dice
 * @param {Record<string, any>} event
 */
export async function roll(table, sheet, event) {
  const lamp = table.querySelector(`[data-stage="${event.stage}"]`);
  const tray = lamp?.querySelector("[data-dice]");
  if (!lamp || !tray) return;
  lamp.classList.remove("lamp-yes", "lamp-no");
  lamp.classList.add("lamp-now");
  const dice = event.dice.map((/** @type {number} */ pips, /** @type {number} */ order) => {
    const die = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    die.setAttribute("class", still() ? "die" : "die is-rolling");
    use.setAttribute("href", `${sheet}#die-${still() ? pips : ((pips + 2 + order) % 6) + 1}`);
    die.append(use);
    return { die, use, pips };
  });
  tray.replaceChildren(...dice.map((/** @type {{die: Element}} */ { die }) => die));
  if (!still()) {
    for (const turn of [1, 2, 3]) {
      await pause(90);
      for (const { use, pips } of dice) use.setAttribute("href", `${sheet}#die-${((pips + turn * 2) % 6) + 1}`);
    }
    await pause(90);
  }
  for (const { use, pips } of dice) use.setAttribute("href", `${sheet}#die-${pips}`);
  await pause(still() ? 60 : 160);
  lamp.classList.remove("lamp-now");
  lamp.classList.add(event.success ? "lamp-yes" : "lamp-no");
  const total = event.dice.reduce((/** @type {number} */ sum, /** @type {number} */ pips) => sum + pips, 0);
  if (event.success && event.dice.length > 1) {
    const tabs = table.querySelectorAll(`[data-seat="${event.seat}"] :is(.spot-leader, .spot-link) [data-numbers~="${total}"]`);
    for (const tab of tabs) tab.classList.add("is-hit");
  }
  await pause(still() ? 60 : 420);
}

/**
 * Empty the lamps for a new Challenge.
 * @param {HTMLElement} table
 */
export function clearLamps(table) {
  for (const lamp of table.querySelectorAll("[data-stage]")) {
    lamp.classList.remove("lamp-yes", "lamp-no", "lamp-now");
    lamp.querySelector("[data-dice]")?.replaceChildren();
    const words = lamp.querySelector(".lamp-words");
    if (words) words.textContent = "\u00a0";
  }
}
