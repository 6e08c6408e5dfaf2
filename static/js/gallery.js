// A card's page: the arrow keys turn to the card before and after it, and a count keeps what is typed.

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, textarea, select, [contenteditable], dialog[open], [role=menu]")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`.card-neighbours a[rel="${way}"]`);
  if (link instanceof HTMLAnchorElement) link.click();
});

// A count swaps the copies below it: what is open there stays open, what is typed comes along.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target: old, fragment: fresh } = /** @type {CustomEvent<{ target: Element, fragment: ParentNode }>} */ (event).detail;
  if (old.id !== "own-copies") return;
  const more = fresh.querySelector("details");
  if (more) more.open = old.querySelector("details")?.open ?? false;
  for (const form of old.querySelectorAll("form")) {
    const same = [...fresh.querySelectorAll("form")].find((one) => keyOf(one) === keyOf(form));
    const row = same?.closest("details");
    if (!same || !row) continue;
    row.open = form.closest("details")?.open ?? false;
    for (const field of typedIn(form)) {
      const other = same.elements.namedItem(field.name);
      if (other && "value" in other) other.value = field.value;
    }
  }
});

/** @param {HTMLFormElement} form */
const keyOf = (form) => new FormData(form).get("key");

/** The fields in which something else stands than the page came with. @param {HTMLFormElement} form */
function typedIn(form) {
  const fields = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (form.querySelectorAll("input:not([type=hidden]), select, textarea"));
  return [...fields].filter((field) =>
    "defaultValue" in field ? field.value !== field.defaultValue : !field.selectedOptions[0]?.defaultSelected,
  );
}
