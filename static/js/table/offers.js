// What is offered at a table beside its moves: to cancel the match. The page has a panel and a tool for it,
// which are fetched anew when somebody offers it, agrees or declines.

import { say } from "./announcer.js";

const PARTS = ["#cancel", '.table-tool[popovertarget="cancel"]'];

/** Bring what the page says of offers up to date. */
export async function renewOffers() {
  const response = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of PARTS) {
    const [now, then] = [document.querySelector(part), page.querySelector(part)];
    if (!now || !then) continue;
    const open = now.matches(":popover-open");
    const focused = now === document.activeElement;
    now.replaceWith(then);
    if (open) /** @type {HTMLElement} */ (then).showPopover();
    if (focused) /** @type {HTMLElement} */ (then).focus();
  }
  const asked = document.querySelector("#cancel [data-asking]");
  if (asked) say(asked.textContent?.trim() ?? "");
}
