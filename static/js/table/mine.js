// The list of tables: N goes to the next one, and the list keeps itself up to date.

import { showPaused } from "./live.js";

const POLL = 10000;

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = document.querySelector("[data-next-table]");
  if (next instanceof HTMLAnchorElement) location.assign(next.href);
});

async function renew() {
  const response = await fetch(location.href, { cache: "no-store" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const now = document.querySelector("#main > .page");
  const then = page.querySelector("#main > .page");
  if (now && then && now.innerHTML !== then.innerHTML) {
    now.replaceWith(then);
    document.title = page.title;
  }
}

const stream = new EventSource("/events/me/");
let first = true;
stream.addEventListener("counts", () => {
  if (!first) void renew();
  first = false;
});
let timer = 0;
stream.addEventListener("paused", () => {
  showPaused(true);
  timer ||= window.setInterval(() => {
    if (!document.hidden) void renew();
  }, POLL);
});
const resume = () => {
  showPaused(false);
  window.clearInterval(timer);
  timer = 0;
};
stream.addEventListener("open", resume);
stream.addEventListener("resumed", resume);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void renew();
});
window.addEventListener("pagehide", () => stream.close());
