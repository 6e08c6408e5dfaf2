// What is chosen on the page but not sent stays so when the table is drawn anew.

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** What was last chosen, and for which question. @type {{question: string, fields: Field[]}} */
let chosen = { question: "", fields: [] };

/**
 * A new question begins with what it proposes itself, even where its inputs have the names and values of
 * the one before. Tables that are shown on the way to the newest one ask nothing.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 */
export function keepChoices(before, after) {
  const question = before.dataset.prompt ?? "";
  if (question) chosen = { question, fields: [...before.querySelectorAll("[data-keep] :is(input, select)")].map((one) => /** @type {Field} */ (one)) };
  if (!chosen.question || after.dataset.prompt !== chosen.question) return;
  for (const field of chosen.fields) {
    const { name, value, type, id } = field;
    if (type === "range" || type === "select-one") {
      const again = /** @type {Field | null} */ (after.querySelector(`#${CSS.escape(id)}`));
      if (again) again.value = value;
    } else if (field.matches(":checked")) {
      const same = `[data-keep] input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
      const again = /** @type {HTMLInputElement | null} */ (after.querySelector(same));
      if (again) again.checked = true;
    }
  }
}

/**
 * The board that somebody has opened stays open, if another one was open at first.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 */
export function keepOpened(before, after) {
  const opened = /** @type {HTMLInputElement | null} */ (before.querySelector(".seat-pick:checked"));
  if (!opened || opened.defaultChecked) return;
  const again = /** @type {HTMLInputElement | null} */ (after.querySelector(`.seat-pick[value="${opened.value}"]`));
  if (again) again.checked = true;
}
