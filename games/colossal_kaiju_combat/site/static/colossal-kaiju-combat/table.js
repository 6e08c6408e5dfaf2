// The table of Colossal Kaiju Combat: its three pages on a phone, cards turned up together, numbers that jump,
// the city that slides one step at a time.

/** @typedef {import("riffle/events.js").Happened} Happened */
/** @typedef {import("riffle/events.js").Prepared} Prepared */
/** @typedef {import("riffle/events.js").Shown} Shown */

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

// --- Pages ---------------------------------------------------------------------------------------

/** Which page lay open, and for which question. */
let opened = "arena";
let asked = "";

/** @param {ParentNode} table */
const screensOf = (table) => /** @type {HTMLElement | null} */ (table.querySelector("[data-screens]"));

/**
 * @param {HTMLElement} table
 * @param {string} page
 * @param {boolean} [smoothly]
 */
function open(table, page, smoothly = false) {
  const screens = screensOf(table);
  const screen = /** @type {HTMLElement | null} */ (screens?.querySelector(`[data-screen="${page}"]`));
  if (!screens || !screen) return;
  opened = page;
  const behavior = smoothly && !still() ? "smooth" : "instant";
  screens.scrollTo({ left: screen.offsetLeft - screens.offsetLeft, behavior });
  mark(table);
}

/** Which page is open, and on which there is something to choose. @param {HTMLElement} table */
function mark(table) {
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-page]"))) {
    const { page = "" } = link.dataset;
    if (page === opened) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.classList.toggle("has-choice", table.querySelector(`[data-screen="${page}"] .may`) !== null);
  }
}

/** @param {HTMLElement} table */
function watchPages(table) {
  const screens = screensOf(table);
  screens?.addEventListener("scroll", () => {
    const middle = screens.scrollLeft + screens.clientWidth / 2;
    for (const screen of /** @type {NodeListOf<HTMLElement>} */ (screens.querySelectorAll("[data-screen]"))) {
      const left = screen.offsetLeft - screens.offsetLeft;
      if (left <= middle && middle < left + screen.offsetWidth) opened = screen.dataset.screen ?? opened;
    }
    mark(table);
  }, { passive: true });
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-page]"));
  const table = /** @type {HTMLElement | null} */ (link?.closest("#table"));
  if (!link || !table) return;
  event.preventDefault();
  open(table, link.dataset.page ?? "arena", true);
});

/**
 * A new question opens the page on which it is answered, if that is one and not the one that lies open.
 * @param {HTMLElement} table
 */
function turnTo(table) {
  const { prompt = "" } = table.dataset;
  if (!prompt || prompt === asked) return;
  asked = prompt;
  const screens = [...table.querySelectorAll("[data-screen]")].filter((screen) => screen.querySelector(".may"));
  const pages = screens.map((screen) => /** @type {HTMLElement} */ (screen).dataset.screen ?? "");
  if (pages.length && !pages.includes(opened)) open(table, pages[0]);
  else if (!pages.length && table.querySelector(".in-combat")) open(table, "arena");
}

// --- What happens --------------------------------------------------------------------------------

/**
 * The head of the row goes to the far end, the others move up.
 * @param {HTMLElement} table
 * @param {number} pace
 */
async function step(table, pace) {
  const row = table.querySelector("[data-city]");
  const head = row?.firstElementChild;
  if (!row || !head || row.children.length < 2 || still()) return;
  const before = [...row.children].map((card) => /** @type {const} */ ([card, card.getBoundingClientRect().left]));
  head.classList.remove("is-head");
  row.append(head);
  row.firstElementChild?.classList.add("is-head");
  const duration = 260 * pace;
  for (const [card, left] of before) {
    const moved = left - card.getBoundingClientRect().left;
    if (moved) card.animate([{ transform: `translateX(${moved}px)` }, { transform: "none" }], { duration, easing: "ease-out" });
  }
  await pause(duration);
}

/**
 * @param {HTMLElement} table
 * @param {number} steps
 * @param {number} pace
 */
async function slide(table, steps, pace) {
  for (let n = 0; n < steps; n += 1) await step(table, pace);
}

