// The table comes alive: moves without a page load, cards that move, news from the others.
// Without this script the page does the same with buttons alone.

import { say } from "./announcer.js";
import { keepChoices } from "./choices.js";
import { showClocks, startClocks } from "./clocks.js";
import { fetchTable, hold, Refusal, sendMove } from "./client.js";
import { tell } from "./events.js";
import { choices, watchKeys } from "./keys.js";
import { showLesson } from "./lesson.js";
import { listen } from "./live.js";
import { log, logged, settle, showNewest } from "./log.js";
import { look, watchLooks } from "./look.js";
import { exchange, pause, still } from "./motion.js";
import { placesOf } from "./places.js";
import { watchRules } from "./rules.js";
import { hearTalk } from "./talk.js";
import { showWatchers } from "./watchers.js";

/** @typedef {import("./client.js").Drawn} Drawn */
/** @typedef {import("./client.js").TableEvent} TableEvent */

/** @typedef {import("./events.js").Happened} Happened */
/** @typedef {import("./events.js").Intent} Intent */
/** @typedef {import("./events.js").Picked} Picked */
/** @typedef {import("./places.js").Target} Target */
/** @typedef {import("./places.js").Use} Use */

/**
 * The answer that lays the picked card on a place, and the target that this place is.
 * @typedef {{move: string, target: Target}} Meant
 */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-match]"));
const address = root.dataset.fragment ?? "";
const seenKey = `riffle.seen.${root.dataset.match}`;
const MOST_STEPS = 40;

/** @type {HTMLElement | null} */
let picked = null;
/** Where the picked card could go, each place with how it is meant. @type {Map<HTMLElement, Meant>} */
const goals = new Map();
let busy = false;
let fetching = false;
let playing = false;
let skipping = false;
let behind = false;

const table = () => /** @type {HTMLElement} */ (document.getElementById("table"));
const form = () => /** @type {HTMLFormElement | null} */ (document.getElementById("answer"));
const ply = () => Number(table().dataset.ply);

/** @param {string} sentence */
function refuse(sentence) {
  const place = table().querySelector("[data-refusal]");
  if (place) place.textContent = sentence;
  const rule = /** @type {HTMLElement | null} */ (table().querySelector("[data-refusal-rule]"));
  if (rule) rule.hidden = !sentence;
}

// --- Drawing ------------------------------------------------------------------------------------

/**
 * How to find the focused thing again in the next table. What belongs to a form of choices is the same only
 * as long as the question is.
 * @param {HTMLElement} next
 */
function focusMark(next) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!active || !table().contains(active)) return null;
  const { option, card, send } = active.dataset;
  if (option) return `[data-option="${CSS.escape(option)}"]`;
  if (card) return `[data-card="${card}"]`;
  if (next.dataset.prompt !== table().dataset.prompt) return "";
  if (send !== undefined) return "[data-send]";
  if (!(active instanceof HTMLInputElement)) return "";
  const { name, value, type } = active;
  const mark = `input[name="${CSS.escape(name)}"]`;
  return type === "radio" || type === "checkbox" ? `${mark}[value="${CSS.escape(value)}"]` : mark;
}

/**
 * @param {HTMLElement} next
 * @param {TableEvent[]} news
 */
function show(next, news) {
  const mark = focusMark(next);
  const folded = table().querySelector(".tray.is-folded") !== null;
  const open = table().querySelector("[popover]:popover-open")?.id;
  unpick();
  hold(next);
  keepChoices(table(), next);
  tell("prepared", { table: next, before: table() });
  exchange(table(), next, news);
  tell("drawn", { table: next, news });
  document.title = next.dataset.title ?? document.title;
  const line = document.getElementById("turn-line");
  if (line) line.textContent = next.dataset.turnLine ?? "";
  const waiting = document.querySelector(".site-nav [data-awaiting]");
  if (waiting instanceof HTMLElement && waiting.firstChild) {
    waiting.firstChild.textContent = next.dataset.awaiting ?? "";
    waiting.hidden = next.dataset.awaiting === "0";
  }
  if (next.dataset.status !== "running") document.querySelector('[popovertarget="concede"]')?.remove();
  if (folded && !next.dataset.asked) fold(true);
  if (open) document.getElementById(open)?.showPopover();
  log(news, Number(next.dataset.shown));
  if (mark !== null) {
    const again = mark ? /** @type {HTMLElement | null} */ (next.querySelector(mark)) : null;
    (again ?? document.getElementById("ask"))?.focus({ preventScroll: true });
  }
}

