// How the table changes before one's eyes: cards go from where they were to where they are.

/** @typedef {import("./client.js").TableEvent} TableEvent */
/** @typedef {import("./client.js").Place} Place */

export const SLIDE = 240;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const CARDS = "[data-card]";

export const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
export const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

/**
 * A card as it stood on the screen: where, in which place of the table, and with which picture.
 * @typedef {{box: DOMRect, place: string, picture: string}} Stood
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
      found.set(id, { box, place: placeOf(element), picture: element.querySelector("img")?.currentSrc ?? "" });
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
 * The box of a single card in the middle of a hand, which may be a whole row or a line of text.
 * @param {DOMRect | null} hand
 */
function cardIn(hand) {
  if (!hand) return null;
  const width = Math.min(hand.width, (hand.height * 63) / 88);
  const height = (width * 88) / 63;
  return new DOMRect(hand.x + (hand.width - width) / 2, hand.y + (hand.height - height) / 2, width, height);
}

/**
 * Where a place is on the screen: the seat's own where seats have their own, else the shared one; null
 * where the table has none of that name.
 * @param {ParentNode} table
 * @param {Place} place
 */
function placeBox(table, { place, seat }) {
  if (place === "hand") return cardIn(boxOf(table, `[data-hand-of="${seat}"]`));
  const [pile, slot] = [`[data-pile="${CSS.escape(place)}"]`, `[data-slot="${CSS.escape(place)}"]`];
  const whose = `[data-seat="${seat}"]`;
  return (
    boxOf(table, `${whose} ${pile} > :first-child, ${whose} ${slot}, ${whose}${slot}`) ??
    boxOf(table, `${pile}:not([data-seat] *) > :first-child, ${slot}:not([data-seat], [data-seat] *)`) ??
    (seat === null ? boxOf(table, slot) : null)
  );
}

/** The motions that move a card that is known. @param {string} id @param {TableEvent[]} news */
const motionsOf = (id, news) =>
  news.flatMap(({ motions }) => motions.filter(({ cards }) => cards.some((card) => String(card.id) === id)));

/**
 * The same the other way round, the last thing first.
 * @param {TableEvent[]} news
 * @returns {TableEvent[]}
 */
export const backwards = (news) =>
  [...news].reverse().map((one) => ({
    ...one,
    motions: one.motions.map((motion) => ({ ...motion, from: motion.to, to: motion.from })),
  }));

/**
 * Where a card that was not to be seen before comes from, as far as the events say.
 * @param {ParentNode} table
 * @param {string} id
 * @param {TableEvent[]} news
 */
function origin(table, id, news) {
  for (const { from } of motionsOf(id, news)) {
    const box = placeBox(table, from);
    if (box) return box;
  }
  return null;
}

/**
 * Where a card went that is not to be seen any more, as far as the events say.
 * @param {ParentNode} table
 * @param {string} id
 * @param {TableEvent[]} news
 */
function destination(table, id, news) {
  const motion = motionsOf(id, news).at(-1);
  return motion ? placeBox(table, motion.to) : null;
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

/**
 * Put the new table in the place of the old one and let the cards move there.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 * @param {TableEvent[]} news
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
      fly(from, box, was?.picture || element.querySelector("img")?.currentSrc || "");
      element.animate([{ opacity: 0 }, { opacity: 0 }], { duration: SLIDE });
    }
  }
  for (const [id, was] of stood) {
    const goal = arrived.has(id) ? null : destination(after, id, news);
    if (goal) fly(was.box, goal, was.picture, true);
  }
  for (const motion of news.flatMap(({ motions }) => motions)) {
    if (motion.cards.length) continue;
    const [from, to] = [placeBox(after, motion.from), placeBox(after, motion.to)];
    if (from && to) fly(from, to, "", true);
  }
}
