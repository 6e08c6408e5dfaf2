// The log beside the table: the page brings what has happened so far, and this adds what comes.

/** @typedef {import("./client.js").TableEvent} TableEvent */

const list = () => /** @type {HTMLElement | null} */ (document.querySelector(".table-lines"));

/** The ply up to which the page knows what has happened. */
export const logged = () => Number(list()?.dataset.ply ?? 0);

/** What comes from now on is new; what was new is so no more. */
export function settle() {
  for (const line of list()?.querySelectorAll(".is-new") ?? []) line.classList.remove("is-new");
}

/**
 * Add what the log does not have yet, and show it up to the ply that the table shows.
 * @param {TableEvent[]} news
 * @param {number} shown
 */
export function log(news, shown) {
  const lines = list();
  if (!lines) return;
  const had = logged();
  for (const { ply, text, turn, cards } of news) {
    if (ply <= had || !text) continue;
    const line = document.createElement("li");
    line.className = turn ? "is-turn is-new" : "is-new";
    line.dataset.ply = String(ply);
    if (cards) line.dataset.cards = cards;
    line.textContent = text;
    lines.append(line);
  }
  lines.dataset.ply = String(Math.max(had, shown));
  for (const line of /** @type {Iterable<HTMLElement>} */ (lines.children)) {
    const { ply } = line.dataset;
    line.hidden = ply === undefined ? lines.childElementCount > 1 : Number(ply) > shown;
  }
  showNewest();
}

/** Bring the newest line into sight. */
export function showNewest() {
  const lines = list();
  if (lines) lines.scrollTop = lines.scrollHeight;
}
