// The table comes alive: moves without a page load, cards that move, news from the others.
// Without this script the page does the same with buttons alone.

import { fetchTable, Refusal, sendMove } from "./client.js";
import { choices, watchKeys } from "./keys.js";
import { listen } from "./live.js";
import { look, watchLooks } from "./look.js";
import { clearLamps, exchange, pause, roll, still } from "./motion.js";
import { keepChoices, tally, watchChoices } from "./together.js";

/** @typedef {import("./client.js").Drawn} Drawn */
/** @typedef {import("./client.js").News} News */

/**
 * What is still to be answered once the next question comes: a card, or a place on the table.
 * @typedef {{card?: string, slot?: string, seat?: string}} Intent
 */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-match]"));
const address = root.dataset.fragment ?? "";
const seenKey = `riffle.seen.${root.dataset.match}`;
const MOST_STEPS = 40;

/** @type {{element: HTMLElement, seat?: string} | null} */
let picked = null;
let busy = false;
let fetching = false;
let playing = false;
let skipping = false;
let behind = false;

const table = () => /** @type {HTMLElement} */ (document.getElementById("table"));
const form = () => /** @type {HTMLFormElement | null} */ (document.getElementById("answer"));
const ply = () => Number(table().dataset.ply);

/** Tell it to whoever listens instead of looking. @param {string} text */
function say(text) {
  const announcer = document.getElementById("announcer");
  if (!announcer || !text) return;
  const line = document.createElement("span");
  line.textContent = `${text} `;
  announcer.append(line);
  while (announcer.childElementCount > 12) announcer.firstElementChild?.remove();
}

/** @param {string} sentence */
function refuse(sentence) {
  const place = table().querySelector("[data-refusal]");
  if (place) place.textContent = sentence;
}

// --- Drawing ------------------------------------------------------------------------------------

/** How to find the focused thing again in the next table. */
function focusMark() {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!active || !table().contains(active)) return null;
  const { option, card } = active.dataset;
  return option ? `[data-option="${CSS.escape(option)}"]` : card ? `[data-card="${card}"]` : "";
}

/**
 * @param {HTMLElement} next
 * @param {News[]} news
 */
