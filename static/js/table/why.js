// Why what was clicked cannot be chosen: in a sentence, with the rule that says so.

/** @typedef {[sentence: string, rule: string]} Reason */

/** @param {HTMLElement} table @returns {{cards: Record<string, Reason>, others: Reason, there: Record<string, Reason>} | null} */
const told = (table) => JSON.parse(table.dataset.whyNot ?? "null");

/**
 * Of a card that is looked at: what the rules say of it, or of all cards that are no answer, where it lies among
 * those from which one is chosen. null: nobody can have meant to play it.
 * @param {HTMLElement} table
 * @param {HTMLElement} card
 * @returns {Reason | null}
 */
export function whyNot(table, card) {
  const known = told(table);
  if (!known || !table.contains(card) || card.matches(".may, [data-option], [data-intent]")) return null;
  const own = known.cards[card.dataset.card ?? ""];
  if (own) return own;
  const hand = /** @type {HTMLElement | null} */ (card.closest("[data-hand-of]"));
  const inHand = hand && hand.dataset.handOf === document.querySelector("[data-me]")?.getAttribute("data-me");
  const amongCards = table.querySelector("[data-option][data-card]") && !card.closest("[popover]");
  return inHand || amongCards ? known.others : null;
}

/**
 * Of a place that is none for the card in the fingers.
 * @param {HTMLElement} table
 * @param {string} verb
 * @returns {Reason | null}
 */
export const whyNotThere = (table, verb) => told(table)?.there[verb] ?? null;

/** Of an answer that the server has refused. @param {HTMLElement} table */
export const ruleOfQuestion = (table) => told(table)?.others[1] ?? "";

/** Where a rule stands among those to read. @param {string} rule */
export const addressOf = (rule) => `/rules/${encodeURIComponent(rule)}/`;

/** The link to the rules above the table. */
export const allRules = () => /** @type {HTMLAnchorElement} */ (document.querySelector(".table-tool[data-rules]"));

/** What stands below a refusal: the way to its rule, or to the rules of what is being asked. @param {string} rule */
export function toTheRules(rule) {
  const line = document.createElement("p");
  line.className = "ask-links";
  line.dataset.refusalRule = "";
  const link = document.createElement("a");
  link.href = rule ? addressOf(rule) : allRules().href;
  link.dataset.rules = "";
  link.textContent = "What the rules say";
  line.append(link);
  return line;
}
