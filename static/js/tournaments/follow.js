// Parts of a tournament's pages that keep themselves up to date, and clocks that run down.

import { watch } from "../live.js";

const POLL = 10000;
const TOGETHER = 300; // what happens at one moment is fetched once

/** The server's clock minus this device's, in seconds. */
let ahead = 0;

/** @param {number} seconds */
function words(seconds) {
  const left = Math.max(0, seconds);
  const [days, hours] = [Math.floor(left / 86400), Math.floor(left / 3600) % 24];
  if (days) return `${days} d ${hours} h`;
  const parts = [Math.floor(left / 60) % 60, left % 60].map((part) => String(part).padStart(2, "0"));
  return hours ? `${hours}:${parts.join(":")}` : `${Number(parts[0])}:${parts[1]}`;
}

function tick() {
  const now = Math.floor(Date.now() / 1000 + ahead);
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
    const text = words(Number(clock.dataset.until) - now);
    if (clock.textContent !== text) clock.textContent = text;
  }
}

function setClock() {
  const clock = /** @type {HTMLElement | null} */ (document.querySelector("[data-now]"));
  if (clock) ahead = Number(clock.dataset.now) - Date.now() / 1000;
  tick();
}

/** @param {HTMLElement} part */
function follow(part) {
  let waiting = 0;
  let shown = "";
  const renew = async () => {
    waiting = 0;
    const address = part.dataset.src ?? location.href;
    const response = await fetch(address, { cache: "no-store", headers: { "HX-Request": "true" } }).catch(() => null);
    if (!response?.ok || response.redirected) return;
    const text = await response.text();
    if (text === shown || part.contains(document.activeElement)) return;
    shown = text;
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = part.id ? page.getElementById(part.id) : page.body;
    part.replaceChildren(...(fresh?.childNodes ?? []));
    setClock();
  };
  const look = () => {
    waiting ||= window.setTimeout(() => void renew(), TOGETHER);
  };
  watch(`page:${part.dataset.follow}`, { look, every: POLL, hear: { page: look } });
}

setClock();
window.setInterval(tick, 1000);
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-follow]"))) follow(part);
