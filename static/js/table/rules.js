// The rules beside the table: a panel that opens where they speak of what is being asked. Without this script
// the same link leads to their page.

import { stylesOf } from "./styles.js";
import { allRules } from "./why.js";

/** @type {Promise<Element | null> | null} */
let fetched = null;

/** @param {string} address */
async function fetchRules(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("[data-rules-text]");
}

/**
 * @param {HTMLElement} panel
 * @param {URL} address
 * @param {string} [elsewhere] where to go if what is looked for stands in the rules of another mode
 */
async function open(panel, address, elsewhere) {
  panel.showPopover();
  const place = /** @type {HTMLElement} */ (panel.querySelector("[data-rules-place]"));
  fetched ??= fetchRules(address.pathname + address.search);
  try {
    const [text] = await Promise.all([fetched, stylesOf(panel)]);
    if (!text) throw new Error("no rules to read");
    if (!place.contains(text)) place.replaceChildren(text);
  } catch {
    location.assign(address);
    return;
  }
  const goal = address.hash ? document.getElementById(address.hash.slice(1)) : null;
  if (goal && place.contains(goal)) goal.scrollIntoView({ block: "start" });
  else if (elsewhere) location.assign(elsewhere);
  else panel.scrollTop = 0;
}

/**
 * Every link to the rules opens the panel.
 * @param {() => HTMLElement} table
 */
export function watchRules(table) {
  const panel = document.getElementById("rules");
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("[data-rules]"));
    if (!link || !panel || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    link.closest("dialog")?.close();
    const address = new URL(allRules().href);
    const rule = /^\/rules\/([^/]+)\/$/.exec(new URL(link.href).pathname)?.[1];
    address.hash = rule ?? table().dataset.rulesAt ?? "";
    void open(panel, address, rule && link.href);
  });
}
