// The builder. Every change goes to the server at once, one after the other, and its answer is the
// deck's side of the page; until it comes the counts show what will be. A change that is refused or
// does not arrive leaves the page as the server knows it. Searches go one after the other, too:
// what Enter adds is the first card of the page for the words that stood there when it was pressed.

import { glances } from "../collection/glance.js";
import { toast } from "../site.js";

/** @typedef {{ name: string, value: string }} Step */
/** @typedef {{ section: string, card: string, sign: string, number: number, to: string }} Press */

const htmx = /** @type {{
 *   swap: (target: Element, html: string, spec: { swapStyle: string }) => void,
 *   trigger: (target: Element, name: string) => void,
 * }} */ (/** @type {any} */ (window).htmx);

const root = /** @type {HTMLElement} */ (document.querySelector("[data-builder]"));
const address = root.dataset.builder ?? "";
const home = /** @type {HTMLElement} */ (document.getElementById("deck"));
const said = /** @type {HTMLElement} */ (root.querySelector("[data-said]"));
const form = () => /** @type {HTMLFormElement} */ (document.getElementById("change"));

/** Steps that the server has not been asked for yet. @type {Step[]} */
const queue = [];
/** Changes since the deck was last shown as the server knows it. @type {string[]} */
let since = [];
let busy = false;
/** The last answer, until nothing is under way and no button is held down. */
let waiting = "";
let held = false;
/** The version that the server's last answer told. */
let version = form().dataset.version ?? "";

document.documentElement.classList.add("has-builder");

// --- What a change means ---------------------------------------------------------------------

/** @param {string} words @returns {Press | null} */
function read(words) {
  const found = /^(\S+) (\S+) ([+=-])(\d+)(?:>(\S+))?$/.exec(words);
  return found && { section: found[1], card: found[2], sign: found[3], number: Number(found[4]), to: found[5] ?? "" };
}

/** @param {string} card @param {string} section @returns {HTMLElement | null} */
const row = (card, section) =>
  home.querySelector(
    `[data-row][data-card="${CSS.escape(card)}"]${section === "*" ? "" : `[data-section="${CSS.escape(section)}"]`}`,
  );

/** @param {HTMLElement} tile @param {number} number */
function hold(tile, number) {
  const shown = tile.querySelector("[data-held]");
  if (shown) shown.textContent = String(number);
  tile.classList.toggle("is-held", number > 0);
}

/** Do clicks on the wall put cards on the maybeboard? */
const intoMaybe = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("into"))?.value === "maybe";

/** Show what the server knows, and what the changes since will do to it. */
function settle() {
  /** @type {Record<string, number>} */
  const counts = JSON.parse(form().dataset.counts ?? "{}");
  let size = Number(form().dataset.size);
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (home.querySelectorAll("[data-row]"))) {
    const number = line.querySelector("[data-number]");
    if (number) number.textContent = line.dataset.count ?? "";
  }
  for (const words of since) {
    const change = read(words);
    if (!change || change.to || change.section === "maybe") continue;
    // What goes to the maybeboard changes no count of the deck.
    if (change.section === "*" && change.sign !== "-" && intoMaybe()) continue;
    const number = row(change.card, change.section)?.querySelector("[data-number]");
    const all = counts[change.card] ?? 0;
    const here = number ? Number(number.textContent) : change.section === "*" ? all : 0;
    const by =
      change.sign === "=" ? change.number - here
      : change.sign === "+" ? change.number
      : -Math.min(change.number, here);
    counts[change.card] = all + by;
    size += by;
    if (number) number.textContent = String(here + by);
  }
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (home.querySelectorAll("[data-row]")))
    line.classList.toggle("is-gone", Number(line.querySelector("[data-number]")?.textContent) <= 0);
  for (const tile of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".pick[data-card]")))
    hold(tile, counts[tile.dataset.card ?? ""] ?? 0);
  const sum = root.querySelector("[data-sum]");
  if (sum) sum.textContent = String(size);
}

