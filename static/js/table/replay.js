// The replay: steps without a page load, cards that move, and keys.

import { readEvents } from "./client.js";
import { tell } from "./events.js";
import { look, watchLooks } from "./look.js";
import { backwards, exchange } from "./motion.js";

let busy = false;

/** @param {string} address */
async function go(address) {
  if (busy) return;
  busy = true;
  try {
    const response = await fetch(address);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const [now, then] = [document.getElementById("table"), page.getElementById("table")];
    if (!response.ok || !now || !then) return location.assign(address);
    const step = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.step;
    tell("prepared", { table: then, before: now });
    const way = Number(then.dataset.ply) - Number(now.dataset.ply);
    const news = way === 1 ? readEvents(page) : [];
    exchange(now, then, way === -1 ? backwards(readEvents(document)) : news);
    tell("drawn", { table: then, news });
    const told = page.getElementById("news");
    if (told) document.getElementById("news")?.replaceWith(told);
    for (const place of [".table-turn", "#replay-link"]) {
      const fresh = page.querySelector(place);
      if (fresh) document.querySelector(place)?.replaceWith(fresh);
    }
    document.title = page.title;
    history.replaceState(null, "", address);
    if (step) /** @type {HTMLElement | null} */ (document.querySelector(`[data-step="${step}"]`))?.focus();
  } catch {
    location.assign(address);
  } finally {
    busy = false;
  }
  return undefined;
}

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input") || document.querySelector("dialog[open], :popover-open")) return;
  const step = document.querySelector(`[data-step="${KEYS[event.key]}"]`);
  if (!(step instanceof HTMLAnchorElement) || !step.href) return;
  event.preventDefault();
  void go(step.href);
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  const step = target.closest("a[data-step], .replay-eyes a");
  if (step instanceof HTMLAnchorElement) {
    event.preventDefault();
    if (step.href) void go(step.href);
    return;
  }
  const card = /** @type {HTMLElement | null} */ (target.closest("a[data-look]"));
  if (card) {
    event.preventDefault();
    look(card);
  }
});

watchLooks();