/** Say the lines of the log, and the question if there is one. @param {TableEvent[]} news */
function narrate(news) {
  for (const { text } of news) say(text);
}

function announceTurn() {
  if (!table().dataset.asked) return;
  say(table().querySelector(".ask-line")?.textContent?.replace(/\s+/g, " ").trim() ?? "");
}

/**
 * Show what happened since the ply that stands on the table, ply by ply, then the newest table.
 * @param {Drawn} newest
 * @param {boolean} quick without steps in between
 */
async function catchUp(newest, quick = false) {
  const from = Number(table().dataset.shown);
  const plies = [...new Set(newest.news.map((one) => one.ply))].filter((one) => one > from);
  const hurry = quick || hurried() || plies.length > MOST_STEPS;
  settle();
  playing = true;
  skipping = false;
  root.classList.add("is-playing");
  try {
    for (const step of hurry ? [] : plies) {
      if (skipping) break;
      const events = newest.news.filter((one) => one.ply === step);
      await happen(events);
      const drawn = newest.steps.get(step);
      if (!drawn || skipping) break;
      narrate(events);
      show(drawn, events);
      await pause(hasWords(events) ? 620 : 200);
    }
  } finally {
    playing = false;
    root.classList.remove("is-playing");
  }
  const reached = Number(table().dataset.shown);
  const unseen = newest.news.filter((one) => one.ply > reached);
  narrate(unseen);
  show(newest.table, unseen);
  showClocks(newest.clocks);
  showLesson(newest.lesson);
  remember();
}

/** What happened is not to be seen step by step. */
const hurried = () => still() || document.hidden;

/** What the page does not know yet, with the tables in between if they are to be seen. */
const unknown = () => ({ since: logged(), steps: hurried() ? undefined : Number(table().dataset.shown) + 1 });

/** @param {TableEvent[]} events */
const hasWords = (events) => events.some(({ text }) => text !== "");

/** Let the game's script show what happens, one event after the other. @param {TableEvent[]} events */
async function happen(events) {
  for (const { kind, event } of events) {
    if (skipping) return;
    /** @type {Promise<unknown>[]} */
    const shown = [];
    tell("happened", /** @type {Happened} */ ({ kind, event, table: table(), wait: (until) => shown.push(until) }));
    await Promise.all(shown);
  }
}

function remember() {
  try {
    localStorage.setItem(seenKey, String(ply()));
  } catch {
    // A browser that keeps nothing just doesn't know where its reader left off.
  }
}

/** Fetch what is new. A move that is being sent, or shown, goes first; then once more afterwards. */
async function refresh() {
  if (busy || playing || fetching) {
    behind = true;
    return;
  }
  fetching = true;
  try {
    const newest = await fetchTable(address, unknown());
    if (busy || playing) {
      behind = true;
    } else if (newest.ply > ply()) {
      await catchUp(newest);
      announceTurn();
    } else {
      // No move, but somebody may have offered to go back, or said something to it.
      if (newest.ply === ply() && newest.table.dataset.back !== table().dataset.back) show(newest.table, []);
      showClocks(newest.clocks);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // the next look is soon
  } finally {
    fetching = false;
    if (!busy && !playing) again();
  }
}

function again() {
  if (!behind) return;
  behind = false;
  void refresh();
}

// --- Answering ----------------------------------------------------------------------------------

/**
 * What answers the next question, if it is the question that was meant.
 * @param {Intent} intent
 * @returns {string | undefined}
 */
function answerTo(intent) {
  if (!table().dataset.asked) return undefined;
  const kind = table().dataset.promptKind ?? "";
  return tell("asked", { kind, intent, table: table(), option: /** @type {string | undefined} */ (undefined) }).option;
}

/**
 * Send an answer; then, as long as the questions that follow are the ones meant, the next ones.
 * @param {string | null} notation null: all that is chosen in the form, together
 * @param {HTMLElement | null} pressed
 * @param {Intent[]} intents
 */
async function answer(notation, pressed, intents = []) {
  const question = form();
  if (busy || playing || !question) return;
  busy = true;
  root.classList.add("is-busy");
  pressed?.classList.add("is-sent");
  refuse("");
  try {
    /** @type {string | null | undefined} */
    let next = notation;
    while (next !== undefined) {
      const sent = /** @type {HTMLFormElement} */ (form());
      const drawn = await sendMove(sent, next, notation === null ? { since: logged() } : unknown());
      next = undefined;
      await catchUp(drawn, notation === null || (intents.length > 0 && drawn.table.dataset.asked !== ""));
      // Where a whole deck was laid out the page was long; what comes now begins at its top.
      if (notation === null) window.scrollTo({ top: 0, behavior: "instant" });
      while (intents.length && next === undefined) next = answerTo(/** @type {Intent} */ (intents.shift()));
    }
    announceTurn();
  } catch (error) {
    pressed?.classList.remove("is-sent");
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 409) behind = true;
    refuse(error.message);
  } finally {
    busy = false;
    root.classList.remove("is-busy");
    again();
  }
}