// --- To the server and back -----------------------------------------------------------------

/** @param {Step} step */
function take(step) {
  queue.push(step);
  if (step.name === "change") {
    since.push(step.value);
    settle();
  }
  void flush();
}

/** The next step; further presses on the same card go along with it. @returns {Step | undefined} */
function next() {
  const step = queue.shift();
  const card = step?.name === "change" ? read(step.value)?.card : "";
  if (!step || !card) return step;
  const words = [step.value];
  while (queue[0]?.name === "change" && words.length < 100 && read(queue[0].value)?.card === card)
    words.push(/** @type {Step} */ (queue.shift()).value);
  return { name: step.name, value: words.join(",") };
}

async function flush() {
  if (busy) return;
  busy = true;
  for (let step = next(); step; step = next()) {
    const body = new FormData(form());
    body.set("expected", version);
    body.set(step.name, step.value);
    const into = document.getElementById("into");
    if (into instanceof HTMLSelectElement) body.set("into", into.value);
    try {
      const answer = await fetch(address, { method: "POST", body, headers: { "HX-Request": "true" } });
      const html = await answer.text();
      if (!html.includes('id="change"')) throw new Error(answer.statusText);
      waiting = html;
      const told = /data-version="(\d+)"/.exec(html);
      if (told) version = told[1];
      if (!answer.ok) {
        show(answer.status === 409 ? [step, ...queue.splice(0)] : []);
        queue.length = 0;
      }
    } catch {
      queue.length = 0;
      if (waiting) show([]);
      else restore();
      toast("No connection. Your last change was not saved; try again.", "error");
    }
  }
  busy = false;
  if (waiting && !held) show([]);
}

/** Put every count back to what the last answer said. */
function restore() {
  since = [];
  settle();
}

/** Show the last answer. @param {Step[]} again what was not taken and may be taken once more */
function show(again) {
  const html = waiting;
  waiting = "";
  since = [];
  const top = home.scrollTop;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const place = focused && home.contains(focused) ? focused.closest("[data-row]") : null;
  const next = place?.nextElementSibling ?? place?.previousElementSibling;
  const near = next instanceof HTMLElement ? next.querySelector("button:last-of-type")?.id : "";
  const id = focused?.id ?? "";
  const open = [...home.querySelectorAll("details[open]")].map((part) => part.className);
  htmx.swap(home, html, { swapStyle: "innerHTML" });
  home.scrollTop = top;
  for (const part of home.querySelectorAll("details")) if (open.includes(part.className)) part.open = true;
  choose(root.dataset.pane ?? "cards");
  settle();
  const words = again.filter((step) => step.name === "change").map((step) => step.value);
  const button = home.querySelector("[data-again]");
  if (button instanceof HTMLButtonElement && words.length) button.value = words.join(",");
  const note = home.querySelector("[data-note]");
  const problem = note?.getAttribute("role") === "alert";
  if (note && (problem || root.dataset.pane !== "deck")) toastNote(note, problem);
  said.textContent = `${form().dataset.size} cards. ${form().dataset.verdict}.`;
  if (id && (focused === null || !focused.isConnected))
    (document.getElementById(id) ?? document.getElementById(near ?? ""))?.focus({ preventScroll: true });
  htmx.trigger(document.body, "deck-changed");
}

/** On a phone the note stands behind the cards: say it in a line as well. @param {Element} note @param {boolean} problem */
function toastNote(note, problem) {
  if (home.offsetParent === null) toast(note.querySelector("p")?.textContent ?? "", problem ? "error" : "");
  else if (problem) home.scrollTop = 0;
}

addEventListener("pointerdown", () => (held = true), true);
for (const name of ["pointerup", "pointercancel", "dragend"])
  addEventListener(name, () => {
    held = false;
    // After the click that this may be.
    setTimeout(() => waiting && !busy && !held && show([]), 0);
  });

