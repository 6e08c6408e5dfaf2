// How many others look on, beside the table's name and in its panel.

const WORDS = {
  watcher: ["No one else is watching.", "One other person is watching.", "others are watching."],
  player: ["No one is watching.", "One person is watching.", "people are watching."],
};

/** Show the number that the stream has told; null where it is not known. @param {number | null} count */
export function showWatchers(count) {
  const tool = document.querySelector("[data-watching]");
  if (!(tool instanceof HTMLElement)) return;
  const player = tool.dataset.unlessNobody !== undefined;
  const number = /** @type {HTMLElement} */ (tool.querySelector("[data-watchers]"));
  number.textContent = String(count ?? "");
  number.hidden = !count;
  if (player) tool.hidden = !count;
  const line = document.querySelector("[data-watchers-line]");
  const [nobody, one, many] = player ? WORDS.player : WORDS.watcher;
  if (line) line.textContent = count === null ? "" : count === 0 ? nobody : count === 1 ? one : `${count} ${many}`;
}
