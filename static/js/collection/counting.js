// Counting on a wall or in a table: each card gets − number +. What is pressed shows at once and goes
// to the server one request after the other; presses on one card are added up on the way.

import { toast } from "../site.js";

/**
 * @typedef {{ card: HTMLElement, box: HTMLElement, field: HTMLInputElement, address: string, title: string, known: number }} Counter
 */

const wall = /** @type {HTMLElement} */ (document.getElementById("wall"));
const bar = /** @type {HTMLElement} */ (document.querySelector("[data-counting]"));
const button = /** @type {HTMLButtonElement} */ (bar.querySelector("[data-count-on]"));
const help = /** @type {HTMLElement} */ (bar.querySelector("[data-count-help]"));
const status = /** @type {HTMLElement} */ (bar.querySelector("[data-count-said]"));
const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";

/** @type {WeakMap<HTMLElement, Counter>} */
const counters = new WeakMap();
/** Cards whose number is to be sent, each once, in the order in which they were first touched. @type {Set<Counter>} */
const waiting = new Set();
/** Every card that can be counted on this page. @type {Set<Counter>} */
const all = new Set();
let busy = false;
let on = false;

/** @param {HTMLElement} card */
function add(card) {
  if (card.querySelector("[data-counter]")) return;
  const link = /** @type {HTMLAnchorElement | null} */ (card.querySelector("a[href]"));
  if (!link) return;
  const title = (link.querySelector("img")?.alt ?? link.textContent ?? "").split(/[.,:]/)[0].trim();
  const known = digits(card.querySelector("[data-count]")?.textContent) || 0;
  const box = document.createElement("span");
  box.className = "counter";
  box.dataset.counter = "";
  const field = document.createElement("input");
  field.type = "text";
  field.inputMode = "numeric";
  field.autocomplete = "off";
  field.maxLength = 6;
  field.className = "counter-number numbers";
  field.value = String(known);
  field.setAttribute("aria-label", `Copies of ${title}`);
  box.append(step("−", `One ${title} fewer`), field, step("+", `One ${title} more`));
  (card.querySelector("td.number") ?? card).append(box);
  card.classList.add("is-counted");
  const counter = { card, box, field, address: `${link.pathname}count/`, title, known };
  counters.set(box, counter);
  all.add(counter);
}

/** @param {string | null | undefined} text */
const digits = (text) => Number((text ?? "").replace(/\D/g, ""));

/** The number that stands there while nothing is counted is the last one that was saved. @param {Counter} counter */
function settle(counter) {
  let number = counter.card.querySelector("[data-count]");
  if (!number) {
    const pill = document.createElement("span");
    pill.className = "tile-count";
    const label = document.createElement("span");
    label.className = "visually-hidden";
    label.textContent = "Owned: ";
    number = document.createElement("span");
    number.setAttribute("data-count", "×");
    pill.append(label, number);
    counter.card.querySelector(".tile-own")?.prepend(pill);
  }
  number.textContent = `${number.getAttribute("data-count")}${counter.known.toLocaleString("en-GB")}`;
  const pill = number.closest(".tile-count");
  if (pill instanceof HTMLElement) pill.hidden = counter.known === 0;
}

/** @param {string} sign @param {string} label */
function step(sign, label) {
  const press = document.createElement("button");
  press.type = "button";
  press.className = "counter-step";
  press.textContent = sign;
  press.tabIndex = -1;
  press.setAttribute("aria-label", label);
  press.dataset.step = sign === "+" ? "1" : "-1";
  return press;
}

const cards = () => /** @type {NodeListOf<HTMLElement>} */ (wall.querySelectorAll(".wall > li, .cards-table tbody > tr"));

/** @param {boolean} wanted */
function turn(wanted) {
  on = wanted;
  button.setAttribute("aria-pressed", String(on));
  help.hidden = !on;
  wall.classList.toggle("is-counting", on);
  if (on) cards().forEach(add);
  else all.forEach((counter) => set(counter, number(counter)));
  sessionStorage.setItem("counting", on ? "1" : "");
}

