// What the table tells the script of its game. Each is a CustomEvent on `document`.

/**
 * `table:prepared`: a table is about to be shown; `before` is the one that it replaces, null at first.
 * @typedef {{table: HTMLElement, before: HTMLElement | null}} Prepared
 */

/**
 * `table:happened`: one event is about to be shown on the table that stands; the next step comes when
 * everything has been waited for. Where many moves are caught up with at once nothing is told. Rests are to
 * be multiplied by `pace`, which the reader has set.
 * @typedef {{
 *   kind: string,
 *   event: Record<string, any>,
 *   table: HTMLElement,
 *   pace: number,
 *   wait: (until: Promise<unknown>) => void,
 * }} Happened
 */

/**
 * `table:drawn`: the next table stands, and its cards are on their way; `news` led to it.
 * @typedef {{table: HTMLElement, news: import("./client.js").TableEvent[]}} Shown
 */

/**
 * `table:picked`: a card was taken in the fingers, which may go to `places`. The script may change the
 * sentence and the words on the button that plays it, and add what is shown beside them.
 * @typedef {{
 *   element: HTMLElement,
 *   table: HTMLElement,
 *   places: HTMLElement[],
 *   words: string,
 *   confirm: string,
 *   details: HTMLElement[],
 * }} Picked
 */

/**
 * What was meant by picking and playing: the card, then the target on which it was laid; or what the
 * picked thing itself is to the rules (`data-aim`).
 * @typedef {{card?: string, target?: import("./places.js").Target}} Intent
 */

/**
 * `table:asked`: the next question after a played card. If it is the one that was meant, the script
 * says which option answers it.
 * @typedef {{kind: string, intent: Intent, table: HTMLElement, option: string | undefined}} Asked
 */

/**
 * `table:guided`: the newest table is one of a lesson, which says this about it.
 * @typedef {{lesson: HTMLElement}} Guided
 */

/**
 * @template T
 * @param {"prepared" | "happened" | "drawn" | "picked" | "asked" | "guided"} name
 * @param {T} detail
 * @returns {T} as the game's script has left it
 */
export function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(`table:${name}`, { detail }));
  return detail;
}
