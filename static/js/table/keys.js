// The keyboard at the table.

/** @param {string} selector @param {ParentNode} home */
const visible = (selector, home) =>
  /** @type {HTMLElement[]} */ ([...home.querySelectorAll(selector)]).filter(
    (element) => element.offsetParent !== null && !element.hasAttribute("disabled") && !element.closest("[popover]"),
  );

/** What can be chosen now. @param {ParentNode} home */
export const choices = (home) => visible(".may, .is-target .piece, .piece.is-target, [data-confirm]", home);

/** What a digit presses, in this order; table.css writes the digit on it. */
const NUMBERED = ":is(.offered, [data-options]) .may, .tray :is(.hand, .tiles) [data-option]";

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Element} element @returns {[number, number]} */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/**
 * The nearest choice in the direction of an arrow key; what lies straight ahead counts as nearer.
 * @param {HTMLElement[]} all
 * @param {Element} from
 * @param {[number, number]} way
 */
function nearest(all, from, [right, down]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const element of all) {
    if (element === from) continue;
    const [ex, ey] = middle(element);
    const ahead = (ex - x) * right + (ey - y) * down;
    const aside = Math.abs((ex - x) * down) + Math.abs((ey - y) * right);
    if (ahead < 4) continue;
    const distance = ahead + aside * 2.5;
    if (distance < least) [best, least] = [element, distance];
  }
  return best;
}

/**
 * @param {{
 *   home: () => HTMLElement,
 *   back: () => boolean,
 *   look: (card: HTMLElement) => void,
 *   next: () => void,
 * }} table `back` puts a pick back or skips, and says whether there was something to do.
 */
export function watchKeys({ home, back, look, next }) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    if (document.querySelector("dialog[open], :popover-open:not(#hint)")) return; // a hint is played while it is read
    const { key } = event;
    // Within a group of radios the browser moves.
    if (key in WAYS && target.closest("[type=radio]")) return;
    if (key in WAYS) {
      if (target.closest(".table-lines")) return;
      const all = choices(home());
      const here = all.includes(target) ? target : null;
      const found = here ? nearest(all, here, WAYS[key]) : (all.find((one) => one.closest(".hand")) ?? all[0]);
      if (!found) return;
      found.focus();
      found.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (/^[1-9]$/.test(key)) {
      visible(NUMBERED, home())[Number(key) - 1]?.click();
    } else if (key === "Escape") {
      if (!back()) return;
    } else if (key === "?") {
      document.getElementById("help")?.showPopover();
    } else if (key === "n" || key === "N") {
      next();
    } else if (key === "l" || key === "L") {
      const card = /** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-look]") ?? null);
      if (!card) return;
      look(card);
    } else {
      return;
    }
    event.preventDefault();
  });
}