/**
 * Take the last answer back, or give or cancel a standing order.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} pressed
 */
async function sendBeside(form, pressed) {
  if (busy || playing) return;
  for (const panel of document.querySelectorAll(":popover-open")) /** @type {HTMLElement} */ (panel).hidePopover();
  busy = true;
  root.classList.add("is-busy");
  refuse("");
  try {
    await catchUp(await sendMove(form, null, unknown(), pressed), true);
    announceTurn();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    behind = true;
    refuse(error.message);
  } finally {
    busy = false;
    root.classList.remove("is-busy");
    again();
  }
}

// --- Picking ------------------------------------------------------------------------------------

function unpick() {
  if (!picked) return false;
  picked.classList.remove("is-picked");
  picked.removeAttribute("aria-pressed");
  picked = null;
  root.classList.remove("holds-pick");
  for (const place of goals.keys()) {
    place.classList.remove("is-target");
    place.querySelector("[data-free]")?.setAttribute("disabled", "");
  }
  goals.clear();
  const ask = table().querySelector("[data-question]");
  if (ask instanceof HTMLElement && ask.dataset.before) ask.textContent = ask.dataset.before;
  for (const extra of table().querySelectorAll("[data-picked]")) extra.remove();
  return true;
}

/** Take a card in the fingers; nothing is sent yet. @param {HTMLElement} element */
function pick(element) {
  unpick();
  refuse("");
  const { title = "", text } = element.dataset;
  picked = element;
  element.classList.add("is-picked");
  element.setAttribute("aria-pressed", "true");
  root.classList.add("holds-pick");
  for (const { move, to } of usesOf(element)) {
    for (const target of to) {
      for (const place of placesOf(table(), target)) {
        if (!goals.has(place)) goals.set(place, { move, target });
      }
    }
  }
  const places = [...goals.keys()];
  for (const place of places) {
    place.classList.add("is-target");
    place.querySelector("[data-free]")?.removeAttribute("disabled");
  }
  const { words, confirm, details } = tell("picked", /** @type {Picked} */ ({
    element,
    table: table(),
    places,
    words: places.length ? `${title}: choose where it goes.` : `${title}: ${text || "play it?"}`,
    confirm: `Play ${title}`,
    details: [],
  }));
  const question = table().querySelector("[data-question]");
  if (question instanceof HTMLElement) {
    question.dataset.before ??= question.textContent ?? "";
    question.textContent = words;
    const parts = places.length ? details : [...details, confirmation(confirm)];
    for (const part of parts) part.dataset.picked = "";
    form()?.append(...parts);
  }
  say([words, ...details.map((part) => part.textContent ?? ""), "Escape puts it back."].join(" "));
  if (document.activeElement === element && element.matches(":focus-visible")) {
    const first = choices(table()).find((one) => one.closest(".is-target") || one.matches("[data-confirm]"));
    first?.focus();
  }
}

/** By which answers a card is played, and where it could go. @param {HTMLElement} element @returns {Use[]} */
const usesOf = (element) => JSON.parse(element.dataset.uses ?? "[]");

/** A button for what needs no place. @param {string} words */
function confirmation(words) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "option may ask-confirm";
  button.dataset.confirm = "";
  button.textContent = words;
  return button;
}