/**
 * A number jumps where it stands.
 * @param {HTMLElement} table
 * @param {string} place
 * @param {number} pace
 */
async function jump(table, place, pace) {
  const numbers = [...table.querySelectorAll(place)];
  for (const number of numbers) number.classList.add("is-hit");
  if (numbers.length && !still()) await pause(350 * pace);
}

/**
 * Damage flies from the cards between the fighters to the bar that falls.
 * @param {HTMLElement} table
 * @param {Record<string, any>} event
 * @param {number} pace
 */
async function strike(table, event, pace) {
  const place = `[data-damage-of="${event.card?.id}"]`;
  const bar = table.querySelector(`.arena ${place}`);
  const cards = table.querySelector(".clash");
  if (bar && cards && !still()) {
    const [from, to] = [cards, bar].map((element) => element.getBoundingClientRect());
    const flyer = document.createElement("b");
    flyer.className = "damage-flyer";
    flyer.setAttribute("aria-hidden", "true");
    flyer.textContent = `−${event.number}`;
    document.body.append(flyer);
    const at = (/** @type {DOMRect} */ box) => ({
      transform: `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%)`,
    });
    const flight = flyer.animate([at(from), at(to)], { duration: 320 * pace, easing: "ease-in" });
    await flight.finished.catch(() => {});
    flyer.remove();
  }
  await jump(table, place, pace);
}

/** How long the picture of a Rage Attack stands, at the usual pace. */
const RAGE = 1500;

/**
 * The picture of a Rage Attack over everything, until its time is over or somebody clicks or presses a key.
 * @param {HTMLElement} table
 * @param {Record<string, any>} event
 * @param {number} pace
 */
async function rage(table, event, pace) {
  const picture = /** @type {HTMLElement | null} */ (table.querySelector(`[data-rage-of="${event.seat}"]`));
  const number = picture?.querySelector("[data-rage-number]");
  if (!picture || !number) return;
  number.textContent = String(event.number);
  picture.showPopover();
  const closed = new AbortController();
  const met = new Promise((done) => {
    for (const how of ["click", "keydown"]) {
      document.addEventListener(how, (pressed) => {
        pressed.preventDefault(); // what lies below is not meant
        pressed.stopPropagation();
        done(undefined);
      }, { signal: closed.signal, capture: true, once: true });
    }
  });
  await Promise.race([met, pause(RAGE * pace)]);
  closed.abort();
  picture.hidePopover();
}

document.addEventListener("table:happened", (happened) => {
  const { kind, event, table, pace, wait } = /** @type {CustomEvent<Happened>} */ (happened).detail;
  if (kind === "moved") wait(slide(table, event.number, pace));
  if (kind === "hit") wait(strike(table, event, pace));
  if (kind === "raged") wait(rage(table, event, pace));
  if (kind === "fury_gained") wait(jump(table, `[data-fury-of="${event.seat}"]`, pace));
});

document.addEventListener("table:prepared", (prepared) => {
  const { table, before } = /** @type {CustomEvent<Prepared>} */ (prepared).detail;
  // Both cards are turned up together where they had not been seen.
  const known = before?.querySelector("[data-exchange=open]")?.getAttribute("data-part");
  const clash = table.querySelector("[data-exchange=open]");
  if (before && clash && clash.getAttribute("data-part") !== known) {
    for (const card of clash.querySelectorAll(".clash-card")) card.classList.add("is-turning");
  }
  const first = /** @type {HTMLInputElement | null} */ (before?.querySelector(".hand-pick:checked"));
  if (first && before?.dataset.prompt === table.dataset.prompt) {
    const again = /** @type {HTMLInputElement | null} */ (table.querySelector(`.hand-pick[value="${first.value}"]`));
    if (again) again.checked = true;
  }
});

document.addEventListener("table:drawn", (drawn) => {
  const { table } = /** @type {CustomEvent<Shown>} */ (drawn).detail;
  watchPages(table);
  open(table, opened);
  turnTo(table);
});

const first = document.getElementById("table");
if (first) {
  watchPages(first);
  if (window.location.hash) opened = window.location.hash.slice(1);
  mark(first);
  turnTo(first);
}
