// How fast what happens is shown: each browser keeps what its reader has set.

const KEY = "riffle.pace";
const FACTORS = /** @type {Record<string, number>} */ ({ slow: 2, normal: 1, fast: 0.45, once: 0 });

function chosen() {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return kept in FACTORS ? kept : "normal";
  } catch {
    return "normal";
  }
}

/** By what every rest is multiplied; 0: nothing is shown step by step. */
export const pace = () => FACTORS[chosen()];

/** So long a line takes to be read. @param {string} text */
export const reading = (text) => Math.min(300 + 20 * text.length, 2400) * pace();

/** Let the reader set it. */
export function offerPace() {
  const select = /** @type {HTMLSelectElement | null} */ (document.getElementById("pace"));
  if (!select) return;
  select.value = chosen();
  select.closest("[hidden]")?.removeAttribute("hidden");
  select.addEventListener("change", () => {
    try {
      localStorage.setItem(KEY, select.value);
    } catch {
      // A browser that keeps nothing stays at the usual pace.
    }
  });
}