/** @param {EventTarget | null} target @returns {Counter | undefined} */
function counterOf(target) {
  const box = target instanceof Element ? target.closest("[data-counter]") : null;
  return box instanceof HTMLElement ? counters.get(box) : undefined;
}

/** The number in a field; without one the last that was saved. @param {Counter} counter */
const number = (counter) => (/\d/.test(counter.field.value) ? digits(counter.field.value) : counter.known);

/** @param {Counter} counter @param {number} total */
function set(counter, total) {
  counter.field.value = String(Math.max(0, total));
  if (!busy && number(counter) === counter.known) return;
  waiting.add(counter);
  void send();
}

/** Send a card's number, also while the page is being left. @param {Counter} counter @param {number} total */
function save(counter, total) {
  const body = new FormData();
  body.set("token", crypto.randomUUID());
  body.set("total", String(total));
  body.set("csrfmiddlewaretoken", token());
  return fetch(counter.address, { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true });
}

async function send() {
  if (busy) return;
  busy = true;
  wall.dataset.busy = "";
  for (const counter of waiting) {
    waiting.delete(counter);
    const total = number(counter);
    if (total === counter.known) continue;
    try {
      const response = await save(counter, total);
      const saved = await response.json();
      if (response.ok) {
        counter.known = saved.owned;
        settle(counter);
      } else toast(saved.detail, "error");
      status.textContent = response.ok ? `${counter.title}: ${saved.owned}.` : saved.detail;
      if (number(counter) === total || !response.ok) counter.field.value = String(counter.known);
    } catch {
      toast("No connection. That number was not saved; count it again.", "error");
      counter.field.value = String(counter.known);
    }
  }
  busy = false;
  delete wall.dataset.busy;
}

button.addEventListener("click", () => {
  turn(!on);
  if (on) /** @type {HTMLElement | null} */ (wall.querySelector("[data-counter] input"))?.focus();
});
wall.addEventListener("click", (event) => {
  const press = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-step]"));
  const counter = counterOf(event.target);
  if (press && counter) set(counter, number(counter) + Number(press.dataset.step));
});
wall.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement) event.target.select();
});
wall.addEventListener("change", (event) => {
  const counter = counterOf(event.target);
  if (counter) set(counter, number(counter));
});
wall.addEventListener("keydown", (event) => {
  const counter = counterOf(event.target);
  if (!counter || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "+" || event.key === "-" || event.key === "−") {
    event.preventDefault();
    set(counter, number(counter) + (event.key === "+" ? 1 : -1));
    counter.field.select();
    return;
  }
  const ways = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns(), Enter: 1 };
  const way = ways[/** @type {keyof typeof ways} */ (event.key)];
  if (way === undefined) return;
  event.preventDefault();
  const boxes = [.../** @type {NodeListOf<HTMLElement>} */ (wall.querySelectorAll("[data-counter]"))];
  const next = boxes[boxes.indexOf(counter.box) + way]?.querySelector("input");
  if (next) next.focus();
  else counter.field.blur();
});

/** How many cards stand beside each other. */
function columns() {
  const [first, ...rest] = cards();
  if (!first || first.matches("tr")) return 1;
  const top = first.getBoundingClientRect().top;
  const below = rest.findIndex((card) => card.getBoundingClientRect().top > top + 4);
  return below < 0 ? 1 : below + 1;
}

document.addEventListener("htmx:afterSettle", () => on && turn(true));
// Whatever is in a field when the page is left is sent after it.
addEventListener("pagehide", () => {
  for (const counter of all) {
    const total = number(counter);
    if (counter.box.isConnected && total !== counter.known) void save(counter, total).catch(() => {});
  }
});
// A page that comes back as it was left may show numbers that have changed since.
addEventListener("pageshow", (event) => event.persisted && location.reload());
bar.hidden = false;
if (sessionStorage.getItem("counting")) turn(true);