function show(next, news) {
  const mark = focusMark();
  const folded = table().querySelector(".tray.is-folded") !== null;
  const open = document.querySelector("[id^=discarded]:popover-open")?.id;
  const rival = rivalChosen();
  unpick();
  keepChoices(table(), next);
  tally(next);
  exchange(table(), next, news);
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
  if (rival) rivalChip(rival)?.click();
  const lines = next.querySelector(".table-lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
  if (mark !== null) {
    const again = mark ? /** @type {HTMLElement | null} */ (next.querySelector(mark)) : null;
    (again ?? document.getElementById("ask"))?.focus({ preventScroll: true });
  }
}

/** The rival whose board somebody has opened on a small screen, if another one was open at first. */
function rivalChosen() {
  const chosen = /** @type {HTMLInputElement | null} */ (table().querySelector(".rival-pick:checked"));
  return chosen && !chosen.defaultChecked ? chosen.value : "";
}

/** @param {string} seat */
const rivalChip = (seat) => /** @type {HTMLElement | null} */ (table().querySelector(`.rival-pick[value="${seat}"]`));

/** Say the lines of the log, and the question if there is one. @param {News[]} news */
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
  const hurry = quick || still() || document.hidden || plies.length > MOST_STEPS;
  playing = true;
  skipping = false;
  root.classList.add("is-playing");
  try {
    for (const step of hurry ? [] : plies) {
      if (skipping) break;
      const last = step === newest.ply;
      const coming = last ? null : fetchTable(address, { ply: step }).catch(() => null);
      const events = newest.news.filter((one) => one.ply === step);
      await playDice(events);
      if (last) break;
      const drawn = await coming;
      if (!drawn || skipping) break;
      narrate(events);
      show(drawn.table, events);
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
  remember();
}

/** @param {News[]} events */
const hasWords = (events) => events.some(({ text }) => text !== "");

/** @param {News[]} events */
async function playDice(events) {
  for (const { kind, event } of events) {
    if (skipping) return;
    if (kind === "challenge_announced" || kind === "battle") clearLamps(table());
    if (kind === "rolled") await roll(table(), root.dataset.dice ?? "", event);
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
    const newest = await fetchTable(address, { since: ply() });
    if (busy || playing) {
      behind = true;
    } else if (newest.ply > ply()) {
      await catchUp(newest);
      announceTurn();
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
  if (!table().dataset.asked || !/^(choose_|solo_target)/.test(table().dataset.promptKind ?? "")) return undefined;
  const places = [
    intent.card && `[data-option][data-card="${intent.card}"]`,
    intent.slot && `.own [data-slot="${intent.slot}"] > [data-option]`,
    intent.seat && `.opponent[data-seat="${intent.seat}"] .spot-leader > [data-option]`,
  ];
  for (const place of places) {
    const found = place && /** @type {HTMLElement | null} */ (table().querySelector(place));
    if (found) return found.dataset.option;
  }
  return undefined;
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
      const drawn = await sendMove(sent, next);
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

// --- Picking ------------------------------------------------------------------------------------

function unpick() {
  if (!picked) return false;
  picked.element.classList.remove("is-picked");
  picked.element.removeAttribute("aria-pressed");
  picked = null;
  root.classList.remove("holds-pick");
  for (const place of table().querySelectorAll(".is-target")) {
    place.classList.remove("is-target");
    place.querySelector("[data-free]")?.setAttribute("disabled", "");
  }
  const ask = table().querySelector("[data-question]");
  if (ask instanceof HTMLElement && ask.dataset.before) ask.textContent = ask.dataset.before;
  for (const extra of table().querySelectorAll("[data-picked]")) extra.remove();
  return true;
}

/** Take a card in the fingers; nothing is sent yet. @param {HTMLElement} element */
function pick(element) {
  unpick();
  refuse("");
  const { goes, title = "", thenSeat } = element.dataset;
  picked = { element, seat: thenSeat };
  element.classList.add("is-picked");
  element.setAttribute("aria-pressed", "true");
  root.classList.add("holds-pick");
  const places = goes ? [...table().querySelectorAll(`.own [data-takes~="${goes}"]`)] : [];
  for (const place of places) {
    place.classList.add("is-target");
    place.querySelector("[data-free]")?.removeAttribute("disabled");
  }
  const words = thenSeat
    ? `Challenge ${nameOf(thenSeat)}?`
    : places.length
      ? `${title}: choose where it goes.`
      : element.dataset.intent === "attack"
        ? `Attack ${title}?`
        : `${title}: ${element.dataset.text || "play it?"}`;
  const question = table().querySelector("[data-question]");
  if (question instanceof HTMLElement) {
    question.dataset.before ??= question.textContent ?? "";
    question.textContent = words;
    form()?.append(...confirmation(element, places.length));
  }
  say(`${words} ${thenSeat ? (table().querySelector(`#odds-${thenSeat}`)?.textContent ?? "") : ""} Escape puts it back.`);
  if (document.activeElement === element && element.matches(":focus-visible")) {
    const first = choices(table()).find((one) => one.closest(".is-target") || one.matches("[data-confirm]"));
    first?.focus();
  }
}

/** @param {string} seat */
const nameOf = (seat) => table().querySelector(`.opponent[data-seat="${seat}"]`)?.getAttribute("aria-label") ?? "";

/**
 * The chances of a Challenge, and a button where no place has to be chosen.
 * @param {HTMLElement} element
 * @param {number} places
 */
function confirmation(element, places) {
  /** @type {HTMLElement[]} */
  const parts = [];
  const { thenSeat, title } = element.dataset;
  const odds = thenSeat && document.getElementById(`odds-${thenSeat}`)?.cloneNode(true);
  if (odds instanceof HTMLElement) {
    odds.removeAttribute("id");
    odds.classList.add("ask-odds");
    parts.push(odds);
  }
  if (!places) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "option may ask-confirm";
    button.dataset.confirm = "";
    const verb = element.dataset.intent === "attack" ? "Attack" : "Play";
    button.textContent = thenSeat ? `Challenge ${nameOf(thenSeat)}` : `${verb} ${title}`;
    parts.push(button);
  }
  for (const part of parts) part.dataset.picked = "";
  return parts;
}

/** What is in the fingers goes, perhaps to a place. @param {Element | null} place */
function play(place) {
  if (!picked) return;
  const { element, seat } = picked;
  /** @type {Intent[]} */
  const intents = [seat ? { seat } : { card: element.dataset.card }];
  if (place instanceof HTMLElement) {
    const piece = /** @type {HTMLElement | null} */ (place.querySelector(".piece"));
    intents.push({ slot: place.dataset.slot, card: piece?.dataset.card });
  }
  void answer(element.dataset.intent ?? "", element, intents);
}

document.addEventListener("submit", (event) => {
  const { submitter } = event;
  if (/** @type {Element} */ (event.target).id !== "answer" || !(submitter instanceof HTMLElement)) return;
  event.preventDefault();
  if (/** @type {HTMLElement} */ (event.target).dataset.together !== undefined) {
    void answer(null, submitter);
  } else if (submitter.dataset.option) {
    unpick();
    void answer(submitter.dataset.option, submitter);
  } else if (picked?.element === submitter) {
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
      const [start, newest] = await Promise.all([
        fetchTable(address, { ply: seen }),
        fetchTable(address, { since: seen }),
      ]);
      show(start.table, []);
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
const lines = table().querySelector(".table-lines");
if (lines) lines.scrollTop = lines.scrollHeight;
try {
  offerMissed();
  remember();
} catch {
  // No storage, no memory of the last visit.
}
watchLooks();
watchChoices(table);
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
if (table().dataset.status === "running") {
  listen(root.dataset.events ?? "", (heard) => {
    if (heard === null || heard > ply()) void refresh();
  });
}
