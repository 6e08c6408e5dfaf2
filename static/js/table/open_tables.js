// The lobby: tables appear and vanish while one looks, and nothing that has the focus is taken away.

import { watch } from "../live.js";

const POLL = 10000;
const SOONEST = 1000; // several changes at one moment are fetched once

/**
 * Put the lines of one list in the place of another's; a line that is as it was stays.
 * @param {Element} now
 * @param {Element} then
 */
function renewList(now, then) {
  const held = new Map([...now.children].map((line) => [/** @type {HTMLElement} */ (line).dataset.key, line]));
  const lines = [...then.children].map((line) => {
    const same = held.get(/** @type {HTMLElement} */ (line).dataset.key);
    return same && withoutToken(same) === withoutToken(line) ? same : line;
  });
  for (const line of [...now.children]) if (!lines.includes(line)) line.remove();
  lines.forEach((line, place) => {
    if (now.children[place] !== line) now.insertBefore(line, now.children[place] ?? null);
  });
}

/** What a line says; the hidden key of its forms is another one on each page. @param {Element} line */
function withoutToken(line) {
  const copy = /** @type {HTMLElement} */ (line.cloneNode(true));
  for (const token of copy.querySelectorAll("input[name=csrfmiddlewaretoken]")) token.remove();
  for (const form of copy.querySelectorAll("form[data-once]")) form.setAttribute("data-once", "");
  return copy.outerHTML;
}

async function renew() {
  const response = await fetch(location.href, { cache: "no-store" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live-part]")) {
    const name = /** @type {HTMLElement} */ (part).dataset.livePart;
    const then = page.querySelector(`[data-live-part="${name}"]`);
    const [list, newer] = [part.querySelector(".table-list"), then?.querySelector(".table-list")];
    if (list && newer) renewList(list, newer);
    else if (then && part.innerHTML.trim() !== then.innerHTML.trim()) part.replaceChildren(...then.childNodes);
  }
}

let due = 0;
function renewSoon() {
  due ||= window.setTimeout(() => {
    due = 0;
    void renew().catch(() => undefined);
  }, SOONEST * Math.random());
}

// What runs changes without a word of the lobby: matches end, and seats change hands.
if (document.querySelector("[data-look-again]")) {
  setInterval(() => {
    if (!document.hidden) renewSoon();
  }, POLL * 2);
}

// The stream also begins with one: what has happened since the page was made.
watch("lobby", { look: renewSoon, every: POLL, hear: { lobby: renewSoon } });
