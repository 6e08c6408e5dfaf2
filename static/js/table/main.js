// The table comes alive: moves without a page load, cards that move, news from the others.
// Without this script the page does the same with buttons alone.

import { lookWhileHidden, watch } from "../live.js";
import { say } from "./announcer.js";
import { keepChoices, keepOpened } from "./choices.js";
import { clockPanels, showClocks, startClocks } from "./clocks.js";
import { fetchTable, hold, Refusal, sendMove } from "./client.js";
import { tell } from "./events.js";
import { choices, watchKeys } from "./keys.js";
import { log, logged, settle, showNewest } from "./log.js";
import { dieFaces } from "./dice.js";
import { exchange, pause, SLIDE } from "./motion.js";
import { offerPace, pace, reading } from "./pace.js";
import { placesOf } from "./places.js";
import { ruleOfQuestion, toTheRules, whyNot, whyNotThere } from "./why.js";

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
/** As the server's `MAX_STEPS`: where more is missing it draws no tables in between. */
const MAX_STEPS = 16;
const POLL = 4000;

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
/** Who would like to cancel the match, as the page's panel says it. */
let { cancelling } = table().dataset;

/** What can wait, on its way or there. @type {Promise<typeof import("./later.js")> | null} */
let aside = null;

/**
 * Do something with what can wait, when it is there; where it cannot be had, the page goes on without.
 * @param {(there: typeof import("./later.js")) => unknown} use
 * @param {() => void} [without] instead, where it could not be had this time
 */
function later(use, without) {
  aside ??= import("./later.js").then(settleIn);
  aside.then(use, () => {
    aside = null;
    without?.();
  });
}

/** What has come begins to listen, once. @param {typeof import("./later.js")} there */
function settleIn(there) {
  document.removeEventListener("click", early, true);
  there.watchLooks();
  there.watchLights();
  there.offerSound();
  there.watchRules(table);
  there.watchHints();
  return there;
}

/** @param {"turn" | "over"} name */
const sound = (name) => later((one) => one.sound(name));

/** @param {HTMLElement} card */
const look = (card) => {
  const why = whyNot(table(), card);
  later((one) => one.look(card, why));
};

/** @param {string} sentence @param {string} [rule] */
function refuse(sentence, rule = ruleOfQuestion(table())) {
  const place = table().querySelector("[data-refusal]");
  if (place) place.textContent = sentence;
  table().querySelector("[data-refusal-rule]")?.remove();
  if (sentence && place && table().dataset.asked) place.after(toTheRules(rule));
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
  if (!(active instanceof HTMLInputElement || active instanceof HTMLSelectElement)) return "";
  const { name, value, type } = active;
  const mark = `${active.localName}[name="${CSS.escape(name)}"]`;
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
  if (next.dataset.shown === next.dataset.ply && next.dataset.cancelling !== cancelling) {
    cancelling = next.dataset.cancelling;
    later(({ renewOffers }) => renewOffers());
  }
  if (table().dataset.prompt) carried = picked && { question: table().dataset.prompt, ...picked.dataset };
  unpick();
  hold(next);
  keepChoices(table(), next);
  keepOpened(table(), next);
  tell("prepared", { table: next, before: table() });
  const scrolled = table().querySelector(".stage")?.scrollTop ?? 0;
  exchange(table(), next, news);
  const stage = next.querySelector(".stage");
  if (stage) stage.scrollTop = scrolled;
  showKept();
  clockPanels();
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
  refocus(mark);
  if (carried && carried.question === next.dataset.prompt) pickAgain(carried, mark !== null);
}

/** @param {string | null} mark what `focusMark` has found */
function refocus(mark) {
  if (mark === null) return;
  const again = mark ? /** @type {HTMLElement | null} */ (table().querySelector(mark)) : null;
  (again ?? document.getElementById("ask"))?.focus({ preventScroll: true });
}

/** Say the lines of the log, and the question if there is one. @param {TableEvent[]} news */
function narrate(news) {
  for (const { text } of news) say(text);
}

/** The question, when what came before it has been shown. */
function announceTurn() {
  if (table().dataset.status !== "running") sound("over");
  if (!table().dataset.asked) return;
  say(table().querySelector(".ask-line")?.textContent?.replace(/\s+/g, " ").trim() ?? "");
}

