// The rules to read: what is typed into the search narrows them at once. Without this script the form asks
// the server for the same.

const search = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-rules-search]"));
const words = /** @type {HTMLInputElement | null} */ (search?.querySelector('[name="q"]') ?? null);
const status = document.querySelector("[data-rules-status]");
const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-rules-section]")]);
const texts = sections.map((section) => (section.textContent ?? "").toLowerCase());

/** Hide what does not speak of all the words. @param {string} wanted */
function narrow(wanted) {
  const each = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  sections.forEach((section, number) => {
    section.hidden = !each.every((word) => texts[number]?.includes(word));
    if (!section.hidden) shown += 1;
  });
  for (const chapter of document.querySelectorAll(".rules-chapter")) {
    /** @type {HTMLElement} */ (chapter).hidden = !chapter.querySelector("[data-rules-section]:not([hidden])");
  }
  for (const link of document.querySelectorAll(".rules-contents a")) {
    const goal = document.getElementById(/** @type {HTMLAnchorElement} */ (link).hash.slice(1));
    const line = /** @type {HTMLElement} */ (link.parentElement);
    line.hidden = goal?.closest("[hidden]") !== null;
  }
  if (!status) return;
  status.textContent = "";
  if (each.length && shown) status.textContent = `${shown} ${shown === 1 ? "result" : "results"} for “${wanted}”.`;
  else if (each.length) status.textContent = `No results for “${wanted}”. Press Search to include the other modes.`;
}

// What the server has narrowed already lacks the rest: then the form goes on asking it.
if (search && words && !words.value) words.addEventListener("input", () => narrow(words.value.trim()));
