// The list of tables: N goes to the next one, and the list keeps itself up to date.

import { watch } from "../live.js";

const POLL = 10000;

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = document.querySelector("[data-next-table]");
  if (next instanceof HTMLAnchorElement) location.assign(next.href);
});

async function renew() {
  const response = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const now = document.querySelector("#main > .page");
  const then = page.querySelector("#main > .page");
  if (now && then && now.innerHTML !== then.innerHTML) {
    now.replaceWith(then);
    document.title = page.title;
  }
}

const look = () => void renew();
watch("me", { look, every: POLL, hear: { counts: look } });