/**
 * Show what happened since the ply that stands on the table, step by step, then the newest table.
 * @param {Drawn} newest
 * @param {{quick?: boolean, own?: boolean}} how `quick`: without steps in between; `own`: the first of them
 *   is the reader's own answer, whose words stay
 */
async function catchUp(newest, { quick = false, own = false } = {}) {
  const from = Number(table().dataset.shown);
  const plies = [...new Set(newest.news.map((one) => one.ply))].filter((one) => one > from);
  const hurry = quick || hurried() || plies.length > MAX_STEPS;
  // What asks is hidden while something plays, and so loses the focus.
  const mark = focusMark(newest.table);
  settle();
  playing = true;
  skipping = false;
  root.classList.add("is-playing");
  if (own) {
    const happened = newest.news.filter((one) => one.ply === plies[0] && !one.turn);
    kept = happened.map(({ text }) => text).filter(Boolean).slice(-3).join(" ");
    keptDice = happened.flatMap(({ event, by }) => (String(by) === root.dataset.me && event.dice) || []);
  }
  try {
    for (const step of hurry ? [] : plies) {
      if (skipping) break;
      const events = newest.news.filter((one) => one.ply === step);
      await happen(events, own && step === plies[0]);
      const drawn = newest.steps.get(step);
      if (!drawn || skipping) break;
      narrate(events);
      show(drawn, events);
      if (events.some(({ motions }) => motions.length)) await rest(SLIDE * pace());
    }
    const reached = Number(table().dataset.shown);
    const unseen = newest.news.filter((one) => one.ply > reached);
    narrate(unseen);
    show(newest.table, unseen);
    // Nothing is asked while something still moves.
    if (!hurry && !skipping && unseen.some(({ motions }) => motions.length)) await rest(SLIDE);
  } finally {
    playing = false;
    root.classList.remove("is-playing");
  }
  if (document.activeElement === document.body) refocus(mark);
  seekTargets();
  showClocks(newest.clocks);
  if (newest.lesson) tell("guided", { lesson: newest.lesson });
  remember();
}