/** What is in the fingers goes, perhaps to a place. @param {Element | null} place */
function play(place) {
  if (!picked) return;
  const element = picked;
  const { aim, card, intent = "" } = element.dataset;
  const meant = place instanceof HTMLElement ? goals.get(place) : undefined;
  /** @type {Intent[]} */
  const intents = aim ? [{ target: JSON.parse(aim) }] : [{ card }];
  if (meant) intents.push({ target: meant.target });
  void answer(meant?.move ?? intent, element, intents);
}

document.addEventListener("submit", (event) => {
  const { submitter } = event;
  if (event.target instanceof HTMLFormElement && event.target.matches("#take-back, [data-order]")) {
    event.preventDefault();
    void sendBeside(event.target, submitter);
    return;
  }
  if (/** @type {Element} */ (event.target).id !== "answer" || !(submitter instanceof HTMLElement)) return;
  event.preventDefault();
  if (/** @type {HTMLElement} */ (event.target).dataset.together !== undefined) {
    void answer(null, submitter);
  } else if (submitter.dataset.option) {
    unpick();
    void answer(submitter.dataset.option, submitter);
  } else if (picked === submitter) {
    if (!table().querySelector(".is-target")) play(null);
    else unpick();
  } else if (!busy && !playing) {
    pick(submitter);
  }
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-confirm]")) return play(null);
  const place = target.closest(".is-target");
  if (place) {
    event.preventDefault();
    return play(place);
  }
  if (target.closest("[data-fold]")) return fold(!table().querySelector(".tray.is-folded"));
  if (target.closest("[data-skip]")) skipping = true;
  if (target.closest("[data-intent], [data-option], .ask, .ask-odds")) return undefined;
  if (unpick() && !target.closest("a[href]:not([data-look])")) {
    event.preventDefault();
    return undefined;
  }
  const card = /** @type {HTMLElement | null} */ (target.closest("a[data-look]"));
  if (card && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    look(card);
  }
  return undefined;
});

/** @param {boolean} down */
function fold(down) {
  table().querySelector(".tray")?.classList.toggle("is-folded", down);
  table().querySelector("[data-fold]")?.setAttribute("aria-expanded", String(!down));
}

// --- Since you last looked ------------------------------------------------------------------------

function offerMissed() {
  const seen = Number(localStorage.getItem(seenKey) ?? NaN);
  const missed = ply() - seen;
  const bar = document.getElementById("missed");
  if (!bar || !(missed > 0) || seen < 0) return;
  const line = /** @type {HTMLElement} */ (document.getElementById("missed-line"));
  line.textContent = `Since you last looked: ${missed} ${missed === 1 ? "move" : "moves"}.`;
  bar.hidden = false;
  bar.addEventListener("click", async (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[data-skip]")) bar.hidden = true;
    if (!target.closest("[data-watch]") || busy || playing) return;
    busy = true;
    try {
      const newest = await fetchTable(address, { since: seen, steps: seen });
      const [first] = newest.steps.values();
      if (first) show(first, []);
      await pause(400);
      await catchUp(newest);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(error.message);
    } finally {
      busy = false;
      bar.hidden = true;
      again();
    }
  });
}

// --- Begin --------------------------------------------------------------------------------------

root.classList.add("has-script");
hold(table());
showNewest();
try {
  offerMissed();
  remember();
} catch {
  // No storage, no memory of the last visit.
}
watchLooks();
watchRules(table);
tell("prepared", { table: table(), before: null });
watchKeys({
  home: table,
  look,
  back: () => {
    if (playing) {
      skipping = true;
      return true;
    }
    return unpick();
  },
  next: () => {
    if (root.dataset.next) location.assign(root.dataset.next);
    else say("No other table waits for you.");
  },
});
startClocks();
const listening = () => {
  /** @type {number | null} */
  let last = null;
  listen(
    root.dataset.events ?? "",
    (heard) => {
      // The same ply once more: no move, but something else has changed, as a clock does.
      if (heard === null || heard > ply() || heard === last) void refresh();
      last = heard;
    },
    () => void hearTalk(),
    showWatchers,
  );
};
// At a table that is over only whoever opens the talk wants to hear more.
if (table().dataset.status === "running") listening();
else document.addEventListener("talk:opened", listening, { once: true });
