// The clocks at a table. The server says when each runs out and when it stands; this only counts down
// to that.

import { still } from "./motion.js";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** A clock with less than this shows its seconds. */
const SECONDS_BELOW = HOUR / 6;

/**
 * What is left until a deadline, without the stretches in which the clock stands.
 * @param {number} now
 * @param {number} deadline
 * @param {[string, string][]} pauses
 */
export function left(now, deadline, pauses) {
  const stood = pauses
    .map(([since, to]) => Math.min(Date.parse(to), deadline) - Math.max(Date.parse(since), now))
    .reduce((sum, pause) => sum + Math.max(pause, 0), 0);
  return Math.max(deadline - now - stood, 0);
}

/** "2 d 21 h", "5 h 10 min", "42 min", "9:05 min". @param {number} span milliseconds */
export function words(span) {
  const seconds = Math.floor(span / SECOND);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (days) return hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
  if (hours) return minutes % 60 ? `${hours} h ${two(minutes % 60)} min` : `${hours} h`;
  if (span >= SECONDS_BELOW) return `${minutes} min`;
  return `${minutes}:${two(seconds % 60)} min`;
}

const list = () => document.getElementById("clocks");

/** Bring all clocks up to date; when the next look is worth it. */
function tick() {
  const now = Date.now();
  let next = 30 * SECOND;
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (list()?.querySelectorAll("[data-clock]:has(.clock-until)") ?? [])) {
    const { pauses = "[]" } = clock.dataset;
    const deadline = Date.parse(clock.querySelector(".clock-until")?.getAttribute("datetime") ?? "");
    const time = left(now, deadline, JSON.parse(pauses));
    const late = clock.dataset.clock === "late" || deadline <= now;
    const place = clock.querySelector("[data-left]");
    const text = late ? "" : words(time);
    if (place && place.textContent !== text) place.textContent = text;
    clock.classList.toggle("clock-late", late);
    clock.querySelector(".clock-until")?.toggleAttribute("hidden", late);
    clock.querySelector("[data-late]")?.toggleAttribute("hidden", !late);
    // Who wants no motion is not shown a number that changes each second.
    if (!late && time < SECONDS_BELOW + SECOND && !still()) next = SECOND;
  }
  return next;
}

/** Show the clocks in the panels on the felt, too. */
export function clockPanels() {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (list()?.querySelectorAll("[data-clock-seat]") ?? [])) {
    const place = document.querySelector(`#table [data-clock-of="${clock.dataset.clockSeat}"]`);
    const late = clock.classList.contains("clock-late");
    const text = late ? "out of time" : (clock.querySelector("[data-left]")?.textContent ?? "");
    if (!place || place.textContent === text) continue;
    place.textContent = text;
    place.classList.toggle("is-late", late);
  }
}

let timer = 0;

/** Let the clocks go, from what stands on the page now. */
export function startClocks() {
  window.clearTimeout(timer);
  const next = tick();
  clockPanels();
  timer = window.setTimeout(startClocks, next);
}

/** Show the clocks that a page brings along. @param {Element | null} fresh */
export function showClocks(fresh) {
  const shown = list();
  if (!fresh || !shown) return;
  const focused = shown.contains(document.activeElement);
  if (!focused || shown.innerHTML !== fresh.innerHTML) shown.replaceWith(document.importNode(fresh, true));
  startClocks();
}
