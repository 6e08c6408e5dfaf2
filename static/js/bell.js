// The bell in the header keeps itself up to date, and so do the page's title and its icon.

import { watch } from "./live.js";

const POLL = 60000;

const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
const plainIcon = icon?.href ?? "";
let drawing = "";

/** @returns {HTMLElement | null} */
const bell = () => document.querySelector("[data-bell]");

/** Show how much is new where a tab shows it. @param {number} count */
async function show(count) {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
  if (!icon) return;
  if (!count) {
    icon.href = plainIcon;
    return;
  }
  drawing ||= await fetch(plainIcon).then((response) => response.text());
  const mark =
    '<circle cx="34" cy="34" r="14" fill="#b3261e"/><text x="34" y="41" fill="#fff" font-size="20" ' +
    `font-family="sans-serif" font-weight="700" text-anchor="middle">${count > 9 ? "9+" : count}</text></svg>`;
  icon.href = `data:image/svg+xml,${encodeURIComponent(drawing.replace("</svg>", mark))}`;
}

async function renew() {
  const here = bell();
  if (!here || document.hidden) return;
  if (here.querySelector("details[open]")) return; // somebody is reading it
  const address = `/you/notices/bell/?at=${encodeURIComponent(location.pathname)}`;
  const response = await fetch(address, { cache: "no-store" }).catch(() => null);
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = /** @type {HTMLElement | null} */ (page.querySelector("[data-bell]"));
  if (!fresh || fresh.outerHTML === here.outerHTML) return;
  here.replaceWith(fresh);
  void show(Number(fresh.dataset.count));
}

if (bell()) {
  void show(Number(bell()?.dataset.count));
  const look = () => void renew();
  watch("me", { look, every: POLL, hear: { counts: look }, note: false });
}
