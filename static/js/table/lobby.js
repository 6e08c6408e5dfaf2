// The open table: shows who sits down, and goes to the table when the match begins.

import { listen } from "./live.js";

const lobby = /** @type {HTMLElement | null} */ (document.querySelector("[data-lobby]"));

async function renew() {
  const { url = "" } = lobby?.dataset ?? {};
  const response = await fetch(url, { cache: "no-store" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const chairs = page.querySelector(".lobby");
  if (chairs) document.querySelector(".lobby")?.replaceWith(chairs);
  else location.assign(url);
}

if (lobby) listen(lobby.dataset.lobby ?? "", () => void renew());