/** Bring what can be chosen into sight where nothing of it is. */
function seekTargets() {
  const stage = table().querySelector(".stage");
  if (!stage || stage.scrollHeight <= stage.clientHeight + 2) return;
  const around = stage.getBoundingClientRect();
  const all = [...stage.querySelectorAll(".may, .is-target")].filter((one) => one.getClientRects().length);
  const seen = all.some((one) => {
    const box = one.getBoundingClientRect();
    return box.top >= around.top && box.bottom <= around.bottom;
  });
  if (!seen) all[0]?.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/** What happened is not to be seen step by step. */
const hurried = () => pace() === 0 || document.hidden;

/** What the page does not know yet, with the tables in between if they are to be seen. */
const unknown = () => ({ since: logged(), steps: hurried() ? undefined : Number(table().dataset.shown) + 1 });

/** Ends the rest that is going on. */
let wake = () => {};

/** A rest that can be skipped. @param {number} milliseconds */
function rest(milliseconds) {
  return /** @type {Promise<void>} */ (
    new Promise((done) => {
      const timer = window.setTimeout(done, milliseconds);
      wake = () => {
        window.clearTimeout(timer);
        done();
      };
    })
  );
}

function skip() {
  skipping = true;
  wake();
}

/**
 * Let each event be seen, one after the other: its words, who does it to whom, what the game's script shows.
 * @param {TableEvent[]} events
 * @param {boolean} own one's own answer needs no time to be read
 */
async function happen(events, own) {
  for (const { kind, event, motions, text, by, to } of events) {
    if (skipping) return;
    /** @type {Promise<unknown>[]} */
    const shown = [];
    caption(text);
    mark(by, to);
    later(({ soundOf }) => soundOf({ event, motions }));
    tell("happened", /** @type {Happened} */ ({
      kind, event, table: table(), pace: pace(), wait: (until) => shown.push(until),
    }));
    if (text && !own) shown.push(rest(reading(text)));
    await Promise.race([Promise.all(shown), new Promise((done) => {
      const before = wake;
      wake = () => {
        before();
        done(undefined);
      };
    })]);
    mark(null, []);
  }
}

/** Say in the tray what is happening now, in the place of the question. @param {string} text */
function caption(text) {
  const ask = table().querySelector("#ask");
  if (!ask || !text) return;
  const line = document.createElement("p");
  line.className = "ask-line ask-now";
  line.textContent = text;
  const button = document.createElement("button");
  button.className = "button button-small button-quiet ask-skip";
  button.type = "button";
  button.dataset.skip = "";
  button.textContent = "Skip";
  ask.replaceChildren(line, button);
}

/** Who does something, and to whom. @param {number | null} by @param {number[]} to */
function mark(by, to) {
  for (const name of ["is-acting", "is-aimed"]) {
    for (const one of table().querySelectorAll(`.${name}`)) one.classList.remove(name);
  }
  if (by !== null) for (const one of placesOf(table(), { seat: by })) one.classList.add("is-acting");
  for (const seat of to) {
    if (seat !== by) for (const one of placesOf(table(), { seat })) one.classList.add("is-aimed");
  }
}

/** What came of one's last answer: it stays until the next one, or until it is clicked away. */
let kept = "";
/** The dice that were rolled with it. @type {number[]} */
let keptDice = [];

function showKept() {
  const ask = table().querySelector("#ask");
  ask?.querySelector("[data-kept]")?.remove();
  if (!ask || !kept) return;
  const line = document.createElement("button");
  line.type = "button";
  line.className = "ask-kept";
  line.dataset.kept = "";
  line.title = "Click to dismiss";
  line.append(...dieFaces(root.dataset.dice ?? "", keptDice), kept);
  ask.prepend(line);
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
      const asked = table().dataset.asked;
      await catchUp(newest);
      announceTurn();
      if (table().dataset.asked && !asked) sound("turn");
    } else {
      // No move, but somebody may have offered something, or said something to it.
      const { back, draw, cancelling: offered } = newest.table.dataset;
      const old = table().dataset;
      const said = back !== old.back || draw !== old.draw || offered !== cancelling;
      if (newest.ply === ply() && said) show(newest.table, []);
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

/** No answer comes: say so, and offer to send once more what was sent. @param {() => void} again */
function offerAgain(again) {
  refuse("");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small ask-again";
  button.textContent = "Send it again";
  button.addEventListener("click", () => {
    refuse("");
    again();
  });
  const place = table().querySelector("[data-refusal]");
  place?.append("No answer yet. You can send it again; it counts only once. ", button);
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
  kept = "";
  try {
    /** @type {string | null | undefined} */
    let next = notation;
    while (next !== undefined) {
      const sent = /** @type {HTMLFormElement} */ (form());
      const drawn = await sendMove(sent, next, notation === null ? { since: logged() } : unknown(), offerAgain);
      next = undefined;
      const on = notation === null || (intents.length > 0 && drawn.table.dataset.asked !== "");
      await catchUp(drawn, { quick: on, own: notation !== null });
      // Where a whole deck was laid out the page was long; what comes now begins at its top.
      if (notation === null) {
        if (!headerless.matches) window.scrollTo({ top: 0, behavior: "instant" });
        table().querySelector(".stage")?.scrollTo({ top: 0, behavior: "instant" });
      }
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
    kept = "";
    await catchUp(await sendMove(form, null, unknown(), offerAgain, pressed), { quick: true });
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
    const parts = places.length ? details : [...details, confirmation(confirm), refusal()];
    for (const part of parts) part.dataset.picked = "";
    form()?.append(...parts);
  }
  say([words, ...details.map((part) => part.textContent ?? ""), "Escape puts it back."].join(" "));
  if (document.activeElement === element && element.matches(":focus-visible")) toFirstGoal();
}

/** What was in the fingers when the table was drawn anew. @type {DOMStringMap | null} */
let carried = null;

/**
 * Take the same card once more, as long as the question is the same.
 * @param {DOMStringMap} card
 * @param {boolean} focused whether the focus was on the table
 */
function pickAgain({ card, intent, aim }, focused) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (table().querySelectorAll("[data-intent], [data-aim], [data-uses]"));
  const same = [...all].find(({ dataset }) => dataset.card === card && dataset.intent === intent && dataset.aim === aim);
  if (!same) return;
  pick(same);
  if (focused) toFirstGoal();
}

const toFirstGoal = () =>
  choices(table()).find((one) => one.closest(".is-target") || one.matches("[data-confirm]"))?.focus({ preventScroll: true });

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

/** A button beside it that puts the card back, as every click elsewhere does. */
function refusal() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "option ask-cancel";
  button.textContent = "Cancel";
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
  if (target.closest("[data-skip]")) skip();
  if (target.closest("[data-kept]")) {
    kept = "";
    showKept();
  }
  if (target.closest("[data-intent], [data-option], .ask, .ask-odds")) return undefined;
  const held = picked;
  if (unpick() && held && !target.closest("a[href]:not([data-look])")) {
    event.preventDefault();
    if (target.closest(".stage [data-card], .stage [data-slot]")) misplaced(held);
    return undefined;
  }
  const card = /** @type {HTMLElement | null} */ (target.closest("a[data-look]"));
  if (card && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    look(card);
  }
  return undefined;
});

