// The replay: steps without a page load, cards that move, and keys.

import { keepOpened } from "./choices.js";
import { readEvents } from "./client.js";
import { tell } from "./events.js";
import { watchLights } from "./lights.js";
import { look, watchLooks } from "./look.js";
import { backwards, exchange } from "./motion.js";

let busy = false;

/** Where a key or click leads that came while another step was on its way. */
let waiting = "";

/** The ply that was asked for last; -1 where that is the one shown. */
let goal = -1;

/** Milliseconds between two steps while the replay plays by itself. */
const REST = 1500;
let playing = 0;

/** @template {HTMLElement} E @param {string} selector @returns {E | null} */
const find = (selector) => document.querySelector(selector);

const table = () => /** @type {HTMLElement} */ (document.getElementById("table"));
const list = () => document.getElementById("replay-moves");

/** The seat from which an address looks; the page's own where it names none. @param {string} address */
const seatOf = (address) => new URL(address, location.href).searchParams.get("seat") ?? table().dataset.seat ?? "0";

/** The plies of some links of the list, in order, each once. @param {string} selector */
function plies(selector) {
  const links = /** @type {HTMLElement[]} */ ([...(list()?.querySelectorAll(selector) ?? [])]);
  return [...new Set(links.map((link) => Number(link.dataset.move)))].sort((a, b) => a - b);
}

/** All that can be looked at: the start, each step, each beginning of a turn, the end. */
function moments() {
  const last = Number(find("#ply")?.getAttribute("max"));
  return [...new Set([0, ...plies("[data-move]"), last])].sort((a, b) => a - b);
}

/** Where each button leads from a ply. @returns {Record<string, number | undefined>} */
function ways(here = Number(table().dataset.ply)) {
  const [all, turns] = [moments(), plies("[data-turn]")];
  const before = all.filter((ply) => ply < here);
  const after = all.filter((ply) => ply > here);
  return {
    first: before[0],
    previous: before.at(-1),
    "previous-turn": turns.filter((ply) => ply < here).at(-1) ?? before[0],
    next: after[0],
    "next-turn": turns.find((ply) => ply > here) ?? after.at(-1),
    last: after.at(-1),
  };
}

/** The ply from which keys go on: none that is pressed is lost, however fast. */
const latest = () => (goal < 0 ? Number(table().dataset.ply) : goal);

/** The address of a moment, from the same seat. @param {number} ply */
const addressOf = (ply) => `?ply=${ply}&seat=${seatOf(location.href)}`;

/** @param {string} address @returns {Promise<void>} */
async function go(address) {
  goal = Number(new URL(address, location.href).searchParams.get("ply"));
  if (busy) {
    waiting = address;
    return undefined;
  }
  busy = true;
  try {
    // The list of turns stays: its words are the same from every seat.
    const response = await fetch(address, { headers: { "Riffle-Script": "replay" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const moves = list();
    const place = page.getElementById("replay-moves");
    if (moves && place) place.replaceChildren(...moves.children);
    const scrolled = moves?.scrollTop ?? 0;
    const [now, then] = [document.getElementById("table"), page.getElementById("table")];
    if (!response.ok || !now || !then) return location.assign(address);
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const step = active?.dataset.step;
    const again = active?.matches("[data-autoplay]") ? "[data-autoplay]" : active?.matches("[data-slider]") ? "[data-slider]" : "";
    const [from, to] = [Number(now.dataset.ply), Number(then.dataset.ply)];
    const [onward, backward] = [ways().next === to, ways().previous === to];
    keepOpened(now, then);
    tell("prepared", { table: then, before: now });
    const news = onward ? readEvents(page) : [];
    exchange(now, then, backward && from - to === 1 ? backwards(readEvents(document)) : news);
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
    if (step || again) find(again || `[data-step="${step}"]`)?.focus({ preventScroll: true });
  } catch {
    location.assign(address);
  } finally {
    busy = false;
    goal = -1;
  }
  const next = waiting;
  waiting = "";
  return next ? go(next) : undefined;
}

/** Mark the step that is shown, say where the buttons lead, and wake what only a script can do. @param {number} [scrolled] */
function prepare(scrolled = 0) {
  const lines = list();
  if (!lines) return;
  for (const link of lines.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  const here = Number(table().dataset.ply);
  const all = moments();
  const number = all.filter((ply) => ply <= here).length - 1;
  const current = /** @type {HTMLElement | null} */ (lines.querySelector(`[data-move="${all[number]}"]`));
  current?.setAttribute("aria-current", "true");
  lines.scrollTop = scrolled;
  if (current) {
    const [box, around] = [current.getBoundingClientRect(), lines.getBoundingClientRect()];
    if (box.top < around.top || box.bottom > around.bottom) lines.scrollTop += box.top - around.top - around.height / 3;
  }
  const goals = ways();
  for (const [name, goal] of Object.entries(goals)) {
    const button = find(`[data-step="${name}"]`);
    if (goal === undefined) button?.removeAttribute("href");
    else button?.setAttribute("href", addressOf(goal));
    button?.toggleAttribute("aria-disabled", goal === undefined);
  }
  const count = find("[data-moment]");
  if (count) count.textContent = `${number} of ${all.length - 1}`;
  const slider = /** @type {HTMLInputElement | null} */ (find("[data-slider]"));
  if (slider) {
    slider.max = String(all.length - 1);
    slider.value = String(number);
  }
  for (const element of document.querySelectorAll("[data-slider], [data-autoplay]")) element.removeAttribute("hidden");
  const button = find("[data-autoplay]");
  button?.setAttribute("aria-pressed", String(playing > 0));
  const word = button?.querySelector("span");
  if (word) word.textContent = playing ? "Pause" : "Play";
}

function stop() {
  window.clearTimeout(playing);
  playing = 0;
  prepare(list()?.scrollTop);
}

/** @param {number | undefined} ply */
async function show(ply) {
  if (playing) stop();
  if (ply !== undefined && ply !== latest()) await go(addressOf(ply));
}

async function playOn() {
  const { next } = ways();
  if (next === undefined) return stop();
  await go(addressOf(next));
  if (playing) playing = window.setTimeout(playOn, REST);
  return undefined;
}

async function toggle() {
  if (playing) return stop();
  playing = window.setTimeout(playOn, 0);
  if (ways().next === undefined) await go(addressOf(0));
  prepare(list()?.scrollTop);
  return undefined;
}

document.addEventListener("change", (event) => {
  const slider = /** @type {HTMLInputElement} */ (event.target);
  if (slider.matches("[data-slider]")) void show(moments()[Number(slider.value)]);
});

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

// Before any script of a game: while a match is looked at again, these keys are the replay's in every game.
window.addEventListener(
  "keydown",
  (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.("input, textarea, select") || document.querySelector("dialog[open], :popover-open")) return;
    const { key } = event;
    if (key.toLowerCase() === "p") void toggle();
    else if (/^[0-9]$/.test(key)) void show(moments()[Math.round((Number(key) / 10) * (moments().length - 1))]);
    else if (key in KEYS) void show(ways(latest())[event.shiftKey && key.startsWith("Arrow") ? `${KEYS[key]}-turn` : KEYS[key]]);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-autoplay]")) return void toggle();
  const step = target.closest("a[data-step], .replay-eyes a, #replay-moves a, .replay-curve .chip");
  if (step instanceof HTMLAnchorElement) {
    event.preventDefault();
    stop();
    const move = step.dataset.move;
    if (step.href) void go(move ? addressOf(Number(move)) : step.href);
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
watchLights();