document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  const button = /** @type {SubmitEvent} */ (event).submitter;
  if (!(button instanceof HTMLButtonElement) || button.getAttribute("aria-disabled") === "true") return;
  take({ name: button.name, value: button.value });
});
document.addEventListener("change", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (field.matches("[data-format]")) take({ name: "do", value: "format" });
  if (field.matches("[data-arrange]")) take({ name: "do", value: "arrange" });
});

// --- Cards, deck, shape: one at a time on a phone -----------------------------------------------

/** @param {string} pane */
function choose(pane) {
  root.dataset.pane = pane;
  for (const link of root.querySelectorAll("[data-show]"))
    if (link.getAttribute("data-show") === pane) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}
document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("[data-show]");
  if (!link) return;
  event.preventDefault();
  choose(link.getAttribute("data-show") ?? "cards");
  if (scrollY > root.offsetTop) scrollTo({ top: root.offsetTop - 64, behavior: "instant" });
});

// --- Search: Enter puts the first card in ---------------------------------------------------------

const search = /** @type {HTMLInputElement} */ (document.getElementById("id_q"));
const filters = /** @type {HTMLFormElement} */ (document.getElementById("filters"));
const picks = /** @type {HTMLElement} */ (document.getElementById("picks"));
/** What is asked for now, as it goes into an address. */
const asked = () => new URLSearchParams(/** @type {any} */ (new FormData(filters))).toString();
/** What the cards that are shown answer. */
let shown = asked();
/** What was asked for where Enter was pressed before its cards were there. @type {string[]} */
let entered = [];
let looking = false;
let typing = 0;

/** Fetch what is asked for, one request after the other, until what is shown answers it. */
async function look() {
  clearTimeout(typing);
  if (looking) return;
  looking = true;
  for (let wish = entered[0] ?? asked(); wish !== shown; wish = entered[0] ?? asked()) {
    filters.classList.add("is-looking");
    try {
      const answer = await fetch(`${address}?${wish}`, { headers: { "HX-Request": "true" } });
      if (!answer.ok) throw new Error(answer.statusText);
      htmx.swap(picks, await answer.text(), { swapStyle: "innerHTML" });
      history.replaceState(history.state, "", answer.headers.get("HX-Replace-Url") ?? address);
      shown = wish;
      settle();
    } catch {
      entered = [];
      toast("No connection. The cards shown are not up to date; try again.", "error");
      break;
    }
    enter();
  }
  filters.classList.remove("is-looking");
  looking = false;
}

/** Add the first card for each time that Enter was pressed for what is shown. */
function enter() {
  while (entered.length && entered[0] === shown) {
    entered.shift();
    const first = /** @type {HTMLElement | null} */ (picks.querySelector(".pick"));
    said.textContent = first ? `${first.dataset.title} added.` : "No cards found.";
    if (first) take({ name: "change", value: `* ${first.dataset.card} +1` });
  }
}

search.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(look, 150);
});
filters.addEventListener("change", (event) => event.target !== search && look());
filters.addEventListener("submit", (event) => {
  event.preventDefault();
  void look();
});
search.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Escape") search.blur();
  if (event.key === "ArrowDown") {
    const face = /** @type {HTMLElement | null} */ (picks.querySelector(".pick-face"));
    face?.focus();
    if (face) event.preventDefault();
  }
  if (event.key !== "Enter" || !search.value.trim()) return;
  event.preventDefault();
  entered.push(asked());
  search.select(); // at once: what is typed next is another search
  enter();
  void look();
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (picks.contains(/** @type {Element} */ (event.target))) settle(); // more cards
});
// A page that the browser kept has the words of then in its field.
addEventListener("pageshow", () => void look());
glances(root, "[data-glance]");

// --- Keys -------------------------------------------------------------------------------------------