// What is opened from the menu of tools takes its place: nothing lies dimmed behind it.
document.addEventListener("click", (event) => {
  const opener = /** @type {Element} */ (event.target).closest("#more-tools:popover-open [popovertarget]");
  if (!opener) return;
  event.preventDefault();
  document.getElementById("more-tools")?.hidePopover();
  document.getElementById(opener.getAttribute("popovertarget") ?? "")?.showPopover();
});

/** Say why the card that was in the fingers cannot go where it was laid. @param {HTMLElement} card */
function misplaced({ dataset: { title = "", uses, intent = "" } }) {
  const [verb] = (uses ? JSON.parse(uses)[0].move : intent).split(" ");
  const [sentence, rule] = whyNotThere(table(), verb) ?? ["", undefined];
  const words = `${title} cannot go there. ${sentence}`.trim();
  refuse(words, rule);
  say(words);
}

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
  line.textContent = `${missed} ${missed === 1 ? "move" : "moves"} since your last visit.`;
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
// Held sideways, or in a lesson, a phone has no room for the site's header: it is one swipe away.
const phone = "(max-width: 63.99rem)";
const headerless = window.matchMedia(
  document.getElementById("lesson") ? phone : `${phone} and (orientation: landscape) and (max-height: 34rem)`,
);
const hideHeader = () => {
  if (headerless.matches) window.scrollTo({ top: root.getBoundingClientRect().top + window.scrollY, behavior: "instant" });
};
hideHeader();
headerless.addEventListener("change", hideHeader);
try {
  offerMissed();
  remember();
} catch {
  // No storage, no memory of the last visit.
}
offerPace();
tell("prepared", { table: table(), before: null });
watchKeys({
  home: table,
  look,
  back: () => {
    if (playing) {
      skip();
      return true;
    }
    return unpick();
  },
  next: () => {
    if (root.dataset.next) location.assign(root.dataset.next);
    else say("No other table needs you.");
  },
});
startClocks();
const listening = () => {
  /** @type {number | null} */
  let last = null;
  const talk = () => later(({ hearTalk }) => hearTalk());
  watch(`match:${root.dataset.match}`, {
    every: POLL,
    ply,
    look: () => {
      void refresh();
      talk();
    },
    hear: {
      ply: ({ ply: heard }) => {
        // The same ply once more: no move, but something else has changed, as a clock does.
        if (heard > ply() || heard === last) void refresh();
        last = heard;
      },
      talk,
      watchers: ({ watchers }) => later(({ showWatchers }) => showWatchers(watchers)),
    },
  });
  if (root.dataset.me) lookWhileHidden(() => table().dataset.asked || void refresh());
};
// At a table that is over only whoever opens the talk wants to hear more.
if (table().dataset.status === "running") listening();
else document.addEventListener("talk:opened", listening, { once: true });

/**
 * Whoever opens the rules or the talk before what can wait has come does so when it has; where it does not
 * come, the link leads on.
 * @param {MouseEvent} event
 */
function early(event) {
  const opener = /** @type {Element} */ (event.target).closest("[data-rules], [data-side]");
  if (!(opener instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  later(
    () => opener.click(),
    () => {
      if (opener instanceof HTMLAnchorElement) location.assign(opener.href);
    },
  );
}
document.addEventListener("click", early, true);
later(() => {});
