// The replay: steps without a page load, cards that move, and keys.

import { keepOpened } from "./choices.js";
import { readEvents } from "./client.js";
import { tell } from "./events.js";
import { look, watchLooks } from "./look.js";
import { backwards, exchange } from "./motion.js";

let busy = false;

/** How long the replay rests on a move while it plays by itself. */
const REST = 1500;
let playing = 0;

/** @template {HTMLElement} E @param {string} selector @returns {E | null} */
const find = (selector) => document.querySelector(selector);

/** Whose eyes an address asks for. @param {string} address */
const eyes = (address) => new URL(address, location.href).searchParams.get("seat") ?? "0";

/** @param {string} address */
async function go(address) {
  if (busy) return;
  busy = true;
  try {
    // The list of moves stays as long as the same eyes look.
    const same = eyes(address) === eyes(location.href);
    const response = await fetch(address, { headers: same ? { "Riffle-Script": "replay" } : {} });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const moves = document.getElementById("replay-moves");
    const place = page.getElementById("replay-moves");
    if (same && moves && place) place.replaceChildren(...moves.children);
    const scrolled = moves?.scrollTop ?? 0;
    const [now, then] = [document.getElementById("table"), page.getElementById("table")];
    if (!response.ok || !now || !then) return location.assign(address);
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const step = active?.dataset.step;
    const again = active?.matches("[data-autoplay]") ? "[data-autoplay]" : "";
    keepOpened(now, then);
    tell("prepared", { table: then, before: now });
    const way = Number(then.dataset.ply) - Number(now.dataset.ply);
    const news = way === 1 ? readEvents(page) : [];
    exchange(now, then, way === -1 ? backwards(readEvents(document)) : news);
    tell("drawn", { table: then, news });
    const told = page.getElementById("news");
    if (told) document.getElementById("news")?.replaceWith(told);
    for (const place of [".table-turn", "#replay-link"]) {
      const fresh = page.querySelector(place);
      if (fresh) document.querySelector(place)?.replaceWith(fresh);
    }
    document.title = page.title;
    history.replaceState(null, "", address);
    prepare(scrolled);
    if (step || again) find(again || `[data-step="${step}"]`)?.focus();
  } catch {
    location.assign(address);
  } finally {
    busy = false;
  }
  return undefined;
}

/** Mark the move that is shown, and wake what only a script can do. @param {number} [scrolled] */
function prepare(scrolled = 0) {
  const table = document.getElementById("table");
  const list = document.getElementById("replay-moves");
  if (!table || !list) return;
  for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
  const here = /** @type {HTMLElement | null} */ (list.querySelector(`[data-move="${table.dataset.ply}"]`));
  here?.setAttribute("aria-current", "true");
  list.scrollTop = scrolled;
  if (here) {
    const [box, around] = [here.getBoundingClientRect(), list.getBoundingClientRect()];
    if (box.top < around.top || box.bottom > around.bottom) list.scrollTop += box.top - around.top - around.height / 3;
  }
  for (const one of document.querySelectorAll("[data-slider], [data-autoplay]")) one.removeAttribute("hidden");
  const button = find("[data-autoplay]");
  button?.setAttribute("aria-pressed", String(playing > 0));
  const word = button?.querySelector("span");
  if (word) word.textContent = playing ? "Pause" : "Play";
}

/** The address of a move, for the same eyes. @param {string} ply */
const addressOf = (ply) => `?ply=${ply}&seat=${eyes(location.href)}`;

function stop() {
  window.clearTimeout(playing);
  playing = 0;
  prepare(document.getElementById("replay-moves")?.scrollTop);
}

async function playOn() {
  const next = /** @type {HTMLAnchorElement | null} */ (document.querySelector('[data-step="next"]'));
  if (!next?.href) return stop();
  await go(next.href);
  if (playing) playing = window.setTimeout(playOn, REST);
  return undefined;
}

async function toggle() {
  if (playing) return stop();
  playing = window.setTimeout(playOn, 0);
  const table = document.getElementById("table");
  const last = !(/** @type {HTMLAnchorElement | null} */ (document.querySelector('[data-step="next"]'))?.href);
  if (last && table) await go(addressOf("0"));
  prepare(document.getElementById("replay-moves")?.scrollTop);
  return undefined;
}

document.addEventListener("input", (event) => {
  const slider = /** @type {HTMLInputElement} */ (event.target);
  const number = /** @type {HTMLInputElement | null} */ (document.getElementById("ply"));
  if (slider.matches("[data-slider]") && number) number.value = slider.value;
});

document.addEventListener("change", (event) => {
  const slider = /** @type {HTMLInputElement} */ (event.target);
  if (!slider.matches("[data-slider]")) return;
  stop();
  void go(addressOf(slider.value)).then(() => find("[data-slider]")?.focus());
});

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  const free = !target.closest("input") && !document.querySelector("dialog[open], :popover-open");
  if (event.key.toLowerCase() === "p" && free && !event.ctrlKey && !event.metaKey && !event.altKey) return void toggle();
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input") || document.querySelector("dialog[open], :popover-open")) return;
  const step = document.querySelector(`[data-step="${KEYS[event.key]}"]`);
  if (!(step instanceof HTMLAnchorElement) || !step.href) return;
  event.preventDefault();
  stop();
  void go(step.href);
  return undefined;
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-autoplay]")) return void toggle();
  const step = target.closest("a[data-step], .replay-eyes a, #replay-moves a");
  if (step instanceof HTMLAnchorElement) {
    event.preventDefault();
    stop();
    const move = step.dataset.move;
    if (step.href) void go(move ? addressOf(move) : step.href);
    return undefined;
  }
  const card = /** @type {HTMLElement | null} */ (target.closest("a[data-look]"));
  if (card) {
    event.preventDefault();
    look(card);
  }
  return undefined;
});

prepare();
watchLooks();
