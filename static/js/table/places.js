// The places of a table, by what the rules call them.

/**
 * What a move can point at: a card, a slot, a seat.
 * @typedef {{card?: number, slot?: string, seat?: number}} Target
 */

/**
 * An answer that begins with a card, and where that could go.
 * @typedef {{move: string, to: Target[]}} Use
 */

/**
 * Where something lies: the place that the table has around it, or itself.
 * @param {HTMLElement} element
 * @returns {HTMLElement}
 */
const around = (element) => element.closest("[data-slot], [data-pile]") ?? element;

/**
 * The places that a target names; a slot is the own one where every seat has one of that name.
 * @param {ParentNode} table
 * @param {Target} target
 * @returns {HTMLElement[]}
 */
export function placesOf(table, { card, slot, seat }) {
  const all = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...table.querySelectorAll(selector)].filter((one) => !one.closest("[popover]")));
  if (card !== undefined) return all(`[data-card="${card}"]`).map(around);
  if (seat !== undefined) return all(`[data-seat="${seat}"]`).filter((one) => !one.parentElement?.closest("[data-seat]"));
  const name = `[data-slot="${CSS.escape(slot ?? "")}"]`;
  const own = all(`.own ${name}`);
  return own.length ? own : all(`${name}:not([data-seat], [data-seat] *)`);
}
