// The open table: shows who sits down and what is said, and goes to the table when the match begins.

import { watch } from "../live.js";
import { hearTalk } from "./talk.js";

const POLL = 4000;
const lobby = /** @type {HTMLElement | null} */ (document.querySelector("[data-lobby]"));

async function renew() {
  const { url = "" } = lobby?.dataset ?? {};
  const response = await fetch(url, { cache: "no-store" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [now, chairs] = [document.querySelector(".lobby"), page.querySelector(".lobby")];
  if (!chairs) location.assign(url);
  else if (now) replace(now, chairs);
}

/**
 * Put the new chairs in the place of the old ones; a name that is being typed stays.
 * @param {Element} now
 * @param {Element} then
 */
function replace(now, then) {
  const typing = document.activeElement;
  const typed = new Map([...now.querySelectorAll("input[type=text]")].map((one) => [one.id, /** @type {HTMLInputElement} */ (one).value]));
  now.replaceWith(then);
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (then.querySelectorAll("input[type=text]"))) {
    input.value = typed.get(input.id) ?? "";
    if (typing?.id === input.id) input.focus();
  }
}

const look = () => {
  void renew().catch(() => undefined);
  void hearTalk();
};

if (lobby) {
  const hear = { ply: () => void renew().catch(() => undefined), talk: () => void hearTalk() };
  watch(`match:${lobby.dataset.lobby}`, { look, every: POLL, hear, ply: () => 0 });
}
