// The form of a new tournament shows only the fields that its structure and its kind of decks have.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-announce]"));

/**
 * @param {HTMLFormElement} of
 * @param {string} name
 */
function chosen(of, name) {
  const field = of.elements.namedItem(name);
  return field instanceof HTMLSelectElement ? field.value : "";
}

/** @param {HTMLFormElement} of */
function showFields(of) {
  const [structure, limited] = [chosen(of, "structure"), chosen(of, "limited")];
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (of.querySelectorAll("[data-for]"))) {
    const values = (input.dataset.for ?? "").split(" ");
    const applies = values.includes(structure) || values.includes(limited);
    input.disabled = !applies; // what is hidden is neither checked nor sent
    /** @type {HTMLElement | null} */ (input.closest(".field"))?.toggleAttribute("hidden", !applies);
  }
}

if (form) {
  showFields(form);
  form.addEventListener("change", () => showFields(form));
}