/** @param {Element} element @returns {[number, number]} */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest of some elements that way; straight ahead counts as nearer. @param {Element} from @param {string} key */
function neighbour(from, key) {
  const inDeck = home.contains(from);
  const all = inDeck ? home.querySelectorAll(".builder-step") : root.querySelectorAll(".pick-face");
  const [right, down] = WAYS[key];
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (all)) {
    const [ex, ey] = middle(element);
    const ahead = (ex - x) * right + (ey - y) * down;
    const aside = Math.abs((ex - x) * down) + Math.abs((ey - y) * right);
    if (element === from || ahead < 8) continue;
    const distance = ahead + aside * 2.5;
    if (distance < least) [best, least] = [element, distance];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.matches("input:not([type=checkbox]), textarea, select");
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z") {
    if (typing) return;
    event.preventDefault();
    take({ name: "do", value: event.shiftKey ? "redo" : "undo" });
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    choose("cards");
    search.focus();
    search.select();
    return;
  }
  const card = /** @type {HTMLElement | null} */ (target.closest(".pick, [data-row]"));
  if (!card) return;
  if (event.key in WAYS) {
    const to = neighbour(target, event.key) ?? (event.key === "ArrowUp" && target.matches(".pick-face") ? search : null);
    if (!to) return;
    event.preventDefault();
    to.focus();
    return;
  }
  const section = card.matches("[data-row]") ? card.dataset.section : "*";
  const sign = { "+": "+1", "=": "+1", "-": "-1", "−": "-1" }[event.key] ?? (/^\d$/.test(event.key) ? `=${event.key}` : "");
  if (!sign) return;
  event.preventDefault();
  take({ name: "change", value: `${section} ${card.dataset.card} ${sign}` });
});

// --- Drag and drop: a card into the deck or one of its parts, out of it, or to another part ---------------

/** @type {{ card: string, from: string, count: number } | null} */
let dragged = null;
document.addEventListener("dragstart", (event) => {
  const source = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-card]"));
  if (!source || !event.dataTransfer) return;
  const inDeck = source.matches("[data-row]");
  dragged = {
    card: source.dataset.card ?? "",
    from: inDeck ? (source.dataset.section ?? "") : "",
    count: Number(source.querySelector("[data-number]")?.textContent ?? 1),
  };
  event.dataTransfer.setData("text/plain", source.dataset.title ?? "");
  event.dataTransfer.effectAllowed = "copyMove";
  root.classList.add("is-dragging");
});

/** Where a dragged card may be let go: a part, the deck, or (out of the deck) the wall. @param {Event} event */
function landing(event) {
  const over = /** @type {Element} */ (event.target);
  if (!dragged) return null;
  const part = /** @type {HTMLElement | null} */ (over.closest("[data-drop]"));
  if (part) return part;
  if (home.contains(over)) return home;
  return dragged.from ? /** @type {HTMLElement | null} */ (over.closest("[data-drop-out]")) : null;
}
document.addEventListener("dragover", (event) => {
  const place = landing(event);
  for (const part of root.querySelectorAll(".is-over")) if (part !== place) part.classList.remove("is-over");
  if (!place) return;
  event.preventDefault();
  place.classList.add("is-over");
});
document.addEventListener("drop", (event) => {
  const place = landing(event);
  if (!place || !dragged) return;
  event.preventDefault();
  const { card, from, count } = dragged;
  const parts = root.querySelectorAll("[data-drop]:not([data-drop=maybe])").length;
  const part = place.dataset.drop ?? "";
  // Where a deck has one part only, or none was hit, a card goes where its kind belongs.
  const to = part === "maybe" || parts > 1 ? part : "";
  if (!from) take({ name: "change", value: `${to || "*"} ${card} +1` });
  else if (place.matches("[data-drop-out]")) take({ name: "change", value: `${from} ${card} -1` });
  else if (from === "maybe" && to !== from) take({ name: "change", value: `${from} ${card} -${count}>${to || "*"}` });
  else if (to && to !== from) take({ name: "change", value: `${from} ${card} -${count}>${to}` });
});
document.addEventListener("dragend", () => {
  dragged = null;
  root.classList.remove("is-dragging");
  for (const part of root.querySelectorAll(".is-over")) part.classList.remove("is-over");
});
