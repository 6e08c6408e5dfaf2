// Counting on a wall or in a table: each card gets − number +. What is pressed shows at once and goes
// to the server one request after the other; presses on one card are added up on the way.

import { toast } from "../site.js";

/** @typedef {{ box: HTMLElement, field: HTMLInputElement, address: string, title: string, known: number }} Counter */

const wall = /** @type {HTMLElement} */ (document.getElementById("wall"));
const bar = /** @type {HTMLElement} */ (document.querySelector("[data-counting]"));
const button = /** @type {HTMLButtonElement} */ (bar.querySelector("[data-count-on]"));
const help = /** @type {HTMLElement} */ (bar.querySelector("[data-count-help]"));
const said = /** @type {HTMLElement} */ (bar.querySelector("[data-count-said]"));
const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";

/** @type {WeakMap<HTMLElement, Counter>} */
const counters = new WeakMap();
/** Cards whose number is to be sent, each once, in the order in which they were first touched. @type {Set<Counter>} */
const waiting = new Set();
let busy = false;
let on = false;

/** @param {HTMLElement} card */
function add(card) {
  if (card.querySelector("[data-counter]")) return;
  const link = /** @type {HTMLAnchorElement | null} */ (card.querySelector("a[href]"));
  const shown = card.querySelector(".tile-count, td.number");
  if (!link) return;
  const title = (link.querySelector("img")?.alt ?? link.textContent ?? "").split(/[.,:]/)[0].trim();
  const known = Number((shown?.lastChild?.textContent ?? "").replace(/\D/g, "") || 0);
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
  counters.set(box, { box, field, address: `${link.pathname}count/`, title, known });
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
  sessionStorage.setItem("counting", on ? "1" : "");
}

/** @param {EventTarget | null} target @returns {Counter | undefined} */
function counterOf(target) {
  const box = target instanceof Element ? target.closest("[data-counter]") : null;
  return box instanceof HTMLElement ? counters.get(box) : undefined;
}

/** @param {Counter} counter @param {number} number */
function set(counter, number) {
  counter.field.value = String(Math.max(0, number));
  waiting.add(counter);
  void send();
}

async function send() {
  if (busy) return;
  busy = true;
  wall.dataset.busy = "";
  for (const counter of waiting) {
    waiting.delete(counter);
    const total = Number(counter.field.value);
    if (total === counter.known) continue;
    const body = new FormData();
    body.set("token", crypto.randomUUID());
    body.set("total", String(total));
    body.set("csrfmiddlewaretoken", token());
    try {
      const answer = await fetch(counter.address, { method: "POST", body, headers: { Accept: "application/json" } });
      const told = await answer.json();
      if (answer.ok) counter.known = told.owned;
      else toast(told.detail, "error");
      said.textContent = answer.ok ? `${counter.title}: ${told.owned}.` : told.detail;
      if (!waiting.has(counter)) counter.field.value = String(counter.known);
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
  if (on) wall.querySelector("input")?.focus();
});
wall.addEventListener("click", (event) => {
  const press = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-step]"));
  const counter = counterOf(event.target);
  if (press && counter) set(counter, Number(counter.field.value) + Number(press.dataset.step));
});
wall.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement) event.target.select();
});
wall.addEventListener("change", (event) => {
  const counter = counterOf(event.target);
  if (counter) set(counter, Number(counter.field.value.replace(/\D/g, "") || counter.known));
});
wall.addEventListener("keydown", (event) => {
  const counter = counterOf(event.target);
  if (!counter || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "+" || event.key === "-" || event.key === "−") {
    event.preventDefault();
    set(counter, Number(counter.field.value) + (event.key === "+" ? 1 : -1));
    counter.field.select();
    return;
  }
  const ways = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns(), Enter: 1 };
  const way = ways[/** @type {keyof typeof ways} */ (event.key)];
  if (way === undefined) return;
  event.preventDefault();
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (wall.querySelectorAll("[data-counter]"))];
  const next = all[all.indexOf(counter.box) + way]?.querySelector("input");
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
addEventListener("beforeunload", (event) => {
  if (busy || waiting.size) event.preventDefault();
});
bar.hidden = false;
if (sessionStorage.getItem("counting")) turn(true);
