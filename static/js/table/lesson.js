// A lesson at the table: its texts one at a time, and a light on what they speak of.

import { say } from "./announcer.js";
import { choices } from "./keys.js";
import { placesOf } from "./places.js";

/**
 * What a text points at, as the server says it.
 * @typedef {import("./places.js").Target & {option?: string, pile?: string, hand?: number}} Pointed
 */

const panel = () => document.getElementById("lesson");
const table = () => /** @type {HTMLElement} */ (document.getElementById("table"));

/** Which of the texts is shown. */
let page = 0;

/** @param {string} selector */
const all = (selector) =>
  /** @type {HTMLElement[]} */ ([...table().querySelectorAll(selector)]).filter((one) => !one.closest("[popover]"));

/** @param {Pointed} target @returns {HTMLElement[]} */
function pointedAt({ option, pile, hand, slot, seat, card }) {
  if (option !== undefined) return all(`[data-option="${CSS.escape(option)}"]`);
  if (pile !== undefined) return all(`[data-pile="${CSS.escape(pile)}"]`);
  if (hand !== undefined) return all(`[data-hand-of="${hand}"]`);
  if (slot !== undefined) return all(`[data-slot="${CSS.escape(slot)}"][data-seat="${seat}"]`);
  if (card !== undefined) return all(`[data-card="${card}"]`);
  return placesOf(table(), { seat });
}

/** @param {Element} text @returns {Pointed[]} */
const targets = (text) => JSON.parse(/** @type {HTMLElement} */ (text).dataset.at || "[]");

const texts = () => /** @type {HTMLElement[]} */ ([...(panel()?.querySelectorAll("[data-said]") ?? [])]);

/**
 * The buttons and cards by which an answer that is meant can be given. Of the cards that begin with it those
 * that a text points at, if there are any.
 */
function meant() {
  const spokenOf = new Set(texts().flatMap(targets).map(({ card }) => String(card)));
  /** @type {string[]} */
  const answers = JSON.parse(panel()?.dataset.answers || "[]");
  return answers.flatMap((answer) => {
    const cards = all(`[data-intent="${CSS.escape(answer)}"]`);
    const right = cards.filter((one) => spokenOf.has(one.dataset.card ?? ""));
    return [...all(`[data-option="${CSS.escape(answer)}"]`), ...(right.length ? right : cards)];
  });
}

function light() {
  for (const lit of table().querySelectorAll(".is-pointed, .is-meant")) lit.classList.remove("is-pointed", "is-meant");
  const lesson = panel();
  const guided = Boolean(lesson?.dataset.asked) && lesson?.dataset.answers !== "[]";
  document.querySelector(".at-felt")?.classList.toggle("is-guided", guided);
  if (!lesson || lesson.hidden) return;
  for (const one of meant()) one.classList.add("is-meant");
  const text = texts()[page];
  const pointed = text ? targets(text).flatMap(pointedAt) : [];
  for (const one of pointed) one.classList.add("is-pointed");
  const [first] = pointed;
  if (first && page > 0 && !first.closest(".tray")) first.scrollIntoView({ block: "nearest", inline: "nearest" });
  // A card beside the screen that is open would draw the whole felt sideways, and nobody could scroll it back.
  table().scrollLeft = 0;
}

/** Show one text, and with the last one what to do. @param {number} next */
function turnTo(next) {
  const lesson = panel();
  if (!lesson) return;
  const said = texts();
  page = Math.max(0, Math.min(next, said.length - 1));
  const last = page >= said.length - 1;
  for (const [number, text] of said.entries()) text.hidden = number !== page;
  const task = /** @type {HTMLElement | null} */ (lesson.querySelector("[data-do]"));
  if (task) task.hidden = !last;
  const pages = /** @type {HTMLElement} */ (lesson.querySelector("[data-pages]"));
  pages.hidden = said.length < 2;
  /** @type {HTMLElement} */ (pages.querySelector("[data-page]")).textContent = `${page + 1} of ${said.length}`;
  /** @type {HTMLButtonElement} */ (pages.querySelector("[data-before]")).disabled = page === 0;
  /** @type {HTMLButtonElement} */ (pages.querySelector("[data-next-text]")).disabled = last;
  light();
  say([said[page]?.textContent, last ? task?.textContent : "Next tells you more."].filter(Boolean).join(" ").trim());
}

/** Whoever goes by keys finds the way on under the fingers. */
function takeFocus() {
  const active = document.activeElement;
  if (active && active !== document.body && active.id !== "ask" && document.contains(active) && !active.closest("#lesson")) return;
  const next = /** @type {HTMLButtonElement | null} */ (panel()?.querySelector("[data-next-text]"));
  if (next && !next.disabled && next.offsetParent) next.focus({ preventScroll: true });
  else goToTable();
}

/** To the first of what can be chosen that is meant, else to the question. */
function goToTable() {
  const choice = choices(table()).find((one) => one.matches(".is-meant"));
  (choice ?? document.getElementById("ask"))?.focus({ preventScroll: true });
  choice?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The lesson as it is at the newest table. @param {HTMLElement} next */
function show(next) {
  const before = panel();
  if (!before) return;
  const held = before.contains(document.activeElement);
  before.replaceWith(next);
  begin();
  if (held || next.dataset.asked) takeFocus();
}

function begin() {
  const lesson = panel();
  if (!lesson) return;
  lesson.classList.add("is-paged");
  turnTo(0);
}

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("#lesson [data-before], #lesson [data-next-text]");
  if (!button) return;
  const on = button.matches("[data-next-text]");
  turnTo(page + (on ? 1 : -1));
  if (!(/** @type {HTMLButtonElement} */ (button).disabled)) return;
  if (on) goToTable();
  else /** @type {HTMLElement | null} */ (panel()?.querySelector("[data-next-text]"))?.focus();
});

document.addEventListener("table:guided", (event) => {
  show(/** @type {CustomEvent<import("./events.js").Guided>} */ (event).detail.lesson);
});
begin();
