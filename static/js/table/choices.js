// What is chosen on the page but not sent stays so when the table is drawn anew.

/**
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 */
export function keepChoices(before, after) {
  for (const old of before.querySelectorAll("[data-keep] input")) {
    const { name, value, type, checked, id } = /** @type {HTMLInputElement} */ (old);
    if (type === "range") {
      const range = /** @type {HTMLInputElement | null} */ (after.querySelector(`#${CSS.escape(id)}`));
      if (range) range.value = value;
    } else if (checked) {
      const same = `[data-keep] input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
      const again = /** @type {HTMLInputElement | null} */ (after.querySelector(same));
      if (again) again.checked = true;
    }
  }
}
